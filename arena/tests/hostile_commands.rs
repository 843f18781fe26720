//! Command lines and files that make no sense are refused with the reason: no panic, no abort, no hang, no silent guess.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

fn arena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).output().expect("the arena starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A directory of its own.
fn directory() -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("hostile-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the build's own directory");
    path
}

/// Runs a command that must be refused (status 1, or 2 by the command line) with this reason.
fn refused(line: &str, why: &str) {
    let words = shlex::split(line).expect("a command line");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = arena(&words);
    let shown = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{line}: {:?} {shown}", output.status);
    assert!(!shown.contains("panicked"), "{line}: {shown}");
    assert!(shown.contains(why), "{line}: expected {why:?}, found {shown}");
}

const MATCH: &str = "match reversi --a mcts:playouts=9 --b greedy --in-process";

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for (line, why) in [
        ("--games 18446744073709551614", "games are more than"),
        ("--games 18446744073709551616", "invalid value"),
        ("--games 3", "games come in pairs"),
        ("--games 0", "0 pairs of games"),
        ("--games 2 --jobs 0", "0 is not in 1..=1024"),
        ("--games 2 --jobs 99999999", "is not in 1..=1024"),
        ("--games 2 --memory 0", "0 is not in 1..="),
        ("--games 2 --memory 17592186044416", "is not in 1..="),
        ("--games 2 --memory 100", "have no memory of their own to limit"),
        ("--games 2 --strict", "judges bytes that bots write"),
        ("--games 2 --opening-plies 61", "would be over by then"),
        ("--games 2 --opening-plies 18446744073709551615", "would be over by then"),
        ("--sprt=-1e300,1e300", "must be from -2000 to 2000"),
        ("--sprt=0,nan", "must be below"),
        ("--gmaes 2", "--games"),
        ("--games 2 --seeed 5", "--seed"),
    ] {
        refused(&format!("{MATCH} {line}"), why);
    }
    for (line, why) in [
        ("tournament reversi --bot random --bot greedy --rounds 0", "0 is not in 1.."),
        (
            "tournament reversi --bot random --bot greedy --bot mcts --rounds 18446744073709551615",
            "a plan has 1 to",
        ),
        ("match reversi --a mcts --b greedy --in-process", "thinks by time"),
        (
            "match reversi --a mcts:playouts=9 --b mcts:share=0.1 --in-process",
            "mcts:share=0.1 thinks by time",
        ),
        ("match reversi --a 'cmd:true' --b greedy --in-process", "cannot play in this process"),
        (
            "match promotion-chess --a random --b greedy --opening-plies 4",
            "has no message for a position after the start",
        ),
        ("match reversi --a greedyy --b random", "did you mean `greedy`?"),
        ("match reversii --a greedy --b random", "did you mean `reversi`?"),
        ("match reversi --a mcts:exploraton=1 --b random", "did you mean `exploration`?"),
        ("play reversi --first mcts:memory=0", "a whole number from 1 to 1048576"),
        ("plan --see 20 --draws 0.99", "with 99 % draws no difference is above 3.5 Elo"),
        ("plan --see 0", "cannot be detected"),
        ("plan --see nan", "cannot be detected"),
        ("plan --see=-1e308", "at most 2000 Elo"),
        (
            "plan reversi --bot random --bot greedy --games 8 --shards 0 --write x",
            "no games or no shards",
        ),
    ] {
        refused(line, why);
    }
}

#[test]
fn a_range_wider_than_the_bot_takes_is_refused_before_the_first_game() {
    for (bot, range, why) in [
        ("mcts:playouts=9", "exploration=0.1..100.0", "`100.0` is not a number from 0 to 10"),
        ("mcts:playouts=9", "exploration=-1.0..1.0", "`-1.000` is not a number from 0 to 10"),
        ("mcts:share=0.01", "exploration=0.1..100.0", "`100.0` is not a number from 0 to 10"),
        ("mcts:playouts=9", "exploraton=0.1..1.0", "there is no parameter `exploraton`"),
        ("mcts:playouts=9", "exploration=0...5", "more than two dots"),
        ("cmd:sh -c 'test $2 -lt 5 && cat' bot", "lanes=1..9", "the ranges hold lanes=5"),
    ] {
        let line = format!("tune reversi --games 4 --bot \"{bot}\" --param={range}");
        refused(&line, why);
    }
    let tune = "tune reversi --bot mcts:playouts=9 --param exploration=0.1..1.0";
    refused(&format!("{tune} --games 4 --fresh 3"), "games come in pairs");
    refused(&format!("{tune} --games 4 --fresh 18446744073709551614"), "games are more than");
    refused(&format!("{tune} --games 18446744073709551614"), "games are more than");
    refused(&format!("{tune} --games 0"), "at least two games");
    refused(&format!("{tune} --games 4 --plot /no/such/directory/x.svg"), "cannot write");
}

/// A manifest of two shards, edited: what to replace, and the reason for which it is then refused.
#[test]
fn an_edited_manifest_is_refused() {
    let directory = directory();
    let path = |name: &str| directory.join(name).to_str().expect("a plain path").to_owned();
    let (plan, edited, out) = (path("plan.json"), path("edited.json"), path("out"));
    let written = format!(
        "plan reversi --bot mcts:playouts=9 --bot greedy --games 8 --shards 2 --in-process --write {plan}"
    );
    let words: Vec<&str> = written.split(' ').collect();
    assert_eq!(arena(&words).status.code(), Some(0));
    let manifest = fs::read_to_string(&plan).expect("it was written");
    for (from, to, why) in [
        ("mcts:playouts=9", "mcts:playout=9", "there is no parameter `playout`"),
        ("mcts:playouts=9", "mcts:share=0.5", "thinks by time"),
        ("mcts:playouts=9", "cmd:'", "is not closed"),
        ("\"greedy\"", "\"whist\"", "has no bot `whist`"),
        ("\"options\":[]", "\"options\":[[\"size\",\"9\"]]", "this game has no options"),
        ("\"seats\":2", "\"seats\":0", "reversi has 2 seats, not 0"),
        ("\"seats\":2", "\"seats\":3", "reversi has 2 seats, not 3"),
        ("\"game\":\"reversi\"", "\"game\":\"chess\"", "there is no game \"chess\""),
        ("\"rounds\":4", "\"rounds\":18446744073709551615", "a plan has 1 to"),
        ("\"rounds\":4", "\"rounds\":5", "seeds differ from those of its plan"),
        ("\"opening_plies\":6", "\"opening_plies\":99", "would be over by then"),
        ("\"shards\":2", "\"shards\":18446744073709551615", "pairs cannot be divided into"),
        ("\"shards\":2", "\"shards\":0", "no games or no shards"),
        ("\"memory_mib\":null", "\"memory_mib\":0", "the memory of a bot is"),
        (
            "\"sprt\":null",
            "\"sprt\":{\"elo0\":-1e300,\"elo1\":1e300,\"alpha\":0.05,\"beta\":0.05,\"model\":\"logistic\"}",
            "must be from -2000 to 2000",
        ),
        ("\"seeds\":[", "\"seeds\":[1,", "seeds differ from those of its plan"),
        ("{", "[", "not a manifest"),
    ] {
        assert!(manifest.contains(from), "{from}: {manifest}");
        fs::write(&edited, manifest.replacen(from, to, 1)).expect("the build's own directory");
        refused(&format!("shard --plan {edited} --index 0 --out {out}"), why);
        refused(&format!("merge --plan {edited} {out}"), why);
    }
    // What is only shown may be anything.
    let strange = manifest
        .replace("\"content\":\"", "\"content\":\"a\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}");
    fs::write(&edited, strange).expect("the build's own directory");
    fs::create_dir_all(&out).expect("the build's own directory");
    let shown = arena(&["merge", "--partial", "--plan", &edited, &out]);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
    refused(&format!("shard --plan {plan} --index 7 --out {out}"), "there is no shard 7");
    refused(&format!("{written} --shards 9"), "cannot be used multiple times");
    let many = written.replace("--shards 2", "--shards 18446744073709551615");
    refused(&many, "pairs cannot be divided into");
    refused(&format!("submit --plan {plan} --out {out} --scheduler foo"), "has no scheduler");
    let slurm = format!("submit --plan {plan} --out {out} --engine slurm --dry-run");
    refused(&format!("{slurm} --scheduler foo"), "an option of sbatch");
    let hq = format!("submit --plan {plan} --out {out} --engine hq --dry-run");
    refused(&format!("{hq} --scheduler foo"), "a line of a HyperQueue job file");
}

#[test]
fn a_journal_with_impossible_points_is_named() {
    let out = directory();
    let line = format!("{MATCH} --games 4 --out {}", out.display());
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(arena(&words).status.code(), Some(0));
    let file = out.join("pairs.jsonl");
    let pairs = fs::read_to_string(&file).expect("it was played");
    for (from, to, why) in [
        ("\"points\":1.0", "\"points\":7.0", "a game has one to share"),
        ("\"points\":0.0", "\"points\":-1.0", "a game has one to share"),
        ("\"points\":0.0", "\"points\":1.0", "a game has one to share"),
        ("\"points\":1.0", "\"points\":1e999", "not a pair"),
    ] {
        assert!(pairs.contains(from), "{pairs}");
        fs::write(&file, pairs.replacen(from, to, 1)).expect("it is ours");
        refused(&line, why);
    }
}

#[test]
fn settings_that_were_edited_to_last_for_ever_do_not() {
    let out = directory();
    let line = format!("{MATCH} --games 4 --out {}", out.display());
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(arena(&words).status.code(), Some(0));
    let plan = out.join("plan.json");
    let text_of = fs::read_to_string(&plan).expect("it was written");
    let edited = text_of.replace("\"rounds\":2", "\"rounds\":18446744073709551615");
    fs::write(&plan, &edited).expect("it is ours");
    refused(&line, "a plan has 1 to");
    // As left by a longer match that was interrupted: what is there counts, and no more is played than is asked for.
    fs::write(&plan, text_of.replace("\"rounds\":2", "\"rounds\":1000")).expect("it is ours");
    let shown = arena(&words);
    assert!(text(&shown.stdout).contains("in 2 pairs"), "{}", text(&shown.stdout));

    let out = directory();
    let tune =
        "tune reversi --bot mcts:playouts=9 --param exploration=0.1..1.0 --games 8 --fresh 0";
    let line = format!("{tune} --out {}", out.display());
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(arena(&words).status.code(), Some(0));
    let settings = out.join("tuning.json");
    let text_of = fs::read_to_string(&settings).expect("it was written");
    let edited = text_of.replace("\"pairs\":4", "\"pairs\":18446744073709551615");
    assert_ne!(edited, text_of);
    fs::write(&settings, edited).expect("it is ours");
    assert_eq!(arena(&words).status.code(), Some(0));
}

#[test]
fn a_match_of_which_no_game_counts_has_no_elo() {
    let out = directory();
    let line = format!("{MATCH} --games 2 --out {}", out.display());
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(arena(&words).status.code(), Some(0));
    let file = out.join("pairs.jsonl");
    let pairs = fs::read_to_string(&file).expect("it was played");
    fs::write(&file, pairs.replace("\"contended\":false", "\"contended\":true")).expect("ours");
    let shown = text(&arena(&words).stdout);
    assert!(shown.contains("no Elo: no game counts") && !shown.contains("+0.0"), "{shown}");
}

#[test]
fn a_record_with_an_impossible_seat_is_refused() {
    let directory = directory();
    let file = directory.join("game.json");
    let file = file.to_str().expect("a plain path");
    let play = ["play", "reversi", "--first", "random", "--quiet", "--json", file];
    assert_eq!(arena(&play).status.code(), Some(0));
    let record = fs::read_to_string(file).expect("it was written");
    for seat in ["9223372036854775807", "2", "18446744073709551615"] {
        fs::write(file, record.replacen("\"seat\": 0", &format!("\"seat\": {seat}"), 1))
            .expect("it is ours");
        refused(&format!("replay {file}"), &format!("has seat {seat}; expected a seat below 2"));
    }
}

#[test]
fn files_are_opened_before_anything_is_played() {
    let bot = "cmd:sh -c 'echo started >&2; sleep 60'";
    for line in [
        "play reversi --json /no/such/directory/game.json",
        "play reversi --json /",
        "match reversi --a random --b random --games 2 --out /proc/no",
    ] {
        let line = line.replace("--a random", &format!("--a \"{bot}\""));
        refused(&line, "/");
    }
}

#[test]
fn an_empty_file_of_vectors_passes_nothing() {
    let file = directory().join("reversi_perft.jsonl");
    for content in ["", "\n\n"] {
        fs::write(&file, content).expect("the build's own directory");
        let output = arena(&["check", "reversi", file.to_str().expect("a plain path")]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("has no case"), "{}", text(&output.stderr));
    }
}

#[test]
fn two_bots_that_crash_are_not_called_equal() {
    let crash = "cmd:sh -c 'exit 3'";
    let output =
        arena(&["match", "reversi", "--a", crash, "--b", "cmd:sh -c 'exit 4'", "--games", "4"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("no Elo: every game ended by a fault"), "{shown}");
    assert!(!shown.contains("Elo +0.0") && shown.contains("4 of 4 games ended by a fault"));
    let three = ["--bot", crash, "--bot", crash, "--bot", crash, "--rounds", "1"];
    let output = arena(&[&["tournament", "reversi"], &three[..]].concat());
    let shown = text(&output.stdout);
    assert!(shown.contains("no Elo") && !shown.contains("+0.0"), "{shown}");
    let output = arena(&[&["tournament", "reversi", "--json"], &three[..]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(json["estimates"][0].is_null() && json["ratings"][0].is_null(), "{json}");
}

#[test]
fn a_deviation_that_is_unknown_is_not_divided_by() {
    let line = "match reversi --a mcts:playouts=500 --b random --games 4 --in-process";
    let words: Vec<&str> = line.split(' ').collect();
    let shown = text(&arena(&words).stdout);
    assert!(shown.contains("normalized Elo unknown (all pairs are equal)"), "{shown}");
}

#[test]
fn games_that_repeat_others_are_counted_and_do_not_narrow_the_interval() {
    let line = "match promotion-chess --a greedy:seed=1 --b greedy:seed=2 --games 8 --in-process";
    let words: Vec<&str> = line.split(' ').collect();
    let shown = text(&arena(&words).stdout);
    assert!(shown.contains("only 2 of 8 games are distinct"), "{shown}");
}

#[test]
fn who_stops_reading_is_not_told_of_it() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["perft", "reversi", "--depth", "6"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the arena starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it is ours");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}
