//! The board as SVG.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::rules::Position;
use crate::svg::{BoardCell, LAST, Svg};

/// Draws a position. The number of an action is its cell, from 1.
pub(super) fn draw(position: &Position, last: Option<usize>) -> String {
    let mut svg = Svg::new(3, 3);
    svg.background("#e8e4d8");
    svg.grid("#8d8876");
    for cell in 0..9 {
        let mark = (position.x >> cell & 1, position.o >> cell & 1);
        match mark {
            (1, _) => svg.shape(place(cell), "M2 2L8 8M8 2L2 8", "none", "#1c5fa8"),
            (_, 1) => {
                svg.discs([place(cell)], 7.0, "#c2410c");
                svg.discs([place(cell)], 5.6, "#e8e4d8");
            }
            _ => {}
        }
    }
    if let Some(cell) = last.and_then(|number| number.checked_sub(1)) {
        svg.frame(place(cell), LAST);
    }
    svg.finish(|column| (column + 1).to_string(), |row| (3 * row + 1).to_string(), "")
}

/// The cell of an action's number.
pub(super) fn cells(number: usize) -> Vec<BoardCell> {
    number.checked_sub(1).filter(|cell| *cell < 9).map(place).into_iter().collect()
}

fn place(cell: usize) -> BoardCell {
    ((cell % 3) as u8, (cell / 3) as u8)
}
