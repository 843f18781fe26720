//! Where the chaser may be and what it may be up to, on one complete maze: an exact filter.

use alloc::vec;
use alloc::vec::Vec;

use mcts_core::rng::{self, SearchRng};

use super::tables::{DEAF, LANES, Lanes, ROWS, Rows, Tables};
use crate::maze::chaser::{Goal, Policy};
use crate::maze::grid::{Cell, CellSet, Direction};
use crate::maze::terrain::{FAR, NOWHERE, Place, Terrain};

/// Shares of the policies at the start: hunter, wanderer, and the two trackers.
const POLICIES: [f32; 4] = [0.4, 0.3, 0.2, 0.1];

/// Shares of steps towards Maki of the two trackers.
pub const TRACKERS: [f32; 2] = [0.5, 0.9];

/// Probability of a step that no policy would make.
const WHIM: f32 = 0.02;

/// Share of the belief that is spread out anew over all places each turn, so that no hypothesis dies.
const FRESH: f32 = 1e-3;

/// The belief by sight alone, from which other tables start, does not fall below this share.
const LEAST_DEAF: f32 = 1e-4;

/// A chaser as it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suspect {
    /// Where it is.
    pub place: Place,
    /// The way that it faces.
    pub facing: Direction,
    /// How it chooses.
    pub policy: Policy,
    /// What it is up to; a roaming hunter's passage is drawn.
    pub goal: Goal,
    /// The number of the footstep table that goes with it.
    pub lane: usize,
}

/// The distribution over chasers and footstep tables on one terrain.
///
/// A hunter that roams is taken to forget where to and to know only whence it comes: a Markov chain over places and
/// facings. All else is exact: where it last saw Maki, the facing, the policy, the table.
#[derive(Debug, Clone)]
pub struct Pursuit {
    /// Hunters without and with somewhere to roam to, and wanderers: four facings a place each. Then trackers, a
    /// place each. Then hunters that chase, four facings a place for each goal.
    mass: Vec<Lanes>,
    spare: Vec<Lanes>,
    /// Where chasing hunters last saw Maki.
    goals: Vec<Place>,
    /// Share of the passages that a shortest walk reaches by each direction.
    shares: Vec<[f32; 4]>,
    places: usize,
}

const OPEN: usize = 0;
const ROAM: usize = 4;
const WANDER: usize = 8;
const TRACK: usize = 12;
const CHASE: usize = 14;

impl Pursuit {
    /// The chaser anywhere on `cells`, facing any way.
    #[must_use]
    pub fn new(terrain: &Terrain, cells: &CellSet) -> Pursuit {
        let mut pursuit = Pursuit {
            mass: vec![[0.0; LANES]; CHASE * terrain.len()],
            spare: Vec::new(),
            goals: Vec::new(),
            shares: shares(terrain),
            places: terrain.len(),
        };
        pursuit.spread(terrain, cells, &Tables::prior());
        pursuit
    }

    /// Adds chasers of all policies everywhere on `cells`, `weights` in all.
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

    /// The same distribution on another terrain; what stood on cells that are walls there is lost.
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

    /// The chaser acts once, with Maki on `maki`, and does not catch her.
    pub fn act(&mut self, terrain: &Terrain, maki: Place) {
        self.drop_empty_groups();
        let chase = match self.goals.iter().position(|&goal| goal == maki) {
            Some(group) => group,
            None => {
                self.goals.push(maki);
                self.mass.resize(self.mass.len() + 4 * self.places, [0.0; LANES]);
                self.goals.len() - 1
            }
        };
        let mut next = core::mem::take(&mut self.spare);
        next.clear();
        next.resize(self.mass.len(), [0.0; LANES]);
        let step = Step {
            terrain,
            maki,
            seers: seers(terrain, maki),
            chase: (CHASE + 4 * chase) * self.places,
        };
        for place in 0..self.places {
            for facing in Direction::ALL {
                self.act_hunter(&step, &mut next, place, facing);
                self.act_wanderer(&step, &mut next, place, facing);
            }
            self.act_trackers(&step, &mut next, place);
        }
        self.spare = core::mem::replace(&mut self.mass, next);
        self.clear_place(maki);
    }

    fn act_hunter(&self, step: &Step<'_>, next: &mut [Lanes], place: usize, facing: Direction) {
        let at = 4 * place + facing as usize;
        let sees = step.sees(place, facing);
        let ahead = step.to(place, facing);
        let open = &self.mass[OPEN * self.places + at];
        let roam = &self.mass[ROAM * self.places + at];
        if sees {
            for mass in [open, roam] {
                add(&mut next[step.chase + 4 * ahead + facing as usize], mass, 1.0);
            }
        } else {
            for (mass, arrived) in [(open, None), (roam, Some(facing))] {
                if is_some(mass) {
                    let ways = self.roaming(step, place, arrived);
                    for way in Direction::ALL {
                        if ways[way as usize] > 0.0 {
                            let to = step.to(place, way);
                            let into = step.after_step(to, way, ROAM * self.places);
                            add(&mut next[into + 4 * to + way as usize], mass, ways[way as usize]);
                        }
                    }
                }
            }
        }
        for (group, &goal) in self.goals.iter().enumerate() {
            let block = (CHASE + 4 * group) * self.places;
            let mass = &self.mass[block + at];
            if !is_some(mass) {
                continue;
            }
            if sees {
                add(&mut next[step.chase + 4 * ahead + facing as usize], mass, 1.0);
            } else if usize::from(goal) == place {
                let found = step.seers[place].is_some();
                let into = if found { step.chase } else { OPEN * self.places };
                add(&mut next[into + at], mass, 1.0);
            } else {
                step.towards(place, goal, |to, way, share| {
                    let into = step.after_step(to, way, block);
                    add(&mut next[into + 4 * to + way as usize], mass, share);
                });
            }
        }
    }

    fn act_wanderer(&self, step: &Step<'_>, next: &mut [Lanes], place: usize, facing: Direction) {
        let block = WANDER * self.places;
        let mass = &self.mass[block + 4 * place + facing as usize];
        if !is_some(mass) {
            return;
        }
        if step.sees(place, facing) {
            let ahead = step.to(place, facing);
            add(&mut next[block + 4 * ahead + facing as usize], mass, 1.0);
            return;
        }
        let open = |way: &Direction| step.terrain.next(place as Place)[*way as usize] != NOWHERE;
        let back = facing.back();
        let onward = Direction::ALL.iter().filter(|way| **way != back && open(way)).count();
        for way in Direction::ALL.into_iter().filter(open) {
            let share = match onward {
                0 => 1.0,
                _ if way == back => WHIM,
                _ => (1.0 - WHIM) / onward as f32,
            };
            let to = step.to(place, way);
            add(&mut next[block + 4 * to + way as usize], mass, share);
        }
    }

    fn act_trackers(&self, step: &Step<'_>, next: &mut [Lanes], place: usize) {
        for (block, share) in (TRACK..).zip(TRACKERS) {
            let block = block * self.places;
            let mass = &self.mass[block + place];
            if !is_some(mass) {
                continue;
            }
            let mut ways = self.shares[place].map(|way| way * (1.0 - share - WHIM));
            let exits = step.terrain.next(place as Place).map(|to| to != NOWHERE);
            let count = exits.iter().filter(|exit| **exit).count() as f32;
            for (way, exit) in ways.iter_mut().zip(exits) {
                *way += if exit { WHIM / count } else { 0.0 };
            }
            step.towards(place, step.maki, |_, way, part| ways[way as usize] += part * share);
            for way in Direction::ALL {
                if ways[way as usize] > 0.0 {
                    add(&mut next[block + step.to(place, way)], mass, ways[way as usize]);
                }
            }
        }
    }

    /// Probabilities of the directions of a hunter that roams, and came here facing `arrived`.
    fn roaming(&self, step: &Step<'_>, place: usize, arrived: Option<Direction>) -> [f32; 4] {
        let exits = step.terrain.next(place as Place).map(|to| to != NOWHERE);
        let count = exits.iter().filter(|exit| **exit).count() as f32;
        let shares = &self.shares[place];
        let mut ways = *shares;
        if let Some(arrived) = arrived {
            // it goes on, unless this is where it was going to
            let here = 1.0 / self.places as f32;
            let back = arrived.back() as usize;
            let onward: f32 = 1.0 - shares[back];
            let on = onward / (onward + here);
            for (at, way) in ways.iter_mut().enumerate() {
                let anew = shares[at] * (1.0 - on);
                let along = if at == back { 0.0 } else { shares[at] / onward.max(1e-6) * on };
                *way = anew + along;
            }
        }
        for (way, exit) in ways.iter_mut().zip(exits) {
            *way = *way * (1.0 - WHIM) + if exit { WHIM / count } else { 0.0 };
        }
        ways
    }

    /// Maki has stepped onto `place` and was not caught, or the chaser has not come there.
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

    fn drop_empty_groups(&mut self) {
        let mut group = 0;
        while group < self.goals.len() {
            let start = (CHASE + 4 * group) * self.places;
            let range = start..start + 4 * self.places;
            if self.mass[range.clone()].iter().any(|mass| mass.iter().sum::<f32>() > 1e-7) {
                group += 1;
            } else {
                self.mass.drain(range);
                self.goals.remove(group);
            }
        }
    }
}

/// What one act of the chaser goes by.
struct Step<'a> {
    terrain: &'a Terrain,
    maki: Place,
    /// The facing with which somebody on a place sees Maki.
    seers: Vec<Option<Direction>>,
    /// Where the hunters that chase her to where she is now start.
    chase: usize,
}

impl Step<'_> {
    #[inline]
    fn sees(&self, place: usize, facing: Direction) -> bool {
        self.seers[place] == Some(facing)
    }

    #[inline]
    fn to(&self, place: usize, way: Direction) -> usize {
        usize::from(self.terrain.step(place as Place, way))
    }

    /// The block of a hunter after its step: it looks again.
    #[inline]
    fn after_step(&self, place: usize, facing: Direction, otherwise: usize) -> usize {
        if self.sees(place, facing) { self.chase } else { otherwise }
    }

    /// The first steps of the shortest walks to `goal`, with equal shares.
    #[inline]
    fn towards(&self, place: usize, goal: Place, mut visit: impl FnMut(usize, Direction, f32)) {
        let distances = self.terrain.distances(goal);
        let here = distances[place];
        let nearer = |way: &Direction| {
            let to = self.terrain.next(place as Place)[*way as usize];
            to != NOWHERE && distances[usize::from(to)] < here
        };
        let count = Direction::ALL.iter().filter(|way| nearer(way)).count();
        for way in Direction::ALL.into_iter().filter(nearer) {
            visit(self.to(place, way), way, 1.0 / count as f32);
        }
    }
}

/// For each place the facing with which somebody there sees Maki, if there is one.
fn seers(terrain: &Terrain, maki: Place) -> Vec<Option<Direction>> {
    let mut seers = vec![None; terrain.len()];
    for way in Direction::ALL {
        let mut at = terrain.next(maki)[way as usize];
        while at != NOWHERE {
            seers[usize::from(at)] = Some(way.back());
            at = terrain.next(at)[way as usize];
        }
    }
    seers
}

/// For each place the share of all others that a shortest walk reaches by each direction, ties shared out.
fn shares(terrain: &Terrain) -> Vec<[f32; 4]> {
    let others = (terrain.len().max(2) - 1) as f32;
    (0..terrain.len() as Place)
        .map(|place| {
            let mut shares = [0.0; 4];
            let here = terrain.distances(place);
            let rows = terrain.next(place).map(|to| (to != NOWHERE).then(|| terrain.distances(to)));
            for (target, &distance) in here.iter().enumerate() {
                if target == usize::from(place) || distance == FAR {
                    continue;
                }
                let nearer = rows.map(|row| row.is_some_and(|row| row[target] < distance));
                let count = nearer.iter().filter(|nearer| **nearer).count() as f32;
                for (share, nearer) in shares.iter_mut().zip(nearer) {
                    *share += if nearer { 1.0 / (count * others) } else { 0.0 };
                }
            }
            shares
        })
        .collect()
}

#[inline]
fn add(into: &mut Lanes, mass: &Lanes, share: f32) {
    for (into, mass) in into.iter_mut().zip(mass) {
        *into += share * mass;
    }
}

#[inline]
fn is_some(mass: &Lanes) -> bool {
    mass.iter().sum::<f32>() > 0.0
}

/// What Maki perceived of the chaser at the start of a turn.
#[derive(Debug, Clone, Copy)]
pub struct Perceived<'a> {
    /// Where Maki is.
    pub maki: Place,
    /// Where she sees the chaser.
    pub chaser: Option<Cell>,
    /// Cells whose contents she sees.
    pub in_view: &'a CellSet,
    /// The level of the footsteps.
    pub level: u8,
}

impl Pursuit {
    /// How likely each distance is by sight alone, by the rows of [`Tables::likelihoods`].
    pub fn distances(&self, terrain: &Terrain, maki: Place) -> Rows {
        let mut rows = [0.0; ROWS];
        let mut total = 0.0;
        self.for_each(|_, place, mass| {
            rows[Tables::row(terrain.distance(maki, place as Place))] += mass[DEAF];
            total += mass[DEAF];
        });
        rows.map(|row| if total > 0.0 { row / total } else { 1.0 / ROWS as f32 })
    }

    /// Calls `visit` with the index, the place and the mass of each state.
    fn for_each(&self, mut visit: impl FnMut(usize, usize, &Lanes)) {
        for (at, mass) in self.mass.iter().enumerate() {
            visit(at, place_of(at, self.places), mass);
        }
    }

    /// Takes in what Maki perceived; its probability before, zero if nothing could explain it and the
    /// distribution was spread out anew.
    pub fn perceive(
        &mut self,
        terrain: &Terrain,
        perceived: &Perceived<'_>,
        tables: &Tables,
    ) -> f32 {
        let rows = tables.likelihoods(perceived.level);
        let places = self.places;
        let seen = perceived.chaser.map(|cell| usize::from(terrain.place(cell)));
        let factors: Vec<Lanes> = (0..places)
            .map(|place| {
                let possible = match seen {
                    Some(seen) => seen == place,
                    None => !perceived.in_view.contains(terrain.cell(place as Place)),
                };
                let row = Tables::row(terrain.distance(perceived.maki, place as Place));
                if possible { rows[row] } else { [0.0; LANES] }
            })
            .collect();
        let mut total = 0.0;
        for (at, mass) in self.mass.iter_mut().enumerate() {
            let factor = &factors[place_of(at, places)];
            let mut sum = 0.0;
            for (mass, factor) in mass.iter_mut().zip(factor) {
                *mass *= factor;
                sum += *mass;
            }
            total += sum;
        }
        let possible: CellSet = (0..places)
            .filter(|&place| factors[place].iter().any(|factor| *factor > 0.0))
            .map(|place| terrain.cell(place as Place))
            .filter(|cell| *cell != terrain.cell(perceived.maki))
            .collect();
        if total < 1e-12 {
            self.mass.iter_mut().for_each(|mass| *mass = [0.0; LANES]);
            self.spread(terrain, &possible, &Tables::prior());
            return 0.0;
        }
        let mut lanes = [0.0; LANES];
        let scale = (1.0 - FRESH) / total;
        for mass in &mut self.mass {
            for (mass, lane) in mass.iter_mut().zip(&mut lanes) {
                *mass *= scale;
                *lane += *mass;
            }
        }
        self.spread(terrain, &possible, &lanes.map(|lane| lane * FRESH));
        self.keep_deaf_lane(lanes[DEAF]);
        total
    }

    /// Raises the share of the belief by sight alone to the least that it can have.
    fn keep_deaf_lane(&mut self, share: f32) {
        if share > 0.0 && share < LEAST_DEAF {
            let raise = LEAST_DEAF / share;
            self.mass.iter_mut().for_each(|mass| mass[DEAF] *= raise);
        }
    }

    /// Probability of each table.
    #[must_use]
    pub fn lanes(&self) -> Lanes {
        let mut lanes = [0.0; LANES];
        for mass in &self.mass {
            add(&mut lanes, mass, 1.0);
        }
        lanes
    }

    /// Gives lane `lane` what is believed by sight alone, `ratio` times as likely, at the cost of nobody.
    pub fn copy_deaf_lane(&mut self, lane: usize, ratio: f32) {
        for mass in &mut self.mass {
            mass[lane] = mass[DEAF] * ratio;
        }
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

    /// The running sums of all states' probabilities, for [`draw`](Pursuit::draw).
    #[must_use]
    pub fn running_sums(&self) -> Vec<f32> {
        let mut sum = 0.0;
        self.mass
            .iter()
            .map(|mass| {
                sum += mass.iter().sum::<f32>();
                sum
            })
            .collect()
    }

    /// Draws a chaser by its probability.
    #[must_use]
    pub fn draw(&self, terrain: &Terrain, sums: &[f32], rng: &mut SearchRng) -> Suspect {
        let wanted = rng::unit(rng) * sums.last().copied().unwrap_or(0.0);
        let at = sums.partition_point(|&sum| sum <= wanted).min(sums.len() - 1);
        let block = at / self.places;
        let place = place_of(at, self.places) as Place;
        let any = Direction::ALL[rng::below(rng, 4)];
        let facing = if (TRACK..CHASE).contains(&block) { any } else { Direction::ALL[at % 4] };
        let (policy, goal) = match block {
            OPEN..ROAM => (Policy::Hunter, Goal::Open),
            ROAM..WANDER => (Policy::Hunter, roaming_goal(terrain, place, facing, rng)),
            WANDER..TRACK => (Policy::Wanderer, Goal::Open),
            TRACK..CHASE => (Policy::Tracker(TRACKERS[block - TRACK]), Goal::Open),
            _ => {
                let goal = self.goals[(block - CHASE) / 4];
                (Policy::Hunter, Goal::Chase(terrain.cell(goal)))
            }
        };
        Suspect { place, facing, policy, goal, lane: self.draw_lane(at, rng) }
    }

    fn draw_lane(&self, at: usize, rng: &mut SearchRng) -> usize {
        let lanes = &self.mass[at];
        let mut left = rng::unit(rng) * lanes.iter().sum::<f32>();
        let drawn = lanes.iter().position(|mass| {
            left -= mass;
            left < 0.0
        });
        drawn.unwrap_or(0)
    }
}

/// A passage that somebody may be going to who came to `place` by a step in this direction.
fn roaming_goal(terrain: &Terrain, place: Place, facing: Direction, rng: &mut SearchRng) -> Goal {
    let before = terrain.next(place)[facing.back() as usize];
    for _ in 0..8 {
        let goal = rng::below(rng, terrain.len()) as Place;
        let onward =
            before == NOWHERE || terrain.distance(before, goal) > terrain.distance(place, goal);
        if onward && goal != place {
            return Goal::Roam(terrain.cell(goal));
        }
    }
    Goal::Open
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
