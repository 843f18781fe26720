//! Exact solution of the pursuit: when a chaser with full information catches Maki.

use alloc::vec;
use alloc::vec::Vec;

use super::grid::CellSet;
use super::terrain::{NOWHERE, Place};

/// Captures in more turns are not distinguished; the table costs time for each turn.
pub const LONG: u8 = 18;

/// Turns until Maki is caught if she and the chaser have full information and play optimally.
///
/// Solved backwards from the capture, for all places of the chaser together; takes about 0.6 ms for
/// the largest mazes.
#[derive(Debug, Clone)]
pub struct Captures {
    places: usize,
    /// By parity of the turn, place of Maki after her step, place of the chaser.
    turns: [Vec<u8>; 2],
}

impl Captures {
    /// Solves the pursuit on `passages`; `places` maps the index of a cell to its place, `next`
    /// lists the neighbours of each place.
    #[must_use]
    pub fn new(passages: &CellSet, places: &[Place], next: &[[Place; 4]]) -> Captures {
        let count = next.len();
        // for each parity and place of Maki, the places from which the chaser catches her: before
        // her step and after it
        let met: Vec<CellSet> = passages.iter().map(|cell| [cell].into_iter().collect()).collect();
        let mut before = [met.clone(), met.clone()];
        let mut after = [met.clone(), met];
        let mut turns = [(); 2].map(|()| vec![LONG; count * count]);
        turns
            .iter_mut()
            .for_each(|turns| turns.iter_mut().step_by(count + 1).for_each(|met| *met = 0));
        for turn in 1..LONG {
            for parity in 0..2 {
                for maki in 0..count {
                    let catchers = reach(&before[1 - parity][maki], parity, passages);
                    let row = &mut turns[parity][maki * count..][..count];
                    for cell in catchers.difference(&after[parity][maki]).iter() {
                        row[usize::from(places[cell.index()])] = turn;
                    }
                    after[parity][maki] = catchers;
                }
            }
            for (before, after) in before.iter_mut().zip(&after) {
                for (maki, next) in next.iter().enumerate() {
                    let steps = next.iter().filter(|&&to| to != NOWHERE);
                    before[maki] = steps
                        .fold(after[maki], |all, &to| all.intersection(&after[usize::from(to)]));
                }
            }
        }
        Captures { places: count, turns }
    }

    /// Bytes of the tables.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.turns.iter().map(Vec::capacity).sum()
    }

    /// Turns from `turn` on, inclusive, until a chaser on one place catches Maki on another after
    /// her step. [`LONG`] stands for that number or more; 0 if she steps onto the chaser.
    #[inline]
    #[must_use]
    pub fn turns(&self, turn: u8, maki: Place, chaser: Place) -> u8 {
        let pair = usize::from(maki) * self.places + usize::from(chaser);
        self.turns[usize::from(turn % 2)][pair]
    }
}

/// The cells from which the acts of a turn of this parity lead into `goals`.
#[inline]
fn reach(goals: &CellSet, parity: usize, passages: &CellSet) -> CellSet {
    let widened = |set: &CellSet| set.union(&set.neighbours()).intersection(passages);
    let once = widened(goals);
    if parity == 0 { widened(&once) } else { once }
}
