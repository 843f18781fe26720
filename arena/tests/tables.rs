//! Games of three seats: all seatings form one round, every seat is informed, and scores compare
//! bots at one table.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::catalogue::Catalogue;
use arena::contest::{
    Count, Event, Form, Machine, Plan, PlannedBot, RoundSummary, Standing, Work, run,
};
use arena::player::BotSpec;
use bots::{Answer, BotEntry, ParameterError, Parameters, Seat};
use games::{Clocks, Entry, EntryError, Fault, Judging, Outcome, Status, TimeLimits};
use mcts_core::Clock;

/// Three players take one to three of twenty counters in turn; the player who takes the last one
/// wins.
#[derive(Debug)]
struct Counters {
    left: u32,
    to_move: usize,
    last: Option<(usize, u32)>,
}

impl Judging for Counters {
    fn seats(&self) -> usize {
        3
    }

    fn time_limits(&self) -> TimeLimits {
        TimeLimits { wall: Duration::from_secs(5), cpu: None }
    }

    fn opening(&self, seat: usize) -> Vec<String> {
        vec![format!("LEFT {}", self.left), format!("READY {seat}")]
    }

    fn status(&self) -> Status {
        if self.left > 0 {
            return Status::ToMove(self.to_move);
        }
        let winner = (self.to_move + 2) % 3;
        let points = (0..3).map(|seat| if seat == winner { 1.0 } else { 0.0 }).collect();
        Status::Over(Outcome { points, description: format!("seat {winner} wins") })
    }

    fn request(&self, _: &Clocks) -> Vec<String> {
        vec!["TURN".to_owned()]
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        let taken: u32 = line.parse().map_err(|_| Fault::Malformed("a number".to_owned()))?;
        if !(1..=3.min(self.left)).contains(&taken) {
            return Err(Fault::Illegal(format!("{taken} of {}", self.left)));
        }
        self.last = Some((self.to_move, taken));
        self.left -= taken;
        self.to_move = (self.to_move + 1) % 3;
        Ok(())
    }

    /// Two lines for every seat, the mover included: her client counts only these.
    fn notice(&self, seat: usize, _: Duration) -> Vec<String> {
        let Some((mover, taken)) = self.last else { return Vec::new() };
        vec![format!("TOOK {mover} {taken} {seat}"), format!("LEFT {}", self.left)]
    }

    fn farewell(&self) -> Option<String> {
        None
    }

    fn position(&self) -> String {
        format!("{} {}", self.left, self.to_move)
    }

    fn picture(&self) -> String {
        self.position()
    }

    fn last_action(&self) -> Option<String> {
        self.last.map(|(_, taken)| taken.to_string())
    }
}

/// Takes this many counters, or the rest.
struct Taker {
    takes: u32,
    left: u32,
}

impl Seat for Taker {
    fn receive(&mut self, line: &str, _: &dyn Clock) -> Answer {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "LEFT" => self.left = rest.parse().expect("a number"),
            "READY" => return Answer::Line("OK".to_owned()),
            "TURN" => return Answer::Line(self.takes.min(self.left).to_string()),
            _ => {}
        }
        Answer::Nothing
    }
}

type Built = Result<Box<dyn Seat>, ParameterError>;

/// Reads the seed that every bot of a match is given, and ignores it.
fn taker(takes: u32, parameters: &mut Parameters) -> Built {
    parameters.seed()?;
    Ok(Box::new(Taker { takes, left: 0 }))
}

const fn bot(name: &'static str, build: fn(&mut Parameters) -> Built) -> BotEntry {
    BotEntry { game: "counters", name, summary: "takes the same number", build }
}

const BOTS: &[BotEntry] = &[
    bot("one", |given| taker(1, given)),
    bot("two", |given| taker(2, given)),
    bot("three", |given| taker(3, given)),
];

fn start(left: u32) -> Box<dyn Judging> {
    Box::new(Counters { left, to_move: 0, last: None })
}

const GAME: Entry = Entry {
    name: "counters",
    summary: "three players take counters",
    judge: |seed, _| Ok(start(10 + (seed % 11) as u32)),
    judge_from: |_, _| Err(EntryError::UnknownOption { name: "from".to_owned(), known: &[] }),
    random_start: |_, _| String::new(),
    perft: |_, _| Ok(0),
    check: |_| None,
};

const CATALOGUE: Catalogue = Catalogue { games: &[GAME], bots: &[BOTS] };

fn standing(bots: &[&str], rounds: u64) -> Standing {
    let planned = |bot: &&str| PlannedBot { bot: (*bot).to_owned(), content: String::new() };
    let plan = Plan {
        arena: String::new(),
        game: "counters".to_owned(),
        options: Vec::new(),
        seats: 3,
        form: Form::RoundRobin,
        bots: bots.iter().map(planned).collect(),
        seed: 1,
        opening_plies: 0,
        rounds,
        sprt: None,
        in_process: true,
        strict: false,
        memory_mib: None,
    };
    plan.check(&CATALOGUE).expect("it can be played");
    let specs: Vec<BotSpec> = bots.iter().map(|bot| bot.parse().expect("a bot")).collect();
    let game = CATALOGUE.game("counters").expect("the only one");
    let work = Work { plan: &plan, game, catalogue: CATALOGUE, specs: &specs };
    let stop = AtomicBool::new(false);
    let machine = Machine {
        jobs: 2,
        pins: false,
        sandbox: false,
        keeps_messages: false,
        arena: std::env::current_exe().expect("this test"),
        stop: &stop,
    };
    let mut count = Count::new(&plan);
    run(&work, 0..plan.len(), &machine, None, |event| {
        if let Event::Played(pair) = event {
            count.add(RoundSummary::of(pair));
        }
        true
    })
    .expect("bots in this process play");
    count.finish()
}

#[test]
fn every_seat_is_informed_the_mover_too() {
    // A taker that missed a line would take more than is left.
    let standing = standing(&["one", "three"], 30);
    assert_eq!((standing.rounds, standing.games, standing.games_ended_by_fault), (30, 180, 0));
}

#[test]
fn a_bot_against_itself_scores_one_half_in_every_round() {
    let standing = standing(&["two", "two"], 20);
    let estimate = standing.estimate(0);
    assert_eq!((estimate.pairs, estimate.elo), (20, Some(0.0)));
    let points: f64 = standing.bots.iter().map(|bot| bot.points).sum();
    assert!((points - 120.0).abs() < 1e-9, "a point a game: {points}");
}

#[test]
fn a_tournament_rates_all_bots_by_their_tables() {
    let standing = standing(&["one", "two", "three"], 10);
    assert_eq!((standing.pairings.len(), standing.rounds), (3, 30));
    let ratings = standing.ratings();
    assert!(ratings.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
    assert!(ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
    // At a table of three a game has one winner, so each seat gets a third of the points on
    // average.
    let by_seat = standing.bots.iter().map(|bot| bot.by_seat.len()).max();
    assert_eq!(by_seat, Some(3));
}
