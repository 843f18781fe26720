//! The rollout algorithm: each action of the root once, then a base policy, on drawn states (Tesauro and Galperin, 1996;
//! for partial observability Bertsekas and Castanon, 1999).

use crate::budget::{Budget, Clock, Meter, Standing, StopReason};
use crate::evaluation::Knowledge;
use crate::game::{Model, Utilities};
use crate::report::{ActionReport, Report, Reuse, SearchError};
use crate::rng::{self, SearchRng};
use alloc::vec::Vec;

/// The parts of a search that improves a base policy by one step; [`PolicyRollouts::search`] puts them to work.
///
/// In each round one state is drawn, and all actions still in the race are tried on it with the same random
/// numbers, so that their differences are far more certain than their values (common random numbers; Glasserman
/// and Yao, 1992). Actions that are behind the best by more than their error leave the race (Maron and Moore,
/// 1994). No tree: it is right where a good base policy is known and a tree would spread the playouts too thinly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolicyRollouts<K> {
    /// The base policy is its rollout policy; its priors are not read.
    pub knowledge: K,
    /// Steps from the root at which playouts end.
    pub horizon: u32,
    /// Rounds before an action can leave the race.
    pub least_rounds: u32,
    /// Standard errors of the difference by which an action is behind the best when it leaves the race.
    pub margin: f32,
    /// Standard errors of the difference by which the base policy's own choice must be behind the best before the best
    /// is chosen in its place; 0 trusts the means alone.
    pub trust: f32,
}

impl<K> PolicyRollouts<K> {
    /// A search of `model`. Equal seeds, beliefs and playout budgets give equal reports.
    pub fn search<M: Model>(self, seed: u64) -> PolicyRolloutsSearch<M, K>
    where
        K: Knowledge<M>,
    {
        PolicyRolloutsSearch {
            parts: self,
            draw_rng: rng::stream(seed, 0),
            seed,
            rounds: 0,
            racers: Vec::new(),
        }
    }
}

/// A search by rollouts of a base policy.
#[derive(Debug)]
pub struct PolicyRolloutsSearch<M: Model, K> {
    parts: PolicyRollouts<K>,
    draw_rng: SearchRng,
    seed: u64,
    /// Rounds of all searches so far.
    rounds: u64,
    racers: Vec<Racer<M::Action>>,
}

/// One action in the race.
#[derive(Debug, Clone, Copy)]
struct Racer<A> {
    action: A,
    rounds: u32,
    sum: f64,
    squares: f64,
    /// Return of this round.
    value: f64,
    /// Sum and squares of what the leader of each round's start had more.
    behind: f64,
    behind_squares: f64,
    races: bool,
    /// How often it is the base policy's choice in the drawn states.
    choices: u32,
}

impl<M: Model, K: Knowledge<M>> PolicyRolloutsSearch<M, K> {
    /// Searches the states that `draw` gives, all of one view, on the clocks of the operating system.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide.
    #[cfg(feature = "std")]
    pub fn run(
        &mut self,
        model: &M,
        draw: impl FnMut(&M, &mut SearchRng) -> M::State,
        budget: &Budget,
    ) -> Result<Report<M::Action>, SearchError> {
        self.run_with_clock(model, draw, budget, &crate::budget::SystemClock)
    }

    /// [`run`](Self::run) on a clock of the caller.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide.
    pub fn run_with_clock(
        &mut self,
        model: &M,
        mut draw: impl FnMut(&M, &mut SearchRng) -> M::State,
        budget: &Budget,
        clock: &impl Clock,
    ) -> Result<Report<M::Action>, SearchError> {
        let mut meter = Meter::start(*budget, clock);
        let root = draw(model, &mut self.draw_rng);
        if model.is_over(&root) {
            return Err(SearchError::GameOver(Utilities::ZERO));
        }
        self.racers.clear();
        model.actions(&root, |action| self.racers.push(Racer::new(action)));
        if self.racers.is_empty() {
            return Err(SearchError::NoLegalAction);
        }
        let mut state = root;
        let stopped_by = loop {
            if budget.stop_when_decided && self.racers.len() == 1 {
                break StopReason::SingleAction;
            }
            if meter.is_due()
                && let Some(reason) = meter.look(|| Standing { memory_bytes: 0, lead: None })
            {
                break reason;
            }
            let world = draw(model, &mut self.draw_rng);
            meter.count(self.round(model, &world, &mut state));
            if budget.stop_when_decided
                && self.racers.iter().filter(|racer| racer.races).count() == 1
            {
                break StopReason::Decided;
            }
        };
        Ok(self.report(&meter, stopped_by))
    }

    /// All racers on one world; how many playouts that were.
    fn round(&mut self, model: &M, world: &M::State, state: &mut M::State) -> u64 {
        self.rounds += 1;
        let seed = rng::mix(self.seed ^ rng::mix(self.rounds));
        let own = self.parts.knowledge.choose(model, world, &mut rng::stream(seed, 2));
        if let Some(racer) = self.racers.iter_mut().find(|racer| racer.action == own) {
            racer.choices += 1;
        }
        let mut playouts = 0;
        for at in 0..self.racers.len() {
            if self.racers[at].races {
                state.clone_from(world);
                let mut rng = rng::stream(seed, 1);
                let value = self.playout(model, state, self.racers[at].action, &mut rng);
                self.racers[at].add(f64::from(value));
                playouts += 1;
            }
        }
        let leader = self.leader();
        let best = self.racers[leader].value;
        let (least, margin) = (self.parts.least_rounds, f64::from(self.parts.margin));
        for racer in self.racers.iter_mut().filter(|racer| racer.races) {
            let behind = best - racer.value;
            racer.behind += behind;
            racer.behind_squares += behind * behind;
        }
        for at in (0..self.racers.len()).filter(|&at| at != leader) {
            let racer = &mut self.racers[at];
            if racer.races && racer.rounds >= least && racer.is_behind(margin) {
                racer.races = false;
            }
        }
        playouts
    }

    /// The racer with the best mean.
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

    /// What the base policy chooses most often, as long as nothing is better by more than the error, else the leader.
    fn chosen(&self) -> &Racer<M::Action> {
        let leader = &self.racers[self.leader()];
        let own = self.racers.iter().max_by_key(|racer| racer.choices).unwrap_or(leader);
        if own.races && own.choices > 0 && !own.is_behind(self.parts.trust.into()) {
            own
        } else {
            leader
        }
    }

    fn playout(
        &mut self,
        model: &M,
        state: &mut M::State,
        first: M::Action,
        rng: &mut SearchRng,
    ) -> f32 {
        let discount = model.discount();
        let mut total = model.step(state, first, rng);
        let mut weight = discount;
        for _ in 1..self.parts.horizon {
            if model.is_over(state) {
                return total;
            }
            let action = self.parts.knowledge.choose(model, state, rng);
            total += weight * model.step(state, action, rng);
            weight *= discount;
        }
        if model.is_over(state) {
            return total;
        }
        total + weight * self.parts.knowledge.beyond(model, state)
    }

    fn report(&self, meter: &Meter<&impl Clock>, stopped_by: StopReason) -> Report<M::Action> {
        let best = self.chosen().action;
        let mut actions: Vec<_> = self.racers.iter().map(Racer::report).collect();
        actions.sort_by_key(|action| core::cmp::Reverse(action.visits));
        Report {
            best,
            actions,
            principal_variation: alloc::vec![best],
            playouts: meter.playouts(),
            deepest: 1,
            mean_depth: 1.0,
            tree_nodes: 1,
            memory_bytes: 0,
            reuse: Reuse::Fresh,
            stopped_by,
            elapsed: meter.elapsed(),
            overshoot: meter.overshoot(),
        }
    }
}

impl<A: Copy> Racer<A> {
    fn new(action: A) -> Self {
        Racer {
            action,
            rounds: 0,
            sum: 0.0,
            squares: 0.0,
            value: 0.0,
            behind: 0.0,
            behind_squares: 0.0,
            races: true,
            choices: 0,
        }
    }

    fn add(&mut self, value: f64) {
        self.rounds += 1;
        self.sum += value;
        self.squares += value * value;
        self.value = value;
    }

    fn mean(&self) -> f64 {
        if self.rounds == 0 { 0.0 } else { self.sum / f64::from(self.rounds) }
    }

    /// Whether it is behind the leaders by more than so many standard errors of the difference.
    fn is_behind(&self, margin: f64) -> bool {
        let rounds = f64::from(self.rounds);
        let mean = self.behind / rounds;
        let variance = (self.behind_squares / rounds - mean * mean).max(0.0);
        mean > margin * libm::sqrt(variance / rounds)
    }

    fn report(&self) -> ActionReport<A> {
        let rounds = f64::from(self.rounds);
        let variance = (self.squares - self.sum * self.sum / rounds).max(0.0) / (rounds - 1.0);
        ActionReport {
            action: self.action,
            visits: self.rounds,
            value: (self.rounds > 0).then(|| self.mean() as f32),
            standard_error: (self.rounds > 1).then(|| libm::sqrt(variance / rounds) as f32),
            proven: None,
        }
    }
}
