//! Records of games: each is replayed or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

use arena::catalogue::Catalogue;
use arena::record::GameRecord;
use arena::replay::Replay;

fuzz_target!(|input: &[u8]| {
    let Ok(record) = serde_json::from_slice::<GameRecord>(input) else { return };
    match Replay::new(&Catalogue::BUILT_IN, &record) {
        Ok(replay) => assert_eq!(replay.steps.len(), record.actions.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
