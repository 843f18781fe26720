//! `arena pack`: one source file to submit.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::contest::stop_on_signals;
use crate::catalogue::Catalogue;
use crate::pack::build::{Optimize, Origin, Package};
use crate::pack::compile::Compiler;
use crate::pack::source::{Choice, Language, Parts, Processor, write};
use crate::pack::transcript::{Program, Transcript, Used, opponent};
use crate::pack::{PackError, Target};
use crate::player::BotSpec;
use crate::record::GameRecord;
use crate::referee::{self, Conduct, Occasion, Player};

/// Runs of each program on each transcript; the median counts.
const RUNS: usize = 3;

/// Writes a bot as one source file for a contest, and checks that it plays the same moves
///
/// The bot is built for WebAssembly, translated, compiled by the compilers that are there, and compared with the native
/// bot: complete games with a fixed number of playouts, answers and reports equal byte for byte; then two games on real
/// clocks under the referee. The exit status is 0 if the file passed, and 1 otherwise.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Pack {
    /// Name of the game [default with --package: the name of the package]
    game: Option<String>,
    /// The bot: NAME or NAME:KEY=VALUE,...; the parameters become part of the file
    #[arg(long, value_name = "BOT", default_value = "mcts")]
    bot: String,
    /// Language of the file
    #[arg(long, default_value = "cpp")]
    to: Language,
    /// The file to write [default: the game's name with the ending of the language]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A package of `arena new` whose bot it is
    #[arg(long, value_name = "DIR")]
    package: Option<PathBuf>,
    /// Most bytes of the file: a number, with KiB, MiB, kB or MB
    #[arg(long, value_name = "SIZE", default_value = "1MiB")]
    limit: Size,
    /// Processor that the file asks the compiler for
    #[arg(long, value_name = "CPU", default_value = "modern")]
    cpu: Processor,
    /// What the bot is optimized for before it is translated
    #[arg(long, value_name = "GOAL", default_value = "both")]
    optimize: Optimize,
    /// Memory limit of the bot
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    memory: u64,
    /// Playouts of each decision in the games that are compared
    #[arg(long, default_value_t = 1_000)]
    playouts: u64,
    /// Games that are compared
    #[arg(long, default_value_t = 2)]
    games: u64,
    /// Leave out compilation and comparison
    #[arg(long)]
    no_verify: bool,
    /// Leave out the native bot, which takes the longest to build, and with it the comparison of speeds
    #[arg(long)]
    no_speed: bool,
    /// Leave out the two games on real clocks
    #[arg(long)]
    no_clock: bool,
    /// Set when the arena of a package is started for it
    #[arg(long, hide = true)]
    in_package: bool,
}

/// Bytes, as the command line writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size(usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let factor = match text[digits..].trim() {
            "" | "B" => 1,
            "kB" => 1_000,
            "KiB" => 1 << 10,
            "MB" => 1_000_000,
            "MiB" => 1 << 20,
            unit => return Err(format!("unit {unit:?}: expected B, kB, KiB, MB or MiB")),
        };
        let number: Option<usize> = text[..digits].parse().ok();
        let bytes = number.and_then(|number| number.checked_mul(factor));
        bytes.map(Size).ok_or_else(|| "expected a number such as 1MiB or 65536".to_owned())
    }
}

/// What one compiler made of the file.
struct Row {
    compiler: &'static Compiler,
    compiled: Duration,
    /// Playouts for each second of processor time, native and packed, if the bot searches.
    speeds: Option<(f64, f64)>,
    used: Used,
}

impl Pack {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let built_in = catalogue.games.len() == games::GAMES.len();
        if let (Some(directory), false) = (&self.package, self.in_package)
            && (built_in || self.game.is_none())
        {
            return self.run_in_package(directory);
        }
        let game = self.game.as_deref().context(
            "name the game whose bot is to be packed, or give a package of `arena new` by --package DIR",
        )?;
        let game = catalogue.find_game(game)?;
        catalogue.check_bot(game.name, &self.bot)?;
        let origin = self.origin(game.name)?;
        let target = Target::new(game.name, &self.bot);
        let named = format!("{}.{}", game.name, self.to.name());
        let out = self.out.clone().unwrap_or_else(|| named.into());
        let parts = self.write(&origin, &target, &out)?;
        let bytes = std::fs::metadata(&out).map_or(0, |file| file.len() as usize);
        let mut say = io::stdout();
        writeln!(say, "{}: {bytes} bytes, limit {}", out.display(), self.limit.0)?;
        let shown: Vec<String> = parts.iter().map(|(part, n)| format!("{part} {n}")).collect();
        writeln!(say, "of which {}", shown.join(", "))?;
        let fits = bytes <= self.limit.0;
        if self.no_verify {
            writeln!(say, "verdict: not verified{}", if fits { "" } else { ", too large" })?;
            return Ok(if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        let (rows, programs) = self.compare(catalogue, &origin, &target, &out)?;
        show(&rows, &mut say)?;
        if !self.no_clock {
            self.play_on_clocks(catalogue, &target, &programs[0], &mut say)?;
        }
        let verdict = if fits { "plays the same moves" } else { "plays the same moves, too large" };
        writeln!(say, "verdict: {verdict}")?;
        Ok(if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Builds the arena of the package, which includes its game, and starts it with the same arguments.
    fn run_in_package(&self, directory: &Path) -> anyhow::Result<ExitCode> {
        let package = Package::read(directory)?;
        let mut arena = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        arena.args(["run", "--quiet", "--release", "--bin", &package.name, "--manifest-path"]);
        arena.arg(package.directory.join("Cargo.toml")).args(["--", "pack", "--in-package"]);
        arena.args(self.game.is_none().then_some(&package.name));
        let status =
            arena.args(std::env::args_os().skip(2)).status().context("cannot run cargo")?;
        Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn origin(&self, game: &str) -> anyhow::Result<Origin> {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let checkout = checkout.canonicalize().context("the checkout is gone")?;
        let is_own = games::find(game).is_some() && self.package.is_none();
        let directory = self.package.as_deref().unwrap_or(Path::new("."));
        let package = if is_own { None } else { Some(Package::read(directory)?) };
        Ok(Origin { checkout, package })
    }

    fn write(&self, origin: &Origin, target: &Target, out: &Path) -> Result<Parts, PackError> {
        let module =
            step("build the bot for WebAssembly", || origin.module(target, self.optimize))?;
        let choice = Choice { language: self.to, processor: self.cpu, memory_mib: self.memory };
        step("translate", || write(origin, target, &choice, (&module, out)))
    }

    /// Compiles the file and plays the transcripts by all programs.
    fn compare(
        &self,
        catalogue: &Catalogue,
        origin: &Origin,
        target: &Target,
        out: &Path,
    ) -> anyhow::Result<(Vec<Row>, Vec<Program>)> {
        let compilers = Compiler::available(self.to)?;
        let transcripts = step("play games", || self.transcripts(catalogue, target))?;
        let native = match self.no_speed {
            true => None,
            false => Some(step("build the native bot", || native(origin, target))?),
        };
        let (mut rows, mut programs) = (Vec::new(), Vec::new());
        for (place, compiler) in compilers.into_iter().enumerate() {
            let label = compiler.label();
            let name = format!("{}-{}-{}{place}", target.game, target.bot, self.to.name());
            let file = origin.folder().join(name);
            let compiled = step(&label, || compiler.compile(out, &file))?;
            let packed = Program { file, is_native: false, parameters: Vec::new() };
            let what = format!("{label}: compare {} answers", answers(&transcripts));
            let (speeds, used) = step(&what, || measure(&transcripts, native.as_ref(), &packed))?;
            rows.push(Row { compiler, compiled, speeds, used });
            programs.push(packed);
        }
        Ok((rows, programs))
    }

    fn transcripts(
        &self,
        catalogue: &Catalogue,
        target: &Target,
    ) -> Result<Vec<Transcript>, PackError> {
        let game = catalogue.game(&target.game).map(|game| (game.judge)(0, &[]));
        let seats = game.and_then(Result::ok).map_or(1, |judging| judging.seats());
        let of_game = |game: u64| {
            let seat = game as usize % seats;
            Transcript::record(catalogue, target, (game, seat, self.playouts))
        };
        let transcripts = (0..self.games.max(1)).map(of_game).collect::<Result<Vec<_>, _>>()?;
        if transcripts.iter().all(Transcript::is_repeatable) {
            return Ok(transcripts);
        }
        Err(PackError::NotComparable(format!(
            "bot `{}` searches by time alone, so no two games are alike: give it a parameter `playouts` (as \
             SearchPlayer has it), or pack it by --no-verify",
            target.bot
        )))
    }

    /// Two games on real clocks, one on each seat.
    fn play_on_clocks(
        &self,
        catalogue: &Catalogue,
        target: &Target,
        program: &Program,
        say: &mut impl Write,
    ) -> anyhow::Result<()> {
        crate::process::adopt_orphans().context("cannot adopt orphans")?;
        let stop = stop_on_signals()?;
        let game = catalogue.find_game(&target.game)?;
        let arena = std::env::current_exe().context("cannot find this program's own file")?;
        let (against, _) = opponent(catalogue, game.name, self.playouts);
        for number in 0..2_u64 {
            let mut judging = (game.judge)(number, &[])?;
            let (seats, limits) = (judging.seats(), judging.time_limits());
            let seat = number as usize % seats;
            let players: Vec<Player> = (0..seats)
                .map(|place| {
                    let packed = BotSpec::Command(vec![program.file.display().to_string()]);
                    let other = BotSpec::BuiltIn(against.clone());
                    let spec = if place == seat { packed } else { other };
                    spec.player(game.name, number, &arena)
                })
                .collect();
            let conduct = Conduct {
                strict: true,
                memory_limit_bytes: None,
                keep_messages: false,
                longest_game: None,
                sandbox: false,
                cores: None,
                stop: &stop,
            };
            let occasion = Occasion { game: game.name, seed: number };
            let record = step(&format!("game {} on real clocks", number + 1), || {
                referee::play(judging.as_mut(), &players, occasion, &conduct, &mut ())
                    .map_err(anyhow::Error::from)
            })?;
            self.judge(&record, seat)?;
            let used = record.seats[seat].used;
            let points: Vec<String> =
                record.seats.iter().map(|seat| seat.points.to_string()).collect();
            writeln!(
                say,
                "on real clocks, seat {}: {} against {against}, {:.2} s wall and {:.2} s CPU of {:.2} s",
                seat + 1,
                points.join(" - "),
                used.wall.as_secs_f64(),
                used.cpu.as_secs_f64(),
                limits.wall.as_secs_f64()
            )?;
        }
        Ok(())
    }

    fn judge(&self, record: &GameRecord, seat: usize) -> anyhow::Result<()> {
        match &record.verdict {
            Some(verdict) if verdict.seat == seat => {
                Err(PackError::Fault(Box::new(record.clone())).into())
            }
            Some(verdict) => bail!("the opponent lost other than by the rules: {verdict}"),
            None => {
                let exit = record.seats[seat].exit;
                let is_orderly = exit.is_none_or(|exit| exit == crate::process::Exit::Code(0));
                ensure!(is_orderly, "the program did not leave with exit code 0: {exit:?}");
                Ok(())
            }
        }
    }
}

fn answers(transcripts: &[Transcript]) -> usize {
    transcripts.iter().map(Transcript::answers).sum()
}

fn native(origin: &Origin, target: &Target) -> Result<Program, PackError> {
    let own = target.parameters.split(',').filter_map(|word| word.split_once('='));
    let own = own.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    Ok(Program { file: origin.native(target)?, is_native: true, parameters: own.collect() })
}

/// Plays every transcript by both programs, in turn; speeds are medians.
fn measure(
    transcripts: &[Transcript],
    native: Option<&Program>,
    packed: &Program,
) -> Result<(Option<(f64, f64)>, Used), PackError> {
    let (mut of_native, mut of_packed, mut most) = (Vec::new(), Vec::new(), Used::default());
    let playouts: u64 = transcripts.iter().map(Transcript::playouts).sum();
    for _ in 0..RUNS {
        let (mut native_cpu, mut packed_cpu) = (Duration::ZERO, Duration::ZERO);
        for transcript in transcripts {
            if let Some(native) = native {
                native_cpu += transcript.play(native)?.cpu;
            }
            let used = transcript.play(packed)?;
            packed_cpu += used.cpu;
            most = Used {
                cpu: most.cpu.max(used.cpu),
                start: most.start.max(used.start),
                peak_bytes: most.peak_bytes.max(used.peak_bytes),
            };
        }
        of_native.push(native_cpu);
        of_packed.push(packed_cpu);
    }
    let speed = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        playouts as f64 / times[times.len() / 2].as_secs_f64().max(1e-9)
    };
    let is_measured = playouts > 0 && native.is_some();
    let speeds = is_measured.then(|| (speed(&mut of_native), speed(&mut of_packed)));
    Ok((speeds, most))
}

/// Does something, and says what and how long it took on standard error.
fn step<T, E>(what: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let started = Instant::now();
    let _ = writeln!(io::stderr(), "-- {what}");
    let done = work()?;
    let _ = writeln!(io::stderr(), "   {:.1} s", started.elapsed().as_secs_f64());
    Ok(done)
}

fn show(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    let width = rows.iter().map(|row| row.compiler.label().len()).max().unwrap_or(0);
    writeln!(
        out,
        "{:width$}  {:>9}  {:>10}  {:>10}  {:>5}  {:>7}  {:>8}",
        "compiler", "compile s", "native/s", "packed/s", "ratio", "MiB", "start ms"
    )?;
    for Row { compiler, compiled, speeds, used } in rows {
        let shown = |speed: f64| format!("{speed:.0}");
        let [native, packed, ratio] = match speeds {
            Some((native, packed)) => {
                [shown(*native), shown(*packed), format!("{:.2}", packed / native)]
            }
            None => ["-", "-", "-"].map(str::to_owned),
        };
        writeln!(
            out,
            "{:width$}  {:9.1}  {native:>10}  {packed:>10}  {ratio:>5}  {:7.1}  {:8.1}",
            compiler.label(),
            compiled.as_secs_f64(),
            used.peak_bytes as f64 / f64::from(1 << 20),
            used.start.as_secs_f64() * 1e3
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        for (text, bytes) in
            [("100", 100), ("64KiB", 65_536), ("1MiB", 1 << 20), ("120 kB", 120_000)]
        {
            assert_eq!(text.parse(), Ok(Size(bytes)));
        }
        for text in ["", "MiB", "1GB", "-1", "99999999999999999999"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
