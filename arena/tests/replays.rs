//! Replays of recorded games.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn arena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the arena starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("replay-{name}.json"));
    path.to_str().expect("a plain path").to_owned()
}

/// Plays a game and returns the file of its record.
fn record(name: &str, arguments: &[&str]) -> String {
    let file = file(name);
    let output = arena(&[&["play"], arguments, &["--quiet", "--json", &file]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    file
}

fn replayed(file: &str) -> String {
    let output = arena(&["replay", file]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn replay_error(file: &str) -> String {
    let output = arena(&["replay", file]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    text(&output.stderr)
}

#[test]
fn every_action_is_shown_with_what_its_search_reported() {
    let bots = ["--first", "mcts:playouts=50", "--second", "random"];
    let file = record("reports", &[&["reversi"], &bots[..]].concat());
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(&file).expect("it was written")).expect("JSON");
    let actions = json["actions"].as_array().expect("a list");
    let shown = replayed(&file);
    for (at, action) in actions.iter().enumerate() {
        let action = action.as_str().expect("text");
        let line = shown.lines().find(|line| line.starts_with(&format!("{}. ", at + 1)));
        assert!(line.expect("it is shown").contains(&format!(": {action}   0.")), "{line:?}");
    }
    let searched = shown.lines().filter(|line| line.trim_start().starts_with("value=")).count();
    let first = shown.lines().filter(|line| line.contains(". first ")).count();
    assert_eq!(searched, first, "each search of the first player, and none of the other");
    assert!(shown.contains(json["end"].as_str().expect("text")));
    assert!(shown.contains("verdict: by the rules"));

    let one = arena(&["replay", &file, "--at", "3"]);
    assert!(text(&one.stdout).starts_with("3. first mcts:playouts=50: "));
    assert_eq!(arena(&["replay", &file, "--at", "999"]).status.code(), Some(1));
}

#[test]
fn games_with_options_chance_or_another_start_are_played_again_as_they_were() {
    let mates = "2k1c/5/5/5/C1K2 w 10 3";
    for (name, arguments) in [
        ("ice", &["icebreaking", "--seed", "9", "--first", "random"][..]),
        (
            "maze",
            &["maze", "--seed", "5", "--size", "11", "--chaser", "tracker", "--first", "greedy"],
        ),
        ("chess", &["promotion-chess", "--from", mates, "--first", "random", "--second", "random"]),
    ] {
        let file = record(name, arguments);
        assert!(replayed(&file).contains("result: "), "{name}");
    }
}

#[test]
fn records_that_do_not_hold_together_are_refused_with_the_place() {
    let good = record("good", &["reversi", "--first", "random", "--second", "random"]);
    let good = fs::read_to_string(good).expect("it was written");
    let json: serde_json::Value = serde_json::from_str(&good).expect("JSON");
    let changed = |name: &str, change: &dyn Fn(&mut serde_json::Value)| {
        let mut json = json.clone();
        change(&mut json);
        let file = file(name);
        fs::write(&file, json.to_string()).expect("it can be written");
        replay_error(&file)
    };
    let no_game = changed("no-game", &|json| json["game"] = "go".into());
    assert!(no_game.contains("there is no game \"go\""), "{no_game}");
    let illegal = changed("illegal", &|json| json["actions"][3] = "MOVE a1".into());
    assert!(illegal.contains("action 4, \"MOVE a1\", cannot be played"), "{illegal}");
    let start = changed("start", &|json| json["start"] = "nothing".into());
    assert!(start.contains("cannot be set up: not a position: character 1"), "{start}");
    let end = changed("end", &|json| json["end"] = json["start"].clone());
    assert!(end.contains("the record ends in"), "{end}");
    let more = changed("more", &|json| {
        json["actions"].as_array_mut().expect("a list").push("MOVE a1".into());
    });
    assert!(more.contains("the game is over"), "{more}");
    let file = file("half");
    fs::write(&file, &good[..good.len() / 2]).expect("it can be written");
    assert!(replay_error(&file).contains("not a record of a game"));
    assert!(replay_error("no such file").contains("cannot read no such file"));
}

#[test]
fn a_game_of_a_match_is_found_by_its_pair_and_its_number() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replay-match");
    let _ = fs::remove_dir_all(&directory);
    let directory = directory.to_str().expect("a plain path");
    let bots = ["--a", "mcts:playouts=20", "--b", "random", "--in-process", "--games", "4"];
    let played = arena(&[&["match", "reversi", "--out", directory], &bots[..]].concat());
    assert!(played.status.success(), "{}", text(&played.stderr));
    let replay = |arguments: &[&str]| arena(&[&["replay", directory], arguments].concat());

    let listed = replay(&[]);
    assert!(listed.status.success() && text(&listed.stdout).contains("--pair 1 --game 2: B A"));
    let first = text(&replay(&["--pair", "1"]).stdout);
    assert!(first.contains("\n1. first mcts:playouts=20") && first.contains("verdict:"), "{first}");
    let second = text(&replay(&["--pair", "1", "--game", "2"]).stdout);
    assert!(second.contains("\n1. first random"), "{second}");
    for (arguments, reason) in [
        (&["--pair", "9"][..], "there is no pair 9"),
        (&["--pair", "1", "--game", "3"], "pair 1 has games 1 to 2"),
        (&["--pair", "1", "--game", "0"], "pair 1 has games 1 to 2"),
    ] {
        let refused = replay(arguments);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        assert!(text(&refused.stderr).contains(reason), "{}", text(&refused.stderr));
    }
}
