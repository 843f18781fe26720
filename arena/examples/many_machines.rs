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
    /// Pairs of a shard.
    shard: u64,
}

/// After which a shard whose machine was lost is put back into the queue.
const PATIENCE: f64 = 6.0;

const REPETITIONS: u64 = 200;

/// The true difference and the test.
const ELO: f64 = 5.0;
const TEST: &str = "0,5";
const DRAWS: f64 = 0.3;

fn show_decisions() {
    println!(
        "SPRT of {TEST} where the difference is {ELO} Elo and {DRAWS} of games are drawn; times in pairs"
    );
    println!(
        "| machines | stragglers, lost | pairs a shard | ideal | median | 90 % | of the ideal |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|");
    let needed: Vec<u64> = (0..REPETITIONS).map(scores_until_decision).collect();
    for count in [10, 100, 1000] {
        for (stragglers, lost) in [(0.0, 0.0), (0.1, 0.0), (0.1, 0.05), (0.3, 0.2)] {
            for shard in [1, 10] {
                show_row(&Machines { count, stragglers, lost, shard }, &needed);
            }
        }
    }
}

/// A row: `needed` pairs decide the test in each repetition.
fn show_row(machines: &Machines, needed: &[u64]) {
    let Machines { count, stragglers, lost, shard } = *machines;
    let ideal = |pairs: u64| pairs as f64 / count as f64;
    let times = needed.iter().zip(0..).map(|(pairs, seed)| time_until(machines, *pairs, seed));
    let ideals = needed.iter().map(|pairs| ideal(*pairs)).collect();
    let [ideal, time] = [ideals, times.collect::<Vec<f64>>()].map(|mut times| {
        times.sort_by(f64::total_cmp);
        [times[times.len() / 2], times[times.len() * 9 / 10]]
    });
    println!(
        "| {count} | {:.0} %, {:.0} % | {shard} | {:.1} | {:.1} | {:.1} | {:.2} |",
        100.0 * stragglers,
        100.0 * lost,
        ideal[0],
        time[0],
        time[1],
        time[0] / ideal[0]
    );
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

/// When the first `needed` pairs are all there: machines take the next shard as soon as they are free.
fn time_until(machines: &Machines, needed: u64, seed: u64) -> f64 {
    let mut random = rng::stream(seed, 2);
    let mut unit = || f64::from(rng::unit(&mut random));
    let ideal = needed as f64 / machines.count as f64;
    // When a machine is free, how slow it is, and when it is lost.
    let (mut free, mut slowness, mut lost_at) = (BinaryHeap::new(), Vec::new(), Vec::new());
    for machine in 0..machines.count {
        slowness.push(if unit() < machines.stragglers { 3.0 } else { 1.0 });
        lost_at.push(if unit() < machines.lost { unit() * ideal } else { f64::INFINITY });
        free.push(Reverse((Moment(0.0), machine)));
    }
    // What is left of shards whose machines were lost, and from when on it is in the queue again.
    let mut given_back: BinaryHeap<Reverse<(Moment, u64)>> = BinaryHeap::new();
    let (mut next, mut missing, mut end) = (0, needed, 0.0f64);
    while missing > 0 {
        let Some(Reverse((Moment(now), machine))) = free.pop() else { return f64::INFINITY };
        let is_back = given_back.peek().is_some_and(|Reverse((Moment(from), _))| *from <= now);
        let first = match given_back.pop() {
            Some(Reverse((_, pair))) if is_back => pair,
            not_yet => {
                given_back.extend(not_yet);
                next += machines.shard;
                next - machines.shard
            }
        };
        let last = (first / machines.shard + 1) * machines.shard;
        let mut at = now;
        for pair in first..last {
            // Exponential around half, on top of a half that every pair takes.
            at += slowness[machine] * (0.5 - 0.5 * (1.0 - unit()).max(1e-12).ln());
            if at > lost_at[machine] {
                given_back.push(Reverse((Moment(lost_at[machine] + PATIENCE), pair)));
                break;
            }
            if pair < needed {
                missing -= 1;
                end = end.max(at);
            }
        }
        if at <= lost_at[machine] {
            free.push(Reverse((Moment(at), machine)));
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
