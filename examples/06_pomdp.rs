//! How does one player act in a world that she does not see? By a belief. A tiger is behind one of
//! two doors and a treasure behind the other; listening costs 1 and errs in 15 of 100 cases
//! (Kaelbling, Littman and Cassandra, 1998).
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use mcts_core::belief::Particles;
use mcts_core::search::Exploration;
use mcts_core::{Budget, Model, Pomcp, Search, SearchRng, Uniform, rng};

#[derive(Debug, Clone, Copy)]
struct Tiger;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Doors {
    tiger_is_left: bool,
    opened: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Listen,
    OpenLeft,
    OpenRight,
}

impl Model for Tiger {
    type State = Doors;
    type Action = Action;
    /// Whether the tiger was heard on the left.
    type Observation = bool;
    /// The number of times heard on the left minus the number of times heard on the right.
    type View = i32;

    fn return_bounds(&self) -> (f32, f32) {
        (-120.0, 10.0)
    }
    fn is_over(&self, doors: &Doors) -> bool {
        doors.opened
    }
    fn actions(&self, _: &Doors, visit: impl FnMut(Action)) {
        [Action::Listen, Action::OpenLeft, Action::OpenRight].into_iter().for_each(visit);
    }
    fn step(&self, doors: &mut Doors, action: Action, _: &mut SearchRng) -> f32 {
        doors.opened = action != Action::Listen;
        match action {
            Action::Listen => -1.0,
            _ if (action == Action::OpenLeft) == doors.tiger_is_left => -100.0,
            _ => 10.0,
        }
    }
    fn observe(&self, doors: &Doors, action: Action, rng: &mut SearchRng) -> bool {
        rng::unit(rng) < self.likelihood(doors, action, &true)
    }
    fn likelihood(&self, doors: &Doors, action: Action, heard_left: &bool) -> f32 {
        match action {
            Action::Listen if *heard_left == doors.tiger_is_left => 0.85,
            Action::Listen => 0.15,
            _ => 0.5,
        }
    }
    fn observation_key(&self, heard_left: &bool) -> u64 {
        u64::from(*heard_left)
    }
    fn grow(&self, heard: &mut i32, action: Action, heard_left: &bool) {
        if action == Action::Listen {
            *heard += if *heard_left { 1 } else { -1 };
        }
    }
    fn determinize(&self, heard: &i32, rng: &mut SearchRng) -> Doors {
        let odds = (0.85f32 / 0.15).powi(*heard);
        Doors { tiger_is_left: rng::unit(rng) < odds / (1.0 + odds), opened: false }
    }
    fn discount(&self) -> f32 {
        0.95
    }
}

fn main() {
    let parts = Pomcp { exploration: Exploration::Returns(60.0), ..Pomcp::<Uniform>::default() };
    let belief = Particles::new(&Tiger, 0, 2_000, 100, &mut rng::stream(1, 0));
    let mut search = parts.search(Tiger, belief, 1);
    // One noise is not enough to act on; two from the same side are.
    for expected in [Action::Listen, Action::Listen, Action::OpenRight] {
        let report = search.run(&(), &Budget::playouts(20_000)).expect("the doors are closed");
        println!("{:?}, worth {:.2?}", report.best, report.value());
        assert_eq!(report.best, expected);
        let update = search.advance(report.best, &true);
        println!("  heard on the left: {update:?}");
    }
}
