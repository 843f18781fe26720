//! Plans of matches: each is refused or can be listed round by round.
#![no_main]

use libfuzzer_sys::fuzz_target;

use arena::catalogue::Catalogue;
use arena::contest::Plan;

fuzz_target!(|input: &[u8]| {
    let Ok(plan) = serde_json::from_slice::<Plan>(input) else { return };
    match plan.check(&Catalogue::BUILT_IN) {
        Ok(()) => {
            assert!(!plan.is_empty());
            for index in [0, plan.len() / 2, plan.len() - 1] {
                assert_eq!(plan.round(index), plan.round(index));
            }
            assert!(plan.differences(&plan).is_empty());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
