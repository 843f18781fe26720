//! Progress on standard error: a live line on a terminal, a plain line from time to time elsewhere.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::contest::{Count, Plan};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Minimum time between plain lines.
const PLAIN_PAUSE: Duration = Duration::from_secs(10);

/// The progress display of a plan.
pub(super) struct Progress {
    test: Option<crate::sprt::Sprt>,
    games_per_round: u64,
    total: u64,
    before: u64,
    started: Instant,
    shown: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A plan of `total` rounds, of which `before` were already played.
    pub(super) fn new(plan: &Plan, total: u64, before: u64, is_terminal: bool) -> Progress {
        let bar = is_terminal.then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:20} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Progress {
            test: plan.sprt,
            games_per_round: plan.round(0).games.len() as u64,
            total,
            before,
            started: Instant::now(),
            shown: None,
            bar,
        }
    }

    /// Shows the state after `played` rounds, at a limited rate.
    pub(super) fn show(&mut self, count: &Count, played: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(played);
            bar.set_message(self.line(count, played));
        } else if self.shown.is_none_or(|shown| shown.elapsed() >= PLAIN_PAUSE) {
            self.shown = Some(Instant::now());
            let _ = writeln!(io::stderr(), "{}", self.line(count, played));
        }
    }

    pub(super) fn finish(&self, count: &Count, played: u64) {
        match &self.bar {
            Some(bar) => bar.finish_and_clear(),
            None => {
                let _ = writeln!(io::stderr(), "{}", self.line(count, played));
            }
        }
    }

    fn line(&self, count: &Count, played: u64) -> String {
        let standing = count.standing();
        let games = played * self.games_per_round;
        let mut line = format!("{games} of {} games", self.total * self.games_per_round);
        if let [pairing] = &standing.pairings[..]
            && games > 0
        {
            let estimate = standing.estimate(0);
            line += &format!(", {:.1} %, Elo {}", 100.0 * estimate.score, estimate.text());
            if let (3, Some((mean, error))) =
                (pairing.tally.counts().len(), pairing.mean_difference())
            {
                line += &format!(", points {mean:+.2} +- {error:.2}");
            }
        }
        if let Some(sprt) = self.test {
            let ratio = sprt.log_likelihood_ratio(&standing.pairings[0].tally);
            let [lower, upper] = sprt.bounds();
            line += &format!(", LLR {ratio:+.2} [{lower:+.2}, {upper:+.2}]");
        }
        let faults: u64 = standing.bots.iter().flat_map(|bot| bot.faults.values()).sum();
        line += &format!(", faults {faults}");
        let new = played - self.before;
        let rate = new as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        if new > 0 {
            let left = self.total.saturating_sub(played) as f64 / rate;
            line +=
                &format!(", {:.1} games/s, {left:.0} s left", rate * self.games_per_round as f64);
        }
        line
    }
}
