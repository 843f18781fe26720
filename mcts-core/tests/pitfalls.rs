//! Common faults of search libraries, with a test for each.
#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may panic, and exact values are exact"
)]

mod support;

use mcts_core::testing::{Position, TreeGame};
use mcts_core::{
    Budget, FinalAction, Game, NoClock, Player, Report, Reuse, Rollout, Search, SearchError,
    StopReason, Turn, Uct, Uniform, Utilities,
};
use support::{Countdown, Payouts, Stuck};

fn run<const N: usize>(game: &TreeGame<N>, playouts: u64) -> Report<u16> {
    let budget = Budget::playouts(playouts).to_the_end();
    <Uct>::default().search(game.clone(), 3).run(&game.start(), &budget).unwrap()
}

fn without_solver(game: &TreeGame, playouts: u64) -> Report<u16> {
    let parts = Uct { solver: false, ..<Uct>::default() };
    let budget = Budget::playouts(playouts).to_the_end();
    parts.search(game.clone(), 3).run(&game.start(), &budget).unwrap()
}

fn value_of(report: &Report<u16>, action: u16) -> f32 {
    report.actions.iter().find(|of| of.action == action).unwrap().value.unwrap()
}

// --- signs and points of view ---

#[test]
fn a_player_who_moves_twice_keeps_the_sign() {
    let game = TreeGame::<2>::new(Position::first([
        Position::first([Position::over(1.0), Position::over(-1.0)]),
        Position::over(-1.0),
        Position::second([Position::over(-1.0), Position::over(1.0)]),
    ]));
    for report in [run(&game, 500), without_solver(&game, 500)] {
        assert_eq!(report.best, 0);
        assert!(report.value().unwrap() > 0.9, "{report:?}");
        assert!(value_of(&report, 2) < 0.0);
    }
}

#[test]
fn the_second_player_avoids_an_immediate_loss() {
    let danger = || Position::first([Position::over(1.0), Position::over(0.0)]);
    let safe = Position::first([Position::over(-0.5), Position::over(-0.25)]);
    let game = TreeGame::<2>::new(Position::second([danger(), safe, danger()]));
    assert_eq!(run(&game, 300).best, 1);
    assert_eq!(without_solver(&game, 300).best, 1);
}

#[test]
fn an_action_into_chance_is_valued_for_whoever_took_it() {
    let coin = |good: f32| {
        Position::Chance(vec![(0.75, Position::over(good)), (0.25, Position::over(-good))])
    };
    // value 0.5 for the player whom the coin favours, against a certain 0.4
    let first = TreeGame::<2>::new(Position::first([coin(1.0), Position::over(0.4)]));
    let second = TreeGame::<2>::new(Position::second([coin(-1.0), Position::over(-0.4)]));
    for game in [first, second] {
        let report = run(&game, 4_000);
        // four standard deviations of 2,000 coins
        assert!((value_of(&report, 0) - 0.5).abs() < 0.08, "{report:?}");
        assert_eq!(value_of(&report, 1), 0.4);
        assert_eq!(report.best, 0);
    }
}

#[test]
fn nothing_of_a_virtual_loss_is_left_after_the_search() {
    let leaf =
        |bits: u32| Position::over(if bits.count_ones().is_multiple_of(2) { 1.0 } else { -1.0 });
    let game = TreeGame::<2>::new(Position::first(
        (0..4)
            .map(|a| {
                Position::second(
                    (0..4)
                        .map(|b| {
                            Position::first(
                                (0..4).map(|c| leaf(a * 16 + b * 4 + c)).collect::<Vec<_>>(),
                            )
                        })
                        .collect::<Vec<_>>(),
                )
            })
            .collect::<Vec<_>>(),
    ));
    for lanes in [1, 2, 5, 8] {
        let parts = Uct {
            solver: false,
            evaluator: Rollout { policy: Uniform, lanes },
            ..<Uct>::default()
        };
        let mut search = parts.search(game.clone(), 3);
        let report = search.run(&game.start(), &Budget::playouts(1_003).to_the_end()).unwrap();
        assert_eq!(report.playouts, 1_003);
        let visits: u32 = report.actions.iter().map(|of| of.visits).sum();
        assert_eq!(visits, 1_003);
        for of in &report.actions {
            // every value is 1 or -1, so a leftover shows as a sum that is not whole or has not the
            // parity of the visits
            let sum = f64::from(of.value.unwrap()) * f64::from(of.visits);
            assert!((sum - sum.round()).abs() < 1e-2, "{sum}");
            assert_eq!((sum.round() as i64).rem_euclid(2), i64::from(of.visits % 2));
        }
    }
}

#[test]
fn rewards_of_mixed_sign_along_the_way_add_up() {
    // paths have the rewards 3 - 5 + 1, -2 + 4 + 0 and 0 + 0 + 1.5
    let game =
        Payouts { steps: vec![[3.0, -5.0, 1.0], [-2.0, 4.0, 0.0], [0.0, 0.0, 1.5]], discount: 1.0 };
    let report = <Uct>::default()
        .search(game.clone(), 3)
        .run(&game.start(), &Budget::playouts(500))
        .unwrap();
    let mut values: Vec<_> =
        report.actions.iter().map(|of| (of.action, of.value.unwrap())).collect();
    values.sort_by_key(|(action, _)| *action);
    assert_eq!(values, [(0, -1.0), (1, 2.0), (2, 1.5)]);
    assert_eq!(report.best, 1);
}

#[test]
fn later_rewards_are_discounted() {
    let game = Payouts { steps: vec![[0.0, 0.0, 4.0], [0.0, 1.5, 0.0]], discount: 0.5 };
    let report = <Uct>::default()
        .search(game.clone(), 3)
        .run(&game.start(), &Budget::playouts(500))
        .unwrap();
    assert_eq!(report.value(), Some(1.0));
    assert_eq!(report.actions.iter().map(|of| of.value.unwrap()).fold(f32::MAX, f32::min), 0.75);
}

// --- proven values and the final action ---

#[test]
fn the_shortest_of_several_wins_is_played() {
    let game = TreeGame::<2>::new(Position::first([
        Position::second([Position::first([Position::over(1.0)])]),
        Position::over(0.0),
        Position::over(1.0),
    ]));
    let report = run(&game, 1_000);
    assert_eq!(report.best, 2);
    assert_eq!(report.best_action().unwrap().proven.unwrap().plies, 0);
}

#[test]
fn the_longest_of_several_losses_is_played() {
    let long = Position::second([Position::first([Position::second([Position::over(-1.0)])])]);
    let game =
        TreeGame::<2>::new(Position::first([Position::over(-1.0), long, Position::over(-1.0)]));
    let report = run(&game, 1_000);
    assert_eq!((report.best, report.stopped_by), (1, StopReason::Proven));
    assert_eq!(report.value(), Some(-1.0));
}

#[test]
fn a_proven_draw_does_not_beat_an_action_that_looks_like_a_win() {
    // after the second action the opponent must find the only saving answer of 40
    let mut answers = vec![Position::over(1.0); 39];
    answers.push(Position::first(vec![Position::first(vec![Position::over(-1.0); 9]); 9]));
    let game =
        TreeGame::<2>::new(Position::first([Position::over(0.0), Position::second(answers)]));
    let report = run(&game, 38);
    let open = report.actions.iter().find(|of| of.action == 1).unwrap();
    assert!(open.proven.is_none() && open.value.unwrap() > 0.5, "{report:?}");
    assert_eq!(report.best, 1);
}

#[test]
fn proven_values_of_several_players_are_each_players_own() {
    let end = |a, b, c| Position::Over(Utilities::of(&[a, b, c]));
    let third = |x, y| Position::Choice(Player(2), vec![x, y]);
    let second = |x, y| Position::Choice(Player(1), vec![x, y]);
    // the third player takes the larger last number, then the second the larger middle one, then
    // the first
    let game = TreeGame::<3>::new(Position::first([
        second(
            third(end(0.9, 0.1, 0.2), end(0.1, 0.3, 0.4)),
            third(end(0.2, 0.6, 0.5), end(0.8, 0.9, 0.1)),
        ),
        second(
            third(end(0.4, 0.2, 0.7), end(0.3, 0.8, 0.6)),
            third(end(0.9, 0.1, 0.9), end(0.0, 0.0, 0.0)),
        ),
    ]));
    let report = run(&game, 2_000);
    assert_eq!((report.best, report.stopped_by), (1, StopReason::Proven));
    assert_eq!(value_of(&report, 0), 0.2);
    assert_eq!(value_of(&report, 1), 0.4);
}

#[test]
fn a_forced_win_behind_a_rollout_cut_is_evaluated_and_not_a_draw() {
    // at most three plies an action: never over before the 134th action
    let game = Countdown { plies: 400, winner: Player::FIRST };
    let ahead = |_: &Countdown, _: &u32| Utilities::zero_sum(0.5);
    let parts = Uct {
        selection: mcts_core::Ucb1::default(),
        evaluator: Rollout::<Uniform>::default().cut(100, ahead),
        expansion: mcts_core::Expansion::default(),
        solver: true,
        final_action: FinalAction::Robust,
        memory_cap_bytes: 1 << 20,
    };
    let report =
        parts.search(game, 1).run(&game.start(), &Budget::playouts(20).to_the_end()).unwrap();
    assert_eq!(report.value(), Some(0.5));
}

// --- root, terminal states, passes ---

#[test]
fn a_root_that_is_over_is_an_error_that_tells_the_result() {
    let game = TreeGame::<2>::new(Position::over(0.25));
    let error = <Uct>::default().search(game.clone(), 1).run(&game.start(), &Budget::playouts(10));
    assert_eq!(error.unwrap_err(), SearchError::GameOver(Utilities::zero_sum(0.25)));
}

#[test]
fn a_root_that_is_up_to_chance_is_an_error() {
    let game = TreeGame::<2>::new(Position::Chance(vec![(1.0, Position::over(0.0))]));
    let error = <Uct>::default().search(game.clone(), 1).run(&game.start(), &Budget::playouts(10));
    assert_eq!(error.unwrap_err(), SearchError::ChanceToMove);
}

#[test]
fn rules_without_a_legal_action_are_an_error_at_the_root_and_no_panic_below() {
    let at_once = Stuck { after: 0 };
    let error = <Uct>::default().search(at_once, 1).run(&0, &Budget::playouts(10));
    assert_eq!(error.unwrap_err(), SearchError::NoLegalAction);
    let below = Stuck { after: 3 };
    let report =
        <Uct>::default().search(below, 1).run(&0, &Budget::playouts(100).to_the_end()).unwrap();
    assert_eq!((report.playouts, report.value()), (100, Some(0.0)));
}

#[test]
fn without_any_budget_a_legal_action_still_comes() {
    let game = Countdown { plies: 9, winner: Player::SECOND };
    let nothing = Budget { wall: Some(core::time::Duration::ZERO), ..Budget::UNLIMITED };
    for budget in [Budget::playouts(0), nothing] {
        let report = <Uct>::default().search(game, 1).run(&game.start(), &budget).unwrap();
        assert_eq!(report.playouts, 0);
        assert!(report.best < 3);
        assert!(report.actions.iter().all(|of| of.value.is_none() && of.standard_error.is_none()));
    }
}

#[test]
fn a_single_action_is_played_without_search_unless_the_budget_is_to_be_used_up() {
    let game = TreeGame::<2>::new(Position::first([Position::second([
        Position::over(0.5),
        Position::over(0.1),
    ])]));
    let mut search = <Uct>::default().search(game.clone(), 1);
    let quick = search.run(&game.start(), &Budget::playouts(50)).unwrap();
    assert_eq!((quick.best, quick.playouts, quick.stopped_by), (0, 0, StopReason::SingleAction));
    let full = search.run(&game.start(), &Budget::playouts(50).to_the_end()).unwrap();
    assert!(full.playouts > 0);
}

#[test]
fn ties_are_broken_evenly_and_reproducibly() {
    let game =
        TreeGame::<2>::new(Position::first(vec![
            Position::second(vec![Position::over(0.0); 2]);
            4
        ]));
    let best = |seed| {
        let parts = Uct { solver: false, ..<Uct>::default() };
        parts
            .search(game.clone(), seed)
            .run(&game.start(), &Budget::playouts(40).to_the_end())
            .unwrap()
            .best
    };
    let mut counts = [0; 4];
    for seed in 0..400 {
        assert_eq!(best(seed), best(seed));
        counts[usize::from(best(seed))] += 1;
    }
    // 100 expected of each; 5 standard deviations are 43
    assert!(counts.iter().all(|count| (57..=143).contains(count)), "{counts:?}");
}

// --- tree reuse ---

#[test]
fn the_tree_below_the_played_actions_is_kept() {
    let game = Countdown { plies: 12, winner: Player::FIRST };
    let mut search = <Uct>::default().search(game, 5);
    let first = search.run(&12, &Budget::playouts(3_000).to_the_end()).unwrap();
    let below = first.best_action().unwrap().visits;
    search.advance(first.best);
    let after = 12 - u32::from(first.best) - 1;
    let second = search.run(&after, &Budget::playouts(10)).unwrap();
    assert_eq!(second.reuse, Reuse::Kept { visits: below });
}

#[test]
fn the_tree_catches_up_with_up_to_two_actions() {
    let game = Countdown { plies: 12, winner: Player::FIRST };
    let mut search = <Uct>::default().search(game, 5);
    let mut reuse =
        |state| search.run(&state, &Budget::playouts(3_000).to_the_end()).unwrap().reuse;
    assert_eq!(reuse(12), Reuse::Fresh);
    assert!(matches!(reuse(12), Reuse::Kept { visits: 1.. }), "the same state");
    assert!(matches!(reuse(8), Reuse::Kept { visits: 1.. }), "by three and one, or two and two");
    assert_eq!(reuse(1), Reuse::Mismatch, "seven at once are too many");
    assert_eq!(reuse(12), Reuse::Mismatch, "nothing leads back");
}

#[test]
fn a_kept_tree_that_does_not_fit_the_state_is_dropped() {
    let game = Countdown { plies: 12, winner: Player::FIRST };
    let mut search = <Uct>::default().search(game, 5);
    search.run(&12, &Budget::playouts(500).to_the_end()).unwrap();
    let report = search.run(&2, &Budget::playouts(500).to_the_end()).unwrap();
    assert_eq!(report.reuse, Reuse::Mismatch);
    assert_eq!(report.actions.len(), 2);
}

// --- depth and determinism ---

#[test]
fn a_game_of_ten_thousand_plies_overflows_nothing() {
    let game = Countdown { plies: 10_000, winner: Player::FIRST };
    // one action at each ply, so that the tree grows as deep as the game
    let narrow = support::Narrow(game);
    let parts = Uct {
        selection: mcts_core::Ucb1 { exploration: 0.0, ..mcts_core::Ucb1::default() },
        ..<Uct>::default()
    };
    let mut search = parts.search(narrow, 1);
    let budget = Budget::playouts(10_050).to_the_end();
    let report = search.run_with_clock(&10_000, &budget, &NoClock).unwrap();
    assert_eq!(report.stopped_by, StopReason::Proven);
    assert_eq!(report.deepest, 10_000);
    assert_eq!(report.principal_variation.len(), 10_000);
    search.advance(report.best);
    assert!(matches!(search.run(&9_999, &budget).unwrap().reuse, Reuse::Kept { .. }));
}

#[test]
fn equal_seeds_and_playouts_give_equal_reports() {
    let game = Countdown { plies: 30, winner: Player::SECOND };
    let report = |seed, lanes| {
        let parts = Uct { evaluator: Rollout { policy: Uniform, lanes }, ..<Uct>::default() };
        parts
            .search(game, seed)
            .run_with_clock(&30, &Budget::playouts(5_000).to_the_end(), &NoClock)
            .unwrap()
    };
    for lanes in [1, 4] {
        assert_eq!(report(9, lanes), report(9, lanes));
        assert_ne!(report(9, lanes), report(10, lanes));
    }
}

#[test]
fn the_turn_of_a_game_that_never_was_the_searchs_is_respected() {
    // the second player begins: the report is from her view
    let game = TreeGame::<2>::new(Position::second([Position::over(-0.5), Position::over(0.5)]));
    assert_eq!(game.turn(&game.start()), Turn::Player(Player::SECOND));
    let report = run(&game, 20);
    assert_eq!((report.best, report.value()), (0, Some(0.5)));
}
