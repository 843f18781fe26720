//! The maze as SVG: the true world, and beside it the map that Maki is shown.

use alloc::format;
use alloc::string::String;

use super::grid::{Cell, CellSet, Direction};
use super::rules::Progress;
use super::view::Observation;
use super::world::Walker;
use crate::svg::{BoardCell, Svg};

const WALL: &str = "#3b4252";
const PASSAGE: &str = "#eceff4";
const UNKNOWN: &str = "#a7afbd";
const CANDY: &str = "#d946a0";
const MAKI: &str = "#2563eb";
const CHASER: &str = "#dc2626";

/// Draws the true world on the left and the map on the right.
pub(super) fn draw(progress: &Progress, observation: &Observation) -> String {
    let world = &progress.world;
    let size = world.maze.size;
    let right = size + 1;
    let mut svg = Svg::new(2 * usize::from(size) + 1, size.into());
    svg.fill(square(size, 0), WALL);
    svg.fill(cells(&world.maze.passages, 0), PASSAGE);
    svg.discs(cells(&world.candies, 0), 4.0, CANDY);
    walker(&mut svg, world.maki, 0, MAKI);
    walker(&mut svg, world.chaser, 0, CHASER);
    map(&mut svg, observation, right, world.maki.facing);
    let caption = format!(
        "turn {}, {} candies, footsteps {} (left: the world; right: Maki's map)",
        world.turn, progress.score, observation.footsteps
    );
    svg.finish(|_| String::new(), |_| String::new(), &caption)
}

/// Draws the map alone.
pub(super) fn draw_map(turn: u8, facing: Direction, observation: &Observation) -> String {
    let mut svg = Svg::new(observation.map.size.into(), observation.map.size.into());
    map(&mut svg, observation, 0, facing);
    let caption = format!("turn {turn}, footsteps {}", observation.footsteps);
    svg.finish(|_| String::new(), |_| String::new(), &caption)
}

fn map(svg: &mut Svg, observation: &Observation, first_column: u8, facing: Direction) {
    let map = &observation.map;
    svg.fill(square(map.size, first_column), UNKNOWN);
    svg.fill(cells(&map.memory.passages, first_column), PASSAGE);
    svg.fill(cells(&map.memory.walls, first_column), WALL);
    svg.discs(cells(&map.memory.candies, first_column), 4.0, CANDY);
    walker(svg, Walker { cell: map.maki, facing }, first_column, MAKI);
    if let Some(chaser) = map.chaser {
        svg.discs([place(chaser, first_column)], 8.0, CHASER);
    }
}

/// A disc with an arrow in the direction of view.
fn walker(svg: &mut Svg, walker: Walker, first_column: u8, colour: &str) {
    let cell = place(walker.cell, first_column);
    svg.discs([cell], 8.0, colour);
    let arrow = match walker.facing {
        Direction::Up => "M3 6.2L5 2.6L7 6.2z",
        Direction::Right => "M3.8 3L7.4 5L3.8 7z",
        Direction::Down => "M3 3.8L5 7.4L7 3.8z",
        Direction::Left => "M6.2 3L2.6 5L6.2 7z",
    };
    svg.shape(cell, arrow, "#ffffff", "none");
}

fn square(size: u8, first_column: u8) -> impl Iterator<Item = BoardCell> {
    (0..size).flat_map(move |row| (0..size).map(move |column| (first_column + column, row)))
}

fn cells(set: &CellSet, first_column: u8) -> impl Iterator<Item = BoardCell> + use<> {
    set.iter().map(move |cell| place(cell, first_column))
}

/// Rows and columns of the maze count from 1.
fn place(cell: Cell, first_column: u8) -> BoardCell {
    (first_column + cell.column() as u8 - 1, cell.row() as u8 - 1)
}
