//! UCB1.

use super::{Candidate, FirstPlay, SelectionPolicy};
use crate::sqrt::sqrt;
use crate::sqrt_ln::sqrt_ln;

/// UCB1 applied to trees, called UCT (Auer, Cesa-Bianchi and Fischer, 2002; Kocsis and Szepesvari, 2006):
/// `value + exploration * sqrt(ln(parent visits) / visits)` with values in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ucb1 {
    /// Weight of the exploration term; for values in [0, 1] the analysis takes `sqrt(2)`. Contest games usually
    /// want less.
    pub exploration: f32,
    /// What unvisited children get.
    pub first_play: FirstPlay,
}

impl Default for Ucb1 {
    /// Exploration 0.7 (half the value of the analysis, as is usual in games), every child once first.
    fn default() -> Self {
        Ucb1 { exploration: 0.7, first_play: FirstPlay::AllOnce }
    }
}

impl SelectionPolicy for Ucb1 {
    type Extra = ();
    /// `exploration * sqrt(ln(visits))`
    type Parent = f32;

    const SIDE_BY_SIDE: bool = true;

    #[inline]
    fn parent(&self, visits: u32) -> f32 {
        self.exploration * sqrt_ln(visits)
    }

    #[inline]
    fn urgency(&self, parent: f32, child: &Candidate) -> f32 {
        child.value + parent * (1.0 / sqrt(child.visits as f32))
    }

    #[inline]
    fn first_play(&self, _: f32, (): &()) -> f32 {
        self.first_play.urgency()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_gives_the_urgency() {
        // 0.6 + 0.7 * sqrt(ln 100 / 4) = 0.6 + 0.7 * 1.0729830
        let policy = Ucb1::default();
        let child = Candidate { visits: 4, value: 0.6, extra: () };
        assert!((policy.urgency(policy.parent(100), &child) - 1.351_088).abs() < 1e-5);
        assert!(policy.first_play(policy.parent(100), &()).is_infinite());
    }
}
