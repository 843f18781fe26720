//! Exact values of nodes, and a player's preference among them.

use core::cmp::Ordering;

/// The exact value of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Proof {
    /// Utility under best play of the player who took the edge into the node.
    pub utility: f32,
    /// Plies to the end of the game under that play; with chance, of the longest outcome.
    pub plies: u32,
}

impl Proof {
    /// Whether the player of these utilities prefers this value to `other`: the greater utility; of
    /// equal ones the quicker win, or the slower loss.
    #[inline]
    #[must_use]
    pub fn is_preferred_to(&self, other: &Proof, bounds: (f32, f32)) -> bool {
        match self.utility.partial_cmp(&other.utility) {
            Some(Ordering::Greater) => true,
            Some(Ordering::Less) => false,
            _ if self.is_loss(bounds) => self.plies > other.plies,
            _ => self.plies < other.plies,
        }
    }

    /// Whether it is a loss: a utility below zero if utilities of both signs are possible,
    /// otherwise below the middle of the `bounds`.
    #[inline]
    #[must_use]
    pub fn is_loss(&self, (lowest, highest): (f32, f32)) -> bool {
        let has_both_signs = lowest < 0.0 && highest > 0.0;
        self.utility < if has_both_signs { 0.0 } else { f32::midpoint(lowest, highest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proof(utility: f32, plies: u32) -> Proof {
        Proof { utility, plies }
    }

    #[test]
    fn more_utility_is_preferred_whatever_the_plies() {
        let bounds = (-10.0, 10.0);
        for (better, worse) in [(2.0, 1.0), (0.0, -1.0), (-1.0, -10.0)] {
            for plies in [(1, 9), (9, 1), (4, 4)] {
                let (better, worse) = (proof(better, plies.0), proof(worse, plies.1));
                assert!(better.is_preferred_to(&worse, bounds));
                assert!(!worse.is_preferred_to(&better, bounds));
            }
        }
    }

    #[test]
    fn of_equal_utilities_the_quicker_is_preferred_and_of_losses_the_slower() {
        let cases = [
            ((-10.0, 10.0), [(1.0, true), (0.0, true), (10.0, true), (-1.0, false)]),
            ((0.0, 1.0), [(1.0, true), (0.5, true), (0.25, false), (0.0, false)]),
            ((-1.0, 3.0), [(0.5, true), (3.0, true), (-0.5, false), (-1.0, false)]),
        ];
        for (bounds, utilities) in cases {
            for (utility, prefers_quick) in utilities {
                let (quick, slow) = (proof(utility, 2), proof(utility, 5));
                assert_eq!(quick.is_preferred_to(&slow, bounds), prefers_quick, "{utility}");
                assert_eq!(slow.is_preferred_to(&quick, bounds), !prefers_quick, "{utility}");
                assert!(!quick.is_preferred_to(&quick, bounds));
            }
        }
    }
}
