//! Tag (Pineau, Gordon and Thrun, 2003): a robot hunts an opponent whom it sees only on its own
//! cell.

mod planner;

pub use planner::TagPlanner;

use crate::game::Model;
use crate::rng::{self, SearchRng};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Columns; a cell has the index `(y + 1) * WIDTH + x`, so that there is a free row below.
const WIDTH: usize = 10;

/// Number of indices up to the free row above, including those outside the field.
const CELLS: usize = 6 * WIDTH;

/// Cells of the field.
const FIELD_CELLS: usize = 29;

/// Number of indices with both free rows, rounded up to a multiple of eight for vectors.
const LANES: usize = 80;

/// Number of indices from the first row of the field on, rounded up likewise.
const INNER: usize = 56;

/// A probability for each cell; 0 outside the field.
type Chances = [f32; LANES];

/// The field: two rows of ten cells, and three columns of three more above them.
///
/// A move has reward -1, a tag on the opponent's cell 10 and ends the run, a tag elsewhere -10. The
/// opponent stays with probability 0.2 and otherwise runs away from the robot's previous cell; both
/// are observed after they have moved.
#[derive(Debug, Clone, PartialEq)]
pub struct Tag {
    /// The target of each of the four moves, by cell.
    moves: Vec<[u8; 4]>,
    /// Probabilities that an opponent on the cell below, left, the same, right or above moves to a
    /// cell, by the robot's cell.
    arrivals: Vec<[[f32; INNER]; 5]>,
    /// The opponent's targets with their probabilities, by the robot's cell and its own.
    flights: Vec<[[(u8, f32); 5]; CELLS]>,
    /// Steps between cells.
    ways: Vec<[u8; CELLS]>,
}

/// The true state, with the robot's view.
#[derive(Debug, Clone, PartialEq)]
pub struct TagState {
    /// The robot's view.
    pub known: TagView,
    robot: u8,
    opponent: u8,
    is_over: bool,
}

/// The robot's view: its own cell, except at the start, and the probability of each cell of the
/// opponent.
#[derive(Debug, Clone, PartialEq)]
pub struct TagView {
    robot: Option<u8>,
    is_together: bool,
    chances: Chances,
}

/// One choice of the robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagAction {
    /// One cell up.
    North,
    /// One cell to the right.
    East,
    /// One cell down.
    South,
    /// One cell to the left.
    West,
    /// Tries to tag the opponent.
    Tag,
}

/// The observation of the robot after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagObservation {
    /// Its own cell, by its index `(y + 1) * 10 + x`; the opponent is not there.
    Alone(u8),
    /// The opponent is on the same cell.
    Together,
}

const MOVES: [TagAction; 4] =
    [TagAction::North, TagAction::East, TagAction::South, TagAction::West];

/// For each of [`Tag::arrivals`], the index of the cell it comes from minus that of its target,
/// plus `WIDTH`.
const FROM: [usize; 5] = [0, WIDTH - 1, WIDTH, WIDTH + 1, 2 * WIDTH];

fn is_field(cell: usize) -> bool {
    let (x, row) = (cell % WIDTH, cell / WIDTH);
    (1..=2).contains(&row) || ((3..=5).contains(&row) && (5..8).contains(&x))
}

fn field() -> impl Iterator<Item = usize> {
    (0..CELLS).filter(|cell| is_field(*cell))
}

impl Tag {
    /// The field as published.
    #[must_use]
    pub fn new() -> Self {
        let step = |from: usize, may: bool, to: usize| {
            if may && is_field(to) { to as u8 } else { from as u8 }
        };
        let moves: Vec<_> = (0..CELLS)
            .map(|from| {
                let x = from % WIDTH;
                let up = step(from, true, from + WIDTH);
                let right = step(from, x + 1 < WIDTH, from + 1);
                let down = step(from, from >= WIDTH, from.saturating_sub(WIDTH));
                let left = step(from, x > 0, from.saturating_sub(1));
                [up, right, down, left]
            })
            .collect();
        let flights: Vec<[_; CELLS]> = (0..CELLS)
            .map(|robot| core::array::from_fn(|from| flight(&moves[from], robot, from)))
            .collect();
        let arrivals = flights.iter().map(arrivals).collect();
        let ways = ways(&moves);
        Tag { moves, arrivals, flights, ways }
    }

    /// The robot's view before its first observation: uniform.
    #[must_use]
    pub fn start(&self) -> TagView {
        TagView { robot: None, is_together: false, chances: uniform() }
    }

    fn walk(&self, robot: u8, action: TagAction) -> u8 {
        match MOVES.iter().position(|way| *way == action) {
            Some(way) => self.moves[usize::from(robot)][way],
            None => robot,
        }
    }

    /// Adds the distribution of the opponent after it has run from the robot to `after`.
    #[inline]
    fn add_flight(&self, robot: u8, chances: &Chances, after: &mut Chances) {
        let after: &mut [f32; INNER] = inner_mut(after, WIDTH);
        for (shares, from) in self.arrivals[usize::from(robot)].iter().zip(FROM) {
            let sources = inner(chances, from);
            for at in 0..INNER {
                after[at] += shares[at] * sources[at];
            }
        }
    }

    /// Updates a view on a step, by Bayes' rule. If the robot met the opponent without knowing its
    /// own cell and then moved on, the view is reset, which loses information.
    fn learn(&self, view: &mut TagView, action: TagAction, seen: TagObservation) {
        let mut chances = [0.0; LANES];
        match (view.robot, seen) {
            (Some(robot), _) => self.add_flight(robot, &view.chances, &mut chances),
            (None, TagObservation::Alone(cell)) if !view.is_together => {
                for from in field().map(|from| from as u8) {
                    if self.walk(from, action) == cell {
                        self.add_flight(from, &view.chances, &mut chances);
                    }
                }
            }
            (None, _) => chances = uniform(),
        }
        view.is_together = seen == TagObservation::Together;
        match seen {
            TagObservation::Alone(cell) => {
                view.robot = Some(cell);
                chances[usize::from(cell)] = 0.0;
            }
            TagObservation::Together => {
                view.robot = view.robot.map(|robot| self.walk(robot, action));
                if let Some(robot) = view.robot {
                    chances = [0.0; LANES];
                    chances[usize::from(robot)] = 1.0;
                }
            }
        }
        normalize_into(&chances, &mut view.chances);
    }

    fn draw_flight(&self, state: &TagState, rng: &mut SearchRng) -> u8 {
        let flight = &self.flights[usize::from(state.robot)][usize::from(state.opponent)];
        let mut left = rng::unit(rng);
        let drawn = flight.iter().find(|(_, share)| {
            left -= share;
            left < 0.0
        });
        drawn.map_or(state.opponent, |(cell, _)| *cell)
    }

    fn seen(&self, state: &TagState) -> TagObservation {
        if state.robot == state.opponent {
            TagObservation::Together
        } else {
            TagObservation::Alone(state.robot)
        }
    }
}

impl Default for Tag {
    fn default() -> Self {
        Tag::new()
    }
}

/// Targets of an opponent at `from` with their probabilities: the four moves, and staying.
fn flight(moves: &[u8; 4], robot: usize, from: usize) -> [(u8, f32); 5] {
    // the probabilities of moving on (up or right) and back, by the direction from the robot to the
    // opponent
    let ways = |from: usize, robot: usize| match from.cmp(&robot) {
        Ordering::Greater => (0.4, 0.0),
        Ordering::Equal => (0.2, 0.2),
        Ordering::Less => (0.0, 0.4),
    };
    let (east, west) = ways(from % WIDTH, robot % WIDTH);
    let (north, south) = ways(from / WIDTH, robot / WIDTH);
    let [up, right, down, left] = *moves;
    [(up, north), (right, east), (down, south), (left, west), (from as u8, 0.2)]
}

/// The same moves, indexed by where they come from.
fn arrivals(flights: &[[(u8, f32); 5]; CELLS]) -> [[f32; INNER]; 5] {
    let mut arrivals = [[0.0; INNER]; 5];
    for from in field() {
        for (to, share) in flights[from].iter().map(|(to, share)| (usize::from(*to), share)) {
            let side = FROM.iter().position(|side| from + WIDTH == to + side);
            arrivals[side.expect("neighbours lie side by side")][to - WIDTH] += share;
        }
    }
    arrivals
}

fn uniform() -> Chances {
    let mut chances = [0.0; LANES];
    field().for_each(|cell| chances[cell] = 1.0 / FIELD_CELLS as f32);
    chances
}

/// Normalizes the probabilities to sum one; uniform if all are zero.
#[inline]
fn normalize_into(chances: &Chances, normalized: &mut Chances) {
    let mut sums = [0.0; 8];
    for part in chances.chunks_exact(8) {
        sums.iter_mut().zip(part).for_each(|(sum, chance)| *sum += chance);
    }
    let sum: f32 = sums.iter().sum();
    if sum > 0.0 {
        let factor = 1.0 / sum;
        normalized.iter_mut().zip(chances).for_each(|(to, chance)| *to = chance * factor);
    } else {
        *normalized = uniform();
    }
}

/// The probabilities from the index `from` on.
#[inline]
fn inner(chances: &Chances, from: usize) -> &[f32; INNER] {
    chances[from..].first_chunk().expect("as many as are left at least")
}

#[inline]
fn inner_mut(chances: &mut Chances, from: usize) -> &mut [f32; INNER] {
    chances[from..].first_chunk_mut().expect("as many as are left at least")
}

/// Samples a cell.
fn draw(chances: &Chances, rng: &mut SearchRng) -> u8 {
    let mut left = rng::unit(rng);
    let mut drawn = 0;
    for (cell, chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        drawn = cell as u8;
        left -= chance;
        if left < 0.0 {
            break;
        }
    }
    drawn
}

/// Steps between cells, by breadth-first search.
fn ways(moves: &[[u8; 4]]) -> Vec<[u8; CELLS]> {
    let from = |start: usize| {
        let mut ways = [u8::MAX; CELLS];
        ways[start] = 0;
        for steps in 0..CELLS as u8 {
            for cell in 0..CELLS {
                if ways[cell] == steps {
                    for next in moves[cell].map(usize::from) {
                        ways[next] = ways[next].min(steps + 1);
                    }
                }
            }
        }
        ways
    };
    (0..CELLS).map(from).collect()
}

impl TagState {
    /// The state with the robot and the opponent on these cells, each `(x, y)`, and a robot without
    /// information.
    #[must_use]
    pub fn new(robot: (u8, u8), opponent: (u8, u8)) -> Self {
        let cell = |(x, y): (u8, u8)| (y + 1) * WIDTH as u8 + x;
        let known = TagView { robot: None, is_together: false, chances: uniform() };
        TagState { known, robot: cell(robot), opponent: cell(opponent), is_over: false }
    }

    /// The cells of the robot and the opponent, each `(x, y)`.
    #[must_use]
    pub fn positions(&self) -> [(u8, u8); 2] {
        [self.robot, self.opponent].map(|cell| (cell % WIDTH as u8, cell / WIDTH as u8 - 1))
    }
}

impl TagView {
    /// Probability that the opponent is on the cell `(x, y)`.
    #[must_use]
    pub fn chance(&self, (x, y): (u8, u8)) -> f32 {
        self.chances[(usize::from(y) + 1) * WIDTH + usize::from(x)]
    }
}

impl Model for Tag {
    type State = TagState;
    type Action = TagAction;
    type Observation = TagObservation;
    type View = TagView;

    fn return_bounds(&self) -> (f32, f32) {
        (-200.0, 10.0)
    }

    fn is_over(&self, state: &TagState) -> bool {
        state.is_over
    }

    fn actions(&self, _: &TagState, mut visit: impl FnMut(TagAction)) {
        MOVES.into_iter().for_each(&mut visit);
        visit(TagAction::Tag);
    }

    fn step(&self, state: &mut TagState, action: TagAction, rng: &mut SearchRng) -> f32 {
        if action == TagAction::Tag && state.robot == state.opponent {
            state.is_over = true;
            return 10.0;
        }
        state.opponent = self.draw_flight(state, rng);
        state.robot = self.walk(state.robot, action);
        let seen = self.seen(state);
        self.learn(&mut state.known, action, seen);
        if action == TagAction::Tag { -10.0 } else { -1.0 }
    }

    fn observe(&self, state: &TagState, _: TagAction, _: &mut SearchRng) -> TagObservation {
        self.seen(state)
    }

    fn likelihood(&self, state: &TagState, _: TagAction, observation: &TagObservation) -> f32 {
        f32::from(u8::from(self.seen(state) == *observation))
    }

    fn observation_key(&self, observation: &TagObservation) -> u64 {
        match observation {
            TagObservation::Alone(cell) => u64::from(*cell),
            TagObservation::Together => CELLS as u64,
        }
    }

    fn grow(&self, view: &mut TagView, action: TagAction, observation: &TagObservation) {
        self.learn(view, action, *observation);
    }

    /// Exact once the robot's own cell is in its view.
    fn determinize(&self, view: &TagView, rng: &mut SearchRng) -> TagState {
        let opponent = draw(&view.chances, rng);
        let unknown = if view.is_together { opponent } else { draw(&uniform(), rng) };
        let robot = view.robot.unwrap_or(unknown);
        TagState { known: view.clone(), robot, opponent, is_over: false }
    }

    fn discount(&self) -> f32 {
        0.95
    }
}
