//! A game with only the four required methods: which searches accept it, and which reject it.

#![cfg(feature = "testing")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use mcts_core::evaluation::{Decisive, LastGoodReply, Mast, PriorScale, WithPriors};
use mcts_core::testing::{CheckOptions, check_game};
use mcts_core::{
    Budget, Evaluator, Game, GraphUct, Grave, ImplicitMinimax, NoClock, OpenLoop, Player,
    ProgressiveBias, ProgressiveHistory, Puct, Rave, Rollout, ScoreBounds, Search, SearchError,
    SelectionPolicy, Turn, Ucb1Tuned, Uct, Utilities,
};

/// Take one to three of 15 counters in turn; the player who takes the last one wins.
#[derive(Debug, Clone, PartialEq)]
struct Nim;

impl Game for Nim {
    type State = (u8, Player);
    type Action = u8;

    fn start(&self) -> (u8, Player) {
        (15, Player::FIRST)
    }
    fn turn(&self, &(left, player): &(u8, Player)) -> Turn {
        if left == 0 { Turn::Over(Utilities::win(player.opponent())) } else { Turn::Player(player) }
    }
    fn actions(&self, &(left, _): &(u8, Player), visit: impl FnMut(u8)) {
        (1..=left.min(3)).for_each(visit);
    }
    fn apply(&self, state: &mut (u8, Player), taken: u8) {
        *state = (state.0 - taken, state.1.opponent());
    }
}

fn assert_solves(mut search: impl Search<Position = (u8, Player), Action = u8>) {
    let budget = Budget::playouts(20_000);
    let report = search.run_with_clock(&Nim.start(), &budget, &NoClock).unwrap();
    assert_eq!(report.best, 3, "leaves a multiple of four");
}

#[test]
fn four_methods_are_a_game() {
    assert_eq!(Nim.action_indices(), 0);
    check_game(&Nim, &CheckOptions::default()).unwrap();
    assert_solves(Uct::default().search(Nim, 1));
    assert_solves(GraphUct::default().search(Nim, 1));
    assert_solves(OpenLoop::default().search(Nim, 1));
    assert_solves(Uct::default().with_selection(Puct::default()).search(Nim, 1));
    assert_solves(Uct::default().with_selection(Ucb1Tuned::default()).search(Nim, 1));
    assert_solves(Uct::default().with_selection(ScoreBounds::default()).search(Nim, 1));
    let decisive = Rollout::with_policy(Decisive::default());
    assert_solves(Uct::default().with_evaluator(decisive).search(Nim, 1));
}

/// The error of these parts for the game.
fn refusal<S, E>(parts: &Uct<S, E>) -> String
where
    S: SelectionPolicy,
    E: Evaluator<Nim>,
{
    let error = parts.check(&Nim).expect_err("the game has no indices");
    assert!(matches!(error, SearchError::NoActionIndices { .. }));
    error.to_string()
}

fn even(_: &Nim, _: &(u8, Player), _: u8) -> f32 {
    1.0
}

#[test]
fn parts_that_compare_actions_by_index_say_so() {
    let uct = Uct::default;
    let with_priors = |policy| {
        let scale = PriorScale::Probabilities;
        WithPriors { evaluator: Rollout::with_policy(policy), prior: even, scale }
    };
    let replies = LastGoodReply::with_policy(Decisive::default());
    for (part, refusal) in [
        ("Rave", refusal(&uct().with_selection(Rave::default()))),
        ("Grave", refusal(&uct().with_selection(Grave::default()))),
        ("ProgressiveHistory", refusal(&uct().with_selection(ProgressiveHistory::default()))),
        ("Rave", refusal(&uct().with_selection(ProgressiveBias::with_policy(Rave::default())))),
        ("Rave", refusal(&uct().with_selection(ImplicitMinimax::with_policy(Rave::default())))),
        ("Mast", refusal(&uct().with_evaluator(Rollout::with_policy(Mast::default())))),
        ("Mast", refusal(&uct().with_evaluator(with_priors(Mast::default())))),
        ("LastGoodReply", refusal(&uct().with_evaluator(Rollout::with_policy(replies)))),
    ] {
        assert!(
            refusal.contains(part) && refusal.contains("implement `action_index`"),
            "{refusal}"
        );
    }
    assert!(uct().check(&Nim).is_ok());
}

#[test]
#[should_panic(expected = "implement `action_index`")]
fn a_search_with_such_a_part_is_not_made() {
    let _ = Uct::default().with_selection(Rave::default()).search(Nim, 1);
}

#[cfg(feature = "parallel")]
#[test]
fn several_threads_ask_for_the_same() {
    use mcts_core::{Parts, PipelineParallel, RootParallel, TreeParallel};
    let rave = || Uct::default().with_selection(Rave::default());
    let refusals = [
        Parts::check(&rave(), &Nim),
        PipelineParallel::new(rave()).check(&Nim),
        TreeParallel::new(rave()).check(&Nim),
        RootParallel::new(rave()).check(&Nim),
    ];
    assert!(refusals.iter().all(Result::is_err), "{refusals:?}");
    assert!(PipelineParallel::default().check(&Nim).is_ok());
}
