//! Rollouts that take a win in one.

use super::Uniform;
use super::rollout::{RolloutPolicy, Situation};
use crate::game::{Game, Player, Turn, Utilities};
use crate::rng::{self, SearchRng};
use crate::trace::Trace;

/// Decisive and anti-decisive moves (Teytaud and Teytaud, 2010): a player who can win in one does;
/// one whose opponent could win at the next turn chooses among the actions that prevent it;
/// otherwise another policy chooses.
///
/// Every action is tried, and for the second part every answer to it, so use it in games where that
/// is cheap, or where rollouts without it have little value. Deviation from the paper: actions that
/// create a win for the opponent are avoided, too, not only those that allow an existing one.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Rollout, Search, Uct};
/// use mcts_core::evaluation::Decisive;
///
/// let parts = Uct::default().with_evaluator(Rollout::with_policy(Decisive::default()));
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decisive<P = Uniform> {
    /// The policy where nothing is decided.
    pub policy: P,
    /// The look-ahead of the players.
    pub sight: Sight,
}

/// The look-ahead of the players of [`Decisive`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sight {
    /// Their own win in one.
    OwnWin,
    /// The opponent's win at the next turn, too; the paper finds it worth its time.
    #[default]
    OpponentsWin,
}

impl Default for Decisive {
    /// Uniform where nothing is decided.
    fn default() -> Self {
        Decisive::with_policy(Uniform)
    }
}

impl<P> Decisive<P> {
    /// Uses `policy` where nothing is decided.
    pub fn with_policy(policy: P) -> Self {
        Decisive { policy, sight: Sight::default() }
    }
}

/// An action by which `player` wins in one.
fn winning_action<G: Game>(game: &G, state: &G::State, player: Player) -> Option<G::Action> {
    let mut winning = None;
    game.actions(state, |action| {
        if winning.is_none() {
            let mut after = state.clone();
            game.apply(&mut after, action);
            if is_won(game, &after, player) {
                winning = Some(action);
            }
        }
    });
    winning
}

fn is_won<G: Game>(game: &G, state: &G::State, player: Player) -> bool {
    let (_, highest) = G::UTILITY_BOUNDS;
    matches!(game.turn(state), Turn::Over(utilities) if utilities.of_player(player) >= highest)
}

/// Whether another player than `player` is to move and wins in one.
fn hands_a_win<G: Game>(game: &G, state: &G::State, player: Player) -> bool {
    match game.turn(state) {
        Turn::Player(mover) => mover != player && winning_action(game, state, mover).is_some(),
        Turn::Over(_) | Turn::Chance => false,
    }
}

impl<G: Game, P: RolloutPolicy<G>> RolloutPolicy<G> for Decisive<P> {
    const LEARNS: bool = P::LEARNS;
    const NEEDS_ACTION_INDICES: bool = P::NEEDS_ACTION_INDICES;

    fn choose(
        &mut self,
        game: &G,
        at: &Situation<'_, G::State>,
        rng: &mut SearchRng,
    ) -> Option<G::Action> {
        let winning = winning_action(game, at.state, at.player);
        if winning.is_some() {
            return winning;
        }
        if self.sight == Sight::OpponentsWin {
            let mut safe = None;
            let mut safes = 0;
            let mut actions = 0;
            game.actions(at.state, |action| {
                actions += 1;
                let mut after = at.state.clone();
                game.apply(&mut after, action);
                if !hands_a_win(game, &after, at.player) {
                    safes += 1;
                    if rng::below(rng, safes) == 0 {
                        safe = Some(action);
                    }
                }
            });
            if safes < actions && safe.is_some() {
                return safe;
            }
        }
        self.policy.choose(game, at, rng)
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        self.policy.learn(trace, utilities);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Position, TreeGame};
    use alloc::vec::Vec;

    fn chosen(root: Position, sight: Sight) -> Vec<u16> {
        let game = TreeGame::<2>::new(root);
        let mut policy = Decisive { policy: Uniform, sight };
        let mut rng = rng::stream(1, 0);
        let at = Situation { state: &game.start(), player: Player::FIRST, played: &[] };
        let mut chosen: Vec<_> =
            (0..200).map(|_| policy.choose(&game, &at, &mut rng).unwrap()).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    fn win_for_second() -> Position {
        Position::second([Position::over(0.0), Position::over(-1.0)])
    }

    fn quiet() -> Position {
        Position::second([Position::over(0.0), Position::over(1.0)])
    }

    #[test]
    fn a_win_at_once_is_taken() {
        let root = || Position::first([quiet(), Position::over(0.5), Position::over(1.0)]);
        assert_eq!(chosen(root(), Sight::OwnWin), [2]);
        assert_eq!(chosen(root(), Sight::OpponentsWin), [2]);
    }

    #[test]
    fn a_win_of_the_opponent_is_prevented_where_that_is_possible() {
        let root = || Position::first([win_for_second(), quiet(), win_for_second(), quiet()]);
        assert_eq!(chosen(root(), Sight::OwnWin), [0, 1, 2, 3]);
        assert_eq!(chosen(root(), Sight::OpponentsWin), [1, 3]);
        let lost = Position::first([win_for_second(), win_for_second()]);
        assert_eq!(chosen(lost, Sight::OpponentsWin), [0, 1]);
    }

    #[test]
    fn a_second_turn_of_the_same_player_is_no_threat() {
        let twice = || Position::first([Position::over(1.0), Position::over(-1.0)]);
        let root = Position::first([twice(), win_for_second()]);
        assert_eq!(chosen(root, Sight::OpponentsWin), [0]);
    }
}
