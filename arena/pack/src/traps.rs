//! Replaces code that inevitably traps by the trap alone.
//!
//! A panic of a Rust program builds its message before it traps. The memory is not visible after a
//! trap, so under [`Checks::Trusted`](crate::Checks::Trusted) the message is removed, with every
//! function that only panics need.

use crate::ir::{Body, Expr, Label, Stmt, walk};
use crate::structure::structure;
use std::collections::{BTreeMap, BTreeSet};

/// Shortens all functions as far as calls of functions that always trap allow; they are structured.
pub(crate) fn shorten(bodies: &mut BTreeMap<u32, Body>) {
    let mut trapping = BTreeSet::new();
    loop {
        for body in bodies.values_mut() {
            while cut(&mut body.statements, &trapping) {
                structure(body);
            }
        }
        let before = trapping.len();
        let traps = bodies.iter().filter(|(_, body)| body.statements == [Stmt::Trap]);
        trapping.extend(traps.map(|(function, _)| *function));
        if trapping.len() == before {
            return;
        }
    }
}

/// Removes the code of a list that only leads to a trap; true if something changed.
fn cut(list: &mut Vec<Stmt>, trapping: &BTreeSet<u32>) -> bool {
    let mut changed = false;
    for statement in &mut *list {
        for body in statement.bodies_mut().into_iter().flatten() {
            changed |= cut(body, trapping);
        }
        let both = matches!(
            statement, Stmt::If(_, yes, no) if yes[..] == [Stmt::Trap] && no[..] == [Stmt::Trap]
        );
        if both || calls(statement, trapping) {
            *statement = Stmt::Trap;
            changed = true;
        }
    }
    let Some(trap) = list.iter().position(|statement| *statement == Stmt::Trap) else {
        return changed;
    };
    let before = list.len();
    list.truncate(trap);
    while list.last().is_some_and(ends_here) {
        list.pop();
    }
    list.push(Stmt::Trap);
    changed || list.len() != before
}

/// Whether the statement itself calls one of the functions.
fn calls(statement: &Stmt, functions: &BTreeSet<u32>) -> bool {
    if matches!(statement, Stmt::DoWhile(..)) {
        return false;
    }
    let mut found = false;
    statement.expressions(&mut |expr| found |= certainly_calls(expr, functions));
    found
}

/// Whether evaluating the expression calls one of the functions on every path.
fn certainly_calls(expr: &Expr, functions: &BTreeSet<u32>) -> bool {
    use crate::ir::BinaryOp as B;
    match expr {
        Expr::Call(function, _) if functions.contains(function) => true,
        Expr::Select(three) => certainly_calls(&three[0], functions),
        Expr::Binary(B::Both | B::Either, _, first, _) => certainly_calls(first, functions),
        _ => {
            let mut found = false;
            expr.operands(&mut |operand| found |= certainly_calls(operand, functions));
            found
        }
    }
}

/// Whether the statement leads only to the next one.
fn ends_here(statement: &Stmt) -> bool {
    let mut inside: Vec<Label> = Vec::new();
    let mut targets: Vec<Label> = Vec::new();
    let mut returns = false;
    walk(std::slice::from_ref(statement), &mut |part| match part {
        Stmt::Block(label, _) | Stmt::Loop(label, _) | Stmt::Forever(label, _) => {
            inside.push(*label);
        }
        Stmt::Branch(label) => targets.push(*label),
        Stmt::Switch(_, labels) => targets.extend(labels),
        Stmt::Return(_) => returns = true,
        _ => {}
    });
    !returns && targets.iter().all(|target| inside.contains(target))
}
