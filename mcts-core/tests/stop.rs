//! Every search can be stopped and observed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use mcts_core::belief::FromView;
use mcts_core::search::PolicyRollouts;
use mcts_core::testing::{Kuhn, KuhnAction, KuhnView, Tiger};
use mcts_core::{
    Budget, Clock, Control, Decoupled, Evaluator, Game, GraphUct, HiddenInformation, IsMcts,
    NoClock, OpenLoop, Pimc, Player, Pomcp, Report, Search, SearchRng, StopHandle, StopReason, Uct,
    Uniform, Utilities, Watch,
};
use std::cell::Cell;
use std::time::Duration;
use support::Countdown;
use support::matrix::payoffs;

const GAME: Countdown = Countdown { plies: 200, winner: Player::FIRST };

/// A search stopped before its first playout still returns a legal action; with the handle reset,
/// it uses its budget.
fn stops<S: Search>(name: &str, search: &mut S, at: &S::Position) {
    let stop = StopHandle::new();
    stop.clone().stop();
    let mut control = Control::new(Budget::UNLIMITED.to_the_end(), &NoClock);
    control.stop = Some(&stop);
    let report = search.run_controlled(at, &mut control).unwrap();
    assert_eq!((report.playouts, report.stopped_by), (0, StopReason::Stopped), "{name}");
    assert!(report.actions.iter().any(|action| action.action == report.best), "{name}");
    stop.reset();
    control.budget = Budget::playouts(500).to_the_end();
    let report = search.run_controlled(at, &mut control).unwrap();
    assert_eq!((report.playouts, report.stopped_by), (500, StopReason::Playouts), "{name}");
}

fn second_players_view() -> KuhnView {
    let mut state = Kuhn.start();
    let mut view = Kuhn.first_view(&state, Player::SECOND);
    for action in [KuhnAction::Deal(1), KuhnAction::Deal(2), KuhnAction::Pass] {
        Kuhn.apply(&mut state, action);
        Kuhn.grow(&mut view, None, &Kuhn.observe(&state, action, Player::SECOND));
    }
    view
}

#[test]
fn a_stopped_search_of_any_kind_ends_before_its_first_playout() {
    let open = Uct { solver: false, ..<Uct>::default() };
    stops("uct", &mut open.search(GAME, 1), &200);
    let open = GraphUct { solver: false, ..<GraphUct>::default() };
    stops("graph", &mut open.search(GAME, 1), &200);
    stops("open loop", &mut <OpenLoop>::default().search(GAME, 1), &200);
    let view = second_players_view();
    stops("is-mcts", &mut <IsMcts>::default().search(Kuhn, 1), &view);
    stops("pimc", &mut <Pimc>::default().search(Kuhn, 1), &view);
    let signs = payoffs(&[&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]]);
    let start = signs.start();
    stops("decoupled", &mut <Decoupled>::default().search(signs, 1), &start);
    let belief = FromView::new(0);
    stops("pomcp", &mut <Pomcp>::default().search(Tiger, belief, 1), &());
    stops("pomcp from a view", &mut <Pomcp>::default().search_views(Tiger, 1), &0);
    let rollouts = PolicyRollouts {
        knowledge: Uniform,
        horizon: 10,
        least_rounds: 20,
        elimination_z: 4.0,
        override_z: 0.0,
    };
    stops("policy rollouts", &mut rollouts.search(Tiger, 1), &0);
}

#[cfg(feature = "parallel")]
#[test]
fn threads_stop_too() {
    use core::num::NonZero;
    let (uct, threads) = (Uct { solver: false, ..<Uct>::default() }, NonZero::new(2).unwrap());
    let tree = mcts_core::TreeParallel { uct, threads, leaves: NonZero::new(4).unwrap() };
    let pipeline = mcts_core::PipelineParallel { uct, threads, ..Default::default() };
    stops("pipeline", &mut pipeline.search(GAME, 1), &200);
    stops("tree-parallel", &mut tree.search(GAME, 1), &200);
    stops("root-parallel", &mut mcts_core::RootParallel { uct, threads }.search(GAME, 1), &200);
}

/// Stops the search during an evaluation, and advances a clock.
#[derive(Debug)]
struct StopsAt<'a> {
    stop: StopHandle,
    evaluations: u64,
    at: u64,
    clock: &'a Ticks,
}

/// A millisecond for each evaluation.
#[derive(Debug, Default)]
struct Ticks(Cell<u64>);

impl Clock for Ticks {
    fn monotonic_nanos(&self) -> u64 {
        self.0.get()
    }
}

impl Evaluator<Countdown> for StopsAt<'_> {
    fn evaluate(
        &mut self,
        _: &Countdown,
        _: &u32,
        _: &mut impl mcts_core::Recorder,
        _: &mut SearchRng,
    ) -> Utilities {
        self.evaluations += 1;
        self.clock.0.set(self.clock.0.get() + 1_000_000);
        if self.evaluations == self.at {
            self.stop.stop();
        }
        Utilities::ZERO
    }
}

#[test]
fn a_running_search_ends_at_its_next_look() {
    // at most 128 playouts are between two checks of a budget without a time limit, and one with
    // such slow playouts
    for (wall, within) in [(None, 128), (Some(Duration::from_secs(100)), 1)] {
        let (stop, clock) = (StopHandle::new(), Ticks::default());
        let evaluator = StopsAt { stop: stop.clone(), evaluations: 0, at: 1_000, clock: &clock };
        let mut search = <Uct>::default().with_evaluator(evaluator).search(GAME, 1);
        let budget = Budget { wall, ..Budget::UNLIMITED.to_the_end() };
        let mut control = Control::new(budget, &clock);
        control.stop = Some(&stop);
        let report = search.run_controlled(&200, &mut control).unwrap();
        assert_eq!(report.stopped_by, StopReason::Stopped);
        assert!((1_000..=1_000 + within).contains(&report.playouts), "{}", report.playouts);
    }
}

#[test]
fn a_hook_receives_reports_so_far_and_changes_nothing() {
    let run = |watched: bool| {
        let (stop, clock) = (StopHandle::new(), Ticks::default());
        let evaluator = StopsAt { stop, evaluations: 0, at: u64::MAX, clock: &clock };
        let mut search = <Uct>::default().with_evaluator(evaluator).search(GAME, 1);
        let mut seen = Vec::new();
        let mut hook = |report: &Report<u8>| {
            assert_eq!(report.stopped_by, StopReason::Running);
            seen.push(report.playouts);
        };
        let mut control = Control::new(Budget::playouts(2_000).to_the_end(), &clock);
        if watched {
            control.watch = Some(Watch { every: Duration::from_millis(300), hook: &mut hook });
        }
        let report = search.run_controlled(&200, &mut control).unwrap();
        (report, seen)
    };
    let (alone, nothing) = run(false);
    let (watched, seen) = run(true);
    assert_eq!(alone, watched);
    assert!(nothing.is_empty());
    // every 300 playouts of a millisecond, at the next multiple of 128
    assert_eq!(seen, [384, 768, 1_152, 1_536, 1_920]);
}
