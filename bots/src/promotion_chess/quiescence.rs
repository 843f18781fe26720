//! The value of a leaf: the static evaluation after a search of captures.

use core::ops::ControlFlow;

use arrayvec::ArrayVec;
use games::promotion_chess::attacks::Squares;
use games::promotion_chess::rules::Group;
use games::promotion_chess::{Action, Kind, MAX_ACTIONS, Position, Rules};
use mcts_core::trace::Recorder;
use mcts_core::{Evaluator, Game, SearchRng, Turn, Utilities};

use super::decisive::Decisive;
use super::evaluation::{Evaluation, utility};
use super::move_prior::MovePrior;

/// Evaluates leaves by a search of captures, pawn promotions and answers to checks (Shannon, 1950, section 5),
/// with alpha-beta cuts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quiescence {
    /// The evaluation of quiet positions.
    pub evaluation: Evaluation,
    /// The priors of actions.
    pub move_prior: MovePrior,
    /// Maximum number of plies.
    pub plies: u8,
}

impl Default for Quiescence {
    fn default() -> Self {
        Quiescence { evaluation: Evaluation::default(), move_prior: MovePrior::default(), plies: 4 }
    }
}

/// Half the log-odds of a mate; its utility is about 0.999.
const MATE: f32 = 4.0;

/// Actions with their urgency in the search order.
pub(super) type Ordered = ArrayVec<(f32, Action), MAX_ACTIONS>;

impl Evaluator<Decisive> for Quiescence {
    fn evaluate(
        &mut self,
        game: &Decisive,
        position: &Position,
        _: &mut impl Recorder,
        _: &mut SearchRng,
    ) -> Utilities {
        if let Turn::Over(utilities) = game.turn(position) {
            return utilities;
        }
        let value = self.search(&game.game.rules, position, (-MATE, MATE), self.plies);
        let for_mover = utility(value);
        match game.turn(position) {
            Turn::Player(player) if player.index() == 1 => Utilities::zero_sum(-for_mover),
            _ => Utilities::zero_sum(for_mover),
        }
    }

    fn priors(
        &mut self,
        _: &Decisive,
        position: &Position,
        actions: &[Action],
        priors: &mut [f32],
    ) {
        self.move_prior.write(position, actions, priors);
    }
}

impl Quiescence {
    /// Half the log-odds for the side to move, within the search window.
    fn search(
        &self,
        rules: &Rules,
        position: &Position,
        (mut alpha, beta): (f32, f32),
        plies: u8,
    ) -> f32 {
        let in_check = position.is_check();
        if in_check && !rules.has_legal_action(position) {
            return -MATE;
        }
        let mut best = -MATE;
        if !in_check || plies == 0 {
            best = self.evaluation.half_log_odds(rules, position);
            if best >= beta || plies == 0 {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut actions = forcing(rules, position, in_check);
        while let Some(action) = take_most_urgent(&mut actions) {
            let mut after = *position;
            rules.apply(&mut after, action);
            let value = -self.search(rules, &after, (-beta, -alpha), plies - 1);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

fn take_most_urgent(actions: &mut Ordered) -> Option<Action> {
    let (place, _) =
        actions.iter().enumerate().max_by(|(_, one), (_, other)| one.0.total_cmp(&other.0))?;
    Some(actions.swap_remove(place).1)
}

/// Rough values in pawns, by [`Kind::index`].
pub(super) const ROUGH: [f32; Kind::COUNT] = [0.0, 9.0, 5.0, 3.2, 3.0, 1.5, 3.0];

/// Captures and promotions of pawns to queens; all actions while in check.
pub(super) fn forcing(rules: &Rules, position: &Position, in_check: bool) -> Ordered {
    let mut actions = Ordered::new();
    let opponents = position.of_side(position.to_move().opponent());
    let _ = rules.groups(position, |group| {
        match group {
            Group::Moves(from, targets) => {
                let mover = position.kind_at(from).map_or(0.0, |kind| ROUGH[kind.index()]);
                for to in Squares(if in_check { targets } else { targets & opponents }) {
                    let victim = position.kind_at(to).map_or(0.0, |kind| ROUGH[kind.index()]);
                    let action = Action::Move { from, to, promotion: None };
                    actions.push((16.0 * victim - mover, action));
                }
            }
            Group::PawnPromotions(from, targets) => {
                for to in Squares(targets) {
                    let victim = position.kind_at(to).map_or(0.0, |kind| ROUGH[kind.index()]);
                    let action = Action::Move { from, to, promotion: Some(Kind::Queen) };
                    actions.push((16.0 * (victim + ROUGH[Kind::Queen.index()]), action));
                }
            }
            Group::Places(squares) if in_check => {
                actions.extend(Squares(squares).map(|square| (0.0, Action::Place(square))));
            }
            Group::Places(_) | Group::Promotions(..) => {}
        }
        ControlFlow::<()>::Continue(())
    });
    actions
}
