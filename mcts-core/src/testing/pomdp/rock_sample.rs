//! RockSample (Smith and Simmons, 2004): a rover collects good rocks among bad ones and leaves to the east.

mod planner;

pub use planner::RockPlanner;

use crate::game::Model;
use crate::rng::{self, SearchRng};
use alloc::vec::Vec;

/// Maximum number of rocks.
const MOST_ROCKS: usize = 16;

/// A square of `size` by `size` cells; x grows east and y north, from 0.
///
/// A check is correct with probability `(1 + 2^(-distance / 20)) / 2`. Leaving to the east has
/// reward 10, as has sampling a good rock, which turns bad; sampling a bad one has reward -10.
/// Actions with reward -100 and no gain (leaving elsewhere, sampling without a rock) and checks of
/// known rocks are not legal here, as in the experiments of Silver and Veness (2010).
#[derive(Debug, Clone, PartialEq)]
pub struct RockSample {
    size: u8,
    start: (u8, u8),
    rocks: Vec<(u8, u8)>,
    /// The rock on each cell, by `y * size + x`.
    rock_at: Vec<Option<u8>>,
    /// Probability of a correct check, by the squared distance.
    accuracy: Vec<f32>,
}

/// The true state, with the player's view.
#[derive(Debug, Clone, PartialEq)]
pub struct RockState {
    /// The player's view.
    pub known: RockView,
    good: u32,
    heard: RockObservation,
}

/// The rover's cell, and the probability that each rock is good.
#[derive(Debug, Clone, PartialEq)]
pub struct RockView {
    x: u8,
    y: u8,
    chances: [f32; MOST_ROCKS],
}

/// One choice of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RockAction {
    /// One cell north.
    North,
    /// One cell east, or off the grid.
    East,
    /// One cell south.
    South,
    /// One cell west.
    West,
    /// Takes a sample of the rock on this cell.
    Sample,
    /// Checks this rock from a distance.
    Check(u8),
}

/// What the player sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RockObservation {
    /// Nothing: the action was not a check.
    Nothing,
    /// The rock looks good.
    Good,
    /// The rock looks bad.
    Bad,
}

impl RockSample {
    /// A problem with these rocks, each on its own cell.
    ///
    /// # Panics
    /// If there are more than 16 rocks, or one lies outside.
    #[must_use]
    pub fn new(size: u8, start: (u8, u8), rocks: &[(u8, u8)]) -> Self {
        assert!(rocks.len() <= MOST_ROCKS, "at most 16 rocks");
        let mut rock_at = alloc::vec![None; usize::from(size) * usize::from(size)];
        for (rock, (x, y)) in rocks.iter().enumerate() {
            rock_at[usize::from(*y) * usize::from(size) + usize::from(*x)] = Some(rock as u8);
        }
        let squares = 2 * usize::from(size) * usize::from(size);
        let accuracy = (0..squares)
            .map(|square| 0.5 + 0.5 * libm::exp2f(-libm::sqrtf(square as f32) / 20.0))
            .collect();
        RockSample { size, start, rocks: rocks.to_vec(), rock_at, accuracy }
    }

    /// RockSample(7,8) as commonly defined.
    #[must_use]
    pub fn size_7_rocks_8() -> Self {
        let rocks = [(2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)];
        RockSample::new(7, (0, 3), &rocks)
    }

    /// RockSample(11,11) as commonly defined.
    #[must_use]
    pub fn size_11_rocks_11() -> Self {
        let rocks = [
            (0, 3),
            (0, 7),
            (1, 8),
            (2, 4),
            (3, 3),
            (3, 8),
            (4, 3),
            (5, 8),
            (6, 1),
            (9, 3),
            (9, 9),
        ];
        RockSample::new(11, (0, 5), &rocks)
    }

    /// The player's view at the start.
    #[must_use]
    pub fn start(&self) -> RockView {
        let mut chances = [0.0; MOST_ROCKS];
        chances[..self.rocks.len()].fill(0.5);
        RockView { x: self.start.0, y: self.start.1, chances }
    }

    /// The state at the start in which exactly the rocks of these bits are good.
    #[must_use]
    pub fn state_with(&self, good: u32) -> RockState {
        RockState { known: self.start(), good, heard: RockObservation::Nothing }
    }

    fn rock_on(&self, view: &RockView) -> Option<u8> {
        self.rock_at[usize::from(view.y) * usize::from(self.size) + usize::from(view.x)]
    }

    fn accuracy(&self, view: &RockView, rock: u8) -> f32 {
        let (x, y) = self.rocks[usize::from(rock)];
        let (dx, dy) = (usize::from(x.abs_diff(view.x)), usize::from(y.abs_diff(view.y)));
        self.accuracy[dx * dx + dy * dy]
    }

    fn is_out(&self, view: &RockView) -> bool {
        view.x == self.size
    }

    /// Updates a view on a check (Bayes' rule).
    fn learn(&self, view: &mut RockView, rock: u8, looks_good: bool) {
        let accuracy = self.accuracy(view, rock);
        let chance = &mut view.chances[usize::from(rock)];
        let (if_good, if_bad) =
            if looks_good { (accuracy, 1.0 - accuracy) } else { (1.0 - accuracy, accuracy) };
        *chance = *chance * if_good / (*chance * if_good + (1.0 - *chance) * if_bad);
    }

    /// Updates a view on an action that is not a check.
    fn move_on(&self, view: &mut RockView, action: RockAction) {
        match action {
            RockAction::North => view.y += 1,
            RockAction::East => view.x += 1,
            RockAction::South => view.y -= 1,
            RockAction::West => view.x -= 1,
            RockAction::Sample => {
                if let Some(rock) = self.rock_on(view) {
                    view.chances[usize::from(rock)] = 0.0;
                }
            }
            RockAction::Check(_) => {}
        }
    }
}

impl RockState {
    /// The good rocks, a bit for each.
    #[must_use]
    pub fn good(&self) -> u32 {
        self.good
    }
}

impl RockView {
    /// The rover's cell.
    #[must_use]
    pub fn position(&self) -> (u8, u8) {
        (self.x, self.y)
    }
}

impl Model for RockSample {
    type State = RockState;
    type Action = RockAction;
    type Observation = RockObservation;
    type View = RockView;

    fn return_bounds(&self) -> (f32, f32) {
        (-200.0, 10.0 + 10.0 * self.rocks.len() as f32)
    }

    fn is_over(&self, state: &RockState) -> bool {
        self.is_out(&state.known)
    }

    fn actions(&self, state: &RockState, mut visit: impl FnMut(RockAction)) {
        let known = &state.known;
        visit(RockAction::East);
        if known.y + 1 < self.size {
            visit(RockAction::North);
        }
        if known.y > 0 {
            visit(RockAction::South);
        }
        if known.x > 0 {
            visit(RockAction::West);
        }
        if self.rock_on(known).is_some() {
            visit(RockAction::Sample);
        }
        for (rock, chance) in known.chances[..self.rocks.len()].iter().enumerate() {
            if *chance > 0.0 && *chance < 1.0 {
                visit(RockAction::Check(rock as u8));
            }
        }
    }

    fn step(&self, state: &mut RockState, action: RockAction, rng: &mut SearchRng) -> f32 {
        state.heard = RockObservation::Nothing;
        if let RockAction::Check(rock) = action {
            let is_true = rng::unit(rng) < self.accuracy(&state.known, rock);
            let looks_good = (state.good >> rock & 1 == 1) == is_true;
            self.learn(&mut state.known, rock, looks_good);
            state.heard = if looks_good { RockObservation::Good } else { RockObservation::Bad };
            return 0.0;
        }
        let rock = self.rock_on(&state.known).filter(|_| action == RockAction::Sample);
        self.move_on(&mut state.known, action);
        match rock {
            Some(rock) if state.good >> rock & 1 == 1 => {
                state.good &= !(1 << rock);
                10.0
            }
            Some(_) => -10.0,
            None if self.is_out(&state.known) => 10.0,
            None => 0.0,
        }
    }

    fn observe(&self, state: &RockState, _: RockAction, _: &mut SearchRng) -> RockObservation {
        state.heard
    }

    /// 1 if the state has the same observation, since the observation of a check is sampled with
    /// the step.
    fn likelihood(&self, state: &RockState, _: RockAction, observation: &RockObservation) -> f32 {
        f32::from(u8::from(state.heard == *observation))
    }

    fn observation_key(&self, observation: &RockObservation) -> u64 {
        *observation as u64
    }

    fn grow(&self, view: &mut RockView, action: RockAction, observation: &RockObservation) {
        match action {
            RockAction::Check(rock) => {
                self.learn(view, rock, *observation == RockObservation::Good);
            }
            action => self.move_on(view, action),
        }
    }

    /// Exact: given the observations, the rocks are independent.
    fn determinize(&self, view: &RockView, rng: &mut SearchRng) -> RockState {
        let mut good = 0;
        for (rock, chance) in view.chances[..self.rocks.len()].iter().enumerate() {
            good |= u32::from(rng::unit(rng) < *chance) << rock;
        }
        RockState { known: view.clone(), good, heard: RockObservation::Nothing }
    }

    fn discount(&self) -> f32 {
        0.95
    }
}
