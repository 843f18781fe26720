//! From the stack machine to trees of statements and expressions.

mod instructions;
mod stack;

use crate::Checks;
use crate::error::Error;
use crate::ir::{Body, Expr, Label, Local, Stmt, Type};
use crate::module::{Module, value_type};
use crate::program::type_of;
use stack::{MAX_NODES, Pending};
use wasmparser::{BlockType, FunctionBody, Operator};

/// Decodes the body of a function.
pub(crate) fn decode(
    module: &Module<'_>,
    function: u32,
    body: &FunctionBody<'_>,
    checks: Checks,
) -> Result<Body, Error> {
    let mut locals = module.signature(function).params.clone();
    let params = locals.len() as u32;
    for local in body.get_locals_reader()? {
        let (count, ty) = local?;
        let ty = value_type(ty, body.range().start)?;
        locals.extend(std::iter::repeat_n(ty, count as usize));
    }
    let first_temporary = locals.len() as u32;
    let results = module.signature(function).results.clone();
    let mut decoder = Decoder {
        module,
        checks,
        results: results.clone(),
        body: Body { params, locals, first_temporary, ..Body::default() },
        stack: Vec::new(),
        frames: Vec::new(),
        skipping: None,
    };
    decoder.open(Kind::Function, Vec::new(), results);
    let mut operators = body.get_operators_reader()?;
    while !operators.eof() {
        let (operator, offset) = operators.read_with_offset()?;
        decoder.operator(&operator, offset)?;
    }
    Ok(decoder.body)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Function,
    Block,
    Loop,
    /// In the first branch of an `if`.
    Then,
    /// In the second branch; the first one is kept in the frame.
    Else,
}

/// An open block.
#[derive(Debug)]
struct Frame {
    kind: Kind,
    label: Label,
    /// The locals that receive the values of a branch to a loop.
    params: Vec<Local>,
    /// The locals that hold the block's values after its end; empty for the function, which returns
    /// them.
    results: Vec<Local>,
    statements: Vec<Stmt>,
    /// Condition and first branch of an `if`.
    condition: Option<Expr>,
    first: Vec<Stmt>,
    /// Height of the operand stack below the block.
    height: usize,
}

struct Decoder<'m, 'a> {
    module: &'m Module<'a>,
    checks: Checks,
    /// Results of the function.
    results: Vec<Type>,
    body: Body,
    stack: Vec<Pending>,
    frames: Vec<Frame>,
    /// Blocks opened since the code became unreachable.
    skipping: Option<u32>,
}

impl Decoder<'_, '_> {
    fn operator(&mut self, operator: &Operator<'_>, offset: u64) -> Result<(), Error> {
        if let Some(depth) = self.skipping {
            self.skip(operator, depth);
            return Ok(());
        }
        match operator {
            Operator::Nop => {}
            Operator::Block { blockty } => self.enter(Kind::Block, *blockty, offset)?,
            Operator::Loop { blockty } => self.enter(Kind::Loop, *blockty, offset)?,
            Operator::If { blockty } => self.enter(Kind::Then, *blockty, offset)?,
            Operator::Else => self.else_branch(),
            Operator::End => self.end(),
            Operator::Br { relative_depth } => self.branch(*relative_depth),
            Operator::BrIf { relative_depth } => self.branch_if(*relative_depth),
            Operator::BrTable { targets } => self.branch_table(targets)?,
            Operator::Return => self.branch(self.frames.len() as u32 - 1),
            Operator::Unreachable => {
                self.evaluate_effects();
                self.emit(Stmt::Trap);
                self.unreachable();
            }
            other => self.instruction(other, offset)?,
        }
        Ok(())
    }

    /// Skips unreachable code up to the end of its block.
    fn skip(&mut self, operator: &Operator<'_>, depth: u32) {
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                self.skipping = Some(depth + 1);
            }
            Operator::Else if depth == 0 => {
                self.skipping = None;
                self.open_else();
            }
            Operator::End if depth == 0 => {
                self.skipping = None;
                self.close();
            }
            Operator::End => self.skipping = Some(depth - 1),
            _ => {}
        }
    }

    fn unreachable(&mut self) {
        self.skipping = Some(0);
    }

    fn emit(&mut self, statement: Stmt) {
        self.frames.last_mut().expect("the function's frame is open").statements.push(statement);
    }

    fn temporary(&mut self, ty: Type) -> Local {
        self.body.locals.push(ty);
        self.body.locals.len() as u32 - 1
    }

    fn pop(&mut self) -> Expr {
        self.stack.pop().expect("validated").expr
    }

    fn pop_many(&mut self, count: usize) -> Vec<Expr> {
        let values = self.stack.split_off(self.stack.len() - count);
        values.into_iter().map(|pending| pending.expr).collect()
    }

    fn push(&mut self, expr: Expr) {
        let pending = Pending::new(expr, self.checks == Checks::Full);
        if pending.effects.writes {
            self.spill(|below| below.effects.reads || below.effects.writes);
        } else if pending.effects.reads {
            self.spill(|below| below.effects.writes);
        }
        let too_large = pending.nodes > MAX_NODES;
        let writes = pending.effects.writes && self.checks == Checks::Full;
        self.stack.push(pending);
        if too_large || writes {
            self.spill_at(self.stack.len() - 1);
        }
    }

    /// Evaluates the values on the stack that `which` selects into temporaries, the oldest first.
    fn spill(&mut self, which: impl Fn(&Pending) -> bool) {
        for at in 0..self.stack.len() {
            if which(&self.stack[at]) {
                self.spill_at(at);
            }
        }
    }

    fn spill_at(&mut self, at: usize) {
        if matches!(self.stack[at].expr, Expr::Const(_)) {
            return;
        }
        let ty = self.type_of(&self.stack[at].expr);
        let temporary = self.temporary(ty);
        let value = Pending::new(Expr::Local(temporary), false);
        let spilled = std::mem::replace(&mut self.stack[at], value);
        self.emit(Stmt::Set(temporary, spilled.expr));
    }

    /// Evaluates everything that must happen before a jump.
    fn evaluate_effects(&mut self) {
        let full = self.checks == Checks::Full;
        self.spill(|pending| pending.effects.writes || (full && pending.effects.reads));
    }

    fn type_of(&self, expr: &Expr) -> Type {
        type_of(self.module, &self.body.locals, expr)
    }

    fn enter(&mut self, kind: Kind, ty: BlockType, offset: u64) -> Result<(), Error> {
        let condition = (kind == Kind::Then).then(|| self.pop());
        let (params, results) = match ty {
            BlockType::Empty => (Vec::new(), Vec::new()),
            BlockType::Type(ty) => (Vec::new(), vec![value_type(ty, offset)?]),
            BlockType::FuncType(index) => {
                let signature = &self.module.signatures[index as usize];
                (signature.params.clone(), signature.results.clone())
            }
        };
        self.spill(|_| true);
        let arguments = self.pop_many(params.len());
        let targets: Vec<Local> = params.into_iter().map(|ty| self.temporary(ty)).collect();
        let assignments = self.assignments(&targets, arguments);
        assignments.into_iter().for_each(|statement| self.emit(statement));
        self.open(kind, targets.clone(), results);
        self.frames.last_mut().expect("just opened").condition = condition;
        for local in targets {
            self.push(Expr::Local(local));
        }
        Ok(())
    }

    fn open(&mut self, kind: Kind, params: Vec<Local>, results: Vec<Type>) {
        let label = self.label();
        let height = self.stack.len();
        let results = match kind {
            Kind::Function => Vec::new(),
            _ => results.into_iter().map(|ty| self.temporary(ty)).collect(),
        };
        self.frames.push(Frame {
            kind,
            label,
            params,
            results,
            statements: Vec::new(),
            condition: None,
            first: Vec::new(),
            height,
        });
    }

    fn else_branch(&mut self) {
        self.leave_block();
        self.open_else();
    }

    /// Starts the second branch of an `if`; its parameters are as at the start of the first.
    fn open_else(&mut self) {
        let frame = self.frames.last_mut().expect("validated");
        frame.first = std::mem::take(&mut frame.statements);
        frame.kind = Kind::Else;
        self.stack.truncate(frame.height);
        for local in frame.params.clone() {
            self.push(Expr::Local(local));
        }
    }

    fn end(&mut self) {
        self.leave_block();
        self.close();
    }

    /// Passes on the block's values at its reachable end.
    fn leave_block(&mut self) {
        let frame = self.frames.last().expect("validated");
        if frame.kind == Kind::Function {
            let count = self.results.len();
            if count > 1 {
                self.values_kept(count);
            }
            let values = self.pop_many(count);
            return self.emit(Stmt::Return(values));
        }
        let targets = frame.results.clone();
        let values = self.pop_many(targets.len());
        let assignments = self.assignments(&targets, values);
        assignments.into_iter().for_each(|statement| self.emit(statement));
    }

    fn close(&mut self) {
        let frame = self.frames.pop().expect("validated");
        self.stack.truncate(frame.height);
        let statement = match (frame.kind, frame.condition) {
            (Kind::Function, _) => {
                self.body.statements = frame.statements;
                return;
            }
            (Kind::Loop, _) => Stmt::Loop(frame.label, frame.statements),
            (Kind::Then, Some(condition)) => {
                // without a second branch the parameters are the results
                let mut no = Vec::new();
                for (result, param) in frame.results.iter().zip(&frame.params) {
                    no.push(Stmt::Set(*result, Expr::Local(*param)));
                }
                Stmt::Block(frame.label, vec![Stmt::If(condition, frame.statements, no)])
            }
            (Kind::Else, Some(condition)) => {
                let both = Stmt::If(condition, frame.first, frame.statements);
                Stmt::Block(frame.label, vec![both])
            }
            _ => Stmt::Block(frame.label, frame.statements),
        };
        self.emit(statement);
        for local in frame.results {
            self.push(Expr::Local(local));
        }
    }

    fn target(&self, depth: u32) -> &Frame {
        &self.frames[self.frames.len() - 1 - depth as usize]
    }

    /// How many values a branch takes from the stack.
    fn arity(&self, depth: u32) -> usize {
        let frame = self.target(depth);
        match frame.kind {
            Kind::Function => self.results.len(),
            Kind::Loop => frame.params.len(),
            _ => frame.results.len(),
        }
    }

    fn branch(&mut self, depth: u32) {
        let arity = self.arity(depth);
        if self.target(depth).kind == Kind::Function && arity > 1 {
            self.values_kept(arity);
        }
        let values = self.pop_many(arity);
        self.evaluate_effects();
        let jump = self.jump(depth, values);
        jump.into_iter().for_each(|statement| self.emit(statement));
        self.unreachable();
    }

    fn branch_if(&mut self, depth: u32) {
        let condition = self.pop();
        let values = self.values_kept(self.arity(depth));
        self.evaluate_effects();
        let jump = self.jump(depth, values);
        self.emit(Stmt::If(condition, jump, Vec::new()));
    }

    fn branch_table(&mut self, targets: &wasmparser::BrTable<'_>) -> Result<(), Error> {
        let index = self.pop();
        let values = self.values_kept(self.arity(targets.default()));
        self.evaluate_effects();
        let mut depths = targets.targets().collect::<Result<Vec<u32>, _>>()?;
        depths.push(targets.default());
        // targets that take values, or return, get a block each that the switch branches to
        let mut special: Vec<(u32, Label)> = Vec::new();
        let mut labels = Vec::new();
        for depth in depths {
            if values.is_empty() && self.target(depth).kind != Kind::Function {
                labels.push(self.target(depth).label);
            } else if let Some((_, label)) = special.iter().find(|(other, _)| *other == depth) {
                labels.push(*label);
            } else {
                special.push((depth, self.label()));
                labels.push(special[special.len() - 1].1);
            }
        }
        let mut list = vec![Stmt::Switch(index, labels)];
        for (depth, label) in special {
            list = vec![Stmt::Block(label, list)];
            list.extend(self.jump(depth, values.clone()));
        }
        list.into_iter().for_each(|statement| self.emit(statement));
        self.unreachable();
        Ok(())
    }

    fn label(&mut self) -> Label {
        self.body.labels += 1;
        self.body.labels - 1
    }

    /// The youngest `count` values, cheap enough to be used more than once; they stay on the stack.
    fn values_kept(&mut self, count: usize) -> Vec<Expr> {
        let start = self.stack.len() - count;
        for at in start..self.stack.len() {
            if !matches!(self.stack[at].expr, Expr::Local(_)) {
                self.spill_at(at);
            }
        }
        self.stack[start..].iter().map(|pending| pending.expr.clone()).collect()
    }

    /// The statements that pass `values` to a target and jump there.
    fn jump(&mut self, depth: u32, values: Vec<Expr>) -> Vec<Stmt> {
        let frame = self.target(depth);
        let label = frame.label;
        let targets = match frame.kind {
            Kind::Function => return vec![Stmt::Return(values)],
            Kind::Loop => frame.params.clone(),
            _ => frame.results.clone(),
        };
        let mut list = self.assignments(&targets, values);
        list.push(Stmt::Branch(label));
        list
    }

    /// Assigns all values in parallel, although some may read targets.
    fn assignments(&mut self, targets: &[Local], values: Vec<Expr>) -> Vec<Stmt> {
        let reads = |value: &Expr, local| Pending::new(value.clone(), false).reads_local(local);
        let overlap = values
            .iter()
            .enumerate()
            .any(|(index, value)| targets[..index].iter().any(|target| reads(value, *target)));
        if !overlap {
            let pairs = targets.iter().zip(values);
            return pairs.map(|(target, value)| Stmt::Set(*target, value)).collect();
        }
        let mut list = Vec::new();
        let mut copies = Vec::new();
        for value in values {
            let copy = self.temporary(self.type_of(&value));
            list.push(Stmt::Set(copy, value));
            copies.push(copy);
        }
        let pairs = targets.iter().zip(copies);
        list.extend(pairs.map(|(target, copy)| Stmt::Set(*target, Expr::Local(copy))));
        list
    }
}
