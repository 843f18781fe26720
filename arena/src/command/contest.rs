//! What `match`, `tournament`, `plan` and `shard` share: from arguments to a plan, and from a plan to its results.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::contest::{
    Cores, Event, Form, Journal, Machine, PairRecord, Plan, PlannedBot, Standing, Work,
    default_opening_plies, run,
};
use crate::player::BotSpec;
use crate::report;
use crate::sprt::{Accepted, EloModel, Sprt};
use anyhow::{Context, ensure};

use crate::catalogue::Catalogue;

use super::find_game;
use super::options::GameOptions;
use super::progress::Progress;

/// Exit status of a test that was asked for and did not accept H1.
pub(super) const TEST_NOT_PASSED: u8 = 3;

/// Exit status after an interrupt.
pub(super) const INTERRUPTED: u8 = 130;

/// What is played and how it is judged: everything of a plan but who plays and how often.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Terms {
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Random actions before the bots begin [default: 6 where all games would begin alike, else 0]
    #[arg(long, value_name = "PLIES")]
    opening_plies: Option<usize>,
    /// Bots think in this process, without clocks: built-in bots with a number of playouts
    #[arg(long)]
    in_process: bool,
    /// Blanks at the end of an answer lose
    #[arg(long)]
    strict: bool,
    /// Most memory of a bot and its children
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    #[command(flatten)]
    options: GameOptions,
}

/// Who plays, and how often.
#[derive(Debug, Clone)]
pub(super) struct LineUp {
    pub game: String,
    pub form: Form,
    pub bots: Vec<BotSpec>,
    pub rounds: u64,
    pub sprt: Option<Sprt>,
}

impl Terms {
    /// The same terms, in this process if the bot is a built-in one that thinks by a number of playouts.
    pub(super) fn in_process_if_possible(self, bot: &BotSpec) -> Terms {
        let thinks_by_playouts =
            matches!(bot, BotSpec::BuiltIn(name) if name.contains("playouts="));
        Terms { in_process: self.in_process || thinks_by_playouts, ..self }
    }

    /// The plan, after everything in it has been tried once.
    pub(super) fn plan(&self, catalogue: &Catalogue, line_up: LineUp) -> anyhow::Result<Plan> {
        let LineUp { game, form, bots, rounds, sprt } = line_up;
        let game = find_game(catalogue, &game)?;
        let options = self.options.pairs();
        let seats = (game.judge)(self.seed, &options)?.seats();
        ensure!(seats <= 2, "games of {seats} seats cannot be matched");
        ensure!(bots.len() >= 2, "a comparison needs at least two bots");
        let opening_plies = match self.opening_plies {
            Some(plies) => plies,
            None => default_opening_plies(game, &options)?,
        };
        let arena = own_program()?;
        for spec in &bots {
            spec.check(catalogue, game.name)?;
            let is_built_in = matches!(spec, BotSpec::BuiltIn(_));
            ensure!(
                is_built_in || !self.in_process,
                "{spec} is a program: it cannot play in this process"
            );
        }
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
        if !plan.is_empty() {
            plan.judge(game, plan.round(0).seed)?;
        }
        Ok(plan)
    }
}

/// Use of this machine.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Running {
    /// Games at once [default: as many as there are cores]
    #[arg(long)]
    jobs: Option<usize>,
    /// Let the system choose the cores
    #[arg(long)]
    no_pinning: bool,
    /// Show the state as JSON at the end, and nothing else on standard output
    #[arg(long)]
    json: bool,
}

impl Running {
    /// Games at once, if somebody said so.
    pub(super) fn jobs(&self) -> Option<usize> {
        self.jobs
    }

    /// Whether the result is wanted as JSON.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }
}

/// A sequential test, as arguments.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct TestArguments {
    /// Stop as soon as a sequential test decides between two differences of Elo (alpha and beta are 0.05 unless given)
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA[,BETA]]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// What the differences of the test mean
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

    /// The exit status of a match that ended with this state.
    pub(super) fn exit_code(&self, standing: &Standing) -> ExitCode {
        let decision = self.test().and_then(|sprt| sprt.decision(&standing.pairings[0].tally));
        let failed = self.require_pass && decision != Some(Accepted::H1);
        ExitCode::from(if failed { TEST_NOT_PASSED } else { 0 })
    }
}

/// How playing a plan ended.
#[derive(Debug)]
pub(super) struct Played {
    pub standing: Standing,
    pub was_interrupted: bool,
}

impl Played {
    /// The exit status, if it is not the caller's to choose.
    pub(super) fn interrupted(&self) -> Option<ExitCode> {
        self.was_interrupted.then(|| ExitCode::from(INTERRUPTED))
    }
}

/// The file of this very program.
pub(super) fn own_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find this program's own file")
}

/// Set when somebody wants this process to end.
pub(super) fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    ctrlc::set_handler(move || set.store(true, Ordering::Relaxed))
        .context("cannot catch signals")?;
    Ok(stop)
}

/// Plays what is left of a plan, with progress on standard error, and shows the results on standard output.
pub(super) fn play_plan(
    catalogue: &Catalogue,
    plan: &Plan,
    out: Option<&Path>,
    running: &Running,
) -> anyhow::Result<Played> {
    let (mut journal, pairs) = match out {
        Some(directory) => {
            let (journal, pairs) = Journal::open(directory, plan)?;
            (Some(journal), pairs)
        }
        None => (None, Vec::new()),
    };
    let stop = stop_on_signals()?;
    let mut session = Session { catalogue, plan, journal: journal.as_mut(), pairs };
    session.play((0..plan.len()).collect(), &stop, running)?;
    let standing = counted(plan, &mut session.pairs);
    show(plan, &standing, running.json)?;
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

/// A plan being played: what is there already, and where more goes.
pub(super) struct Session<'a> {
    pub catalogue: &'a Catalogue,
    pub plan: &'a Plan,
    pub journal: Option<&'a mut Journal>,
    pub pairs: Vec<PairRecord>,
}

impl Session<'_> {
    /// Plays those of `rounds` that are not there yet.
    pub(super) fn play(
        &mut self,
        mut rounds: Vec<u64>,
        stop: &AtomicBool,
        running: &Running,
    ) -> anyhow::Result<()> {
        let plan = self.plan;
        let game = find_game(self.catalogue, &plan.game)?;
        let specs: Result<Vec<BotSpec>, _> = plan.bots.iter().map(|bot| bot.bot.parse()).collect();
        let total = rounds.len();
        let played: BTreeSet<u64> = self.pairs.iter().map(|pair| pair.index).collect();
        rounds.retain(|index| !played.contains(index));
        let mut progress = Progress::new(plan, total, &self.pairs, io::stderr().is_terminal());
        if progress.is_decided() || rounds.is_empty() {
            return Ok(());
        }
        crate::process::adopt_orphans().context("cannot adopt orphans")?;
        let machine = Machine {
            jobs: running.jobs.unwrap_or_else(|| Cores::available().count()),
            pins: !running.no_pinning,
            arena: own_program()?,
            stop,
        };
        let catalogue = *self.catalogue;
        let work = Work { plan, game, catalogue, specs: &specs?, rounds };
        let pairs = &mut self.pairs;
        let result = run(&work, &machine, self.journal.as_deref_mut(), |event| {
            if let Event::Played(pair) = event {
                progress.add(pair);
                pairs.push(pair.clone());
            }
            progress.show();
            !progress.is_decided()
        });
        progress.finish();
        result.context("cannot go on")
    }
}

/// The state that counts: pairs in the order of the plan, and with a test no more than it needed.
pub(super) fn counted(plan: &Plan, pairs: &mut [PairRecord]) -> Standing {
    pairs.sort_by_key(|pair| pair.index);
    let mut standing = Standing::new(plan);
    for (place, pair) in pairs.iter().enumerate() {
        let is_next = pair.index == place as u64;
        let is_decided =
            plan.sprt.is_some_and(|sprt| sprt.decision(&standing.pairings[0].tally).is_some());
        if plan.sprt.is_some() && (!is_next || is_decided) {
            break;
        }
        standing.add(pair);
    }
    standing
}

/// Everything that there is to say, as data.
pub(super) fn summary(plan: &Plan, standing: &Standing) -> serde_json::Value {
    let estimates: Vec<_> = (0..standing.pairings.len()).map(|at| standing.estimate(at)).collect();
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
    let ratings: Vec<_> =
        ratings.map(|r| serde_json::json!({"elo": r.elo, "error": finite(r.error)})).collect();
    serde_json::json!({
        "plan": plan, "standing": standing, "estimates": estimates, "ratings": ratings, "test": test,
    })
}
