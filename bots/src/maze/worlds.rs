//! Determinizations as a model for searches on beliefs.

use games::maze::belief::MazeBelief;
use games::maze::belief::pursuit::SampledChaser;
use games::maze::chaser::{Chaser, Goal, Policy};
use games::maze::grid::{Cell, CellSet, Direction};
use games::maze::rules::{Footsteps, Progress, TURNS};
use games::maze::terrain::{NOWHERE, Place, Terrain};
use games::maze::world::Action;
use mcts_core::{Model, SearchRng, rng};

use super::chaser::{CompactChaser, CompactGoal, CompactPolicy};
use super::walk::{PARTICLES, Places, Walk};

/// The source of determinizations.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// Sampled from a belief.
    Belief(&'a MazeBelief),
    /// The true world.
    Truth(&'a Walk),
}

/// All worlds consistent with the current view, as a [`Model`]. Its view never changes: it is that
/// of the source.
#[derive(Debug, Clone, Copy)]
pub struct Worlds<'a> {
    /// The source of determinizations.
    pub source: Source<'a>,
    /// The terrains, indexed by [`Walk::terrain`].
    pub terrains: &'a [&'a Terrain],
    /// Cost of each turn, in candies, so that candies are not postponed.
    pub turn_cost: f32,
}

/// Maki's observation after a turn, as far as playouts distinguish histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noticed {
    chaser: Place,
    level: u8,
    candies: u8,
}

impl Worlds<'_> {
    /// Whether Maki sees everything.
    #[inline]
    #[must_use]
    pub fn is_seen(&self) -> bool {
        matches!(self.source, Source::Truth(_))
    }

    /// Plays a turn; returns the candy eaten less the cost of the turn.
    #[inline]
    pub fn play(&self, walk: &mut Walk, action: Action) -> f32 {
        let ate = walk.play(self.terrain(walk), action);
        f32::from(u8::from(ate)) - self.turn_cost
    }

    /// The terrain of a walk.
    #[inline]
    #[must_use]
    pub fn terrain(&self, walk: &Walk) -> &Terrain {
        self.terrains[usize::from(walk.terrain)]
    }
}

impl Model for Worlds<'_> {
    type State = Walk;
    type Action = Action;
    type Observation = Noticed;
    type View = ();

    fn return_bounds(&self) -> (f32, f32) {
        (-f32::from(TURNS) * self.turn_cost, f32::from(TURNS))
    }

    fn is_over(&self, walk: &Walk) -> bool {
        walk.is_over()
    }

    /// Steps into walls are omitted: they cost a turn and show less than looking around.
    fn actions(&self, walk: &Walk, mut visit: impl FnMut(Action)) {
        let next = self.terrain(walk).next(walk.maki);
        for way in Direction::ALL {
            if next[way as usize] != NOWHERE {
                visit(Action::Step(way));
            }
        }
        if !self.is_seen() {
            visit(Action::Look);
        }
        visit(Action::Stay);
    }

    /// All chance is a function of the walk.
    fn step(&self, walk: &mut Walk, action: Action, _: &mut SearchRng) -> f32 {
        self.play(walk, action)
    }

    fn observe(&self, walk: &Walk, _: Action, _: &mut SearchRng) -> Noticed {
        self.noticed(walk)
    }

    fn likelihood(&self, walk: &Walk, _: Action, noticed: &Noticed) -> f32 {
        f32::from(u8::from(self.noticed(walk) == *noticed))
    }

    fn observation_key(&self, noticed: &Noticed) -> u64 {
        u64::from(noticed.chaser) << 16 | u64::from(noticed.level) << 8 | u64::from(noticed.candies)
    }

    fn grow(&self, (): &mut (), _: Action, _: &Noticed) {}

    fn determinize(&self, (): &(), rng: &mut SearchRng) -> Walk {
        match self.source {
            Source::Belief(belief) => draw(belief, self, rng),
            Source::Truth(walk) => Walk { chance: chance(rng), ..*walk },
        }
    }
}

impl Worlds<'_> {
    fn noticed(&self, walk: &Walk) -> Noticed {
        let terrain = self.terrain(walk);
        if self.is_seen() {
            return Noticed { chaser: walk.chaser.place, level: 0, candies: 0 };
        }
        let (chaser, level) = walk.perceives(terrain, walk.chaser.place);
        Noticed { chaser, level, candies: walk.known.len() as u8 }
    }
}

/// Samples a determinization from a belief.
fn draw(belief: &MazeBelief, worlds: &Worlds<'_>, rng: &mut SearchRng) -> Walk {
    let drawn = belief.draw(rng);
    let terrain = worlds.terrains[drawn.completion];
    let view = belief.view();
    let map = &view.now().map;
    let chaser = pursuer(terrain, &drawn.chaser);
    let particles =
        [(); PARTICLES].map(|()| pursuer(terrain, &belief.sample_chaser(drawn.completion, rng)));
    let hypothetical = belief.sample_candies(drawn.completion, rng).difference(&map.memory.candies);
    Walk {
        terrain: drawn.completion as u16,
        maki: terrain.place(map.maki),
        facing: view.facing(),
        chaser,
        particles,
        footsteps: drawn.footsteps,
        all_seen: false,
        turn: view.turn(),
        caught: false,
        chance: chance(rng),
        eaten: 0,
        candies: places(terrain, &drawn.candies),
        known: places(terrain, &map.memory.candies),
        hypothetical: places(terrain, &hypothetical),
        unseen: places(terrain, belief.candies().fresh()),
    }
}

/// The chance seed of a walk.
fn chance(rng: &mut SearchRng) -> u64 {
    // fits an index on 32-bit machines, too
    rng::below(rng, 1 << 31) as u64
}

fn pursuer(terrain: &Terrain, suspect: &SampledChaser) -> CompactChaser {
    CompactChaser {
        place: suspect.place,
        facing: suspect.facing,
        goal: goal(terrain, suspect.goal),
        policy: policy(suspect.policy),
    }
}

/// The true world, with all candies known.
#[must_use]
pub fn truth(terrain: &Terrain, progress: &Progress, chaser: &Chaser) -> Walk {
    let world = &progress.world;
    let candies = places(terrain, &world.candies);
    let pursuer = CompactChaser {
        place: terrain.place(world.chaser.cell),
        facing: world.chaser.facing,
        goal: goal(terrain, chaser.goal),
        policy: policy(chaser.policy),
    };
    Walk {
        terrain: 0,
        maki: terrain.place(world.maki.cell),
        facing: world.maki.facing,
        chaser: pursuer,
        particles: [pursuer; PARTICLES],
        footsteps: Footsteps::ASSUMED,
        all_seen: true,
        turn: world.turn,
        caught: false,
        chance: 0,
        eaten: 0,
        candies,
        known: candies,
        hypothetical: Places::NONE,
        unseen: Places::NONE,
    }
}

/// The passages among `cells`.
fn places(terrain: &Terrain, cells: &CellSet) -> Places {
    let mut places = Places::NONE;
    let place_of = |cell: Cell| terrain.place(cell);
    cells.iter().map(place_of).filter(|place| *place != NOWHERE).for_each(|at| places.insert(at));
    places
}

fn goal(terrain: &Terrain, goal: Goal) -> CompactGoal {
    match goal {
        Goal::Open => CompactGoal::Open,
        Goal::Roam(cell) => CompactGoal::Roam(terrain.place(cell)),
        Goal::Chase(cell) => CompactGoal::Chase(terrain.place(cell)),
    }
}

fn policy(policy: Policy) -> CompactPolicy {
    match policy {
        Policy::Hunter => CompactPolicy::Hunter,
        Policy::Wanderer => CompactPolicy::Wanderer,
        Policy::Tracker(share) => CompactPolicy::Tracker((share * 16.0) as u8),
    }
}
