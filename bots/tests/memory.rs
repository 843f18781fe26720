//! A bot with its default memory cap starts and answers under a limit of address space of the same size.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn the_chess_bot_answers_under_256_mib_of_address_space() {
    let bot = env!("CARGO_BIN_EXE_promotion-chess");
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 262144 && exec \"$0\"", bot])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"READY FIRST\nTURN 2000\nFINISH\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{:?}: {text}", output.status);
    assert!(text.contains("PLACE") || text.contains("MOVE"), "{text}");
}
