//! Static evaluation of Reversi positions.

use super::endgame::{Endgame, odd_regions};
use games::reversi::{Action, Position, Reversi, legal_cells};
use mcts_core::search::alpha_beta::StaticEvaluation;
use mcts_core::{Game, Margin};

/// Weights of the features, in half log-odds of a win; a feature is the count of the side to move
/// minus that of the opponent, unless stated otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Corners.
    pub corners: f32,
    /// Discs on cells diagonally next to an empty corner (X cells).
    pub x_cells: f32,
    /// Discs on edge cells next to an empty corner (C cells).
    pub c_cells: f32,
    /// Edge discs connected along the edge with a corner of the same side, which can never be
    /// turned.
    pub anchored: f32,
    /// Other discs on the edge.
    pub edges: f32,
    /// Legal actions, relative to those of both sides.
    pub mobility: f32,
    /// Empty cells next to a disc of the opponent, which may become legal, relative to those of
    /// both sides.
    pub potential_mobility: f32,
    /// For the side that takes the last disc if neither side passes.
    pub parity: f32,
    /// Maximum number of empty cells for which the value is exact; at most
    /// [`MOST_EMPTY`](super::MOST_EMPTY).
    pub solved_empties: u32,
    /// The solver for these positions.
    pub endgame: Endgame,
}

impl Default for Evaluation {
    /// Chosen by hand.
    fn default() -> Self {
        Evaluation {
            corners: 0.45,
            x_cells: -0.25,
            c_cells: -0.12,
            anchored: 0.1,
            edges: 0.01,
            mobility: 1.2,
            potential_mobility: 0.6,
            parity: 0.04,
            solved_empties: 9,
            endgame: Endgame::default(),
        }
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const ROW_1: u64 = 0xFF;
const ROW_8: u64 = ROW_1 << 56;
const EDGES: u64 = FILE_A | FILE_H | ROW_1 | ROW_8;

/// A corner with its adjacent cells.
struct Corner {
    corner: u64,
    x_cell: u64,
    c_cells: u64,
}

const CORNERS: [Corner; 4] = [
    Corner { corner: 1, x_cell: 1 << 9, c_cells: 1 << 1 | 1 << 8 },
    Corner { corner: 1 << 7, x_cell: 1 << 14, c_cells: 1 << 6 | 1 << 15 },
    Corner { corner: 1 << 56, x_cell: 1 << 49, c_cells: 1 << 48 | 1 << 57 },
    Corner { corner: 1 << 63, x_cell: 1 << 54, c_cells: 1 << 55 | 1 << 62 },
];

const ALL_CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;

/// All cells adjacent to those of `cells`.
fn beside(cells: u64) -> u64 {
    let row = (cells & !FILE_H) << 1 | (cells & !FILE_A) >> 1;
    let rows = cells | row;
    (row | rows << 8 | rows >> 8) & !cells
}

/// Discs of `own` on an edge that are connected along it with one of their corners.
fn anchored(own: u64) -> u64 {
    let mut connected = own & ALL_CORNERS;
    for (edge, step) in [(ROW_1, 1), (ROW_8, 1), (FILE_A, 8), (FILE_H, 8)] {
        let discs = own & edge;
        let (mut up, mut down) = (connected & edge, connected & edge);
        for _ in 0..7 {
            up |= up << step & discs;
            down |= down >> step & discs;
        }
        connected |= up | down;
    }
    connected
}

/// The difference of both sides relative to their sum.
fn relative(own: u64, opponents: u64) -> f32 {
    let (own, opponents) = (own.count_ones() as f32, opponents.count_ones() as f32);
    (own - opponents) / (own + opponents + 2.0)
}

impl Evaluation {
    /// Half the log-odds of a win for the side to move.
    #[must_use]
    pub fn half_log_odds(&self, position: &Position) -> f32 {
        let (own, opponents, empty) = (position.own(), position.opponent(), position.empty());
        let of_cells = |cells: u64| {
            (own & cells).count_ones() as f32 - (opponents & cells).count_ones() as f32
        };
        let (mut x_cells, mut c_cells) = (0, 0);
        for corner in &CORNERS {
            if empty & corner.corner != 0 {
                x_cells |= corner.x_cell;
                c_cells |= corner.c_cells;
            }
        }
        let anchored = anchored(own) | anchored(opponents);
        let mobility = relative(position.moves(), legal_cells(opponents, own));
        let potential = relative(beside(opponents) & empty, beside(own) & empty);
        let parity = if empty.count_ones() % 2 == 1 { 1.0 } else { -1.0 };
        self.corners * of_cells(ALL_CORNERS)
            + self.x_cells * of_cells(x_cells)
            + self.c_cells * of_cells(c_cells)
            + self.anchored * of_cells(anchored)
            + self.edges * of_cells(EDGES & !anchored & !c_cells)
            + self.mobility * mobility
            + self.potential_mobility * potential
            + self.parity * parity
    }
}

impl StaticEvaluation<Reversi> for Evaluation {
    fn evaluate(&mut self, _: &Reversi, position: &Position) -> f32 {
        libm::tanhf(self.half_log_odds(position))
    }

    /// Actions with few replies, and corners, come first.
    fn order(&mut self, game: &Reversi, position: &Position, action: Action, depth: u32) -> i32 {
        let corner = if action.bit() & ALL_CORNERS != 0 { 8 } else { 0 };
        if depth < 2 && position.empty().count_ones() > 20 {
            return corner;
        }
        let mut after = *position;
        game.apply(&mut after, action);
        let replies = after.moves();
        let odd = if odd_regions(position.empty()) & action.bit() != 0 { 1 } else { 0 };
        corner + odd - 2 * (replies.count_ones() + (replies & ALL_CORNERS).count_ones()) as i32
    }

    fn ending(&mut self, game: &Reversi, position: &Position, window: (f32, f32)) -> Option<f32> {
        if position.empty().count_ones() > self.solved_empties {
            return None;
        }
        let margins = margins_within(&game.margin, window);
        let margin = self.endgame.margin(position.own(), position.opponent(), margins);
        Some(game.margin.utility(margin))
    }
}

/// The largest margin below the window of utilities, and the smallest above it.
fn margins_within(margin: &Margin, (lower, upper): (f32, f32)) -> (i32, i32) {
    // utilities grow with the margin
    let first = |is_beyond: &dyn Fn(f32) -> bool| {
        let (mut below, mut beyond) = (-65, 65);
        while beyond - below > 1 {
            let middle = i32::midpoint(below, beyond);
            if is_beyond(margin.utility(middle)) { beyond = middle } else { below = middle }
        }
        beyond
    };
    (first(&|utility| utility >= lower) - 1, first(&|utility| utility > upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_utilities_is_one_of_margins() {
        let around_zero = (-1e-6, 1e-6);
        assert_eq!(margins_within(&Margin::WIN_ONLY, around_zero), (-1, 1));
        assert_eq!(margins_within(&Margin::WIN_ONLY, (1e-6, 2e-6)), (0, 1));
        assert_eq!(margins_within(&Margin::WIN_ONLY, (-1.1, 1.1)), (-65, 65));
        assert_eq!(margins_within(&Margin::linear(64.0), (9.5 / 64.0, 20.5 / 64.0)), (9, 21));
    }

    #[test]
    fn edge_discs_are_anchored_along_an_unbroken_edge_from_an_own_corner() {
        // a1 b1 c1, not e1; a2 a3; h8 up to h7
        let own = 0b10111 | 1 << 8 | 1 << 16 | 1 << 63 | 1 << 55 | 1 << 27;
        assert_eq!(anchored(own), own & !(1 << 4 | 1 << 27));
        assert_eq!(anchored(own & !1), 1 << 63 | 1 << 55);
    }
}
