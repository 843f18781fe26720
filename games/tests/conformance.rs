//! Every golden vector agrees with the rules, by the same checks that `arena check` uses.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use games::conformance::Check;
use serde_json::{Value, json};

/// Files of `tests/data` and how many cases each holds.
const FILES: &[(&str, &str, usize)] = &[
    ("promotion-chess", "chess_actions", 76),
    ("promotion-chess", "chess_endings", 39),
    ("promotion-chess", "chess_games", 86),
    ("promotion-chess", "chess_perft", 112),
    ("reversi", "reversi_games", 91),
    ("reversi", "reversi_passes", 40),
    ("reversi", "reversi_perft", 36),
    ("maze", "maze_candy_count", 46),
    ("maze", "maze_games", 57),
    ("maze", "maze_vision", 104),
    ("icebreaking", "icebreaking_games", 128),
    ("icebreaking", "icebreaking_captures", 56),
];

fn check_of(game: &str, stem: &str) -> Check {
    (games::find(game).expect("the game is listed").check)(stem)
        .expect("the file belongs to the game")
}

fn cases(stem: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{stem}.jsonl"));
    let text = fs::read_to_string(path).expect("the file is in the repository");
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

#[test]
fn all_golden_vectors_agree_with_the_rules() {
    for (game, stem, expected_cases) in FILES {
        let check = check_of(game, stem);
        let cases = cases(stem);
        assert_eq!(cases.len(), *expected_cases, "{stem} is complete");
        for case in cases {
            if let Err(difference) = check(&case) {
                panic!("{stem} {}: {difference}", case["id"]);
            }
        }
    }
}

/// Fields whose changes need not be detected: they do not depend on the rules, or several values
/// are valid. Inner passages `f` of a maze (several give the same number of candies), `illegal`
/// actions (a changed one is still rejected), and cells of Icebreaking that cut each other off.
const NOT_CHANGED: [&str; 5] = ["id", "tags", "f", "illegal", "moves"];

/// Replaces the leaves of a JSON value, one at a time, by another value of the same type.
fn mutations(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !NOT_CHANGED.contains(&name.as_str()))
            .flat_map(|(name, member)| {
                mutations(member).into_iter().map(move |changed| {
                    let mut copy = value.clone();
                    copy[name] = changed;
                    copy
                })
            })
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(at, item)| {
                mutations(item).into_iter().map(move |changed| {
                    let mut copy = value.clone();
                    copy[at] = changed;
                    copy
                })
            })
            .collect(),
        Value::String(text) => vec![json!(format!("{text}x"))],
        Value::Number(number) => vec![json!(number.as_i64().expect("a whole number") + 1)],
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Null => vec![json!("x")],
    }
}

#[test]
fn a_change_of_any_single_value_of_a_case_is_noticed() {
    for (game, stem, _) in FILES {
        let check = check_of(game, stem);
        for case in cases(stem).iter().take(3) {
            for changed in mutations(case) {
                assert!(check(&changed).is_err(), "{stem}: {changed}");
            }
        }
    }
}

#[test]
fn a_case_without_a_field_or_with_a_wrong_type_is_a_difference_that_names_it() {
    for (game, stem, _) in FILES {
        let check = check_of(game, stem);
        let case = cases(stem).remove(0);
        let names: Vec<String> = case.as_object().unwrap().keys().cloned().collect();
        for name in names.iter().filter(|name| !["id", "tags"].contains(&name.as_str())) {
            let mut without = case.clone();
            without.as_object_mut().unwrap().remove(name);
            assert_eq!(check(&without).unwrap_err().field, *name, "{stem}");
            let mut wrong = case.clone();
            wrong[name] = json!({ "no": [] });
            let field = check(&wrong).unwrap_err().field;
            assert!(field.starts_with(name.as_str()), "{stem}: {field} is about {name}");
        }
        for no_case in [json!(null), json!([]), json!("case"), json!({})] {
            assert!(check(&no_case).is_err(), "{stem}: {no_case}");
        }
    }
}

#[test]
fn no_two_games_claim_the_same_file_and_unknown_files_are_nobodys() {
    for (game, stem, _) in FILES {
        let owners: BTreeSet<&str> = games::GAMES
            .iter()
            .filter(|entry| (entry.check)(stem).is_some())
            .map(|entry| entry.name)
            .collect();
        assert_eq!(owners, BTreeSet::from([*game]), "{stem}");
    }
    for stem in ["", "reversi", "reversi_", "games", "REVERSI_GAMES"] {
        assert!(games::GAMES.iter().all(|entry| (entry.check)(stem).is_none()), "{stem}");
    }
}
