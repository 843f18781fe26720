//! PIMC: many drawn worlds, each searched as if everything in it were seen (perfect information Monte Carlo; Ginsberg,
//! 2001).

use super::uct::Uct;
use crate::budget::{Budget, Clock, Meter, Standing, StopReason};
use crate::evaluation::{Evaluator, Rollout};
use crate::final_action::FinalAction;
use crate::game::Game;
use crate::report::{ActionReport, Report, Reuse, SearchError};
use crate::rng::{self, SearchRng};
use crate::selection::{SelectionPolicy, Ucb1};
use alloc::vec::Vec;
use core::time::Duration;

/// The parts of a search over drawn worlds: UCT in each of them, and the mean over all.
///
/// It decides in each world as if the player knew it (strategy fusion), so it never pays for looking and is wrong
/// where that matters; [`pomcp`](super::pomcp) is not. Where what is hidden comes to light anyway it is often
/// enough (Long et al., 2010).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pimc<S = Ucb1, E = Rollout> {
    /// The search of one world; its memory cap is for one world at a time.
    pub uct: Uct<S, E>,
    /// Worlds to draw; the budget is shared out evenly.
    pub worlds: u32,
    /// Which action is played, by visits and values over all worlds.
    pub final_action: FinalAction,
}

impl<S: Default, E: Default> Default for Pimc<S, E> {
    /// Twenty worlds, 32 MiB; without proven values, since a world that is solved early says nothing of the other
    /// actions.
    fn default() -> Self {
        Pimc {
            uct: Uct { memory_cap_bytes: 32 << 20, solver: false, ..Uct::default() },
            worlds: 20,
            final_action: FinalAction::Max,
        }
    }
}

impl<S, E> Pimc<S, E> {
    /// A search of `game` with these parts. Equal seeds, drawn worlds and playout budgets give equal reports.
    pub fn search<G>(self, game: G, seed: u64) -> PimcSearch<G, S, E>
    where
        G: Game + Clone,
        S: SelectionPolicy + Clone,
        E: Evaluator<G> + Clone,
    {
        PimcSearch { game, parts: self, rng: rng::stream(seed, 0), seed, searched: 0 }
    }
}

/// A search over drawn worlds.
#[derive(Debug)]
pub struct PimcSearch<G, S = Ucb1, E = Rollout> {
    game: G,
    parts: Pimc<S, E>,
    rng: SearchRng,
    seed: u64,
    /// Worlds of all searches so far, each with a seed of its own.
    searched: u64,
}

/// What the worlds say of one action.
#[derive(Debug)]
struct Opinion<A> {
    action: A,
    visits: u32,
    worlds: u32,
    sum: f64,
    squares: f64,
}

/// What all worlds say.
#[derive(Debug)]
struct Opinions<A> {
    of_actions: Vec<Opinion<A>>,
    deepest: u32,
    depths: f64,
    nodes: usize,
    memory_bytes: usize,
}

impl<G, S, E> PimcSearch<G, S, E>
where
    G: Game + Clone,
    S: SelectionPolicy + Clone,
    E: Evaluator<G> + Clone,
{
    /// Searches the worlds that `draw` gives, which all have the same player to move and the same legal actions,
    /// on the clocks of the operating system.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide in a drawn world.
    #[cfg(feature = "std")]
    pub fn run(
        &mut self,
        draw: impl FnMut(&G, &mut SearchRng) -> G::State,
        budget: &Budget,
    ) -> Result<Report<G::Action>, SearchError> {
        self.run_with_clock(draw, budget, &crate::budget::SystemClock)
    }

    /// [`run`](Self::run) on a clock of the caller.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide in a drawn world.
    pub fn run_with_clock(
        &mut self,
        mut draw: impl FnMut(&G, &mut SearchRng) -> G::State,
        budget: &Budget,
        clock: &impl Clock,
    ) -> Result<Report<G::Action>, SearchError> {
        let mut meter = Meter::start(*budget, clock);
        let mut opinions =
            Opinions { of_actions: Vec::new(), deepest: 0, depths: 0.0, nodes: 0, memory_bytes: 0 };
        let mut stopped_by = StopReason::Playouts;
        for world in 0..self.parts.worlds.max(1) {
            let standing = || Standing { memory_bytes: 0, lead: None };
            if world > 0
                && let Some(reason) = meter.look(standing)
            {
                stopped_by = reason;
                break;
            }
            let state = draw(&self.game, &mut self.rng);
            let share = share(budget, &meter, self.parts.worlds.max(1) - world);
            self.searched += 1;
            let seed = rng::mix(self.seed ^ rng::mix(self.searched));
            let mut search = self.parts.uct.clone().search(self.game.clone(), seed);
            let report = search.run_with_clock(&state, &share, clock)?;
            meter.count(report.playouts);
            stopped_by = report.stopped_by;
            opinions.add(&report);
        }
        Ok(self.report(opinions, &meter, stopped_by))
    }

    fn report(
        &self,
        opinions: Opinions<G::Action>,
        meter: &Meter<&impl Clock>,
        stopped_by: StopReason,
    ) -> Report<G::Action> {
        let mut actions: Vec<_> = opinions.of_actions.iter().map(Opinion::report).collect();
        let best = self.parts.final_action.choose(&actions, G::UTILITY_BOUNDS).unwrap_or(0);
        let best = actions[best].action;
        actions.sort_by_key(|action| core::cmp::Reverse(action.visits));
        let playouts = meter.playouts();
        Report {
            best,
            actions,
            principal_variation: alloc::vec![best],
            playouts,
            deepest: opinions.deepest,
            mean_depth: (opinions.depths / playouts.max(1) as f64) as f32,
            tree_nodes: opinions.nodes,
            memory_bytes: opinions.memory_bytes,
            reuse: Reuse::Fresh,
            stopped_by,
            elapsed: meter.elapsed(),
            overshoot: meter.overshoot(),
        }
    }
}

/// The budget of the next of so many worlds.
fn share(budget: &Budget, meter: &Meter<&impl Clock>, worlds: u32) -> Budget {
    let time = |limit: Duration| limit.saturating_sub(meter.elapsed()) / worlds;
    let playouts = budget
        .playouts
        .map(|limit| limit.saturating_sub(meter.playouts()).div_ceil(u64::from(worlds)));
    Budget {
        playouts,
        wall: budget.wall.map(time),
        cpu: budget.cpu.map(time),
        memory_bytes: budget.memory_bytes,
        stop_when_decided: false,
    }
}

impl<A: Copy + PartialEq> Opinions<A> {
    fn add(&mut self, report: &Report<A>) {
        self.deepest = self.deepest.max(report.deepest);
        self.depths += f64::from(report.mean_depth) * report.playouts as f64;
        self.nodes += report.tree_nodes;
        self.memory_bytes = self.memory_bytes.max(report.memory_bytes);
        for of_world in &report.actions {
            let opinion = self.of(of_world.action);
            opinion.visits = opinion.visits.saturating_add(of_world.visits);
            if let Some(value) = of_world.value.map(f64::from) {
                opinion.worlds += 1;
                opinion.sum += value;
                opinion.squares += value * value;
            }
        }
    }

    fn of(&mut self, action: A) -> &mut Opinion<A> {
        let known = self.of_actions.iter().position(|opinion| opinion.action == action);
        let place = known.unwrap_or_else(|| {
            let new = Opinion { action, visits: 0, worlds: 0, sum: 0.0, squares: 0.0 };
            self.of_actions.push(new);
            self.of_actions.len() - 1
        });
        &mut self.of_actions[place]
    }
}

impl<A: Copy> Opinion<A> {
    /// The mean of the worlds' values, each world counting once, and its error over the draws.
    fn report(&self) -> ActionReport<A> {
        let worlds = f64::from(self.worlds);
        let variance = (self.squares - self.sum * self.sum / worlds).max(0.0) / (worlds - 1.0);
        ActionReport {
            action: self.action,
            visits: self.visits,
            value: (self.worlds > 0).then(|| (self.sum / worlds) as f32),
            standard_error: (self.worlds > 1).then(|| libm::sqrt(variance / worlds) as f32),
            proven: None,
        }
    }
}
