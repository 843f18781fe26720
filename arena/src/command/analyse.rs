//! `arena analyse`: searches one position and shows the candidates.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use games::{Judging, Status};

use crate::analysis::{Effort, playouts, set_up, study};
use crate::catalogue::Catalogue;
use crate::replay::Replay;
use crate::view::{Screen, report_lines};

use super::contest::stop_on_signals;
use super::options::GameOptions;
use super::replay::read_record;

/// Interval between updates of the candidates on a terminal.
const PAUSE: Duration = Duration::from_millis(250);

/// Searches one position and shows the best actions with visits, value, line and proof
///
/// The position is the start, a position in text form (--from), or a position of a recorded game
/// (--game FILE --at N, with --pair for a match). On a terminal the candidates are updated during
/// the search; elsewhere they are printed once, at the end.
#[derive(Debug, clap::Args)]
pub(super) struct Analyse {
    /// Name of the game, see `arena list`
    game: String,
    /// Position in the game's text form
    #[arg(long, value_name = "POSITION", conflicts_with = "game_file")]
    from: Option<String>,
    /// A recorded game, or the --out directory of a match
    #[arg(long = "game", id = "game_file", value_name = "FILE")]
    game_file: Option<PathBuf>,
    /// Number of the pair in the match
    #[arg(long, requires = "game_file")]
    pair: Option<u64>,
    /// Game of the pair, 1 or 2
    #[arg(long, default_value_t = 1, requires = "pair", value_name = "NUMBER")]
    game_of_pair: usize,
    /// Position after this number of actions of the recorded game
    #[arg(long, default_value_t = 0, requires = "game_file", value_name = "NUMBER")]
    at: usize,
    /// Bot that searches: NAME or NAME:KEY=VALUE,...
    #[arg(long, default_value = "mcts", value_name = "BOT")]
    bot: String,
    /// Time limit, such as `5s`, `300ms` or `2m` [default: 5s]
    #[arg(long, value_parser = duration, conflicts_with = "playouts")]
    time: Option<Duration>,
    /// Number of playouts, instead of a time limit
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Seed of the start position
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    options: GameOptions,
}

impl Analyse {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let judging = self.position(catalogue)?;
        let Status::ToMove(seat) = judging.status() else {
            bail!("the game is over in this position; expected one with a player to move")
        };
        ensure!(
            !self.bot.starts_with("cmd:"),
            "only built-in bots can be analysed; for {}, `arena play --json` records its reports",
            self.bot
        );
        catalogue.check_bot(&self.game, &self.bot)?;
        let mut bot = catalogue.bot(&self.game, &self.budgeted(catalogue))?;
        // If the protocol can set the position, the request does.
        let set_up = set_up(bot.as_mut(), judging.as_ref(), seat);
        if self.is_elsewhere() && self.needs_position(catalogue)? {
            set_up?;
        }
        let effort = match self.playouts {
            Some(playouts) => Effort::Playouts(playouts),
            None => Effort::Time(self.time.unwrap_or(Duration::from_secs(5))),
        };
        let stop = stop_on_signals()?;
        let mut board = Board::new(judging.as_ref());
        board.start()?;
        let mut failed = Ok(());
        let found = study(bot.as_mut(), judging.as_ref(), effort, &mut |report| {
            failed = board.show(report, false);
            failed.is_ok() && !stop.load(Ordering::Relaxed)
        });
        failed?;
        match (&found.report, &found.answer) {
            (Some(report), _) => board.show(report, true)?,
            (None, Some(answer)) => writeln!(io::stdout(), "{answer} (this bot does not search)")?,
            (None, None) => bail!("the bot gave no answer"),
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The bot with the playouts that were asked for, which hold where a bot does not search in slices.
    fn budgeted(&self, catalogue: &Catalogue) -> String {
        let separator = if self.bot.contains(':') { ',' } else { ':' };
        let budgeted = self.playouts.map(|n| format!("{}{separator}playouts={n}", self.bot));
        let taken = budgeted.filter(|name| catalogue.check_bot(&self.game, name).is_ok());
        taken.unwrap_or_else(|| self.bot.clone())
    }

    /// Whether the position differs from the start.
    fn is_elsewhere(&self) -> bool {
        self.from.is_some() || self.at > 0
    }

    /// Whether the protocol cannot set another position than the start.
    fn needs_position(&self, catalogue: &Catalogue) -> anyhow::Result<bool> {
        let game = catalogue.find_game(&self.game)?;
        Ok(!crate::contest::can_tell_opening(game, &self.options.pairs(), 2)?)
    }

    fn position(&self, catalogue: &Catalogue) -> anyhow::Result<Box<dyn Judging>> {
        let game = catalogue.find_game(&self.game)?;
        let options = self.options.pairs();
        if let Some(position) = &self.from {
            return Ok((game.judge_from)(position, &options)?);
        }
        let Some(file) = &self.game_file else { return Ok((game.judge)(self.seed, &options)?) };
        let record = read_record(file, self.pair.map(|pair| (pair, self.game_of_pair)))?;
        let name = file.display();
        ensure!(
            record.game == game.name,
            "{name} is a record of {}, expected one of {}",
            record.game,
            game.name
        );
        Replay::judge_at(catalogue, &record, self.at).with_context(|| name.to_string())
    }
}

/// Reads `5s`, `300ms`, `2m`, or a number of seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let read = |(unit, seconds): (&str, f64)| {
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        Duration::try_from_secs_f64(number * seconds).ok()
    };
    let found = units.into_iter().find_map(read).filter(|time| !time.is_zero());
    found.ok_or_else(|| "expected a time such as 5s, 300ms or 2m".to_owned())
}

/// The position and the results so far.
struct Board<'a> {
    judging: &'a dyn Judging,
    screen: Screen,
    started: Instant,
    shown: Option<Instant>,
    /// Playouts so far; a report counts those of its slice only.
    playouts: u64,
    /// Number of lines of the last frame.
    lines: usize,
}

impl<'a> Board<'a> {
    fn new(judging: &'a dyn Judging) -> Board<'a> {
        let screen = Screen::of_stdout();
        Board { judging, screen, started: Instant::now(), shown: None, playouts: 0, lines: 0 }
    }

    fn start(&mut self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let picture = self.judging.picture();
        writeln!(out, "{}\n{}", picture.trim_end(), self.judging.position())?;
        out.flush()
    }

    fn show(&mut self, report: &str, is_last: bool) -> io::Result<()> {
        if !is_last {
            self.playouts += playouts(report);
            let is_soon = self.shown.is_some_and(|shown| shown.elapsed() < PAUSE);
            if is_soon || !self.screen.redraws {
                return Ok(());
            }
        }
        self.shown = Some(Instant::now());
        let seconds = self.started.elapsed().as_secs_f64();
        let mut lines =
            vec![format!("{:.1} s, {} playouts", seconds, self.playouts.max(playouts(report)))];
        lines.extend(report_lines(report));
        let mut out = io::stdout().lock();
        if self.screen.redraws && self.lines > 0 {
            write!(out, "\x1b[{}A\x1b[J", self.lines)?;
        }
        for line in &lines {
            writeln!(out, "{}", self.screen.styled(anstyle::Style::new(), line))?;
        }
        self.lines = lines.len();
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("300ms"), Ok(Duration::from_millis(300)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["", "0s", "-1s", "1h", "inf", "nan", "1e30s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
