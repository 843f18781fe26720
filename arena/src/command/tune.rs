//! `arena tune`: which values of a bot's parameters win most.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use mcts_core::rng::{self, mix};
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;
use crate::contest::{Cores, Form, Journal, Lines, Plan, parse_lines};
use crate::elo::{EloEstimate, elo_of_score};
use crate::player::BotSpec;
use crate::tune::{
    Duel, Duels, Estimate, Method, Parameter, Played, Session, Settings, Side, Space, draw,
    logistic, setting,
};

use super::contest::{
    LineUp, Running, Session as Match, Terms, counted, own_program, stop_on_signals,
};
use super::find_game;

/// Streams of the seed: of the fresh match, and of the intervals.
const FRESH: u64 = 0x46_52_45_53_48;
const INTERVALS: u64 = 0x49_4E_54;

/// How long a plain line of progress stays the last one.
const PLAIN_PAUSE: Duration = Duration::from_secs(10);

/// Looks for the values of a bot's parameters that win most
///
/// Settings play each other and the bot as it is, in pairs of games with the seats swapped. The best one then meets the bot
/// as it is in fresh games: what a setting won in the games that it was chosen by says too much of it.
///
/// Built-in bots that think by `playouts` play in this process; other programs get `--NAME VALUE` at the end of their
/// command line. With --out every duel is kept as it is played, and the same command goes on where it stopped.
#[derive(Debug, clap::Args)]
pub(super) struct Tune {
    /// Name of the game
    game: String,
    /// A parameter and where to look: without a decimal point only whole numbers are tried
    #[arg(
        long = "param",
        value_name = "NAME=LOW..HIGH",
        required = true,
        allow_hyphen_values = true
    )]
    parameters: Vec<Parameter>,
    /// The bot, as it is
    #[arg(long, value_name = "BOT", default_value = "mcts:playouts=500")]
    bot: BotSpec,
    /// How to look
    #[arg(long, default_value = "model")]
    method: Method,
    /// Games of the search, two a pair
    #[arg(long)]
    games: u64,
    /// Fresh games of the best setting against the bot as it is [default: half as many]
    #[arg(long, value_name = "GAMES")]
    fresh: Option<u64>,
    /// Keep the duels in this directory, and go on with those that are there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Draw the response curve to this file [default: response.svg in --out]
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    running: Running,
}

/// What a directory of duels belongs to.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    plan: Plan,
    tuning: Settings,
}

/// What came of it.
#[derive(Debug, Serialize)]
struct Outcome {
    best: String,
    parameters: Vec<Found>,
    pairs: u64,
    faults: u64,
    /// Elo of the best against the default, by the duels that it was chosen by.
    expected_elo: Estimate,
    /// By fresh games; `None` if none were asked for.
    fresh: Option<EloEstimate>,
}

#[derive(Debug, Serialize)]
struct Found {
    name: String,
    best: f64,
    interval: [f64; 2],
    /// Whether the interval reaches an end of the range.
    at_the_end: bool,
}

impl Tune {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        ensure!(
            self.games >= 2,
            "games come in pairs: {} is not a positive even number",
            self.games
        );
        let space = Space(self.parameters.clone());
        let names = || self.parameters.iter().map(|parameter| &parameter.name);
        let twice =
            names().enumerate().find(|(at, name)| names().take(*at).any(|other| other == *name));
        ensure!(twice.is_none(), "a parameter is given twice");
        let plan = self.plan(catalogue, &space)?;
        let tuning =
            Settings { space, method: self.method, seed: plan.seed, pairs: self.games / 2 };
        let stop = stop_on_signals()?;
        let (mut lines, kept) = match &self.out {
            Some(directory) => {
                let (lines, kept) =
                    open(directory, &Kept { plan: plan.clone(), tuning: tuning.clone() })?;
                (Some(lines), kept)
            }
            None => (None, Vec::new()),
        };
        let bench = Duels {
            catalogue: *catalogue,
            game: find_game(catalogue, &plan.game)?,
            arena: own_program()?,
            plan: &plan,
            space: &tuning.space,
            bot: &self.bot,
            stop: &stop,
        };
        let mut session = Session::new(&tuning, kept);
        let jobs = self.running.jobs().unwrap_or_else(|| Cores::available().count());
        crate::process::adopt_orphans().context("cannot adopt orphans")?;
        let mut progress = Progress::new(&tuning);
        while !session.is_done() {
            let mut keep =
                |played: &Played| lines.as_mut().map_or(Ok(()), |lines| lines.append(played));
            let play = |job, index, duel: &Duel| bench.play(job, index, duel);
            if !session.next_batch(jobs, &stop, &play, &mut keep)? {
                progress.finish();
                return self.interrupted();
            }
            progress.show(&session);
        }
        progress.finish();
        let Some(outcome) = self.outcome(&bench, &session)? else { return self.interrupted() };
        self.tell(&outcome)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The plan of a duel of the bot with itself, everything tried once.
    fn plan(&self, catalogue: &Catalogue, space: &Space) -> anyhow::Result<Plan> {
        let middle = space.point(&vec![0.5; space.dimensions()]);
        let with_parameters = setting(&self.bot, space, &Side::Point(middle));
        let terms = self.terms.clone().in_process_if_possible(&self.bot);
        let line_up = LineUp {
            game: self.game.clone(),
            form: Form::RoundRobin,
            bots: vec![self.bot.clone(), with_parameters],
            rounds: 1,
            sprt: None,
        };
        terms.plan(catalogue, line_up)
    }

    fn interrupted(&self) -> anyhow::Result<ExitCode> {
        if let Some(directory) = &self.out {
            let directory = directory.display();
            writeln!(io::stderr(), "interrupted; the same command goes on with {directory}")?;
        }
        Ok(ExitCode::from(130))
    }

    /// The best point, and its fresh match; `None` if somebody stopped it.
    fn outcome(&self, bench: &Duels<'_>, session: &Session<'_>) -> anyhow::Result<Option<Outcome>> {
        let space = bench.space;
        let point = space.point(&session.best());
        let best = point.places();
        let model = session.model();
        let intervals = session.best_intervals(&mut rng::stream(bench.plan.seed, INTERVALS));
        let found = |(axis, parameter): (usize, &Parameter)| {
            let [low, high] = intervals[axis];
            Found {
                name: parameter.name.clone(),
                best: parameter.value(best[axis]),
                interval: [parameter.value(low), parameter.value(high)],
                at_the_end: low <= 0.0 || high >= 1.0,
            }
        };
        if let Some(file) = self.plot_file() {
            draw(&file, space, &model, &best, &intervals)?;
        }
        let logits = model.against_default(&best);
        let elo = |logits: f64| elo_of_score(logistic(logits));
        let Ok(fresh) =
            self.fresh_match(bench, &setting(&self.bot, space, &Side::Point(point.clone())))?
        else {
            return Ok(None);
        };
        Ok(Some(Outcome {
            best: space.text(&point),
            parameters: space.0.iter().enumerate().map(found).collect(),
            pairs: session.played().iter().filter(|played| played.score.is_some()).count() as u64,
            faults: session.played().iter().map(|played| u64::from(played.faults)).sum(),
            expected_elo: Estimate { value: elo(logits.value), interval: logits.interval.map(elo) },
            fresh,
        }))
    }

    fn plot_file(&self) -> Option<PathBuf> {
        let in_directory = self.out.as_ref().map(|directory| directory.join("response.svg"));
        self.plot.clone().or(in_directory)
    }

    /// The best setting against the bot as it is, on seeds that no duel had; `Err` inside if somebody stopped it.
    fn fresh_match(
        &self,
        bench: &Duels<'_>,
        best: &BotSpec,
    ) -> anyhow::Result<Result<Option<EloEstimate>, ()>> {
        let rounds = self.fresh.unwrap_or(self.games / 2) / 2;
        if rounds == 0 {
            return Ok(Ok(None));
        }
        let seed = mix(bench.plan.seed ^ FRESH);
        let plan = bench.plan_of([best, &self.bot], seed, rounds);
        let (mut journal, pairs) = match &self.out {
            Some(directory) => {
                let (journal, pairs) = Journal::open(&directory.join("fresh"), &plan)?;
                (Some(journal), pairs)
            }
            None => (None, Vec::new()),
        };
        let journal = journal.as_mut();
        let mut session = Match { catalogue: &bench.catalogue, plan: &plan, journal, pairs };
        session.play((0..plan.len()).collect(), bench.stop, &self.running)?;
        if bench.stop.load(Ordering::Relaxed) {
            return Ok(Err(()));
        }
        Ok(Ok(Some(counted(&plan, &mut session.pairs).estimate(0))))
    }

    fn tell(&self, outcome: &Outcome) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        if let Some(directory) = &self.out {
            std::fs::write(
                directory.join("result.json"),
                serde_json::to_string_pretty(outcome)? + "\n",
            )?;
        }
        if self.running.is_json() {
            serde_json::to_writer_pretty(&mut out, outcome)?;
            writeln!(out)?;
            return Ok(());
        }
        writeln!(out, "best: {}", outcome.best)?;
        for found in &outcome.parameters {
            let [low, high] = found.interval;
            write!(out, "  {}: 95 % between {low:.4} and {high:.4}", found.name)?;
            let note = if found.at_the_end { ", up to the end of the range" } else { "" };
            writeln!(out, "{note}")?;
        }
        let Estimate { value, interval: [low, high] } = outcome.expected_elo;
        writeln!(
            out,
            "against {} by the {} pairs that it was chosen by: {value:+.1} Elo [{low:+.1}, {high:+.1}]",
            self.bot, outcome.pairs
        )?;
        match &outcome.fresh {
            Some(fresh) => {
                let (pairs, elo) = (fresh.pairs, fresh.text());
                writeln!(
                    out,
                    "against {} by {pairs} fresh pairs: {elo} Elo; believe this one",
                    self.bot
                )?;
            }
            None => writeln!(out, "no fresh games: what it was chosen by says too much of it")?,
        }
        if outcome.faults > 0 {
            writeln!(out, "{} games of the search were lost by faults", outcome.faults)?;
        }
        if let Some(file) = self.plot_file() {
            writeln!(out, "response curve: {}", file.display())?;
        }
        Ok(())
    }
}

fn open(directory: &Path, kept: &Kept) -> anyhow::Result<(Lines, Vec<Played>)> {
    const FILE: &str = "duels.jsonl";
    let (lines, bytes) = Lines::open_in(directory, FILE, ("tuning.json", kept))?;
    let parse =
        |line: &[u8]| serde_json::from_slice(line).map_err(|error| format!("not a duel: {error}"));
    Ok((lines, parse_lines(&directory.join(FILE), &bytes, parse)?))
}

/// Progress on standard error.
struct Progress<'a> {
    settings: &'a Settings,
    redraws: bool,
    shown: Option<Instant>,
}

impl<'a> Progress<'a> {
    fn new(settings: &'a Settings) -> Progress<'a> {
        Progress { settings, redraws: io::stderr().is_terminal(), shown: None }
    }

    fn show(&mut self, session: &Session<'_>) {
        let pause = if self.redraws { Duration::from_secs(1) } else { PLAIN_PAUSE };
        if self.shown.is_some_and(|shown| shown.elapsed() < pause) {
            return;
        }
        self.shown = Some(Instant::now());
        let space = &self.settings.space;
        let intervals = session.best_intervals(&mut rng::stream(self.settings.seed, INTERVALS));
        let best = session.best();
        let of = |(axis, parameter): (usize, &Parameter)| {
            let [low, high] = intervals[axis].map(|place| parameter.text(place));
            format!("{}={} [{low}, {high}]", parameter.name, parameter.text(best[axis]))
        };
        let found: Vec<String> = space.0.iter().enumerate().map(of).collect();
        let games = 2 * session.played().len();
        let line = format!("{games} of {} games, {}", 2 * self.settings.pairs, found.join(", "));
        let _ = if self.redraws {
            write!(io::stderr(), "\r\x1b[K{line}")
        } else {
            writeln!(io::stderr(), "{line}")
        };
    }

    fn finish(&self) {
        if self.redraws {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
