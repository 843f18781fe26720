//! `arena play`: plays one game and shows it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::contest::MOST_SEATS;
use crate::player::BotSpec;
use crate::record::GameRecord;
use crate::referee::{self, Conduct, Occasion, PlayError, Player, Watcher};
use crate::sitting::{Sitting, Table, is_human};
use crate::view::{BoardView, Screen, ordinal};
use anyhow::{Context, ensure};
use games::{Entry, Judging};
use mcts_core::rng::mix;

use crate::catalogue::Catalogue;

use super::contest::{INTERRUPTED, check_sandbox, memory_range, own_program, stop_on_signals};
use super::options::GameOptions;

/// Plays one game between programs, or against you, and shows it
///
/// BOT is a built-in bot (`mcts`, `greedy`, `random`, with `:KEY=VALUE,...` for parameters; see
/// `arena list`), `human` for a person at this terminal, or `cmd:` and a command line, in which
/// {seed} stands for the bot's seed. The exit status is 0 if the game was played, with any result,
/// and 1 if it could not be played.
#[derive(Debug, clap::Args)]
pub(super) struct Play {
    /// Name of the game
    game: String,
    /// Bot of the first seat [default: the game's first bot in `arena list`]
    #[arg(long, value_name = "BOT")]
    first: Option<BotSpec>,
    /// Bot of the second seat [default: `greedy` or `random`]
    #[arg(long, value_name = "BOT")]
    second: Option<BotSpec>,
    /// Bot of the next seat, for games with any number of seats; the last one also takes the
    /// remaining seats
    #[arg(long = "seat", value_name = "BOT", conflicts_with_all = ["first", "second"])]
    seats: Vec<BotSpec>,
    /// Seed of the board and of the bots
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Start from this position instead of the start of the seed
    #[arg(long, value_name = "POSITION")]
    from: Option<String>,
    /// Write the record, with every message, to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Show only the result
    #[arg(long)]
    quiet: bool,
    /// Blanks at the end of an answer lose the game
    #[arg(long)]
    strict: bool,
    /// Memory limit of a bot and its children
    #[arg(long, value_name = "MIB", value_parser = memory_range())]
    memory: Option<u64>,
    /// Run each bot in a sandbox (bubblewrap): no network, no signals to other processes, read-only
    /// file system
    #[arg(long)]
    sandbox: bool,
    #[command(flatten)]
    options: GameOptions,
}

impl Play {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let game = catalogue.find_game(&self.game)?;
        let options = self.options.pairs();
        let mut judging = match &self.from {
            Some(position) => (game.judge_from)(position, &options)?,
            None => (game.judge)(self.seed, &options)?,
        };
        let specs = self.specs(catalogue, judging.seats())?;
        let json = match &self.json {
            Some(file) => Some(create(file)?),
            None => None,
        };
        let is_shared = specs.iter().any(is_human);
        let record = if is_shared {
            self.sit(catalogue, game, &specs)?
        } else {
            self.watch(judging.as_mut(), &specs)?
        };
        let Some(mut record) = record else { return Ok(ExitCode::from(INTERRUPTED)) };
        let owned = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        record.options = options.iter().map(owned).collect();
        show_result(&record, &mut io::stdout().lock())?;
        if let (Some(file), Some(json)) = (&self.json, json) {
            write_record(&record, json)
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The bot of each seat.
    fn specs(&self, catalogue: &Catalogue, seats: usize) -> anyhow::Result<Vec<BotSpec>> {
        ensure!(seats <= MOST_SEATS, "a game of {seats} seats cannot be played here");
        ensure!(seats >= 2 || self.second.is_none(), "the game has one seat: there is no --second");
        let is_there = |name: &&str| catalogue.bot(&self.game, name).is_ok();
        let strongest = catalogue.default_bot(&self.game).unwrap_or("mcts");
        let to_beat = ["greedy", "random"].into_iter().find(is_there).unwrap_or(strongest);
        let first = || self.first.clone().unwrap_or_else(|| BotSpec::BuiltIn(strongest.to_owned()));
        let second = || self.second.clone().unwrap_or_else(|| BotSpec::BuiltIn(to_beat.to_owned()));
        let mut specs = self.seats.clone();
        if specs.is_empty() {
            specs = vec![first(), second()];
        }
        ensure!(
            self.seats.len() <= seats,
            "the game has {seats} seats, but there are {} players",
            self.seats.len()
        );
        let last = specs[specs.len() - 1].clone();
        specs.resize(seats, last);
        for spec in specs.iter().filter(|spec| !is_human(spec)) {
            spec.check(catalogue, &self.game)?;
        }
        Ok(specs)
    }

    /// A game between programs under the referee; `None` if it was interrupted.
    fn watch(
        &self,
        judging: &mut dyn Judging,
        specs: &[BotSpec],
    ) -> anyhow::Result<Option<GameRecord>> {
        let arena = own_program()?;
        let player = |(seat, spec): (usize, &BotSpec)| {
            spec.player(&self.game, mix(self.seed ^ mix(seat as u64 + 1)), &arena)
        };
        let players: Vec<Player> = specs.iter().enumerate().map(player).collect();
        let names = players.iter().map(|player| player.name.clone()).collect();
        crate::process::adopt_orphans().context("cannot adopt orphans")?;
        let stop = stop_on_signals()?;
        let conduct = Conduct {
            strict: self.strict,
            memory_limit_bytes: self.memory.map(|mib| mib << 20),
            sandbox: check_sandbox(self.sandbox)?,
            keep_messages: self.json.is_some(),
            longest_game: None,
            cores: None,
            stop: &stop,
        };
        let (out, screen) = (io::stdout(), Screen::of_stdout());
        let mut view = BoardView::new(out.lock(), names, judging.time_limits(), screen);
        let watcher: &mut dyn Watcher = if self.quiet { &mut () } else { &mut view };
        let occasion = Occasion { game: &self.game, seed: self.seed };
        let record = match referee::play(judging, &players, occasion, &conduct, watcher) {
            Err(PlayError::Stopped) => return Ok(None),
            played => played?,
        };
        view.finish().context("cannot show the game")?;
        Ok(Some(record))
    }

    /// A game with a person at this terminal; `None` if she quit.
    fn sit(
        &self,
        catalogue: &Catalogue,
        game: &'static Entry,
        specs: &[BotSpec],
    ) -> anyhow::Result<Option<GameRecord>> {
        let owned = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        let table = Table {
            catalogue: *catalogue,
            game,
            options: self.options.pairs().iter().map(owned).collect(),
            from: self.from.clone(),
            seed: self.seed,
            players: specs.to_vec(),
            arena: own_program()?,
            screen: Screen::of_stdout(),
        };
        let played = Sitting::new(&table, io::stdin().lock(), io::stdout().lock())?.play()?;
        Ok(played.into_record(&table))
    }
}

/// Creates an output file before the game starts.
fn create(file: &Path) -> anyhow::Result<File> {
    File::create(file).with_context(|| format!("cannot write {}", file.display()))
}

fn write_record(record: &GameRecord, file: File) -> anyhow::Result<()> {
    let mut out = BufWriter::new(file);
    serde_json::to_writer_pretty(&mut out, record)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

pub(super) fn show_result(record: &GameRecord, out: &mut impl Write) -> io::Result<()> {
    let points: Vec<String> = record.seats.iter().map(|seat| seat.points.to_string()).collect();
    writeln!(out, "result: {} ({})", points.join(" - "), record.description)?;
    match &record.verdict {
        None => writeln!(out, "verdict: by the rules, after {} actions", record.actions.len())?,
        Some(verdict) => {
            writeln!(out, "verdict: {} loses: {verdict}", ordinal(verdict.seat))?;
            for line in &verdict.last_errors {
                writeln!(out, "         stderr: {line}")?;
            }
        }
    }
    if record.contended {
        writeln!(out, "         but the machine was too busy: the game does not count")?;
    }
    for (number, seat) in record.seats.iter().enumerate() {
        let (wall, cpu) = (seat.used.wall.as_secs_f64(), seat.used.cpu.as_secs_f64());
        write!(out, "{:6} {}: {wall:.3} s wall, {cpu:.3} s CPU", ordinal(number), seat.name)?;
        let aside = seat.used.cpu_in_others_time.as_secs_f64();
        if aside > 0.001 {
            write!(out, " ({aside:.3} s of it while it did not have to move)")?;
        }
        let delayed = seat.used.delayed.as_secs_f64();
        if delayed > 0.001 {
            write!(out, ", {delayed:.3} s ready to run without a processor")?;
        }
        writeln!(out)?;
        for warning in &seat.warnings {
            writeln!(out, "         warning: {warning}")?;
        }
    }
    Ok(())
}
