//! Text forms in both directions, and rejected texts.

use games::promotion_chess::{Action, Position};
use proptest::prelude::*;

use crate::{legal_actions, random_game};

#[test]
fn positions_and_actions_of_random_games_survive_the_round_trip() {
    for seed in 100..130 {
        random_game(seed, |position| {
            assert_eq!(position.to_string().parse(), Ok(*position));
            for action in legal_actions(position) {
                assert_eq!(action.to_string().parse(), Ok(action));
            }
        });
    }
}

#[test]
fn the_start_is_written_as_on_the_rule_page() {
    assert_eq!(Position::start().to_string(), "2k2/5/5/5/2K2 w - 0");
}

#[test]
fn faulty_positions_are_refused_with_the_place() {
    let cases = [
        ("", "character 1: expected one of \"KQRBNPCkqrbnpc12345\", found the end"),
        ("2k2/5/5/5/2K2 w -  0", "character 19: expected a digit, found ' '"),
        ("2k2/5/5/5/2K2 w - 0 ", "character 20: expected the end, found ' '"),
        ("2k2/5/5/5/2X2 w - 0", "character 12: expected one of \"KQRBNPCkqrbnpc\", found 'X'"),
        ("2k3/5/5/5/2K2 w - 0", "character 3: expected one of \"KQRBNPCkqrbnpc12\", found '3'"),
        ("2k11/5/5/5/2K2 w - 0", "character 4: expected one of \"KQRBNPCkqrbnpc\", found '1'"),
        ("2k2/5/5/5/2K w - 0", "character 13: expected one of \"KQRBNPCkqrbnpc12\", found ' '"),
        ("2k2/5/5/5/0K4 w - 0", "character 11: expected one of \"KQRBNPCkqrbnpc12345\", found '0'"),
        ("2k2/5/5/5/2K2/5 w - 0", "character 14: expected ' ', found '/'"),
        ("2k25/5/5/5/2K2 w - 0", "character 4: expected '/', found '5'"),
        ("2k1pp/5/5/5/2K2 w - 0", "character 5: expected '/', found 'p'"),
        ("2k2/5/5/5/2K2 x - 0", "character 15: expected one of \"wb\", found 'x'"),
        ("2k2/5/5/5/2K2 wb - 0", "character 16: expected ' ', found 'b'"),
        ("2k2/5/5/5/2K2 w 0 0", "character 17: expected '-', found '0'"),
        ("c1k2/5/5/5/2K1C w - 0", "character 19: expected one of \"0123456789\", found '-'"),
        ("c1k2/5/5/5/2K1C w 3 0", "character 20: expected one of \"0123456789\", found ' '"),
        ("c1k2/5/5/5/2K1C w 345 0", "character 21: expected ' ', found '5'"),
        ("2k2/5/5/5/2K2 w - 00", "character 19: expected a number without leading zero"),
        ("2k2/5/5/5/2K2 w - -1", "character 19: expected a number from 0 to 65535, found '-'"),
        ("2k2/5/5/5/2K2 w - +1", "character 19: expected a digit, found '+'"),
        ("2k2/5/5/5/2K2 w - 65536", "character 19: expected a number from 0 to 65535"),
        ("2k2/5/5/5/5 w - 0", "character 12: expected a king of each side, w has none, found ' '"),
        ("5/5/5/5/2K2 w - 0", "character 12: expected a king of each side, b has none, found ' '"),
        ("2k2/5/5/5/K1K2 w - 0", "character 13: expected one king a side, found 'K'"),
        ("2k2/c4/5/5/2K2 w 1 0", "character 5: expected citizens only on the home rank, found 'c'"),
        ("2k1P/5/5/5/2K2 w - 0", "character 4: expected no pawn on the far rank, found 'P'"),
        ("2k2/5/2R2/5/2K2 w - 0", "character 17: expected the other side, whose king is in check"),
    ];
    for (text, expected) in cases {
        let error = text.parse::<Position>().expect_err(text).to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

#[test]
fn faulty_actions_are_refused_with_the_place() {
    let keyword = "character 1: expected PLACE or PROMOTE or MOVE, found ";
    let cases = [
        ("", keyword),
        ("PASS", keyword),
        ("place a1", keyword),
        (" PLACE a1", keyword),
        ("PLACE", "character 6: expected ' ', found the end"),
        ("PLACE a6", "character 8: expected one of \"12345\", found '6'"),
        ("PLACE A1", "character 7: expected one of \"abcde\", found 'A'"),
        ("PLACE a1 ", "character 9: expected the end, found ' '"),
        ("PLACE  a1", "character 7: expected one of \"abcde\", found ' '"),
        ("PLACE a1 PAWN", "character 9: expected the end, found ' '"),
        ("PROMOTE a1", "character 11: expected ' ', found the end"),
        ("PROMOTE a1 KING", "character 12: expected PAWN or KNIGHT or BISHOP or ROOK or QUEEN"),
        ("PROMOTE a1 pawn", "character 12: expected PAWN or KNIGHT or"),
        ("PROMOTE a1 PAWNS", "character 16: expected the end, found 'S'"),
        ("MOVE a1", "character 8: expected ' ', found the end"),
        ("MOVE a1 f1", "character 9: expected one of \"abcde\", found 'f'"),
        ("MOVE a4 a5 CITIZEN", "character 12: expected PAWN or"),
        ("MOVE a4 a5 QUEEN now", "character 17: expected the end, found ' '"),
        ("MOVE a4 a5\r", "character 11: expected ' ', found '\\r'"),
        ("MOVE\ta4 a5", "character 5: expected ' ', found '\\t'"),
    ];
    for (text, expected) in cases {
        let error = text.parse::<Action>().expect_err(text).to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

proptest! {
    #[test]
    fn whatever_text_is_read_as_a_position_is_written_the_same(
        text in "[kqrbnpcKQRBNPC1-5/]{9,29} [wb] [0-9-]{1,4} [0-9]{1,4}",
    ) {
        if let Ok(position) = text.parse::<Position>() {
            let written = position.to_string();
            prop_assert_eq!(written.parse::<Position>(), Ok(position));
        }
    }

    #[test]
    fn a_spoilt_position_is_refused_or_written_as_it_was_read(
        seed in 0u64..50,
        at in 0usize..40,
        spoilt in any::<char>(),
    ) {
        let mut last = Position::start();
        random_game(seed, |position| if position.ply() < 40 { last = *position });
        let mut characters: Vec<char> = last.to_string().chars().collect();
        let at = at % characters.len();
        characters[at] = spoilt;
        let text: String = characters.into_iter().collect();
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string(), text);
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        if let Ok(action) = text.parse::<Action>() {
            prop_assert_eq!(action.to_string(), text);
        } else if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
    }
}
