//! Text forms, both directions: actions, the map in Maki's observation, worlds.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::grid::{Cell, CellSet, Direction, MAX_SIZE, MIN_SIZE};
use super::memory::{Map, Memory};
use super::rules::TURNS;
use super::world::{Action, Maze, Walker, World};
use crate::notation::{NotationError, Reader};

/// Unknown (not in worlds), wall, passage, Maki, candy, chaser, chaser on a candy.
///
/// The meanings of the symbols are **assumed**.
const SYMBOLS: &str = "?#.PCHX";

const ACTIONS: &str = "URDLOS";
const DIRECTIONS: &str = "URDL";

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.index();
        f.write_str(&ACTIONS[at..=at])
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let mut reader = Reader::new(text);
        let action = Action::ALL[reader.one_of(ACTIONS)?];
        reader.end()?;
        Ok(action)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Action::Step(*self).fmt(f)
    }
}

impl FromStr for Direction {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Direction, NotationError> {
        let mut reader = Reader::new(text);
        let direction = read_direction(&mut reader)?;
        reader.end()?;
        Ok(direction)
    }
}

impl fmt::Display for World {
    /// The map lines, then `facing turn chaser_facing`, without a line feed at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = Memory {
            passages: self.maze.passages,
            walls: self.maze.walls(),
            candies: self.candies,
        };
        let (maki, chaser) = (self.maki.cell, Some(self.chaser.cell));
        let map = Map { size: self.maze.size, memory, maki, chaser };
        write!(f, "{map}\n{} {} {}", self.maki.facing, self.turn, self.chaser.facing)
    }
}

impl FromStr for World {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<World, NotationError> {
        let mut reader = Reader::new(text);
        let size = size_of(text)?;
        let map = read_map(&mut reader, size, &SYMBOLS[1..])?;
        reader.literal("\n")?;
        let chaser =
            map.chaser.ok_or_else(|| reader.error("rows with one \"H\" or \"X\" before"))?;
        let facing = read_direction(&mut reader)?;
        reader.literal(" ")?;
        let place = reader.clone();
        let turn = u8::try_from(reader.number()?).ok().filter(|turn| (1..=TURNS).contains(turn));
        let turn = turn.ok_or_else(|| place.error(&format!("a turn from 1 to {TURNS}")))?;
        reader.literal(" ")?;
        let chaser_facing = read_direction(&mut reader)?;
        reader.end()?;
        Ok(World {
            maze: Maze { size: map.size, passages: map.memory.passages },
            candies: map.memory.candies,
            maki: Walker { cell: map.maki, facing },
            chaser: Walker { cell: chaser, facing: chaser_facing },
            turn,
        })
    }
}

impl Map {
    /// One row of Maki's map, counted from 1.
    #[must_use]
    pub fn row(&self, row: usize) -> String {
        (1..=self.size.into()).map(|column| self.symbol(Cell::new(row, column))).collect()
    }

    fn symbol(&self, cell: Cell) -> char {
        let candy = self.memory.candies.contains(cell);
        let chaser = self.chaser == Some(cell);
        if cell == self.maki {
            'P'
        } else if chaser {
            if candy { 'X' } else { 'H' }
        } else if candy {
            'C'
        } else if self.memory.passages.contains(cell) {
            '.'
        } else if self.memory.walls.contains(cell) {
            '#'
        } else {
            '?'
        }
    }
}

impl fmt::Display for Map {
    /// The rows with line feeds between them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 1..=self.size.into() {
            let line_feed = if row == 1 { "" } else { "\n" };
            write!(f, "{line_feed}{}", self.row(row))?;
        }
        Ok(())
    }
}

impl FromStr for Map {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Map, NotationError> {
        let mut reader = Reader::new(text);
        let map = read_map(&mut reader, size_of(text)?, SYMBOLS)?;
        reader.end()?;
        Ok(map)
    }
}

/// Whether `text` could be a row of Maki's map.
pub(super) fn is_map_row(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|found| SYMBOLS.contains(found))
}

fn read_direction(reader: &mut Reader<'_>) -> Result<Direction, NotationError> {
    Ok(Direction::ALL[reader.one_of(DIRECTIONS)?])
}

/// The length of the first line, if it is a valid size.
fn size_of(text: &str) -> Result<usize, NotationError> {
    let columns = text.chars().take_while(|&found| found != '\n').count();
    if (MIN_SIZE..=MAX_SIZE).contains(&columns) {
        return Ok(columns);
    }
    let expected = format!("a first row of {MIN_SIZE} to {MAX_SIZE} cells, not {columns}");
    Err(NotationError { at: 1, expected, found: text.chars().next() })
}

fn read_map(reader: &mut Reader<'_>, size: usize, symbols: &str) -> Result<Map, NotationError> {
    let ring = CellSet::ring(size);
    let mut memory =
        Memory { passages: CellSet::EMPTY, walls: CellSet::EMPTY, candies: CellSet::EMPTY };
    let (mut maki, mut chaser) = (None, None);
    for row in 1..=size {
        if row > 1 {
            reader.literal("\n")?;
        }
        for column in 1..=size {
            let cell = Cell::new(row, column);
            let place = reader.clone();
            let wrong = |expected| Err(place.error(&format!("{expected} at {cell}")));
            let symbol = symbols.as_bytes()[reader.one_of(symbols)?];
            match symbol {
                b'?' | b'#' if ring.contains(cell) => return wrong("a passage of the outer ring"),
                b'P' if maki.replace(cell).is_some() => return wrong("only one \"P\", no second"),
                b'H' | b'X' if chaser.replace(cell).is_some() => {
                    return wrong("only one \"H\" or \"X\", no second");
                }
                b'#' => memory.walls.insert(cell),
                b'?' => {}
                _ => memory.passages.insert(cell),
            }
            if symbol == b'C' || symbol == b'X' {
                memory.candies.insert(cell);
            }
        }
    }
    let maki = maki.ok_or_else(|| reader.error("rows with one \"P\" before"))?;
    Ok(Map { size: size as u8, memory, maki, chaser })
}
