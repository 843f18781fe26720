//! The board as SVG.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::rules::{COLUMNS, Position, ROWS};
use crate::svg::{BoardCell, LAST, Svg};

/// Draws a position. The number of an action is its column, from 1.
pub(super) fn draw(position: &Position, last: Option<usize>) -> String {
    let mut svg = Svg::new(COLUMNS as usize, ROWS as usize);
    svg.background("#1f4e9c");
    let (first, all) = (position.first(), position.all());
    let of = |wanted: fn(bool, bool) -> bool| {
        bits().filter(move |(bit, _)| wanted(all >> bit & 1 == 1, first >> bit & 1 == 1))
    };
    svg.discs(of(|taken, _| !taken).map(|(_, cell)| cell), 8.0, "#dfe7f5");
    svg.discs(of(|taken, first| taken && first).map(|(_, cell)| cell), 8.0, "#d92d20");
    svg.discs(of(|taken, first| taken && !first).map(|(_, cell)| cell), 8.0, "#f2c811");
    let top = |column: u32| (0..ROWS).rev().find(|row| all >> (7 * column + row) & 1 == 1);
    let column = last.and_then(|number| number.checked_sub(1)).map(|column| column as u32);
    if let Some((column, row)) = column.and_then(|column| Some((column, top(column)?))) {
        let frame = if first >> (7 * column + row) & 1 == 1 { LAST } else { "#ffffff" };
        svg.frame(place(column, row), frame);
    }
    svg.finish(|column| (column + 1).to_string(), |_| String::new(), "")
}

/// The column of an action's number.
pub(super) fn cells(number: usize) -> Vec<BoardCell> {
    let column = number.checked_sub(1).filter(|column| *column < COLUMNS as usize);
    column
        .into_iter()
        .flat_map(|column| (0..ROWS as u8).map(move |row| (column as u8, row)))
        .collect()
}

fn bits() -> impl Iterator<Item = (u32, BoardCell)> {
    (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| (7 * column + row, place(column, row))))
}

fn place(column: u32, row: u32) -> BoardCell {
    (column as u8, (ROWS - 1 - row) as u8)
}
