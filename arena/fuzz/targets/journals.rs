//! Lines of a journal: each pair is refused or belongs to its plan.
#![no_main]

use libfuzzer_sys::fuzz_target;

use arena::contest::{PairRecord, Plan};

/// The plan that the corpus was played from.
const PLAN: &str = include_str!("../plan.json");

fuzz_target!(|input: &[u8]| {
    let plan: Plan = serde_json::from_str(PLAN).expect("a plan of this version");
    for line in input.split(|byte| *byte == b'\n') {
        let Ok(pair) = serde_json::from_slice::<PairRecord>(line) else { continue };
        match pair.check(&plan) {
            Ok(()) => {
                for game in pair.games {
                    let _ = game.into_record();
                }
            }
            Err(reason) => assert!(!reason.is_empty()),
        }
    }
});
