//! Decision points: what loops share in which a node is not a state, but what a player knows.
//!
//! A point is found by a 64-bit key that the loop chooses; its actions are those that were ever legal there. The loop
//! walks, this remembers. It knows no observation, no moment and no chance.

use crate::budget::Clock;
use crate::budget::{Meter, Standing, StopReason};
use crate::final_action::FinalAction;
use crate::game::{Game, Player, Turn, Utilities};
use crate::report::{ActionProbability, ActionReport, Report, Reuse, SearchError, Strategy};
use crate::rng::SearchRng;
use crate::selection::{Arm, Bandit, Chosen, Scale};
use crate::tree::Index;
use alloc::vec::Vec;

/// The points, and the playout on its way through them.
#[derive(Debug)]
pub(super) struct Decisions<A> {
    points: Vec<Point<A>>,
    index: Index,
    cap_bytes: usize,
    /// Bytes of all points and arms.
    bytes: usize,
    path: Vec<Step>,
    /// The legal arms of each step of the path, one after another.
    legal: Vec<u16>,
    intended: Vec<f32>,
    deepest: usize,
    total_depth: u64,
}

/// What one player may know when she decides.
#[derive(Debug)]
struct Point<A> {
    key: u64,
    player: Player,
    visits: u32,
    actions: Vec<A>,
    arms: Vec<Arm>,
}

/// What a player does, and the number that the action has at its point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decision<A> {
    pub(super) action: A,
    pub(super) arm: u16,
}

/// One decision of a playout.
#[derive(Debug, Clone, Copy)]
struct Step {
    point: u32,
    chosen: Chosen,
    /// Where its legal arms begin.
    legal: u32,
    /// What each player earned from this decision to the next one.
    rewards: Utilities,
    /// Weight of what comes after that.
    weight: f32,
}

impl<A: Copy + Eq> Decisions<A> {
    pub(super) fn with_cap(cap_bytes: usize) -> Self {
        Decisions {
            points: Vec::new(),
            index: Index::default(),
            cap_bytes,
            bytes: 0,
            path: Vec::new(),
            legal: Vec::new(),
            intended: Vec::new(),
            deepest: 0,
            total_depth: 0,
        }
    }

    /// Forgets everything.
    pub(super) fn restart(&mut self) {
        self.points.clear();
        self.index.clear();
        self.bytes = 0;
        self.restart_depths();
    }

    /// Forgets how deep playouts went.
    pub(super) fn restart_depths(&mut self) {
        (self.deepest, self.total_depth) = (0, 0);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.bytes + self.index.memory_bytes()
    }

    fn find(&self, key: u64) -> Option<u32> {
        self.index.find(key, |point| self.points[point as usize].key)
    }

    /// Makes sure that there is a point of this key.
    pub(super) fn ensure(&mut self, key: u64, player: Player) {
        if self.find(key).is_none() {
            self.add(key, player);
        }
    }

    fn add(&mut self, key: u64, player: Player) {
        let point = self.points.len() as u32;
        self.points.push(Point { key, player, visits: 0, actions: Vec::new(), arms: Vec::new() });
        self.bytes += size_of::<Point<A>>();
        self.index.insert(key, point, |point| self.points[point as usize].key);
    }

    /// Begins a playout.
    pub(super) fn begin(&mut self) {
        self.path.clear();
        self.legal.clear();
    }

    /// What `player` does in `state` at the point of this key; `None` if it is new. Then it is remembered, if memory
    /// allows, and the playout is to be ended by an evaluation.
    pub(super) fn decide<G: Game<Action = A>>(
        &mut self,
        rule: &Bandit,
        (game, state): (&G, &G::State),
        (key, player): (u64, Player),
        rng: &mut SearchRng,
    ) -> Option<Decision<A>> {
        let Some(at) = self.find(key) else {
            if self.memory_bytes() < self.cap_bytes {
                self.add(key, player);
            }
            return None;
        };
        let first = self.legal.len();
        self.list_legal(game, state, at);
        let point = &mut self.points[at as usize];
        let legal = &self.legal[first..];
        if legal.is_empty() {
            return None;
        }
        let scale = Scale::new(G::UTILITY_BOUNDS);
        let chosen = rule.choose((&mut point.arms, legal), scale, &mut self.intended, rng);
        let action = point.actions[usize::from(chosen.arm)];
        let step =
            Step { point: at, chosen, legal: first as u32, rewards: Utilities::ZERO, weight: 1.0 };
        self.path.push(step);
        Some(Decision { action, arm: chosen.arm })
    }

    /// Writes the arms of the legal actions to the end of `legal`; actions that are new here get one.
    fn list_legal<G: Game<Action = A>>(&mut self, game: &G, state: &G::State, at: u32) {
        let Point { actions, arms, .. } = &mut self.points[at as usize];
        let before = arms.len();
        let mut likely = 0;
        game.actions(state, |action| {
            // actions mostly come in the order of the time before
            let known = actions[likely..].iter().position(|known| *known == action);
            let place = known.map(|place| likely + place);
            let place =
                place.or_else(|| actions[..likely].iter().position(|known| *known == action));
            let place = place.unwrap_or_else(|| {
                actions.push(action);
                arms.push(Arm::default());
                actions.len() - 1
            });
            likely = (place + 1).min(actions.len());
            self.legal.push(place as u16);
        });
        self.bytes += (arms.len() - before) * (size_of::<A>() + size_of::<Arm>());
    }

    /// Notes what each player earned by the last action, of whomever or of chance.
    pub(super) fn earn(&mut self, rewards: &Utilities, discount: f32) {
        if let Some(step) = self.path.last_mut() {
            step.rewards = step.rewards.plus(rewards, step.weight);
            step.weight *= discount;
        }
    }

    /// Ends a playout: what each player got after its last step.
    pub(super) fn learn(&mut self, rule: &Bandit, rest: &Utilities) {
        self.deepest = self.deepest.max(self.path.len());
        self.total_depth += self.path.len() as u64;
        let mut total = *rest;
        for step in self.path.iter().rev() {
            total = step.rewards.plus(&total, step.weight);
            let point = &mut self.points[step.point as usize];
            let value = f64::from(total.of_player(point.player));
            point.visits += 1;
            let legal = &self.legal[step.legal as usize..];
            rule.learn((&mut point.arms, legal), (step.chosen, value), &mut self.intended);
            self.legal.truncate(step.legal as usize);
        }
    }

    /// What was found at the point of this key; `None` if it is unknown or was never decided at.
    pub(super) fn strategy(&self, rule: &Bandit, key: u64) -> Option<Strategy<A>> {
        let point = &self.points[self.find(key)? as usize];
        let total: f64 = point.arms.iter().map(|arm| rule.weight(arm)).sum();
        let actions = point.actions.iter().zip(&point.arms).map(|(action, arm)| {
            ActionProbability { action: *action, probability: (rule.weight(arm) / total) as f32 }
        });
        (total > 0.0).then(|| Strategy { actions: actions.collect() })
    }

    /// How the most visited action of this point stands.
    pub(super) fn standing(&self, key: u64, final_action: FinalAction) -> Standing {
        let lead = self.find(key).filter(|_| final_action == FinalAction::Robust).map(|point| {
            let (mut first, mut second) = (0, 0);
            for arm in &self.points[point as usize].arms {
                if arm.visits > first {
                    (first, second) = (arm.visits, first);
                } else {
                    second = second.max(arm.visits);
                }
            }
            u64::from(first - second)
        });
        Standing { memory_bytes: self.memory_bytes(), lead }
    }

    /// Visits of the point of this key.
    pub(super) fn visits(&self, key: u64) -> u32 {
        self.find(key).map_or(0, |point| self.points[point as usize].visits)
    }

    /// What is known of `actions` at the point of this key, and which to play.
    pub(super) fn report<G: Game<Action = A>>(
        &self,
        (key, actions): (u64, &[A]),
        final_action: FinalAction,
        meter: &Meter<&impl Clock>,
        (reuse, stopped_by): (Reuse, StopReason),
    ) -> Report<A> {
        let point = self.find(key).map(|point| &self.points[point as usize]);
        let (lowest, highest) = G::UTILITY_BOUNDS;
        let report = |action: &A| {
            let arm = point.and_then(|point| {
                let place = point.actions.iter().position(|known| known == action)?;
                Some(point.arms[place])
            });
            let arm = arm.unwrap_or_default();
            let value = (arm.visits > 0).then(|| arm.mean() as f32);
            let spread = |value: f32| ((highest - value) * (value - lowest)).max(0.0);
            let error = |value: f32| libm::sqrtf(spread(value) / arm.visits as f32);
            let (action, visits) = (*action, arm.visits);
            ActionReport { action, visits, value, standard_error: value.map(error), proven: None }
        };
        let mut reports: Vec<_> = actions.iter().map(report).collect();
        let best = final_action.choose(&reports, G::UTILITY_BOUNDS).unwrap_or(0);
        let best = reports[best].action;
        reports.sort_by_key(|report| core::cmp::Reverse(report.visits));
        let playouts = meter.playouts();
        Report {
            best,
            actions: reports,
            principal_variation: alloc::vec![best],
            playouts,
            deepest: self.deepest as u32,
            mean_depth: self.total_depth as f32 / playouts.max(1) as f32,
            tree_nodes: self.points.len(),
            memory_bytes: self.memory_bytes(),
            reuse,
            stopped_by,
            elapsed: meter.elapsed(),
            overshoot: meter.overshoot(),
        }
    }
}

/// Who decides in `state`, and the legal actions.
pub(super) fn to_decide<G: Game>(
    game: &G,
    state: &G::State,
) -> Result<(Player, Vec<G::Action>), SearchError> {
    let player = match game.turn(state) {
        Turn::Over(utilities) => return Err(SearchError::GameOver(utilities)),
        Turn::Chance => return Err(SearchError::ChanceToMove),
        Turn::Player(player) => player,
    };
    let mut actions = Vec::new();
    game.actions(state, |action| actions.push(action));
    if actions.is_empty() { Err(SearchError::NoLegalAction) } else { Ok((player, actions)) }
}

/// Applies `action`; what each player earned by it.
pub(super) fn apply<G: Game>(game: &G, state: &mut G::State, action: G::Action) -> Utilities {
    if G::HAS_REWARDS {
        return game.apply_with_rewards(state, action);
    }
    game.apply(state, action);
    Utilities::ZERO
}

/// Playouts within a budget: whether only one action is legal, how things stand, and one playout.
pub(super) fn run<C: Clock, T>(
    meter: &mut Meter<C>,
    search: &mut T,
    standing: impl Fn(&T) -> Standing,
    mut playout: impl FnMut(&mut T),
) -> StopReason {
    loop {
        if meter.is_due()
            && let Some(reason) = meter.look(|| standing(search))
        {
            return reason;
        }
        playout(search);
        meter.count(1);
    }
}
