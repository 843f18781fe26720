//! SVG text of boards: cells are ten units wide, and the board's top left corner is the origin.

use alloc::format;
use alloc::string::String;
use core::fmt::{Display, Write as _};

/// Units of a cell.
pub(crate) const CELL: u32 = 10;

/// The colour that marks the last action.
pub(crate) const LAST: &str = "#f4c20d";

/// A column and a row of a board, both from 0 at the top left.
pub type BoardCell = (u8, u8);

/// A picture under construction.
#[derive(Debug)]
pub(crate) struct Svg {
    columns: u32,
    rows: u32,
    body: String,
}

impl Svg {
    pub(crate) fn new(columns: usize, rows: usize) -> Svg {
        Svg { columns: columns as u32, rows: rows as u32, body: String::new() }
    }

    /// Fills the whole board.
    pub(crate) fn background(&mut self, colour: &str) {
        let (width, height) = (self.columns * CELL, self.rows * CELL);
        let _ = write!(
            self.body,
            r#"<rect width="{width}" height="{height}" rx="1" fill="{colour}"/>"#
        );
    }

    /// Lines between the cells.
    pub(crate) fn grid(&mut self, colour: &str) {
        let (width, height) = (self.columns * CELL, self.rows * CELL);
        let mut path = String::new();
        for column in 1..self.columns {
            let _ = write!(path, "M{} 0v{height}", column * CELL);
        }
        for row in 1..self.rows {
            let _ = write!(path, "M0 {}h{width}", row * CELL);
        }
        let _ = write!(self.body, r#"<path d="{path}" stroke="{colour}" stroke-width=".3"/>"#);
    }

    /// Fills cells with a colour; neighbours in a row become one rectangle.
    pub(crate) fn fill(&mut self, cells: impl IntoIterator<Item = BoardCell>, colour: &str) {
        let mut path = String::new();
        let mut run: Option<(BoardCell, u32)> = None;
        for (column, row) in cells {
            run = match run {
                Some(((from, of_row), width))
                    if of_row == row && u32::from(from) + width == u32::from(column) =>
                {
                    Some(((from, row), width + 1))
                }
                before => {
                    push_run(&mut path, before);
                    Some(((column, row), 1))
                }
            };
        }
        push_run(&mut path, run);
        if !path.is_empty() {
            let _ = write!(self.body, r#"<path fill="{colour}" d="{path}"/>"#);
        }
    }

    /// Discs in the middle of cells.
    pub(crate) fn discs(
        &mut self,
        cells: impl IntoIterator<Item = BoardCell>,
        diameter: f32,
        colour: &str,
    ) {
        let mut path = String::new();
        for (column, row) in cells {
            let (x, y) = middle((column, row));
            let _ = write!(path, "M{x} {y}h0");
        }
        if !path.is_empty() {
            let _ = write!(
                self.body,
                r#"<path stroke-linecap="round" stroke-width="{diameter}" stroke="{colour}" d="{path}"/>"#
            );
        }
    }

    /// A line along a path, in units.
    pub(crate) fn line(&mut self, path: &str, width: f32, colour: &str) {
        let _ = write!(
            self.body,
            r#"<path fill="none" stroke-linecap="round" stroke-width="{width}" stroke="{colour}" d="{path}"/>"#
        );
    }

    /// A filled shape given within a cell's ten units.
    pub(crate) fn shape(&mut self, (column, row): BoardCell, path: &str, fill: &str, edge: &str) {
        let (x, y) = (u32::from(column) * CELL, u32::from(row) * CELL);
        let _ = write!(
            self.body,
            r#"<path transform="translate({x} {y})" fill="{fill}" stroke="{edge}" stroke-width=".4" stroke-linejoin="round" d="{path}"/>"#
        );
    }

    /// Frames a cell.
    pub(crate) fn frame(&mut self, (column, row): BoardCell, colour: &str) {
        let (x, y) = (u32::from(column) * CELL, u32::from(row) * CELL);
        let _ =
            write!(self.body, r#"<path fill="none" stroke="{colour}" d="M{x}.5 {y}.5h9v9h-9z"/>"#);
    }

    /// A short text in the middle of a cell.
    pub(crate) fn label(&mut self, cell: BoardCell, size: f32, colour: &str, text: impl Display) {
        let (x, y) = middle(cell);
        let y = y as f32 + size * 0.36;
        let text = escaped(&format!("{text}"));
        let _ = write!(
            self.body,
            r#"<text x="{x}" y="{y:.1}" font-size="{size}" fill="{colour}">{text}</text>"#
        );
    }

    /// A citizen's level, in the lower part of a cell.
    pub(crate) fn level(&mut self, (column, row): BoardCell, colour: &str, level: u8) {
        let (x, y) = (u32::from(column) * CELL + CELL / 2, u32::from(row) * CELL + 8);
        let _ = write!(
            self.body,
            r#"<text x="{x}" y="{y}.2" font-size="3" fill="{colour}">{level}</text>"#
        );
    }

    /// The picture, with the names of columns and rows around the board and a caption below.
    pub(crate) fn finish(
        mut self,
        columns: impl Fn(u32) -> String,
        rows: impl Fn(u32) -> String,
        caption: &str,
    ) -> String {
        let (width, height) = (self.columns * CELL, self.rows * CELL);
        let _ = write!(self.body, r##"<g font-size="3.2" fill="#888">"##);
        for column in 0..self.columns {
            let name = escaped(&columns(column));
            if !name.is_empty() {
                let x = column * CELL + CELL / 2;
                let _ = write!(self.body, r#"<text x="{x}" y="-1.5">{name}</text>"#);
            }
        }
        for row in 0..self.rows {
            let name = escaped(&rows(row));
            if !name.is_empty() {
                let y = row * CELL + CELL / 2 + 1;
                let _ = write!(self.body, r#"<text x="-3" y="{y}">{name}</text>"#);
            }
        }
        let caption = escaped(caption);
        let (middle, below) = (width / 2, height + 6);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 {} {}" text-anchor="middle" font-family="sans-serif" role="img" aria-label="{caption}">{}<text x="{middle}" y="{below}" font-size="4.5">{caption}</text></g></svg>"#,
            width + 8,
            height + 15,
            self.body
        )
    }
}

fn push_run(path: &mut String, run: Option<(BoardCell, u32)>) {
    if let Some(((column, row), width)) = run {
        let (x, y, width) = (u32::from(column) * CELL, u32::from(row) * CELL, width * CELL);
        let _ = write!(path, "M{x} {y}h{width}v10h-{width}z");
    }
}

/// The middle of a cell, in units.
pub(crate) fn middle((column, row): BoardCell) -> (u32, u32) {
    (u32::from(column) * CELL + CELL / 2, u32::from(row) * CELL + CELL / 2)
}

/// Text without the characters that have a meaning in XML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_a_row_are_one_rectangle_and_others_are_not() {
        let mut svg = Svg::new(3, 2);
        svg.fill([(0, 0), (1, 0), (2, 1)], "red");
        assert_eq!(svg.body, r#"<path fill="red" d="M0 0h20v10h-20zM20 10h10v10h-10z"/>"#);
    }

    #[test]
    fn a_caption_cannot_leave_its_element() {
        let text = Svg::new(1, 1).finish(|_| String::new(), |_| String::new(), "<b>\"&");
        assert!(text.contains(r#"aria-label="&lt;b&gt;&quot;&amp;""#), "{text}");
        assert!(!text.contains("<b>"), "{text}");
    }
}
