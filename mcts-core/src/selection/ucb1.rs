//! UCB1.

use super::{Candidate, FirstPlay, SelectionPolicy};
use crate::sqrt::sqrt;
use crate::sqrt_ln::sqrt_ln;

/// UCB1 applied to trees, called UCT (Auer, Cesa-Bianchi and Fischer, 2002; Kocsis and Szepesvari, 2006):
/// `value + exploration * sqrt(ln(parent visits) / visits)` with values in [0, 1].
///
/// ```
/// # use mcts_core::{Game, Player, Turn, Utilities};
/// # #[derive(Clone)]
/// # struct Nim;
/// # impl Game for Nim {
/// #     type State = (u8, Player);
/// #     type Action = u8;
/// #     fn start(&self) -> (u8, Player) { (15, Player::FIRST) }
/// #     fn turn(&self, &(left, player): &(u8, Player)) -> Turn {
/// #         if left == 0 { Turn::Over(Utilities::win(player.opponent())) } else { Turn::Player(player) }
/// #     }
/// #     fn actions(&self, &(left, _): &(u8, Player), visit: impl FnMut(u8)) { (1..=left.min(3)).for_each(visit) }
/// #     fn apply(&self, state: &mut (u8, Player), taken: u8) { *state = (state.0 - taken, state.1.opponent()) }
/// #     fn hash(&self, &(left, player): &(u8, Player)) -> Option<u64> { Some(u64::from(left) * 2 + u64::from(player.0)) }
/// # }
/// use mcts_core::{Budget, NoClock, Search, Ucb1, Uct};
///
/// // explore less than the default does
/// let parts = Uct { selection: Ucb1 { exploration: 0.7, ..Ucb1::default() }, ..Uct::default() };
/// let report = parts.search(Nim, 1).run_with_clock(&Nim.start(), &Budget::playouts(5_000), &NoClock)?;
/// assert_eq!(report.best, 3);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ucb1 {
    /// Exploration constant; the analysis uses `sqrt(2)` for values in [0, 1]. Contest games
    /// usually need less.
    pub exploration: f32,
    /// Urgency of unvisited children.
    pub first_play: FirstPlay,
}

impl Default for Ucb1 {
    /// Exploration 0.7 (half of the value of the analysis, as is usual in games), unvisited
    /// children first.
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
