//! Expressions in C.

use super::Printer;
use super::value::{CType, Text, level, literal, variable};
use crate::Checks;
use crate::ir::{Access, BinaryOp, Expr, Type, UnaryOp};

impl Printer<'_> {
    /// An expression, of any C type that its value converts from.
    pub(super) fn expr(&mut self, expr: &Expr) -> Text {
        match expr {
            Expr::Const(constant) => self.note(literal(*constant)),
            Expr::Local(local) => {
                Text::atom(self.local_name(*local), variable(self.body.locals[*local as usize]))
            }
            Expr::Global(global) => {
                let ty = self.module.globals[*global as usize].initial.ty;
                Text::atom(self.names.global(*global), variable(ty))
            }
            Expr::Unary(op, from, to, operand) => self.unary(*op, *from, *to, operand),
            Expr::Binary(op, ty, left, right) => self.binary(*op, *ty, left, right),
            Expr::Load(access, offset, address) => self.access(*access, *offset, address),
            Expr::Select(three) => self.select(three),
            Expr::Call(function, arguments) => self.call(*function, arguments),
            Expr::CallIndirect(signature, arguments, index) => {
                self.call_indirect(*signature, arguments, index)
            }
            Expr::Result(ty, index) => Text::atom(self.further_result(*ty, *index), variable(*ty)),
            Expr::MemorySize => {
                self.need("@P");
                Text::atom("@P", CType::Unsigned)
            }
            Expr::MemoryGrow(pages) => {
                let pages = self.argument(pages);
                self.helper("@Mg", &[pages], CType::Unsigned)
            }
        }
    }

    /// Notes the helper of a literal that has one.
    pub(super) fn note(&mut self, text: Text) -> Text {
        if let Some(helper) = text.text.strip_prefix('@') {
            let name = helper.split('(').next().unwrap_or_default();
            self.need(&format!("@{name}"));
        }
        text
    }

    /// An expression where C converts to the parameter's or variable's type.
    pub(super) fn argument(&mut self, expr: &Expr) -> String {
        self.expr(expr).text
    }

    /// An `i32` as a condition.
    pub(super) fn condition(&mut self, expr: &Expr) -> Text {
        use BinaryOp as B;
        match expr {
            // a comparison with zero, twice negated or plain
            Expr::Unary(UnaryOp::Eqz, _, _, inner) => match &**inner {
                Expr::Unary(UnaryOp::Eqz, from, _, operand) => self.expr(operand).truth(*from),
                Expr::Binary(B::Ne, ty, operand, zero)
                    if zero.constant() == Some(0) && !ty.is_float() =>
                {
                    self.negation(*ty, operand)
                }
                _ => self.expr(expr).truth(Type::I32),
            },
            Expr::Binary(B::Ne, ty, operand, zero)
                if zero.constant() == Some(0) && !ty.is_float() =>
            {
                self.expr(operand).truth(*ty)
            }
            _ => self.expr(expr).truth(Type::I32),
        }
    }

    fn negation(&mut self, ty: Type, operand: &Expr) -> Text {
        let text = self.expr(operand).truth(ty).at(level::UNARY);
        Text::new(format!("!{text}"), level::UNARY, CType::Small)
    }

    fn helper(&mut self, name: &str, arguments: &[String], ty: CType) -> Text {
        self.need(name);
        Text::atom(format!("{name}({})", arguments.join(",")), ty)
    }

    /// An access to memory, which is also an lvalue.
    pub(super) fn access(&mut self, access: Access, offset: u32, address: &Expr) -> Text {
        let (name, ty) = accessor(access);
        let place = self.place(offset, address);
        self.helper(name, &[place], ty)
    }

    /// Address and offset as a sum that is pasted after the start of memory, so that it does not wrap at 2^32.
    fn place(&mut self, offset: u32, address: &Expr) -> String {
        if let Some(address) = address.constant() {
            return (address + u64::from(offset)).to_string();
        }
        let text = self.expr(address).zero_extended(Type::I32);
        let full = self.options.checks == Checks::Full;
        let text = text.at(if full { level::UNARY } else { level::MULTIPLY });
        if offset == 0 { text } else { format!("{text}+{offset}") }
    }

    fn select(&mut self, three: &[Expr; 3]) -> Text {
        let [condition, yes, no] = three;
        let ty = self.type_of(yes);
        let condition = self.condition(condition);
        let (yes, no) = (self.expr(yes), self.expr(no));
        let (yes, no, result) = match (yes.ty, no.ty) {
            (a, b) if a == b => (yes, no, a),
            (CType::Small | CType::Int, CType::Small | CType::Int) => (yes, no, CType::Int),
            (CType::UnsignedLong, _) | (_, CType::UnsignedLong) => (yes, no, CType::UnsignedLong),
            (CType::Unsigned, CType::Small) | (CType::Small, CType::Unsigned) => {
                (yes, no, CType::Unsigned)
            }
            (CType::Unsigned, CType::Int) | (CType::Int, CType::Unsigned) if ty == Type::I32 => {
                (yes, no, CType::Unsigned)
            }
            (CType::Long, _) | (_, CType::Long) => (yes, no, CType::Long),
            _ => (yes.exact(ty), no, variable(ty)),
        };
        let text = format!(
            "{}?{}:{}",
            condition.at(level::EITHER),
            yes.at(level::CONDITIONAL),
            no.at(level::CONDITIONAL)
        );
        Text::new(text, level::CONDITIONAL, result)
    }

    fn call(&mut self, function: u32, arguments: &[Expr]) -> Text {
        let results = &self.module.signature(function).results;
        let ty = results.first().map_or(CType::Small, |ty| variable(*ty));
        let arguments: Vec<String> = arguments.iter().map(|a| self.argument(a)).collect();
        Text::atom(format!("{}({})", self.names.function(function), arguments.join(",")), ty)
    }

    fn call_indirect(&mut self, signature: u32, arguments: &[Expr], index: &Expr) -> Text {
        let results = &self.module.signatures[signature as usize].results;
        let ty = results.first().map_or(CType::Small, |ty| variable(*ty));
        let arguments: Vec<String> = arguments.iter().map(|a| self.argument(a)).collect();
        let index = self.argument(index);
        let name = self.indirect_name(signature);
        Text::atom(format!("{name}({index})({})", arguments.join(",")), ty)
    }

    fn unary(&mut self, op: UnaryOp, from: Type, to: Type, operand: &Expr) -> Text {
        use UnaryOp as U;
        let text = self.expr(operand);
        let cast = |to: &str, text: Text, ty| {
            Text::new(format!("({to}){}", text.at(level::UNARY)), level::UNARY, ty)
        };
        match op {
            U::Eqz => self.negation(from, operand),
            U::Wrap => text,
            U::ExtendU => text.zero_extended(from),
            U::ExtendS => text.signed(from),
            U::Extend8 => cast("int8_t", text, CType::Int),
            U::Extend16 => cast("int16_t", text, CType::Int),
            U::Extend32 => cast("i", text, CType::Int),
            U::ConvertU => cast(c_name(to), text.zero_extended(from), CType::Float),
            U::ConvertS => cast(c_name(to), text.signed(from), CType::Float),
            U::Demote => cast("f", text, CType::Float),
            U::Promote => cast("d", text, CType::Float),
            U::Neg => {
                let operand = text.at(level::UNARY);
                let space = if operand.starts_with('-') { " " } else { "" };
                Text::new(format!("-{space}{operand}"), level::UNARY, CType::Float)
            }
            _ => {
                let (name, ty) = unary_helper(op, from, to);
                self.helper(&name, &[text.text], ty)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> Text {
        use BinaryOp as B;
        match op {
            B::Both | B::Either => {
                let (symbol, level) =
                    if op == B::Both { ("&&", level::BOTH) } else { ("||", level::EITHER) };
                let (left, right) = (self.condition(left), self.condition(right));
                infix(symbol, level, left, right, CType::Small)
            }
            _ if op.is_comparison() => self.comparison(op, ty, left, right),
            B::Min | B::Max | B::Copysign | B::Rotl | B::Rotr | B::MulHigh | B::MulHighS => {
                let arguments = [self.argument(left), self.argument(right)];
                let name = binary_helper(op, ty);
                self.helper(&name, &arguments, variable(ty))
            }
            B::Div | B::DivS | B::Rem | B::RemS if !ty.is_float() => {
                self.division(op, ty, left, right)
            }
            B::Shl | B::Shr | B::ShrS => self.shift(op, ty, left, right),
            _ if ty.is_float() => {
                let (left, right) = (self.expr(left), self.expr(right));
                let (symbol, level) = match op {
                    B::Add => ("+", level::ADD),
                    B::Sub => ("-", level::ADD),
                    B::Mul => ("*", level::MULTIPLY),
                    _ => ("/", level::MULTIPLY),
                };
                infix(symbol, level, left, right, CType::Float)
            }
            _ => self.arithmetic(op, ty, left, right),
        }
    }

    fn comparison(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> Text {
        use BinaryOp as B;
        if op == B::Eq && right.constant() == Some(0) && !ty.is_float() {
            return self.negation(ty, left);
        }
        let (symbol, level) = match op {
            B::Eq => ("==", level::EQUAL),
            B::Ne => ("!=", level::EQUAL),
            B::LtS | B::Lt => ("<", level::ORDER),
            B::GtS | B::Gt => (">", level::ORDER),
            B::LeS | B::Le => ("<=", level::ORDER),
            _ => (">=", level::ORDER),
        };
        let (left, right) = (self.expr(left), self.expr(right));
        let signed = matches!(op, B::LtS | B::GtS | B::LeS | B::GeS);
        let (left, right) = if ty.is_float() {
            (left, right)
        } else if signed {
            (left.signed(ty), right.signed(ty))
        } else {
            same_unsigned(ty, left, right)
        };
        infix(symbol, level, left, right, CType::Small)
    }

    fn division(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> Text {
        use BinaryOp as B;
        let signed = matches!(op, B::DivS | B::RemS);
        let minus_one = if ty == Type::I32 { u64::from(u32::MAX) } else { u64::MAX };
        let safe = right.constant().is_some_and(|bits| bits != 0 && (bits != minus_one || !signed));
        if !safe {
            let arguments = [self.argument(left), self.argument(right)];
            return self.helper(&binary_helper(op, ty), &arguments, variable(ty));
        }
        let symbol = if matches!(op, B::Div | B::DivS) { "/" } else { "%" };
        let (left, right) = (self.expr(left), self.expr(right));
        let (left, right, result) = if signed {
            let (left, right) = (left.signed(ty), right.signed(ty));
            let long = left.ty == CType::Long || right.ty == CType::Long;
            (left, right, if long { CType::Long } else { CType::Int })
        } else if right.ty == CType::Small {
            let left = left.zero_extended(ty);
            let result = left.ty;
            (left, right, result)
        } else {
            (left.exact(ty), right.exact(ty), variable(ty))
        };
        infix(symbol, level::MULTIPLY, left, right, result)
    }

    fn shift(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> Text {
        use BinaryOp as B;
        let mask = ty.bits() - 1;
        let constant = right.constant().map(|count| count as u32 & mask);
        let left = self.expr(left);
        let short = constant.is_some_and(|count| count < 32);
        let left = match (op, left.ty) {
            (B::Shr, CType::Small | CType::Unsigned) if short => left,
            (B::Shl, CType::UnsignedLong) => left,
            (B::ShrS, CType::Small | CType::Int) if short => left,
            (B::ShrS, _) if ty == Type::I64 => {
                let left = left.signed(ty);
                match left.ty {
                    CType::Long => left,
                    _ => left.exact(ty).signed(ty),
                }
            }
            (B::ShrS, _) => left.signed(ty),
            _ => left.exact(ty),
        };
        let count = match constant {
            Some(count) => count.to_string(),
            None if masked(right, mask) => self.expr(right).at(level::ADD),
            None => format!("({}&{mask})", self.expr(right).at(level::AND)),
        };
        let symbol = if op == B::Shl { "<<" } else { ">>" };
        let result = left.ty;
        Text::new(format!("{}{symbol}{count}", left.at(level::SHIFT)), level::SHIFT, result)
    }

    /// Ring operations and bitwise ones.
    fn arithmetic(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> Text {
        use BinaryOp as B;
        if op == B::Sub && left.constant() == Some(0) {
            let text = self.expr(right).exact(ty);
            let ty = text.ty;
            return Text::new(format!("-{}", text.at(level::ATOM)), level::UNARY, ty);
        }
        let ones = if ty == Type::I32 { u64::from(u32::MAX) } else { u64::MAX };
        if op == B::Xor && right.constant() == Some(ones) {
            let text = self.expr(left).exact(ty);
            let ty = text.ty;
            return Text::new(format!("~{}", text.at(level::UNARY)), level::UNARY, ty);
        }
        let (mut op, mut right_expr) = (op, right.clone());
        if let (B::Add | B::Sub, Expr::Const(constant)) = (op, right) {
            // adding a negative constant is written as subtracting its opposite
            let value = if ty == Type::I32 {
                i64::from(constant.bits as u32 as i32)
            } else {
                constant.bits as i64
            };
            if value < 0 && value > -(1 << 31) {
                op = if op == B::Add { B::Sub } else { B::Add };
                let bits = value.unsigned_abs();
                right_expr = Expr::Const(crate::ir::Constant { ty, bits });
            }
        }
        let (left, right) = (self.expr(left), self.expr(&right_expr));
        let (symbol, level) = match op {
            B::Add => ("+", level::ADD),
            B::Sub => ("-", level::ADD),
            B::Mul => ("*", level::MULTIPLY),
            B::And => ("&", level::AND),
            B::Or => ("|", level::OR),
            _ => ("^", level::XOR),
        };
        let bitwise = matches!(op, B::And | B::Or | B::Xor);
        let (left, right, result) = common(ty, left, right, bitwise);
        infix(symbol, level, left, right, result)
    }
}

/// The macro of an access, and the C type that it has.
pub(super) fn accessor(access: Access) -> (&'static str, CType) {
    match (access.ty, access.bytes, access.signed) {
        (Type::F32, ..) => ("@F", CType::Float),
        (Type::F64, ..) => ("@D", CType::Float),
        (_, 8, _) => ("@Q", CType::UnsignedLong),
        (Type::I64, 4, true) => ("@S", CType::Int),
        (_, 4, _) => ("@W", CType::Unsigned),
        (_, 2, false) => ("@H", CType::Small),
        (_, 2, true) => ("@E", CType::Int),
        (_, _, false) => ("@B", CType::Small),
        (_, _, true) => ("@A", CType::Int),
    }
}

/// Operands of a ring or bitwise operation, cast as far as necessary, and the type of the result.
fn common(ty: Type, left: Text, right: Text, bitwise: bool) -> (Text, Text, CType) {
    use CType as C;
    match (left.ty, right.ty) {
        (C::UnsignedLong, _) | (_, C::UnsignedLong) => (left, right, C::UnsignedLong),
        (C::Small, C::Small) if bitwise => (left, right, C::Small),
        (C::Small | C::Int, C::Small | C::Int) if bitwise => (left, right, C::Int),
        (C::Unsigned | C::Small, C::Unsigned | C::Small) if bitwise => (left, right, C::Unsigned),
        (C::Unsigned, C::Unsigned | C::Small | C::Int) | (C::Small | C::Int, C::Unsigned)
            if ty == Type::I32 =>
        {
            (left, right, C::Unsigned)
        }
        (C::Long, C::Long | C::Small | C::Int | C::Unsigned)
        | (C::Small | C::Int | C::Unsigned, C::Long)
            if bitwise && ty == Type::I64 =>
        {
            (left, right, C::Long)
        }
        (_, C::Unsigned) if ty == Type::I32 => (left.exact(ty), right, C::Unsigned),
        _ => {
            let left = left.exact(ty);
            let right =
                if right.ty == C::Long && ty == Type::I32 { right.exact(ty) } else { right };
            let result = left.ty;
            (left, right, result)
        }
    }
}

/// Operands of an unsigned comparison.
fn same_unsigned(ty: Type, left: Text, right: Text) -> (Text, Text) {
    use CType as C;
    let narrow = |text: &Text| matches!(text.ty, C::Small | C::Unsigned);
    match ty {
        _ if narrow(&left) && narrow(&right) => (left, right),
        Type::I32 => {
            let keep = |text: Text, other: C| match text.ty {
                C::Small => text,
                C::Int if other == C::Unsigned => text,
                _ => text.exact(ty),
            };
            let (left_ty, right_ty) = (left.ty, right.ty);
            let right = keep(right, left_ty);
            (keep(left, right_ty), right)
        }
        _ => {
            let one_exact = left.ty == C::UnsignedLong || right.ty == C::UnsignedLong;
            if one_exact { (left, right) } else { (left.exact(ty), right) }
        }
    }
}

/// Whether a shift count is known to be at most `mask`.
fn masked(count: &Expr, mask: u32) -> bool {
    match count {
        Expr::Binary(BinaryOp::And, _, a, b) => {
            [a, b].iter().any(|side| side.constant().is_some_and(|bits| bits <= u64::from(mask)))
        }
        Expr::Unary(UnaryOp::ExtendU | UnaryOp::ExtendS | UnaryOp::Wrap, _, _, inner) => {
            masked(inner, mask)
        }
        _ => false,
    }
}

fn infix(symbol: &str, level: u8, left: Text, right: Text, ty: CType) -> Text {
    let associative = matches!(symbol, "&" | "|" | "^" | "&&" | "||")
        || (matches!(symbol, "+" | "*") && left.ty == right.ty && left.ty != CType::Float);
    let mut right_text = right.at(if associative { level } else { level + 1 });
    if symbol == "-" && right_text.starts_with('-') {
        right_text = format!("({right_text})");
    }
    Text::new(format!("{}{symbol}{right_text}", left.at(level)), level, ty)
}

/// The name of a type in the generated source.
pub(super) fn c_name(ty: Type) -> &'static str {
    match ty {
        Type::I32 => "u",
        Type::I64 => "U",
        Type::F32 => "f",
        Type::F64 => "d",
    }
}

fn unary_helper(op: UnaryOp, from: Type, to: Type) -> (String, CType) {
    use UnaryOp as U;
    let stem = match op {
        U::Clz => "Lz",
        U::Ctz => "Tz",
        U::Popcnt => "Pc",
        U::Abs => "Ab",
        U::Ceil => "Ce",
        U::Floor => "Fl",
        U::Trunc => "Tr",
        U::Nearest => "Ne",
        U::Sqrt => "Sq",
        U::TruncS => return (format!("@Ts{}{}", c_name(from), c_name(to)), variable(to)),
        U::TruncU => return (format!("@Tu{}{}", c_name(from), c_name(to)), variable(to)),
        U::SaturateS => return (format!("@Ss{}{}", c_name(from), c_name(to)), variable(to)),
        U::SaturateU => return (format!("@Su{}{}", c_name(from), c_name(to)), variable(to)),
        _ => match to {
            Type::I32 => return ("@Fi".into(), CType::Unsigned),
            Type::I64 => return ("@Du".into(), CType::UnsignedLong),
            Type::F32 => return ("@If".into(), CType::Float),
            Type::F64 => return ("@Ud".into(), CType::Float),
        },
    };
    let counts = matches!(op, U::Clz | U::Ctz | U::Popcnt);
    (format!("@{stem}{}", c_name(from)), if counts { CType::Small } else { variable(to) })
}

fn binary_helper(op: BinaryOp, ty: Type) -> String {
    use BinaryOp as B;
    let stem = match op {
        B::Min => "Mi",
        B::Max => "Ma",
        B::Copysign => "Cs",
        B::Rotl => "Rl",
        B::Rotr => "Rr",
        B::MulHigh => "Mh",
        B::MulHighS => "Ms",
        B::Div => "Dv",
        B::DivS => "Ds",
        B::Rem => "Rm",
        _ => "Rs",
    };
    format!("@{stem}{}", c_name(ty))
}
