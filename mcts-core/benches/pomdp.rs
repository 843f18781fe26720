//! Measures discounted returns of POMCP on the standard problems, with a time per move as in the
//! literature.
//!
//! `cargo bench -p mcts-core --bench pomdp -- rock_sample_7_8 runs=200 cpu_ms=100 record=target/pomdp`
//!
//! Problems: `rock_sample_7_8`, `rock_sample_11_11`, `tag`, `tiger`. Each run is a line of a file
//! in the record directory; recorded runs are not repeated, so the bench can be stopped and
//! resumed.
#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]
#![allow(clippy::expect_used, reason = "a bench may panic")]

use mcts_core::belief::{Belief, FromView, Update};
use mcts_core::search::Exploration;
use mcts_core::testing::{RockPlanner, RockSample, Tag, TagPlanner, Tiger, TigerAction, TigerDoor};
use mcts_core::{Budget, Knowledge, Model, Pomcp, Search, SearchRng, rng};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A run of this many steps counts as endless.
const LONGEST_RUN: u32 = 90;

struct Options {
    problem: String,
    runs: u64,
    cpu: Duration,
    record: PathBuf,
}

/// The result of one run.
#[derive(Debug, Default, Clone, Copy)]
struct Run {
    discounted: f64,
    steps: u32,
    playouts: u64,
    cpu_nanos: u128,
    /// Playouts per second of processor time at the first move, where playouts are longest.
    first_rate: f64,
    /// Updates that emptied the belief.
    emptied: u32,
}

/// The search parameters of a problem.
struct Recipe<K> {
    exploration: f32,
    knowledge: K,
    /// Whether the player can end every run.
    ends: bool,
}

fn main() {
    let options = options();
    match options.problem.as_str() {
        "rock_sample_7_8" => rocks(&options, &RockSample::size_7_rocks_8()),
        "rock_sample_11_11" => rocks(&options, &RockSample::size_11_rocks_11()),
        "tag" => {
            let model = Tag::new();
            let knowledge = TagPlanner::new(&model, 0.6);
            let recipe = Recipe { exploration: 20.0, knowledge, ends: true };
            measure(&options, &model, &model.start(), &recipe);
        }
        "tiger" => {
            let recipe = Recipe { exploration: 60.0, knowledge: Listener, ends: false };
            measure(&options, &Tiger, &0, &recipe);
        }
        other => panic!("no problem {other}: rock_sample_7_8, rock_sample_11_11, tag or tiger"),
    }
}

fn options() -> Options {
    let mut options = Options {
        problem: "rock_sample_7_8".into(),
        runs: 3,
        cpu: Duration::from_millis(20),
        record: PathBuf::new(),
    };
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        match argument.split_once('=') {
            None => options.problem = argument,
            Some(("runs", runs)) => options.runs = runs.parse().expect("runs=<whole number>"),
            Some(("cpu_ms", ms)) => {
                options.cpu = Duration::from_millis(ms.parse().expect("cpu_ms=<whole number>"));
            }
            Some(("record", path)) => options.record = path.into(),
            Some((name, _)) => panic!("no option {name}: runs, cpu_ms or record"),
        }
    }
    options
}

fn rocks(options: &Options, model: &RockSample) {
    let knowledge = RockPlanner::new(model);
    let recipe = Recipe { exploration: 5.0, knowledge, ends: true };
    measure(options, model, &model.start(), &recipe);
}

/// Rollout policy for the tiger problem: only listens.
#[derive(Clone)]
struct Listener;

impl Knowledge<Tiger> for Listener {
    fn choose(&mut self, _: &Tiger, _: &TigerDoor, _: &mut SearchRng) -> TigerAction {
        TigerAction::Listen
    }
}

fn measure<M, K>(options: &Options, model: &M, start: &M::View, recipe: &Recipe<K>)
where
    M: Model + Clone,
    K: Knowledge<M> + Clone,
{
    let file = format!("{}_{}ms.txt", options.problem, options.cpu.as_millis());
    let path = (!options.record.as_os_str().is_empty()).then(|| options.record.join(file));
    let mut runs = path.as_deref().map(read).unwrap_or_default();
    runs.truncate(options.runs as usize);
    for seed in runs.len() as u64..options.runs {
        let run = run(options, model, start, (recipe, seed));
        path.as_deref().inspect(|path| append(path, &run));
        runs.push(run);
    }
    report(&options.problem, &runs, recipe.ends);
}

fn run<M, K>(
    options: &Options,
    model: &M,
    start: &M::View,
    (recipe, seed): (&Recipe<K>, u64),
) -> Run
where
    M: Model + Clone,
    K: Knowledge<M> + Clone,
{
    let parts = Pomcp {
        exploration: Exploration::Returns(recipe.exploration),
        knowledge: recipe.knowledge.clone(),
        horizon: LONGEST_RUN,
        least_weight: 0.01,
        final_action: mcts_core::FinalAction::Robust,
        memory_cap_bytes: 256 << 20,
    };
    let budget = Budget { cpu: Some(options.cpu), ..Budget::UNLIMITED.to_the_end() };
    let mut rng = rng::stream(seed, 9);
    let belief = FromView::<M>::new(start.clone());
    let mut state = model.determinize(belief.view(), &mut rng);
    let mut search = parts.search(model.clone(), belief, seed);
    let (mut run, mut weight) = (Run::default(), 1.0);
    while run.steps < LONGEST_RUN && !model.is_over(&state) {
        let before = cpu_nanos();
        let report = search.run(&(), &budget).expect("the game is not over");
        let nanos = cpu_nanos() - before;
        if run.steps == 0 {
            run.first_rate = report.playouts as f64 * 1e9 / nanos as f64;
        }
        run.cpu_nanos += u128::from(nanos);
        run.playouts += report.playouts;
        run.discounted += weight * f64::from(model.step(&mut state, report.best, &mut rng));
        weight *= f64::from(model.discount());
        let seen = model.observe(&state, report.best, &mut rng);
        run.emptied += u32::from(search.advance(report.best, &seen) == Update::Redrawn);
        run.steps += 1;
    }
    run
}

fn cpu_nanos() -> u64 {
    use mcts_core::Clock;
    mcts_core::SystemClock.cpu_nanos().expect("the system has a processor clock")
}

fn read(path: &Path) -> Vec<Run> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map_while(parse).collect()
}

/// A complete line of a record; `None` for a truncated one.
fn parse(line: &str) -> Option<Run> {
    let mut words = line.split(' ');
    let run = Run {
        discounted: words.next()?.parse().ok()?,
        steps: words.next()?.parse().ok()?,
        playouts: words.next()?.parse().ok()?,
        cpu_nanos: words.next()?.parse().ok()?,
        first_rate: words.next()?.parse().ok()?,
        emptied: words.next()?.parse().ok()?,
    };
    (words.next() == Some(".")).then_some(run)
}

fn append(path: &Path, run: &Run) {
    let folder = path.parent().expect("the record is in a folder");
    fs::create_dir_all(folder).expect("the folder of the record can be made");
    let mut file =
        OpenOptions::new().create(true).append(true).open(path).expect("the record can be written");
    let Run { discounted, steps, playouts, cpu_nanos, first_rate, emptied } = run;
    writeln!(file, "{discounted} {steps} {playouts} {cpu_nanos} {first_rate} {emptied} .")
        .expect("the record can be written");
}

fn report(problem: &str, runs: &[Run], ends: bool) {
    let count = runs.len() as f64;
    let mean = runs.iter().map(|run| run.discounted).sum::<f64>() / count;
    let squares = runs.iter().map(|run| (run.discounted - mean).powi(2)).sum::<f64>();
    let error = (squares / (count - 1.0) / count).sqrt();
    let playouts: u64 = runs.iter().map(|run| run.playouts).sum();
    let seconds = runs.iter().map(|run| run.cpu_nanos).sum::<u128>() as f64 * 1e-9;
    let steps: u32 = runs.iter().map(|run| run.steps).sum();
    let endless = runs.iter().filter(|run| run.steps >= LONGEST_RUN).count();
    let first_rate = runs.iter().map(|run| run.first_rate).sum::<f64>() / count;
    let emptied: u32 = runs.iter().map(|run| run.emptied).sum();
    println!(
        "{problem}: return {mean:.2} +- {error:.2} ({} runs), {:.1} steps a run, \
         {:.0} playouts per second of processor time ({first_rate:.0} at the first move), \
         {endless} endless, {emptied} emptied",
        runs.len(),
        f64::from(steps) / count,
        playouts as f64 / seconds,
    );
    assert_eq!(emptied, 0, "no belief may have to start afresh");
    assert!(!ends || endless == 0, "every run ends");
}
