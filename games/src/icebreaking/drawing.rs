//! The board as SVG: points on the ice, the regions of connected ice outlined, cells in the colours of their takers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::Diagram;
use super::rules::{Cell, Content, Side};
use crate::svg::{BoardCell, CELL, LAST, Svg};

/// The colours of cells that A and B took.
const TAKEN: [&str; 2] = ["#2563eb", "#ea7317"];

/// The colours of ice, by its points from -2.
const ICE: [&str; 5] = ["#f3c6c6", "#f6e2de", "#eef4f8", "#d3e8f4", "#abd5ee"];

/// Draws a position.
pub(super) fn draw(diagram: &Diagram, last: Option<Cell>, score: &str) -> String {
    let Diagram { board, position } = diagram;
    let content = |cell: Cell| position.content(board, cell);
    let mut svg = Svg::new(9, 9);
    svg.background("#31424f");
    for side in [Side::A, Side::B] {
        let taken = Cell::all().filter(|cell| content(*cell) == Content::Taken(side));
        svg.fill(taken.map(place), TAKEN[side as usize]);
    }
    let points = |cell: Cell| board.score(cell).unwrap_or(0);
    for (points_here, colour) in (-2..).zip(ICE) {
        let ice = Cell::all()
            .filter(|cell| content(*cell) == Content::Ice && points(*cell) == points_here);
        svg.fill(ice.map(place), colour);
    }
    svg.grid("#31424f");
    svg.line(&outlines(|cell| content(cell) == Content::Ice), 0.9, "#0b3a5b");
    for cell in Cell::all().filter(|cell| content(*cell) == Content::Ice) {
        svg.label(place(cell), 4.6, "#0b2a3f", points(cell));
    }
    if let Some(cell) = last {
        svg.frame(place(cell), LAST);
    }
    let caption = format!("{score} (blue to orange)");
    svg.finish(|column| column.to_string(), |row| row.to_string(), &caption)
}

/// The cell of an action.
pub(super) fn cells_of(cell: Cell) -> Vec<BoardCell> {
    [place(cell)].to_vec()
}

/// The edges between ice and everything else.
fn outlines(is_ice: impl Fn(Cell) -> bool) -> String {
    let mut path = String::new();
    let ice_at = |row: i32, column: i32| Cell::at(row, column).is_some_and(&is_ice);
    for row in 0..=9 {
        for column in 0..=9 {
            let here = ice_at(row, column);
            let (x, y) = (column * CELL as i32, row * CELL as i32);
            if here != ice_at(row - 1, column) {
                let _ = write!(path, "M{x} {y}h10");
            }
            if here != ice_at(row, column - 1) {
                let _ = write!(path, "M{x} {y}v10");
            }
        }
    }
    path
}

fn place(cell: Cell) -> BoardCell {
    (cell.column(), cell.row())
}
