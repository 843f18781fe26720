//! Threads that each have a tree of their own.

use crate::budget::{Budget, Clock, SystemClock};
use crate::evaluation::{Evaluator, Rollout};
use crate::game::Game;
use crate::report::{ActionReport, Report, SearchError};
use crate::rng;
use crate::search::uct::{Uct, UctSearch};
use crate::selection::{SelectionPolicy, Ucb1};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;
use core::num::NonZero;
use rand::Rng;
use std::thread;

/// Root parallelism (Cazenave and Jouandeau, 2007; Chaslot, Winands and van den Herik, 2008, section 3.2): threads
/// search alone, and the statistics of their roots are added up in the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootParallel<S = Ucb1, E = Rollout> {
    /// The parts of each search; the memory cap is that of each tree.
    pub uct: Uct<S, E>,
    /// Threads and trees, the calling thread included.
    pub threads: NonZero<usize>,
}

impl<S, E> RootParallel<S, E> {
    /// A search of `game` with these parts. With a budget of playouts alone equal seeds give equal reports, since
    /// the threads do not meet before the end.
    pub fn search<G>(self, game: G, seed: u64) -> RootParallelSearch<G, S, E>
    where
        G: Game + Clone,
        S: SelectionPolicy + Clone,
        E: Evaluator<G> + Clone,
    {
        let mut seeds = rng::stream(seed, 2);
        let searches = (0..self.threads.get())
            .map(|_| self.uct.clone().search(game.clone(), seeds.next_u64()))
            .collect();
        RootParallelSearch { searches }
    }
}

/// Searches of one game with a tree for each thread; keeps the trees from move to move.
pub struct RootParallelSearch<G: Game, S: SelectionPolicy = Ucb1, E = Rollout> {
    searches: Vec<UctSearch<G, S, E>>,
}

impl<G: Game, S: SelectionPolicy, E> fmt::Debug for RootParallelSearch<G, S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RootParallelSearch")
            .field("trees", &self.searches.len())
            .finish_non_exhaustive()
    }
}

impl<G, S, E> RootParallelSearch<G, S, E>
where
    G: Game<State: Sync + Send, Action: Send> + Send,
    S: SelectionPolicy<Extra: Send> + Send,
    E: Evaluator<G> + Send,
{
    /// Searches `state` within `budget`; its playouts and bytes are shared out evenly, the time is everybody's.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide in `state`.
    pub fn run(
        &mut self,
        state: &G::State,
        budget: &Budget,
    ) -> Result<Report<G::Action>, SearchError> {
        self.run_with_clock(state, budget, &SystemClock)
    }

    /// [`run`](Self::run) on a clock of the caller.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide in `state`.
    pub fn run_with_clock(
        &mut self,
        state: &G::State,
        budget: &Budget,
        clock: &(impl Clock + Sync),
    ) -> Result<Report<G::Action>, SearchError> {
        let threads = self.searches.len();
        let (own, others) = self.searches.split_at_mut(1);
        let mut reports = thread::scope(|scope| {
            let started: Vec<_> = (1..)
                .zip(others)
                .map(|(place, search)| {
                    let budget = share(budget, place, threads);
                    scope.spawn(move || search.run_with_clock(state, &budget, clock))
                })
                .collect();
            let mut reports = Vec::with_capacity(threads);
            reports.push(own[0].run_with_clock(state, &share(budget, 0, threads), clock));
            reports.extend(started.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }));
            reports.into_iter().collect::<Result<Vec<_>, _>>()
        })?;
        let merged = merge_actions(&reports);
        let first = reports.swap_remove(0);
        Ok(self.sum_up(first, &reports, merged))
    }

    /// Tells the search that `action` was played, see [`UctSearch::advance`].
    pub fn advance(&mut self, action: G::Action) {
        self.searches.iter_mut().for_each(|search| search.advance(action));
    }

    /// Tells the search that the game has come to `state`, see [`UctSearch::catch_up`]; whether a tree was kept.
    pub fn catch_up(&mut self, state: &G::State) -> bool
    where
        G::State: PartialEq,
    {
        let mut kept = false;
        for search in &mut self.searches {
            kept |= search.catch_up(state);
        }
        kept
    }

    /// The report of all, made from that of the first.
    fn sum_up(
        &self,
        mut report: Report<G::Action>,
        others: &[Report<G::Action>],
        actions: Vec<ActionReport<G::Action>>,
    ) -> Report<G::Action> {
        let rule = self.searches[0].parts().final_action;
        let best = rule.choose(&actions, G::UTILITY_BOUNDS).map(|place| actions[place].action);
        let best = best.unwrap_or(report.best);
        if report.best != best {
            let line = others.iter().find(|other| other.best == best);
            report.principal_variation =
                line.map_or_else(|| alloc::vec![best], |other| other.principal_variation.clone());
        }
        let depths = |report: &Report<_>| f64::from(report.mean_depth) * report.playouts as f64;
        let mut total = depths(&report);
        for other in others {
            total += depths(other);
            report.playouts += other.playouts;
            report.deepest = report.deepest.max(other.deepest);
            report.tree_nodes += other.tree_nodes;
            report.memory_bytes += other.memory_bytes;
            report.elapsed = report.elapsed.max(other.elapsed);
            report.overshoot = report.overshoot.max(other.overshoot);
        }
        report.mean_depth = (total / report.playouts.max(1) as f64) as f32;
        report.best = best;
        report.actions = actions;
        report
    }
}

/// The part of the search at `place` among so many.
fn share(budget: &Budget, place: usize, threads: usize) -> Budget {
    let (place, threads) = (place as u64, threads as u64);
    Budget {
        playouts: budget.playouts.map(|all| all / threads + u64::from(place < all % threads)),
        memory_bytes: budget.memory_bytes.map(|all| all / threads as usize),
        ..*budget
    }
}

/// The actions of the first report with the statistics of all.
fn merge_actions<A: Copy + PartialEq>(reports: &[Report<A>]) -> Vec<ActionReport<A>> {
    let Some(first) = reports.first() else { return Vec::new() };
    let mut merged: Vec<_> = first
        .actions
        .iter()
        .map(|action| {
            let of_all = reports.iter().flat_map(|report| &report.actions);
            merge(action.action, of_all.filter(|other| other.action == action.action))
        })
        .collect();
    merged.sort_by_key(|action| Reverse(action.visits));
    merged
}

/// Visits add up, values by their visits, squares of standard errors by the squares of their visits; a proof of one
/// is a proof for all.
fn merge<'a, A: Copy + 'a>(
    action: A,
    reports: impl Iterator<Item = &'a ActionReport<A>>,
) -> ActionReport<A> {
    let (mut visits, mut value, mut variance) = (0u32, 0.0, 0.0);
    let mut proven = None;
    for report in reports {
        let weight = f64::from(report.visits);
        visits = visits.saturating_add(report.visits);
        value += weight * report.value.map_or(0.0, f64::from);
        variance += (weight * report.standard_error.map_or(0.0, f64::from)).powi(2);
        proven = proven.or(report.proven);
    }
    let total = f64::from(visits);
    let seen = visits > 0;
    ActionReport {
        action,
        visits,
        value: proven.map(|proof| proof.utility).or(seen.then(|| (value / total) as f32)),
        standard_error: match proven {
            Some(_) => Some(0.0),
            None => seen.then(|| (libm::sqrt(variance) / total) as f32),
        },
        proven,
    }
}
