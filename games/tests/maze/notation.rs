//! Text forms: round trips and errors that name the position.

use games::maze::generator;
use games::maze::grid::{MAX_SIZE, MIN_SIZE};
use games::maze::memory::Map;
use games::maze::rules::Progress;
use games::maze::world::{Action, World};
use mcts_core::rng::stream;
use proptest::prelude::*;

/// A small world; the tests change one character of it.
pub(crate) const WORLD: &str = "\
C...CC.....
.#########.
.#.P.#..C#.
.#.#.#.#.#.
C#.#...#...
.#.#.#.#C#.
.....#..C..
.#.###.###.
.#...H...#.
.####.####.
......C....
R 1 U";

proptest! {
    #[test]
    fn worlds_and_maps_are_read_back_as_written(size in MIN_SIZE..=MAX_SIZE, seed: u64) {
        let world = generator::world(size, &mut stream(seed, 0));
        prop_assert_eq!(world.to_string().parse(), Ok(world));
        let map = Progress::new(world).map();
        prop_assert_eq!(map.to_string().parse(), Ok(map));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[?#.CPHXURDL0-9 \n]{0,700}", seed: u64) {
        let _ = (text.parse::<World>(), text.parse::<Map>(), text.parse::<Action>());
        let mut bytes = generator::world(11, &mut stream(seed, 0)).to_string().into_bytes();
        let at = seed as usize % bytes.len();
        bytes[at] = bytes[at].wrapping_add((seed >> 32) as u8) & 0x7f;
        let text = String::from_utf8(bytes).unwrap();
        if let Ok(world) = text.parse::<World>() {
            prop_assert_eq!(world.to_string(), text);
        }
    }
}

#[test]
fn the_letters_of_the_actions_are_those_of_the_wire() {
    let letters: String = Action::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(letters, "URDLOS");
    assert_eq!("O".parse(), Ok(Action::Look));
    let error = "R ".parse::<Action>().unwrap_err();
    assert_eq!(error.to_string(), "character 2: expected the end, found ' '");
}

#[test]
fn what_is_wrong_with_a_world_is_told_with_its_place() {
    let error = |from: &str, to: &str| {
        let text = WORLD.replacen(from, to, 1);
        assert_ne!(text, WORLD);
        text.parse::<World>().unwrap_err().to_string()
    };
    let expected = [
        (".#.P", ".#?P", "character 27: expected one of \"#.PCHX\", found '?'"),
        ("C...CC", "C..\u{e9}CC", "character 4: expected one of \"#.PCHX\", found '\u{e9}'"),
        (
            "C...CC",
            "C..#CC",
            "character 4: expected a passage of the outer ring at row 1, column 4, found '#'",
        ),
        (
            ".P.#",
            "PP.#",
            "character 28: expected only one \"P\", no second at row 3, column 4, found 'P'",
        ),
        (
            "...H...",
            "...HX..",
            "character 103: expected only one \"H\" or \"X\", no second at row 9, column 7, found 'X'",
        ),
        ("P", ".", "character 132: expected rows with one \"P\" before, found '\\n'"),
        ("H", ".", "character 133: expected rows with one \"H\" or \"X\" before, found 'R'"),
        ("\n.#.P.#..C#.", "", "character 121: expected one of \"#.PCHX\", found 'R'"),
        (
            "C...CC.....\n",
            "C...CC....\n",
            "character 1: expected a first row of 11 to 23 cells, not 10, found 'C'",
        ),
        ("R 1 U", "R 0 U", "character 135: expected a turn from 1 to 100, found '0'"),
        ("R 1 U", "R 101 U", "character 135: expected a turn from 1 to 100, found '1'"),
        ("R 1 U", "R 1 O", "character 137: expected one of \"URDL\", found 'O'"),
        ("R 1 U", "R 1 U\n", "character 138: expected the end, found '\\n'"),
    ];
    for (from, to, message) in expected {
        assert_eq!(error(from, to), message);
    }
}
