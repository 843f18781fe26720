//! Our own search.

use mcts_core::{Budget, Game, NoClock, Rollout, Search, Ucb1, Uct, Uniform};

use crate::contest::{Contest, Counted, seed};
use crate::measure::Found;

/// UCT as its default is, with so many rollouts at a time.
pub(crate) fn search<S: Contest>(
    playouts: u64,
    exploration: f32,
    solver: bool,
    lanes: usize,
) -> Found<S, impl Sized> {
    let rules = Counted::<S>::new();
    let start = rules.start();
    let selection = Ucb1 { exploration, ..Ucb1::default() };
    let evaluator = Rollout { policy: Uniform, lanes };
    let mut search = Uct { selection, evaluator, solver, ..Uct::default() }.search(rules, seed());
    let budget = Budget::playouts(playouts).to_the_end();
    let report = search.run_with_clock(&start, &budget, &NoClock).expect("there is a decision");
    let visits = report.actions.iter().map(|action| u64::from(action.visits)).sum();
    Found { visits: Some(visits), rolls_out_itself: false, best: report.best, tree: search }
}
