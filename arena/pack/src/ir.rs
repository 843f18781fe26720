//! Functions as trees: statements contain expressions, and an expression changes no local variable.

/// A value type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Type {
    I32,
    I64,
    F32,
    F64,
}

impl Type {
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    /// Bits of an integer type, or of the bit pattern of a float.
    pub(crate) fn bits(self) -> u32 {
        if matches!(self, Type::I32 | Type::F32) { 32 } else { 64 }
    }
}

/// Parameters and results of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct Signature {
    pub(crate) params: Vec<Type>,
    pub(crate) results: Vec<Type>,
}

/// A constant; floats as their bit patterns, integers zero-extended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Constant {
    pub(crate) ty: Type,
    pub(crate) bits: u64,
}

/// An operation on one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum UnaryOp {
    Clz,
    Ctz,
    Popcnt,
    Eqz,
    /// Sign extension of the lowest 8, 16 or 32 bits within the type.
    Extend8,
    Extend16,
    Extend32,
    Abs,
    Neg,
    Ceil,
    Floor,
    Trunc,
    Nearest,
    Sqrt,
    Wrap,
    ExtendS,
    ExtendU,
    /// Float to integer; traps outside the range.
    TruncS,
    TruncU,
    /// Float to integer; saturates, and NaN is zero.
    SaturateS,
    SaturateU,
    ConvertS,
    ConvertU,
    Demote,
    Promote,
    Reinterpret,
}

/// An operation on two values of one type. Float `Div`, `Lt`, `Gt`, `Le` and `Ge` share the names of unsigned ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    DivS,
    Div,
    RemS,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    ShrS,
    Shr,
    Rotl,
    Rotr,
    Min,
    Max,
    Copysign,
    Eq,
    Ne,
    LtS,
    Lt,
    GtS,
    Gt,
    LeS,
    Le,
    GeS,
    Ge,
    /// High 64 bits of the product of two `i64` (wide arithmetic).
    MulHighS,
    MulHigh,
    /// Short-circuit conjunction and disjunction of conditions; only `structure` makes them.
    Both,
    Either,
}

impl BinaryOp {
    pub(crate) fn is_comparison(self) -> bool {
        use BinaryOp as B;
        matches!(
            self,
            B::Eq | B::Ne | B::LtS | B::Lt | B::GtS | B::Gt | B::LeS | B::Le | B::GeS | B::Ge
        ) || matches!(self, B::Both | B::Either)
    }

    /// The comparison that holds exactly when this one does not, for integers.
    pub(crate) fn negated(self) -> Option<BinaryOp> {
        use BinaryOp as B;
        Some(match self {
            B::Eq => B::Ne,
            B::Ne => B::Eq,
            B::LtS => B::GeS,
            B::Lt => B::Ge,
            B::GtS => B::LeS,
            B::Gt => B::Le,
            B::LeS => B::GtS,
            B::Le => B::Gt,
            B::GeS => B::LtS,
            B::Ge => B::Lt,
            _ => return None,
        })
    }
}

/// How many bytes of memory an access touches and how they become a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Access {
    /// The type of the value.
    pub(crate) ty: Type,
    pub(crate) bytes: u8,
    /// Whether a narrow load extends the sign.
    pub(crate) signed: bool,
}

/// A variable of a function: its parameters, then its other locals.
pub(crate) type Local = u32;

/// A jump target within a function.
pub(crate) type Label = u32;

/// A value; evaluating it changes no local variable.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Const(Constant),
    Local(Local),
    Global(u32),
    /// The operation with the types of its operand and its result.
    Unary(UnaryOp, Type, Type, Box<Expr>),
    /// The operation with the type of its operands.
    Binary(BinaryOp, Type, Box<Expr>, Box<Expr>),
    Load(Access, u32, Box<Expr>),
    /// Condition, value if it is not zero, value if it is zero.
    Select(Box<[Expr; 3]>),
    Call(u32, Vec<Expr>),
    /// Index into the list of signatures, arguments, index into the table.
    CallIndirect(u32, Vec<Expr>, Box<Expr>),
    /// A further result (from 1) of the call that was evaluated last.
    Result(Type, u32),
    MemorySize,
    MemoryGrow(Box<Expr>),
}

impl Expr {
    pub(crate) fn i32(value: u32) -> Expr {
        Expr::Const(Constant { ty: Type::I32, bits: value.into() })
    }

    /// The constant's bits, if it is one.
    pub(crate) fn constant(&self) -> Option<u64> {
        match self {
            Expr::Const(constant) => Some(constant.bits),
            _ => None,
        }
    }

    /// The condition that holds exactly when this one, an `i32`, is zero.
    pub(crate) fn negated(self) -> Expr {
        use BinaryOp as B;
        match self {
            Expr::Unary(UnaryOp::Eqz, Type::I32, _, operand) => *operand,
            Expr::Binary(op, ty, left, right) if !ty.is_float() || matches!(op, B::Eq | B::Ne) => {
                match op {
                    B::Both => B::Either.of(Type::I32, left.negated(), right.negated()),
                    B::Either => B::Both.of(Type::I32, left.negated(), right.negated()),
                    _ => match op.negated() {
                        Some(op) => Expr::Binary(op, ty, left, right),
                        None => UnaryOp::Eqz.of(Type::I32, Expr::Binary(op, ty, left, right)),
                    },
                }
            }
            other => UnaryOp::Eqz.of(Type::I32, other),
        }
    }

    /// Calls `visit` on each direct operand.
    pub(crate) fn operands<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Expr::Const(_) | Expr::Local(_) | Expr::Global(_) | Expr::Result(..) => {}
            Expr::MemorySize => {}
            Expr::Unary(.., a) | Expr::Load(.., a) | Expr::MemoryGrow(a) => visit(a),
            Expr::Binary(_, _, a, b) => {
                visit(a);
                visit(b);
            }
            Expr::Select(three) => three.iter().for_each(visit),
            Expr::Call(_, arguments) => arguments.iter().for_each(visit),
            Expr::CallIndirect(_, arguments, index) => {
                arguments.iter().for_each(&mut *visit);
                visit(index);
            }
        }
    }

    /// Calls `visit` on each direct operand.
    pub(crate) fn operands_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Expr::Const(_) | Expr::Local(_) | Expr::Global(_) | Expr::Result(..) => {}
            Expr::MemorySize => {}
            Expr::Unary(.., a) | Expr::Load(.., a) | Expr::MemoryGrow(a) => visit(a),
            Expr::Binary(_, _, a, b) => {
                visit(a);
                visit(b);
            }
            Expr::Select(three) => three.iter_mut().for_each(visit),
            Expr::Call(_, arguments) => arguments.iter_mut().for_each(visit),
            Expr::CallIndirect(_, arguments, index) => {
                arguments.iter_mut().for_each(&mut *visit);
                visit(index);
            }
        }
    }

    /// Calls `visit` on this expression and everything in it.
    pub(crate) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        self.operands(&mut |operand| operand.walk(visit));
    }
}

impl BinaryOp {
    pub(crate) fn of(self, ty: Type, left: Expr, right: Expr) -> Expr {
        Expr::Binary(self, ty, Box::new(left), Box::new(right))
    }
}

impl UnaryOp {
    /// The operation where operand and result (or the condition) need no further type than the operand's.
    pub(crate) fn of(self, from: Type, operand: Expr) -> Expr {
        let to = if self == UnaryOp::Eqz { Type::I32 } else { from };
        Expr::Unary(self, from, to, Box::new(operand))
    }
}

/// An action.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stmt {
    Set(Local, Expr),
    SetGlobal(u32, Expr),
    /// Access, offset, address, value.
    Store(Access, u32, Expr, Expr),
    /// Evaluates for the effect.
    Do(Expr),
    /// A branch to the label goes to the end.
    Block(Label, Vec<Stmt>),
    /// A branch to the label goes to the start; the end leaves the loop.
    Loop(Label, Vec<Stmt>),
    /// A branch to the label goes to the start, and so does the end; only `structure` makes these two.
    Forever(Label, Vec<Stmt>),
    /// Runs the body, then again as long as the condition holds; no branch goes to its start.
    DoWhile(Vec<Stmt>, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Branches to the label with the index's number, or to the last one.
    Switch(Expr, Vec<Label>),
    Branch(Label),
    Return(Vec<Expr>),
    Trap,
    /// Destination, source, bytes.
    MemoryCopy([Expr; 3]),
    /// Destination, byte, bytes.
    MemoryFill([Expr; 3]),
    /// Data segment; destination, source, bytes.
    MemoryInit(u32, [Expr; 3]),
    DataDrop(u32),
}

impl Stmt {
    /// Calls `visit` on each expression that this statement itself evaluates.
    pub(crate) fn expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Stmt::Set(_, e) | Stmt::SetGlobal(_, e) | Stmt::Do(e) => visit(e),
            Stmt::If(e, ..) | Stmt::Switch(e, _) | Stmt::DoWhile(_, e) => visit(e),
            Stmt::Store(_, _, address, value) => {
                visit(address);
                visit(value);
            }
            Stmt::Return(values) => values.iter().for_each(visit),
            Stmt::MemoryCopy(three) | Stmt::MemoryFill(three) | Stmt::MemoryInit(_, three) => {
                three.iter().for_each(visit);
            }
            Stmt::Block(..) | Stmt::Loop(..) | Stmt::Forever(..) | Stmt::Branch(_) => {}
            Stmt::Trap | Stmt::DataDrop(_) => {}
        }
    }

    /// Calls `visit` on each expression that this statement itself evaluates.
    pub(crate) fn expressions_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Stmt::Set(_, e) | Stmt::SetGlobal(_, e) | Stmt::Do(e) => visit(e),
            Stmt::If(e, ..) | Stmt::Switch(e, _) | Stmt::DoWhile(_, e) => visit(e),
            Stmt::Store(_, _, address, value) => {
                visit(address);
                visit(value);
            }
            Stmt::Return(values) => values.iter_mut().for_each(visit),
            Stmt::MemoryCopy(three) | Stmt::MemoryFill(three) | Stmt::MemoryInit(_, three) => {
                three.iter_mut().for_each(visit);
            }
            Stmt::Block(..) | Stmt::Loop(..) | Stmt::Forever(..) | Stmt::Branch(_) => {}
            Stmt::Trap | Stmt::DataDrop(_) => {}
        }
    }

    /// The statement lists within this statement.
    pub(crate) fn bodies(&self) -> [&[Stmt]; 2] {
        match self {
            Stmt::Block(_, body) | Stmt::Loop(_, body) | Stmt::Forever(_, body) => [body, &[]],
            Stmt::DoWhile(body, _) => [body, &[]],
            Stmt::If(_, yes, no) => [yes, no],
            _ => [&[], &[]],
        }
    }

    /// The statement lists within this statement.
    pub(crate) fn bodies_mut(&mut self) -> [Option<&mut Vec<Stmt>>; 2] {
        match self {
            Stmt::Block(_, body) | Stmt::Loop(_, body) | Stmt::Forever(_, body) => {
                [Some(body), None]
            }
            Stmt::DoWhile(body, _) => [Some(body), None],
            Stmt::If(_, yes, no) => [Some(yes), Some(no)],
            _ => [None, None],
        }
    }
}

/// Calls `visit` on every statement of a list, outer ones first, in the order of the text.
pub(crate) fn walk<'a>(list: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    for statement in list {
        visit(statement);
        for body in statement.bodies() {
            walk(body, visit);
        }
    }
}

/// Calls `visit` on every expression of a list and everything in it.
pub(crate) fn walk_expressions<'a>(list: &'a [Stmt], visit: &mut dyn FnMut(&'a Expr)) {
    walk(list, &mut |statement| statement.expressions(&mut |expr| expr.walk(visit)));
}

/// Calls `visit` on every statement of a list, outer ones first, in the order of the text.
pub(crate) fn walk_mut(list: &mut [Stmt], visit: &mut dyn FnMut(&mut Stmt)) {
    for statement in list {
        visit(statement);
        for body in statement.bodies_mut().into_iter().flatten() {
            walk_mut(body, visit);
        }
    }
}

/// A function's code.
#[derive(Debug, Clone, Default)]
pub(crate) struct Body {
    /// Number of locals that are parameters.
    pub(crate) params: u32,
    /// Types of all locals, parameters first.
    pub(crate) locals: Vec<Type>,
    /// Locals from here on were introduced by the translator: each is set before it is read, in the same iteration of
    /// every loop around the read.
    pub(crate) first_temporary: u32,
    pub(crate) statements: Vec<Stmt>,
    pub(crate) labels: u32,
}
