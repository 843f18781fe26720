//! Decision points: shared by loops in which a node is not a state but an information set.
//!
//! A point is found by a 64-bit key that the loop chooses; its actions are those that were ever legal there. Stores the
//! statistics; each search supplies the loop and the key.

mod arms;
mod view;

use super::root::Samples;
use super::{ActionStats, Choice, Depths, RootStats};
use crate::game::{Game, Player, Turn, Utilities};
use crate::report::{ActionProbability, Reuse, SearchError, Strategy};
use crate::rng::SearchRng;
use crate::selection::{Bandit, Chosen, LegalArms, Scale};
use crate::tree::Index;
use alloc::vec::Vec;
use arms::{Arms, Run};

/// The points, and the path of the current playout through them.
///
/// Memory is allocated when it is needed, twice as much each time, up to the cap: a third of it for points and the rest for
/// arms. Other than that a playout allocates only where its path is longer than any before.
#[derive(Debug)]
pub(super) struct Decisions<A> {
    points: Vec<Point>,
    arms: Arms<A>,
    index: Index,
    most_points: usize,
    path: Vec<Step>,
    /// The legal arms of each step of the path, concatenated.
    legal: Vec<u32>,
    intended: Vec<f32>,
    root: Root<A>,
    depths: Depths,
}

/// The information set at the root of the current search.
#[derive(Debug)]
struct Root<A> {
    /// `None` if the whole game is searched.
    key: Option<u64>,
    /// The legal actions.
    actions: Vec<A>,
    /// The values of this search's playouts, by arm.
    samples: Samples,
}

/// One information set of one player.
#[derive(Debug, Clone, Copy)]
struct Point {
    key: u64,
    player: Player,
    visits: u32,
    run: Run,
    /// The arm of another information set after which this one was first found.
    after: u32,
    /// Linked list: the information set found before this one after the same arm; and the last one
    /// found after an arm of this one.
    before: u32,
    last_after: u32,
}

/// No information set.
const NONE: u32 = u32::MAX;

/// Bytes of an information set, including those in the index.
const POINT_BYTES: usize = size_of::<Point>() + 4 * size_of::<u32>();

/// The decision of a player.
#[derive(Debug)]
pub(super) struct Here<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    /// The key of the information set.
    pub(super) key: u64,
    pub(super) player: Player,
}

/// The chosen action, and the index of the action in its information set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decision<A> {
    pub(super) action: A,
    pub(super) arm: u32,
}

/// One decision of a playout.
#[derive(Debug, Clone, Copy)]
struct Step {
    point: u32,
    chosen: Chosen,
    /// Start of its legal arms.
    legal: u32,
    /// Each player's rewards from this decision to the next one.
    rewards: Utilities,
    /// Weight of later rewards.
    weight: f32,
}

impl<A: Copy + Eq> Decisions<A> {
    /// Empty, with a cap of `cap_bytes`, but at least a few hundred information sets.
    pub(super) fn with_cap(cap_bytes: usize) -> Self {
        let room = |thirds: usize| (thirds / 3).clamp(512, 1 << 30);
        let most_points = room(cap_bytes / POINT_BYTES);
        Decisions {
            points: Vec::new(),
            arms: Arms::with_room(room(2 * (cap_bytes / Arms::<A>::BYTES))),
            index: Index::default(),
            most_points,
            path: Vec::with_capacity(1 << 7),
            legal: Vec::with_capacity(1 << 10),
            intended: Vec::with_capacity(1 << 7),
            root: Root { key: None, actions: Vec::new(), samples: Samples::default() },
            depths: Depths::default(),
        }
    }

    /// Removes everything.
    pub(super) fn restart(&mut self) {
        self.points.clear();
        self.arms.clear();
        self.index.clear();
        self.restart_depths();
    }

    /// Resets the depths of playouts.
    pub(super) fn restart_depths(&mut self) {
        self.depths = Depths::default();
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let points = self.points.len() * size_of::<Point>();
        points + self.arms.memory_bytes() + self.index.memory_bytes()
    }

    /// Whether another search may reach the cap.
    pub(super) fn is_half_full(&self) -> bool {
        self.points.len() > self.most_points / 2 || self.arms.is_half_full()
    }

    fn find(&self, key: u64) -> Option<u32> {
        self.index.find(key, |point| self.points[point as usize].key)
    }

    /// Adds a new information set, if the cap allows, as found after the last decision of the path.
    fn add(&mut self, key: u64, player: Player) {
        let Decisions { points, index, path, .. } = self;
        let key_of = |points: &[Point], point: u32| points[point as usize].key;
        if points.len() < self.most_points
            && points.try_reserve(1).is_ok()
            && index.reserve(1, |point| key_of(points, point))
        {
            let point = points.len() as u32;
            let (mut after, mut before) = (0, NONE);
            if let Some(step) = path.last() {
                after = step.chosen.arm;
                before = core::mem::replace(&mut points[step.point as usize].last_after, point);
            }
            let run = Run::default();
            points.push(Point { key, player, visits: 0, run, after, before, last_after: NONE });
            index.insert(key, point, |point| key_of(points, point));
        }
    }

    /// Starts a playout.
    pub(super) fn begin(&mut self) {
        self.path.clear();
        self.legal.clear();
    }

    /// Chooses the player's action; `None` if the information set is new. Then it is added, if the
    /// cap allows, and the playout must end with an evaluation.
    pub(super) fn decide<G: Game<Action = A>>(
        &mut self,
        rule: &Bandit,
        here: Here<'_, G>,
        rng: &mut SearchRng,
    ) -> Option<Decision<A>> {
        let Some(at) = self.find(here.key) else {
            self.add(here.key, here.player);
            return None;
        };
        let first = self.legal.len();
        self.list_legal(here.game, here.state, at);
        let run = self.points[at as usize].run;
        let legal = &self.legal[first..];
        if legal.is_empty() {
            return None;
        }
        let scale = Scale::new(G::UTILITY_BOUNDS);
        let arms = LegalArms { arms: self.arms.of_mut(run), legal };
        let chosen = rule.choose(arms, scale, &mut self.intended, rng);
        let action = self.arms.actions(run)[chosen.arm as usize];
        let step =
            Step { point: at, chosen, legal: first as u32, rewards: Utilities::ZERO, weight: 1.0 };
        self.path.push(step);
        Some(Decision { action, arm: chosen.arm })
    }

    /// Appends the arms of the legal actions to `legal`; new actions get an arm, if the cap allows.
    fn list_legal<G: Game<Action = A>>(&mut self, game: &G, state: &G::State, at: u32) {
        let Decisions { points, arms, legal, .. } = self;
        let run = &mut points[at as usize].run;
        let known = run.count();
        let mut likely = 0;
        game.actions(state, |action| {
            let place = arms.find(run.first(known), action, likely);
            let place = place.or_else(|| arms.push(run, action));
            if let Some(place) = place {
                likely = place + 1;
                legal.push(place);
            }
        });
    }

    /// Adds each player's rewards for the last action, of any player or of chance.
    pub(super) fn earn(&mut self, rewards: &Utilities, discount: f32) {
        if let Some(step) = self.path.last_mut() {
            step.rewards = step.rewards.plus(rewards, step.weight);
            step.weight *= discount;
        }
    }

    /// Ends a playout; `rest` are the utilities after its last step.
    pub(super) fn learn<G: Game>(&mut self, rule: &Bandit, rest: &Utilities) {
        self.depths.add(self.path.len());
        let mut total = rest.made_finite(G::PLAYERS, G::UTILITY_BOUNDS);
        for step in self.path.iter().rev() {
            total = step.rewards.plus(&total, step.weight);
            let point = &mut self.points[step.point as usize];
            let value = f64::from(total.of_player(point.player));
            point.visits += 1;
            let legal = &self.legal[step.legal as usize..];
            let arms = LegalArms { arms: self.arms.of_mut(point.run), legal };
            rule.learn(arms, step.chosen, value, &mut self.intended);
            self.legal.truncate(step.legal as usize);
        }
        if let Some(first) = self.path.first() {
            let Point { key, player, .. } = self.points[first.point as usize];
            if self.root.key == Some(key) {
                let value = f64::from(total.of_player(player));
                self.root.samples.add(first.chosen.arm as usize, value);
            }
        }
    }

    /// The strategy in the information set of this key; `None` if it is unknown or was never
    /// decided in.
    pub(super) fn strategy(&self, rule: &Bandit, key: u64) -> Option<Strategy<A>> {
        let run = self.points[self.find(key)? as usize].run;
        let (actions, arms) = (self.arms.actions(run), self.arms.of(run));
        let total: f64 = arms.iter().map(|arm| rule.weight(arm)).sum();
        let actions = actions.iter().zip(arms).map(|(action, arm)| ActionProbability {
            action: *action,
            probability: (rule.weight(arm) / total) as f32,
        });
        (total > 0.0).then(|| Strategy { actions: actions.collect() })
    }

    /// Makes the information set of this key the root, where `player` decides among `actions`;
    /// returns what is reused.
    pub(super) fn start(&mut self, key: u64, player: Player, actions: Vec<A>) -> Reuse {
        let visits = self.find(key).map_or(0, |point| self.points[point as usize].visits);
        if self.find(key).is_none() {
            self.path.clear();
            self.add(key, player);
        }
        // under any cap, the root has an arm for each action
        self.arms.allow(4 * actions.len());
        self.root = Root { key: Some(key), actions, samples: Samples::default() };
        match visits {
            0 => Reuse::Fresh,
            visits => Reuse::Kept { visits },
        }
    }

    /// Starts a search without a single information set as root.
    pub(super) fn start_without_root(&mut self) {
        self.root = Root { key: None, actions: Vec::new(), samples: Samples::default() };
    }

    /// Actions, visits, and availability in the information set of this key.
    #[cfg(test)]
    pub(super) fn counts(&self, key: u64) -> Vec<(A, u32, u32)> {
        let Some(at) = self.find(key) else { return Vec::new() };
        let run = self.points[at as usize].run;
        let arms = self.arms.actions(run).iter().zip(self.arms.of(run));
        arms.map(|(action, arm)| (*action, arm.visits, arm.available)).collect()
    }

    /// Writes the statistics of the root.
    pub(super) fn read_root(&self, bounds: (f32, f32), choice: Choice, root: &mut RootStats<A>) {
        let point = self.root.key.and_then(|key| self.find(key));
        let point = point.map(|point| &self.points[point as usize]);
        let run = point.map_or_else(Run::default, |point| point.run);
        let mut likely = 0;
        root.actions.clear();
        root.actions.extend(self.root.actions.iter().map(|&action| {
            let unvisited = ActionStats::unvisited(action);
            let Some(place) = self.arms.find(run, action, likely) else { return unvisited };
            likely = place + 1;
            let arm = self.arms.of(run)[place as usize];
            let (visits, sample) = (arm.visits, self.root.samples.of(place as usize));
            let value = (visits > 0).then(|| arm.mean() as f32);
            ActionStats { visits, value, observations: visits, sample, ..unvisited }
        }));
        root.bounds = bounds;
        root.choice = choice;
        root.ended = None;
        root.nodes = self.points.len();
        root.memory_bytes = self.memory_bytes();
        root.depths = self.depths;
    }
}

/// The player to move in `state`, and the legal actions.
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
    if actions.is_empty() {
        return Err(SearchError::NoLegalAction);
    }
    super::check_discount(game.discount())?;
    Ok((player, actions))
}

/// Applies `action`; returns each player's rewards.
pub(super) fn apply<G: Game>(game: &G, state: &mut G::State, action: G::Action) -> Utilities {
    if G::HAS_REWARDS {
        return game.apply_with_rewards(state, action);
    }
    game.apply(state, action);
    Utilities::ZERO
}
