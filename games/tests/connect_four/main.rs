//! Connect Four: known counts, a plain second implementation, the contract of `Game`, notation.

use games::connect_four::{ConnectFour, Illegal, Position};
use games::perft::{EndedEarly, perft};
use mcts_core::testing::{CheckOptions, check_game, check_transpositions};
use mcts_core::{Game, Player, Turn, Utilities, rng};
use proptest::prelude::*;

/// Sequences of 1, 2, ... discs: 7^n while no column can be full, then fewer.
const PERFT: [u64; 8] = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];

#[test]
fn perft_from_the_start_is_as_known() {
    for (depth, expected) in (1..).zip(PERFT) {
        let start = Position::default();
        let found = perft(&ConnectFour, &start, depth, EndedEarly::CountsNothing);
        assert_eq!(found, expected, "depth {depth}");
    }
}

#[test]
fn the_contract_of_games_is_kept() {
    check_game(&ConnectFour, &CheckOptions::default()).unwrap();
    assert!(check_transpositions(&ConnectFour, &CheckOptions::default()).unwrap() > 0);
}

/// Six rows of seven from the top, as in the text form.
#[derive(Debug, Clone)]
struct PlainConnectFour {
    cells: [[char; 7]; 6],
    side: char,
}

impl PlainConnectFour {
    fn columns(&self) -> Vec<u8> {
        (0..7).filter(|column| self.cells[0][usize::from(*column)] == '.').collect()
    }

    fn has_four(&self, side: char) -> bool {
        let is = |row: i32, column: i32| {
            (0..6).contains(&row)
                && (0..7).contains(&column)
                && self.cells[row as usize][column as usize] == side
        };
        (0..6).any(|row| {
            (0..7).any(|column| {
                [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|(down, right)| {
                    (0..4).all(|step| is(row + step * down, column + step * right))
                })
            })
        })
    }

    fn apply(&mut self, column: u8) {
        let column = usize::from(column);
        let row = (0..6).rev().find(|row| self.cells[*row][column] == '.').expect("a free cell");
        self.cells[row][column] = self.side;
        self.side = if self.side == 'X' { 'O' } else { 'X' };
    }

    fn text(&self) -> String {
        self.cells.map(|row| row.iter().collect::<String>()).join("/")
    }
}

#[test]
fn random_games_agree_with_the_plain_implementation_in_every_position() {
    let mut rng = rng::stream(4, 0);
    for _ in 0..1_000 {
        let mut position = Position::default();
        let mut plain = PlainConnectFour { cells: [['.'; 7]; 6], side: 'X' };
        loop {
            assert_eq!(position.to_string(), plain.text());
            assert_eq!(plain.text().parse(), Ok(position));
            let expected = if plain.has_four('X') {
                Turn::Over(Utilities::win(Player::FIRST))
            } else if plain.has_four('O') {
                Turn::Over(Utilities::win(Player::SECOND))
            } else if plain.columns().is_empty() {
                Turn::Over(Utilities::ZERO)
            } else {
                Turn::Player(Player(u8::from(plain.side == 'O')))
            };
            assert_eq!(ConnectFour.turn(&position), expected, "{position}");
            let Turn::Player(_) = expected else { break };
            let mut columns = Vec::new();
            ConnectFour.actions(&position, |column| columns.push(column));
            assert_eq!(columns, plain.columns());
            let column = columns[rng::below(&mut rng, columns.len())];
            position.try_apply(column).unwrap();
            plain.apply(column);
        }
    }
}

#[test]
fn full_columns_and_finished_games_are_refused_and_change_nothing() {
    let refused = |text: &str, column| {
        let mut position: Position = text.parse().unwrap();
        let why = position.try_apply(column).unwrap_err();
        assert_eq!(position.to_string(), text);
        why
    };
    let full = "O....../X....../O....../X....../O....../X......";
    assert_eq!(refused(full, 0), Illegal::Full);
    let won = "......./......./......./......./OOO..../XXXX...";
    assert_eq!(refused(won, 6), Illegal::Over);
}

#[test]
fn errors_name_the_first_wrong_character() {
    let error = |text: &str| text.parse::<Position>().unwrap_err().to_string();
    let rows = "......./......./......./......./......./";
    assert_eq!(error("...x"), r#"character 4: expected one of ".XO", found 'x'"#);
    assert_eq!(error("........"), "character 8: expected '/', found '.'");
    assert_eq!(error("X....../......."), "character 9: expected a disc under a disc, found '.'");
    assert_eq!(error(rows), r#"character 41: expected one of ".XO", found the end"#);
    assert_eq!(
        error(&format!("{rows}O......")),
        "character 48: expected the same number of X as of O, or one more, found the end"
    );
    assert_eq!(error(&format!("{rows}X....../")), "character 48: expected the end, found '/'");
}

#[test]
fn the_hash_of_every_position_of_six_plies_is_its_own() {
    let mut positions = std::collections::HashSet::from([Position::default()]);
    let mut all = positions.clone();
    for _ in 0..6 {
        positions = positions
            .iter()
            .flat_map(|position| {
                let mut next = Vec::new();
                ConnectFour.actions(position, |column| next.push((*position, column)));
                next
            })
            .map(|(mut position, column)| {
                position.apply(column);
                position
            })
            .collect();
        all.extend(&positions);
    }
    let hashes: std::collections::HashSet<_> =
        all.iter().map(|position| ConnectFour.hash(position)).collect();
    // 1, 7, 49, 238, 1120, 4263, 16422 (Edelkamp and Kissmann, 2008).
    assert_eq!(positions.len(), 16_422);
    assert_eq!(hashes.len(), all.len());
}

proptest! {
    #[test]
    fn any_text_is_read_exactly_or_refused_at_a_place_inside_it(
        text in ".{0,50}|([.]{7}/){4}[.XO]{7}/[XO]{7}",
    ) {
        match text.parse::<Position>() {
            Ok(position) => prop_assert_eq!(position.to_string(), text),
            Err(error) => {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.at));
                prop_assert_eq!(error.found, text.chars().nth(error.at - 1));
            }
        }
    }
}
