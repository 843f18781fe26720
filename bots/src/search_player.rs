//! A player that searches: UCT with chosen parts, its tree kept from move to move, on a time plan.

use crate::client_seat::{Decision, Player};
use crate::parameters::{ParameterError, Parameters};
use crate::time_plan::{TimePlan, TimeUsed};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use games::{Client, TimeTold};
use mcts_core::{Budget, Clock, Evaluator, Game, Report, Search, SelectionPolicy, Uct, UctSearch};

/// How many decisions are still to come in a position, this one included; need not be whole.
pub type DecisionsLeft<S> = fn(&S) -> f32;

/// Searches with UCT as long as the time plan lets it.
#[derive(Debug)]
pub struct SearchPlayer<G: Game, S: SelectionPolicy, E> {
    parts: Uct<S, E>,
    seed: u64,
    search: Option<Box<UctSearch<G, S, E>>>,
    plan: TimePlan,
    used: TimeUsed,
    decisions_left: DecisionsLeft<G::State>,
    /// Playouts of every decision instead of a time plan; makes the player deterministic.
    playouts: Option<u64>,
}

impl<G, S, E> SearchPlayer<G, S, E>
where
    G: Game,
    S: SelectionPolicy + Clone,
    E: Evaluator<G> + Clone,
{
    /// A player with these parts and this plan; takes `playouts`, `seed`, `memory` (of the tree, in MiB) and `share` (of
    /// the clock, for quick matches) from the parameters.
    ///
    /// # Errors
    /// [`ParameterError`] if one of them cannot be read.
    pub fn new(
        mut parts: Uct<S, E>,
        plan: TimePlan,
        decisions_left: DecisionsLeft<G::State>,
        parameters: &mut Parameters,
    ) -> Result<Self, ParameterError> {
        parts.memory_cap_bytes = parameters.memory_bytes(parts.memory_cap_bytes)?;
        let playouts = parameters.playouts()?;
        let seed = parameters.seed()?;
        let plan = plan.with_share(parameters.number("share", 1.0, (0.001, 1.0))?);
        let search = None;
        Ok(SearchPlayer {
            parts,
            seed,
            search,
            plan,
            used: TimeUsed::default(),
            decisions_left,
            playouts,
        })
    }

    fn budget(&self, state: &G::State, told: TimeTold, clock: &dyn Clock) -> Budget {
        match self.playouts {
            Some(playouts) => Budget::playouts(playouts),
            None => self.plan.budget(&self.used, told, (self.decisions_left)(state), clock),
        }
    }
}

impl<G, C, S, E> Player<C> for SearchPlayer<G, S, E>
where
    G: Game + Clone + PartialEq,
    C: Client<Game = G, Position = G::State, Action = G::Action>,
    S: SelectionPolicy + Clone,
    E: Evaluator<G> + Clone,
{
    fn decide(
        &mut self,
        client: &C,
        told: TimeTold,
        clock: &dyn Clock,
    ) -> Option<Decision<G::Action>> {
        let state = client.position();
        let budget = self.budget(state, told, clock);
        if self.search.as_ref().is_some_and(|search| search.game() != client.game()) {
            self.search = None;
        }
        let (parts, seed) = (&self.parts, self.seed);
        let search = self
            .search
            .get_or_insert_with(|| Box::new(parts.clone().search(client.game().clone(), seed)));
        match search.run_with_clock(state, &budget, clock) {
            Ok(report) => {
                search.advance(report.best);
                Some(Decision { action: report.best, report: Some(report_in_words(&report)) })
            }
            Err(error) => {
                tracing::warn!(%error, "nothing to search");
                None
            }
        }
    }

    fn answered(&mut self, started_nanos: u64, clock: &dyn Clock) {
        self.used.add_answer(started_nanos, &self.plan, clock);
    }
}

/// A report as `key=value` words, as [`Seat::report`](crate::Seat::report) gives it.
pub fn report_in_words<A: Copy + PartialEq + core::fmt::Debug>(report: &Report<A>) -> String {
    let value = report.value().map_or_else(String::new, |value| format!("value={value:.4} "));
    let visits = report.best_action().map_or(0, |action| action.visits);
    let proven = report.best_action().and_then(|action| action.proven);
    let proven = proven.map_or_else(String::new, |proof| {
        format!(" proven={:.4} plies={}", proof.utility, proof.plies)
    });
    format!(
        "{value}playouts={} visits={visits} deepest={} nodes={} stopped_by={:?}{proven}",
        report.playouts, report.deepest, report.tree_nodes, report.stopped_by
    )
}
