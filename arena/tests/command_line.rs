//! The commands as used by people and scripts.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

fn arena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).output().expect("the arena starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the arena writes UTF-8")
}

/// A file in a directory of its own.
fn file(name: &str, content: &[u8]) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("command-line-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    fs::create_dir_all(&directory).expect("the build's own directory");
    let path = directory.join(name);
    fs::write(&path, content).expect("the build's own directory");
    path
}

fn check(name: &str, content: &[u8]) -> (Option<i32>, Vec<String>) {
    let path = file(name, content);
    let output = arena(&["check", "reversi", path.to_str().expect("a plain path")]);
    (output.status.code(), text(&output.stdout).lines().map(str::to_owned).collect())
}

const CASE: &str = r#"{"id":"start-2","position":"...........................WB......BW........................... B","depth":2,"nodes":12}"#;

#[test]
fn a_game_between_built_in_bots_ends_with_result_and_verdict() {
    let output = arena(&["play", "reversi", "--first", "greedy", "--second", "random", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert!(lines[0].starts_with("result: "), "{lines:?}");
    assert!(lines[1].starts_with("verdict: by the rules, after "), "{lines:?}");
    assert!(lines[2].starts_with("first  greedy: ") && lines[3].starts_with("second random: "));
}

#[test]
fn the_same_seed_and_bots_give_the_same_game() {
    let game = |seed: &str| {
        let path = file(&format!("record-{seed}.json"), b"");
        let path = path.to_str().expect("a plain path");
        let bots = ["--first", "mcts:playouts=200", "--second", "random"];
        let output = arena(
            &[&["play", "reversi", "--quiet", "--json", path, "--seed", seed], &bots[..]].concat(),
        );
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let json = fs::read(path).expect("the record is written");
        serde_json::from_slice::<arena::record::GameRecord>(&json).expect("a record").actions
    };
    assert_eq!(game("5"), game("5"));
    assert_ne!(game("5"), game("6"));
}

#[test]
fn a_record_holds_what_a_bot_reports_of_its_searches() {
    let path = file("record.json", b"");
    let path = path.to_str().expect("a plain path");
    let bots = ["--first", "mcts:playouts=50", "--second", "random"];
    arena(&[&["play", "reversi", "--quiet", "--json", path], &bots[..]].concat());
    let json = fs::read(path).expect("the record is written");
    let record: arena::record::GameRecord = serde_json::from_slice(&json).expect("a record");
    let reports = record.messages.iter().filter(|m| m.from == arena::record::Writer::Report);
    assert!(reports.clone().count() > 20);
    assert!(reports.clone().all(|m| m.seat == 0 && m.text.contains("value=")));
}

#[test]
fn a_bot_that_crashes_is_a_game_that_was_played() {
    let bot = "cmd:sh -c 'echo help >&2; exit 9'";
    let output = arena(&["play", "reversi", "--first", bot, "--second", "random", "--quiet"]);
    assert_eq!(output.status.code(), Some(0));
    let shown = text(&output.stdout);
    assert!(
        shown.contains("verdict: first loses: ended with exit code 9; asked \"READY"),
        "{shown}"
    );
    assert!(shown.contains("stderr: help"), "{shown}");
}

#[test]
fn what_cannot_be_played_exits_with_1_and_says_why() {
    for (arguments, why) in [
        (&["play", "whist"][..], "there is no game \"whist\""),
        (&["play", "reversi", "--first", "deep"][..], "reversi has no bot `deep`"),
        (
            &["play", "reversi", "--first", "cmd:/no/such/program"][..],
            "cannot start `/no/such/program`",
        ),
        (&["play", "reversi", "--from", "nonsense"][..], "not a position"),
        (&["play", "reversi", "--size", "6"][..], "this game has no options"),
    ] {
        let output = arena(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    }
}

#[test]
fn cases_that_agree_pass_and_blank_lines_do_not_count() {
    let content = format!("{CASE}\n\n{CASE}\r\n{CASE}");
    let (status, lines) = check("reversi_perft.jsonl", content.as_bytes());
    assert_eq!((status, lines), (Some(0), vec!["3 passed, 0 failed".to_owned()]));
}

#[test]
fn a_failure_names_place_case_field_and_both_values() {
    let content = format!("{CASE}\n{}\n", CASE.replace("12}", "13}"));
    let (status, lines) = check("reversi_perft.jsonl", content.as_bytes());
    assert_eq!(status, Some(1));
    assert!(
        lines[0].ends_with("reversi_perft.jsonl:2: start-2: nodes: expected 13, found 12"),
        "{lines:?}"
    );
    assert_eq!(lines[1], "1 passed, 1 failed");
}

#[test]
fn hostile_lines_are_failures_with_their_place() {
    let deep = "[".repeat(100_000);
    let cut = &CASE[..40];
    for line in ["{", "null", "[]", "\"x\"", "{\"id\":7}", "\u{0}", cut, &deep, "1e999", "{} {}"] {
        let content = format!("{CASE}\n{line}\n{CASE}\n");
        let (status, lines) = check("reversi_perft.jsonl", content.as_bytes());
        assert_eq!(status, Some(1), "{line:.20}");
        assert!(lines[0].contains("reversi_perft.jsonl:2: "), "{lines:?}");
        assert_eq!(lines[1], "2 passed, 1 failed");
    }
    let (status, lines) = check("reversi_perft.jsonl", b"\xff\xfe\n");
    assert_eq!((status, lines[1].as_str()), (Some(1), "0 passed, 1 failed"));
}

#[test]
fn files_that_cannot_be_read_exit_with_2_and_do_not_hide_the_rest() {
    let good = file("reversi_perft.jsonl", CASE.as_bytes());
    let unknown = file("whist_games.jsonl", CASE.as_bytes());
    let good = good.to_str().expect("a plain path");
    for bad in ["/no/such/file.jsonl", unknown.to_str().expect("a plain path"), "/"] {
        let output = arena(&["check", "reversi", bad, good]);
        assert_eq!(output.status.code(), Some(2), "{bad}");
        assert_eq!(text(&output.stdout).lines().last(), Some("1 passed, 0 failed"));
        assert!(text(&output.stderr).contains(bad), "{}", text(&output.stderr));
    }
}

#[test]
fn perft_counts_each_depth() {
    let output = arena(&["perft", "reversi", "--depth", "5"]);
    let shown = text(&output.stdout);
    let counts =
        shown.lines().skip(1).map(|line| line.split_whitespace().nth(1).unwrap_or("").to_owned());
    assert_eq!(counts.collect::<Vec<_>>(), ["4", "12", "56", "244", "1396"]);
}

#[test]
fn an_interrupted_game_ends_its_bots_and_exits_with_130() {
    let bot = "cmd:sh -c 'trap \"\" HUP TERM; echo up >&2; exec sleep 71090'";
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["play", "reversi", "--first", bot, "--second", "random", "--quiet"])
        .spawn()
        .expect("the arena starts");
    let sleepers = || {
        let processes = fs::read_dir("/proc").expect("Linux has /proc").flatten();
        let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        lines.filter(|line| line.starts_with(b"sleep\x0071090")).count()
    };
    while sleepers() == 0 {
        std::thread::yield_now();
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill is there").success());
    assert_eq!(child.wait().expect("it is ours").code(), Some(130));
    assert_eq!(sleepers(), 0);
}
