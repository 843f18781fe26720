//! A second implementation of Reversi, cell by cell on an array; shares only the text forms with
//! the rules under test.

/// A board as 8 rows of 8 of `.`, `B`, `W`, and the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlainReversi {
    cells: [[char; 8]; 8],
    side: char,
}

impl PlainReversi {
    pub(crate) fn new(text: &str) -> Self {
        let letters: Vec<char> = text.chars().collect();
        let cells =
            std::array::from_fn(|row| std::array::from_fn(|column| letters[8 * row + column]));
        PlainReversi { cells, side: letters[65] }
    }

    pub(crate) fn text(&self) -> String {
        self.cells.iter().flatten().chain(&[' ', self.side]).collect()
    }

    fn other(side: char) -> char {
        if side == 'B' { 'W' } else { 'B' }
    }

    fn flips(&self, side: char, row: usize, column: usize) -> Vec<(usize, usize)> {
        let mut flips = Vec::new();
        if self.cells[row][column] != '.' {
            return flips;
        }
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
        {
            let mut run = Vec::new();
            let (mut r, mut c) = (row as i32 + down, column as i32 + right);
            while (0..8).contains(&r) && (0..8).contains(&c) {
                let cell = self.cells[r as usize][c as usize];
                if cell == side {
                    flips.append(&mut run);
                }
                if cell != Self::other(side) {
                    break;
                }
                run.push((r as usize, c as usize));
                r += down;
                c += right;
            }
        }
        flips
    }

    fn moves(&self, side: char) -> Vec<(usize, usize)> {
        let all = (0..64).map(|cell| (cell / 8, cell % 8));
        all.filter(|&(row, column)| !self.flips(side, row, column).is_empty()).collect()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.moves('B').is_empty() && self.moves('W').is_empty()
    }

    /// Legal actions by row and column.
    pub(crate) fn actions(&self) -> Vec<String> {
        let moves = self.moves(self.side);
        if self.is_over() {
            Vec::new()
        } else if moves.is_empty() {
            vec!["PASS".to_string()]
        } else {
            moves.iter().map(|(row, column)| format!("MOVE {} {}", row + 1, column + 1)).collect()
        }
    }

    pub(crate) fn apply(&mut self, action: &str) {
        if let Some(cell) = action.strip_prefix("MOVE ") {
            let place = |number: &str| number.parse::<usize>().expect("a number") - 1;
            let (row, column) = cell.split_once(' ').expect("two numbers");
            let (row, column) = (place(row), place(column));
            for (r, c) in self.flips(self.side, row, column) {
                self.cells[r][c] = self.side;
            }
            self.cells[row][column] = self.side;
        }
        self.side = Self::other(self.side);
    }

    pub(crate) fn count(&self, disc: char) -> i32 {
        self.cells.iter().flatten().filter(|cell| **cell == disc).count() as i32
    }
}
