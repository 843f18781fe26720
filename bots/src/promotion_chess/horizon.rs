//! The evaluation for alpha-beta: action ordering, and forcing actions beyond the depth limit.

use games::promotion_chess::{Action, Kind, Position};
use mcts_core::search::alpha_beta::{Horizon, StaticEvaluation};

use super::decisive::{Decisive, Repeated};
use super::evaluation::{Evaluation, utility};
use super::quiescence::{ROUGH, forcing};

/// Maximum number of plies of captures and answers to checks beyond the depth limit.
const PLIES_BEYOND: u32 = 6;

impl StaticEvaluation<Decisive> for Evaluation {
    fn evaluate(&mut self, game: &Decisive, position: &Position) -> f32 {
        utility(self.half_log_odds(&game.game.rules, position))
    }

    /// Captures by the value of the victim, then of the attacker; promotions by the value of the
    /// new piece.
    fn order(&mut self, _: &Decisive, position: &Position, action: Action, _: u32) -> i32 {
        let value = |kind: Option<Kind>| kind.map_or(0.0, |kind| ROUGH[kind.index()]);
        let (victim, gained, mover) = match action {
            Action::Place(_) => return 0,
            Action::Promote(_, kind) => (0.0, value(Some(kind)), 0.0),
            Action::Move { from, to, promotion } => {
                let mover = value(position.kind_at(from));
                (value(position.kind_at(to)), value(promotion), mover)
            }
        };
        if victim == 0.0 && gained == 0.0 {
            return 0;
        }
        (160.0 * (victim + gained) - mover) as i32
    }

    /// The same pieces, and the same levels of the citizens of the side that has just moved.
    fn repetition_key(&self, _: &Decisive, position: &Position) -> Option<u64> {
        Some(Repeated::key(position))
    }

    fn forcing(
        &mut self,
        game: &Decisive,
        position: &Position,
        beyond: u32,
        mut visit: impl FnMut(Action),
    ) -> Horizon {
        if beyond >= PLIES_BEYOND {
            return Horizon::StandPat;
        }
        let in_check = position.is_check();
        for (_, action) in forcing(&game.game.rules, position, in_check) {
            visit(action);
        }
        if in_check { Horizon::Forced } else { Horizon::StandPat }
    }
}
