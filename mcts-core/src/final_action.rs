//! The rule for the action to play when the search is over.

use crate::backup::exact::ProvenChildren;
use crate::report::ActionReport;
use crate::tree::Proof;

/// The rule for the action to play at the root (names after Chaslot et al., 2008).
///
/// Proven values have priority in every rule. The best proven action has the greatest utility; of
/// equal ones the quickest win or the slowest loss ([`Proof::is_preferred_to`]). It is played if
/// its utility is the greatest of the game, or at least the value of the best open action. An open
/// action is preferred to the least utility of the game, and an unvisited action to any proven
/// loss.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, FinalAction, Search, Uct};
///
/// let parts = Uct { final_action: FinalAction::Max, ..Uct::default() };
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum FinalAction {
    /// The most visits; ties go to the best value.
    #[default]
    Robust,
    /// The best value among actions with visits.
    Max,
    /// The best lower confidence bound `value - weight / sqrt(visits)`, utilities as the game gives them.
    Secure {
        /// Weight of the uncertainty.
        weight: f32,
    },
}

impl FinalAction {
    /// The index of the action to play; `None` only for an empty list.
    ///
    /// `bounds` are the lowest and the highest utility of the game. Ties go to the first, so the
    /// order of the list should be arbitrary.
    #[must_use]
    pub fn choose<A>(&self, actions: &[ActionReport<A>], bounds: (f32, f32)) -> Option<usize> {
        let open = first_max(actions, |action| match action.proven {
            Some(_) => None,
            None => Some(self.key(action)),
        });
        let proven = actions.iter().enumerate();
        let proven = proven.filter_map(|(place, action)| Some((action.proven?, place)));
        let exact = ProvenChildren::among(proven.map(Some), bounds).best;
        match (open, exact) {
            (Some(open), Some((proof, exact))) => {
                let is_open_better = is_better_open(actions[open].value, &proof, bounds);
                Some(if is_open_better { open } else { exact })
            }
            (open, exact) => open.or(exact.map(|(_, place)| place)),
        }
    }

    fn key<A>(&self, action: &ActionReport<A>) -> (f64, f64) {
        let value = action.value.map_or(f64::NEG_INFINITY, f64::from);
        let visits = f64::from(action.visits);
        match self {
            FinalAction::Robust => (visits, value),
            FinalAction::Max => (value, visits),
            FinalAction::Secure { weight } => {
                let bound = if action.visits == 0 {
                    f64::NEG_INFINITY
                } else {
                    value - f64::from(*weight) / libm::sqrt(visits)
                };
                (bound, visits)
            }
        }
    }
}

/// Whether an open action with this mean is preferred to a proven one.
fn is_better_open(value: Option<f32>, proof: &Proof, (lowest, highest): (f32, f32)) -> bool {
    match value {
        _ if proof.utility >= highest => false,
        _ if proof.utility <= lowest => true,
        None => proof.is_loss((lowest, highest)),
        Some(value) => value > proof.utility,
    }
}

fn first_max<A>(
    actions: &[ActionReport<A>],
    key: impl Fn(&ActionReport<A>) -> Option<(f64, f64)>,
) -> Option<usize> {
    let mut best: Option<(usize, (f64, f64))> = None;
    for (place, action) in actions.iter().enumerate() {
        if let Some(key) = key(action)
            && best.is_none_or(|(_, most)| key > most)
        {
            best = Some((place, key));
        }
    }
    best.map(|(place, _)| place)
}
