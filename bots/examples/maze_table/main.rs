//! Plays many mazes in process and prints a table: mean score, its standard error, percentage of
//! games in which Maki was caught, turns and playouts per second; then the difference of each
//! player to the first on the same mazes, with its 95 % interval.
//!
//! `maze_table players=mcts,greedy,bound policies=hunter,wanderer,tracker sizes=11,17,23 first=0 seeds=200 ms=5000 footsteps=assumed,random threads=2 results=maze.txt`,
//! each with these defaults (without a results file nothing is stored). Games that the results file
//! already has are not played again, so an interrupted run can be continued. Further `name=value`
//! words go to all players except `greedy` and `random`. Time is processor time of the thread. In
//! addition to the bots, there are players with other searches, plain UCT except for one part each:
//! see `parts`.

mod determinized;
mod parts;
mod searches;
mod table;

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bots::maze::player::{Clairvoyant, Parts};
use bots::{Answer, Parameters, Seat};
use games::maze::chaser::Policy;
use games::maze::protocol::{MazeJudge, Setting};
use games::maze::rules::{Footsteps, Phase};
use games::maze::terrain::Terrain;
use games::{Clocks, Judging, Status};
use mcts_core::{Clock, rng};

/// Processor time of this thread.
struct ThreadClock;

impl Clock for ThreadClock {
    fn monotonic_nanos(&self) -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }
}

/// The parameters of one game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Match {
    player: String,
    policy: String,
    footsteps: String,
    size: usize,
    seed: u64,
}

#[derive(Debug, Clone, Copy)]
struct Played {
    score: u16,
    caught: bool,
    turns: u8,
    playouts: u64,
    cpu_micros: u64,
}

/// The parsed command line.
struct Plan {
    words: Vec<(String, String)>,
}

impl Plan {
    fn take(&mut self, name: &str, default: &str) -> String {
        let place = self.words.iter().position(|(word, _)| word == name);
        place.map_or(default.into(), |place| self.words.remove(place).1)
    }

    fn list(&mut self, name: &str, default: &str) -> Vec<String> {
        self.take(name, default).split(',').map(String::from).collect()
    }

    fn number(&mut self, name: &str, default: &str) -> Result<u64, String> {
        self.take(name, default).parse().map_err(|error| format!("{name}: {error}"))
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(table) => {
            let written = std::io::stdout().lock().write_all(table.as_bytes());
            if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            let _ = writeln!(std::io::stderr().lock(), "{why}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<String, String> {
    let words = std::env::args().skip(1).map(|word| {
        word.split_once('=').map(|(name, value)| (name.into(), value.into())).ok_or(word)
    });
    let words =
        words.collect::<Result<_, _>>().map_err(|word| format!("{word}: not name=value"))?;
    let mut plan = Plan { words };
    let mut matches = Vec::new();
    let players = plan.list("players", "mcts,greedy,bound");
    let policies = plan.list("policies", "hunter,wanderer,tracker");
    let footsteps = plan.list("footsteps", "assumed");
    let sizes = plan.list("sizes", "11,17,23");
    let first = plan.number("first", "0")?;
    let seeds = plan.number("seeds", "200")?;
    let time = Duration::from_millis(plan.number("ms", "5000")?);
    let threads = plan.number("threads", "2")?;
    let results = plan.take("results", "");
    for (player, footsteps) in players.iter().flat_map(|p| footsteps.iter().map(move |f| (p, f))) {
        for (policy, size) in policies.iter().flat_map(|p| sizes.iter().map(move |s| (p, s))) {
            let size = size.parse().map_err(|error| format!("sizes: {error}"))?;
            matches.extend((first..first + seeds).map(|seed| Match {
                player: player.clone(),
                policy: policy.clone(),
                footsteps: footsteps.clone(),
                size,
                seed,
            }));
        }
    }
    let words: Vec<String> =
        plan.words.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let parameters = words.join(",");
    let mut done = read_results(&results);
    matches.retain(|game| !done.contains_key(game));
    let played = play_all(&matches, &parameters, time, (threads as usize, &results))?;
    done.extend(played);
    Ok(table::means(&done) + &table::differences(&done, &players[0]))
}

fn read_results(path: &str) -> BTreeMap<Match, Played> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(read_result).collect()
}

fn read_result(line: &str) -> Option<(Match, Played)> {
    let mut words = line.split(' ');
    let mut word = || words.next();
    let game = Match {
        player: word()?.into(),
        policy: word()?.into(),
        footsteps: word()?.into(),
        size: word()?.parse().ok()?,
        seed: word()?.parse().ok()?,
    };
    let played = Played {
        score: word()?.parse().ok()?,
        caught: word()? == "caught",
        turns: word()?.parse().ok()?,
        playouts: word()?.parse().ok()?,
        cpu_micros: word()?.parse().ok()?,
    };
    Some((game, played))
}

fn play_all(
    matches: &[Match],
    parameters: &str,
    time: Duration,
    (threads, results): (usize, &str),
) -> Result<Vec<(Match, Played)>, String> {
    let file = match results {
        "" => None,
        path => {
            let opened = OpenOptions::new().create(true).append(true).open(path);
            Some(opened.map_err(|error| format!("{path}: {error}"))?)
        }
    };
    let (next, played) = (AtomicUsize::new(0), Mutex::new((Vec::new(), file)));
    let work = || -> Result<(), String> {
        while let Some(game) = matches.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = play(game, parameters, time)?;
            let mut played = played.lock().map_err(|error| error.to_string())?;
            played.0.push((game.clone(), result));
            if let Some(file) = &mut played.1 {
                let Match { player, policy, footsteps, size, seed } = game;
                let Played { score, caught, turns, playouts, cpu_micros } = result;
                let caught = if caught { "caught" } else { "free" };
                let line = format!(
                    "{player} {policy} {footsteps} {size} {seed} {score} {caught} {turns} {playouts} {cpu_micros}\n"
                );
                file.write_all(line.as_bytes()).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a game panicked".to_string())?)
    })?;
    Ok(played.into_inner().map_err(|error| error.to_string())?.0)
}

fn play(game: &Match, parameters: &str, time: Duration) -> Result<Played, String> {
    let footsteps = match game.footsteps.as_str() {
        "assumed" => Footsteps::ASSUMED,
        "random" => random_footsteps(game.seed),
        other => return Err(format!("footsteps {other:?}: expected assumed or random")),
    };
    let chaser = Policy::named(&game.policy).ok_or_else(|| {
        format!("no chaser's policy {:?}: expected hunter, wanderer or tracker", game.policy)
    })?;
    let setting = Setting { size: game.size, chaser, footsteps, seed: 1_000 + game.seed };
    let mut judge = MazeJudge::new(&setting);
    let started = ThreadClock.monotonic_nanos();
    let playouts = match game.player.as_str() {
        "bound" => play_bound(&mut judge, parameters, time)?,
        name @ ("greedy" | "random") => play_seat(&mut judge, name, time)?,
        name => play_seat(&mut judge, &format!("{name}:{parameters}"), time)?,
    };
    let cpu_micros = (ThreadClock.monotonic_nanos() - started) / 1000;
    let progress = judge.progress();
    let caught = matches!(progress.phase, Phase::Over(Some(_)));
    let (score, turns) = (progress.score, progress.world.turn);
    Ok(Played { score, caught, turns, playouts, cpu_micros })
}

/// Three ascending thresholds from 1 to 15; the scale is reversed in half of the games.
fn random_footsteps(seed: u64) -> Footsteps {
    let mut rng = rng::stream(seed, 77);
    loop {
        let mut thresholds = [0; 3].map(|_: u8| 1 + rng::below(&mut rng, 15) as u8);
        thresholds.sort_unstable();
        if thresholds[0] < thresholds[1] && thresholds[1] < thresholds[2] {
            return Footsteps { thresholds, reversed: seed % 2 == 1 };
        }
    }
}

fn play_bound(judge: &mut MazeJudge, parameters: &str, time: Duration) -> Result<u64, String> {
    let mut parameters = Parameters::parse(parameters).map_err(|error| error.to_string())?;
    let parts = Parts::of(&mut parameters).map_err(|error| error.to_string())?;
    let player = Clairvoyant { parts };
    let terrain = Terrain::new(judge.progress().world.maze);
    let (started, mut playouts) = (ThreadClock.monotonic_nanos(), 0);
    while let Status::ToMove(_) = judge.status() {
        let left = left(time, started);
        let decision = player.decide(&terrain, judge, left, &ThreadClock).ok_or("no action")?;
        playouts += playouts_in(decision.report);
        judge.play(decision.action);
    }
    Ok(playouts)
}

fn left(time: Duration, started: u64) -> Duration {
    time.saturating_sub(Duration::from_nanos(ThreadClock.monotonic_nanos() - started))
}

fn play_seat(judge: &mut MazeJudge, specification: &str, time: Duration) -> Result<u64, String> {
    let known = [bots::maze::BOTS, parts::PARTS];
    let built = bots::build_from(&known, "maze", specification);
    let mut seat = built.map_err(|error| error.to_string())?;
    let (started, mut playouts) = (ThreadClock.monotonic_nanos(), 0);
    let say = |seat: &mut Box<dyn Seat>, lines: Vec<String>| {
        lines.iter().map(|line| seat.receive(line, &ThreadClock)).last()
    };
    say(&mut seat, judge.opening(0));
    while let Status::ToMove(_) = judge.status() {
        let request = judge.request(&Clocks { wall_left: vec![left(time, started)] });
        match say(&mut seat, request) {
            Some(Answer::Line(line)) => judge.answer(&line).map_err(|fault| fault.to_string())?,
            other => return Err(format!("{specification} answered {other:?}")),
        }
        playouts += playouts_in(seat.report());
    }
    Ok(playouts)
}

/// The number of playouts in a report.
fn playouts_in(report: Option<String>) -> u64 {
    let report = report.unwrap_or_default();
    let number = report.split(' ').find_map(|word| word.strip_prefix("playouts=")?.parse().ok());
    number.unwrap_or(0)
}
