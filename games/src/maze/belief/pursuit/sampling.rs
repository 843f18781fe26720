//! Samples chasers from the distribution.

use alloc::vec::Vec;

use mcts_core::rng::{self, SearchRng};

use super::{CHASE, OPEN, Pursuit, ROAM, TRACK, TRACKERS, WANDER, place_of};
use crate::maze::chaser::{Goal, Policy};
use crate::maze::grid::Direction;
use crate::maze::terrain::{NOWHERE, Place, Terrain};

/// A sampled chaser.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampledChaser {
    /// Its place.
    pub place: Place,
    /// Its facing.
    pub facing: Direction,
    /// Its policy.
    pub policy: Policy,
    /// Its internal state; the target of a roaming hunter is sampled.
    pub goal: Goal,
    /// The class of its footstep table.
    pub lane: usize,
}

impl Pursuit {
    /// The running sums of the probabilities of all states, for [`draw`](Pursuit::draw).
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

    /// Samples a chaser by its probability.
    #[must_use]
    pub fn draw(&self, terrain: &Terrain, sums: &[f32], rng: &mut SearchRng) -> SampledChaser {
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
        SampledChaser { place, facing, policy, goal, lane: self.draw_lane(at, rng) }
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

/// Samples a roaming target consistent with an arrival on `place` by a step in this direction.
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
