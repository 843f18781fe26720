//! What a busy machine may and may not be blamed for.

#[expect(dead_code, reason = "each file of tests uses its part")]
mod support;

use std::sync::atomic::AtomicBool;

use arena::contest::Cores;
use arena::process::{BotProcess, adopt_orphans};
use arena::record::GameRecord;
use arena::referee::{Conduct, Occasion, play};
use arena::verdict::Offence;
use support::{Counting, HONEST, on_turn, shell};

/// Plays against an honest player on a core on which four other processes spin.
fn play_on_a_crowded_core(script: &str) -> GameRecord {
    let cores = Cores::available().of_job(0);
    let spin = ["sh", "-c", "while :; do :; done"].map(str::to_owned);
    let crowd: Vec<BotProcess> = (0..4)
        .map(|_| {
            let process = BotProcess::start(&spin, &[]).expect("the shell starts");
            process.run_on(&cores.thinking);
            process
        })
        .collect();
    let stop = AtomicBool::new(false);
    let conduct = Conduct {
        strict: false,
        memory_limit_bytes: None,
        keep_messages: false,
        cores: Some(cores),
        stop: &stop,
    };
    adopt_orphans().expect("Linux lets a process adopt orphans");
    let players = [shell("tested", script), shell("honest", HONEST)];
    let occasion = Occasion { game: "counting", seed: 0 };
    let record = play(&mut Counting::new(600, 60_000), &players, occasion, &conduct, &mut ());
    drop(crowd);
    record.expect("both start")
}

#[test]
fn a_player_that_was_given_no_processor_is_not_to_blame() {
    let record = play_on_a_crowded_core(&on_turn("while :; do :; done"));
    let verdict = record.verdict.expect("it ran out of time");
    assert!(matches!(verdict.offence, Offence::WallTimeout { .. }), "{verdict}");
    assert!(record.contended, "{:?}", record.seats[0].used);
}

#[test]
fn a_player_that_sleeps_has_no_excuse() {
    let record = play_on_a_crowded_core(&on_turn("sleep 9"));
    assert!(!record.contended, "{:?}", record.seats[0].used);
}
