//! The rollout algorithm: each action of the root, followed by a base policy, in sampled states
//! (Tesauro and Galperin, 1996; for partial observability Bertsekas and Castanon, 1999).

use crate::evaluation::Knowledge;
use crate::game::{Model, Utilities, finite};
use crate::report::{Reuse, SearchError};
use crate::rng::{self, SearchRng};
use crate::search::{ActionStats, Choice, Depths, RootStats, Sample, Search};
use alloc::vec::Vec;

/// The parts of a search that improves a base policy by one step; [`PolicyRollouts::search`]
/// creates the search.
///
/// In each round one state is sampled, and all remaining actions are tried in it with the same
/// random numbers, so that their differences are much more precise than their values (common random
/// numbers; Glasserman and Yao, 1992). Actions that are significantly worse than the best are
/// eliminated (Maron and Moore, 1994). There is no tree: use it where a good base policy is known
/// and a tree would spread the playouts too thinly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolicyRollouts<K> {
    /// Supplies the base policy as its rollout policy; its priors are not used.
    pub knowledge: K,
    /// Steps from the root at which playouts end.
    pub horizon: u32,
    /// Minimum number of rounds before an action can be eliminated.
    pub least_rounds: u32,
    /// An action is eliminated when it is behind the best by this many standard errors of the
    /// difference.
    pub elimination_z: f32,
    /// The choice of the base policy is played unless it is behind the best by this many standard
    /// errors of the difference; 0 compares the means alone.
    pub override_z: f32,
}

impl<K> PolicyRollouts<K> {
    /// A search of `model`. Equal seeds, views and playout budgets give equal reports.
    pub fn search<M: Model>(self, model: M, seed: u64) -> PolicyRolloutsSearch<M, K>
    where
        K: Knowledge<M>,
    {
        PolicyRolloutsSearch {
            model,
            parts: self,
            state_rng: rng::stream(seed, 0),
            seed,
            rounds: 0,
            round: None,
            racers: Vec::new(),
            depths: Depths::default(),
        }
    }
}

/// A search by rollouts of a base policy.
#[derive(Debug)]
pub struct PolicyRolloutsSearch<M: Model, K> {
    model: M,
    parts: PolicyRollouts<K>,
    state_rng: SearchRng,
    seed: u64,
    /// Rounds of all searches so far.
    rounds: u64,
    /// The unfinished round.
    round: Option<Round<M::State>>,
    racers: Vec<Racer<M::Action>>,
    depths: Depths,
}

/// One playout of every remaining action, from the same state.
#[derive(Debug)]
struct Round<S> {
    world: S,
    /// The state of the current playout.
    state: S,
    seed: u64,
    /// The index of the next racer.
    at: usize,
}

/// One remaining action.
#[derive(Debug, Clone, Copy)]
struct Racer<A> {
    action: A,
    sample: Sample,
    /// Return of this round.
    value: f64,
    /// Return of the leader minus its own, for each finished round.
    behind: Sample,
    races: bool,
    /// Number of sampled states in which it is the base policy's choice.
    choices: u32,
}

impl<M: Model, K: Knowledge<M>> PolicyRolloutsSearch<M, K> {
    /// Starts a round from a state of this view.
    fn begin_round(&mut self, view: &M::View) -> Round<M::State> {
        let world = self.model.determinize(view, &mut self.state_rng);
        self.rounds += 1;
        let seed = rng::mix(self.seed ^ rng::mix(self.rounds));
        let own = self.parts.knowledge.choose(&self.model, &world, &mut rng::stream(seed, 2));
        if let Some(racer) = self.racers.iter_mut().find(|racer| racer.action == own) {
            racer.choices += 1;
        }
        Round { state: world.clone(), world, seed, at: 0 }
    }

    /// One playout of the next racer of the round; `None` if the round is over.
    fn next_playout(&mut self, round: &mut Round<M::State>) -> Option<()> {
        let left = self.racers.get(round.at..)?;
        round.at += left.iter().position(|racer| racer.races)?;
        round.state.clone_from(&round.world);
        let action = self.racers[round.at].action;
        let value = self.playout(&mut round.state, action, &mut rng::stream(round.seed, 1));
        let racer = &mut self.racers[round.at];
        racer.value = f64::from(value);
        racer.sample.add(racer.value);
        self.depths.add(1);
        round.at += 1;
        Some(())
    }

    /// Compares the racers after a round; eliminates those that are far behind.
    fn end_round(&mut self) {
        let leader = self.leader();
        let best = self.racers[leader].value;
        for racer in self.racers.iter_mut().filter(|racer| racer.races) {
            racer.behind.add(best - racer.value);
        }
        let (least, elimination_z) = (self.parts.least_rounds, f64::from(self.parts.elimination_z));
        for (at, racer) in self.racers.iter_mut().enumerate() {
            let may_leave = at != leader && racer.behind.count >= least;
            racer.races &= !(may_leave && racer.is_behind(elimination_z));
        }
    }

    /// The index of the racer with the best mean.
    fn leader(&self) -> usize {
        let mut leader = 0;
        let mut most = f64::NEG_INFINITY;
        for (at, racer) in self.racers.iter().enumerate() {
            if racer.races && racer.mean() > most {
                (leader, most) = (at, racer.mean());
            }
        }
        leader
    }

    /// The index of the base policy's most frequent choice, unless another action is significantly
    /// better; then that of the leader.
    fn chosen(&self) -> usize {
        let most = |at: &usize| self.racers[*at].choices;
        let own = (0..self.racers.len()).max_by_key(most).unwrap_or(0);
        let racer = &self.racers[own];
        let stands =
            racer.races && racer.choices > 0 && !racer.is_behind(self.parts.override_z.into());
        if stands { own } else { self.leader() }
    }

    fn playout(&mut self, state: &mut M::State, first: M::Action, rng: &mut SearchRng) -> f32 {
        let model = &self.model;
        let discount = model.discount();
        let mut total = model.step(state, first, rng);
        let mut weight = discount;
        for _ in 1..self.parts.horizon {
            if model.is_over(state) {
                return finite(total, model.return_bounds());
            }
            let action = self.parts.knowledge.choose(model, state, rng);
            total += weight * model.step(state, action, rng);
            weight *= discount;
        }
        if !model.is_over(state) {
            total += weight * self.parts.knowledge.beyond(model, state);
        }
        finite(total, model.return_bounds())
    }
}

/// Starts from the player's view; nothing is kept between searches.
impl<M: Model, K: Knowledge<M>> Search for PolicyRolloutsSearch<M, K> {
    type Position = M::View;
    type Action = M::Action;

    fn prepare(&mut self, at: &M::View) -> Result<Reuse, SearchError> {
        let root = self.model.determinize(at, &mut self.state_rng);
        if self.model.is_over(&root) {
            return Err(SearchError::GameOver(Utilities::ZERO));
        }
        super::check_discount(self.model.discount())?;
        self.racers.clear();
        self.model.actions(&root, |action| self.racers.push(Racer::new(action)));
        self.round = None;
        self.depths = Depths::default();
        if self.racers.is_empty() { Err(SearchError::NoLegalAction) } else { Ok(Reuse::Fresh) }
    }

    fn playouts(&mut self, at: &M::View, most: u64) -> u64 {
        let mut done = 0;
        while done < most {
            let mut round = self.round.take().unwrap_or_else(|| self.begin_round(at));
            if self.next_playout(&mut round).is_some() {
                done += 1;
                self.round = Some(round);
            } else {
                self.end_round();
            }
        }
        done
    }

    fn read_root(&self, root: &mut RootStats<M::Action>) {
        root.actions.clear();
        root.actions.extend(self.racers.iter().map(|racer| {
            let (visits, sample) = (racer.sample.count, racer.sample);
            let value = sample.mean().map(|mean| mean as f32);
            let unvisited = ActionStats::unvisited(racer.action);
            ActionStats { visits, value, observations: visits, sample, ..unvisited }
        }));
        let is_settled = self.racers.iter().filter(|racer| racer.races).count() == 1;
        root.bounds = self.model.return_bounds();
        root.choice = Choice::Own { place: self.chosen(), is_settled };
        root.ended = None;
        root.nodes = 1;
        root.memory_bytes = 0;
        root.depths = self.depths;
    }
}

impl<A: Copy> Racer<A> {
    fn new(action: A) -> Self {
        Racer {
            action,
            sample: Sample::default(),
            value: 0.0,
            behind: Sample::default(),
            races: true,
            choices: 0,
        }
    }

    fn mean(&self) -> f64 {
        self.sample.mean().unwrap_or(0.0)
    }

    /// Whether it is behind the leaders by more than `z` standard errors of the difference.
    fn is_behind(&self, z: f64) -> bool {
        let Some(mean) = self.behind.mean() else { return false };
        let rounds = f64::from(self.behind.count);
        let variance = (self.behind.squares / rounds - mean * mean).max(0.0);
        mean > z * libm::sqrt(variance / rounds)
    }
}
