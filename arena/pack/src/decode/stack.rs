//! The operand stack while a function is decoded: values that are not evaluated yet.
//!
//! A value stays unevaluated as long as nothing that runs in between can change it. The stack never holds a value that
//! writes together with another one that reads or writes, so C may evaluate the operands of an expression in any order.

use crate::ir::{BinaryOp, Expr, Local, UnaryOp};

/// Largest expression, in nodes; compilers limit the depth, and large expressions are hard to read.
pub(super) const MAX_NODES: u32 = 120;

/// What evaluating an expression does besides computing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Depends on memory, globals or the results of the last call, or may trap where traps are ordered.
    pub(super) reads: bool,
    /// Changes memory or globals.
    pub(super) writes: bool,
}

/// A value on the operand stack.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    pub(super) expr: Expr,
    pub(super) effects: Effects,
    pub(super) nodes: u32,
}

impl Pending {
    /// A value whose operands are `operands`.
    pub(super) fn new(expr: Expr, traps_count: bool) -> Pending {
        let mut effects = Effects::default();
        let mut nodes = 0;
        expr.walk(&mut |part| {
            nodes += 1;
            effects.reads |= reads(part) || (traps_count && traps(part));
            effects.writes |= writes(part);
        });
        Pending { expr, effects, nodes }
    }

    /// Whether the value depends on a local variable.
    pub(super) fn reads_local(&self, local: Local) -> bool {
        let mut found = false;
        self.expr.walk(&mut |part| found |= *part == Expr::Local(local));
        found
    }
}

fn reads(part: &Expr) -> bool {
    matches!(part, Expr::Global(_) | Expr::Load(..) | Expr::MemorySize | Expr::Result(..))
}

fn writes(part: &Expr) -> bool {
    matches!(part, Expr::Call(..) | Expr::CallIndirect(..) | Expr::MemoryGrow(_))
}

fn traps(part: &Expr) -> bool {
    use BinaryOp as B;
    match part {
        Expr::Unary(op, ..) => matches!(op, UnaryOp::TruncS | UnaryOp::TruncU),
        Expr::Binary(op, ty, ..) => {
            !ty.is_float() && matches!(op, B::DivS | B::Div | B::RemS | B::Rem)
        }
        Expr::Load(..) => true,
        _ => false,
    }
}
