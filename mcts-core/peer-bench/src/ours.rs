//! This crate's search.

use std::num::NonZero;

use mcts_core::{
    Budget, Game, NoClock, PipelineParallel, Rollout, RootParallel, Search, TreeParallel, Ucb1,
    Uct, Uniform,
};

use crate::contest::{Contest, Counted, seed};
use crate::measure::Found;

/// `Uct::default()` with this number of rollouts at a time.
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
    let mut search = Uct { solver, ..Uct::new(selection, evaluator) }.search(rules, seed());
    let (visits, best) = run(&mut search, &start, playouts);
    Found { visits: Some(visits), rolls_out_itself: false, best, tree: search }
}

/// The visits of the root's actions, and the one to play.
fn run<S: Contest>(
    search: &mut dyn Search<Position = S, Action = S::Action>,
    start: &S,
    playouts: u64,
) -> (u64, S::Action) {
    let budget = Budget::playouts(playouts).to_the_end();
    let report = search.run_with_clock(start, &budget, &NoClock).expect("there is a decision");
    (report.actions.iter().map(|action| u64::from(action.visits)).sum(), report.best)
}

/// The kind of parallel search, with its number of threads.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Threads {
    /// One tree on a fixed schedule, four groups of eight leaves.
    Pipeline(usize),
    /// One tree without a schedule, eight leaves for each thread at a time.
    Free(usize),
    /// A tree for each thread, eight leaves at a time.
    Trees(usize),
}

/// `Uct::default()` on several threads.
pub(crate) fn on_threads<S: Contest>(
    playouts: u64,
    exploration: f32,
    threads: Threads,
) -> Found<S, impl Sized> {
    let number = |number| NonZero::new(number).expect("one or more");
    let (rules, leaves) = (Counted::<S>::new(), number(8));
    let selection = Ucb1 { exploration, ..Ucb1::default() };
    let evaluator = Rollout { policy: Uniform, lanes: 8 };
    let uct = Uct::new(selection, evaluator);
    let mut search: Box<dyn Search<Position = S, Action = S::Action>> = match threads {
        Threads::Pipeline(threads) => {
            let (threads, groups) = (number(threads), number(4));
            Box::new(PipelineParallel { uct, threads, leaves, groups }.search(rules, seed()))
        }
        Threads::Free(threads) => {
            let threads = number(threads);
            Box::new(TreeParallel { uct, threads, leaves }.search(rules, seed()))
        }
        Threads::Trees(threads) => {
            Box::new(RootParallel { uct, threads: number(threads) }.search(rules, seed()))
        }
    };
    let (visits, best) = run(search.as_mut(), &rules.start(), playouts);
    Found { visits: Some(visits), rolls_out_itself: true, best, tree: search }
}
