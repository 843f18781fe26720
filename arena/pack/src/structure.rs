//! Structures blocks with jumps into `if`, `else` and loops.
//!
//! A list is processed from its end to its start. At each statement, the labels are known whose
//! targets are where the end of the statement leads anyway. A branch to one of them at the end of
//! an inner list is dropped, and the code after an `if` whose branch ends with such a jump moves
//! into its `else`. Blocks whose label is no longer used are dissolved.

use crate::ir::{BinaryOp, Body, Expr, Label, Stmt, Type, walk, walk_mut};

/// Maximum nesting when code is moved into an `else`; clang rejects 256 open brackets.
const MAX_DEPTH: u32 = 60;

/// The label of the function's end.
pub(crate) const END: Label = Label::MAX;

/// Structures a function's body.
pub(crate) fn structure(body: &mut Body) {
    let mut structurer = Structurer { labels: body.labels };
    let mut statements = std::mem::take(&mut body.statements);
    // a return without values leads to the end of the function
    walk_mut(&mut statements, &mut |statement| {
        if matches!(statement, Stmt::Return(values) if values.is_empty()) {
            *statement = Stmt::Branch(END);
        }
    });
    for _ in 0..2 {
        statements = structurer.list(statements, &[END], 0);
    }
    walk_mut(&mut statements, &mut |statement| {
        if *statement == Stmt::Branch(END) {
            *statement = Stmt::Return(Vec::new());
        }
    });
    body.statements = statements;
    body.labels = structurer.labels;
}

/// Whether execution never reaches what follows the statement. `false` if unsure.
pub(crate) fn never_ends(statement: &Stmt) -> bool {
    match statement {
        Stmt::Branch(_) | Stmt::Return(_) | Stmt::Trap | Stmt::Switch(..) => true,
        Stmt::Forever(..) => true,
        Stmt::If(_, yes, no) => list_never_ends(yes) && list_never_ends(no),
        Stmt::Block(label, body) => list_never_ends(body) && !mentions(body, *label),
        _ => false,
    }
}

fn list_never_ends(list: &[Stmt]) -> bool {
    list.last().is_some_and(never_ends)
}

/// Whether a branch in the list goes to the label.
pub(crate) fn mentions(list: &[Stmt], label: Label) -> bool {
    let mut found = false;
    walk(list, &mut |statement| match statement {
        Stmt::Branch(target) => found |= *target == label,
        Stmt::Switch(_, targets) => found |= targets.contains(&label),
        _ => {}
    });
    found
}

fn rename(list: &mut [Stmt], old: Label, new: Label) {
    walk_mut(list, &mut |statement| match statement {
        Stmt::Branch(target) if *target == old => *target = new,
        Stmt::Switch(_, targets) => {
            for target in targets.iter_mut().filter(|target| **target == old) {
                *target = new;
            }
        }
        _ => {}
    });
}

/// Traps where a branch goes to the label.
fn trap_instead(list: &mut [Stmt], label: Label) {
    walk_mut(list, &mut |statement| {
        if *statement == Stmt::Branch(label) {
            *statement = Stmt::Trap;
        }
    });
}

/// The labels that the end of a statement leads to, given what follows it.
pub(crate) fn labels_after(rest: &[Stmt], fall: &[Label]) -> Vec<Label> {
    match rest.first() {
        None => fall.to_vec(),
        Some(Stmt::Branch(target)) => vec![*target],
        Some(_) => Vec::new(),
    }
}

struct Structurer {
    labels: Label,
}

impl Structurer {
    /// Processes a list whose end leads to the labels `fall`.
    fn list(&mut self, mut todo: Vec<Stmt>, fall: &[Label], depth: u32) -> Vec<Stmt> {
        let mut rest = Vec::new();
        while let Some(statement) = todo.pop() {
            if never_ends(&statement) {
                rest.clear();
            }
            let here = labels_after(&rest, fall);
            match statement {
                Stmt::Branch(target) if here.contains(&target) => {}
                Stmt::If(condition, yes, no) => {
                    let yes = self.list(yes, &here, depth + 1);
                    let no = self.list(no, &here, depth + 1);
                    self.conditional(condition, [yes, no], &mut rest, (fall, depth));
                }
                Stmt::Block(label, mut body) => {
                    if let Some(same) = here.first() {
                        rename(&mut body, label, *same);
                        todo.append(&mut body);
                        continue;
                    }
                    if rest.first() == Some(&Stmt::Trap) {
                        trap_instead(&mut body, label);
                    }
                    let body = self.list(body, &[label], depth + 1);
                    if mentions(&body, label) {
                        rest.insert(0, Stmt::Block(label, body));
                    } else {
                        todo.extend(body);
                    }
                }
                Stmt::Loop(label, body) => todo.extend(self.looping(label, body)),
                Stmt::Forever(label, body) => {
                    let body = self.list(body, &[label], depth + 1);
                    rest.insert(0, Stmt::Forever(label, body));
                }
                Stmt::DoWhile(body, condition) => {
                    let body = self.list(body, &[], depth + 1);
                    rest.insert(0, Stmt::DoWhile(body, condition));
                }
                other => rest.insert(0, other),
            }
        }
        rest
    }

    /// Puts an `if`, whose branches are both processed, before `rest`.
    fn conditional(
        &mut self,
        condition: Expr,
        branches: [Vec<Stmt>; 2],
        rest: &mut Vec<Stmt>,
        (fall, depth): (&[Label], u32),
    ) {
        let [mut yes, mut no] = branches;
        let leads_to_end = |list: &[Stmt]| match list.last() {
            Some(Stmt::Branch(target)) => fall.contains(target),
            _ => false,
        };
        if !rest.is_empty() && depth < MAX_DEPTH {
            if leads_to_end(&yes) {
                yes.pop();
                no.append(rest);
            } else if leads_to_end(&no) {
                no.pop();
                yes.append(rest);
            }
        }
        // moved code may be simplified against the new end
        if rest.is_empty() {
            drop_final_branch(&mut yes, fall);
            drop_final_branch(&mut no, fall);
        }
        insert_if(condition, yes, no, rest);
    }

    /// A WebAssembly loop, which its end leaves, as one of the two loops of the target languages.
    fn looping(&mut self, label: Label, mut body: Vec<Stmt>) -> Vec<Stmt> {
        if !mentions(&body, label) {
            return body;
        }
        if list_never_ends(&body) {
            return vec![Stmt::Forever(label, body)];
        }
        if let Some(Stmt::If(_, yes, no)) = body.last()
            && *yes == [Stmt::Branch(label)]
            && no.is_empty()
            && !mentions(&body[..body.len() - 1], label)
            && let Some(Stmt::If(condition, ..)) = body.pop()
        {
            return vec![Stmt::DoWhile(body, condition)];
        }
        let exit = self.labels;
        self.labels += 1;
        body.push(Stmt::Branch(exit));
        vec![Stmt::Block(exit, vec![Stmt::Forever(label, body)])]
    }
}

fn drop_final_branch(list: &mut Vec<Stmt>, fall: &[Label]) {
    match list.last_mut() {
        Some(Stmt::Branch(target)) if fall.contains(target) => {
            list.pop();
        }
        Some(Stmt::If(_, yes, no)) => {
            drop_final_branch(yes, fall);
            drop_final_branch(no, fall);
        }
        _ => {}
    }
}

/// Puts `if` before `rest`, in its simplest form.
fn insert_if(condition: Expr, yes: Vec<Stmt>, no: Vec<Stmt>, rest: &mut Vec<Stmt>) {
    if yes.is_empty() && no.is_empty() {
        return rest.insert(0, Stmt::Do(condition));
    }
    if yes.is_empty() {
        return insert_if(condition.negated(), no, yes, rest);
    }
    if let Some(bits) = condition.constant() {
        let taken = if bits == 0 { no } else { yes };
        if list_never_ends(&taken) {
            rest.clear();
        }
        rest.splice(0..0, taken);
        return;
    }
    if no.is_empty() && joins_next(&yes, rest) {
        if let Some(Stmt::If(next, ..)) = rest.first_mut() {
            let second = std::mem::replace(next, Expr::i32(0));
            *next = BinaryOp::Either.of(Type::I32, condition, second);
        }
        return;
    }
    let statement = joined(condition, yes, no, rest);
    rest.insert(0, statement);
}

/// Whether `if (a) jump` is followed by `if (b)` with the same jump: `if (a || b) jump`.
fn joins_next(yes: &[Stmt], rest: &[Stmt]) -> bool {
    let [jump] = yes else { return false };
    let simple = matches!(jump, Stmt::Branch(_) | Stmt::Trap)
        || matches!(jump, Stmt::Return(values) if values.iter().all(|v| v.constant().is_some()));
    let next = matches!(
        rest.first(), Some(Stmt::If(_, next, no)) if no.is_empty() && next[..] == *yes
    );
    simple && next
}

/// An `if` with something to do if its condition holds, as one statement.
fn joined(condition: Expr, mut yes: Vec<Stmt>, mut no: Vec<Stmt>, rest: &mut Vec<Stmt>) -> Stmt {
    let select = |condition, a, b| Expr::Select(Box::new([condition, a, b]));
    match (&yes[..], &no[..], &rest[..]) {
        // if (a) { if (b) x } is if (a && b) x
        ([Stmt::If(_, _, inner_no)], [], _) if inner_no.is_empty() => {
            if let Some(Stmt::If(inner, inner_yes, _)) = yes.pop() {
                let both = BinaryOp::Both.of(Type::I32, condition, inner);
                return Stmt::If(both, inner_yes, no);
            }
        }
        ([Stmt::Set(a, _)], [Stmt::Set(b, _)], _) if a == b => {
            if let (Some(Stmt::Set(local, a)), Some(Stmt::Set(_, b))) = (yes.pop(), no.pop()) {
                return Stmt::Set(local, select(condition, a, b));
            }
        }
        ([Stmt::Return(a)], [Stmt::Return(b)], _) if a.len() == 1 && b.len() == 1 => {
            if let (Some(Stmt::Return(a)), Some(Stmt::Return(b))) = (yes.pop(), no.pop()) {
                return returned(condition, a, b);
            }
        }
        ([Stmt::Return(a)], [], [Stmt::Return(b)]) if a.len() == 1 && b.len() == 1 => {
            if let (Some(Stmt::Return(a)), Some(Stmt::Return(b))) = (yes.pop(), rest.pop()) {
                return returned(condition, a, b);
            }
        }
        _ => {}
    }
    Stmt::If(condition, yes, no)
}

fn returned(condition: Expr, a: Vec<Expr>, b: Vec<Expr>) -> Stmt {
    let values = a.into_iter().zip(b);
    let select = |(a, b)| Expr::Select(Box::new([condition.clone(), a, b]));
    Stmt::Return(values.map(select).collect())
}
