//! Which action of the root is played when the search is over.

use crate::report::ActionReport;

/// How the action to play is chosen among those of the root (names after Chaslot et al., 2008).
///
/// Proven values come first in each: the quickest proven win, if there is one; a proven loss only if every action
/// loses, and then the one that takes longest. A proven draw counts with its exact value, so it never beats an
/// action that looks better than a draw.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum FinalAction {
    /// The most visits; among equals the best value.
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
    /// The place of the action to play; `None` only for an empty list.
    ///
    /// `bounds` are the lowest and the highest utility of the game. Of equals the first, so list them without
    /// meaning in their order.
    #[must_use]
    pub fn choose<A>(&self, actions: &[ActionReport<A>], bounds: (f32, f32)) -> Option<usize> {
        let (lowest, highest) = bounds;
        let proven = |action: &ActionReport<A>| action.proven.map(|proof| proof.utility);
        let win = first_max(actions, |action| {
            let proof = action.proven.filter(|proof| proof.utility >= highest)?;
            Some((-f64::from(proof.plies), 0.0))
        });
        if win.is_some() {
            return win;
        }
        let open = first_max(actions, |action| match proven(action) {
            Some(_) => None,
            None => Some(self.key(action)),
        });
        let exact = first_max(actions, |action| {
            proven(action)
                .filter(|utility| *utility > lowest)
                .map(|utility| (f64::from(utility), 0.0))
        });
        match (open, exact) {
            (Some(open), Some(exact)) => {
                let looks_better = match (actions[open].value, proven(&actions[exact])) {
                    (Some(value), Some(utility)) => value > utility,
                    _ => false,
                };
                Some(if looks_better { open } else { exact })
            }
            (Some(only), None) | (None, Some(only)) => Some(only),
            (None, None) => first_max(actions, |action| {
                action.proven.map(|proof| (f64::from(proof.utility), f64::from(proof.plies)))
            }),
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
