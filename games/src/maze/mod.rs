//! Maki's Candy: Maki collects candies in a maze that she sees only in part, hunted by a chaser.

pub mod belief;
pub mod capture;
pub mod chaser;
#[cfg(feature = "conformance")]
pub mod conformance;
mod drawing;
mod entry;
pub mod generator;
pub mod grid;
pub mod memory;
mod notation;
pub mod protocol;
pub mod rules;
pub mod terrain;
pub mod view;
pub mod vision;
pub mod world;

pub use chaser::{Chaser, Policy};
pub use entry::ENTRY;
pub use grid::{Cell, CellSet, Direction};
pub use protocol::{MazeClient, MazeJudge, Setting};
pub use rules::{Footsteps, Progress};
pub use view::{Observation, View};
pub use world::{Action, Maze, Walker, World};

use mcts_core::{Game, SearchRng, Turn, Utilities, rng};

use chaser::Choice;
use rules::Phase;

/// The maze as a [`Game`] of one player with full information: reappearing candies and the chaser
/// are chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MazeGame {
    /// The start of the game.
    pub start: World,
    /// The chaser's policy.
    pub policy: Policy,
}

/// A game in progress with the internal state of the chaser.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// The true world.
    pub progress: Progress,
    /// The chaser's internal state.
    pub chaser: Chaser,
}

/// An action of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// Maki acts.
    Maki(Action),
    /// The eaten candy reappears here.
    Respawn(Cell),
    /// The chaser acts.
    Chaser(Choice),
}

impl Game for MazeGame {
    type State = State;
    type Action = Event;

    const PLAYERS: usize = 1;
    const ZERO_SUM: bool = false;
    /// A candy has utility 1; at most one is eaten in a turn.
    const UTILITY_BOUNDS: (f32, f32) = (0.0, rules::TURNS as f32);
    const HAS_REWARDS: bool = true;

    fn start(&self) -> State {
        State { progress: Progress::new(self.start), chaser: Chaser::new(self.policy) }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.progress.phase {
            Phase::Maki => Turn::Player(mcts_core::Player::FIRST),
            Phase::Respawn | Phase::FirstAct | Phase::SecondAct => Turn::Chance,
            Phase::Over(_) => Turn::Over(Utilities::ZERO),
        }
    }

    fn actions(&self, state: &State, mut visit: impl FnMut(Event)) {
        match state.progress.phase {
            Phase::Maki => Action::ALL.into_iter().for_each(|action| visit(Event::Maki(action))),
            Phase::Respawn => {
                state.progress.respawn_cells().iter().for_each(|cell| visit(Event::Respawn(cell)));
            }
            Phase::FirstAct | Phase::SecondAct => {
                state
                    .chaser
                    .choices(&state.progress.world, |choice, _| visit(Event::Chaser(choice)));
            }
            Phase::Over(_) => {}
        }
    }

    fn apply(&self, state: &mut State, event: Event) {
        match event {
            Event::Maki(action) => state.progress.act(action),
            Event::Respawn(cell) => state.progress.respawn(cell),
            Event::Chaser(choice) => {
                state.progress.chase(choice.action);
                state.chaser.acted(choice, &state.progress.world);
            }
        }
    }

    fn apply_with_rewards(&self, state: &mut State, event: Event) -> Utilities {
        let before = state.progress.score;
        self.apply(state, event);
        Utilities::single(f32::from(state.progress.score - before))
    }

    fn action_index(&self, event: Event) -> Option<usize> {
        match event {
            Event::Maki(action) => Some(action.index()),
            Event::Respawn(_) | Event::Chaser(_) => None,
        }
    }

    fn action_indices(&self) -> usize {
        Action::ALL.len()
    }

    fn outcomes(&self, state: &State, mut visit: impl FnMut(Event, f32)) {
        if state.progress.phase == Phase::Respawn {
            let cells = state.progress.respawn_cells();
            let share = 1.0 / cells.len() as f32;
            cells.iter().for_each(|cell| visit(Event::Respawn(cell), share));
        } else {
            let world = &state.progress.world;
            state.chaser.choices(world, |choice, share| visit(Event::Chaser(choice), share));
        }
    }

    fn random_outcome(&self, state: &State, rng: &mut SearchRng) -> Event {
        if state.progress.phase == Phase::Respawn {
            let cells = state.progress.respawn_cells();
            let drawn = cells.nth(rng::below(rng, cells.len()));
            Event::Respawn(drawn.expect("a candy reappears only where there is room"))
        } else {
            Event::Chaser(state.chaser.draw(&state.progress.world, rng))
        }
    }
}
