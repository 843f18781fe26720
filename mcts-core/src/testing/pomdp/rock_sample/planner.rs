//! A heuristic rollout policy for RockSample.

use super::{MOST_ROCKS, RockAction, RockSample, RockView};
use crate::evaluation::Knowledge;
use crate::game::Model;
use crate::rng::SearchRng;

/// Goes greedily from rock to rock and then out, and checks a rock before it goes there if that
/// pays.
///
/// It uses the rover's view, never the true state. By itself it has a return of 19.6 on
/// RockSample(7,8) and 20.1 on RockSample(11,11) (each +- 0.05).
#[derive(Debug, Clone)]
pub struct RockPlanner {
    /// Powers of the discount.
    weights: [f32; 128],
}

impl RockPlanner {
    /// A planner for this problem.
    #[must_use]
    pub fn new(model: &RockSample) -> Self {
        let mut weights = [1.0; 128];
        for at in 1..weights.len() {
            weights[at] = weights[at - 1] * model.discount();
        }
        RockPlanner { weights }
    }

    /// Value of leaving immediately from column `x`.
    fn leave(&self, model: &RockSample, x: u8) -> f32 {
        10.0 * self.weights[usize::from(model.size - 1 - x)]
    }

    /// Value of a rock that is good with this probability to a rover on its cell: sampled
    /// immediately, or checked before.
    fn worth(&self, chance: f32) -> f32 {
        let at_once = 10.0 * (2.0 * chance - 1.0);
        at_once.max(10.0 * self.weights[1] * chance)
    }

    /// The value of a greedy tour, and the first rock on it; `None` to leave immediately.
    fn tour(
        &self,
        model: &RockSample,
        view: &RockView,
        chances: &[f32; MOST_ROCKS],
    ) -> (f32, Option<usize>) {
        let mut left = *chances;
        let (mut x, mut y) = (view.x, view.y);
        let (mut value, mut time) = (0.0, 0usize);
        let mut first = None;
        loop {
            let mut best = (self.leave(model, x), None);
            for (rock, (rx, ry)) in model.rocks.iter().enumerate() {
                if left[rock] <= 0.0 {
                    continue;
                }
                let way = usize::from(rx.abs_diff(x) + ry.abs_diff(y));
                let then = self.weights[way]
                    * (self.worth(left[rock]) + self.weights[1] * self.leave(model, *rx));
                if then > best.0 {
                    best = (then, Some((rock, way)));
                }
            }
            let Some((rock, way)) = best.1 else {
                return (value + self.weights[time.min(127)] * best.0, first);
            };
            first = first.or(Some(rock));
            time += way;
            value += self.weights[time.min(127)] * self.worth(left[rock]);
            time += 1;
            left[rock] = 0.0;
            (x, y) = model.rocks[rock];
        }
    }

    /// The action of the planner.
    #[must_use]
    pub fn plan(&self, model: &RockSample, view: &RockView) -> RockAction {
        let (value, first) = self.tour(model, view, &view.chances);
        let Some(rock) = first else { return RockAction::East };
        let chance = view.chances[rock];
        let (x, y) = model.rocks[rock];
        if (x, y) == (view.x, view.y) {
            let sample = 10.0 * (2.0 * chance - 1.0);
            return if sample >= 10.0 * self.weights[1] * chance || chance >= 1.0 {
                RockAction::Sample
            } else {
                RockAction::Check(rock as u8)
            };
        }
        if chance < 1.0 {
            let accuracy = model.accuracy(view, rock as u8);
            let looks_good = chance * accuracy + (1.0 - chance) * (1.0 - accuracy);
            let mut chances = view.chances;
            chances[rock] = chance * accuracy / looks_good;
            let (if_good, _) = self.tour(model, view, &chances);
            chances[rock] = chance * (1.0 - accuracy) / (1.0 - looks_good);
            let (if_bad, _) = self.tour(model, view, &chances);
            if self.weights[1] * (looks_good * if_good + (1.0 - looks_good) * if_bad) > value {
                return RockAction::Check(rock as u8);
            }
        }
        towards((view.x, view.y), (x, y))
    }
}

/// A step on a shortest path; east and west come first.
fn towards((x, y): (u8, u8), (to_x, to_y): (u8, u8)) -> RockAction {
    if to_x > x {
        RockAction::East
    } else if to_x < x {
        RockAction::West
    } else if to_y > y {
        RockAction::North
    } else {
        RockAction::South
    }
}

impl Knowledge<RockSample> for RockPlanner {
    fn choose(
        &mut self,
        model: &RockSample,
        state: &super::RockState,
        _: &mut SearchRng,
    ) -> RockAction {
        self.plan(model, &state.known)
    }
}
