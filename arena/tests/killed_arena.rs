//! No bot outlives the arena, however the arena ends.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Processes whose command line is this one.
fn running(line: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("Linux has /proc").flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .filter(|found| String::from_utf8_lossy(found).replace('\0', " ").trim_end() == line)
        .count()
}

/// Waits until `count` processes with this command line run.
fn await_running(line: &str, count: usize) {
    let begun = Instant::now();
    while running(line) != count {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} of {count}: {line}", running(line));
        std::thread::yield_now();
    }
}

/// An arena with two bots that ignore the end of their input, each with a child in its own session.
fn arena_with_stubborn_bots(name: &str) -> Child {
    let bot = format!("cmd:sh -c 'trap \"\" TERM HUP INT; setsid sleep {name} & sleep {name}'");
    Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["play", "reversi", "--quiet", "--first", &bot, "--second", &bot])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the arena starts")
}

#[test]
fn no_bot_outlives_an_arena_that_is_killed() {
    for (signal, name) in [
        ("KILL", "71095"),
        ("ABRT", "71096"),
        ("TERM", "71097"),
        ("USR1", "71098"),
        ("QUIT", "71099"),
    ] {
        let mut arena = arena_with_stubborn_bots(name);
        let line = format!("sleep {name}");
        await_running(&line, 4);
        let id = arena.id().to_string();
        let killed = Command::new("kill").args(["-s", signal, &id]).status().expect("kill runs");
        assert!(killed.success());
        let status = arena.wait().expect("it ends");
        await_running(&line, 0);
        if !matches!(signal, "KILL" | "ABRT") {
            assert_eq!(status.code(), Some(130), "an orderly end by {signal}");
        }
    }
}
