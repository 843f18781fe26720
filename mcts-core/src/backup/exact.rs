//! The exact value of a node from its children: one rule for trees and graphs.

use crate::game::{Exact, MAX_PLAYERS, Utilities};
use crate::tree::Proof;

/// The proven children of a node where a player chooses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProvenChildren<T> {
    /// The child that the player prefers, with its proof from the player's view.
    pub(crate) best: Option<(Proof, T)>,
    /// Whether every child is proven.
    pub(crate) is_complete: bool,
}

impl<T: Copy> ProvenChildren<T> {
    /// Compares the children, `None` for unproven ones; ties go to the first.
    #[inline]
    pub(crate) fn among(
        children: impl Iterator<Item = Option<(Proof, T)>>,
        bounds: (f32, f32),
    ) -> Self {
        let mut choice = ProvenChildren { best: None, is_complete: true };
        for child in children {
            match (child, choice.best) {
                (None, _) => choice.is_complete = false,
                (Some((proof, _)), Some((best, _))) if !proof.is_preferred_to(&best, bounds) => {}
                (Some(_), _) => choice.best = child,
            }
        }
        choice
    }

    /// The child that decides the value of the node: the best of all, or one with the greatest
    /// utility of the game. `is_expanded`: every action has its child.
    #[inline]
    pub(crate) fn decided(&self, is_expanded: bool, bounds: (f32, f32)) -> Option<(Proof, T)> {
        let all = self.is_complete && is_expanded;
        self.best.filter(|(proof, _)| all || proof.utility >= bounds.1)
    }
}

/// Tolerance of the sum of probabilities for an expectation to count as exact.
const TOLERANCE: f64 = 1e-3;

/// The expected utilities at a chance node whose outcomes are all proven.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expectation {
    sums: [f64; MAX_PLAYERS],
    total: f64,
    plies: u32,
    is_known: bool,
}

impl Default for Expectation {
    fn default() -> Self {
        Expectation { sums: [0.0; MAX_PLAYERS], total: 0.0, plies: 0, is_known: true }
    }
}

impl Expectation {
    /// Adds an outcome; `None` if it is not proven.
    pub(crate) fn add(&mut self, probability: f32, outcome: Option<Exact>) {
        let Some(exact) = outcome.filter(|_| probability >= 0.0) else {
            self.is_known = false;
            return;
        };
        let probability = f64::from(probability);
        for (sum, utility) in self.sums.iter_mut().zip(exact.utilities.0) {
            *sum += probability * f64::from(utility);
        }
        self.total += probability;
        self.plies = self.plies.max(exact.plies);
    }

    /// The mean utility of each player; `None` unless all outcomes are proven and their
    /// probabilities add up to 1. The sum is divided out, so that the mean of equal utilities is
    /// exact.
    pub(crate) fn exact(&self) -> Option<Exact> {
        let is_known = self.is_known && (self.total - 1.0).abs() < TOLERANCE;
        is_known.then(|| Exact {
            utilities: Utilities(self.sums.map(|sum| (sum / self.total) as f32)),
            plies: self.plies.saturating_add(1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: (f32, f32) = (-10.0, 10.0);

    fn choice(children: &[Option<(f32, u32)>]) -> ProvenChildren<usize> {
        let known = children
            .iter()
            .enumerate()
            .map(|(place, child)| child.map(|(utility, plies)| (Proof { utility, plies }, place)));
        ProvenChildren::among(known, BOUNDS)
    }

    #[test]
    fn the_preferred_child_decides_when_all_are_proven() {
        let wins = choice(&[Some((1.0, 6)), Some((1.0, 0)), Some((-2.0, 0)), Some((1.0, 2))]);
        assert_eq!(wins.decided(true, BOUNDS).map(|(_, place)| place), Some(1));
        let losses = choice(&[Some((-1.0, 0)), Some((-1.0, 6)), Some((-2.0, 9)), Some((-1.0, 6))]);
        assert_eq!(losses.decided(true, BOUNDS).map(|(_, place)| place), Some(1));
        assert_eq!(losses.decided(false, BOUNDS), None, "an action has no child yet");
    }

    #[test]
    fn an_open_child_leaves_the_node_open_unless_no_child_can_be_better() {
        let open = choice(&[Some((9.0, 1)), None]);
        assert_eq!(
            (open.decided(true, BOUNDS), open.best.map(|(_, place)| place)),
            (None, Some(0))
        );
        let won = choice(&[None, Some((10.0, 5)), Some((10.0, 3))]);
        assert_eq!(won.decided(false, BOUNDS).map(|(_, place)| place), Some(2));
    }

    fn expectation(outcomes: &[(f32, Option<f32>)]) -> Option<Exact> {
        let mut expectation = Expectation::default();
        for (plies, (probability, utility)) in (0..).zip(outcomes) {
            let exact = utility.map(Utilities::zero_sum);
            expectation.add(*probability, exact.map(|utilities| Exact { utilities, plies }));
        }
        expectation.exact()
    }

    #[test]
    fn the_value_of_chance_is_the_mean_of_its_outcomes() {
        let exact = expectation(&[(0.25, Some(1.0)), (0.75, Some(-1.0))]);
        let expected = Exact { utilities: Utilities::zero_sum(-0.5), plies: 2 };
        assert_eq!(exact, Some(expected));
        let thirds = expectation(&[(1.0 / 3.0, Some(0.7)); 3]);
        assert_eq!(thirds.map(|exact| exact.utilities), Some(Utilities::zero_sum(0.7)));
    }

    #[test]
    fn nothing_is_known_of_outcomes_that_are_open_or_do_not_add_up() {
        assert_eq!(expectation(&[(0.5, Some(1.0)), (0.5, None)]), None);
        assert_eq!(expectation(&[(0.5, Some(1.0)), (0.4, Some(1.0))]), None);
        assert_eq!(expectation(&[(0.5, Some(1.0)), (f32::NAN, Some(1.0))]), None);
        assert_eq!(expectation(&[(1.5, Some(1.0)), (-0.5, Some(0.0))]), None);
        assert_eq!(expectation(&[]), None);
    }
}
