//! Searches of small games with known values.

use mcts_core::testing::{CheckOptions, Position, TreeGame, check_game};
use mcts_core::{Budget, Game, Player, StopReason, Turn, Uct, Utilities};

/// Take one to three counters in turn; whoever takes the last one wins.
#[derive(Debug, Clone, Copy)]
struct Nim {
    counters: u8,
}

impl Game for Nim {
    type State = (u8, Player);
    type Action = u8;

    fn start(&self) -> Self::State {
        (self.counters, Player::FIRST)
    }
    fn turn(&self, (left, player): &Self::State) -> Turn {
        if *left == 0 {
            Turn::Over(Utilities::win(player.opponent()))
        } else {
            Turn::Player(*player)
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
