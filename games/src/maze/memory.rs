//! What Maki remembers of the maze, and the map that she is shown.

use super::grid::{Cell, CellSet};
use super::vision::Sight;
use super::world::Maze;

/// Terrain and candy once seen.
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
    /// What is known before the first look: that the outer ring is passage.
    #[must_use]
    pub fn new(size: usize) -> Memory {
        Memory { passages: CellSet::ring(size), walls: CellSet::EMPTY, candies: CellSet::EMPTY }
    }

    /// Takes in one look at the true maze and its candies.
    ///
    /// Where only the terrain is seen, what was known of candy stays.
    pub fn note(&mut self, sight: &Sight, maze: &Maze, candies: &CellSet) {
        let seen = sight.terrain.intersection(&CellSet::square(maze.size.into()));
        self.passages = self.passages.union(&seen.intersection(&maze.passages));
        self.walls = self.walls.union(&seen.difference(&maze.passages));
        let candies_seen = sight.contents.intersection(candies);
        self.candies = self.candies.difference(&sight.contents).union(&candies_seen);
    }
}

/// The map that Maki is shown: her memory, herself, and the chaser while in view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Map {
    /// Number of rows and columns.
    pub size: u8,
    /// What she remembers.
    pub memory: Memory,
    /// Where she is.
    pub maki: Cell,
    /// Where she sees the chaser now.
    pub chaser: Option<Cell>,
}
