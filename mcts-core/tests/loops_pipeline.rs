//! Threads on a fixed schedule: the report does not depend on their schedule or number.
#![cfg(feature = "parallel")]
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic")]

mod support;

use core::num::NonZero;
use core::sync::atomic::{AtomicU64, Ordering};
use mcts_core::evaluation::{Endings, LastGoodReply, Mast, PriorScale, WithEndings, WithPriors};
use mcts_core::trace::{Recorder, Trace};
use mcts_core::{
    Budget, Evaluator, Exact, Game, Grave, NoClock, PipelineParallel, PipelineParallelSearch,
    Player, ProgressiveHistory, Puct, Rave, Report, Reuse, Rollout, RootStats, Search, SearchRng,
    SelectionPolicy, StopReason, Ucb1, Uct, Uniform, Utilities, rng,
};
use std::thread;
use support::dice_race::DiceRace;
use support::in_a_row::{Board, InARow};
use support::{Countdown, Nim, Payouts};

const CONNECT: InARow = InARow::connect(5, 4, 4);
const LONG: Countdown = Countdown { plies: 100_000, winner: Player::FIRST };

/// An evaluator that yields its thread from time to time, so that schedules vary. Its results do
/// not depend on that.
#[derive(Debug, Clone)]
struct Jittery<E>(E);

/// Evaluations in this process.
static EVALUATIONS: AtomicU64 = AtomicU64::new(0);

fn jitter() {
    let number = rng::mix(EVALUATIONS.fetch_add(1, Ordering::Relaxed));
    match number % 8 {
        0 => (0..number >> 61).for_each(|_| thread::yield_now()),
        1 => (0..number >> 56).for_each(|_| core::hint::spin_loop()),
        _ => {}
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Jittery<E> {
    const LEARNS: bool = E::LEARNS;
    const KNOWS_ENDINGS: bool = E::KNOWS_ENDINGS;

    fn lanes(&self) -> usize {
        self.0.lanes()
    }
    fn evaluate(
        &mut self,
        game: &G,
        state: &G::State,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        jitter();
        self.0.evaluate(game, state, recorder, rng)
    }
    fn evaluate_all(
        &mut self,
        game: &G,
        states: &mut [G::State],
        rng: &mut SearchRng,
        results: &mut [Utilities],
    ) {
        jitter();
        self.0.evaluate_all(game, states, rng, results);
        jitter();
    }
    fn exact(&mut self, game: &G, state: &G::State) -> Option<Exact> {
        self.0.exact(game, state)
    }
    fn priors(&mut self, game: &G, state: &G::State, actions: &[G::Action], priors: &mut [f32]) {
        self.0.priors(game, state, actions, priors);
    }
    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        self.0.learn(trace, utilities);
    }
}

/// Four groups of eight leaves.
fn threads<S, E>(threads: usize, uct: Uct<S, E>) -> PipelineParallel<S, E> {
    let number = |number| NonZero::new(number).unwrap();
    PipelineParallel { uct, threads: number(threads), leaves: number(8), groups: number(4) }
}

/// Two searches, the second one in the tree of the first: not a multiple of the leaves of a group.
fn searches<G, S, E>(search: &mut PipelineParallelSearch<G, S, E>, at: &G) -> [Report<G::Action>; 2]
where
    G: Game,
    S: SelectionPolicy,
    E: Evaluator<G> + Clone,
{
    let budget = Budget::playouts(2_021).to_the_end();
    let start = at.start();
    let first = search.run_with_clock(&start, &budget, &NoClock).unwrap();
    search.advance(first.best);
    let mut next = start;
    at.apply(&mut next, first.best);
    let second = search.run_with_clock(&next, &budget, &NoClock).unwrap_or_else(|_| first.clone());
    [first, second]
}

/// Six searches with one seed on several threads give the report of one thread, and another seed another report.
fn one_report<G, S, E>(game: &G, parts: &Uct<S, E>) -> Report<G::Action>
where
    G: Game<State: Send, Action: Send> + Clone + Send + 'static,
    S: SelectionPolicy + Clone,
    E: Evaluator<G> + Clone + Send + 'static,
{
    let parts = || parts.clone().with_evaluator(Jittery(parts.evaluator.clone()));
    let expected = searches(&mut threads(1, parts()).search(game.clone(), 7), game);
    for count in [2, 2, 2, 3, 5, 8] {
        let mut search = threads(count, parts()).search(game.clone(), 7);
        assert_eq!(searches(&mut search, game), expected, "{count} threads");
    }
    let [report, _] = expected;
    assert_eq!(visits(&report), report.playouts);
    report
}

fn visits<A>(report: &Report<A>) -> u64 {
    report.actions.iter().map(|action| u64::from(action.visits)).sum()
}

fn prior(_: &InARow, _: &Board, cell: u8) -> f32 {
    f32::from(cell % 5 + 1)
}

/// An exact value for the last three plies of a countdown.
#[derive(Debug, Clone)]
struct LastThree;

impl Endings<Countdown> for LastThree {
    fn solve(&mut self, game: &Countdown, left: &u32) -> Option<Exact> {
        let utilities = Utilities::win(game.winner);
        (*left <= 3).then_some(Exact { utilities, plies: 1 })
    }
}

#[test]
fn plain_searches_give_one_report() {
    let report = one_report(&CONNECT, &<Uct>::default());
    let lanes = Rollout { policy: Uniform, lanes: 16 };
    one_report(&CONNECT, &<Uct>::default().with_evaluator(lanes));
    let mut other = threads(2, <Uct>::default()).search(CONNECT, 8);
    assert_ne!(searches(&mut other, &CONNECT)[0], report, "another seed");
}

#[test]
fn games_with_chance_and_with_rewards_give_one_report() {
    one_report(&DiceRace { goal: 12 }, &<Uct>::default());
    let steps = vec![[1.0, -2.0, 4.0], [0.5, 0.5, 0.5]];
    one_report(&Payouts { steps, discount: 0.5 }, &<Uct>::default());
}

#[test]
fn parts_that_learn_give_one_report() {
    let rollout = |policy| <Uct>::default().with_evaluator(Rollout { policy, lanes: 1 });
    one_report(&CONNECT, &rollout(Mast::default()));
    let replies = Rollout { policy: LastGoodReply::with_policy(Mast::default()), lanes: 1 };
    one_report(&CONNECT, &<Uct>::default().with_evaluator(replies));
    one_report(&CONNECT, &<Uct>::default().with_selection(<Rave>::default()));
    one_report(&CONNECT, &rollout(Mast::default()).with_selection(<Grave>::default()));
    one_report(&CONNECT, &<Uct>::default().with_selection(<ProgressiveHistory>::default()));
}

#[test]
fn priors_and_known_endings_give_one_report() {
    let scale = PriorScale::Probabilities;
    let evaluator = WithPriors { evaluator: <Rollout>::default(), prior, scale };
    let parts = <Uct>::default().with_evaluator(evaluator).with_selection(Puct::default());
    one_report(&CONNECT, &parts);
    let evaluator = WithEndings { evaluator: <Rollout>::default(), endings: LastThree };
    let short = Countdown { plies: 40, ..LONG };
    one_report(&short, &<Uct>::default().with_evaluator(evaluator));
}

#[test]
fn proofs_end_all_searches_after_the_same_playouts() {
    let game = Nim { counters: 15 };
    let report = one_report(&game, &<Uct>::default());
    // normal play: the player to move loses exactly at multiples of four
    assert_eq!((report.best, report.stopped_by), (3, StopReason::Proven));
    assert_eq!(report.value(), Some(1.0));
}

#[test]
fn a_full_tree_is_recycled_at_the_same_playouts() {
    let long = Countdown { plies: 500, ..LONG };
    let report = one_report(&long, &Uct { memory_cap_bytes: 0, ..<Uct>::default() });
    assert!(report.tree_nodes <= 512 && report.memory_bytes < 16_384, "{report:?}");
    one_report(&CONNECT, &Uct { memory_cap_bytes: 0, ..<Uct>::default() });
}

#[test]
fn a_decision_that_is_certain_ends_all_searches_after_the_same_playouts() {
    let budget = Budget::playouts(20_000);
    let run = |count| {
        let mut search =
            threads(count, Uct { solver: false, ..<Uct>::default() }).search(CONNECT, 3);
        search.run_with_clock(&CONNECT.start(), &budget, &NoClock).unwrap()
    };
    let expected = run(1);
    assert_eq!(expected.stopped_by, StopReason::Decided);
    (2..6).for_each(|count| assert_eq!(run(count), expected));
}

/// Gives every leaf the value 1/4 for the first player.
fn quarter() -> Uct<Ucb1, fn(&Countdown, &u32) -> Utilities> {
    Uct {
        selection: Ucb1::default(),
        expansion: Default::default(),
        evaluator: |_, _| Utilities::zero_sum(0.25),
        solver: true,
        final_action: Default::default(),
        memory_cap_bytes: 1 << 20,
    }
}

/// Whether only the value 1/4 was averaged: a virtual loss among a thousand values would be
/// visible.
fn only_quarters(root: &RootStats<u8>) -> bool {
    root.actions.iter().all(|action| action.value.is_none_or(|value| (value - 0.25).abs() < 1e-4))
}

#[test]
fn every_playout_counts_once_and_leaves_no_virtual_loss() {
    for (count, leaves, groups) in [(1, 8, 4), (2, 8, 4), (3, 1, 2), (4, 5, 7), (2, 3, 1)] {
        let number = |number| NonZero::new(number).unwrap();
        let (threads, leaves, groups) = (number(count), number(leaves), number(groups));
        let parts = PipelineParallel { uct: quarter(), threads, leaves, groups };
        let mut search = parts.search(LONG, 1);
        let budget = Budget::playouts(20_001).to_the_end();
        let report = search.run(&LONG.start(), &budget).unwrap();
        assert_eq!((report.playouts, visits(&report)), (20_001, 20_001), "{parts:?}");
        // 1/4 is exact in binary, so sums are exact: a leftover virtual loss would be visible
        assert!(report.actions.iter().all(|action| action.value == Some(0.25)), "{report:?}");
    }
}

#[test]
fn playouts_under_way_are_left_out_of_what_is_read() {
    let mut search = threads(2, quarter()).search(LONG, 1);
    let start = LONG.start();
    search.prepare(&start).unwrap();
    let mut done = 0;
    for _ in 0..50 {
        done += search.playouts(&start, 8);
        let root = search.root();
        let visits: u64 = root.actions.iter().map(|action| u64::from(action.visits)).sum();
        assert!(visits <= done && visits + 32 >= done, "{visits} of {done}");
        assert!(only_quarters(&root), "{root:?}");
    }
    search.finish();
    let visits: u64 = search.root().actions.iter().map(|action| u64::from(action.visits)).sum();
    assert_eq!((visits, done), (400, 400));
}

#[test]
fn playouts_may_be_asked_for_in_any_multiples_of_a_group() {
    let start = CONNECT.start();
    let root = |multiples: &[u64]| {
        let mut search = threads(2, <Uct>::default()).search(CONNECT, 5);
        search.prepare(&start).unwrap();
        let mut left = 3_003;
        for multiple in multiples.iter().cycle() {
            let playouts = left.min(8 * multiple);
            assert_eq!(search.playouts(&start, playouts), playouts);
            left -= playouts;
            if left == 0 {
                break;
            }
        }
        search.finish();
        search.root()
    };
    let expected = root(&[1_000]);
    assert_eq!(root(&[1]), expected);
    assert_eq!(root(&[3, 1, 7]), expected);
}

#[test]
fn the_tree_is_kept_from_search_to_search() {
    let mut search = threads(2, quarter()).search(LONG, 1);
    let budget = Budget::playouts(3_000).to_the_end();
    let [first, second] = {
        let first = search.run(&LONG.start(), &budget).unwrap();
        search.advance(first.best);
        let mut after = LONG.start();
        LONG.apply(&mut after, first.best);
        [first, search.run(&after, &budget).unwrap()]
    };
    assert_eq!(second.reuse, Reuse::Kept { visits: first.best_action().unwrap().visits });
}

#[test]
fn the_tree_s_evaluator_learns_from_every_playout() {
    #[derive(Debug, Clone, Default)]
    struct Counter(u64);

    impl Evaluator<Countdown> for Counter {
        const LEARNS: bool = true;
        fn evaluate(
            &mut self,
            _: &Countdown,
            _: &u32,
            _: &mut impl Recorder,
            _: &mut SearchRng,
        ) -> Utilities {
            Utilities::ZERO
        }
        fn learn(&mut self, _: &Trace, _: &Utilities) {
            self.0 += 1;
        }
    }
    let mut search =
        threads(3, <Uct>::default().with_evaluator(Counter::default())).search(LONG, 1);
    for round in 1..=2 {
        search.run(&LONG.start(), &Budget::playouts(1_003).to_the_end()).unwrap();
        assert_eq!(search.evaluator().0, round * 1_003);
    }
}

#[test]
#[should_panic(expected = "only the other thread panics")]
fn a_panic_in_another_thread_reaches_the_caller() {
    let home = thread::current().id();
    let evaluator = move |_: &Countdown, _: &u32| {
        assert_eq!(thread::current().id(), home, "only the other thread panics");
        // so that the other thread runs
        thread::yield_now();
        Utilities::ZERO
    };
    let parts = quarter().with_evaluator(evaluator);
    let mut search = threads(2, parts).search(LONG, 1);
    let _ = search.run(&LONG.start(), &Budget::UNLIMITED.to_the_end());
}

#[test]
#[should_panic(expected = "after some playouts")]
fn a_panic_in_the_calling_thread_ends_the_others() {
    let left = AtomicU64::new(1_000);
    let evaluator = move |_: &Countdown, _: &u32| {
        assert!(left.fetch_sub(1, Ordering::Relaxed) > 0, "after some playouts");
        Utilities::ZERO
    };
    let evaluator = std::sync::Arc::new(evaluator);
    let evaluator = move |game: &Countdown, left: &u32| evaluator(game, left);
    let mut search = threads(1, quarter().with_evaluator(evaluator)).search(LONG, 1);
    let _ = search.run(&LONG.start(), &Budget::UNLIMITED.to_the_end());
}

#[test]
fn a_search_that_panicked_says_so_when_it_is_used_again() {
    let home = thread::current().id();
    let evaluator = move |_: &Countdown, _: &u32| {
        assert_eq!(thread::current().id(), home, "only the other thread panics");
        thread::yield_now();
        Utilities::ZERO
    };
    let mut search = threads(2, quarter().with_evaluator(evaluator)).search(LONG, 1);
    let mut run = || search.run(&LONG.start(), &Budget::UNLIMITED.to_the_end());
    for _ in 0..2 {
        let run = std::panic::AssertUnwindSafe(&mut run);
        assert!(std::panic::catch_unwind(run).is_err());
    }
}

#[test]
fn a_search_that_is_never_run_ends_its_threads() {
    drop(threads(8, quarter()).search(LONG, 1));
}
