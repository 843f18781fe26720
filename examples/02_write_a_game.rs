//! How do I write a game? With Kayles: a ball knocks down one pin of a row or two neighbouring
//! pins, and the player who takes the last pin wins. The first player wins every single row
//! (Dudeney, 1908): split it into two equal halves, then mirror the opponent.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use mcts_core::testing::{CheckOptions, check_game};
use mcts_core::{Budget, Game, Player, Search, Turn, Uct, Utilities};

/// The rules, with the constants of a game.
#[derive(Debug, Clone, Copy)]
struct Kayles {
    pins: u32,
}

/// The state of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    /// A bit for each standing pin.
    standing: u32,
    to_move: Player,
}

/// Knocks down `count` pins, starting at `at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Throw {
    at: u8,
    count: u8,
}

impl Throw {
    fn pins(self) -> u32 {
        ((1 << self.count) - 1) << self.at
    }
}

impl Game for Kayles {
    type State = Row;
    type Action = Throw;

    fn start(&self) -> Row {
        Row { standing: (1 << self.pins) - 1, to_move: Player::FIRST }
    }

    fn turn(&self, row: &Row) -> Turn {
        match row.standing {
            0 => Turn::Over(Utilities::win(row.to_move.opponent())),
            _ => Turn::Player(row.to_move),
        }
    }

    fn actions(&self, row: &Row, mut visit: impl FnMut(Throw)) {
        for at in 0..self.pins as u8 {
            for count in [1, 2] {
                let throw = Throw { at, count };
                if row.standing & throw.pins() == throw.pins() {
                    visit(throw);
                }
            }
        }
    }

    fn apply(&self, row: &mut Row, throw: Throw) {
        row.standing &= !throw.pins();
        row.to_move = row.to_move.opponent();
    }
}

fn main() {
    let game = Kayles { pins: 8 };

    // The test kit checks that all methods of the rules agree.
    let checked = check_game(&game, &CheckOptions::default()).expect("the rules are consistent");
    println!("{checked:?}");

    let mut search = Uct::default().search(game, 1);
    let report = search.run(&game.start(), &Budget::playouts(200_000)).expect("pins stand");
    let best = report.best_action().expect("there is a best throw");
    println!("{:?} after {} playouts: {:?}", best.action, report.playouts, best.proven);
    assert_eq!(best.proven.map(|proof| proof.utility), Some(1.0), "the first player wins");
}
