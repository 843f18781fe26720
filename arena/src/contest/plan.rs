//! The plan of a contest: everything that the result depends on, and nothing else.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use games::{Clocks, Entry, Judging};
use mcts_core::rng::mix;
use serde::{Deserialize, Serialize};

use super::seal;
use crate::catalogue::Catalogue;
use crate::player::BotSpec;
use crate::sprt::Sprt;

/// Which bots play each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Every bot plays every other bot; with two bots this is a match.
    RoundRobin,
    /// The first bot plays every other bot.
    Gauntlet,
}

/// A bot of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedBot {
    /// Its specification on the command line, see [`BotSpec`].
    pub bot: String,
    /// BLAKE3 of the program, and of every argument that names a file.
    pub content: String,
}

impl PlannedBot {
    /// A bot with its current content. `arena` is the program that runs built-in bots.
    ///
    /// # Errors
    /// If the program cannot be found or read.
    pub fn new(spec: &BotSpec, arena: &Path) -> Result<PlannedBot, PlanError> {
        let mut hasher = blake3::Hasher::new();
        let mut add = |file: &Path| -> Result<(), PlanError> {
            let unreadable = |source| PlanError::Unreadable { file: file.to_owned(), source };
            let file = File::open(file).map_err(unreadable)?;
            hasher.update_reader(file).map(drop).map_err(unreadable)
        };
        seal::files(spec, arena)?.iter().try_for_each(|file| add(file))?;
        Ok(PlannedBot { bot: spec.to_string(), content: hasher.finalize().to_hex().to_string() })
    }
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Version of the arena.
    pub arena: String,
    /// The game.
    pub game: String,
    /// Its options.
    pub options: Vec<(String, String)>,
    /// Number of seats.
    pub seats: usize,
    /// Which bots play each other.
    pub form: Form,
    /// The bots, in the order of the command line.
    pub bots: Vec<PlannedBot>,
    /// The seed from which all others are derived.
    pub seed: u64,
    /// Random actions before the bots begin, the same in both games of a pair.
    pub opening_plies: usize,
    /// Number of rounds: pairs of each pairing, or seeds in games of one seat.
    pub rounds: u64,
    /// The test that may end it earlier.
    pub sprt: Option<Sprt>,
    /// Whether bots run in the arena's process, without clocks.
    pub in_process: bool,
    /// Whether blanks after an answer lose the game.
    pub strict: bool,
    /// Memory limit of a bot, in MiB.
    pub memory_mib: Option<u64>,
}

/// The games on one seed, which make one score of each pairing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// Its index in the plan.
    pub index: u64,
    /// Seed of the board, and of the bots.
    pub seed: u64,
    /// The bot of each seat, for each game: indices of [`Plan::bots`].
    pub games: Vec<Vec<usize>>,
}

/// Why a plan is not possible.
#[derive(Debug)]
pub enum PlanError {
    /// No program of this name is on the path.
    NoProgram(String),
    /// A bot's file cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The plan is invalid.
    Invalid(String),
}

/// Maximum number of rounds of a plan.
pub const MOST_ROUNDS: u64 = 100_000_000;

/// Maximum number of seats of a game.
pub const MOST_SEATS: usize = 8;

/// Maximum memory limit of a bot, in MiB.
pub const MOST_MEMORY_MIB: u64 = 1 << 24;

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::NoProgram(name) => write!(f, "there is no program `{name}` on the path"),
            PlanError::Unreadable { file, source } => {
                write!(f, "cannot read {}: {source}", file.display())
            }
            PlanError::Invalid(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// Checks that a plan can be played with these games and bots; an accepted plan is played to
    /// its end.
    ///
    /// # Errors
    /// What is wrong, and what is expected.
    pub fn check(&self, catalogue: &Catalogue) -> Result<(), PlanError> {
        let invalid = |reason: String| Err(PlanError::Invalid(reason));
        let named = catalogue.find_game(&self.game);
        let game = named.map_err(|error| PlanError::Invalid(error.to_string()))?;
        if self.bots.len() < 2 {
            return invalid("a comparison needs at least two bots".to_owned());
        }
        let rounds = self.len();
        if !(1..=MOST_ROUNDS).contains(&rounds) {
            return invalid(format!("{rounds} pairs of games: a plan has 1 to {MOST_ROUNDS}"));
        }
        if self.memory_mib.is_some_and(|mib| !(1..=MOST_MEMORY_MIB).contains(&mib)) {
            return invalid(format!("the memory of a bot is 1 to {MOST_MEMORY_MIB} MiB"));
        }
        if let Some(sprt) = &self.sprt {
            sprt.check().map_err(|error| PlanError::Invalid(error.to_string()))?;
            if self.bots.len() > 2 {
                return invalid("a sequential test is between two bots".to_owned());
            }
        }
        self.check_bots(catalogue)?;
        let refused = |error: games::EntryError| PlanError::Invalid(error.to_string());
        let seats = self.judge(game, self.round(0).seed).map_err(refused)?.seats();
        if seats != self.seats {
            return invalid(format!("{} has {seats} seats, not {}", self.game, self.seats));
        }
        if !(1..=MOST_SEATS).contains(&seats) {
            return invalid(format!("a game of {seats} seats cannot be matched"));
        }
        self.check_opening(game)
    }

    fn check_bots(&self, catalogue: &Catalogue) -> Result<(), PlanError> {
        for bot in &self.bots {
            let invalid = |reason: String| PlanError::Invalid(reason);
            let spec: BotSpec =
                bot.bot.parse().map_err(|error| invalid(format!("{}: {error}", bot.bot)))?;
            spec.check(catalogue, &self.game).map_err(|error| invalid(error.to_string()))?;
            if self.in_process && matches!(spec, BotSpec::Command(_)) {
                return Err(invalid(format!(
                    "{spec} is a program: it cannot play in this process"
                )));
            }
            if self.in_process && spec.thinks_by_time(catalogue, &self.game) {
                return Err(invalid(format!(
                    "{spec} thinks by time, which has no meaning in this process: give it `playouts=N`, or leave out --in-process"
                )));
            }
        }
        if self.in_process && self.strict {
            let reason = "--strict judges bytes that bots write, and bots in this process write none: leave out --strict or --in-process";
            return Err(PlanError::Invalid(reason.to_owned()));
        }
        if self.in_process && self.memory_mib.is_some() {
            let reason = "bots in this process have no memory of their own to limit: leave out --memory or --in-process";
            return Err(PlanError::Invalid(reason.to_owned()));
        }
        Ok(())
    }

    /// Rejects random actions that the protocol cannot transmit to the bots, or after which the
    /// game is over.
    fn check_opening(&self, game: &Entry) -> Result<(), PlanError> {
        /// Number of rounds whose starts are tested.
        const TRIED: u64 = 32;
        let Some(before) = self.opening_plies.checked_sub(1) else { return Ok(()) };
        let options = self.option_pairs();
        let refused = |error: games::EntryError| PlanError::Invalid(error.to_string());
        if !can_tell_opening(game, &options, self.opening_plies).map_err(refused)? {
            return Err(PlanError::Invalid(format!(
                "--opening-plies {}: the protocol of {} has no message for a position after the start, so the bots would play another game",
                self.opening_plies, self.game
            )));
        }
        for index in 0..self.len().min(TRIED) {
            let seed = self.round(index).seed;
            let start = |plies| (game.random_start)(seed, plies);
            if start(self.opening_plies) == start(before) {
                return Err(PlanError::Invalid(format!(
                    "--opening-plies {}: the game of pair {index} would be over by then",
                    self.opening_plies
                )));
            }
        }
        Ok(())
    }

    fn option_pairs(&self) -> Vec<(&str, &str)> {
        self.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    /// The pairings, as indices of [`Plan::bots`].
    #[must_use]
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let all = 0..self.bots.len();
        match self.form {
            Form::RoundRobin => {
                all.clone().flat_map(|a| all.clone().skip(a + 1).map(move |b| (a, b))).collect()
            }
            Form::Gauntlet => all.skip(1).map(|b| (0, b)).collect(),
        }
    }

    /// Number of [`Round`]s in the plan: the pairs of a two-seat game.
    #[must_use]
    pub fn len(&self) -> u64 {
        let bots = self.bots.len() as u64;
        let pairings = match self.form {
            _ if self.seats == 1 => 1,
            Form::RoundRobin => bots * bots.saturating_sub(1) / 2,
            Form::Gauntlet => bots.saturating_sub(1),
        };
        self.rounds.saturating_mul(pairings)
    }

    /// Whether the plan has no rounds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One round of the plan. Every pairing plays once before any plays again, all on the same
    /// seed.
    #[must_use]
    pub fn round(&self, index: u64) -> Round {
        let pairings = self.pairings();
        let (turn, games) = if self.seats == 1 {
            (index, (0..self.bots.len()).map(|bot| vec![bot]).collect())
        } else {
            let (a, b) = pairings[(index % pairings.len() as u64) as usize];
            (index / pairings.len() as u64, seatings(self.seats, [a, b]))
        };
        Round { index, seed: mix(self.seed ^ mix(turn.wrapping_add(1))), games }
    }

    /// A short name of the plan, which its rows store. It does not depend on the number of rounds,
    /// because round `n` is the same for any number.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let plan = Plan { rounds: 0, ..self.clone() };
        blake3::hash(as_json(&plan).as_bytes()).to_hex()[..16].to_owned()
    }

    /// The differences between two plans, one line each: field, this plan's value, the other's.
    #[must_use]
    pub fn differences(&self, other: &Plan) -> Vec<String> {
        differences(self, other)
    }

    /// A judge for a game of the plan with this seed.
    ///
    /// # Errors
    /// If the game rejects its options.
    pub fn judge(&self, game: &Entry, seed: u64) -> Result<Box<dyn Judging>, games::EntryError> {
        let options = self.option_pairs();
        match self.opening_plies {
            0 => (game.judge)(seed, &options),
            plies => (game.judge_from)(&(game.random_start)(seed, plies), &options),
        }
    }
}

/// Maximum number of seats for which every seating is played; with more, each bot plays each seat
/// once, against copies of the other.
const ALL_SEATINGS: usize = 4;

/// The seatings of two bots at a table, with each bot at least once: 2, 6 and 14 games of 2, 3 and
/// 4 seats, and `2 n` games of more. They include the seatings with the bots exchanged, so neither
/// bot is favoured.
fn seatings(seats: usize, [a, b]: [usize; 2]) -> Vec<Vec<usize>> {
    if seats == 2 {
        return vec![vec![a, b], vec![b, a]];
    }
    let seating = |mask: usize| {
        (0..seats).map(|seat| if mask >> seat & 1 == 1 { b } else { a }).collect::<Vec<usize>>()
    };
    let all = (1 << seats) - 1;
    let masks: Vec<usize> = if seats <= ALL_SEATINGS {
        (1..all).collect()
    } else {
        let alone = (0..seats).map(|seat| 1 << seat);
        alone.clone().chain(alone.map(|mask| all ^ mask)).collect()
    };
    masks.into_iter().map(seating).collect()
}

/// Plain data as JSON on one line.
pub(super) fn as_json<T: Serialize>(data: &T) -> String {
    serde_json::to_string(data).expect("plain data is JSON")
}

/// The differences between two values, one line each: field, the one's value, the other's.
pub(super) fn differences<T: Serialize>(one: &T, other: &T) -> Vec<String> {
    let value = |data: &T| serde_json::from_str(&as_json(data)).unwrap_or_default();
    let mut differences = Vec::new();
    compare("", &value(one), &value(other), &mut differences);
    differences
}

fn compare(
    path: &str,
    one: &serde_json::Value,
    other: &serde_json::Value,
    differences: &mut Vec<String>,
) {
    use serde_json::Value;
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            for (name, value) in one {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(&path, value, other.get(name).unwrap_or(&Value::Null), differences);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (at, (one, other)) in one.iter().zip(other).enumerate() {
                compare(&format!("{path}[{at}]"), one, other, differences);
            }
        }
        _ if one != other => differences.push(format!("{path}: {one} there, {other} here")),
        _ => {}
    }
}

/// Default number of random actions before the bots begin: six if all games would begin alike and
/// the protocol can transmit another position, otherwise none.
///
/// # Errors
/// If the game rejects its options.
pub fn default_opening_plies(
    game: &Entry,
    options: &[(&str, &str)],
) -> Result<usize, games::EntryError> {
    const PLIES: usize = 6;
    let start = (game.judge)(1, options)?;
    if start.position() != (game.judge)(2, options)?.position() {
        return Ok(0);
    }
    Ok(if can_tell_opening(game, options, PLIES)? { PLIES } else { 0 })
}

/// Whether the protocol transmits the position when a game begins after random actions.
pub(crate) fn can_tell_opening(
    game: &Entry,
    options: &[(&str, &str)],
    plies: usize,
) -> Result<bool, games::EntryError> {
    let told = |judge: &dyn Judging| {
        let clocks = Clocks { wall_left: vec![judge.time_limits().wall; judge.seats()] };
        [judge.opening(0), judge.request(&clocks)].concat()
    };
    let start = (game.judge)(1, options)?;
    let other = (game.judge_from)(&(game.random_start)(1, plies), options)?;
    Ok(told(start.as_ref()) != told(other.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(seats: usize, form: Form, bots: &[&str]) -> Plan {
        let bot = |bot: &&str| PlannedBot { bot: (*bot).to_owned(), content: "c".to_owned() };
        Plan {
            arena: "1".to_owned(),
            game: "reversi".to_owned(),
            options: vec![("a".to_owned(), "b".to_owned())],
            seats,
            form,
            bots: bots.iter().map(bot).collect(),
            seed: 1,
            opening_plies: 0,
            rounds: 10,
            sprt: Some("0,10".parse().expect("a test")),
            in_process: false,
            strict: false,
            memory_mib: None,
        }
    }

    #[test]
    fn a_match_is_pairs_with_seats_swapped_on_the_same_seed() {
        let plan = plan(2, Form::RoundRobin, &["x", "y"]);
        assert_eq!(plan.len(), 10);
        assert_eq!(plan.round(3).games, [[0, 1], [1, 0]]);
        let seeds: std::collections::BTreeSet<u64> =
            (0..10).map(|index| plan.round(index).seed).collect();
        assert_eq!(seeds.len(), 10);
    }

    #[test]
    fn at_larger_tables_all_seatings_of_a_seed_are_one_round() {
        for (seats, games) in [(3, 6), (4, 14), (5, 10), (8, 16)] {
            let round = plan(seats, Form::RoundRobin, &["x", "y"]).round(0);
            assert_eq!(round.games.len(), games);
            let distinct: std::collections::BTreeSet<_> = round.games.iter().collect();
            assert_eq!(distinct.len(), games);
            for game in &round.games {
                let exchanged: Vec<usize> = game.iter().map(|bot| 1 - bot).collect();
                assert!(distinct.contains(&exchanged) && game.contains(&0) && game.contains(&1));
            }
        }
    }

    #[test]
    fn a_round_robin_is_balanced_at_every_turn() {
        let plan = plan(2, Form::RoundRobin, &["w", "x", "y", "z"]);
        assert_eq!((plan.pairings().len(), plan.len()), (6, 60));
        let turn: Vec<Round> = (0..6).map(|index| plan.round(index)).collect();
        assert!(turn.iter().all(|round| round.seed == turn[0].seed));
        for bot in 0..4 {
            let seats = |seat: usize| {
                turn.iter().flat_map(|round| &round.games).filter(|game| game[seat] == bot).count()
            };
            assert_eq!((seats(0), seats(1)), (3, 3));
        }
        assert_ne!(plan.round(6).seed, turn[0].seed);
    }

    #[test]
    fn in_a_gauntlet_only_the_first_meets_the_others() {
        assert_eq!(plan(2, Form::Gauntlet, &["w", "x", "y"]).pairings(), [(0, 1), (0, 2)]);
    }

    #[test]
    fn alone_everybody_plays_every_seed_once() {
        let plan = plan(1, Form::RoundRobin, &["x", "y", "z"]);
        assert_eq!(
            (plan.len(), plan.round(4).games.clone()),
            (10, vec![vec![0], vec![1], vec![2]])
        );
    }

    #[test]
    fn differences_name_the_field_and_both_values() {
        let one = plan(2, Form::RoundRobin, &["x", "y"]);
        let mut other = one.clone();
        other.seed = 2;
        other.bots[1].content = "d".to_owned();
        let expected = ["bots[1].content: \"c\" there, \"d\" here", "seed: 1 there, 2 here"];
        assert_eq!(one.differences(&other), expected);
        assert_eq!(one.differences(&one.clone()), Vec::<String>::new());
        assert_ne!(one.fingerprint(), other.fingerprint());
    }
}
