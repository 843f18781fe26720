//! Players and their utilities.

use core::fmt;

/// The maximum number of players.
pub const MAX_PLAYERS: usize = 8;

/// A player, counted from 0 in the order of their first turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Player(pub u8);

impl Player {
    /// The player who moves first.
    pub const FIRST: Player = Player(0);
    /// The player who moves second.
    pub const SECOND: Player = Player(1);

    /// The player's index in an array.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The other of two players.
    #[inline]
    #[must_use]
    pub fn opponent(self) -> Player {
        Player(1 - self.0)
    }
}

/// The utility of each player, by [`Player::index`]; entries beyond the number of players are zero,
/// and no search reads them.
///
/// Searches replace values that are not finite: infinities by the nearest bound of the game, and
/// NaN by the middle of the bounds.
///
/// ```
/// use mcts_core::{Player, Utilities};
///
/// assert_eq!(Utilities::win(Player::SECOND), Utilities::zero_sum(-1.0));
/// assert_eq!(Utilities::of(&[0.5, -1.0, 0.5]).of_player(Player(2)), 0.5);
/// ```
#[derive(Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Utilities(pub [f32; MAX_PLAYERS]);

impl Utilities {
    /// Zero for all players; also a draw.
    pub const ZERO: Utilities = Utilities([0.0; MAX_PLAYERS]);

    /// `value` for the player of a one-player game.
    #[inline]
    #[must_use]
    pub fn single(value: f32) -> Utilities {
        let mut all = [0.0; MAX_PLAYERS];
        all[0] = value;
        Utilities(all)
    }

    /// `value` for the first of two players and its negative for the second.
    #[inline]
    #[must_use]
    pub fn zero_sum(value: f32) -> Utilities {
        let mut all = [0.0; MAX_PLAYERS];
        all[0] = value;
        all[1] = -value;
        Utilities(all)
    }

    /// 1 for `winner`, the one of two players, and -1 for the other.
    #[inline]
    #[must_use]
    pub fn win(winner: Player) -> Utilities {
        Utilities::zero_sum(1.0 - 2.0 * f32::from(winner.0))
    }

    /// The given values for the first players.
    ///
    /// # Panics
    /// If there are more than [`MAX_PLAYERS`] values.
    #[must_use]
    pub fn of(values: &[f32]) -> Utilities {
        let mut all = [0.0; MAX_PLAYERS];
        all[..values.len()].copy_from_slice(values);
        Utilities(all)
    }

    /// The utility of `player`.
    #[inline]
    #[must_use]
    pub fn of_player(&self, player: Player) -> f32 {
        self.0[player.index() % MAX_PLAYERS]
    }

    /// The same if every value of the first `players` is finite. Otherwise infinities become the
    /// nearest bound, and NaN the middle of the bounds, so that one wrong value does not spread.
    #[inline]
    #[must_use]
    pub(crate) fn made_finite(self, players: usize, bounds: (f32, f32)) -> Utilities {
        // the sum is finite only if every term is
        let sum: f32 = self.0[..players.min(MAX_PLAYERS)].iter().sum();
        if sum.is_finite() { self } else { self.repaired(bounds) }
    }

    #[cold]
    fn repaired(self, bounds: (f32, f32)) -> Utilities {
        Utilities(self.0.map(|value| finite(value, bounds)))
    }

    /// `self + weight * other`, player by player.
    #[inline]
    #[must_use]
    pub fn plus(&self, other: &Utilities, weight: f32) -> Utilities {
        let mut all = self.0;
        for (mine, theirs) in all.iter_mut().zip(other.0) {
            *mine += weight * theirs;
        }
        Utilities(all)
    }
}

/// The value if it is finite, otherwise the nearest bound, or the middle for NaN.
#[inline]
pub(crate) fn finite(value: f32, (lowest, highest): (f32, f32)) -> f32 {
    match value {
        _ if value.is_finite() => value,
        f32::INFINITY => highest,
        f32::NEG_INFINITY => lowest,
        _ => f32::midpoint(lowest, highest),
    }
}

/// Game-theoretic value of a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exact {
    /// Each player's utility.
    pub utilities: Utilities,
    /// Plies to the end of the game under best play; 0 if it is over.
    pub plies: u32,
}

impl Exact {
    /// The value of a state where the game is over.
    #[must_use]
    pub fn at_end(utilities: Utilities) -> Self {
        Exact { utilities, plies: 0 }
    }
}

impl fmt::Debug for Utilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.0.iter().rposition(|value| *value != 0.0).map_or(1, |at| at + 1);
        f.debug_list().entries(&self.0[..last]).finish()
    }
}
