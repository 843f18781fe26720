//! The rules, apart from any search.
//!
//! TODO: these are a placeholder's: take numbers from either end of a row; the first counts once, the second twice, ...

/// Numbers in a row at the start.
pub const LENGTH: usize = 12;

/// What changes during a game; small, and cheap to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    // TODO: the board, and all else that the rest of the game depends on
    pub row: [u8; LENGTH],
    /// The numbers left are those from here ...
    pub from: u8,
    /// ... to before here.
    pub to: u8,
    pub points: u16,
}

/// One choice of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    // TODO: in at most four bytes
    Left,
    Right,
}

impl Position {
    /// The most points that any game can bring.
    // TODO: the most points of any game
    pub const MOST_POINTS: u16 = 9 * 78;

    /// Where a game begins; the board is drawn from the seed.
    pub fn start(seed: u64) -> Position {
        // TODO: where a game begins
        let mut rng = mcts_core::rng::stream(seed, 0);
        let row = std::array::from_fn(|_| 1 + mcts_core::rng::below(&mut rng, 9) as u8);
        Position { row, from: 0, to: LENGTH as u8, points: 0 }
    }

    /// The points at the end, or `None` if the game goes on.
    pub fn ending(&self) -> Option<u16> {
        // TODO: when a game is over, and how it ended
        (self.from == self.to).then_some(self.points)
    }

    /// The legal actions, always in the same order; at least one unless the game is over.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        // TODO: the legal actions
        let is_last = self.to - self.from == 1;
        std::iter::once(Action::Left).chain((!is_last).then_some(Action::Right))
    }

    /// Applies a legal action.
    pub fn apply(&mut self, action: Action) {
        // TODO: what an action does
        let at = match action {
            Action::Left => self.from,
            Action::Right => self.to - 1,
        };
        let number_in_turn = LENGTH as u16 - u16::from(self.to - self.from) + 1;
        self.points += u16::from(self.row[usize::from(at)]) * number_in_turn;
        match action {
            Action::Left => self.from += 1,
            Action::Right => self.to -= 1,
        }
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
