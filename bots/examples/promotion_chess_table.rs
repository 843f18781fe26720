//! Measures the Promotion Chess bot and prints two tables: mates found, and results of won
//! positions.
//!
//! `promotion_chess_table mates=<suite.jsonl> ms=300` searches each position of a suite (such as
//! `games/tests/data/promotion_chess_mates.jsonl`) for 300 ms, as the bot does.
//! `promotion_chess_table games=100 playouts=2000` plays the bot against itself; a position is won
//! for a side that is ahead by a rook (queen 9, rook 5, bishop and knight 3, citizen 2, pawn 1) for
//! six plies in a row.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use bots::promotion_chess::decisive::Decisive;
use bots::promotion_chess::mate_search::MateSearch;
use bots::promotion_chess::search_parts;
use bots::{Answer, Seat};
use games::promotion_chess::protocol::{PromotionChessJudge, WALL};
use games::promotion_chess::{Action, Kind, Position, PromotionChess, Rules, Side, Square};
use games::{Clocks, Judging, Status};
use mcts_core::{Budget, Game, Search, SystemClock};
use serde::Deserialize;

/// A position of a suite, with all actions of the shortest mate.
#[derive(Debug, Deserialize)]
struct Mate {
    position: String,
    mate_in: usize,
    winning: Vec<String>,
}

/// As in the bot: the mate search up to three moves, then the tree.
fn choose(position: &Position, time: Duration) -> Option<Action> {
    let seen = MateSearch::new(&Rules::default(), 30_000).shortest(position, 3);
    seen.map(|(action, _)| action).or_else(|| {
        let mut search = search_parts().search(Decisive::default(), 1);
        Some(search.run(position, &Budget::wall(time)).ok()?.best)
    })
}

fn mates(path: &str, time: Duration) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut counts: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let place = |error: &dyn std::fmt::Display| format!("{path}:{}: {error}", number + 1);
        let mate: Mate = serde_json::from_str(line).map_err(|error| place(&error))?;
        let position: Position = mate.position.parse().map_err(|error| place(&error))?;
        let [all, found] = counts.entry(mate.mate_in).or_default();
        let action = choose(&position, time).map(|action| action.to_string());
        *all += 1;
        *found += usize::from(action.is_some_and(|action| mate.winning.contains(&action)));
    }
    let rows = counts.iter().map(|(mate_in, [all, found])| format!("{mate_in} {all} {found}\n"));
    Ok(std::iter::once("mate_in positions found\n".to_owned()).chain(rows).collect())
}

/// White's lead in pawns.
fn lead(position: &Position) -> i32 {
    let worth = |kind: Kind| match kind {
        Kind::King => 0,
        Kind::Queen => 9,
        Kind::Rook => 5,
        Kind::Bishop | Kind::Knight => 3,
        Kind::Citizen => 2,
        Kind::Pawn => 1,
    };
    let squares = (0..25).map(|square| Square::new(square % 5, square / 5));
    let pieces = squares.filter_map(|square| position.piece_at(square));
    pieces.map(|(side, kind)| if side == Side::White { worth(kind) } else { -worth(kind) }).sum()
}

/// Results of the games in which a side had a won position.
#[derive(Debug, Default)]
struct WonPositions {
    games: usize,
    /// Number of sides that had a won position, and their results.
    sides: usize,
    wins: usize,
    draws: usize,
}

impl WonPositions {
    /// Plays a game of the bot against itself.
    fn play(&mut self, seed: u64, parameters: &str) -> Result<(), String> {
        let start = PromotionChess::default().start();
        let mut judge = PromotionChessJudge::new(PromotionChess::default(), start);
        let build = |seat: u64| {
            let specification = format!("mcts:{parameters},seed={}", 2 * seed + seat);
            bots::build("promotion-chess", &specification).map_err(|error| error.to_string())
        };
        let mut seats = [build(0)?, build(1)?];
        for (number, seat) in seats.iter_mut().enumerate() {
            say(seat, judge.opening(number));
        }
        let (mut ahead, mut won) = ([0; 2], [false; 2]);
        while let Status::ToMove(mover) = judge.status() {
            turn(&mut judge, &mut seats, mover)?;
            let position = judge.position();
            let lead = lead(&position.parse().map_err(|error| format!("{position}: {error}"))?);
            for (side, lead) in [lead, -lead].into_iter().enumerate() {
                ahead[side] = if lead >= 5 { ahead[side] + 1 } else { 0 };
                won[side] |= ahead[side] >= 6;
            }
        }
        self.games += 1;
        let Status::Over(outcome) = judge.status() else { return Ok(()) };
        for (points, _) in outcome.points.iter().zip(won).filter(|(_, won)| *won) {
            self.sides += 1;
            self.wins += usize::from(*points > 0.75);
            self.draws += usize::from((0.25..=0.75).contains(points));
        }
        Ok(())
    }
}

fn say(seat: &mut Box<dyn Seat>, lines: Vec<String>) -> Option<Answer> {
    lines.iter().map(|line| seat.receive(line, &SystemClock)).last()
}

/// One action; the time left is not reported to the bot.
fn turn(
    judge: &mut PromotionChessJudge,
    seats: &mut [Box<dyn Seat>; 2],
    mover: usize,
) -> Result<(), String> {
    let clocks = Clocks { wall_left: vec![WALL; 2] };
    let answer = match say(&mut seats[mover], judge.request(&clocks)) {
        Some(Answer::Line(line)) => line,
        other => return Err(format!("expected an action from the bot, found {other:?}")),
    };
    judge.answer(&answer).map_err(|fault| fault.to_string())?;
    let other = 1 - mover;
    for notice in judge.notice(other, Duration::ZERO) {
        say(&mut seats[other], vec![notice]);
    }
    Ok(())
}

fn run() -> Result<String, String> {
    let mut words = BTreeMap::new();
    for word in std::env::args().skip(1).filter(|word| word != "--bench") {
        let (name, value) = word.split_once('=').ok_or(format!("{word}: name=value"))?;
        words.insert(name.to_owned(), value.to_owned());
    }
    let number = |name: &str, default: u64| match words.get(name) {
        Some(text) => text.parse().map_err(|error| format!("{name}={text}: {error}")),
        None => Ok(default),
    };
    if let Some(path) = words.get("mates") {
        return mates(path, Duration::from_millis(number("ms", 300)?));
    }
    let mut found = WonPositions::default();
    for seed in 0..number("games", 100)? {
        found.play(seed, &format!("playouts={}", number("playouts", 2000)?))?;
    }
    let WonPositions { games, sides, wins, draws } = found;
    Ok(format!("games {games}, with a won position {sides}: won {wins}, drawn {draws}\n"))
}

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "a table is for the terminal")]
fn main() -> ExitCode {
    match run() {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
