//! Maki's memory of the maze, and the map in her observation.

use super::grid::{Cell, CellSet};
use super::vision::Sight;
use super::world::Maze;

/// Terrain and candies that were seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Cells known to be passages.
    pub passages: CellSet,
    /// Cells known to be walls.
    pub walls: CellSet,
    /// Passages that held a candy when their contents were last seen.
    pub candies: CellSet,
}

impl Memory {
    /// The memory before the first look: only the outer ring is known, as passages.
    #[must_use]
    pub fn new(size: usize) -> Memory {
        Memory { passages: CellSet::ring(size), walls: CellSet::EMPTY, candies: CellSet::EMPTY }
    }

    /// Adds one look at the true maze and its candies.
    ///
    /// Where only the terrain is seen, the memory of candies is unchanged.
    pub fn note(&mut self, sight: &Sight, maze: &Maze, candies: &CellSet) {
        let seen = sight.terrain.intersection(&CellSet::square(maze.size.into()));
        self.passages = self.passages.union(&seen.intersection(&maze.passages));
        self.walls = self.walls.union(&seen.difference(&maze.passages));
        let candies_seen = sight.contents.intersection(candies);
        self.candies = self.candies.difference(&sight.contents).union(&candies_seen);
    }
}

/// The map in Maki's observation: her memory, her position, and the chaser while in view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Map {
    /// Number of rows and columns.
    pub size: u8,
    /// Her memory.
    pub memory: Memory,
    /// Her cell.
    pub maki: Cell,
    /// The cell of the chaser, if she sees it.
    pub chaser: Option<Cell>,
}
