//! The suite of mates in 1, 2 and 3.

use std::collections::{BTreeMap, BTreeSet};

use games::promotion_chess::{Position, Rules};
use serde_json::Value;

use crate::mate_solver::{mating_actions, shortest_mate};

fn suite() -> Vec<Value> {
    include_str!("../data/promotion_chess_mates.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn verify(case: &Value) {
    let rules = Rules::default();
    let position: Position = case["position"].as_str().unwrap().parse().unwrap();
    let mate_in = case["mate_in"].as_u64().unwrap() as u32;
    assert_eq!(shortest_mate(&rules, &position, mate_in), Some(mate_in), "{case}");
    let mut mating: Vec<String> =
        mating_actions(&rules, &position, mate_in).iter().map(ToString::to_string).collect();
    mating.sort();
    assert_eq!(case["winning"], Value::from(mating), "{case}");
}

#[test]
fn the_suite_of_mates_is_balanced_and_without_repetition() {
    let suite = suite();
    let mut numbers = BTreeMap::new();
    for case in &suite {
        let side = case["position"].as_str().unwrap().split(' ').nth(1).unwrap().to_owned();
        *numbers.entry((case["mate_in"].as_u64().unwrap(), side)).or_insert(0) += 1;
    }
    let of =
        |field: &str| suite.iter().map(|case| case[field].as_str().unwrap().to_owned()).collect();
    let (ids, positions): (BTreeSet<String>, BTreeSet<String>) = (of("id"), of("position"));
    assert!(suite.len() >= 200);
    assert_eq!((ids.len(), positions.len()), (suite.len(), suite.len()));
    assert_eq!(numbers.len(), 6);
    assert!(numbers.values().all(|number| *number == suite.len() / 6), "{numbers:?}");
}

#[test]
fn every_mate_of_the_suite_is_what_the_exhaustive_solver_finds() {
    suite().iter().for_each(verify);
}
