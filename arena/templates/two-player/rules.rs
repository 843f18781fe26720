//! The rules, apart from any search.
//!
//! TODO: these are a placeholder's: take one to three of fifteen counters in turn; the player who takes the last one wins.

/// What changes during a game; small, and cheap to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    // TODO: the board (bits in integers are fastest), whose turn it is, and all else that the rest of the game depends on
    pub counters: u8,
    pub first_to_move: bool,
}

/// One choice of the player to move; a pass, if there is one, is a choice too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action {
    // TODO: a cell, or from and to, in at most four bytes
    pub taken: u8,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    FirstWins,
    SecondWins,
    Draw,
}

impl Position {
    /// Where a game begins; the seed is for games whose boards are drawn.
    pub fn start(_seed: u64) -> Position {
        // TODO: where a game begins
        Position { counters: 15, first_to_move: true }
    }

    /// How the game ended, or `None` if it goes on.
    pub fn ending(&self) -> Option<Ending> {
        // TODO: when a game is over, and how it ended
        match (self.counters, self.first_to_move) {
            (0, true) => Some(Ending::SecondWins),
            (0, false) => Some(Ending::FirstWins),
            _ => None,
        }
    }

    /// The legal actions, always in the same order; at least one unless the game is over.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        // TODO: the legal actions
        (1..=self.counters.min(3)).map(|taken| Action { taken })
    }

    /// Applies a legal action.
    pub fn apply(&mut self, action: Action) {
        // TODO: what an action does
        self.counters -= action.taken;
        self.first_to_move = !self.first_to_move;
    }

    /// Whether an action, wherever it comes from, is legal.
    pub fn is_legal(&self, action: Action) -> bool {
        self.ending().is_none() && self.actions().any(|legal| legal == action)
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::start(0)
    }
}
