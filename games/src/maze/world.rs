//! The true maze and the positions in it.

use super::grid::{Cell, CellSet, Direction};

/// The walls of a maze.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Maze {
    /// Number of rows and columns, [`MIN_SIZE`](super::grid::MIN_SIZE) to [`MAX_SIZE`](super::grid::MAX_SIZE).
    pub size: u8,
    /// The passages; the whole outer ring is among them.
    pub passages: CellSet,
}

impl Maze {
    /// The passages that are not on the outer ring.
    #[must_use]
    pub fn inner_passages(&self) -> CellSet {
        self.passages.intersection(&CellSet::inner(self.size.into()))
    }

    /// All cells that are not passages.
    #[must_use]
    pub fn walls(&self) -> CellSet {
        CellSet::square(self.size.into()).difference(&self.passages)
    }
}

/// A walker on a passage with a facing: Maki or the chaser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Walker {
    /// The cell.
    pub cell: Cell,
    /// The direction of sight.
    pub facing: Direction,
}

impl Walker {
    /// Turns and steps by `action`; against a wall or the edge only the facing changes.
    #[inline]
    pub fn act(&mut self, action: Action, passages: &CellSet) {
        if let Action::Step(direction) = action {
            self.facing = direction;
            let to = self.cell.step(direction);
            if passages.contains(to) {
                self.cell = to;
            }
        }
    }
}

/// An action of Maki or the chaser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Face this way, then step there if it is a passage.
    Step(Direction),
    /// Look all around; position and facing stay.
    Look,
    /// Wait.
    Stay,
}

impl Action {
    /// All actions, in the order `U R D L O S`.
    pub const ALL: [Action; 6] = [
        Action::Step(Direction::Up),
        Action::Step(Direction::Right),
        Action::Step(Direction::Down),
        Action::Step(Direction::Left),
        Action::Look,
        Action::Stay,
    ];

    /// The index of the action in [`Action::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Action::Step(direction) => direction as usize,
            Action::Look => 4,
            Action::Stay => 5,
        }
    }
}

/// The complete state at the start of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct World {
    /// The walls and passages.
    pub maze: Maze,
    /// Passages with a candy; never Maki's own.
    pub candies: CellSet,
    /// Maki.
    pub maki: Walker,
    /// The chaser; at the start of a turn not on Maki's cell.
    pub chaser: Walker,
    /// The next turn, counted from 1.
    pub turn: u8,
}
