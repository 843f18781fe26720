//! Maki's information set: everything that she has observed and done.

use alloc::vec::Vec;

use super::grid::{CellSet, Direction};
use super::memory::{Map, Memory};
use super::rules::Progress;
use super::world::Action;

/// Maki's observation at the start of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The map with her memory, herself and the chaser while in view.
    pub map: Map,
    /// The level of the footsteps, 0 to 3.
    pub footsteps: u8,
}

/// One of Maki's past turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Past {
    /// Her action.
    pub action: Action,
    /// Her observation after it.
    pub observation: Observation,
}

/// Maki's information set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Her facing at the start.
    pub first_facing: Direction,
    /// Her observation before the first action.
    pub first: Observation,
    /// Her turns since then.
    pub past: Vec<Past>,
    /// The number of her first turn.
    pub first_turn: u8,
}

impl View {
    /// The view before the first turn.
    #[must_use]
    pub fn new(first_facing: Direction, first: Observation) -> View {
        View { first_facing, first, past: Vec::new(), first_turn: 1 }
    }

    /// A view of a maze whose size alone is known.
    #[must_use]
    pub fn unseen(size: usize, facing: Direction) -> View {
        let memory = Memory::new(size);
        let corner = super::grid::Cell::new(1, 1);
        let map = Map { size: size as u8, memory, maki: corner, chaser: None };
        View::new(facing, Observation { map, footsteps: 0 })
    }

    /// The last observation.
    #[must_use]
    pub fn now(&self) -> &Observation {
        self.past.last().map_or(&self.first, |past| &past.observation)
    }

    /// Her facing.
    #[must_use]
    pub fn facing(&self) -> Direction {
        let turned = self.past.iter().rev().find_map(|past| match past.action {
            Action::Step(direction) => Some(direction),
            Action::Look | Action::Stay => None,
        });
        turned.unwrap_or(self.first_facing)
    }

    /// The current turn.
    #[must_use]
    pub fn turn(&self) -> u8 {
        self.first_turn.saturating_add(self.past.len() as u8)
    }

    /// Adds her action and the observation after it.
    pub fn grow(&mut self, action: Action, observation: Observation) {
        self.past.push(Past { action, observation });
    }

    /// Cells with unknown terrain.
    #[must_use]
    pub fn unknown(&self) -> CellSet {
        let Map { size, memory, .. } = &self.now().map;
        CellSet::square((*size).into()).difference(&memory.passages).difference(&memory.walls)
    }
}

/// Maki's observation at the start of a turn under this footstep table.
#[must_use]
pub fn observe(progress: &Progress, footsteps: &super::rules::Footsteps) -> Observation {
    Observation { map: progress.map(), footsteps: footsteps.level(progress.distance()) }
}
