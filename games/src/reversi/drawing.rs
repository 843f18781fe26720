//! The board as SVG.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::rules::{Action, CELLS, Position, Side};
use crate::svg::{BoardCell, LAST, Svg};

/// Draws a position; the discs that the last action turned are dotted.
pub(super) fn draw(position: &Position, last: Option<Action>, turned: u64, score: &str) -> String {
    let mut svg = Svg::new(8, 8);
    svg.background("#2e7d4f");
    svg.grid("#1d5435");
    svg.discs(cells(position.discs(Side::Black)), 8.2, "#151515");
    svg.discs(cells(position.discs(Side::White)), 8.2, "#f5f5f0");
    svg.discs(cells(turned), 1.6, "#8a8a8a");
    if let Some(cell) = last.and_then(Action::cell) {
        svg.frame(place(cell), LAST);
    }
    svg.finish(|column| (column + 1).to_string(), |row| (row + 1).to_string(), score)
}

/// The cell of an action.
pub(super) fn cells_of(action: Action) -> Vec<BoardCell> {
    action.cell().map(place).into_iter().collect()
}

fn place(cell: u32) -> BoardCell {
    ((cell % 8) as u8, (cell / 8) as u8)
}

fn cells(bits: u64) -> impl Iterator<Item = BoardCell> {
    (0..CELLS as u32).filter(move |cell| bits >> cell & 1 == 1).map(place)
}
