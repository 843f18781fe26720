//! `arena replay`: shows a recorded game step by step.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, ensure};

use crate::catalogue::Catalogue;
use crate::contest::PairRecord;
use crate::record::GameRecord;
use crate::replay::{Replay, Step};
use crate::report::letter;
use crate::view::{ordinal, report_lines};

use super::play::show_result;

/// Steps through a game recorded by `arena play --json` or through a game of a match, with the
/// bots' search reports
///
/// On a terminal: Enter continues, `b` goes back, a number goes to that action, `q` quits.
/// Elsewhere the whole game is printed.
#[derive(Debug, clap::Args)]
pub(super) struct ReplayCommand {
    /// The record, or the --out directory of a match
    file: PathBuf,
    /// Number of the pair in the match, as in the results
    #[arg(long)]
    pair: Option<u64>,
    /// Game of the pair; in the second one the seats are swapped
    #[arg(long, default_value_t = 1, requires = "pair")]
    game: usize,
    /// Show only the position after this action, counted from 1; 0 is the start
    #[arg(long, value_name = "NUMBER")]
    at: Option<usize>,
    /// Write only that position, or the last one, as an SVG picture
    #[arg(long)]
    svg: bool,
}

impl ReplayCommand {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let mut out = io::stdout().lock();
        if self.file.is_dir() && self.pair.is_none() {
            list(&self.file.join("pairs.jsonl"), &mut out)?;
            return Ok(ExitCode::SUCCESS);
        }
        let name = self.file.display();
        let record = read_record(&self.file, self.pair.map(|pair| (pair, self.game)))?;
        if self.svg {
            let at = self.at.unwrap_or(record.actions.len());
            let judge =
                Replay::judge_at(catalogue, &record, at).with_context(|| name.to_string())?;
            let drawing = judge.drawing();
            let drawing = drawing.with_context(|| format!("{} has no pictures", record.game))?;
            writeln!(out, "{drawing}")?;
            return Ok(ExitCode::SUCCESS);
        }
        let replay = Replay::new(catalogue, &record).with_context(|| name.to_string())?;
        let shown = Shown { record: &record, replay: &replay };
        if let Some(at) = self.at {
            let last = replay.steps.len();
            ensure!(at <= last, "there is no action {at}: the game has {last}");
            shown.step(at, &mut out)?;
        } else if io::stdin().is_terminal() && out.is_terminal() {
            shown.browse(&mut io::stdin().lock(), &mut out)?;
        } else {
            (0..=replay.steps.len()).try_for_each(|at| shown.step(at, &mut out))?;
            show_result(&record, &mut out)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The record in a file, or a game (counted from 1) of a pair in the directory or file of a match.
pub(super) fn read_record(
    file: &Path,
    of_pair: Option<(u64, usize)>,
) -> anyhow::Result<GameRecord> {
    let of_match = file.is_dir().then(|| file.join("pairs.jsonl"));
    let file = of_match.as_deref().unwrap_or(file);
    let name = file.display();
    let Some((wanted, game)) = of_pair else {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        let is_match = text
            .lines()
            .next()
            .is_some_and(|line| serde_json::from_str::<PairRecord>(line).is_ok());
        ensure!(!is_match, "{name} has the pairs of a match: select one with --pair");
        let record = serde_json::from_str(&text).context("not a record of a game");
        return record.with_context(|| name.to_string());
    };
    let mut found = None;
    each_pair(file, |pair| {
        if pair.index == wanted {
            found = Some(pair);
        }
        Ok(())
    })?;
    let pair = found.with_context(|| format!("{name}: there is no pair {wanted}"))?;
    let count = pair.games.len();
    let game = game.checked_sub(1).and_then(|at| pair.games.into_iter().nth(at));
    let game = game.with_context(|| format!("{name}: pair {wanted} has games 1 to {count}"))?;
    game.into_record().map_err(|reason| anyhow!("{name}: pair {wanted}: {reason}"))
}

/// Reads the pairs of a file one by one; other lines are skipped.
fn each_pair(
    file: &Path,
    mut each: impl FnMut(PairRecord) -> io::Result<()>,
) -> anyhow::Result<()> {
    let name = file.display();
    let open = fs::File::open(file).with_context(|| format!("cannot read {name}"))?;
    for line in io::BufReader::new(open).lines() {
        let line = line.with_context(|| format!("cannot read {name}"))?;
        if let Ok(pair) = serde_json::from_str(&line) {
            each(pair)?;
        }
    }
    Ok(())
}

/// Lists the games of a match, one line each.
fn list(file: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    each_pair(file, |pair| {
        for (at, game) in pair.games.iter().enumerate() {
            let bots: Vec<String> = game.bots.iter().map(|bot| letter(*bot)).collect();
            let seats = &game.record.seats;
            let points: Vec<String> = seats.iter().map(|seat| seat.points.to_string()).collect();
            let (bots, points) = (bots.join(" "), points.join(" - "));
            let number = at + 1;
            write!(out, "--pair {} --game {number}: {bots}  {points}", pair.index)?;
            writeln!(out, "  {}", game.record.description)?;
        }
        Ok(())
    })?;
    Ok(writeln!(out, "add one of these options to see the game")?)
}

struct Shown<'a> {
    record: &'a GameRecord,
    replay: &'a Replay,
}

impl Shown<'_> {
    /// Shows the start (0) or the position after an action.
    fn step(&self, at: usize, out: &mut impl Write) -> io::Result<()> {
        let Some(before) = at.checked_sub(1) else {
            writeln!(out, "{}, seed {}", self.record.game, self.record.seed)?;
            return writeln!(out, "{}\n{}\n", self.replay.picture.trim_end(), self.replay.start);
        };
        let step = &self.replay.steps[before];
        let Step { seat, action, took, reports, position, picture } = step;
        let name = self.record.seats.get(*seat).map_or("", |seat| seat.name.as_str());
        write!(out, "{at}. {} {name}: {action}", ordinal(*seat))?;
        if let Some(took) = took {
            write!(out, "   {:.3} s", took.as_secs_f64())?;
        }
        writeln!(out, "\n{}\n{position}", picture.trim_end())?;
        for line in reports.iter().flat_map(|report| report_lines(report)) {
            writeln!(out, "  {line}")?;
        }
        writeln!(out)
    }

    /// Shows steps by the keys of the user.
    fn browse(&self, keys: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
        let last = self.replay.steps.len();
        let mut at = 0;
        loop {
            // cursor to the top left, clear the rest
            write!(out, "\x1b[H\x1b[J")?;
            self.step(at, out)?;
            if at == last {
                show_result(self.record, out)?;
            }
            write!(out, "{at} of {last}: Enter, b, a number, q> ")?;
            out.flush()?;
            let mut line = String::new();
            if keys.read_line(&mut line)? == 0 {
                return writeln!(out);
            }
            at = match line.trim() {
                "" if at == last => return Ok(()),
                "" => at + 1,
                "b" => at.saturating_sub(1),
                "q" => return Ok(()),
                number => number.parse().map_or(at, |wanted: usize| wanted.min(last)),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_on_back_and_anywhere() {
        let step = |action: &str| Step {
            seat: 0,
            action: action.to_owned(),
            took: None,
            reports: vec!["value=0.5 playouts=7".to_owned()],
            position: format!("after {action}"),
            picture: String::new(),
        };
        let replay = Replay {
            start: "start".to_owned(),
            picture: String::new(),
            steps: ["a", "b", "c"].map(step).to_vec(),
        };
        let record = serde_json::json!({
            "arena": "1", "game": "g", "seed": 1, "description": "over", "verdict": null, "contended": false,
            "seats": [], "start": "start", "actions": ["a", "b", "c"], "end": "after c", "took_us": 0,
        });
        let record: GameRecord = serde_json::from_value(record).expect("a record");
        let shown = Shown { record: &record, replay: &replay };
        let mut out = Vec::new();
        shown.browse(&mut "\n3\nb\n?\n99\n\n".as_bytes(), &mut out).expect("it is written");
        let text = String::from_utf8(out).expect("text");
        let places: Vec<&str> =
            text.lines().filter_map(|line| line.split_once(" of 3: ").map(|(at, _)| at)).collect();
        assert_eq!(places, ["0", "1", "3", "2", "2", "3"]);
        assert!(text.contains("  value=0.5  playouts=7"));
    }
}
