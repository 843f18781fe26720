//! What a person does at the desk: look things up, play, look at lost games, study a position, ask for more games.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

fn arena(line: &str) -> Output {
    let words = shlex::split(line).expect("a command line");
    Command::new(env!("CARGO_BIN_EXE_arena")).args(words).output().expect("the arena starts")
}

fn shown(line: &str) -> String {
    let output = arena(line);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{line}: {errors}");
    String::from_utf8(output.stdout).expect("the arena writes UTF-8")
}

/// A directory that does not exist yet.
fn directory() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("desk-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path.to_str().expect("a plain path").to_owned()
}

#[test]
fn games_bots_and_parameters_are_listed_with_defaults_and_ranges() {
    let all = shown("list");
    for game in ["reversi: ", "icebreaking: ", "promotion-chess: ", "maze: ", "connect-four: "] {
        assert!(all.contains(game), "{all}");
    }
    let maze = shown("list maze");
    assert!(maze.contains("seats: 1; options: chaser, footsteps, footsteps-reversed, size"));
    let reversi = shown("list reversi");
    let exploration = reversi.lines().find(|line| line.contains("exploration")).expect("listed");
    assert!(exploration.contains("= 0.4") && exploration.contains("a number from 0 to 10"));
    assert!(reversi.contains("memory") && reversi.contains("a whole number from 1 to 1048576"));
    assert_eq!(arena("list reversy").status.code(), Some(1));
}

/// The output of a match except its first lines, which name the command.
fn counts(text: &str) -> Vec<String> {
    text.lines().filter(|line| line.contains('%')).map(str::to_owned).collect()
}

#[test]
fn a_finished_match_goes_on_when_more_games_are_asked_for() {
    let out = directory();
    let command = "match reversi --a mcts:playouts=40 --b greedy --in-process";
    let six = shown(&format!("{command} --games 6 --out {out}"));
    let pairs = fs::read_to_string(Path::new(&out).join("pairs.jsonl")).expect("it was played");
    let twelve = shown(&format!("{command} --games 12 --out {out}"));
    let more = fs::read_to_string(Path::new(&out).join("pairs.jsonl")).expect("it was played");
    assert!(more.starts_with(&pairs) && more.lines().count() == 6);
    assert_eq!(counts(&twelve), counts(&shown(&format!("{command} --games 12"))));
    assert_eq!(counts(&six), counts(&shown(&format!("{command} --games 6"))));
    // Fewer games than are there: all of them count, and the message says so.
    let fewer = arena(&format!("{command} --games 6 --out {out}"));
    assert_eq!(String::from_utf8_lossy(&fewer.stdout), twelve);
    assert!(
        String::from_utf8_lossy(&fewer.stderr).contains("holds 6 pairs, 3 of them beyond the 3")
    );
}

#[test]
fn a_finished_search_goes_on_when_more_games_are_asked_for() {
    for method in ["model", "spsa"] {
        let out = directory();
        let command = format!(
            "tune reversi --bot mcts:playouts=20 --param exploration=0.1..3.0 --method {method} --fresh 4 --out {out}"
        );
        shown(&format!("{command} --games 40"));
        let duels = fs::read_to_string(Path::new(&out).join("duels.jsonl")).expect("it was played");
        shown(&format!("{command} --games 80"));
        let more = fs::read_to_string(Path::new(&out).join("duels.jsonl")).expect("it was played");
        assert!(more.starts_with(&duels), "{method}");
        assert_eq!((duels.lines().count(), more.lines().count()), (20, 40), "{method}");
    }
}

#[test]
fn games_of_a_match_are_listed_and_replayed_with_times_and_candidates() {
    let out = directory();
    let bots = "match reversi --a mcts:playouts=60 --b greedy --games 4";
    shown(&format!("{bots} --out {out}"));
    let list = shown(&format!("replay {out}"));
    assert!(list.contains("--pair 1 --game 2: B A  "), "{list}");
    let game = shown(&format!("replay {out} --pair 1 --game 2 --at 2"));
    assert!(game.contains(" s\n"), "the time is shown: {game}");
    assert!(game.contains("playouts=60") && game.contains(" visits "), "{game}");
    let game = shown(&format!("replay {out} --pair 1 --game 1"));
    assert!(game.contains("result: "), "{game}");

    let without = directory();
    shown(&format!("{bots} --no-messages --out {without}"));
    let size = |directory: &str| {
        fs::metadata(Path::new(directory).join("pairs.jsonl")).expect("it was played").len()
    };
    assert!(size(&without) < size(&out));
    let game = shown(&format!("replay {without} --pair 1 --game 2 --at 2"));
    assert!(!game.contains("stopped_by="), "{game}");
}

#[test]
fn a_position_is_studied_from_text_from_a_record_and_from_a_match() {
    let text = shown("analyse reversi --playouts 3000");
    assert!(text.contains(" playouts\n") && text.matches(" visits ").count() == 4, "{text}");
    let chess = shown("analyse promotion-chess --playouts 200");
    assert!(chess.matches(" visits ").count() == 5, "{chess}");
    let maze = shown("analyse maze --playouts 300");
    assert!(maze.contains(" playouts\n"), "{maze}");
    let random = shown("analyse reversi --bot random --playouts 5");
    assert!(random.contains("(this bot does not search)"), "{random}");
    let out = directory();
    shown(&format!("match promotion-chess --a random --b greedy --games 2 --out {out}"));
    let studied = format!("analyse promotion-chess --game {out} --pair 0 --at 5 --playouts 200");
    assert!(shown(&studied).contains(" visits "));
    let over = arena(&format!("analyse promotion-chess --game {out} --pair 0 --at 500"));
    assert_eq!(over.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&over.stderr).contains("actions, not 500"));
}

/// Plays with these lines as the keyboard.
fn with_keys(line: &str, keys: &str) -> (Option<i32>, String) {
    let words = shlex::split(line).expect("a command line");
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the arena starts");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(keys.as_bytes()).expect("it reads all or has left");
    drop(input);
    let output = child.wait_with_output().expect("it is ours");
    (output.status.code(), String::from_utf8(output.stdout).expect("the arena writes UTF-8"))
}

#[test]
fn a_person_plays_a_whole_game_and_its_record_is_replayed() {
    let out = directory();
    fs::create_dir_all(&out).expect("the build's own directory");
    let file = Path::new(&out).join("game.json");
    let file = file.to_str().expect("a plain path");
    let keys: String = (1..=9).map(|cell| format!("{cell}\n")).collect();
    let line = format!("play tic-tac-toe --seat human --seat human --json {file}");
    let (status, text) = with_keys(&line, &keys);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("result: 1 - 0 (the first player wins)"), "{text}");
    assert!(shown(&format!("replay {file}")).contains("7. first human: MOVE 7"));
}

#[test]
fn a_person_takes_an_action_back_against_a_bot_that_cannot_be_told_the_position() {
    let keys = "?\nh\nPLACE a1\nu\nq\n";
    let line = "play promotion-chess --seat human --seat mcts:playouts=20";
    let (status, text) = with_keys(line, keys);
    assert_eq!(status, Some(130), "{text}");
    assert!(text.contains("legal: ") && text.contains(" visits "), "{text}");
    assert!(!text.contains("nothing was undone"), "{text}");
}
