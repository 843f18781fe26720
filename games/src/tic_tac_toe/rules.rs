//! The rules of tic-tac-toe.

/// The marks of both sides on the nine cells; a cell is a bit, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Position {
    /// The cells of X, who moves first.
    pub x: u16,
    /// The cells of O.
    pub o: u16,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Position {
    /// Whether X is to move.
    pub fn is_x_to_move(self) -> bool {
        self.x.count_ones() == self.o.count_ones()
    }

    /// The free cells.
    pub fn free(self) -> impl Iterator<Item = u8> {
        (0..9).filter(move |cell| (self.x | self.o) >> cell & 1 == 0)
    }

    /// Whether the cells of one side contain a whole line.
    pub fn has_line(side: u16) -> bool {
        LINES.iter().any(|line| side & line == *line)
    }

    /// Places the mark of the side to move on a free cell.
    pub fn apply(&mut self, cell: u8) {
        let side = if self.is_x_to_move() { &mut self.x } else { &mut self.o };
        *side |= 1 << cell;
    }
}
