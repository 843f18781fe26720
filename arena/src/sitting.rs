//! A game of a person at the terminal: prompts, legal answers, hints, and undo.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use games::{Clocks, Entry, Judging, Outcome, Status};

use crate::analysis::{Effort, set_up, study};
use crate::catalogue::Catalogue;
use crate::clock::TimeUsed;
use crate::contest::can_tell_opening;
use crate::opponent::{Inside, Opponent, Program};
use crate::player::{BotSpec, seeded};
use crate::record::{GameRecord, SeatRecord};
use crate::view::{Screen, ordinal, report_lines};

/// The name of a person on the command line.
pub const HUMAN: &str = "human";

/// Time of the search for a hint.
const HINT: Duration = Duration::from_secs(1);

/// The setup of a game with people.
#[derive(Debug, Clone)]
pub struct Table {
    /// Games and bots.
    pub catalogue: Catalogue,
    /// The game.
    pub game: &'static Entry,
    /// Its options.
    pub options: Vec<(String, String)>,
    /// The start position, if not that of the seed.
    pub from: Option<String>,
    /// Seed of the board and of the bots.
    pub seed: u64,
    /// By seat; people are [`HUMAN`].
    pub players: Vec<BotSpec>,
    /// The program that runs built-in bots; only named in the bots' command lines.
    pub arena: PathBuf,
    /// The screen.
    pub screen: Screen,
}

/// How the game ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// By the rules, or by the fault of a bot.
    Over(Outcome),
    /// The person quit.
    Left,
}

/// The played game.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// How it ended.
    pub ending: Ending,
    /// The position at the start and at the end.
    pub positions: [String; 2],
    /// The actions.
    pub actions: Vec<String>,
    /// Time used, by seat.
    pub used: Vec<Duration>,
}

/// Whether a person plays this seat.
#[must_use]
pub fn is_human(spec: &BotSpec) -> bool {
    matches!(spec, BotSpec::BuiltIn(name) if name == HUMAN)
}

/// The input of a person at the prompt.
enum Wish {
    Acted,
    TakeBack,
    Leave,
}

/// A game between people at this terminal and bots.
pub struct Sitting<'a, R, W> {
    table: &'a Table,
    judging: Box<dyn Judging>,
    opponents: Vec<Option<Opponent>>,
    /// The seat and the action of each turn.
    actions: Vec<(usize, String)>,
    used: Vec<Duration>,
    reports: Vec<Option<String>>,
    last_picture: Option<String>,
    keys: R,
    out: W,
}

impl<R, W> fmt::Debug for Sitting<'_, R, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sitting").field("actions", &self.actions).finish_non_exhaustive()
    }
}

impl<'a, R: BufRead, W: Write> Sitting<'a, R, W> {
    /// Sets up the game and its bots.
    ///
    /// # Errors
    /// If the game cannot be set up or a bot does not get ready.
    pub fn new(table: &'a Table, keys: R, out: W) -> anyhow::Result<Self> {
        let judging = table.judge()?;
        let seats = judging.seats();
        let mut sitting = Sitting {
            table,
            judging,
            opponents: Vec::new(),
            actions: Vec::new(),
            used: vec![Duration::ZERO; seats],
            reports: vec![None; seats],
            last_picture: None,
            keys,
            out,
        };
        sitting.opponents = sitting.seat_bots()?;
        Ok(sitting)
    }

    /// Plays to the end, or until the person quits.
    ///
    /// # Errors
    /// If the terminal cannot be read or written.
    pub fn play(mut self) -> anyhow::Result<Played> {
        let start = self.judging.position();
        let ending = loop {
            let seat = match self.judging.status() {
                Status::Over(outcome) => {
                    self.draw(None)?;
                    break Ending::Over(outcome);
                }
                Status::ToMove(seat) => seat,
            };
            if self.opponents[seat].is_some() {
                if let Err(reason) = self.let_bot_act(seat) {
                    writeln!(self.out, "{} {reason}", self.table.players[seat])?;
                    break Ending::Over(lost_by(seat, self.judging.seats(), reason));
                }
                continue;
            }
            match self.prompt(seat)? {
                Wish::Acted => {}
                Wish::TakeBack => self.take_back()?,
                Wish::Leave => break Ending::Left,
            }
        };
        let actions = self.actions.into_iter().map(|(_, action)| action).collect();
        let positions = [start, self.judging.position()];
        Ok(Played { ending, positions, actions, used: self.used })
    }

    /// New bots, each set to the current position.
    fn seat_bots(&self) -> anyhow::Result<Vec<Option<Opponent>>> {
        let table = self.table;
        let is_start = self.actions.is_empty();
        let told = can_tell_opening(table.game, &table.option_pairs(), 2)?;
        // After an undo the bots start from the position as if it were the start of a game.
        let here = match is_start {
            true => None,
            false => (table.game.judge_from)(&self.judging.position(), &table.option_pairs()).ok(),
        };
        let opening_judge = here.as_deref().unwrap_or(self.judging.as_ref());
        let seat_one = |(seat, spec): (usize, &BotSpec)| -> anyhow::Result<Option<Opponent>> {
            if is_human(spec) {
                return Ok(None);
            }
            let seed = mcts_core::rng::mix(table.seed ^ mcts_core::rng::mix(seat as u64 + 1));
            let mut opponent = match spec {
                BotSpec::BuiltIn(name) => {
                    let name = seeded(name, seed);
                    Opponent::Inside(Inside(table.catalogue.bot(table.game.name, &name)?))
                }
                BotSpec::Command(_) => {
                    let player = spec.player(table.game.name, seed, &table.arena);
                    let started = Program::start(&player.command);
                    Opponent::Program(started.with_context(|| format!("cannot start {spec}"))?)
                }
            };
            let ready = opponent.open(&opening_judge.opening(seat));
            ready.map_err(|reason| anyhow::anyhow!("{spec} {reason}"))?;
            if !is_start || table.from.is_some() {
                let placed = match &mut opponent {
                    Opponent::Inside(Inside(bot)) => bot.set_position(&self.judging.position()),
                    Opponent::Program(_) => Err("only built-in bots can".to_owned()),
                };
                if let (Err(reason), false) = (placed, told) {
                    bail!("{spec} cannot start from this position: {reason}");
                }
            }
            Ok(Some(opponent))
        };
        table.players.iter().enumerate().map(seat_one).collect()
    }

    fn let_bot_act(&mut self, seat: usize) -> Result<(), String> {
        let wall = self.judging.time_limits().wall;
        let wall_left: Vec<Duration> =
            self.used.iter().map(|used| wall.saturating_sub(*used)).collect();
        let left = wall_left[seat];
        let request = self.judging.request(&Clocks { wall_left });
        let started = Instant::now();
        let Some(opponent) = &mut self.opponents[seat] else { return Ok(()) };
        let answer = opponent.ask(&request, left)?;
        self.reports[seat] = opponent.report();
        self.used[seat] += started.elapsed();
        let answer = answer.trim_end();
        self.act(seat, answer).map_err(|fault| format!("answered {answer:?}: {fault}"))
    }

    fn act(&mut self, seat: usize, answer: &str) -> Result<(), games::Fault> {
        let started = self.used[seat];
        self.judging.answer(answer)?;
        let action = self.judging.last_action().unwrap_or_else(|| answer.to_owned());
        self.actions.push((seat, action));
        for (informed, opponent) in self.opponents.iter_mut().enumerate() {
            for line in self.judging.notice(informed, started) {
                if let Some(opponent) = opponent {
                    opponent.inform(&line);
                }
            }
        }
        Ok(())
    }

    /// Prompts the person of `seat` until there is an action or another input.
    fn prompt(&mut self, seat: usize) -> anyhow::Result<Wish> {
        self.draw(Some(seat))?;
        let started = Instant::now();
        loop {
            write!(self.out, "{} (? for help)> ", ordinal(seat))?;
            self.out.flush()?;
            let mut line = String::new();
            if self.keys.read_line(&mut line)? == 0 {
                writeln!(self.out)?;
                return Ok(Wish::Leave);
            }
            match line.trim() {
                "" => {}
                "?" | "help" => self.help()?,
                "q" | "quit" => return Ok(Wish::Leave),
                "u" | "undo" => return Ok(Wish::TakeBack),
                "h" | "hint" => self.hint(seat)?,
                text => {
                    let answer = meant(text, &self.judging.legal_answers());
                    let answer = answer.unwrap_or_else(|| text.to_owned());
                    self.used[seat] += started.elapsed();
                    match self.act(seat, &answer) {
                        Ok(()) => return Ok(Wish::Acted),
                        Err(fault) => writeln!(self.out, "{fault}")?,
                    }
                }
            }
        }
    }

    fn help(&mut self) -> io::Result<()> {
        let answers = self.judging.legal_answers();
        if answers.is_empty() {
            writeln!(self.out, "this game does not list its legal actions")?;
        } else {
            writeln!(self.out, "legal: {}", answers.join(", "))?;
        }
        writeln!(self.out, "u undoes your last action, h gives a hint, q quits")
    }

    fn hint(&mut self, seat: usize) -> anyhow::Result<()> {
        let table = self.table;
        let Ok(mut bot) = table.catalogue.bot(table.game.name, "mcts") else {
            return Ok(writeln!(self.out, "no bot of this game can give hints")?);
        };
        if let Err(error) = set_up(bot.as_mut(), self.judging.as_ref(), seat) {
            return Ok(writeln!(self.out, "no hint: {error}")?);
        }
        let found = study(bot.as_mut(), self.judging.as_ref(), Effort::Time(HINT), &mut |_| true);
        let lines = found.report.iter().flat_map(|report| report_lines(report));
        for line in lines.chain(found.answer) {
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }

    /// Undoes all actions since the person's last one, inclusive.
    fn take_back(&mut self) -> anyhow::Result<()> {
        let is_bot = |seat: usize| self.opponents[seat].is_some();
        let Some(last) = self.actions.iter().rposition(|(seat, _)| !is_bot(*seat)) else {
            return Ok(writeln!(self.out, "there is no action to undo")?);
        };
        let mut judging = self.table.judge()?;
        for (_, action) in &self.actions[..last] {
            judging.answer(action).map_err(|fault| anyhow::anyhow!("{action}: {fault}"))?;
        }
        let undone = self.actions.split_off(last);
        std::mem::swap(&mut self.judging, &mut judging);
        match self.seat_bots() {
            Ok(opponents) => self.opponents = opponents,
            Err(error) => {
                self.actions.extend(undone);
                self.judging = judging;
                writeln!(self.out, "nothing was undone: {error:#}")?;
            }
        }
        Ok(())
    }

    /// Draws the board from the view of `seat`, or with full information at the end.
    fn draw(&mut self, seat: Option<usize>) -> io::Result<()> {
        let screen = self.table.screen;
        let judging = self.judging.as_ref();
        let picture = seat.map_or_else(|| judging.picture(), |seat| judging.view(seat));
        let mut text = String::new();
        if screen.redraws {
            // Cursor to the top left, clear the rest.
            text += "\x1b[H\x1b[J";
        }
        if let Some((seat, action)) = self.actions.last() {
            let number = self.actions.len();
            text +=
                &format!("{number}. {} {}: {action}\n", ordinal(*seat), self.table.players[*seat]);
        }
        text += &screen.marked(&picture, self.last_picture.as_deref());
        if let Some(score) = judging.score() {
            text += &format!("score  {score}\n");
        }
        for (seat, used) in self.used.iter().enumerate() {
            let value = self.reports[seat].as_deref().and_then(|report| report.split(' ').next());
            let value = value.map_or_else(String::new, |value| format!(", {value}"));
            let mark = if judging.status() == Status::ToMove(seat) { '>' } else { ' ' };
            let (name, used) = (&self.table.players[seat], used.as_secs_f64());
            text += &format!("{mark} {:6} {name}: {used:.1} s{value}\n", ordinal(seat));
        }
        self.last_picture = Some(picture);
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

impl Played {
    /// The record of the game; `None` if the person quit.
    #[must_use]
    pub fn into_record(self, table: &Table) -> Option<GameRecord> {
        let Ending::Over(outcome) = self.ending else { return None };
        let seat = |((spec, points), used): ((&BotSpec, f64), Duration)| SeatRecord {
            name: spec.to_string(),
            command: Vec::new(),
            seed: table.seed,
            points,
            used: TimeUsed { wall: used, ..TimeUsed::default() },
            exit: None,
            warnings: Vec::new(),
            last_errors: Vec::new(),
        };
        let seats = table.players.iter().zip(outcome.points).zip(self.used.iter().copied());
        let [start, end] = self.positions;
        Some(GameRecord {
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            game: table.game.name.to_owned(),
            seed: table.seed,
            options: table.options.clone(),
            description: outcome.description,
            verdict: None,
            contended: false,
            seats: seats.map(seat).collect(),
            start,
            actions: self.actions,
            end,
            took: self.used.iter().sum(),
            messages: Vec::new(),
        })
    }
}

impl Table {
    fn option_pairs(&self) -> Vec<(&str, &str)> {
        self.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    fn judge(&self) -> Result<Box<dyn Judging>, games::EntryError> {
        match &self.from {
            Some(position) => (self.game.judge_from)(position, &self.option_pairs()),
            None => (self.game.judge)(self.seed, &self.option_pairs()),
        }
    }
}

/// The legal answer that a text stands for: in full or without its keyword, in any case, with
/// commas for blanks.
fn meant(text: &str, answers: &[String]) -> Option<String> {
    let plain = |text: &str| {
        let words: Vec<String> =
            text.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        words.join(" ")
    };
    let wanted = plain(text);
    let fits = |answer: &&String| {
        let answer = plain(answer);
        answer == wanted || answer.split_once(' ').is_some_and(|(_, rest)| rest == wanted)
    };
    let mut found = answers.iter().filter(fits);
    let first = found.next()?;
    // Ambiguous if two answers differ only in their keyword.
    found.next().is_none().then(|| first.clone())
}

/// The bot at fault gets no point and the others share the point.
fn lost_by(culprit: usize, seats: usize, description: String) -> Outcome {
    let part = 1.0 / (seats.max(2) - 1) as f64;
    let points = (0..seats).map(|seat| if seat == culprit { 0.0 } else { part }).collect();
    Outcome { points, description }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(players: &[&str]) -> Table {
        let catalogue = Catalogue::BUILT_IN;
        Table {
            catalogue,
            game: catalogue.game("reversi").expect("the game is in the list"),
            options: Vec::new(),
            from: None,
            seed: 3,
            players: players.iter().map(|name| name.parse().expect("a bot")).collect(),
            arena: PathBuf::new(),
            screen: Screen::PLAIN,
        }
    }

    fn sit(table: &Table, keys: &str) -> (Played, String) {
        let mut out = Vec::new();
        let sitting = Sitting::new(table, keys.as_bytes(), &mut out).expect("all are ready");
        let played = sitting.play().expect("it is written to memory");
        (played, String::from_utf8(out).expect("text"))
    }

    #[test]
    fn a_person_asks_for_help_errs_acts_takes_back_and_leaves() {
        let table = table(&["human", "greedy"]);
        let first = table.judge().expect("a game").legal_answers();
        let keys = format!("?\n9 9\n{}\nu\nu\n{}\nq\n", first[0], first[1].to_lowercase());
        let (played, text) = sit(&table, &keys);
        assert_eq!(played.ending, Ending::Left);
        assert!(text.contains(&format!("legal: {}", first.join(", "))), "{text}");
        assert!(text.contains("malformed") || text.contains("illegal"), "{text}");
        assert!(text.contains("there is no action to undo"), "{text}");
        assert_eq!((played.actions.len(), &played.actions[0]), (2, &first[1]));
    }

    #[test]
    fn the_end_of_the_input_leaves_and_two_bots_need_no_one() {
        assert_eq!(sit(&table(&["human", "greedy"]), "").0.ending, Ending::Left);
        let (played, _) = sit(&table(&["greedy", "random"]), "");
        assert!(matches!(played.ending, Ending::Over(outcome) if outcome.points.len() == 2));
    }

    #[test]
    fn answers_are_meant_in_any_form_that_is_not_ambiguous() {
        let answers = ["MOVE 3 4", "MOVE 4 3", "PLACE a1", "PROMOTE a1"].map(str::to_owned);
        for (text, meaning) in [
            ("3,4", Some("MOVE 3 4")),
            ("move 4 3", Some("MOVE 4 3")),
            ("a1", None),
            ("place A1", Some("PLACE a1")),
            ("5 5", None),
        ] {
            assert_eq!(meant(text, &answers).as_deref(), meaning, "{text}");
        }
    }
}
