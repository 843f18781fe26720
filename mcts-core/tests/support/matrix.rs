//! Games with simultaneous choices.

use mcts_core::{Game, Player, Simultaneous, Turn, Utilities};

/// Both players choose a row and a column simultaneously; the cell is a payoff or another matrix.
#[derive(Debug, Clone)]
pub(crate) enum Matrix {
    /// The payoff of the first player.
    Pays(f32),
    Next(Vec<Vec<Matrix>>),
}

/// A matrix of payoffs, row by row.
pub(crate) fn payoffs(rows: &[&[f32]]) -> Matrix {
    let row = |row: &&[f32]| row.iter().copied().map(Matrix::Pays).collect();
    Matrix::Next(rows.iter().map(row).collect())
}

impl Matrix {
    /// The matrix after these choices; a row alone is not a choice of a cell yet.
    pub(crate) fn at(&self, choices: &[u8]) -> &Matrix {
        match (self, choices) {
            (Matrix::Next(rows), [row, column, rest @ ..]) => {
                rows[usize::from(*row)][usize::from(*column)].at(rest)
            }
            _ => self,
        }
    }
}

impl Game for Matrix {
    type State = Vec<u8>;
    type Action = u8;

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }
    fn turn(&self, choices: &Vec<u8>) -> Turn {
        match self.at(choices) {
            Matrix::Pays(payoff) => Turn::Over(Utilities::zero_sum(*payoff)),
            Matrix::Next(_) => Turn::Player(Player((choices.len() % 2) as u8)),
        }
    }
    fn actions(&self, choices: &Vec<u8>, visit: impl FnMut(u8)) {
        if let Matrix::Next(rows) = self.at(choices) {
            let count = if choices.len().is_multiple_of(2) { rows.len() } else { rows[0].len() };
            (0..count as u8).for_each(visit);
        }
    }
    fn apply(&self, choices: &mut Vec<u8>, choice: u8) {
        choices.push(choice);
    }
    fn action_index(&self, choice: u8) -> Option<usize> {
        Some(usize::from(choice))
    }
    fn action_indices(&self) -> usize {
        8
    }
}

impl Simultaneous for Matrix {
    fn is_same_moment(&self, choices: &Vec<u8>) -> bool {
        choices.len() % 2 == 1
    }
}
