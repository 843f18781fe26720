//! The evaluation for the tree search: values of leaves, priors, exact endings.

use super::endgame::Endgame;
use super::evaluation::Evaluation;
use games::reversi::{Action, Position, Reversi, Side};
use mcts_core::game::Exact;
use mcts_core::{Endings, Evaluator, Game, Margin, Recorder, SearchRng, Turn, Utilities};

/// Leaves without rollouts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StaticLeaf(pub Evaluation);

/// The utilities of both sides from that of the side to move.
fn utilities(position: &Position, of_mover: f32) -> Utilities {
    Utilities::zero_sum(match position.side() {
        Side::Black => of_mover,
        Side::White => -of_mover,
    })
}

impl StaticLeaf {
    /// The value of `position` for the side to move, in (-1, 1); its utility if the game is over.
    fn for_mover(&self, game: &Reversi, position: &Position) -> f32 {
        match game.turn(position) {
            Turn::Over(utilities) => utilities.of_player(position.side().into()),
            _ => libm::tanhf(self.0.half_log_odds(position)),
        }
    }
}

impl Evaluator<Reversi> for StaticLeaf {
    fn evaluate(
        &mut self,
        game: &Reversi,
        position: &Position,
        _: &mut impl Recorder,
        _: &mut SearchRng,
    ) -> Utilities {
        utilities(position, self.for_mover(game, position))
    }

    /// The value after each action for the player who takes it, in [0, 1], for implicit minimax.
    fn priors(
        &mut self,
        game: &Reversi,
        position: &Position,
        actions: &[Action],
        priors: &mut [f32],
    ) {
        for (action, prior) in actions.iter().zip(priors) {
            let mut after = *position;
            game.apply(&mut after, *action);
            *prior = f32::midpoint(1.0, -self.for_mover(game, &after));
        }
    }
}

/// Exact values of positions with few empty cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// Maximum number of empty cells.
    pub empties: u32,
}

impl Endings<Reversi> for Solved {
    fn solve(&mut self, game: &Reversi, position: &Position) -> Option<Exact> {
        let plies = position.empty().count_ones();
        if plies > self.empties {
            return None;
        }
        let window = if game.margin == Margin::WIN_ONLY { (-1, 1) } else { (-65, 65) };
        let margin = Endgame::default().margin(position.own(), position.opponent(), window);
        let utility = game.margin.utility(margin);
        Some(Exact { utilities: utilities(position, utility), plies })
    }
}
