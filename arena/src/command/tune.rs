//! `arena tune`: finds the best values of a bot's parameters.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use mcts_core::rng::{self, mix};
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;
use crate::contest::{
    Count, Form, Journal, JournalError, Lines, PairRecord, Plan, RoundSummary, Seals,
    extend_settings,
};
use crate::elo::{EloEstimate, elo_of_score};
use crate::player::BotSpec;
use crate::tune::{
    Duel, Duels, Estimate, Method, Parameter, Played, Session, Settings, Side, Space, Trial, draw,
    logistic, setting,
};

use super::contest::{
    LineUp, Running, Session as Match, Terms, check_games, own_program, stop_on_signals,
};

/// Random streams of the seed: for the fresh match, and for the intervals.
const FRESH: u64 = 0x46_52_45_53_48;
const INTERVALS: u64 = 0x49_4E_54;

/// Minimum time between plain lines of progress.
const PLAIN_PAUSE: Duration = Duration::from_secs(10);

/// Searches for the values of a bot's parameters with which it scores best
///
/// Settings play each other and the default, in pairs of games with swapped seats. Then the best
/// setting plays the default in fresh games on new seeds, because its score in the games that it
/// was chosen by has a selection bias.
///
/// Built-in bots with a budget of `playouts` run in this process; other programs get `--NAME VALUE`
/// at the end of their command line. With --out every duel is stored when it ends, and the same
/// command continues an interrupted tuning.
#[derive(Debug, clap::Args)]
pub(super) struct Tune {
    /// Name of the game
    game: String,
    /// A parameter and its range, NAME=LOW..HIGH; without a decimal point only whole numbers are
    /// tried
    #[arg(
        long = "param",
        value_name = "NAME=LOW..HIGH",
        required = true,
        allow_hyphen_values = true
    )]
    parameters: Vec<Parameter>,
    /// The default: the bot without the tuned parameters
    #[arg(long, value_name = "BOT", default_value = "mcts:playouts=500")]
    bot: BotSpec,
    /// Method of the search
    #[arg(long, default_value = "model")]
    method: Method,
    /// Number of games of the search, two for each pair
    #[arg(long)]
    games: u64,
    /// Number of fresh games of the best setting against the default [default: half of --games]
    #[arg(long, value_name = "GAMES")]
    fresh: Option<u64>,
    /// Store the duels in this directory, and continue those that are there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the response curve to this file [default: response.svg in --out]
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    running: Running,
}

/// The settings of a directory of duels.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    plan: Plan,
    tuning: Settings,
}

/// The result.
#[derive(Debug, Serialize)]
struct Outcome {
    best: String,
    parameters: Vec<Found>,
    pairs: u64,
    faults: u64,
    /// Elo of the best setting against the default, by the duels that it was chosen by.
    expected_elo: Estimate,
    /// Elo in fresh games; `None` without any.
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
        for games in [Some(self.games), self.fresh].into_iter().flatten() {
            check_games(games)?;
        }
        ensure!(self.games > 0, "a search needs at least two games");
        let space = Space(self.parameters.clone());
        let names = || self.parameters.iter().map(|parameter| &parameter.name);
        let twice =
            names().enumerate().find(|(at, name)| names().take(*at).any(|other| other == *name));
        ensure!(twice.is_none(), "a parameter is given twice");
        let plan = self.plan(catalogue)?;
        let pairs = self.games / 2;
        let tuning =
            Settings { space, method: self.method, seed: plan.seed, pairs, planned_pairs: pairs };
        let stop = stop_on_signals()?;
        let arena = own_program()?;
        let sandbox = self.running.sandbox()?;
        let plan = &plan;
        let bot = &self.bot;
        let trial = Trial { catalogue, plan, arena: &arena, bot, sandbox, stop: &stop };
        trial.of(&tuning.space)?;
        let (mut lines, kept, tuning) = match &self.out {
            Some(directory) => {
                let mut settings = Kept { plan: plan.clone(), tuning };
                let (lines, kept) = open(directory, &mut settings)?;
                (Some(lines), kept, settings.tuning)
            }
            None => (None, Vec::new(), tuning),
        };
        self.plot_file().as_deref().map_or(Ok(()), check_writable)?;
        let bench = Duels {
            catalogue: *catalogue,
            game: catalogue.find_game(&plan.game)?,
            sandbox,
            seals: Seals::of_plan(&plan.bots[..1], std::slice::from_ref(bot), &arena)?,
            arena: arena.clone(),
            plan,
            space: &tuning.space,
            bot,
            stop: &stop,
        };
        let mut session = Session::new(&tuning, kept);
        crate::process::adopt_orphans().context("cannot adopt orphans")?;
        match self.search(&bench, &mut session, lines.as_mut()) {
            Ok(true) => self.conclude(&bench, &session),
            Ok(false) => self.interrupted(),
            Err(error) => {
                // The results so far are shown even if the machine failed.
                if !session.played().is_empty() {
                    self.show(&self.outcome(bench.space, &session))?;
                }
                Err(error)
            }
        }
    }

    /// Plays the remaining duels, and stores each in `lines`; false if it was stopped.
    fn search(
        &self,
        bench: &Duels<'_>,
        session: &mut Session<'_>,
        mut lines: Option<&mut Lines>,
    ) -> anyhow::Result<bool> {
        let jobs = self.running.jobs();
        let mut progress = Progress::new(session.settings());
        while !session.is_done() {
            let mut keep =
                |played: &Played| lines.as_mut().map_or(Ok(()), |lines| lines.append(played));
            let play = |job, index, duel: &Duel| bench.play(job, index, duel);
            let goes_on = session.next_batch(jobs, bench.stop, &play, &mut keep);
            if !matches!(goes_on, Ok(true)) {
                progress.finish();
                return Ok(goes_on?);
            }
            progress.show(session);
        }
        progress.finish();
        Ok(true)
    }

    /// Plays the fresh match and prints the result of the search.
    fn conclude(&self, bench: &Duels<'_>, session: &Session<'_>) -> anyhow::Result<ExitCode> {
        let mut outcome = self.outcome(bench.space, session);
        let best = Side::Point(bench.space.point(&session.best()));
        let fresh = self.fresh_match(bench, &setting(&self.bot, bench.space, &best));
        if let Ok(Err(())) = fresh {
            return self.interrupted();
        }
        let failed = fresh.map(|fresh| outcome.fresh = fresh.ok().flatten()).err();
        self.show(&outcome)?;
        // Files come last, so that the result is shown even if they cannot be written.
        self.write_files(&outcome, session)?;
        failed.map_or(Ok(ExitCode::SUCCESS), Err)
    }

    /// Writes the result as JSON to the directory, and the response curve.
    fn write_files(&self, outcome: &Outcome, session: &Session<'_>) -> anyhow::Result<()> {
        if let Some(directory) = &self.out {
            let (file, text) =
                (directory.join("result.json"), serde_json::to_string_pretty(outcome)?);
            std::fs::write(&file, text + "\n")
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        if let Some(file) = self.plot_file() {
            let space = Space(self.parameters.clone());
            let intervals = session.best_intervals(&mut rng::stream(session.seed(), INTERVALS));
            let best = space.point(&session.best()).places();
            draw(&file, &space, &session.model(), &best, &intervals)?;
        }
        Ok(())
    }

    /// The plan of a duel of the bot with itself, with every part tested once.
    fn plan(&self, catalogue: &Catalogue) -> anyhow::Result<Plan> {
        let terms = self.terms.clone().in_process_if_possible(&self.bot);
        let line_up = LineUp {
            game: self.game.clone(),
            form: Form::RoundRobin,
            bots: vec![self.bot.clone(), self.bot.clone()],
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

    /// The best point so far, without a fresh match.
    fn outcome(&self, space: &Space, session: &Session<'_>) -> Outcome {
        let point = space.point(&session.best());
        let best = point.places();
        let model = session.model();
        let intervals = session.best_intervals(&mut rng::stream(session.seed(), INTERVALS));
        let found = |(axis, parameter): (usize, &Parameter)| {
            let [low, high] = intervals[axis];
            Found {
                name: parameter.name.clone(),
                best: parameter.value(best[axis]),
                interval: [parameter.value(low), parameter.value(high)],
                at_the_end: low <= 0.0 || high >= 1.0,
            }
        };
        let logits = model.against_default(&best);
        let elo = |logits: f64| elo_of_score(logistic(logits));
        Outcome {
            best: space.text(&point),
            parameters: space.0.iter().enumerate().map(found).collect(),
            pairs: session.played().iter().filter(|played| played.score.is_some()).count() as u64,
            faults: session.played().iter().map(|played| u64::from(played.faults)).sum(),
            expected_elo: Estimate { value: elo(logits.value), interval: logits.interval.map(elo) },
            fresh: None,
        }
    }

    fn plot_file(&self) -> Option<PathBuf> {
        let in_directory = self.out.as_ref().map(|directory| directory.join("response.svg"));
        self.plot.clone().or(in_directory)
    }

    /// The best setting against the default, on seeds that no duel used; `Err` inside if it was
    /// stopped.
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
        let mut plan = bench.plan_of([best, &self.bot], seed, rounds);
        let (mut count, mut played) = (Count::new(&plan), BTreeSet::new());
        let mut journal = match &self.out {
            Some(directory) => Some(open_fresh(directory, &mut plan, |pair| {
                played.insert(pair.index);
                count.add(RoundSummary::of(&pair));
            })?),
            None => None,
        };
        let (catalogue, journal) = (&bench.catalogue, journal.as_mut());
        let mut session =
            Match { catalogue, plan: &plan, journal, played, count, messages_bytes: 0 };
        session.play(0..rounds, bench.stop, &self.running)?;
        if bench.stop.load(Ordering::Relaxed) {
            return Ok(Err(()));
        }
        Ok(Ok(Some(session.count.finish().estimate(0))))
    }

    fn show(&self, outcome: &Outcome) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
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
            "against {} by the {} pairs that it was chosen by (selection bias): {value:+.1} Elo [{low:+.1}, {high:+.1}]",
            self.bot, outcome.pairs
        )?;
        match &outcome.fresh {
            Some(fresh) => {
                let (pairs, elo) = (fresh.pairs, fresh.text());
                writeln!(
                    out,
                    "against {} by {pairs} fresh pairs: {elo} Elo; use this estimate",
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

fn open(directory: &Path, kept: &mut Kept) -> anyhow::Result<(Lines, Vec<Played>)> {
    std::fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    let file = directory.join("duels.jsonl");
    // The lock comes first: of two commands that start together, one must see the other's settings.
    let mut lines = Lines::open(&file)?;
    let mut duels: Vec<Played> = Vec::new();
    lines.read(&file, |line| {
        let duel = serde_json::from_slice(line).map_err(|error| format!("not a duel: {error}"))?;
        duels.push(duel);
        Ok(())
    })?;
    // All stored duels count, even if fewer are requested.
    let there = duels.iter().map(|played| played.index.saturating_add(1)).max().unwrap_or(0);
    extend_settings(directory, "tuning.json", kept, |before, kept| {
        let (before, here) = (&mut before.tuning, &mut kept.tuning);
        here.pairs = here.pairs.max(there.min(before.pairs));
        here.planned_pairs = before.planned_pairs;
        before.pairs = here.pairs;
    })?;
    check_games(kept.tuning.pairs.saturating_mul(2))?;
    Ok((lines, duels))
}

/// The match on fresh seeds: in `fresh`, or in `fresh-2` and so on if that belongs to another best
/// setting.
fn open_fresh(
    directory: &Path,
    plan: &mut Plan,
    mut each: impl FnMut(PairRecord),
) -> Result<Journal, JournalError> {
    let mut name = "fresh".to_owned();
    for number in 2.. {
        match Journal::open(&directory.join(name), plan, &mut each) {
            Err(JournalError::OtherPlan { .. }) => name = format!("fresh-{number}"),
            opened => return opened,
        }
    }
    unreachable!("some number is free")
}

/// Rejects an output file that cannot be written, before the first game.
fn check_writable(file: &Path) -> anyhow::Result<()> {
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
    opened.map(drop).with_context(|| format!("cannot write {}", file.display()))
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
