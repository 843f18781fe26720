//! The restrictions of a bot in a sandbox.

#[expect(dead_code, reason = "each file of tests uses its part")]
mod support;

use std::fs;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use arena::process::{Exit, adopt_orphans, check_sandbox};
use arena::record::GameRecord;
use arena::referee::{Conduct, Occasion};
use arena::verdict::Offence;
use support::{Counting, HONEST, on_turn, shell};

/// Plays in sandboxes; `None`, with a message, if the machine permits none.
fn play_in_sandboxes(script: &str) -> Option<GameRecord> {
    if let Err(why) = check_sandbox() {
        // Not captured by the test harness, which shows no output of tests that pass.
        writeln!(io::stderr(), "SKIPPED, no sandbox is tested: {why}").expect("it is open");
        return None;
    }
    adopt_orphans().expect("Linux lets a process adopt orphans");
    let stop = AtomicBool::new(false);
    let conduct = Conduct {
        strict: false,
        memory_limit_bytes: None,
        sandbox: true,
        keep_messages: false,
        longest_game: None,
        cores: None,
        stop: &stop,
    };
    let players = [shell("tested", script), shell("honest", HONEST)];
    let occasion = Occasion { game: "counting", seed: 0 };
    let mut game = Counting::new(10_000, 10_000);
    Some(
        arena::referee::play(&mut game, &players, occasion, &conduct, &mut ()).expect("both start"),
    )
}

/// Plays a bot that adds 2 if `attempt` succeeds, and 1 if not.
fn assert_is_prevented(attempt: &str) {
    let script =
        on_turn(&format!("if ({attempt}) 2>/dev/null; then echo ADD 2; else echo ADD 1; fi"));
    let Some(record) = play_in_sandboxes(&script) else { return };
    assert_eq!(record.verdict, None);
    assert_eq!(record.actions[0], "ADD 1", "{attempt}");
}

#[test]
fn bots_play_and_end_in_sandboxes_as_elsewhere() {
    let Some(record) = play_in_sandboxes(HONEST) else { return };
    assert_eq!((record.verdict, record.seats[0].exit), (None, Some(Exit::Code(0))));
    let Some(record) = play_in_sandboxes(&on_turn("exit 3")) else { return };
    let offence = record.verdict.map(|verdict| verdict.offence);
    assert_eq!(offence, Some(Offence::Crash { exit: Exit::Code(3) }));
    let Some(record) = play_in_sandboxes(&on_turn("kill -SEGV $$")) else { return };
    let offence = record.verdict.map(|verdict| verdict.offence);
    assert_eq!(offence, Some(Offence::Crash { exit: Exit::Signal(11) }));
}

#[test]
fn the_arena_and_other_bots_can_be_neither_signalled_nor_seen() {
    let arena = std::process::id();
    assert_is_prevented(&format!("kill -0 {arena}"));
    assert_is_prevented(&format!("[ -e /proc/{arena} ]"));
    // More than the bot, the helper of the sandbox and the counting processes would be processes of
    // others.
    assert_is_prevented("[ $(ls -d /proc/[0-9]* | wc -l) -gt 6 ]");
}

#[test]
fn nothing_of_the_machine_can_be_written() {
    let file = std::env::current_dir().expect("there is one").join("escaped-from-the-sandbox");
    assert_is_prevented(&format!(": > {}", file.display()));
    assert!(!file.exists());
    let in_memory = format!("/dev/shm/escaped-{}", std::process::id());
    // It may write there, but to its own memory.
    let Some(_) = play_in_sandboxes(&on_turn(&format!(": > {in_memory}; echo ADD 1"))) else {
        return;
    };
    assert!(fs::metadata(in_memory).is_err());
}

#[test]
fn there_is_no_network() {
    assert_is_prevented("grep -v -e lo: -e '|' /proc/net/dev");
}

#[test]
fn forks_have_an_end() {
    let forks = on_turn("while :; do sleep 71089 & done");
    let Some(record) = play_in_sandboxes(&forks) else { return };
    let offence = record.verdict.map(|verdict| verdict.offence);
    assert!(
        matches!(offence, Some(Offence::TooManyProcesses | Offence::Crash { .. })),
        "{offence:?}"
    );
}
