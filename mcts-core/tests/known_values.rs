//! Searches of small games with known values.

mod support;

use mcts_core::testing::{CheckOptions, Position, TreeGame, check_game};
use mcts_core::{Budget, Game, StopReason, Uct};
use support::Nim;

#[test]
fn nim_keeps_the_contract() {
    check_game(&Nim { counters: 15 }, &CheckOptions::default()).unwrap();
}

#[test]
fn nim_with_15_counters_is_won_by_taking_3() {
    // normal play: the one to move loses exactly at multiples of four
    let game = Nim { counters: 15 };
    let mut search = <Uct>::default().search(game, 7);
    let report = search.run(&game.start(), &Budget::playouts(20_000)).unwrap();
    assert_eq!(report.best, 3);
    assert_eq!(report.stopped_by, StopReason::Proven);
    assert_eq!(report.value(), Some(1.0));
}

#[test]
fn a_win_in_one_is_played_with_any_budget() {
    let lost = || Position::over(-1.0);
    let mut children = vec![lost(); 7];
    children[4] = Position::over(1.0);
    let game = TreeGame::<2>::new(Position::first(children));
    for playouts in 0..10 {
        let report = <Uct>::default()
            .search(game.clone(), playouts)
            .run(&game.start(), &Budget::playouts(playouts))
            .unwrap();
        assert_eq!((report.best, report.stopped_by), (4, StopReason::Proven));
    }
}
