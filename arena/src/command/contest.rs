//! Shared parts of `match`, `tournament`, `plan` and `shard`: from arguments to a plan, and from a
//! plan to its results.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::contest::{
    Cores, Count, Event, Form, Journal, MOST_MEMORY_MIB, MOST_ROUNDS, Machine, PackedMessages,
    PairRecord, Plan, PlannedBot, RoundSummary, Standing, Work, default_opening_plies, run,
};
use crate::player::BotSpec;
use crate::report;
use crate::sprt::{Accepted, EloModel, Sprt};
use anyhow::{Context, ensure};

use crate::catalogue::Catalogue;

use super::options::GameOptions;
use super::progress::Progress;

/// Exit status if a test with --require-pass did not accept H1.
pub(super) const TEST_NOT_PASSED: u8 = 3;

/// Maximum number of concurrent games.
const MOST_JOBS: u64 = 1024;

/// Exit status after an interrupt.
pub(super) const INTERRUPTED: u8 = 130;

/// The game and its settings: a plan without bots and number of games.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Terms {
    /// Seed of the boards and the bots
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Random actions before the bots begin [default: 6 if all games would begin alike, otherwise
    /// 0]
    #[arg(long, value_name = "PLIES")]
    opening_plies: Option<usize>,
    /// Run bots in this process, without clocks; only for built-in bots with a budget of playouts
    #[arg(long)]
    in_process: bool,
    /// Blanks at the end of an answer lose the game
    #[arg(long)]
    strict: bool,
    /// Memory limit of a bot and its children
    #[arg(long, value_name = "MIB", value_parser = memory_range())]
    memory: Option<u64>,
    #[command(flatten)]
    options: GameOptions,
}

/// The bots, and the number of games.
#[derive(Debug, Clone)]
pub(super) struct LineUp {
    pub game: String,
    pub form: Form,
    pub bots: Vec<BotSpec>,
    pub rounds: u64,
    pub sprt: Option<Sprt>,
}

impl Terms {
    /// The same settings, in this process if the bot is a built-in one with a budget of playouts.
    pub(super) fn in_process_if_possible(self, bot: &BotSpec) -> Terms {
        let thinks_by_playouts =
            matches!(bot, BotSpec::BuiltIn(name) if name.contains("playouts="));
        Terms { in_process: self.in_process || thinks_by_playouts, ..self }
    }

    /// The plan, after every part of it was tested once.
    pub(super) fn plan(&self, catalogue: &Catalogue, line_up: LineUp) -> anyhow::Result<Plan> {
        let LineUp { game, form, bots, rounds, sprt } = line_up;
        let game = catalogue.find_game(&game)?;
        let options = self.options.pairs();
        let opening_plies = match self.opening_plies {
            Some(plies) => plies,
            None => default_opening_plies(game, &options)?,
        };
        let seats = (game.judge)(self.seed, &options)?.seats();
        for spec in &bots {
            spec.check(catalogue, game.name)?;
        }
        let arena = own_program()?;
        let planned: Result<Vec<_>, _> =
            bots.iter().map(|spec| PlannedBot::new(spec, &arena)).collect();
        let plan = Plan {
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.name.to_owned(),
            options: options
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
            seats,
            form,
            bots: planned?,
            seed: self.seed,
            opening_plies,
            rounds,
            sprt,
            in_process: self.in_process,
            strict: self.strict,
            memory_mib: self.memory,
        };
        plan.check(catalogue)?;
        Ok(plan)
    }
}

/// Rejects a number of games that is odd, or larger than a plan can have.
pub(super) fn check_games(games: u64) -> anyhow::Result<()> {
    ensure!(games.is_multiple_of(2), "games come in pairs: {games} is not an even number");
    ensure!(games / 2 <= MOST_ROUNDS, "{games} games are more than {}", 2 * MOST_ROUNDS);
    Ok(())
}

/// The accepted values of `--memory`.
pub(super) fn memory_range() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=MOST_MEMORY_MIB)
}

/// Use of this machine.
#[derive(Debug, Clone, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Running {
    /// Number of concurrent games [default: the number of cores]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_JOBS))]
    jobs: Option<u64>,
    /// Do not pin bots to cores
    #[arg(long)]
    no_pinning: bool,
    /// Run each bot in a sandbox (bubblewrap): no network, no signals to other processes, read-only
    /// file system
    #[arg(long)]
    sandbox: bool,
    /// Do not store the messages and search reports of the games in --out
    #[arg(long)]
    no_messages: bool,
    /// Print only the result, as JSON, on standard output
    #[arg(long)]
    json: bool,
}

impl Running {
    /// Number of concurrent games.
    pub(super) fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| Cores::available().count(), |jobs| jobs as usize)
    }

    /// Whether bots run in sandboxes; checks that this is possible.
    pub(super) fn sandbox(&self) -> anyhow::Result<bool> {
        check_sandbox(self.sandbox)
    }

    /// Whether the result is printed as JSON.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }
}

/// Rejects a sandbox that this machine does not permit.
pub(super) fn check_sandbox(is_wanted: bool) -> anyhow::Result<bool> {
    if is_wanted {
        crate::process::check_sandbox().map_err(anyhow::Error::msg)?;
    }
    Ok(is_wanted)
}

/// A sequential test, as arguments.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct TestArguments {
    /// Stop as soon as a sequential test decides between two Elo differences (alpha and beta are
    /// 0.05 unless given)
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA[,BETA]]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Scale of the differences of the test
    #[arg(long, value_name = "MODEL", default_value = "logistic")]
    elo_model: EloModel,
    /// Exit with status 3 unless the test accepts the larger difference
    #[arg(long, requires = "sprt")]
    require_pass: bool,
}

impl TestArguments {
    pub(super) fn test(&self) -> Option<Sprt> {
        self.sprt.map(|sprt| Sprt { model: self.elo_model, ..sprt })
    }

    /// The exit status of a match with this result.
    pub(super) fn exit_code(&self, standing: &Standing) -> ExitCode {
        let decision = self.test().and_then(|sprt| sprt.decision(&standing.pairings[0].tally));
        let failed = self.require_pass && decision != Some(Accepted::H1);
        ExitCode::from(if failed { TEST_NOT_PASSED } else { 0 })
    }
}

/// How the execution of a plan ended.
#[derive(Debug)]
pub(super) struct Played {
    pub standing: Standing,
    pub was_interrupted: bool,
}

impl Played {
    /// The exit status, if the caller does not choose it.
    pub(super) fn interrupted(&self) -> Option<ExitCode> {
        self.was_interrupted.then(|| ExitCode::from(INTERRUPTED))
    }
}

/// The file that this process was started from, even if it was replaced.
pub(super) fn own_program() -> anyhow::Result<PathBuf> {
    let own = crate::process::own_file().map_or_else(std::env::current_exe, Ok);
    own.context("cannot find this program's own file")
}

/// A flag that is set by any signal that would end this process and can be caught.
pub(super) fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM,
        SIGXCPU,
    };
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO,
        SIGXCPU,
    ] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).context("cannot catch signals")?;
    }
    Ok(stop)
}

/// Plays the rest of a plan, with progress on standard error, and prints the results to standard
/// output. If `out` has more rounds than the plan, the plan is extended.
pub(super) fn play_plan(
    catalogue: &Catalogue,
    mut plan: Plan,
    out: Option<&Path>,
    running: &Running,
) -> anyhow::Result<Played> {
    let asked = 0..plan.len();
    let (mut count, mut played) = (Count::new(&plan), BTreeSet::new());
    let mut messages_bytes = 0;
    let mut journal = match out {
        Some(directory) => Some(Journal::open(directory, &mut plan, |pair| {
            played.insert(pair.index);
            count.add(RoundSummary::of(&pair));
            messages_bytes += bytes_of_messages(&pair);
        })?),
        None => None,
    };
    // The plan of the directory may have more rounds.
    plan.check(catalogue)?;
    let beyond = played.range(asked.end..).count();
    if let (1.., Some(directory)) = (beyond, out) {
        let (there, asked, directory) = (played.len(), asked.end, directory.display());
        writeln!(
            io::stderr(),
            "{directory} holds {there} pairs, {beyond} of them beyond the {asked} that were asked for: all count"
        )?;
    }
    let stop = stop_on_signals()?;
    let journal = journal.as_mut();
    let mut session = Session { catalogue, plan: &plan, journal, played, count, messages_bytes };
    let result = session.play(asked, &stop, running);
    // Results are shown even if the machine failed during the match.
    let messages_bytes = session.messages_bytes;
    let standing = session.count.finish();
    show(&plan, &standing, running.json)?;
    result?;
    if let (Some(directory), true) = (out, messages_bytes > 0) {
        let (mb, directory) = (messages_bytes as f64 / 1e6, directory.display());
        writeln!(
            io::stderr(),
            "messages and search reports: {mb:.1} MB (--no-messages leaves them out); see them by `arena replay {directory}`"
        )?;
    }
    let was_interrupted = stop.load(Ordering::Relaxed);
    if let (true, Some(directory)) = (was_interrupted, out) {
        writeln!(
            io::stderr(),
            "interrupted; the same command goes on with {}",
            directory.display()
        )?;
    }
    Ok(Played { standing, was_interrupted })
}

/// Shows the results on standard output.
pub(super) fn show(plan: &Plan, standing: &Standing, as_json: bool) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    if as_json {
        serde_json::to_writer_pretty(&mut stdout, &summary(plan, standing))?;
        writeln!(stdout)?;
    } else {
        write!(stdout, "{}{}", report::results(plan, standing), report::times(plan, standing))?;
    }
    Ok(())
}

/// A plan during its execution: the stored rounds, and where further ones go.
pub(super) struct Session<'a> {
    pub catalogue: &'a Catalogue,
    pub plan: &'a Plan,
    pub journal: Option<&'a mut Journal>,
    /// Indices of the stored rounds.
    pub played: BTreeSet<u64>,
    pub count: Count,
    /// Bytes of messages in the journal.
    pub messages_bytes: u64,
}

/// Size of a pair's messages in a journal, in bytes.
fn bytes_of_messages(pair: &PairRecord) -> u64 {
    pair.games.iter().filter_map(|game| game.messages.as_ref()).map(PackedMessages::bytes).sum()
}

impl Session<'_> {
    /// Plays those of `rounds` that are not stored yet.
    pub(super) fn play(
        &mut self,
        rounds: Range<u64>,
        stop: &AtomicBool,
        running: &Running,
    ) -> anyhow::Result<()> {
        let plan = self.plan;
        let game = self.catalogue.find_game(&plan.game)?;
        let specs: Result<Vec<BotSpec>, _> = plan.bots.iter().map(|bot| bot.bot.parse()).collect();
        let before = self.played.range(rounds.clone()).count() as u64;
        let total = rounds.end.saturating_sub(rounds.start);
        if self.count.is_decided() || before >= total {
            return Ok(());
        }
        let mut progress = Progress::new(plan, total, before, io::stderr().is_terminal());
        crate::process::adopt_orphans().context("cannot adopt orphans")?;
        let machine = Machine {
            jobs: running.jobs(),
            pins: !running.no_pinning,
            sandbox: running.sandbox()?,
            keeps_messages: !running.no_messages,
            arena: own_program()?,
            stop,
        };
        let work = Work { plan, game, catalogue: *self.catalogue, specs: &specs? };
        let (played, count) = (&self.played, &mut self.count);
        let messages_bytes = &mut self.messages_bytes;
        let open = rounds.filter(|index| !played.contains(index));
        let mut new = 0;
        let result = run(&work, open, &machine, self.journal.as_deref_mut(), |event| {
            if let Event::Played(pair) = event {
                count.add(RoundSummary::of(pair));
                *messages_bytes += bytes_of_messages(pair);
                new += 1;
            }
            progress.show(count, before + new);
            !count.is_decided()
        });
        progress.finish(count, before + new);
        result.context("cannot go on")
    }
}

/// All results, as data.
pub(super) fn summary(plan: &Plan, standing: &Standing) -> serde_json::Value {
    let says_something = !standing.says_nothing();
    let estimates: Vec<_> = (0..standing.pairings.len())
        .map(|at| says_something.then(|| standing.estimate(at)))
        .collect();
    let test = plan.sprt.map(|sprt| {
        let tally = &standing.pairings[0].tally;
        serde_json::json!({
            "bounds": sprt.bounds(),
            "log_likelihood_ratio": sprt.log_likelihood_ratio(tally),
            "accepted": sprt.decision(tally),
        })
    });
    let finite = |value: f64| value.is_finite().then_some(value);
    let ratings = standing.ratings().into_iter();
    let rating = |elo: f64, error: f64| serde_json::json!({"elo": elo, "error": finite(error)});
    let ratings: Vec<_> = ratings.map(|r| says_something.then(|| rating(r.elo, r.error))).collect();
    serde_json::json!({
        "plan": plan, "standing": standing, "estimates": estimates, "ratings": ratings, "test": test,
    })
}
