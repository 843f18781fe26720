//! Policies of the chaser. **Assumed**: the rule page does not specify them.
//!
//! A policy has access to the true maze; its information about Maki is stated for each one.

use arrayvec::ArrayVec;
use mcts_core::rng::{self, SearchRng};

use super::grid::{Cell, Direction, shortest_steps};
use super::vision::{sees, sees_around};
use super::world::{Action, World};

/// How the chaser chooses its acts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Policy {
    /// Sees as Maki does, in its facing. If it sees her, steps along a shortest path to her. If it
    /// lost her, goes to where it last saw her and looks around. Otherwise roams to random
    /// passages.
    Hunter,
    /// Moves at random, without turning back if possible, and steps towards her only while it sees
    /// her.
    Wanderer,
    /// Has her position. Each act is, with this probability, a step along a shortest path to her;
    /// otherwise it roams. A step towards her clears its roaming target.
    Tracker(f32),
}

impl Policy {
    /// The default tracker: every second act, on average, is a step towards Maki.
    pub const TRACKER: Policy = Policy::Tracker(0.5);

    /// The policy of this name, `hunter`, `wanderer` or `tracker`.
    #[must_use]
    pub fn named(name: &str) -> Option<Policy> {
        match name {
            "hunter" => Some(Policy::Hunter),
            "wanderer" => Some(Policy::Wanderer),
            "tracker" => Some(Policy::TRACKER),
            _ => None,
        }
    }
}

/// The internal state of the chaser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// No goal yet.
    Open,
    /// On the path to a random passage.
    Roam(Cell),
    /// On the path to where it last saw Maki, or looking around there.
    Chase(Cell),
}

/// One act of the chaser with its next internal state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The act.
    pub action: Action,
    /// The internal state afterwards.
    pub goal: Goal,
}

/// A chaser with its policy and internal state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chaser {
    /// Its policy.
    pub policy: Policy,
    /// Its internal state.
    pub goal: Goal,
}

/// Sets of choices with equal probability.
#[derive(Debug, Clone)]
enum Plan {
    /// Exactly this choice.
    Only(Choice),
    /// Any first step of a shortest path to this cell.
    Towards(Cell, Goal),
    /// A new roaming target, then a step towards it.
    RoamAnew,
    /// A step in any of these directions.
    AnyOf(ArrayVec<Direction, 4>),
}

impl Chaser {
    /// A chaser that has seen nothing yet.
    #[must_use]
    pub fn new(policy: Policy) -> Chaser {
        Chaser { policy, goal: Goal::Open }
    }

    /// Updates the internal state after `choice`; `world` is the state after it. A hunter that sees
    /// Maki stores her cell.
    pub fn acted(&mut self, choice: Choice, world: &World) {
        self.goal = choice.goal;
        let looks = self.policy == Policy::Hunter && choice.action != Action::Look;
        if looks && sees(&world.maze.passages, world.chaser, world.maki.cell) {
            self.goal = Goal::Chase(world.maki.cell);
        }
    }

    /// Samples the next act in `world` by the probabilities of [`choices`](Chaser::choices). The
    /// chaser must not be on Maki's cell.
    #[must_use]
    pub fn draw(&self, world: &World, rng: &mut SearchRng) -> Choice {
        let [(share, first), (_, second)] = self.plans(world);
        let plan = if share >= 1.0 || rng::unit(rng) < share { first } else { second };
        match plan {
            Plan::Only(choice) => choice,
            Plan::Towards(place, goal) => draw_step(&steps_towards(world, place), goal, rng),
            Plan::RoamAnew => {
                let places = world.maze.passages.without(world.chaser.cell);
                let place = places.nth(rng::below(rng, places.len().max(1)));
                let place = place.unwrap_or(world.chaser.cell);
                draw_step(&steps_towards(world, place), Goal::Roam(place), rng)
            }
            Plan::AnyOf(ways) => draw_step(&ways, Goal::Open, rng),
        }
    }

    /// Calls `visit` once with each choice of positive probability and that probability.
    pub fn choices(&self, world: &World, mut visit: impl FnMut(Choice, f32)) {
        let mut steps = |ways: &[Direction], goal, share: f32| {
            for &way in ways {
                let choice = Choice { action: Action::Step(way), goal };
                visit(choice, share / ways.len() as f32);
            }
            if ways.is_empty() {
                visit(Choice { action: Action::Stay, goal }, share);
            }
        };
        let [first, second] = self.plans(world);
        if let (_, Plan::Only(choice)) = first {
            return visit(choice, 1.0);
        }
        for (share, plan) in [first, second].into_iter().filter(|(share, _)| *share > 0.0) {
            match plan {
                Plan::Only(_) => unreachable!("a choice without alternatives is the whole plan"),
                Plan::Towards(place, goal) => steps(&steps_towards(world, place), goal, share),
                Plan::AnyOf(ways) => steps(&ways, Goal::Open, share),
                Plan::RoamAnew => {
                    let places = world.maze.passages.without(world.chaser.cell);
                    let share = share / places.len() as f32;
                    for place in places.iter() {
                        steps(&steps_towards(world, place), Goal::Roam(place), share);
                    }
                }
            }
        }
    }

    /// One or two plans with their probabilities.
    fn plans(&self, world: &World) -> [(f32, Plan); 2] {
        let none = (0.0, Plan::RoamAnew);
        match self.policy {
            Policy::Hunter => [(1.0, self.hunt(world)), none],
            Policy::Wanderer => [(1.0, wander(world)), none],
            Policy::Tracker(share) => [
                (share, Plan::Towards(world.maki.cell, Goal::Open)),
                (1.0 - share, self.roam(world)),
            ],
        }
    }

    fn hunt(&self, world: &World) -> Plan {
        let World { maze, maki, chaser, .. } = world;
        if sees(&maze.passages, *chaser, maki.cell) {
            return Plan::Towards(maki.cell, Goal::Chase(maki.cell));
        }
        match self.goal {
            Goal::Chase(place) if place == chaser.cell => {
                let found = sees_around(&maze.passages, chaser.cell, maki.cell);
                let goal = if found { Goal::Chase(maki.cell) } else { Goal::Open };
                Plan::Only(Choice { action: Action::Look, goal })
            }
            Goal::Chase(place) => Plan::Towards(place, self.goal),
            Goal::Open | Goal::Roam(_) => self.roam(world),
        }
    }

    fn roam(&self, world: &World) -> Plan {
        match self.goal {
            Goal::Roam(place) if place != world.chaser.cell => Plan::Towards(place, self.goal),
            _ => Plan::RoamAnew,
        }
    }
}

fn wander(world: &World) -> Plan {
    let passages = &world.maze.passages;
    let chaser = world.chaser;
    if sees(passages, chaser, world.maki.cell) {
        return Plan::Only(Choice { action: Action::Step(chaser.facing), goal: Goal::Open });
    }
    let back = chaser.facing.back();
    let open = |way: &Direction| passages.contains(chaser.cell.step(*way));
    let mut ways: ArrayVec<_, 4> =
        Direction::ALL.into_iter().filter(|way| *way != back && open(way)).collect();
    if ways.is_empty() && open(&back) {
        ways.push(back);
    }
    Plan::AnyOf(ways)
}

/// The first steps of the chaser's shortest paths to `place`.
fn steps_towards(world: &World, place: Cell) -> ArrayVec<Direction, 4> {
    shortest_steps(&world.maze.passages, world.chaser.cell, place).collect()
}

/// One of the directions, with equal probabilities; waits if there is none.
fn draw_step(ways: &[Direction], goal: Goal, rng: &mut SearchRng) -> Choice {
    let action = match ways {
        [] => Action::Stay,
        ways => Action::Step(ways[rng::below(rng, ways.len())]),
    };
    Choice { action, goal }
}
