//! The tiger problem (Kaelbling, Littman and Cassandra, 1998, section 5.1).

use crate::game::{ExplicitModel, Model};
use crate::rng::{self, SearchRng};

/// A tiger is behind one of two doors. Opening the other one has reward 10, opening the tiger's
/// -100, and both reset the problem; listening has reward -1 and is correct with probability 0.85.
/// The discount is 0.95.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tiger;

/// A door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TigerDoor {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// One choice of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TigerAction {
    /// Listens for the tiger.
    Listen,
    /// Opens this door.
    Open(TigerDoor),
}

impl Model for Tiger {
    type State = TigerDoor;
    type Action = TigerAction;
    type Observation = TigerDoor;
    /// The number of times heard on the left minus the number of times heard on the right, since
    /// the last door was opened.
    type View = i32;

    fn return_bounds(&self) -> (f32, f32) {
        (-2000.0, 200.0)
    }

    fn is_over(&self, _: &TigerDoor) -> bool {
        false
    }

    fn actions(&self, _: &TigerDoor, mut visit: impl FnMut(TigerAction)) {
        visit(TigerAction::Listen);
        visit(TigerAction::Open(TigerDoor::Left));
        visit(TigerAction::Open(TigerDoor::Right));
    }

    fn step(&self, tiger: &mut TigerDoor, action: TigerAction, rng: &mut SearchRng) -> f32 {
        let TigerAction::Open(door) = action else { return -1.0 };
        let reward = if door == *tiger { -100.0 } else { 10.0 };
        *tiger = [TigerDoor::Left, TigerDoor::Right][rng::below(rng, 2)];
        reward
    }

    fn observe(&self, tiger: &TigerDoor, action: TigerAction, rng: &mut SearchRng) -> TigerDoor {
        let left = self.likelihood(tiger, action, &TigerDoor::Left);
        if rng::unit(rng) < left { TigerDoor::Left } else { TigerDoor::Right }
    }

    fn likelihood(&self, tiger: &TigerDoor, action: TigerAction, heard: &TigerDoor) -> f32 {
        match action {
            TigerAction::Listen if heard == tiger => 0.85,
            TigerAction::Listen => 0.15,
            TigerAction::Open(_) => 0.5,
        }
    }

    fn observation_key(&self, heard: &TigerDoor) -> u64 {
        *heard as u64
    }

    fn grow(&self, view: &mut i32, action: TigerAction, heard: &TigerDoor) {
        match action {
            TigerAction::Open(_) => *view = 0,
            TigerAction::Listen => *view += if *heard == TigerDoor::Left { 1 } else { -1 },
        }
    }

    fn determinize(&self, view: &i32, rng: &mut SearchRng) -> TigerDoor {
        let odds = libm::powf(0.85 / 0.15, *view as f32);
        let is_left = rng::unit(rng) < odds / (1.0 + odds);
        if is_left { TigerDoor::Left } else { TigerDoor::Right }
    }

    fn discount(&self) -> f32 {
        0.95
    }
}

impl ExplicitModel for Tiger {
    fn successors(
        &self,
        tiger: &TigerDoor,
        action: TigerAction,
        mut visit: impl FnMut(TigerDoor, f32),
    ) {
        if action == TigerAction::Listen {
            visit(*tiger, 1.0);
        } else {
            visit(TigerDoor::Left, 0.5);
            visit(TigerDoor::Right, 0.5);
        }
    }
}
