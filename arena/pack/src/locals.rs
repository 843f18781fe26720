//! Local variables: values without a use, and temporaries that share a variable.

use crate::ir::{Body, Expr, Local, Stmt, walk, walk_expressions};
use std::collections::BTreeMap;

/// Removes code without effect, and lets temporaries with disjoint live ranges share a variable.
pub(crate) fn tidy(body: &mut Body) {
    loop {
        let mut used = vec![false; body.locals.len()];
        walk_expressions(&body.statements, &mut |expr| {
            if let Expr::Local(local) = expr {
                used[*local as usize] = true;
            }
        });
        if !remove_unused(&mut body.statements, &used) {
            break;
        }
    }
    share_temporaries(body);
    drop_initial_zeros(body);
}

/// Removes assignments of zero at the function's start: locals are zero there.
fn drop_initial_zeros(body: &mut Body) {
    let mut set: Vec<Local> = (0..body.params).collect();
    let mut at_start = true;
    body.statements.retain(|statement| {
        at_start &= matches!(
            statement,
            Stmt::Set(..) | Stmt::SetGlobal(..) | Stmt::Store(..) | Stmt::Do(_)
        );
        let Stmt::Set(local, value) = statement else { return true };
        if !at_start {
            return true;
        }
        let first = !set.contains(local);
        set.push(*local);
        !(first && value.constant() == Some(0))
    });
}

/// Removes assignments to locals that are never read; true if something changed.
fn remove_unused(list: &mut Vec<Stmt>, used: &[bool]) -> bool {
    let mut changed = false;
    let mut kept = Vec::with_capacity(list.len());
    for mut statement in list.drain(..) {
        for inner in statement.bodies_mut().into_iter().flatten() {
            changed |= remove_unused(inner, used);
        }
        match statement {
            Stmt::Set(local, value) if !used[local as usize] || value == Expr::Local(local) => {
                changed = true;
                if has_effect(&value) {
                    kept.push(Stmt::Do(value));
                }
            }
            Stmt::Do(value) if !has_effect(&value) => changed = true,
            other => kept.push(other),
        }
    }
    *list = kept;
    changed
}

/// Whether evaluating an expression does something besides computing, or may trap.
fn has_effect(expr: &Expr) -> bool {
    use crate::ir::{BinaryOp as B, UnaryOp as U};
    let mut found = false;
    expr.walk(&mut |part| {
        found |= match part {
            Expr::Call(..) | Expr::CallIndirect(..) | Expr::MemoryGrow(_) | Expr::Load(..) => true,
            Expr::Unary(op, ..) => matches!(op, U::TruncS | U::TruncU),
            Expr::Binary(op, ty, ..) => {
                !ty.is_float() && matches!(op, B::DivS | B::Div | B::RemS | B::Rem)
            }
            _ => false,
        }
    });
    found
}

/// A live range extends from the first to the last mention of a temporary. Every read follows a
/// write in the same iteration of the loops around it, so no live range is longer.
fn share_temporaries(body: &mut Body) {
    let first = body.first_temporary;
    let mut lives: BTreeMap<Local, (u32, u32)> = BTreeMap::new();
    let mut place = 0;
    walk(&body.statements, &mut |statement| {
        place += 2;
        let mut touch = |local: Local, at: u32| {
            if local >= first {
                let life = lives.entry(local).or_insert((at, at));
                life.1 = at;
            }
        };
        statement.expressions(&mut |expr| {
            expr.walk(&mut |part| {
                if let Expr::Local(local) = part {
                    touch(*local, place);
                }
            });
        });
        if let Stmt::Set(local, _) = statement {
            touch(*local, place + 1);
        }
    });
    let mut order: Vec<(Local, (u32, u32))> = lives.into_iter().collect();
    order.sort_by_key(|(local, (start, _))| (*start, *local));
    let mut shared: BTreeMap<Local, Local> = BTreeMap::new();
    // variables in use, with the end of their live range
    let mut variables: Vec<(Local, u32)> = Vec::new();
    for (local, (start, end)) in order {
        let ty = body.locals[local as usize];
        let free = variables
            .iter_mut()
            .find(|(variable, until)| *until < start && body.locals[*variable as usize] == ty);
        match free {
            Some((variable, until)) => {
                *until = end;
                shared.insert(local, *variable);
            }
            None => variables.push((local, end)),
        }
    }
    crate::ir::walk_mut(&mut body.statements, &mut |statement| {
        if let Stmt::Set(local, _) = statement {
            *local = *shared.get(local).unwrap_or(local);
        }
        statement.expressions_mut(&mut |expr| rename(expr, &shared));
    });
}

fn rename(expr: &mut Expr, shared: &BTreeMap<Local, Local>) {
    if let Expr::Local(local) = expr {
        *local = *shared.get(local).unwrap_or(local);
    }
    expr.operands_mut(&mut |operand| rename(operand, shared));
}
