//! Drawn worlds as a model for searches on beliefs.

use games::maze::belief::MazeBelief;
use games::maze::belief::pursuit::Suspect;
use games::maze::chaser::{Chaser, Goal, Policy};
use games::maze::grid::{Cell, CellSet, Direction};
use games::maze::rules::{Footsteps, Progress, TURNS};
use games::maze::terrain::{NOWHERE, Place, Terrain};
use games::maze::world::Action;
use mcts_core::{Model, SearchRng, rng};

use super::pursuer::{Aim, Habit, Pursuer};
use super::walk::{OTHERS, Places, Walk};

/// Where worlds come from.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// They are drawn from a belief.
    Belief(&'a MazeBelief),
    /// There is one, and it is known.
    Truth(&'a Walk),
}

/// All worlds that may be the true one now, as a [`Model`]. Its view never changes: it is that of the source.
#[derive(Debug, Clone, Copy)]
pub struct Worlds<'a> {
    /// Where worlds come from.
    pub source: Source<'a>,
    /// What the walks refer to by number.
    pub terrains: &'a [&'a Terrain],
    /// Charged for each turn, in candies, so that nothing is put off.
    pub turn_cost: f32,
}

/// What Maki notices after a turn, as far as playouts tell histories apart.
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

    /// Plays a turn; the candy that it brings, less its cost.
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

    /// Steps into walls are left out: they cost a turn and show less than looking around.
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

    /// All chance is in the walk.
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

/// Draws a world from a belief.
fn draw(belief: &MazeBelief, worlds: &Worlds<'_>, rng: &mut SearchRng) -> Walk {
    let drawn = belief.draw(rng);
    let terrain = worlds.terrains[drawn.completion];
    let view = belief.view();
    let map = &view.now().map;
    let chaser = pursuer(terrain, &drawn.chaser);
    let others =
        [(); OTHERS].map(|()| pursuer(terrain, &belief.draw_chaser(drawn.completion, rng)));
    let hoped = belief.draw_candies(drawn.completion, rng).difference(&map.memory.candies);
    Walk {
        terrain: drawn.completion as u16,
        maki: terrain.place(map.maki),
        facing: view.facing(),
        chaser,
        others,
        footsteps: drawn.footsteps,
        all_seen: false,
        turn: view.turn(),
        caught: false,
        chance: chance(rng),
        eaten: 0,
        candies: places(terrain, &drawn.candies),
        known: places(terrain, &map.memory.candies),
        hoped: places(terrain, &hoped),
        unseen: places(terrain, belief.candies().fresh()),
    }
}

/// The chance of a walk.
fn chance(rng: &mut SearchRng) -> u64 {
    // a number that is an index on machines of 32 bits, too
    rng::below(rng, 1 << 31) as u64
}

fn pursuer(terrain: &Terrain, suspect: &Suspect) -> Pursuer {
    Pursuer {
        place: suspect.place,
        facing: suspect.facing,
        aim: aim(terrain, suspect.goal),
        habit: habit(suspect.policy),
    }
}

/// The true world, with all candies known.
#[must_use]
pub fn truth(terrain: &Terrain, progress: &Progress, chaser: &Chaser) -> Walk {
    let world = &progress.world;
    let candies = places(terrain, &world.candies);
    let pursuer = Pursuer {
        place: terrain.place(world.chaser.cell),
        facing: world.chaser.facing,
        aim: aim(terrain, chaser.goal),
        habit: habit(chaser.policy),
    };
    Walk {
        terrain: 0,
        maki: terrain.place(world.maki.cell),
        facing: world.maki.facing,
        chaser: pursuer,
        others: [pursuer; OTHERS],
        footsteps: Footsteps::ASSUMED,
        all_seen: true,
        turn: world.turn,
        caught: false,
        chance: 0,
        eaten: 0,
        candies,
        known: candies,
        hoped: Places::NONE,
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

fn aim(terrain: &Terrain, goal: Goal) -> Aim {
    match goal {
        Goal::Open => Aim::Open,
        Goal::Roam(cell) => Aim::Roam(terrain.place(cell)),
        Goal::Chase(cell) => Aim::Chase(terrain.place(cell)),
    }
}

fn habit(policy: Policy) -> Habit {
    match policy {
        Policy::Hunter => Habit::Hunter,
        Policy::Wanderer => Habit::Wanderer,
        Policy::Tracker(share) => Habit::Tracker((share * 16.0) as u8),
    }
}
