//! Several threads for one decision: properties that hold for every schedule.
#![cfg(feature = "parallel")]
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic")]

mod support;

use core::hint::black_box;
use core::num::NonZero;
use mcts_core::selection::{Candidate, Learns, Played};
use mcts_core::testing::{Position, TreeGame};
use mcts_core::{
    Budget, Game, NoClock, Player, Report, RootParallel, Search, SearchError, SelectionPolicy,
    StopReason, TreeParallel, Ucb1, Uct, Utilities,
};
use support::Countdown;

const LONG: Countdown = Countdown { plies: 100_000, winner: Player::FIRST };

/// These parts on one tree, shared by this number of threads.
fn threads<S, E>(threads: usize, uct: Uct<S, E>) -> TreeParallel<S, E> {
    let (threads, leaves) = (NonZero::new(threads).unwrap(), NonZero::new(4).unwrap());
    TreeParallel { uct, threads, leaves }
}

fn root_parallel(threads: usize) -> RootParallel {
    RootParallel { uct: Uct::default(), threads: NonZero::new(threads).unwrap() }
}

fn visits<A>(report: &Report<A>) -> u64 {
    report.actions.iter().map(|action| u64::from(action.visits)).sum()
}

/// Parts that give every leaf the value 1/4 for the first player.
fn quarter() -> Uct<mcts_core::Ucb1, fn(&Countdown, &u32) -> Utilities> {
    Uct {
        selection: Default::default(),
        expansion: Default::default(),
        evaluator: |_, _| Utilities::zero_sum(0.25),
        solver: true,
        final_action: Default::default(),
        memory_cap_bytes: 1 << 20,
    }
}

#[test]
fn every_playout_counts_once_and_leaves_no_virtual_loss() {
    for count in 1..=4 {
        let mut search = threads(count, quarter()).search(LONG, 1);
        let budget = Budget::playouts(20_001).to_the_end();
        let report = search.run(&LONG.start(), &budget).unwrap();
        assert_eq!((report.playouts, visits(&report)), (20_001, 20_001), "{count} threads");
        // 1/4 is exact in binary, so sums are exact: a leftover virtual loss would be visible
        assert!(report.actions.iter().all(|action| action.value == Some(0.25)), "{report:?}");
    }
}

#[test]
fn a_full_tree_is_recycled_between_the_threads() {
    let parts = Uct { memory_cap_bytes: 0, ..quarter() };
    let mut search = threads(3, parts).search(LONG, 1);
    let budget = Budget::playouts(50_000).to_the_end();
    let report = search.run(&LONG.start(), &budget).unwrap();
    assert_eq!(visits(&report), 50_000);
    assert!(report.actions.iter().all(|action| action.value == Some(0.25)), "{report:?}");
}

#[test]
fn threads_keep_the_tree_and_build_on_it() {
    let mut search = threads(2, quarter()).search(LONG, 1);
    let budget = Budget::playouts(3_000).to_the_end();
    let report = search.run(&LONG.start(), &budget).unwrap();
    let kept = report.best_action().unwrap().visits;
    search.advance(report.best);
    let mut after = LONG.start();
    LONG.apply(&mut after, report.best);
    let report = search.run(&after, &budget).unwrap();
    assert_eq!(report.reuse, mcts_core::Reuse::Kept { visits: kept });
}

#[test]
fn threads_prove_what_one_proves() {
    // normal play: the player to move loses exactly at multiples of four
    let game = support::Nim { counters: 15 };
    let mut search = threads(2, <Uct>::default()).search(game, 7);
    let report = search.run(&game.start(), &Budget::playouts(100_000)).unwrap();
    assert_eq!((report.best, report.stopped_by), (3, StopReason::Proven));
    let report =
        root_parallel(2).search(game, 7).run(&game.start(), &Budget::playouts(100_000)).unwrap();
    assert_eq!((report.best, report.value()), (3, Some(1.0)));
}

#[test]
fn a_game_that_is_over_is_an_error_with_any_number_of_threads() {
    let game = TreeGame::<2>::new(Position::over(1.0));
    let over = SearchError::GameOver(Utilities::zero_sum(1.0));
    let budget = Budget::playouts(10);
    let mut search = threads(2, <Uct>::default()).search(game.clone(), 1);
    assert_eq!(search.run(&game.start(), &budget), Err(over));
    assert_eq!(root_parallel(2).search(game.clone(), 1).run(&game.start(), &budget), Err(over));
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_panic_in_one_thread_ends_the_search() {
    let home = std::thread::current().id();
    let parts = Uct {
        evaluator: move |_: &Countdown, _: &u32| {
            assert_eq!(std::thread::current().id(), home, "only the other thread panics");
            Utilities::ZERO
        },
        selection: mcts_core::Ucb1::default(),
        expansion: Default::default(),
        solver: false,
        final_action: Default::default(),
        memory_cap_bytes: 0,
    };
    let mut search = threads(2, parts).search(LONG, 1);
    let _ = search.run(&LONG.start(), &Budget::UNLIMITED.to_the_end());
}

/// UCB1 that fails after this number of calls, while the tree is locked.
#[derive(Debug, Clone, Copy)]
struct FailsAfter(u32);

impl SelectionPolicy for FailsAfter {
    type Extra = ();
    type Parent = f32;
    const LEARNS: Learns = Learns::FromPath;

    fn parent(&self, visits: u32) -> f32 {
        Ucb1::default().parent(visits)
    }
    fn urgency(&self, parent: f32, child: &Candidate) -> f32 {
        Ucb1::default().urgency(parent, child)
    }
    fn first_play(&self, _: f32, (): &()) -> f32 {
        f32::INFINITY
    }
    fn learn<A, X, F>(&mut self, _: &mut Played<'_, A, X, F>, _: impl Fn(&mut X) -> &mut ()) {
        assert!(self.0 > 0, "one thread of this search panicked");
        self.0 -= 1;
    }
}

#[test]
#[should_panic(expected = "thread of this search panicked")]
fn a_panic_while_the_tree_is_held_wakes_who_waits_for_it_to_settle() {
    // enough leaves to fill the tree each time, so that one thread mostly waits for the other
    let parts = Uct { memory_cap_bytes: 0, ..quarter() }.with_evaluator(|_: &_, _: &_| {
        // long enough for the other thread to start waiting
        (0..5_000).for_each(|work| _ = black_box(work));
        Utilities::zero_sum(0.25)
    });
    let parts = threads(2, parts.with_selection(FailsAfter(20_000)));
    let parts = TreeParallel { leaves: NonZero::new(1_000).unwrap(), ..parts };
    let _ = parts.search(LONG, 1).run(&LONG.start(), &Budget::UNLIMITED.to_the_end());
}

#[test]
fn roots_add_up() {
    let budget = Budget::playouts(1_001).to_the_end();
    let start = LONG.start();
    let run = || root_parallel(3).search(LONG, 5).run_with_clock(&start, &budget, &NoClock);
    let report = run().unwrap();
    assert_eq!((report.playouts, visits(&report)), (1_001, 1_001));
    assert_eq!(Ok(report), run(), "threads that do not meet are as good as one");
}
