//! The distribution of the chaser on one complete maze: an exact Bayes filter over place, facing
//! and internal state.

mod motion;
mod sampling;
mod sensing;

use alloc::vec;
use alloc::vec::Vec;

use motion::shares;
pub use sampling::SampledChaser;
pub use sensing::Sight;

use super::tables::{LANES, Lanes};
use crate::maze::grid::CellSet;
use crate::maze::terrain::{NOWHERE, Place, Terrain};

/// Prior of the policies: hunter, wanderer, and the two trackers.
const POLICIES: [f32; 4] = [0.4, 0.3, 0.2, 0.1];

/// Probabilities of a step towards Maki for the two trackers.
pub const TRACKERS: [f32; 2] = [0.5, 0.9];

/// The joint distribution of chasers and classes of footstep tables on one terrain.
///
/// One approximation: a roaming hunter's target is forgotten, and only its direction of arrival is
/// kept (a Markov chain over places and facings). Everything else is exact: where a hunter last saw
/// Maki, the facing, the policy, the class.
#[derive(Debug, Clone)]
pub struct Pursuit {
    /// Hunters without and with a roaming target, and wanderers: four facings for each place. Then
    /// trackers, one entry for each place. Then chasing hunters, four facings for each place, for
    /// each goal.
    mass: Vec<Lanes>,
    spare: Vec<Lanes>,
    /// Places where chasing hunters last saw Maki.
    goals: Vec<Place>,
    /// Fraction of the passages that a shortest path reaches by each direction.
    shares: Vec<[f32; 4]>,
    places: usize,
}

const OPEN: usize = 0;
const ROAM: usize = 4;
const WANDER: usize = 8;
const TRACK: usize = 12;
const CHASE: usize = 14;

impl Pursuit {
    /// A chaser anywhere on `cells` with any facing; `lanes` are the weights of the classes of
    /// tables.
    #[must_use]
    pub fn new(terrain: &Terrain, cells: &CellSet, lanes: &Lanes) -> Pursuit {
        let mut pursuit = Pursuit {
            mass: vec![[0.0; LANES]; CHASE * terrain.len()],
            spare: Vec::new(),
            goals: Vec::new(),
            shares: shares(terrain),
            places: terrain.len(),
        };
        pursuit.spread(terrain, cells, lanes);
        pursuit
    }

    /// Adds chasers of all policies uniformly on `cells`, with the total mass `weights`.
    fn spread(&mut self, terrain: &Terrain, cells: &CellSet, weights: &Lanes) {
        let cells = cells.intersection(&terrain.maze.passages);
        let each = 1.0 / cells.len().max(1) as f32;
        for cell in cells.iter() {
            let place = usize::from(terrain.place(cell));
            for (lane, weight) in weights.iter().enumerate() {
                let weight = weight * each;
                for facing in 0..4 {
                    let at = place * 4 + facing;
                    self.mass[OPEN * self.places + at][lane] += weight * POLICIES[0] / 4.0;
                    self.mass[WANDER * self.places + at][lane] += weight * POLICIES[1] / 4.0;
                }
                let track = TRACK * self.places + place;
                self.mass[track][lane] += weight * POLICIES[2];
                self.mass[track + self.places][lane] += weight * POLICIES[3];
            }
        }
    }

    /// Bytes of the distribution, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.mass.capacity() + self.spare.capacity()) * size_of::<Lanes>()
            + self.goals.capacity() * size_of::<Place>()
            + self.shares.capacity() * size_of::<[f32; 4]>()
    }

    /// The same distribution on another terrain; mass on cells that are walls there is dropped.
    #[must_use]
    pub fn moved(&self, from: &Terrain, to: &Terrain) -> Pursuit {
        let mut new = Pursuit {
            mass: Vec::new(),
            spare: Vec::new(),
            goals: Vec::new(),
            shares: shares(to),
            places: to.len(),
        };
        let mut kept = Vec::new();
        for (group, &goal) in self.goals.iter().enumerate() {
            let place = to.place(from.cell(goal));
            if place != NOWHERE {
                new.goals.push(place);
                kept.push(group);
            }
        }
        new.mass = vec![[0.0; LANES]; (CHASE + 4 * kept.len()) * to.len()];
        for place in 0..from.len() {
            let target = to.place(from.cell(place as Place));
            if target == NOWHERE {
                continue;
            }
            let target = usize::from(target);
            for block in [OPEN, ROAM, WANDER] {
                for facing in 0..4 {
                    new.mass[block * new.places + 4 * target + facing] =
                        self.mass[block * self.places + 4 * place + facing];
                }
            }
            for block in [TRACK, TRACK + 1] {
                new.mass[block * new.places + target] = self.mass[block * self.places + place];
            }
            for (new_group, &group) in kept.iter().enumerate() {
                for facing in 0..4 {
                    new.mass[(CHASE + 4 * new_group) * new.places + 4 * target + facing] =
                        self.mass[(CHASE + 4 * group) * self.places + 4 * place + facing];
                }
            }
        }
        new
    }

    /// Removes the mass on `place`: Maki stepped onto it and was not caught, or the chaser did not
    /// come there.
    pub fn clear_place(&mut self, place: Place) {
        let place = usize::from(place);
        let mut clear = |at: usize| self.mass[at] = [0.0; LANES];
        for facing in 0..4 {
            for block in [OPEN, ROAM, WANDER] {
                clear(block * self.places + 4 * place + facing);
            }
            for group in 0..self.goals.len() {
                clear((CHASE + 4 * group) * self.places + 4 * place + facing);
            }
        }
        for block in [TRACK, TRACK + 1] {
            clear(block * self.places + place);
        }
    }

    /// Calls `visit` with the index, the place and the mass of each state.
    fn for_each(&self, mut visit: impl FnMut(usize, usize, &Lanes)) {
        for (at, mass) in self.mass.iter().enumerate() {
            visit(at, place_of(at, self.places), mass);
        }
    }

    /// Probability of each class of tables.
    #[must_use]
    pub fn lanes(&self) -> Lanes {
        let mut lanes = [0.0; LANES];
        for mass in &self.mass {
            add(&mut lanes, mass, 1.0);
        }
        lanes
    }

    /// Probability of each place.
    #[must_use]
    pub fn by_place(&self) -> Vec<f32> {
        let mut places = vec![0.0; self.places];
        self.for_each(|_, place, mass| places[place] += mass.iter().sum::<f32>());
        places
    }

    /// Probability of each policy: hunter, wanderer, and the trackers.
    #[must_use]
    pub fn by_policy(&self) -> [f32; 4] {
        let mut policies = [0.0; 4];
        self.for_each(|at, _, mass| {
            let policy = match at / self.places {
                WANDER..TRACK => 1,
                TRACK => 2,
                13 => 3,
                _ => 0,
            };
            policies[policy] += mass.iter().sum::<f32>();
        });
        policies
    }
}

#[inline]
fn add(into: &mut Lanes, mass: &Lanes, share: f32) {
    for (into, mass) in into.iter_mut().zip(mass) {
        *into += share * mass;
    }
}

/// The place of the state at this index.
#[inline]
fn place_of(at: usize, places: usize) -> usize {
    let block = at / places;
    match block {
        TRACK..CHASE => at - block * places,
        0..TRACK => at % (4 * places) / 4,
        _ => (at - CHASE * places) % (4 * places) / 4,
    }
}
