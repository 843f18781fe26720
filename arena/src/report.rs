//! The results of a plan as text: equal for equal pairs, wherever they were played, except for the
//! times.

use std::fmt::Write;

use crate::contest::{Form, PairingLine, Plan, Standing};
use crate::elo::EloEstimate;
use crate::sprt::{Accepted, Sprt};
use crate::view::ordinal;

/// The results of the pairs: scores, Elo, tests, seats, cross table and faults. Independent of
/// times.
#[must_use]
pub fn results(plan: &Plan, standing: &Standing) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}, seed {}, plan {}", plan.game, plan.seed, plan.fingerprint());
    for (at, bot) in plan.bots.iter().enumerate() {
        let _ = writeln!(
            text,
            "  {} = {} ({})",
            letter(at),
            bot.bot,
            bot.content.chars().take(12).collect::<String>()
        );
    }
    if plan.bots.len() == 2 && plan.form == Form::RoundRobin {
        text += &pairing(plan, standing, 0);
    } else {
        text += no_elo(standing).unwrap_or("");
        text += &ratings(plan, standing);
        text += &match plan.form {
            Form::RoundRobin => cross_table(plan, standing),
            Form::Gauntlet => against_first(plan, standing),
        };
    }
    if let Some(sprt) = plan.sprt.filter(|_| standing.pairings.len() == 1) {
        let _ = writeln!(text, "{}", test(&sprt, standing));
    }
    text += &seats(plan, standing);
    text + &faults(plan, standing)
}

/// Why there is no Elo estimate, if there is none.
fn no_elo(standing: &Standing) -> Option<&'static str> {
    match standing.games {
        0 => Some("no Elo: no game counts\n"),
        _ if standing.says_nothing() => {
            Some("no Elo: every game ended by a fault, so they say nothing about strength\n")
        }
        _ => None,
    }
}

/// The name of a bot in tables.
#[must_use]
pub fn letter(bot: usize) -> String {
    u8::try_from(bot)
        .ok()
        .filter(|at| *at < 26)
        .map_or_else(|| format!("bot{}", bot + 1), |at| char::from(b'A' + at).to_string())
}

fn pairing(plan: &Plan, standing: &Standing, at: usize) -> String {
    let line = &standing.pairings[at];
    let estimate = standing.estimate(at);
    let (one, other) = (letter(line.bots.0), letter(line.bots.1));
    let counts: Vec<String> = line.tally.counts().iter().map(u64::to_string).collect();
    let mut text = String::new();
    let (score, pairs) = (100.0 * estimate.score, estimate.pairs);
    let kinds = match plan.seats {
        1 => Some("fewer, as many, more points"),
        2 => Some("0, 1/2, 1, 3/2, 2 points"),
        _ => None,
    };
    let _ = match kinds {
        Some(kinds) => writeln!(
            text,
            "{one} against {other}: {score:.2} % in {pairs} pairs ({kinds}: {})",
            counts.join(" ")
        ),
        None => writeln!(
            text,
            "{one} against {other}: {score:.2} % in {pairs} rounds of {} seatings ({} seats, each of {one} compared with each of {other})",
            plan.round(0).games.len(),
            plan.seats
        ),
    };
    if let (1, Some((mean, error))) = (plan.seats, line.mean_difference()) {
        let _ = writeln!(text, "points {one} - {other}: {mean:+.3} +- {error:.3} a game (95 %)");
    }
    match no_elo(standing) {
        Some(reason) => text += reason,
        None => drop(writeln!(text, "{}", elo_line(&estimate))),
    }
    text
}

/// Elo with its interval, normalized Elo and superiority, on a line.
#[must_use]
pub fn elo_line(estimate: &EloEstimate) -> String {
    let normalized = match estimate.normalized_elo {
        Some(elo) => format!("{elo:+.1}"),
        None => "unknown (all pairs are equal)".to_owned(),
    };
    format!(
        "Elo {} (95 %), normalized Elo {normalized}, superiority {}",
        estimate.text(),
        probability(estimate.superiority)
    )
}

/// A probability in percent; only certainty is rounded to 100 %.
fn probability(probability: f64) -> String {
    match 100.0 * probability {
        percent if percent > 99.99 => "above 99.99 %".to_owned(),
        percent if percent < 0.01 => "below 0.01 %".to_owned(),
        percent => format!("{percent:.2} %"),
    }
}

/// The state of a test, on one line.
#[must_use]
pub fn test(sprt: &Sprt, standing: &Standing) -> String {
    let tally = &standing.pairings[0].tally;
    let [lower, upper] = sprt.bounds();
    let decision = match sprt.decision(tally) {
        Some(Accepted::H0) => "H0 accepted",
        Some(Accepted::H1) => "H1 accepted",
        None => "undecided",
    };
    format!(
        "SPRT of {} {} against {}, alpha {}, beta {}: LLR {:+.3} in [{lower:+.3}, {upper:+.3}], {decision}",
        sprt.model,
        sprt.elo0,
        sprt.elo1,
        sprt.alpha,
        sprt.beta,
        sprt.log_likelihood_ratio(tally)
    )
}

fn ratings(plan: &Plan, standing: &Standing) -> String {
    let mut lines: Vec<_> = standing.ratings().into_iter().enumerate().collect();
    lines.sort_by(|(a, one), (b, other)| other.elo.total_cmp(&one.elo).then(a.cmp(b)));
    let mut text =
        format!("{:>4} {:>8} {:>8} {:>7} {:>9}\n", "bot", "Elo", "+-", "games", "points");
    for (bot, rating) in lines {
        let line = &standing.bots[bot];
        let points = if plan.seats == 1 {
            format!("{:.3}", line.points / line.games.max(1) as f64)
        } else {
            format!("{:.2} %", 100.0 * line.points / line.games.max(1) as f64)
        };
        let [elo, error] = if standing.says_nothing() {
            ["-", "-"].map(str::to_owned)
        } else {
            [format!("{:+.1}", rating.elo), format!("{:.1}", rating.error)]
        };
        let (letter, games) = (letter(bot), line.games);
        let _ = writeln!(text, "{letter:>4} {elo:>8} {error:>8} {games:>7} {points:>9}");
    }
    let tables = if plan.seats > 2 { ", by comparisons of two bots at a table" } else { "" };
    text + &format!("(Bradley-Terry on the Elo scale{tables}, mean 0, 95 % intervals)\n")
}

/// Each bot of a gauntlet against the first.
fn against_first(plan: &Plan, standing: &Standing) -> String {
    let estimate = |line: &PairingLine| EloEstimate::of(&line.tally.reversed());
    let mut lines: Vec<_> = standing.pairings.iter().map(|line| (line, estimate(line))).collect();
    lines.sort_by(|(_, one), (_, other)| other.score.total_cmp(&one.score));
    let mut text = format!("{:>4} {:>9} {:>7}  Elo (95 %)\n", "bot", "against A", "pairs");
    for (line, estimate) in lines {
        let (bot, share) = (letter(line.bots.1), format!("{:.2} %", 100.0 * estimate.score));
        let _ = write!(text, "{bot:>4} {share:>9} {:>7}  {}", estimate.pairs, estimate.text());
        if let (1, Some((mean, error))) = (plan.seats, line.mean_difference()) {
            let _ = write!(text, ", {:+.3} +- {error:.3} points a game", -mean);
        }
        text.push('\n');
    }
    text
}

fn cross_table(plan: &Plan, standing: &Standing) -> String {
    let mut text = format!("{:>6}", "%");
    (0..plan.bots.len()).for_each(|bot| {
        let _ = write!(text, " {:>7}", letter(bot));
    });
    for row in 0..plan.bots.len() {
        let _ = write!(text, "\n{:>6}", letter(row));
        for column in 0..plan.bots.len() {
            let score = standing.pairings.iter().find_map(|line| {
                let mean = line.tally.mean()?;
                match line.bots {
                    (one, other) if (one, other) == (row, column) => Some(mean),
                    (one, other) if (other, one) == (row, column) => Some(1.0 - mean),
                    _ => None,
                }
            });
            let _ = match score {
                Some(score) => write!(text, " {:>7.2}", 100.0 * score),
                None => write!(text, " {:>7}", "-"),
            };
        }
    }
    text + "\n"
}

fn seats(plan: &Plan, standing: &Standing) -> String {
    if plan.seats == 1 {
        return String::new();
    }
    let percent = |(games, points): (u64, f64)| 100.0 * points / games.max(1) as f64;
    let mut text = String::new();
    for seat in 0..plan.seats {
        let all = standing.bots.iter().map(|bot| bot.by_seat[seat]);
        let all = all.fold((0, 0.0), |sum, line| (sum.0 + line.0, sum.1 + line.1));
        let _ = write!(text, "{} seat: {:.2} %", ordinal(seat), percent(all));
        for (at, bot) in standing.bots.iter().enumerate() {
            let _ = write!(text, ", {} {:.2} %", letter(at), percent(bot.by_seat[seat]));
        }
        text.push('\n');
    }
    text
}

fn faults(plan: &Plan, standing: &Standing) -> String {
    let mut text = String::new();
    for (at, bot) in standing.bots.iter().enumerate() {
        for (kind, count) in &bot.faults {
            let _ = writeln!(text, "faults of {}: {kind} {count}", letter(at));
        }
        if let Some(first) = &bot.first_fault {
            let _ = writeln!(text, "  first in {first}");
        }
        if bot.warnings > 0 {
            let _ = writeln!(text, "warnings of {}: {}", letter(at), bot.warnings);
        }
    }
    match standing.games_ended_by_fault {
        _ if standing.bots.iter().all(|bot| bot.faults.is_empty()) => text += "no faults\n",
        0 => {}
        by_fault => {
            let _ = writeln!(text, "{by_fault} of {} games ended by a fault", standing.games);
        }
    }
    text += &repetitions(standing);
    if standing.given_up > 0 {
        let kind = if plan.seats == 1 { "rounds" } else { "pairs" };
        let _ =
            writeln!(text, "{} {kind} not counted: the machine was too busy", standing.given_up);
    }
    text
}

/// A warning if games repeat others, as with deterministic bots and few starts.
fn repetitions(standing: &Standing) -> String {
    let (games, distinct) = (standing.games, standing.distinct_games);
    if distinct >= games {
        return String::new();
    }
    format!(
        "only {distinct} of {games} games are distinct: pairs that only repeat others do not narrow the intervals; vary the start (--opening-plies) or the bots (seeds, time)\n"
    )
}

/// Times of each bot, and how often the machine was too busy.
#[must_use]
pub fn times(plan: &Plan, standing: &Standing) -> String {
    if plan.in_process {
        return String::new();
    }
    let mut text = format!(
        "{:>4} {:>26} {:>26} {:>14} {:>12}\n",
        "bot", "wall s min/mean/max", "CPU s min/mean/max", "in others'", "delayed"
    );
    for (at, bot) in standing.bots.iter().enumerate() {
        let shown = |range: &crate::contest::Range| {
            [range.min, range.mean(), range.max]
                .map(|time| format!("{:.3}", time.as_secs_f64()))
                .join(" / ")
        };
        let aside = bot.cpu_in_others_time.as_secs_f64();
        let _ = writeln!(
            text,
            "{:>4} {:>26} {:>26} {aside:>12.3} s {:>10.3} s",
            letter(at),
            shown(&bot.wall),
            shown(&bot.cpu),
            bot.delayed.as_secs_f64()
        );
        if bot.thinks_in_others_time() {
            let _ = writeln!(text, "     {} thinks while others are to move", letter(at));
        }
    }
    if standing.replays > 0 {
        let _ = writeln!(text, "{} games played again: the machine was too busy", standing.replays);
    }
    text
}
