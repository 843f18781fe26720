//! The rules of Clobber (Albert, Grossman, Nowakowski and Wolfe, 2005): on a board full of stones, move one of yours
//! onto a neighbouring stone of the opponent, which is removed. A player who cannot move loses.

/// Columns of the board.
pub const COLUMNS: u8 = 5;

/// Rows of the board.
pub const ROWS: u8 = 6;

/// The stones on the board; a cell is a bit, row by row from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub first: u32,
    pub second: u32,
    pub first_to_move: bool,
}

/// Moves a stone to a neighbouring cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action {
    pub from: u8,
    pub to: u8,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    FirstWins,
    SecondWins,
    Draw,
}

/// The cells above, below, to the left and to the right, where there are such.
fn neighbours(cell: u8) -> impl Iterator<Item = Option<u8>> {
    let (row, column) = (cell / COLUMNS, cell % COLUMNS);
    [
        (row > 0).then(|| cell - COLUMNS),
        (row + 1 < ROWS).then(|| cell + COLUMNS),
        (column > 0).then(|| cell - 1),
        (column + 1 < COLUMNS).then(|| cell + 1),
    ]
    .into_iter()
}

impl Position {
    /// Stones on all cells, in turn like the colours of a chessboard.
    pub fn start(_seed: u64) -> Position {
        let is_first = |cell: &u8| (cell / COLUMNS + cell % COLUMNS).is_multiple_of(2);
        let first = (0..COLUMNS * ROWS).filter(is_first).fold(0, |stones, cell| stones | 1 << cell);
        let all = (1 << (COLUMNS * ROWS)) - 1;
        Position { first, second: all & !first, first_to_move: true }
    }

    /// How the game ended, or `None` if it goes on.
    pub fn ending(&self) -> Option<Ending> {
        match (self.moves().next(), self.first_to_move) {
            (Some(_), _) => None,
            (None, true) => Some(Ending::SecondWins),
            (None, false) => Some(Ending::FirstWins),
        }
    }

    /// The legal actions, always in the same order; at least one unless the game is over.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.moves()
    }

    fn moves(&self) -> impl Iterator<Item = Action> {
        let (own, other) =
            if self.first_to_move { (self.first, self.second) } else { (self.second, self.first) };
        let from_each = (0..COLUMNS * ROWS).filter(move |from| own >> from & 1 != 0);
        from_each.flat_map(move |from| {
            let onto = neighbours(from).flatten().filter(move |to| other >> to & 1 != 0);
            onto.map(move |to| Action { from, to })
        })
    }

    /// Applies a legal action.
    pub fn apply(&mut self, action: Action) {
        let (own, other) = if self.first_to_move {
            (&mut self.first, &mut self.second)
        } else {
            (&mut self.second, &mut self.first)
        };
        *own ^= 1 << action.from | 1 << action.to;
        *other ^= 1 << action.to;
        self.first_to_move = !self.first_to_move;
    }

    /// Whether an action, wherever it comes from, is legal.
    pub fn is_legal(&self, action: Action) -> bool {
        self.actions().any(|legal| legal == action)
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::start(0)
    }
}
