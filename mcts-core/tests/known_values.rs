//! Searches of small games with known values.

mod support;

use mcts_core::testing::{CheckOptions, Position, TreeGame, check_game};
use mcts_core::{Budget, Game, Player, Search, StopReason, Uct, Utilities};
use support::Nim;

#[test]
fn nim_keeps_the_contract() {
    check_game(&Nim { counters: 15 }, &CheckOptions::default()).unwrap();
}

#[test]
fn nim_with_15_counters_is_won_by_taking_3() {
    // normal play: the player to move loses exactly at multiples of four
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

/// A win, a draw and a loss of the first player.
fn ends() -> [Position; 3] {
    [Position::over(1.0), Position::over(0.0), Position::over(-1.0)]
}

#[test]
fn the_solver_proves_crafted_trees_of_every_kind() {
    let [win, draw, loss] = ends();
    // a pass is an action like any other: the only one, and the other player is to move
    let pass = |after: Position| Position::second([after]);
    let cases = [
        ("a winning child", [loss.clone(), win.clone(), draw.clone()], (1, 1.0)),
        ("all lose", [loss.clone(), loss.clone(), loss.clone()], (0, -1.0)),
        ("a draw among losses", [loss.clone(), loss.clone(), draw.clone()], (2, 0.0)),
        (
            "replies that draw",
            {
                let replies = Position::second([draw.clone(), win.clone()]);
                [Position::second([loss.clone(), win.clone()]), loss.clone(), replies]
            },
            (2, 0.0),
        ),
        (
            "all replies lose",
            {
                let replies = Position::second([win.clone(), win.clone()]);
                [Position::second([draw.clone(), win.clone()]), replies, draw.clone()]
            },
            (1, 1.0),
        ),
        (
            "a win behind a pass",
            { [draw.clone(), pass(Position::first([loss.clone(), win.clone()])), loss.clone()] },
            (1, 1.0),
        ),
        (
            "two moves in a row",
            {
                let again = Position::first([loss.clone(), win.clone()]);
                [draw.clone(), loss.clone(), again]
            },
            (2, 1.0),
        ),
        (
            "two moves in a row of the other player",
            {
                let replies = Position::second([Position::second([win, draw.clone()]), draw]);
                [loss.clone(), replies, loss]
            },
            (1, 0.0),
        ),
    ];
    for (name, children, (best, value)) in cases {
        let game = TreeGame::<2>::new(Position::first(children));
        for seed in 0..5 {
            let mut search = <Uct>::default().search(game.clone(), seed);
            let report = search.run(&game.start(), &Budget::playouts(1_000)).unwrap();
            assert_eq!(report.stopped_by, StopReason::Proven, "{name}: {report:?}");
            assert_eq!(report.value(), Some(value), "{name}: {report:?}");
            assert!(report.best == best || name == "all lose", "{name}: {report:?}");
        }
    }
}

/// A die that may be rolled `again` more times, and is kept by a player who is satisfied with the
/// result; scaled to [0, 1].
fn die(again: u32) -> Position {
    let faces = (1..=6u8).map(|shows| {
        let keep = Position::Over(Utilities::single(f32::from(shows - 1) / 5.0));
        let choices = if again == 0 { vec![keep] } else { vec![keep, die(again - 1)] };
        (1.0 / 6.0, Position::Choice(Player::FIRST, choices))
    });
    Position::Chance(faces.collect())
}

#[test]
fn known_values_beside_open_ones_leave_the_better_one_its_worth() {
    // one more roll has the value 3.5, and two have (4 + 5 + 6) / 6 + 3.5 / 2 = 4.25, more than the
    // 4 in hand
    let keep = Position::Over(Utilities::single(3.0 / 5.0));
    let game = TreeGame::<1>::new(Position::Choice(Player::FIRST, vec![keep, die(1)]));
    for seed in 0..5 {
        let mut search = <Uct>::default().search(game.clone(), seed);
        let report = search.run(&game.start(), &Budget::playouts(20_000)).unwrap();
        let again = report.actions.iter().find(|action| action.action == 1).unwrap();
        let value = 1.0 + 5.0 * again.value.unwrap();
        assert!((value - 4.25).abs() < 0.1, "{value}");
        assert_eq!(report.best, 1);
    }
}
