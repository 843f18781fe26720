//! Budgets, memory, and what a playout costs.
#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may panic, and exact values are exact"
)]

mod support;

use core::cell::Cell;
use core::time::Duration;
use mcts_core::{
    Budget, Clock, Evaluator, Expansion, FinalAction, Game, Growth, NoClock, Player, Reuse,
    Rollout, Search, SearchRng, StopReason, Ucb1, Uct, Uniform, Utilities,
};
use std::rc::Rc;
use support::Countdown;

const GAME: Countdown = Countdown { plies: 200, winner: Player::FIRST };

/// A clock that the evaluator moves.
#[derive(Debug, Clone, Default)]
struct Hand(Rc<Cell<u64>>);

impl Clock for Hand {
    fn monotonic_nanos(&self) -> u64 {
        self.0.get()
    }
    fn cpu_nanos(&self) -> Option<u64> {
        Some(self.0.get() / 2)
    }
}

/// Each evaluation takes this time.
#[derive(Debug, Clone)]
struct Slow {
    clock: Hand,
    nanos: u64,
}

impl Evaluator<Countdown> for Slow {
    fn evaluate(
        &mut self,
        _: &Countdown,
        _: &u32,
        _: &mut impl mcts_core::Recorder,
        _: &mut SearchRng,
    ) -> Utilities {
        self.clock.0.set(self.clock.0.get() + self.nanos);
        Utilities::ZERO
    }
}

fn with_evaluator<E>(evaluator: E) -> Uct<Ucb1, E> {
    Uct {
        selection: Ucb1::default(),
        expansion: Expansion::default(),
        evaluator,
        solver: true,
        final_action: FinalAction::Robust,
        memory_cap_bytes: 4 << 20,
    }
}

#[test]
fn the_deadline_holds_for_quick_and_for_slow_rollouts() {
    for nanos in [200, 2_000, 50_000, 3_000_000, 40_000_000] {
        let clock = Hand::default();
        let mut search = with_evaluator(Slow { clock: clock.clone(), nanos }).search(GAME, 1);
        let wall = Duration::from_millis(100);
        let report = search.run_with_clock(&200, &Budget::wall(wall).to_the_end(), &clock).unwrap();
        assert_eq!(report.stopped_by, StopReason::Wall);
        assert_eq!(report.overshoot, Duration::ZERO, "{nanos} ns a rollout");
        let unused = wall - report.elapsed;
        let playout = Duration::from_nanos(nanos);
        assert!(unused <= playout + Duration::from_micros(51), "{unused:?} at {playout:?}");
    }
}

#[test]
fn processor_time_is_a_limit_of_its_own() {
    let clock = Hand::default();
    let mut search = with_evaluator(Slow { clock: clock.clone(), nanos: 1_000 }).search(GAME, 1);
    let budget = Budget {
        cpu: Some(Duration::from_millis(10)),
        wall: Some(Duration::from_millis(30)),
        ..Budget::UNLIMITED.to_the_end()
    };
    let report = search.run_with_clock(&200, &budget, &clock).unwrap();
    assert_eq!(report.stopped_by, StopReason::Cpu);
    assert!(
        report.elapsed <= Duration::from_millis(20),
        "the clock counts half of it as processor time"
    );
}

#[test]
fn a_limit_of_memory_ends_the_search() {
    let budget = Budget { memory_bytes: Some(50_000), ..Budget::UNLIMITED.to_the_end() };
    let report = <Uct>::default().search(GAME, 1).run_with_clock(&200, &budget, &NoClock).unwrap();
    assert_eq!(report.stopped_by, StopReason::Memory);
    assert!((50_000..60_000).contains(&report.memory_bytes), "{}", report.memory_bytes);
}

#[test]
fn a_lead_that_cannot_be_caught_ends_the_search_and_the_same_action_is_played() {
    let game = support::Payouts {
        steps: vec![[9.0, 0.0, 0.0], [0.0; 3], [-9.0, 0.0, 0.0]],
        discount: 1.0,
    };
    let run = |budget| {
        <Uct>::default().search(game.clone(), 1).run_with_clock(&(0, 0), &budget, &NoClock).unwrap()
    };
    let quick = run(Budget::playouts(20_000));
    let full = run(Budget::playouts(20_000).to_the_end());
    assert_eq!(quick.stopped_by, StopReason::Decided);
    assert!(quick.playouts < 12_000 && full.playouts == 20_000);
    assert_eq!(quick.best, full.best);
}

#[test]
fn a_full_tree_stays_below_its_cap_and_still_finds_the_win() {
    // one to three of 17 counters, whose tree has tens of thousands of nodes; the player to move at
    // a multiple of four loses
    let nim = support_nim::Nim { counters: 17 };
    let parts = Uct { memory_cap_bytes: 24 * 1_500, solver: false, ..<Uct>::default() };
    let mut search = parts.search(nim, 2);
    let report = search.run(&nim.start(), &Budget::playouts(100_000).to_the_end()).unwrap();
    assert_eq!(report.playouts, 100_000);
    assert!(report.memory_bytes <= 24 * 1_500, "{}", report.memory_bytes);
    assert!(report.memory_bytes > 24 * 1_400, "the cap was reached: {}", report.memory_bytes);
    assert_eq!(report.best, 1, "leaves 16");
    for growth in [Growth::OneByOne, Growth::AllAtOnce] {
        let parts = Uct {
            memory_cap_bytes: 24 * 1_500,
            expansion: Expansion { at_visit: 1, growth },
            ..<Uct>::default()
        };
        let report = parts.search(GAME, 2).run(&200, &Budget::playouts(50_000)).unwrap();
        assert!(report.memory_bytes <= 24 * 1_500);
        assert!(report.tree_nodes > 300, "most of the memory stays in use: {}", report.tree_nodes);
    }
}

#[test]
fn memory_of_forgotten_parts_is_used_again() {
    let mut search = <Uct>::default().search(GAME, 2);
    let mut state = 200;
    let mut most = 0;
    for _ in 0..40 {
        let report = search.run(&state, &Budget::playouts(2_000).to_the_end()).unwrap();
        assert!(state == 200 || report.reuse != Reuse::Fresh);
        most = report.memory_bytes;
        search.advance(report.best);
        state -= u32::from(report.best) + 1;
    }
    let once = <Uct>::default().search(GAME, 2).run(&200, &Budget::playouts(2_000).to_the_end());
    assert!(
        most < 20 * once.unwrap().memory_bytes,
        "40 searches take less than 20 times one's memory"
    );
}

#[test]
fn a_playout_allocates_and_frees_nothing() {
    for lanes in [1, 4] {
        let count = |playouts| {
            let parts = Uct { evaluator: Rollout { policy: Uniform, lanes }, ..<Uct>::default() };
            let mut search = parts.search(Countdown { plies: 60, ..GAME }, 2);
            let budget = |playouts| Budget::playouts(playouts).to_the_end();
            search.run_with_clock(&60, &budget(20_000), &NoClock).unwrap();
            let counted = allocation_counter::measure(|| {
                search.run_with_clock(&60, &budget(playouts), &NoClock).unwrap();
            });
            (counted.count_total, counted.count_current)
        };
        // apart from the report, more playouts allocate nothing (its line may be a little longer)
        let (few, kept) = count(10);
        let (many, kept_many) = count(20_000);
        assert!(many <= few + 70, "{few} and {many} with {lanes} lanes");
        assert_eq!(kept, kept_many);
    }
}

mod support_nim {
    use mcts_core::{Game, Player, Turn, Utilities};

    /// Take one to three counters in turn; the player who takes the last one wins.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Nim {
        pub(crate) counters: u8,
    }

    impl Game for Nim {
        type State = (u8, Player);
        type Action = u8;

        fn start(&self) -> Self::State {
            (self.counters, Player::FIRST)
        }
        fn turn(&self, (left, player): &Self::State) -> Turn {
            match left {
                0 => Turn::Over(Utilities::win(player.opponent())),
                _ => Turn::Player(*player),
            }
        }
        fn actions(&self, (left, _): &Self::State, visit: impl FnMut(u8)) {
            (1..=3.min(*left)).for_each(visit);
        }
        fn apply(&self, (left, player): &mut Self::State, taken: u8) {
            *left -= taken;
            *player = player.opponent();
        }
        fn action_index(&self, taken: u8) -> Option<usize> {
            Some(usize::from(taken) - 1)
        }
        fn action_indices(&self) -> usize {
            3
        }
    }
}
