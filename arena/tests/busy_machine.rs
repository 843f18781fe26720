//! Verdicts on a busy machine.

#[expect(dead_code, reason = "each file of tests uses its part")]
mod support;

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

use arena::contest::Cores;
use arena::process::{BotProcess, Launch, adopt_orphans};
use arena::record::GameRecord;
use arena::referee::{Conduct, Occasion, play};
use arena::verdict::Offence;
use support::{Counting, HONEST, on_turn, shell};

/// Processes that spin on the core of the player to move.
fn crowd(count: usize) -> Vec<BotProcess> {
    let spin = ["sh", "-c", "while :; do :; done"].map(str::to_owned);
    let start = |_| {
        let process = BotProcess::start(&Launch { command: &spin, ..Launch::default() })
            .expect("the shell starts");
        process.run_on(&Cores::available().of_job(0).thinking);
        process
    };
    (0..count).map(start).collect()
}

/// Plays against an honest player on a core on which twelve other processes spin.
fn play_on_a_crowded_core(script: &str, wall_ms: u64) -> GameRecord {
    let _crowd = crowd(12);
    play_once(script, wall_ms)
}

fn play_once(script: &str, wall_ms: u64) -> GameRecord {
    let cores = Cores::available().of_job(0);
    let stop = AtomicBool::new(false);
    let conduct = Conduct {
        strict: false,
        memory_limit_bytes: None,
        sandbox: false,
        keep_messages: false,
        longest_game: None,
        cores: Some(cores),
        stop: &stop,
    };
    adopt_orphans().expect("Linux lets a process adopt orphans");
    let players = [shell("tested", script), shell("honest", HONEST)];
    let occasion = Occasion { game: "counting", seed: 0 };
    let record = play(&mut Counting::new(wall_ms, 60_000), &players, occasion, &conduct, &mut ());
    record.expect("both start")
}

/// Needs about 30 ms of processor time for its first action, and almost none for the others.
const WORKS: &str = "while read -r word total rest; do case $word in
    READY) echo OK;;
    TURN) i=0; [ $total -lt 2 ] && while [ $i -lt 40000 ]; do i=$((i+1)); done; echo ADD 1;;
    FINISH) exit 0;; esac; done";

fn assert_not_blamed(record: &GameRecord) {
    let blamed = record.verdict.is_some() && !record.contended;
    assert!(!blamed, "{:?} {:?}", record.verdict, record.seats);
}

#[test]
fn a_player_that_was_given_no_processor_is_not_to_blame() {
    assert_not_blamed(&play_on_a_crowded_core(WORKS, 250));
}

#[test]
fn a_child_that_was_given_no_processor_is_not_to_blame() {
    assert_not_blamed(&play_on_a_crowded_core(&format!("sh -c '{WORKS}'; exit"), 250));
}

#[test]
fn a_player_that_needs_more_processor_time_than_its_clock_is_blamed_in_any_crowd() {
    let record = play_on_a_crowded_core(&on_turn("while :; do :; done"), 100);
    let verdict = record.verdict.expect("it ran out of time");
    assert!(matches!(verdict.offence, Offence::WallTimeout { .. }), "{verdict}");
    assert!(!record.contended, "{:?}", record.seats[0].used);
}

#[test]
fn a_player_that_sleeps_has_no_excuse() {
    let record = play_on_a_crowded_core(&on_turn("sleep 9"), 250);
    assert!(!record.contended, "{:?}", record.seats[0].used);
}

/// Results of games on the busy machine: not late, late only because of the machine, and at fault.
#[derive(Debug, Default)]
struct Endings {
    fair: usize,
    excused: usize,
    blamed: usize,
    /// The first game that was blamed.
    evidence: Option<GameRecord>,
}

impl Endings {
    fn add(&mut self, record: GameRecord) {
        let late = matches!(
            record.verdict.as_ref().map(|verdict| &verdict.offence),
            Some(Offence::WallTimeout { .. })
        );
        match (record.contended, late) {
            (true, _) => self.excused += 1,
            (false, true) => self.blamed += 1,
            (false, false) => self.fair += 1,
        }
        if late && !record.contended {
            self.evidence.get_or_insert(record);
        }
    }

    fn counts(&self) -> [usize; 3] {
        [self.fair, self.excused, self.blamed]
    }
}

/// Plays `games` games, several at once on the same core, as part of its crowd.
fn endings_of(games: usize, script: &str, wall_ms: u64) -> Endings {
    const AT_ONCE: usize = 16;
    let open = AtomicUsize::new(games);
    let is_left = || open.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok();
    let endings = Mutex::new(Endings::default());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while is_left() {
                    let record = play_once(script, wall_ms);
                    endings.lock().expect("no game panics").add(record);
                }
            });
        }
    });
    endings.into_inner().expect("no game panics")
}

/// Games of guiltless players; set this to run the experiment in pieces.
const GAMES_VARIABLE: &str = "ARENA_CROWD_GAMES";

#[test]
#[ignore = "slow: 2,080 games among 30 processes that spin; cargo test -p arena --release --test busy_machine -- --ignored --nocapture"]
fn among_thirty_processes_no_innocent_player_is_blamed_and_every_guilty_one_is() {
    let games = std::env::var(GAMES_VARIABLE).map_or(2_000, |text| text.parse().expect("games"));
    let crowd = crowd(30);
    let begun = Instant::now();
    println!("games: not late, late by the machine alone, blamed");
    let works = WORKS.replace("40000", "15000");
    let innocent = endings_of(games, &works, 100);
    println!("needs 16 of 100 ms: {:?} in {:?}", innocent.counts(), begun.elapsed());
    let sleeps = endings_of(60, &on_turn("sleep 0.15; echo ADD 1"), 100);
    let burns = endings_of(20, &on_turn("while :; do :; done"), 100);
    println!("sleeps for 150 of 100 ms: {:?}", sleeps.counts());
    println!("computes for ever: {:?}", burns.counts());
    drop(crowd);
    assert_eq!(innocent.blamed, 0, "{:?}", innocent.evidence);
    assert_eq!((sleeps.counts(), burns.counts()), ([0, 0, 60], [0, 0, 20]));
}
