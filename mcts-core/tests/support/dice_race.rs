//! A race with a die, with its exact value.

use mcts_core::{Game, Player, Turn, Utilities};
use std::collections::HashMap;

/// First to reach the goal wins; a turn is three certain steps or a throw of a die.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DiceRace {
    pub(crate) goal: u8,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Racers {
    pub(crate) steps: [u8; 2],
    pub(crate) mover: Player,
    pub(crate) throwing: bool,
}

pub(crate) const THROW: u8 = 0;
pub(crate) const WALK: u8 = 3;

impl Game for DiceRace {
    type State = Racers;
    type Action = u8;

    fn start(&self) -> Racers {
        Racers { steps: [0, 0], mover: Player::FIRST, throwing: false }
    }
    fn turn(&self, racers: &Racers) -> Turn {
        match racers.steps.iter().position(|steps| *steps >= self.goal) {
            Some(winner) => Turn::Over(Utilities::win(Player(winner as u8))),
            None if racers.throwing => Turn::Chance,
            None => Turn::Player(racers.mover),
        }
    }
    fn actions(&self, racers: &Racers, visit: impl FnMut(u8)) {
        if racers.throwing {
            (1..=6).for_each(visit);
        } else {
            [THROW, WALK].into_iter().for_each(visit);
        }
    }
    fn apply(&self, racers: &mut Racers, action: u8) {
        if action == THROW {
            racers.throwing = true;
        } else {
            racers.steps[racers.mover.index()] += action;
            racers.mover = racers.mover.opponent();
            racers.throwing = false;
        }
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        (action == THROW || action == WALK).then_some(usize::from(action) / 3)
    }
    fn action_indices(&self) -> usize {
        2
    }
}

impl DiceRace {
    /// The mover's win probability by throwing and by walking, by both players' steps, the mover's
    /// first; by dynamic programming.
    pub(crate) fn chances(&self) -> HashMap<[u8; 2], [f64; 2]> {
        let mut chances = HashMap::new();
        for sum in (0..2 * self.goal).rev() {
            for own in sum.saturating_sub(self.goal - 1)..self.goal.min(sum + 1) {
                let other = sum - own;
                let after = |steps: u8, chances: &HashMap<[u8; 2], [f64; 2]>| {
                    if own + steps >= self.goal {
                        return 1.0;
                    }
                    let [throw, walk] = chances[&[other, own + steps]];
                    1.0 - throw.max(walk)
                };
                let throw = (1..=6).map(|steps| after(steps, &chances) / 6.0).sum();
                let walk = after(WALK, &chances);
                chances.insert([own, other], [throw, walk]);
            }
        }
        chances
    }
}
