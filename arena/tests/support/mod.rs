//! A tiny game for the referee, with players in shell.

use std::time::Duration;

use arena::record::GameRecord;
use arena::referee::{Conduct, Occasion, PlayError, Player};
use games::{Clocks, Fault, Judging, Outcome, Status, TimeLimits};

/// Players add 1 to 3 in turn; the player who reaches 10 wins.
#[derive(Debug)]
pub(crate) struct Counting {
    pub(crate) total: u32,
    pub(crate) limits: TimeLimits,
    last: Option<u32>,
    turns: usize,
}

impl Counting {
    pub(crate) fn new(wall_ms: u64, cpu_ms: u64) -> Counting {
        let wall = Duration::from_millis(wall_ms);
        let limits = TimeLimits { wall, cpu: Some(Duration::from_millis(cpu_ms)) };
        Counting { total: 0, limits, last: None, turns: 0 }
    }
}

impl Judging for Counting {
    fn seats(&self) -> usize {
        2
    }

    fn time_limits(&self) -> TimeLimits {
        self.limits
    }

    fn opening(&self, seat: usize) -> Vec<String> {
        vec!["a game of counting".to_owned(), format!("READY {seat}")]
    }

    fn status(&self) -> Status {
        if self.total < 10 {
            return Status::ToMove(self.turns % 2);
        }
        let winner = (self.turns + 1) % 2;
        let points = (0..2).map(|seat| if seat == winner { 1.0 } else { 0.0 }).collect();
        Status::Over(Outcome { points, description: format!("reached {}", self.total) })
    }

    fn request(&self, clocks: &Clocks) -> Vec<String> {
        vec![format!("TURN {} {}", self.total, clocks.wall_left[self.turns % 2].as_millis())]
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        let number = line.strip_prefix("ADD ").and_then(|text| text.parse().ok());
        let number: u32 = number.ok_or_else(|| Fault::Malformed("expected ADD n".to_owned()))?;
        if !(1..=3).contains(&number) {
            return Err(Fault::Illegal(format!("{number} is not 1, 2 or 3")));
        }
        self.total += number;
        self.turns += 1;
        self.last = Some(number);
        Ok(())
    }

    fn notice(&self, seat: usize, used: Duration) -> Vec<String> {
        let is_mover = seat == (self.turns + 1) % 2;
        let told = self.last.filter(|_| !is_mover);
        told.map(|number| format!("OPP {number} {}", used.as_millis())).into_iter().collect()
    }

    fn farewell(&self) -> Option<String> {
        Some("FINISH".to_owned())
    }

    fn position(&self) -> String {
        self.total.to_string()
    }

    fn picture(&self) -> String {
        self.total.to_string()
    }

    fn last_action(&self) -> Option<String> {
        self.last.map(|number| format!("ADD {number}"))
    }
}

/// A player that always adds one and exits on request.
pub(crate) const HONEST: &str = r#"while read -r word rest; do
    case $word in READY) echo OK;; TURN) echo "ADD 1";; FINISH) exit 0;; esac
done"#;

/// A player that answers READY, and runs `on_turn` when it has to act.
pub(crate) fn on_turn(on_turn: &str) -> String {
    format!(
        "while read -r word rest; do case $word in READY) echo OK;; TURN) {on_turn};; esac; done"
    )
}

pub(crate) fn shell(name: &str, script: &str) -> Player {
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    Player { name: name.to_owned(), command, seed: 1 }
}

pub(crate) fn play(
    mut game: Counting,
    first: &str,
    second: &str,
    strict: bool,
) -> Result<GameRecord, PlayError> {
    let stop = std::sync::atomic::AtomicBool::new(false);
    let conduct = Conduct {
        strict,
        memory_limit_bytes: Some(600 << 20),
        sandbox: false,
        keep_messages: true,
        longest_game: None,
        cores: None,
        stop: &stop,
    };
    let players = [shell("first", first), shell("second", second)];
    arena::process::adopt_orphans().expect("Linux lets a process adopt orphans");
    arena::referee::play(
        &mut game,
        &players,
        Occasion { game: "counting", seed: 0 },
        &conduct,
        &mut (),
    )
}
