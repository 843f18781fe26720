//! A second implementation of Icebreaking, with a queue on an array; shares only the text form with
//! the rules under test.

use std::collections::VecDeque;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlainIcebreaking {
    cells: [[char; 9]; 9],
    side: char,
    totals: [i32; 2],
}

impl PlainIcebreaking {
    pub(crate) fn new(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let letters: Vec<char> = fields[0].chars().collect();
        PlainIcebreaking {
            cells: std::array::from_fn(|row| {
                std::array::from_fn(|column| letters[9 * row + column])
            }),
            side: fields[1].chars().next().expect("a side"),
            totals: [2, 3].map(|field| fields[field].parse().expect("a number")),
        }
    }

    pub(crate) fn text(&self) -> String {
        let cells: String = self.cells.iter().flatten().collect();
        format!("{cells} {} {} {}", self.side, self.totals[0], self.totals[1])
    }

    fn is_ice(&self, row: usize, column: usize) -> bool {
        !"#ab".contains(self.cells[row][column])
    }

    pub(crate) fn ice(&self) -> Vec<(usize, usize)> {
        let all = (0..81).map(|cell| (cell / 9, cell % 9));
        all.filter(|&(row, column)| self.is_ice(row, column)).collect()
    }

    fn ice_around(&self, row: usize, column: usize) -> Vec<(usize, usize)> {
        let places = [
            (row.wrapping_sub(1), column),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
        ];
        places.into_iter().filter(|&(r, c)| r < 9 && c < 9 && self.is_ice(r, c)).collect()
    }

    fn component(&self, from: (usize, usize)) -> Vec<(usize, usize)> {
        let mut found = vec![from];
        let mut queue = VecDeque::from([from]);
        while let Some((row, column)) = queue.pop_front() {
            for next in self.ice_around(row, column) {
                if !found.contains(&next) {
                    found.push(next);
                    queue.push_back(next);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The parts into which the region of a cell splits without the cell.
    pub(crate) fn parts(&self, row: usize, column: usize) -> Vec<Vec<(usize, usize)>> {
        let mut without = self.clone();
        without.cells[row][column] = self.side;
        let mut parts: Vec<_> = without
            .ice_around(row, column)
            .into_iter()
            .map(|cell| without.component(cell))
            .collect();
        parts.sort();
        parts.dedup();
        parts
    }

    pub(crate) fn apply(&mut self, row: usize, column: usize) {
        let parts = self.parts(row, column);
        let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
        let mut taken: Vec<(usize, usize)> =
            parts.into_iter().filter(|part| part.len() < largest).flatten().collect();
        taken.push((row, column));
        for (row, column) in taken {
            let score = "=-012".find(self.cells[row][column]).expect("ice has a score") as i32 - 2;
            self.totals[usize::from(self.side == 'b')] += score;
            self.cells[row][column] = self.side;
        }
        self.side = if self.side == 'a' { 'b' } else { 'a' };
    }
}
