//! How playouts are played: towards candies, away from the chaser.

use games::maze::grid::Direction;
use games::maze::rules::TURNS;
use games::maze::terrain::{NOWHERE, Terrain};
use games::maze::world::Action;
use mcts_core::rng::{self, SearchRng};
use mcts_core::{Knowledge, Prior};

use super::walk::{Places, Walk};
use super::worlds::Worlds;
use crate::parameters::{ParameterError, Parameters};

/// Weights of what speaks for and against a step; fitted by play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instinct {
    /// How much a candy pulls, by the steps to it.
    pub pull: [f32; 32],
    /// Against turning back.
    pub back: f32,
    /// For a place whose contents were never seen.
    pub unseen: f32,
    /// Against a place that the chaser can reach in its next acts.
    pub in_reach: f32,
    /// Against a place that it can reach with two acts more.
    pub in_range: f32,
    /// Steps up to which the chaser counts as near.
    pub near: f32,
    /// Against each step nearer than that.
    pub nearer: f32,
    /// Against a place that the chaser sees.
    pub in_sight: f32,
    /// The same for each step nearer than `near`.
    pub in_sight_near: f32,
    /// Against a dead end for each step nearer than `near`.
    pub dead_end: f32,
    /// Below this a step is worse than waiting.
    pub wait: f32,
    /// Steps up to which Maki notices a chaser that she does not see.
    pub alert: u8,
    /// Candies a turn that are expected beyond the horizon.
    pub rate: f32,
    /// Probability of being caught in a turn beyond the horizon.
    pub hazard: f32,
}

impl Instinct {
    /// Takes the weights from the parameters where they are given.
    ///
    /// # Errors
    /// [`ParameterError`] if one of them cannot be read.
    pub fn of(parameters: &mut Parameters) -> Result<Instinct, ParameterError> {
        let mut number = |name: &str, default: f32| parameters.number(name, default, (0.0, 100.0));
        Ok(Instinct {
            pull: pull(number("decay", 0.75)?),
            back: number("back", 0.139)?,
            unseen: number("unseen", 0.03)?,
            in_reach: number("in_reach", 1.13)?,
            in_range: number("in_range", 0.34)?,
            near: number("near", 8.0)?,
            nearer: number("nearer", 0.1)?,
            in_sight: number("in_sight", 0.17)?,
            in_sight_near: number("in_sight_near", 0.125)?,
            dead_end: number("dead_end", 0.07)?,
            wait: number("wait", 0.5)?,
            alert: number("alert", 6.0)? as u8,
            rate: number("rate", 0.25)?,
            hazard: number("hazard", 0.01)?,
        })
    }

    /// How good a step in each direction is; minus infinity against a wall.
    #[inline]
    fn scores(&self, worlds: &Worlds<'_>, walk: &Walk) -> [f32; 4] {
        let terrain = worlds.terrain(walk);
        let next = terrain.next(walk.maki);
        let mut scores = [f32::NEG_INFINITY; 4];
        for way in Direction::ALL {
            let to = next[way as usize];
            if to != NOWHERE {
                let back = if way == walk.facing.back() { self.back } else { 0.0 };
                let unseen = if walk.unseen.has(to) { self.unseen } else { 0.0 };
                scores[way as usize] = unseen - back;
            }
        }
        self.add_candies(terrain, walk, &walk.known, &mut scores);
        let noticed = worlds.is_seen()
            || terrain.distance(walk.maki, walk.chaser) <= self.alert
            || terrain.sees(walk.maki, walk.facing, walk.chaser);
        if noticed {
            self.add_chaser(terrain, walk, &mut scores);
        }
        scores
    }

    #[inline]
    fn add_candies(&self, terrain: &Terrain, walk: &Walk, known: &Places, scores: &mut [f32; 4]) {
        let next = terrain.next(walk.maki);
        for candy in known.iter() {
            let distances = terrain.distances(candy);
            for (score, &to) in scores.iter_mut().zip(next) {
                if to != NOWHERE {
                    *score += self.pull[usize::from(distances[usize::from(to)].min(31))];
                }
            }
        }
    }

    #[inline]
    fn add_chaser(&self, terrain: &Terrain, walk: &Walk, scores: &mut [f32; 4]) {
        let acts = if walk.turn.is_multiple_of(2) { 2 } else { 1 };
        let distances = terrain.distances(walk.chaser);
        for (score, &to) in scores.iter_mut().zip(terrain.next(walk.maki)) {
            if to == NOWHERE {
                continue;
            }
            let steps = distances[usize::from(to)];
            let nearness = (self.near - f32::from(steps)).max(0.0);
            *score -= match steps {
                _ if steps <= acts => self.in_reach,
                _ if steps <= acts + 2 => self.in_range,
                _ => 0.0,
            };
            *score -= self.nearer * nearness;
            if terrain.sees(walk.chaser, walk.chaser_facing, to) {
                *score -= self.in_sight + self.in_sight_near * nearness;
            }
            if terrain.next(to).iter().filter(|&&exit| exit != NOWHERE).count() == 1 {
                *score -= self.dead_end * nearness;
            }
        }
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

impl Knowledge<Worlds<'_>> for Instinct {
    #[inline]
    fn choose(&mut self, worlds: &Worlds<'_>, walk: &Walk, rng: &mut SearchRng) -> Action {
        let scores = self.scores(worlds, walk);
        let mut best = (Action::Stay, -self.wait);
        for way in Direction::ALL {
            // a little noise, so that equals take turns
            let score = scores[way as usize] + 0.05 * rng::unit(rng);
            if score > best.1 {
                best = (Action::Step(way), score);
            }
        }
        best.0
    }

    fn prior(
        &mut self,
        worlds: &Worlds<'_>,
        walk: &Walk,
        action: Action,
        expected: Option<f32>,
    ) -> Prior {
        let Some(expected) = expected else { return Prior::default() };
        let scores = self.scores(worlds, walk);
        let best = scores.iter().fold(-self.wait, |best, &score| best.max(score));
        let score = match action {
            Action::Step(way) => scores[way as usize],
            Action::Look | Action::Stay => -self.wait,
        };
        Prior { playouts: 3, value: expected - (best - score).min(2.0) }
    }

    fn beyond(&mut self, _: &Worlds<'_>, walk: &Walk) -> f32 {
        let turns = f32::from((TURNS + 1).saturating_sub(walk.turn));
        self.rate * (1.0 - libm::expf(-self.hazard * turns)) / self.hazard.max(1e-6)
    }
}
