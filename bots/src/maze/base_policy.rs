//! The base policy of rollouts: towards candies, away from the chaser.

use games::maze::capture::LONG;
use games::maze::grid::Direction;
use games::maze::rules::TURNS;
use games::maze::terrain::{NOWHERE, Place, Terrain};
use games::maze::world::Action;
use mcts_core::Knowledge;
use mcts_core::rng::{self, SearchRng};

use super::chaser::CompactChaser;
use super::walk::{Places, Walk};
use super::worlds::Worlds;
use crate::parameters::{ParameterError, Parameters};

/// Random noise added to each score, which breaks ties.
const NOISE: f32 = 0.01;

/// Weights of the scores of a step; fitted by play without search, on known mazes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BasePolicy {
    /// Pull of a candy, by the number of steps to it.
    pub pull: [f32; 32],
    /// Pull of a hypothetical candy, relative to that of a known one.
    pub hypothetical_pull: f32,
    /// Score of the direction of the strongest pull; other directions score proportionally to their
    /// pull. So the nearest candies attract her at any distance.
    pub goal_value: f32,
    /// Score of a place with a known candy.
    pub eat: f32,
    /// Score of a place whose contents were never seen.
    pub unseen: f32,
    /// Penalty for turning back.
    pub back: f32,
    /// Danger penalty of a place, by the turns until a chaser with full information would catch her
    /// there.
    pub danger: [f32; LONG as usize + 1],
    /// Penalty of a place for each turn that such a capture comes before [`LONG`].
    pub nearer: f32,
    /// As `nearer`, for a place that the chaser sees.
    pub in_sight: f32,
    /// As `nearer`, for a place that the chaser would see after turning.
    pub in_line: f32,
    /// As `nearer`, for a place that the chaser approaches.
    pub approached: f32,
    /// Expected candies per turn beyond the horizon.
    pub rate: f32,
    /// Probability of being caught in a turn beyond the horizon.
    pub hazard: f32,
}

impl BasePolicy {
    /// Reads the weights from the parameters; missing ones have defaults.
    ///
    /// # Errors
    /// [`ParameterError`] if a value is invalid.
    pub fn of(parameters: &mut Parameters) -> Result<BasePolicy, ParameterError> {
        let mut number = |name: &str, default: f32| parameters.number(name, default, (0.0, 100.0));
        Ok(BasePolicy {
            pull: pull(number("decay", 0.75)?),
            hypothetical_pull: number("hope", 0.21)?,
            goal_value: number("want", 0.54)?,
            eat: number("eat", 0.28)?,
            unseen: number("unseen", 0.154)?,
            back: number("back", 0.065)?,
            danger: dangers(number("fear", 1.24)?, number("fear_decay", 0.68)?),
            nearer: number("nearer", 0.0375)?,
            in_sight: number("in_sight", 0.03)?,
            in_line: number("in_line", 0.0133)?,
            approached: number("approached", 0.015)?,
            rate: number("rate", 0.25)?,
            hazard: number("hazard", 0.01)?,
        })
    }

    /// The score of a step in each direction; minus infinity against a wall.
    #[inline]
    #[must_use]
    pub fn scores(&self, terrain: &Terrain, walk: &Walk) -> [f32; 4] {
        let next = terrain.next(walk.maki);
        let pulls = self.pulls(terrain, walk);
        let most = pulls.iter().fold(f32::MIN_POSITIVE, |most, &pull| most.max(pull));
        let mut scores = [f32::NEG_INFINITY; 4];
        for way in Direction::ALL {
            let to = next[way as usize];
            if to != NOWHERE {
                let if_so = |so: bool, weight: f32| if so { weight } else { 0.0 };
                scores[way as usize] = self.goal_value * pulls[way as usize] / most
                    + if_so(walk.known.has(to), self.eat)
                    + if_so(walk.unseen.has(to), self.unseen)
                    - if_so(way == walk.facing.back(), self.back);
            }
        }
        let share = 1.0 / walk.chasers().count() as f32;
        for chaser in walk.chasers() {
            self.add_danger(terrain, walk, (chaser, share), &mut scores);
        }
        scores
    }

    /// The pull of candies in each direction; zero against a wall.
    #[inline]
    fn pulls(&self, terrain: &Terrain, walk: &Walk) -> [f32; 4] {
        let next = *terrain.next(walk.maki);
        let to = next.map(|to| usize::from(if to == NOWHERE { walk.maki } else { to }));
        let towards = |candies: &Places| {
            let mut pulls = [0.0; 4];
            for candy in candies.iter() {
                let distances = terrain.distances(candy);
                for (pull, to) in pulls.iter_mut().zip(to) {
                    *pull += self.pull[usize::from(distances[to].min(31))];
                }
            }
            pulls
        };
        let (known, hypothetical) = (towards(&walk.known), towards(&walk.hypothetical));
        core::array::from_fn(|way| match next[way] {
            NOWHERE => 0.0,
            _ => known[way] + self.hypothetical_pull * hypothetical[way],
        })
    }

    /// Subtracts the danger penalties of one possible chaser, with a weight.
    #[inline]
    fn add_danger(
        &self,
        terrain: &Terrain,
        walk: &Walk,
        (chaser, weight): (&CompactChaser, f32),
        scores: &mut [f32; 4],
    ) {
        for (score, &to) in scores.iter_mut().zip(terrain.next(walk.maki)) {
            if to != NOWHERE {
                let turns = terrain.captures().turns(walk.turn, to, chaser.place);
                if turns < LONG {
                    let sooner = f32::from(LONG - turns);
                    let exposed = self.exposed(terrain, chaser, to);
                    *score -= weight * (self.danger[usize::from(turns)] + sooner * exposed);
                }
            }
        }
    }

    /// The penalty of a place for each turn that the capture comes sooner.
    #[inline]
    fn exposed(&self, terrain: &Terrain, chaser: &CompactChaser, place: Place) -> f32 {
        let sees = |way| terrain.sees(chaser.place, way, place);
        let seen = if sees(chaser.facing) {
            self.in_sight
        } else if Direction::ALL.into_iter().any(sees) {
            self.in_line
        } else {
            0.0
        };
        let ahead = terrain.step(chaser.place, chaser.facing);
        let approached = terrain.distance(ahead, place) < terrain.distance(chaser.place, place);
        self.nearer + seen + if approached { self.approached } else { 0.0 }
    }
}

/// `decay^steps`.
fn pull(decay: f32) -> [f32; 32] {
    let mut pull = [1.0; 32];
    for steps in 1..32 {
        pull[steps] = pull[steps - 1] * decay;
    }
    pull
}

/// `danger * decay^(turns - 1)`, zero where the capture is at least [`LONG`] turns away.
fn dangers(danger: f32, decay: f32) -> [f32; LONG as usize + 1] {
    let mut dangers = [danger; LONG as usize + 1];
    for turns in 2..usize::from(LONG) {
        dangers[turns] = dangers[turns - 1] * decay;
    }
    dangers[usize::from(LONG)] = 0.0;
    dangers
}

impl Knowledge<Worlds<'_>> for BasePolicy {
    #[inline]
    fn choose(&mut self, worlds: &Worlds<'_>, walk: &Walk, rng: &mut SearchRng) -> Action {
        let scores = self.scores(worlds.terrain(walk), walk);
        let mut best = (Action::Stay, f32::NEG_INFINITY);
        for way in Direction::ALL {
            let score = scores[way as usize] + NOISE * rng::unit(rng);
            if score > best.1 {
                best = (Action::Step(way), score);
            }
        }
        best.0
    }

    fn beyond(&mut self, _: &Worlds<'_>, walk: &Walk) -> f32 {
        let turns = f32::from((TURNS + 1).saturating_sub(walk.turn));
        self.rate * (1.0 - libm::expf(-self.hazard * turns)) / self.hazard.max(1e-6)
    }
}
