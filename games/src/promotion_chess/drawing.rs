//! The board as SVG.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::attacks::{SIDE_LENGTH, Square};
use super::notation;
use super::position::{Kind, Position, Side};
use crate::svg::{BoardCell, LAST, Svg};

/// Outlines of the pieces in a cell of ten units, in the order of [`Kind::ALL`].
const SHAPES: [&str; Kind::COUNT] = [
    "M4.6 1h.8v.8h.8v.8h-.8v.9c1-.8 2.8-.6 2.8 1 0 1-.8 1.9-1.3 2.7v1.6H3.1V7.2C2.6 6.4 1.8 5.5 1.8 4.5c0-1.6 1.8-1.8 2.8-1v-.9h-.8v-.8h.8z",
    "M1.6 2.6l1.7 2.2.6-3 1.1 2.8 1.1-2.8.6 3 1.7-2.2-.9 4.6v1.6H2.5V7.2z",
    "M2.6 1.8h1.1v.9h.8v-.9h1v.9h.8v-.9h1.1V4l-.9.7v2.2l.9.6v1.3H2.6V7.5l.9-.6V4.7L2.6 4z",
    "M5 1.2l.6.8c1.2 1 1.7 2 1.7 2.9 0 .9-.6 1.6-1.2 1.9l.4.8h1v1.2h-5V7.6h1l.4-.8C3.3 6.5 2.7 5.8 2.7 4.9c0-.9.5-1.9 1.7-2.9z",
    "M3 8.8c0-2.2 1.6-2.9 1.8-4.2L3.6 5.6l-1.2-.5C2.4 4.2 3.3 3 3.9 2.4L4 1.2l1 .9c2 .2 3 2 2.9 6.7z",
    "M5 1.9a1.5 1.5 0 0 1 1 2.6l1 3h.7v1.2H2.3V7.5H3l1-3a1.5 1.5 0 0 1 1-2.6z",
    "M5 1.4a1.6 1.6 0 1 1 0 3.2a1.6 1.6 0 1 1 0-3.2zM2.2 8.8C2.2 6.2 3.4 5 5 5s2.8 1.2 2.8 3.8z",
];

/// Draws a position; a citizen bears its level.
pub(super) fn draw(position: &Position, last: &[Square], caption: &str) -> String {
    let mut svg = Svg::new(usize::from(SIDE_LENGTH), usize::from(SIDE_LENGTH));
    svg.background("#efe3cf");
    let dark = squares().filter(|square| (square.file() + square.rank()).is_multiple_of(2));
    svg.fill(dark.map(place), "#b58863");
    for square in last {
        svg.fill([place(*square)], LAST);
    }
    for square in squares() {
        let Some((side, kind)) = position.piece_at(square) else { continue };
        let (fill, edge) =
            if side == Side::White { ("#fffdf7", "#222222") } else { ("#262626", "#f0f0f0") };
        svg.shape(place(square), SHAPES[kind.index()], fill, edge);
        if kind == Kind::Citizen {
            let ink = if side == Side::White { "#222222" } else { "#ffffff" };
            let (column, row) = place(square);
            svg.level((column, row), ink, position.level(side, square.file()));
        }
    }
    let file = |column: u32| char::from(b'a' + column as u8).to_string();
    svg.finish(file, |row| (u32::from(SIDE_LENGTH) - row).to_string(), caption)
}

/// The squares that an action names, in its order.
pub(super) fn squares_of(action: &str) -> Vec<Square> {
    action.split_whitespace().filter_map(notation::square_of_word).collect()
}

/// The same as cells.
pub(super) fn cells_of(action: &str) -> Vec<BoardCell> {
    squares_of(action).into_iter().map(place).collect()
}

fn squares() -> impl Iterator<Item = Square> {
    (0..SIDE_LENGTH)
        .rev()
        .flat_map(|rank| (0..SIDE_LENGTH).map(move |file| Square::new(file, rank)))
}

fn place(square: Square) -> BoardCell {
    (square.file(), SIDE_LENGTH - 1 - square.rank())
}
