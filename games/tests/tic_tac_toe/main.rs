//! Tic-tac-toe: known counts, the contract of `Game`, notation, and the numbered protocol.

mod protocol;

use games::perft::{EndedEarly, perft};
use games::tic_tac_toe::{Position, TicTacToe};
use mcts_core::testing::{CheckOptions, check_game};
use mcts_core::{Game, Player, Turn, Utilities};
use proptest::prelude::*;

/// Sequences of exactly 1, 2, ... marks that no side has won before (Henry Bottomley, "How many
/// Tic-Tac-Toe games are possible?", 2001).
const PERFT: [u64; 9] = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];

#[test]
fn perft_is_as_published() {
    for (depth, expected) in (1..).zip(PERFT) {
        let start = Position::default();
        assert_eq!(perft(&TicTacToe, &start, depth, EndedEarly::CountsNothing), expected);
    }
    let games = perft(&TicTacToe, &Position::default(), 9, EndedEarly::CountsOnce);
    assert_eq!(games, 255_168, "all games");
}

#[test]
fn the_contract_of_games_is_kept() {
    check_game(&TicTacToe, &CheckOptions::default()).unwrap();
}

#[test]
fn lines_of_three_win_and_a_full_board_is_a_draw() {
    let turn = |text: &str| TicTacToe.turn(&text.parse().unwrap());
    for x in ["XXX/OO./...", "OO./XXX/...", "O../XXX/O..", "O.X/OX./X.."] {
        assert_eq!(turn(x), Turn::Over(Utilities::win(Player::FIRST)), "{x}");
    }
    assert_eq!(turn("XOX/XO./.OX"), Turn::Over(Utilities::win(Player::SECOND)));
    assert_eq!(turn("X.O/XO./O.X"), Turn::Over(Utilities::win(Player::SECOND)));
    assert_eq!(turn("XOX/XOO/OXX"), Turn::Over(Utilities::ZERO));
    assert_eq!(turn("XO./.../..."), Turn::Player(Player::FIRST));
    assert_eq!(turn("X../.../..."), Turn::Player(Player::SECOND));
}

#[test]
fn errors_name_the_first_wrong_character() {
    let error = |text: &str| text.parse::<Position>().unwrap_err().to_string();
    assert_eq!(error("X.x"), r#"character 3: expected one of ".XO", found 'x'"#);
    assert_eq!(error("X.O."), "character 4: expected '/', found '.'");
    assert_eq!(
        error("XX./.../..."),
        "character 12: expected the same number of X as of O, or one more, found the end"
    );
    assert_eq!(
        error("O../.../..."),
        "character 12: expected the same number of X as of O, or one more, found the end"
    );
    assert_eq!(error("X../.../... O"), "character 12: expected the end, found ' '");
}

proptest! {
    #[test]
    fn any_text_is_read_exactly_or_refused_at_a_place_inside_it(text in ".{0,13}|[.XO]{3}/[.XO]{3}/[.XO]{3}") {
        match text.parse::<Position>() {
            Ok(position) => prop_assert_eq!(position.to_string(), text),
            Err(error) => {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.at));
                prop_assert_eq!(error.found, text.chars().nth(error.at - 1));
            }
        }
    }
}
