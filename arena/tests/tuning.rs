//! Tuning finds the optimum, reports a correct interval, and can be interrupted without loss.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use arena::tune::{Duel, Method, Played, Session, SessionError, Settings, Side, Space, logistic};
use mcts_core::rng;

/// Logits by which a synthetic bot is weaker than at its optimum; steeper below it than above.
fn skewed(value: f64, optimum: f64) -> f64 {
    let ratio = value / optimum;
    3.0 * (ratio - 1.0 - ratio.ln())
}

fn settings(method: Method, seed: u64, pairs: u64, parameters: &[&str]) -> Settings {
    let space = Space(parameters.iter().map(|text| text.parse().expect("a range")).collect());
    Settings { space, method, seed, pairs, planned_pairs: pairs }
}

/// Values of the parameters on one side; those of the default are given.
fn values(space: &Space, side: &Side, default: &[f64]) -> Vec<f64> {
    match side {
        Side::Default => default.to_vec(),
        Side::Point(point) => {
            let places = point.places();
            space.0.iter().zip(places).map(|(parameter, place)| parameter.value(place)).collect()
        }
    }
}

/// A pair of games of synthetic bots, decided by chance and by the weakness of each side, in
/// logits.
fn play_pair(
    settings: &Settings,
    index: u64,
    duel: &Duel,
    short_of: impl Fn(&Side) -> f64,
) -> Played {
    let mut rng = rng::stream(settings.seed, index);
    let score = logistic(short_of(&duel.b) - short_of(&duel.a));
    let wins = (0..2).filter(|_| f64::from(rng::unit(&mut rng)) < score).count();
    Played { index, duel: duel.clone(), score: Some(wins as f64 / 2.0), faults: 0 }
}

/// Plays a whole tuning of a synthetic bot whose default values are given.
fn tune<'a>(
    settings: &'a Settings,
    default: &[f64],
    short_of: impl Fn(&[f64]) -> f64 + Sync,
) -> Session<'a> {
    let play = |_: usize, index: u64, duel: &Duel| -> Result<Played, String> {
        let of = |side: &Side| short_of(&values(&settings.space, side, default));
        Ok(play_pair(settings, index, duel, of))
    };
    let mut session = Session::new(settings, Vec::new());
    while !session.is_done() {
        let stop = AtomicBool::new(false);
        assert!(session.next_batch(2, &stop, &play, &mut |_| Ok(())).expect("it is played"));
    }
    session
}

fn nine_of_ten_seeds_come_within_five_percent(method: Method) {
    let find = |seed| {
        let settings = settings(method, seed, 6_000, &["exploration=0.1..3.0"]);
        let best = tune(&settings, &[0.3], |values| skewed(values[0], 0.8)).best();
        settings.space.0[0].value(best[0])
    };
    let found: Vec<f64> = (0..10).map(find).collect();
    let near = found.iter().filter(|value| (**value / 0.8 - 1.0).abs() <= 0.05).count();
    assert!(near >= 9, "{found:.3?}");
}

#[test]
fn the_model_finds_the_optimum_of_a_synthetic_bot_within_five_percent() {
    nine_of_ten_seeds_come_within_five_percent(Method::Model);
}

#[test]
fn spsa_finds_the_optimum_of_a_synthetic_bot_within_five_percent() {
    nine_of_ten_seeds_come_within_five_percent(Method::Spsa);
}

#[test]
fn ninety_five_percent_intervals_hold_the_optimum_at_least_as_often() {
    // fewer than 33 of 40 occur once in 3,000 times if each interval contains it with a probability
    // of 0.95
    for method in [Method::Model, Method::Spsa] {
        let holds = |seed: &u64| {
            let settings = settings(method, *seed, 400, &["exploration=0.1..3.0"]);
            let session = tune(&settings, &[0.3], |values| skewed(values[0], 0.8));
            let [low, high] = session.best_intervals(&mut rng::stream(*seed, 1))[0];
            let optimum = settings.space.0[0].place(0.8);
            low <= optimum && optimum <= high
        };
        let held = (100..140).filter(holds).count();
        assert!(held >= 33, "{method:?}: {held} of 40");
    }
}

#[test]
fn two_parameters_are_found_together_and_the_default_is_measured() {
    for method in [Method::Model, Method::Spsa] {
        let ranges = ["exploration=0.1..3.0", "bias=-1.0..1.0"];
        let settings = settings(method, 3, 6_000, &ranges);
        let short_of = |values: &[f64]| skewed(values[0], 0.5) + 2.0 * (values[1] - 0.4).powi(2);
        let session = tune(&settings, &[1.5, 0.0], short_of);
        let best = session.best();
        let value = |axis: usize| settings.space.0[axis].value(best[axis]);
        assert!((value(0) / 0.5 - 1.0).abs() < 0.15, "{method:?}: {}", value(0));
        assert!((value(1) - 0.4).abs() < 0.15, "{method:?}: {}", value(1));
        let gained = session.model().against_default(&best);
        let truth = short_of(&[1.5, 0.0]);
        let [low, high] = gained.interval;
        assert!(low - 0.3 < truth && truth < high + 0.3, "{method:?}: {truth} in {gained:?}");
    }
}

#[test]
fn whole_numbers_and_optima_at_the_end_of_a_range_are_found() {
    let settings = settings(Method::Model, 5, 1_500, &["lanes=1..8"]);
    let session = tune(&settings, &[4.0], |values| 0.3 * (8.0 - values[0]));
    let point = settings.space.point(&session.best());
    assert_eq!(settings.space.text(&point), "lanes=8");
}

#[test]
fn a_bot_that_does_not_care_gets_an_interval_as_wide_as_the_range() {
    let settings = settings(Method::Model, 2, 1_000, &["exploration=0.1..3.0"]);
    let session = tune(&settings, &[0.7], |_| 0.0);
    let [low, high] = session.best_intervals(&mut rng::stream(2, 1))[0];
    assert!(high - low > 0.6, "{low} to {high}");
}

#[test]
fn a_session_goes_on_with_whatever_was_kept_however_many_play_at_once() {
    for method in [Method::Model, Method::Spsa] {
        let settings = settings(method, 7, 200, &["exploration=0.1..3.0"]);
        let short_of = |values: &[f64]| skewed(values[0], 0.8);
        let whole = tune(&settings, &[0.3], short_of);
        // every third duel was lost, and all after the 120th
        let mut kept: Vec<Played> = whole.played()[..120].to_vec();
        kept.retain(|played| played.index % 3 != 1);
        kept.reverse();
        let before = kept.len();
        let again = Mutex::new(0);
        let play = |_: usize, index: u64, duel: &Duel| -> Result<Played, String> {
            *again.lock().expect("no thread panics") += 1;
            let of = |side: &Side| short_of(&values(&settings.space, side, &[0.3]));
            Ok(play_pair(&settings, index, duel, of))
        };
        let mut session = Session::new(&settings, kept);
        let stop = AtomicBool::new(false);
        while !session.is_done() {
            session.next_batch(5, &stop, &play, &mut |_| Ok(())).expect("it is played");
        }
        assert_eq!(session.played(), whole.played());
        assert_eq!(*again.lock().expect("no thread panics"), whole.played().len() - before);
    }
}

#[test]
fn a_duel_of_another_tuning_is_refused() {
    let one = settings(Method::Model, 7, 40, &["exploration=0.1..3.0"]);
    let kept = tune(&one, &[0.3], |_| 0.0).played().to_vec();
    let other = settings(Method::Model, 8, 40, &["exploration=0.1..3.0"]);
    let mut session = Session::new(&other, kept);
    let play = |_: usize, _: u64, _: &Duel| -> Result<Played, String> { Err("none".to_owned()) };
    let result = session.next_batch(1, &AtomicBool::new(false), &play, &mut |_| Ok(()));
    assert!(matches!(result, Err(SessionError::OtherDuel { index: 0 })));
}

// --- the command ---

fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tuning").join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

/// A small tuning of the Reversi bot.
fn reversi(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let small = ["--bot", "mcts:playouts=30", "--param", "exploration=0.1..3.0"];
    let short = ["--games", "64", "--fresh", "20", "--seed", "3"];
    command.args(["tune", "reversi"]).args(small).args(short).arg("--out").arg(directory);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn shown(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    // the last line names the directory
    let shown = text(&output.stdout);
    shown.lines().filter(|line| !line.starts_with("response curve")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_tuning_that_is_killed_goes_on_and_ends_as_if_nothing_had_happened() {
    let (whole, killed) = (directory("whole"), directory("killed"));
    let expected = shown(&reversi(&whole).output().expect("the arena starts"));
    assert!(expected.starts_with("best: exploration="), "{expected}");
    assert!(expected.contains("10 fresh pairs"), "{expected}");

    let mut process = reversi(&killed)
        .args(["--jobs", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the arena starts");
    let duels = killed.join("duels.jsonl");
    while fs::read_to_string(&duels).unwrap_or_default().lines().count() < 5 {
        assert!(process.try_wait().expect("it is ours").is_none(), "it is still at work");
        std::thread::yield_now();
    }
    process.kill().expect("it is ours");
    process.wait().expect("it is ours");
    let mut left = fs::read_to_string(&duels).expect("it was begun");
    left += "{\"index\":";
    fs::write(&duels, left).expect("half a line");

    assert_eq!(shown(&reversi(&killed).output().expect("the arena starts")), expected);
    let svg = fs::read_to_string(killed.join("response.svg")).expect("the curve is drawn");
    assert!(svg.contains("<svg") && svg.contains("exploration") && svg.contains("polygon"));
    let result = fs::read_to_string(killed.join("result.json")).expect("the result is kept");
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    assert_eq!((&result["pairs"], &result["fresh"]["pairs"]), (&32.into(), &10.into()));

    let other = reversi(&killed).args(["--opening-plies", "2"]).output().expect("it starts");
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other.stderr).contains("plan.opening_plies: 6 there, 2 here"));
}

#[test]
fn programs_get_their_parameters_as_options() {
    let arena = env!("CARGO_BIN_EXE_arena");
    let dir = directory("program");
    // plays at random, and exits with an error without an option --lanes from 1 to 3
    let script = format!(
        "cmd:sh -c 'case $2 in [123]) exec {arena} bot reversi random:seed=$4;; esac' x --lanes 2 --seed {{seed}}"
    );
    let output = Command::new(arena)
        .args(["tune", "reversi", "--param", "lanes=1..3", "--bot", &script])
        .args(["--games", "32", "--fresh", "4", "--json", "--out"])
        .arg(&dir)
        .output()
        .expect("the arena starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(result["faults"], 0);
}

#[test]
fn what_cannot_be_tuned_is_refused_with_the_reason() {
    let refused = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_arena"))
            .args(["tune", "reversi", "--games", "20"])
            .args(arguments)
            .output()
            .expect("the arena starts");
        assert!(!output.status.success());
        text(&output.stderr)
    };
    assert!(refused(&["--param", "speed=1..2"]).contains("there is no parameter `speed`"));
    assert!(refused(&["--param", "exploration=2..1"]).contains("must be below the high one"));
    let twice = ["--param", "exploration=0.1..1.0", "--param", "exploration=0.1..2.0"];
    assert!(refused(&twice).contains("given twice"));
}

#[test]
#[ignore = "slow: 1,200 games of Reversi; run with `cargo test -p arena --release --test tuning -- --ignored`"]
fn on_reversi_an_exploration_constant_is_found_that_beats_a_bad_one() {
    for method in ["model", "spsa"] {
        let output = Command::new(env!("CARGO_BIN_EXE_arena"))
            .args(["tune", "reversi", "--bot", "mcts:playouts=500,exploration=5.0", "--json"])
            .args(["--param", "exploration=0.1..3.0", "--games", "400", "--fresh", "200"])
            .args(["--method", method])
            .output()
            .expect("the arena starts");
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        eprintln!("{method}: {result:#}");
        let lowest = result["fresh"]["elo_interval"][0].as_f64().expect("finite");
        assert!(lowest > 0.0, "{result:#}");
    }
}
