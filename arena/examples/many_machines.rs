//! Matches on many machines, simulated: shards of any size to merge, and how long a sequential test takes to decide.
//!
//! ```sh
//! cargo run --release -p arena --example many_machines -- shards DIR 1000000 1000
//! cargo run --release -p arena --example many_machines -- decision
//! ```
#![allow(clippy::print_stdout, reason = "a table is to be seen")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, bail};
use arena::contest::{Form, Manifest, PairRecord, Plan, PlannedBot};
use arena::elo::score_of_elo;
use arena::score::Tally;
use arena::sprt::Sprt;
use mcts_core::{SearchRng, rng};

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["shards", directory, pairs, shards] => {
            write_shards(Path::new(directory), pairs.parse()?, shards.parse()?)
        }
        ["decision"] => {
            show_decisions();
            Ok(())
        }
        _ => bail!("expected `shards DIR PAIRS SHARDS` or `decision`"),
    }
}

/// Writes a manifest and its shards as if they had been played: records of the usual size, results drawn.
fn write_shards(directory: &Path, pairs: u64, shards: u64) -> anyhow::Result<()> {
    let bot = |name: &str| PlannedBot { bot: name.to_owned(), content: "0".repeat(64) };
    let plan = Plan {
        arena: env!("CARGO_PKG_VERSION").to_owned(),
        game: "reversi".to_owned(),
        options: Vec::new(),
        seats: 2,
        form: Form::RoundRobin,
        bots: vec![bot("mcts:playouts=2000"), bot("mcts:playouts=1000")],
        seed: 0,
        opening_plies: 6,
        rounds: pairs,
        sprt: None,
        in_process: false,
        strict: false,
        memory_mib: None,
    };
    std::fs::create_dir_all(directory)?;
    let manifest = Manifest::new(plan, shards)?;
    manifest.write(&directory.join("plan.json"))?;
    let plan = &manifest.plan;
    let fingerprint = plan.fingerprint();
    let mut random = rng::stream(1, 0);
    for shard in 0..shards {
        let file = directory.join(format!("shard-{shard:05}.jsonl"));
        let mut out = BufWriter::new(std::fs::File::create(&file)?);
        for index in manifest.rounds(shard) {
            let round = plan.round(index);
            let games: Vec<_> =
                round.games.iter().map(|bots| game(bots, round.seed, &mut random)).collect();
            let pair = serde_json::json!({
                "index": index, "plan": fingerprint, "seed": round.seed, "games": games, "replays": 0,
                "host": {"name": "node-001", "load": 1.5},
            });
            let pair: PairRecord = serde_json::from_value(pair).context("it is a pair")?;
            serde_json::to_writer(&mut out, &pair)?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
    }
    Ok(())
}

/// One game with a drawn result and 60 drawn actions.
fn game(bots: &[usize], seed: u64, random: &mut SearchRng) -> serde_json::Value {
    let action = |_| format!("{} {}", 1 + rng::below(random, 8), 1 + rng::below(random, 8));
    let actions: Vec<String> = (0..54).map(action).collect();
    let points = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]][rng::below(random, 3)];
    let used = serde_json::json!({
        "wall_us": 2_412_345, "cpu_us": 2_401_234, "cpu_in_others_time_us": 1_234, "delayed_us": 2_345,
    });
    let seat = |seat: usize| {
        let name = ["mcts:playouts=2000", "mcts:playouts=1000"][bots[seat]];
        serde_json::json!({
            "name": name, "command": ["/opt/arena/arena", "bot", "reversi", format!("{name},seed={seed}")],
            "seed": seed, "points": points[seat], "used": used, "exit": null, "warnings": [], "last_errors": [],
        })
    };
    let board = ".".repeat(64) + " B";
    serde_json::json!({
        "bots": bots,
        "record": {
            "arena": env!("CARGO_PKG_VERSION"), "game": "reversi", "seed": seed, "description": "38 to 26",
            "verdict": null, "contended": false, "seats": [seat(0), seat(1)], "start": board, "actions": actions,
            "end": board, "took_us": 4_823_456,
        },
    })
}

/// How machines behave: all times in units of the mean time of a pair on a good machine.
struct Machines {
    count: usize,
    /// Part of the machines that take three times as long.
    stragglers: f64,
    /// Part of the machines that are lost at some moment before the ideal end of the test.
    lost: f64,
    /// After which a pair that did not come back is given to another machine.
    patience: f64,
}

const REPETITIONS: u64 = 200;

/// The true difference and the test.
const ELO: f64 = 5.0;
const TEST: &str = "0,5";
const DRAWS: f64 = 0.3;

fn show_decisions() {
    println!(
        "SPRT of {TEST} where the difference is {ELO} Elo and {DRAWS} of games are drawn; times in pairs"
    );
    println!("| machines | stragglers, lost | ideal | in order, median (90 %) | of the ideal |");
    println!("|---:|---|---:|---:|---:|");
    for count in [10, 100, 1000] {
        for (stragglers, lost) in [(0.0, 0.0), (0.1, 0.0), (0.1, 0.05), (0.3, 0.2)] {
            let machines = Machines { count, stragglers, lost, patience: 6.0 };
            let mut times = Vec::new();
            let mut ideals = Vec::new();
            for seed in 0..REPETITIONS {
                let scores = scores_until_decision(seed);
                let ideal = scores as f64 / count as f64;
                times.push(time_until(&machines, scores, ideal, seed));
                ideals.push(ideal);
            }
            let [ideal, time] = [&mut ideals, &mut times].map(|times| {
                times.sort_by(f64::total_cmp);
                [times[times.len() / 2], times[times.len() * 9 / 10]]
            });
            println!(
                "| {count} | {:.0} %, {:.0} % | {:.1} | {:.1} ({:.1}) | {:.2} |",
                100.0 * stragglers,
                100.0 * lost,
                ideal[0],
                time[0],
                time[1],
                time[0] / ideal[0]
            );
        }
    }
}

/// Pairs that the test needs, in order.
fn scores_until_decision(seed: u64) -> u64 {
    let sprt: Sprt = TEST.parse().expect("a test");
    let mut random = rng::stream(seed, 1);
    let win = score_of_elo(ELO) - DRAWS / 2.0;
    let mut game = || match f64::from(rng::unit(&mut random)) {
        at if at < win => 0.5,
        at if at < win + DRAWS => 0.25,
        _ => 0.0,
    };
    let mut tally = Tally::of_pairs();
    for pairs in 1.. {
        tally.add(game() + game());
        // A look at every tenth pair is enough here.
        if pairs % 10 == 0 && sprt.decision(&tally).is_some() {
            return pairs;
        }
    }
    unreachable!("the test decides")
}

/// When the first `needed` pairs are all there: machines take the next pair as soon as they are free.
fn time_until(machines: &Machines, needed: u64, ideal: f64, seed: u64) -> f64 {
    let mut random = rng::stream(seed, 2);
    let mut unit = || f64::from(rng::unit(&mut random));
    // When a machine is free, how slow it is, and when it is lost.
    let mut free = BinaryHeap::new();
    let mut slowness = Vec::new();
    let mut lost_at = Vec::new();
    for machine in 0..machines.count {
        slowness.push(if unit() < machines.stragglers { 3.0 } else { 1.0 });
        lost_at.push(if unit() < machines.lost { unit() * ideal } else { f64::INFINITY });
        free.push(Reverse((Moment(0.0), machine)));
    }
    // Pairs given back, and from when on they can be taken.
    let mut given_back: BinaryHeap<Reverse<Moment>> = BinaryHeap::new();
    let (mut next, mut end) = (0, 0.0f64);
    while next < needed || !given_back.is_empty() {
        let Some(Reverse((Moment(now), machine))) = free.pop() else { return f64::INFINITY };
        if now >= lost_at[machine] {
            continue;
        }
        let is_back = given_back.peek().is_some_and(|Reverse(Moment(from))| *from <= now);
        let start = match (is_back, next < needed) {
            (true, _) => {
                given_back.pop();
                now
            }
            (false, true) => {
                next += 1;
                now
            }
            (false, false) => {
                let Some(Reverse(Moment(from))) = given_back.pop() else { break };
                from
            }
        };
        // Exponential around half, on top of a half that every pair takes.
        let took = slowness[machine] * (0.5 - 0.5 * (1.0 - unit()).max(1e-12).ln());
        if start + took > lost_at[machine] {
            given_back.push(Reverse(Moment(start + machines.patience)));
        } else {
            end = end.max(start + took);
            free.push(Reverse((Moment(start + took), machine)));
        }
    }
    end
}

/// A moment, in order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Moment(f64);

impl Eq for Moment {}

impl Ord for Moment {
    fn cmp(&self, other: &Moment) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Moment) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
