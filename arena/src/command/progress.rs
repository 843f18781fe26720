//! Progress on standard error: a live line on a terminal, now and then a plain line elsewhere.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::contest::{PairRecord, Plan, Standing};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a plain line stays the last one.
const PLAIN_PAUSE: Duration = Duration::from_secs(10);

/// The pairs so far and what is shown of them.
pub(super) struct Progress {
    standing: Standing,
    /// Pairs in the order of the plan, up to the first that is missing: all that a test may look at.
    in_order: Standing,
    /// Pairs that came before their turn.
    early: Vec<PairRecord>,
    next: u64,
    test: Option<crate::sprt::Sprt>,
    games_per_round: u64,
    total: u64,
    before: u64,
    started: Instant,
    shown: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new(
        plan: &Plan,
        total: usize,
        pairs: &[PairRecord],
        is_terminal: bool,
    ) -> Progress {
        let bar = is_terminal.then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:20} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        let mut progress = Progress {
            standing: Standing::new(plan),
            in_order: Standing::new(plan),
            early: Vec::new(),
            next: 0,
            test: plan.sprt,
            games_per_round: plan.round(0).games.len() as u64,
            total: total as u64,
            before: 0,
            started: Instant::now(),
            shown: None,
            bar,
        };
        pairs.iter().for_each(|pair| progress.add(pair));
        progress.before = progress.standing.rounds;
        progress
    }

    pub(super) fn add(&mut self, pair: &PairRecord) {
        self.standing.add(pair);
        if self.test.is_none() || self.is_decided() {
            return;
        }
        self.early.push(pair.clone());
        while let Some(at) = self.early.iter().position(|pair| pair.index == self.next) {
            let pair = self.early.swap_remove(at);
            self.next += 1;
            self.in_order.add(&pair);
            if self.is_decided() {
                return;
            }
        }
    }

    /// Whether no more pairs are needed.
    pub(super) fn is_decided(&self) -> bool {
        self.test.is_some_and(|sprt| sprt.decision(&self.in_order.pairings[0].tally).is_some())
    }

    /// Shows the state, not more often than anybody can read it.
    pub(super) fn show(&mut self) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.standing.rounds);
            bar.set_message(self.line());
        } else if self.shown.is_none_or(|shown| shown.elapsed() >= PLAIN_PAUSE) {
            self.shown = Some(Instant::now());
            let _ = writeln!(io::stderr(), "{}", self.line());
        }
    }

    pub(super) fn finish(&self) {
        match &self.bar {
            Some(bar) => bar.finish_and_clear(),
            None => {
                let _ = writeln!(io::stderr(), "{}", self.line());
            }
        }
    }

    fn line(&self) -> String {
        let games = self.standing.rounds * self.games_per_round;
        let mut line = format!("{games} of {} games", self.total * self.games_per_round);
        if let [pairing] = &self.standing.pairings[..]
            && games > 0
        {
            let estimate = self.standing.estimate(0);
            line += &format!(", {:.1} %, Elo {}", 100.0 * estimate.score, estimate.text());
            if let (3, Some((mean, error))) =
                (pairing.tally.counts().len(), pairing.mean_difference())
            {
                line += &format!(", points {mean:+.2} +- {error:.2}");
            }
        }
        if let Some(sprt) = self.test {
            let ratio = sprt.log_likelihood_ratio(&self.in_order.pairings[0].tally);
            let [lower, upper] = sprt.bounds();
            line += &format!(", LLR {ratio:+.2} [{lower:+.2}, {upper:+.2}]");
        }
        let faults: u64 = self.standing.bots.iter().flat_map(|bot| bot.faults.values()).sum();
        line += &format!(", faults {faults}");
        let played = self.standing.rounds - self.before;
        let rate = played as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        if played > 0 {
            let left = self.total.saturating_sub(self.standing.rounds) as f64 / rate;
            line +=
                &format!(", {:.1} games/s, {left:.0} s left", rate * self.games_per_round as f64);
        }
        line
    }
}
