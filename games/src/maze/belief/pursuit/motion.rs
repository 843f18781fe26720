//! Prediction step of the filter: the chaser acts.

use alloc::vec;
use alloc::vec::Vec;

use super::{CHASE, OPEN, Pursuit, ROAM, TRACK, TRACKERS, WANDER, add};
use crate::maze::belief::tables::{LANES, Lanes};
use crate::maze::grid::Direction;
use crate::maze::terrain::{NOWHERE, Place, Terrain};

/// Probability of a step that no policy would make; keeps the filter from degenerating.
const WHIM: f32 = 0.02;

impl Pursuit {
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

    /// Probabilities of the directions of a roaming hunter that came here facing `arrived`.
    fn roaming(&self, step: &Step<'_>, place: usize, arrived: Option<Direction>) -> [f32; 4] {
        let exits = step.terrain.next(place as Place).map(|to| to != NOWHERE);
        let count = exits.iter().filter(|exit| **exit).count() as f32;
        let shares = &self.shares[place];
        let mut ways = *shares;
        if let Some(arrived) = arrived {
            // it goes on, unless this place was its target
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

/// Inputs of one act of the chaser.
struct Step<'a> {
    terrain: &'a Terrain,
    maki: Place,
    /// For each place, the facing in which a chaser there sees Maki.
    seers: Vec<Option<Direction>>,
    /// Start of the block of hunters that chase her to her current place.
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

    /// The block of a hunter after its step: `chase` if it sees Maki, else `otherwise`.
    #[inline]
    fn after_step(&self, place: usize, facing: Direction, otherwise: usize) -> usize {
        if self.sees(place, facing) { self.chase } else { otherwise }
    }

    /// The first steps of the shortest paths to `goal`, with equal probabilities.
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

/// For each place, the facing in which a chaser there sees Maki, if any.
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

/// For each place, the fraction of all other places that a shortest path reaches by each direction;
/// ties are divided equally.
pub(super) fn shares(terrain: &Terrain) -> Vec<[f32; 4]> {
    let others = (terrain.len().max(2) - 1) as f32;
    let mut nearer = vec![0_u8; terrain.len()];
    (0..terrain.len() as Place)
        .map(|place| {
            nearer.fill(0);
            let here = terrain.distances(place);
            for (way, &to) in
                terrain.next(place).iter().enumerate().filter(|(_, to)| **to != NOWHERE)
            {
                for ((ways, &there), &here) in
                    nearer.iter_mut().zip(terrain.distances(to)).zip(here)
                {
                    *ways |= u8::from(there < here) << way;
                }
            }
            let mut counts = [0_u16; 16];
            nearer.iter().for_each(|ways| counts[usize::from(*ways)] += 1);
            let mut shares = [0.0; 4];
            for (ways, &count) in counts.iter().enumerate().skip(1) {
                let each = f32::from(count) / (ways.count_ones() as f32 * others);
                for (way, share) in shares.iter_mut().enumerate() {
                    *share += if ways >> way & 1 == 1 { each } else { 0.0 };
                }
            }
            shares
        })
        .collect()
}

#[inline]
fn is_some(mass: &Lanes) -> bool {
    mass.iter().sum::<f32>() > 0.0
}
