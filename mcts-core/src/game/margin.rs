//! Utilities of score games.

/// Maps the margin of a score game (the player's score minus the opponent's) to a utility in [-1,
/// 1].
///
/// In most contests only the win counts, but a search with only that utility plays aimlessly in
/// decided positions. A small weight on the margin avoids this.
///
/// ```
/// use mcts_core::Margin;
///
/// // a win counts 0.8, and up to 0.2 more for 20 points or more
/// let margin = Margin { win: 0.8, largest: 20.0 };
/// assert_eq!(margin.utility(10), 0.9);
/// assert_eq!(margin.utility(-40), -1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// Utility of the smallest win, in [0, 1]; the rest up to 1 is proportional to the margin.
    pub win: f32,
    /// The margin of utility 1; larger margins have the same utility.
    pub largest: f32,
}

impl Margin {
    /// 1, 0 or -1 for a win, a draw or a loss, for any margin.
    pub const WIN_ONLY: Margin = Margin { win: 1.0, largest: 1.0 };

    /// Proportional to the margin up to `largest`, without a bonus for the win.
    #[must_use]
    pub fn linear(largest: f32) -> Margin {
        Margin { win: 0.0, largest }
    }

    /// The utility of a margin: `sign(margin) * (win + (1 - win) * min(|margin| / largest, 1))`, 0 for a draw.
    #[inline]
    #[must_use]
    pub fn utility(&self, margin: i32) -> f32 {
        if margin == 0 {
            return 0.0;
        }
        let share = (margin.unsigned_abs() as f32 / self.largest).min(1.0);
        let size = self.win + (1.0 - self.win) * share;
        if margin > 0 { size } else { -size }
    }
}

impl Default for Margin {
    /// Only the win counts.
    fn default() -> Self {
        Margin::WIN_ONLY
    }
}
