//! Bandit rules for actions that are not always available, or with simultaneous opponents.

use super::{Candidate, Scale, SelectionPolicy, Ucb1};
use crate::rng::{self, SearchRng};
use crate::sqrt::sqrt;
use alloc::vec::Vec;

/// The statistics of one action of an information set, for the player who chooses there.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arm {
    pub(crate) visits: u32,
    /// Playouts in which it was legal.
    pub(crate) available: u32,
    /// Sum of values; utilities of the game.
    pub(crate) sum: f64,
    /// Cumulative regret: the estimated gain of this action over the actions played.
    regret: f64,
    /// Sum of its probabilities in the strategies used.
    pub(crate) intended: f64,
}

impl Arm {
    /// Mean value; 0 without visits.
    pub(crate) fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// The rule by which a player chooses where the legal actions vary, or where others move
/// simultaneously.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bandit {
    /// UCB1 with the number of playouts in which an action was available in place of the parent's visits (Cowling,
    /// Powley and Whitehouse, 2012, section IV.B). Among unvisited actions a random one. Soon good against opponents who play
    /// badly, but not unexploitable.
    Ucb1(Ucb1),
    /// Regret matching on sampled values (Hart and Mas-Colell, 2001; in trees Lanctot, Lisy and
    /// Winands, 2014): plays in proportion to positive regrets. The average strategy approaches an
    /// equilibrium of two-player zero-sum games. The value of an action not taken is estimated by
    /// its mean (a baseline; Schmid et al., 2019).
    RegretMatching {
        /// With probability `exploration * sqrt(actions * ln(actions) / visits)` a uniformly random
        /// action is chosen (Auer et al., 2002, for Exp3); the probability decreases, so
        /// exploration does not bias the result.
        exploration: f32,
    },
}

impl Bandit {
    /// Regret matching with exploration 1.
    pub const REGRET_MATCHING: Bandit = Bandit::RegretMatching { exploration: 1.0 };
}

/// The arms of an information set, and which of them are legal.
#[derive(Debug)]
pub(crate) struct LegalArms<'a> {
    pub(crate) arms: &'a mut [Arm],
    /// Their indices.
    pub(crate) legal: &'a [u32],
}

/// A choice, stored until its value is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen {
    pub(crate) arm: u32,
    /// Probability of the choice.
    probability: f32,
}

impl Bandit {
    /// Chooses one of the `legal` arms and counts them as available. `intended` is a scratch
    /// buffer.
    pub(crate) fn choose(
        &self,
        LegalArms { arms, legal }: LegalArms<'_>,
        scale: Scale,
        intended: &mut Vec<f32>,
        rng: &mut SearchRng,
    ) -> Chosen {
        legal.iter().for_each(|arm| arms[*arm as usize].available += 1);
        match self {
            Bandit::Ucb1(policy) => {
                Chosen { arm: most_urgent(policy, arms, legal, scale, rng), probability: 1.0 }
            }
            Bandit::RegretMatching { exploration } => {
                match_regrets(arms, legal, intended);
                let tried: u32 = legal.iter().map(|arm| arms[*arm as usize].visits).sum();
                let count = legal.len() as f32;
                let share = exploration * sqrt(count * libm::logf(count) / (tried + 1) as f32);
                let share = share.min(1.0);
                let mut left = rng::unit(rng);
                let probability = |place: usize| (1.0 - share) * intended[place] + share / count;
                let drawn = (0..legal.len()).find(|place| {
                    left -= probability(*place);
                    left < 0.0
                });
                let place = drawn.unwrap_or(legal.len() - 1);
                Chosen { arm: legal[place], probability: probability(place) }
            }
        }
    }

    /// Updates on the `value` of a choice among the `legal` arms, for the player who chose.
    pub(crate) fn learn(
        &self,
        LegalArms { arms, legal }: LegalArms<'_>,
        chosen: Chosen,
        value: f64,
        intended: &mut Vec<f32>,
    ) {
        if let Bandit::RegretMatching { .. } = self {
            match_regrets(arms, legal, intended);
            let estimate = |arms: &[Arm], arm: u32| {
                let mean = arms[arm as usize].mean();
                let surprise = (value - mean) / f64::from(chosen.probability);
                if arm == chosen.arm { mean + surprise } else { mean }
            };
            let parts = legal.iter().zip(intended.iter());
            let expected: f64 =
                parts.map(|(arm, intended)| f64::from(*intended) * estimate(arms, *arm)).sum();
            for (arm, intended) in legal.iter().zip(intended.iter()) {
                let regret = estimate(arms, *arm) - expected;
                let arm = &mut arms[*arm as usize];
                arm.regret += regret;
                arm.intended += f64::from(*intended);
            }
        }
        let arm = &mut arms[chosen.arm as usize];
        arm.visits += 1;
        arm.sum += value;
    }

    /// Weight of an arm in the strategy of the search.
    pub(crate) fn weight(&self, arm: &Arm) -> f64 {
        match self {
            Bandit::Ucb1(_) => f64::from(arm.visits),
            Bandit::RegretMatching { .. } => arm.intended,
        }
    }
}

/// The legal arm with the highest upper confidence bound; a random one among those without visits.
fn most_urgent(
    policy: &Ucb1,
    arms: &[Arm],
    legal: &[u32],
    scale: Scale,
    rng: &mut SearchRng,
) -> u32 {
    let is_new = |arm: &&u32| arms[**arm as usize].visits == 0;
    let new = legal.iter().filter(is_new).count();
    if new > 0 {
        let nth = rng::below(rng, new);
        return legal.iter().copied().filter(|arm| is_new(&arm)).nth(nth).unwrap_or(legal[0]);
    }
    let mut best = (legal[0], f32::NEG_INFINITY);
    for place in legal {
        let arm = &arms[*place as usize];
        let value = scale.to_unit(arm.mean() as f32);
        let candidate = Candidate { visits: arm.visits, value, extra: () };
        let urgency = policy.urgency(policy.parent(arm.available), &candidate);
        if urgency > best.1 {
            best = (*place, urgency);
        }
    }
    best.0
}

/// Probabilities in proportion to positive regrets; uniform if there are none.
fn match_regrets(arms: &[Arm], legal: &[u32], intended: &mut Vec<f32>) {
    intended.clear();
    intended.extend(legal.iter().map(|arm| arms[*arm as usize].regret.max(0.0) as f32));
    let sum: f32 = intended.iter().sum();
    let equal = 1.0 / legal.len() as f32;
    intended.iter_mut().for_each(|part| *part = if sum > 0.0 { *part / sum } else { equal });
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: (f32, f32) = (0.0, 1.0);

    fn arm(visits: u32, available: u32) -> Arm {
        Arm { visits, available, sum: f64::from(visits) / 2.0, ..Arm::default() }
    }

    #[test]
    fn availability_takes_the_place_of_the_parents_visits() {
        // sqrt(ln 20 / 4) = 0.865 and sqrt(ln 5 / 3) = 0.732; with the parent's 24 visits the
        // second would be greater
        let mut rng = rng::stream(1, 1);
        let rule = Bandit::Ucb1(Ucb1::default());
        let mut arms = [arm(4, 19), arm(3, 4), arm(0, 0)];
        let scale = Scale::new(UNIT);
        let chosen = rule.choose(
            LegalArms { arms: &mut arms, legal: &[0, 1] },
            scale,
            &mut Vec::new(),
            &mut rng,
        );
        assert_eq!(chosen.arm, 0);
        assert_eq!(arms.map(|arm| arm.available), [20, 5, 0]);
        // the third is legal now, and unvisited
        let legal = &[0, 1, 2];
        let three = LegalArms { arms: &mut arms, legal };
        let chosen = rule.choose(three, scale, &mut Vec::new(), &mut rng);
        assert_eq!(chosen.arm, 2);
        let three = LegalArms { arms: &mut arms, legal };
        rule.learn(three, chosen, 0.25, &mut Vec::new());
        assert_eq!((arms[2].visits, arms[2].available), (1, 1));
        assert!((arms[2].mean() - 0.25).abs() < 1e-9);
    }

    #[test]
    fn regrets_are_matched_and_estimated_by_hand() {
        let rule = Bandit::RegretMatching { exploration: 0.0 };
        let regrets = [3.0, 1.0, -2.0, 9.0];
        let mut arms = regrets.map(|regret| Arm { regret, ..Arm::default() });
        let legal = [0, 1, 2];
        let mut intended = Vec::new();
        match_regrets(&arms, &legal, &mut intended);
        assert_eq!(intended, [0.75, 0.25, 0.0]);
        // an action of probability 3/4 had the value 1 instead of 0: its estimate is 0 + 1 / (3/4),
        // and that of the choice 1
        let chosen = Chosen { arm: 0, probability: 0.75 };
        let three = LegalArms { arms: &mut arms, legal: &legal };
        rule.learn(three, chosen, 1.0, &mut intended);
        let expected = [3.0 + 1.0 / 3.0, 1.0 - 1.0, -2.0 - 1.0, 9.0];
        for (arm, expected) in arms.iter().zip(expected) {
            assert!((arm.regret - expected).abs() < 1e-6, "{arms:?}");
        }
        let weights = arms.map(|arm| (100.0 * rule.weight(&arm)).round() as u32);
        assert_eq!(weights, [75, 25, 0, 0]);
        assert_eq!(arms.map(|arm| arm.visits), [1, 0, 0, 0]);
    }

    #[test]
    fn without_positive_regrets_all_are_equally_likely() {
        let arms = [-1.0, 0.0].map(|regret| Arm { regret, ..Arm::default() });
        let mut intended = Vec::new();
        match_regrets(&arms, &[0, 1], &mut intended);
        assert_eq!(intended, [0.5, 0.5]);
    }
}
