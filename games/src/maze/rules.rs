//! The rules: the course of a turn, footsteps and the number of candies.
//!
//! The caller passes in the cells of reappearing candies and the acts of the chaser; nothing here
//! is random.

use super::grid::{Cell, CellSet, walking_distance};
use super::memory::{Map, Memory};
use super::vision;
use super::world::{Action, Maze, World};

/// The game ends after the chaser's acts of this turn.
pub const TURNS: u8 = 100;

/// Number of candies in a maze with `inner` inner passages: a fifth of them, rounded, at least 1 and at most
/// two fewer than `inner`.
#[must_use]
pub fn candy_count(inner: usize) -> usize {
    ((2 * inner + 5) / 10).min(inner.saturating_sub(2)).max(1)
}

/// Maps the walking distance to the chaser to a level from 0 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Footsteps {
    /// Largest distances of the loudest, the second and the third level, ascending.
    pub thresholds: [u8; 3],
    /// Whether the levels run from 0 (near) to 3 (far) instead of from 3 to 0.
    pub reversed: bool,
}

impl Footsteps {
    /// The assumed table: 3 up to distance 3, 2 up to 6, 1 up to 10, else 0.
    pub const ASSUMED: Footsteps = Footsteps { thresholds: [3, 6, 10], reversed: false };

    /// The level heard at this walking distance; `None` stands for a chaser that cannot reach Maki.
    #[inline]
    #[must_use]
    pub fn level(&self, distance: Option<u16>) -> u8 {
        let distance = distance.unwrap_or(u16::MAX);
        let passed =
            self.thresholds.iter().filter(|&&most| distance > u16::from(most)).count() as u8;
        if self.reversed { passed } else { 3 - passed }
    }
}

impl Default for Footsteps {
    fn default() -> Self {
        Footsteps::ASSUMED
    }
}

/// When Maki was caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Catch {
    /// She stepped onto the chaser's cell.
    Move,
    /// By the chaser's first act of the turn.
    FirstAct,
    /// By the chaser's second act of an even turn.
    SecondAct,
}

/// What happens next in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Maki acts.
    Maki,
    /// A candy was eaten: the next one appears.
    Respawn,
    /// The chaser acts for the first time in this turn.
    FirstAct,
    /// The chaser acts for the second time in this turn.
    SecondAct,
    /// The game is over; `None` after the last turn.
    Over(Option<Catch>),
}

/// A game in progress: the true world and Maki's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Progress {
    /// The true world; its turn is the current one.
    pub world: World,
    /// Maki's memory.
    pub memory: Memory,
    /// What happens next.
    pub phase: Phase,
    /// Candies eaten.
    pub score: u16,
    /// Whether Maki looks all around in this turn.
    looks: bool,
}

impl Progress {
    /// A game from `world`, with score 0 and a memory of the ring and the current view.
    #[must_use]
    pub fn new(world: World) -> Progress {
        let mut progress = Progress {
            world,
            memory: Memory::new(world.maze.size.into()),
            phase: Phase::Maki,
            score: 0,
            looks: false,
        };
        progress.remember();
        progress
    }

    /// Maki acts; only in [`Phase::Maki`].
    pub fn act(&mut self, action: Action) {
        debug_assert_eq!(self.phase, Phase::Maki, "it is Maki's turn to act");
        let world = &mut self.world;
        let before = world.maki.cell;
        world.maki.act(action, &world.maze.passages);
        self.looks = action == Action::Look;
        let arrived = world.maki.cell != before;
        if arrived && world.candies.contains(world.maki.cell) {
            world.candies.remove(world.maki.cell);
            self.score += 1;
            if !self.respawn_cells().is_empty() {
                self.phase = Phase::Respawn;
                return;
            }
        }
        self.finish_act();
    }

    /// Where the eaten candy can reappear: passages without Maki, chaser or candy.
    #[must_use]
    pub fn respawn_cells(&self) -> CellSet {
        let world = &self.world;
        let free = world.maze.passages.difference(&world.candies);
        free.without(world.maki.cell).without(world.chaser.cell)
    }

    /// The eaten candy reappears on one of [`respawn_cells`](Progress::respawn_cells); only in
    /// [`Phase::Respawn`].
    pub fn respawn(&mut self, cell: Cell) {
        debug_assert_eq!(self.phase, Phase::Respawn, "a candy was eaten");
        debug_assert!(self.respawn_cells().contains(cell), "the cell is free");
        self.world.candies.insert(cell);
        self.finish_act();
    }

    /// The chaser acts; only in [`Phase::FirstAct`] and [`Phase::SecondAct`].
    pub fn chase(&mut self, action: Action) {
        let world = &mut self.world;
        world.chaser.act(action, &world.maze.passages);
        let caught = world.chaser.cell == world.maki.cell;
        self.phase = match self.phase {
            Phase::FirstAct if caught => Phase::Over(Some(Catch::FirstAct)),
            Phase::FirstAct if world.turn.is_multiple_of(2) => Phase::SecondAct,
            Phase::SecondAct if caught => Phase::Over(Some(Catch::SecondAct)),
            Phase::FirstAct | Phase::SecondAct if world.turn >= TURNS => Phase::Over(None),
            Phase::FirstAct | Phase::SecondAct => {
                world.turn += 1;
                Phase::Maki
            }
            other => unreachable!("the chaser does not act in {other:?}"),
        };
    }

    /// Maki's map at the start of a turn.
    #[must_use]
    pub fn map(&self) -> Map {
        let world = &self.world;
        let chaser = world.chaser.cell;
        let in_view = vision::sees(&world.maze.passages, world.maki, chaser);
        Map {
            size: world.maze.size,
            memory: self.memory,
            maki: world.maki.cell,
            chaser: in_view.then_some(chaser),
        }
    }

    /// Walking distance between Maki and the chaser; `None` if there is no path.
    #[must_use]
    pub fn distance(&self) -> Option<u16> {
        distance(&self.world.maze, self.world.maki.cell, self.world.chaser.cell)
    }

    /// Adds her current view to the memory; on the chaser's cell she is caught.
    fn finish_act(&mut self) {
        self.remember();
        let caught = self.world.maki.cell == self.world.chaser.cell;
        self.phase = if caught { Phase::Over(Some(Catch::Move)) } else { Phase::FirstAct };
    }

    fn remember(&mut self) {
        let world = &self.world;
        let sight = if self.looks {
            vision::around(&world.maze.passages, world.maki.cell)
        } else {
            vision::ahead(&world.maze.passages, world.maki)
        };
        self.memory.note(&sight, &world.maze, &world.candies);
    }
}

fn distance(maze: &Maze, from: Cell, to: Cell) -> Option<u16> {
    walking_distance(&maze.passages, from, to)
}
