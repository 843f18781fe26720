//! The rules, apart from any search.
//!
//! TODO: these are a placeholder's: in each of five rounds both players name one to five at the same time. The higher number
//! scores itself, unless it is higher by exactly one: then the lower number scores both. More points win.

/// What changes during a game; small, and cheap to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    // TODO: the board, and all else that the rest of the game depends on
    pub points: [u8; 2],
    pub rounds_left: u8,
    /// What the first player has chosen in this round, which the second player must not see.
    pub chosen: Option<Action>,
}

/// One choice of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action {
    // TODO: in at most four bytes
    pub number: u8,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    FirstWins,
    SecondWins,
    Draw,
}

/// Rounds of a game.
pub const ROUNDS: u8 = 5;

impl Action {
    /// Number of different actions, over all positions.
    pub const COUNT: usize = 5;
}

impl Position {
    /// Where a game begins; the seed is for games whose boards are drawn.
    pub fn start(_seed: u64) -> Position {
        // TODO: where a game begins
        Position { points: [0, 0], rounds_left: ROUNDS, chosen: None }
    }

    /// How the game ended, or `None` if it goes on.
    pub fn ending(&self) -> Option<Ending> {
        // TODO: when a game is over, and how it ended
        if self.rounds_left > 0 {
            return None;
        }
        Some(match self.points[0].cmp(&self.points[1]) {
            std::cmp::Ordering::Greater => Ending::FirstWins,
            std::cmp::Ordering::Less => Ending::SecondWins,
            std::cmp::Ordering::Equal => Ending::Draw,
        })
    }

    /// The legal actions, always in the same order; they must not depend on what was chosen in the same round.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        // TODO: the legal actions
        (1..=Action::COUNT as u8).map(|number| Action { number })
    }

    /// Notes the first player's choice, or plays the round once both have chosen.
    pub fn apply(&mut self, action: Action) {
        // TODO: what a round does
        let Some(first) = self.chosen.take() else {
            self.chosen = Some(action);
            return;
        };
        let (one, other) = (first.number, action.number);
        match one.abs_diff(other) {
            0 => {}
            1 => self.points[usize::from(one > other)] += one + other,
            _ => self.points[usize::from(one < other)] += one.max(other),
        }
        self.rounds_left -= 1;
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
