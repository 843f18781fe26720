//! Matches and tournaments: the same command gives the same result, after any interruption.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

fn arena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).output().expect("the arena starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the arena writes UTF-8")
}

/// A directory that does not exist yet.
fn directory() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("contest-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path.to_str().expect("a plain path").to_owned()
}

const FAST: &[&str] =
    &["match", "reversi", "--a", "mcts:playouts=60", "--b", "greedy", "--in-process"];

/// The output of a command, without the table of times.
fn results(arguments: &[&[&str]]) -> String {
    let output = arena(&arguments.concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    shown.split(" bot        wall s").next().unwrap_or_default().to_owned()
}

fn pairs_in(directory: &str) -> Vec<String> {
    let file = fs::read_to_string(Path::new(directory).join("pairs.jsonl")).expect("it was played");
    file.lines().map(str::to_owned).collect()
}

#[test]
fn equal_seeds_give_equal_matches_however_many_games_are_played_at_once() {
    let one = results(&[FAST, &["--games", "20", "--jobs", "1", "--seed", "4"]]);
    assert_eq!(results(&[FAST, &["--games", "20", "--jobs", "3", "--seed", "4"]]), one);
    assert_ne!(results(&[FAST, &["--games", "20", "--jobs", "1", "--seed", "5"]]), one);
}

#[test]
fn processes_and_bots_in_this_process_play_the_same_games() {
    let bots = &["match", "reversi", "--a", "mcts:playouts=30", "--b", "random", "--games", "6"];
    let score = |arguments: &[&[&str]]| {
        let shown = results(arguments);
        shown.lines().filter(|line| line.contains('%')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(score(&[bots]), score(&[bots, &["--in-process"]]));
}

#[test]
fn the_two_games_of_a_pair_begin_alike_and_pairs_differ() {
    let out = directory();
    results(&[FAST, &["--games", "8", "--out", &out]]);
    let mut starts = Vec::new();
    for line in pairs_in(&out) {
        let pair: arena::contest::PairRecord = serde_json::from_str(&line).expect("a pair");
        assert_eq!(pair.games[0].record.start, pair.games[1].record.start);
        assert_eq!((&pair.games[0].bots[..], &pair.games[1].bots[..]), (&[0, 1][..], &[1, 0][..]));
        starts.push(pair.games[0].record.start.clone());
    }
    starts.sort();
    starts.dedup();
    assert!(starts.len() > 1);
}

#[test]
fn what_is_there_is_not_played_again_and_half_a_line_is_dropped() {
    let out = directory();
    let command = [FAST, &["--games", "20", "--jobs", "1", "--out", &out]];
    let whole = results(&command);
    let pairs = pairs_in(&out);
    assert_eq!(pairs.len(), 10);
    // As after a crash while the seventh pair was written.
    let kept = pairs[..6].join("\n") + "\n" + &pairs[6][..pairs[6].len() / 2];
    fs::write(Path::new(&out).join("pairs.jsonl"), kept).expect("it is ours");
    assert_eq!(results(&command), whole);
    let again = pairs_in(&out);
    assert_eq!((again.len(), &again[..6]), (10, &pairs[..6]));
}

#[test]
fn a_match_that_is_killed_goes_on_where_it_was() {
    let slow = &["match", "reversi", "--a", "mcts:playouts=300", "--b", "random", "--games", "12"];
    let out = directory();
    let command = [&slow[..], &["--jobs", "1", "--out", &out]].concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(&command)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the arena starts");
    let file = Path::new(&out).join("pairs.jsonl");
    while fs::read_to_string(&file).unwrap_or_default().lines().count() < 2 {
        std::thread::yield_now();
        assert!(child.try_wait().expect("it is ours").is_none_or(|status| status.success()));
    }
    child.kill().expect("it is ours");
    child.wait().expect("it is ours");
    let before = fs::read_to_string(&file).expect("it was played");
    let whole = results(&[&command]);
    let after = fs::read_to_string(&file).expect("it was played");
    let safe = before.rfind('\n').map_or(0, |at| at + 1);
    assert_eq!(after[..safe], before[..safe]);
    assert_eq!(whole, results(&[slow, &["--in-process"]]).replace_plan(&whole));
}

trait ReplacePlan {
    fn replace_plan(&self, other: &str) -> String;
}

impl ReplacePlan for String {
    /// The text with the first line, which names the plan, of another.
    fn replace_plan(&self, other: &str) -> String {
        let first = other.lines().next().unwrap_or_default();
        let rest = self.split_once('\n').map_or("", |(_, rest)| rest);
        format!("{first}\n{rest}")
    }
}

#[test]
fn another_command_on_the_same_directory_is_refused_with_the_difference() {
    let out = directory();
    results(&[FAST, &["--games", "4", "--out", &out]]);
    let output = arena(
        &[FAST, &["--games", "4", "--seed", "9", "--opening-plies", "4", "--out", &out]].concat(),
    );
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(
        shown.contains("seed: 0 there, 9 here") && shown.contains("opening_plies: 6 there, 4 here"),
        "{shown}"
    );
    let bot = directory();
    fs::create_dir_all(&bot).expect("the build's own directory");
    let script = Path::new(&bot).join("bot.sh");
    fs::write(&script, "exit 1").expect("the build's own directory");
    let name = format!("cmd:sh {}", script.display());
    let command =
        ["match", "reversi", "--a", &name, "--b", "random", "--games", "2", "--out", &bot];
    assert_eq!(arena(&command).status.code(), Some(0));
    fs::write(&script, "exit 2").expect("the build's own directory");
    let output = arena(&command);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("bots[0].content: "), "{}", text(&output.stderr));
}

#[test]
fn a_line_that_is_no_pair_is_named_and_nothing_is_lost() {
    let out = directory();
    results(&[FAST, &["--games", "4", "--out", &out]]);
    let file = Path::new(&out).join("pairs.jsonl");
    let content = fs::read_to_string(&file).expect("it was played");
    fs::write(&file, content.replacen("\"seed\"", "\"sead\"", 1)).expect("it is ours");
    let output = arena(&[FAST, &["--games", "4", "--out", &out]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("pairs.jsonl:1: not a pair"), "{}", text(&output.stderr));
    assert!(fs::read_to_string(&file).expect("it is ours").contains("sead"));
}

#[test]
fn a_pair_that_is_there_twice_is_named() {
    let out = directory();
    results(&[FAST, &["--games", "4", "--out", &out]]);
    let pairs = pairs_in(&out);
    let doubled = [&pairs[..], &pairs[..1]].concat().join("\n") + "\n";
    fs::write(Path::new(&out).join("pairs.jsonl"), doubled).expect("it is ours");
    let output = arena(&[FAST, &["--games", "4", "--out", &out]].concat());
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(shown.contains("pairs.jsonl:3: a pair that is already stored"), "{shown}");
}

#[test]
fn two_arenas_do_not_write_to_one_directory() {
    let out = directory();
    let command = [FAST, &["--games", "4", "--out", &out]];
    let whole = results(&command);
    let mut plan = arena::contest::read_plan(&Path::new(&out).join("plan.json")).expect("a plan");
    let first = arena::contest::Journal::open(Path::new(&out), &mut plan, drop)
        .expect("no other process locks it");
    let output = arena(&command.concat());
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(shown.contains("pairs.jsonl: another arena is writing it"), "{shown}");
    drop(first);
    assert_eq!(results(&command), whole);
}

#[test]
fn a_directory_belongs_to_whoever_has_its_lock() {
    let out = directory();
    let command = [FAST, &["--games", "4", "--out", &out]];
    results(&command);
    let plan_file = Path::new(&out).join("plan.json");
    let mut plan = arena::contest::read_plan(&plan_file).expect("a plan");
    let owner =
        arena::contest::Journal::open(Path::new(&out), &mut plan, drop).expect("it is free");
    // The state between lock and plan, as another process sees it.
    fs::remove_file(&plan_file).expect("it is ours");
    let output = arena(&[FAST, &["--games", "8", "--seed", "5", "--out", &out]].concat());
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(shown.contains("pairs.jsonl: another arena is writing it"), "{shown}");
    assert!(!plan_file.exists(), "only the owner of the lock writes the plan");
    drop(owner);
}

#[test]
fn alone_in_the_maze_both_bots_meet_the_same_seeds_and_differ_by_points() {
    let out = directory();
    let bots = ["match", "maze", "--a", "greedy", "--b", "random", "--in-process"];
    let shown = results(&[&bots, &["--games", "4", "--out", &out]]);
    assert!(shown.contains(" in 2 pairs (fewer, as many, more points: "), "{shown}");
    let mut sum = 0.0;
    for line in pairs_in(&out) {
        let pair: arena::contest::PairRecord = serde_json::from_str(&line).expect("a pair");
        let [one, other] = &pair.games[..] else { panic!("a game for each bot: {line}") };
        assert_eq!((&one.bots[..], &other.bots[..]), (&[0][..], &[1][..]));
        assert_eq!((one.record.seed, &one.record.start), (pair.seed, &other.record.start));
        sum += one.record.seats[0].points - other.record.seats[0].points;
    }
    assert!(shown.contains(&format!("points A - B: {:+.3} +- ", sum / 2.0)), "{shown}");
}

#[test]
fn a_test_stops_early_at_the_same_pair_for_any_number_of_jobs_and_sets_the_exit_status() {
    let test = &["--sprt", "0,200", "--games", "400", "--json"];
    let rounds = |jobs: &str| {
        let output = arena(&[FAST, test, &["--jobs", jobs]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(summary["test"]["accepted"], "H1", "{summary}");
        summary["standing"]["rounds"].as_u64().expect("a number")
    };
    let one = rounds("1");
    assert!(one < 100, "{one}");
    assert_eq!(rounds("4"), one);
    let weak =
        ["match", "reversi", "--a", "random", "--b", "greedy", "--in-process", "--require-pass"];
    assert_eq!(arena(&[&weak[..], test].concat()).status.code(), Some(3));
    assert_eq!(arena(&[&weak[..7], test].concat()).status.code(), Some(0));
}

#[test]
fn faults_are_counted_by_kind_and_do_not_change_the_exit_status() {
    let crashes = "cmd:sh -c 'read a; echo OK; exit 4'";
    let command = ["match", "reversi", "--a", crashes, "--b", "random", "--games", "4"];
    let shown = results(&[&command]);
    assert!(shown.contains("A against B: 0.00 %"), "{shown}");
    assert!(shown.contains("faults of A: crash 4"), "{shown}");
}

#[test]
fn a_tournament_rates_everybody() {
    let bots = ["--bot", "greedy", "--bot", "random", "--bot", "mcts:playouts=60"];
    let command = [&["tournament", "reversi", "--in-process", "--rounds", "6"], &bots[..]].concat();
    let shown = results(&[&command]);
    let ratings: Vec<&str> = shown.lines().skip(5).take(3).map(|line| line.trim_start()).collect();
    assert!(ratings[0].starts_with("C ") && ratings[2].starts_with("B "), "{shown}");
    let gauntlet = results(&[&command, &["--form", "gauntlet", "--json"]]);
    let summary: serde_json::Value = serde_json::from_str(&gauntlet).expect("JSON");
    assert_eq!(summary["standing"]["pairings"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_gauntlet_tells_what_each_bot_is_worth_against_the_first() {
    let bots = ["--bot", "greedy", "--bot", "random", "--bot", "mcts:playouts=60"];
    let rest = ["--form", "gauntlet", "--in-process", "--rounds", "6"];
    let shown = results(&[&["tournament", "reversi"], &rest, &bots]);
    let rows: Vec<Vec<&str>> = shown
        .lines()
        .skip_while(|line| !line.contains("against A"))
        .skip(1)
        .take(2)
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!([rows[0][0], rows[1][0]], ["C", "B"], "{shown}");
    assert_eq!([rows[0][3], rows[1][3]], ["6", "6"], "{shown}");
    let elo = |row: usize| rows[row][4].parse::<f64>().unwrap_or(f64::INFINITY);
    assert!(elo(0) > 0.0 && elo(1) < 0.0, "{shown}");
}

#[test]
fn what_cannot_be_a_match_is_refused_with_a_reason() {
    for (arguments, why) in [
        (&["--games", "3"][..], "games come in pairs"),
        (&["--games", "2", "--b", "cmd:true"][..], "it cannot play in this process"),
        (&["--games", "2", "--size", "9"][..], "this game has no options"),
    ] {
        let arguments = if arguments.contains(&"--b") {
            [&["match", "reversi", "--a", "random", "--in-process"], arguments].concat()
        } else {
            [FAST, arguments].concat()
        };
        let output = arena(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    }
}
