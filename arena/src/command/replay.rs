//! `arena replay`: a recorded game, step by step.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};

use crate::catalogue::Catalogue;
use crate::contest::PairRecord;
use crate::record::GameRecord;
use crate::replay::{Replay, Step};
use crate::view::ordinal;

use super::play::show_result;

/// Steps through a game that `arena play --json` recorded, with what the bots reported of their searches, or through a
/// game of a match
///
/// On a terminal: Enter goes on, `b` goes back, a number goes to that action, `q` leaves. Elsewhere everything is written at
/// once.
#[derive(Debug, clap::Args)]
pub(super) struct ReplayCommand {
    /// The record, or the --out directory of a match
    file: PathBuf,
    /// The pair of the match, as the results number it
    #[arg(long)]
    pair: Option<u64>,
    /// The game of the pair: in the second one the seats are swapped
    #[arg(long, default_value_t = 1, requires = "pair")]
    game: usize,
    /// Show only what came of this action, counted from 1; 0 is the start
    #[arg(long, value_name = "NUMBER")]
    at: Option<usize>,
}

impl ReplayCommand {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let of_match = self.file.is_dir().then(|| self.file.join("pairs.jsonl"));
        let file = of_match.as_ref().unwrap_or(&self.file);
        let name = file.display();
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        let record = self.record(&text).with_context(|| name.to_string())?;
        let replay = Replay::new(catalogue, &record).with_context(|| name.to_string())?;
        let shown = Shown { record: &record, replay: &replay };
        let mut out = io::stdout().lock();
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

    /// The game that is asked for, out of the text of a record or of the pairs of a match.
    fn record(&self, text: &str) -> anyhow::Result<GameRecord> {
        let pairs = || text.lines().map(serde_json::from_str::<PairRecord>);
        let Some(wanted) = self.pair else {
            let count = pairs().take_while(Result::is_ok).count();
            ensure!(
                count == 0,
                "{count} pairs of a match: name one by --pair, and a game of it by --game"
            );
            return serde_json::from_str(text).context("no record of a game");
        };
        let pair = pairs().flatten().find(|pair| pair.index == wanted);
        let pair = pair.with_context(|| format!("there is no pair {wanted}"))?;
        let count = pair.games.len();
        let game = self.game.checked_sub(1).and_then(|at| pair.games.into_iter().nth(at));
        Ok(game.with_context(|| format!("pair {wanted} has games 1 to {count}"))?.record)
    }
}

struct Shown<'a> {
    record: &'a GameRecord,
    replay: &'a Replay,
}

impl Shown<'_> {
    /// Shows the start (0) or what came of an action.
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
        for report in reports {
            writeln!(out, "  {}", report.split_whitespace().collect::<Vec<_>>().join("  "))?;
        }
        writeln!(out)
    }

    /// Goes where somebody at the keyboard wants to go.
    fn browse(&self, keys: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
        let last = self.replay.steps.len();
        let mut at = 0;
        loop {
            // cursor to the top left, clear from there on
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
