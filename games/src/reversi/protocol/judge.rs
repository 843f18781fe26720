//! The judge's side.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;

use super::{read_answer, side_of_turn, turn_line};
use crate::judging::{Clocks, Fault, Judging, Outcome, Status, TimeLimits};
use crate::reversi::rules::{Action, Position, Side};
use crate::reversi::{Reversi, drawing};
use crate::svg::BoardCell;
use crate::wire::{READY, legal_answers};

/// Judges one game of Reversi; seat 0 is Black.
#[derive(Debug, Clone)]
pub struct ReversiJudge {
    position: Position,
    turn_number: u32,
    last: Option<Action>,
    /// The discs that the last action turned.
    turned: u64,
}

impl ReversiJudge {
    /// A game from `position`. The number of the first turn follows from the discs on the board and
    /// is odd for Black.
    #[must_use]
    pub fn new(position: Position) -> Self {
        let discs = (position.own() | position.opponent()).count_ones();
        let number = discs.saturating_sub(3).max(1);
        let fits = side_of_turn(number) == position.side();
        ReversiJudge { position, turn_number: number + u32::from(!fits), last: None, turned: 0 }
    }
}

impl Judging for ReversiJudge {
    fn seats(&self) -> usize {
        2
    }

    fn time_limits(&self) -> TimeLimits {
        let whole_game = Duration::from_millis(5_000);
        TimeLimits { wall: whole_game, cpu: Some(whole_game) }
    }

    fn opening(&self, _seat: usize) -> Vec<String> {
        vec![READY.to_string()]
    }

    fn status(&self) -> Status {
        if !self.position.is_over() {
            return Status::ToMove(self.position.side() as usize);
        }
        let [black, white] =
            [Side::Black, Side::White].map(|side| self.position.discs(side).count_ones());
        Status::Over(Outcome::of_two(black.cmp(&white), format!("{black} to {white}")))
    }

    fn request(&self, _clocks: &Clocks) -> Vec<String> {
        vec![turn_line(self.turn_number, &self.position)]
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        let action = read_answer(line)?;
        let before = self.position;
        self.position
            .try_apply(action)
            .map_err(|why| Fault::Illegal(format!("{action}: {why}")))?;
        self.turned = if action == Action::PASS { 0 } else { before.turned_by(action) };
        self.turn_number += 1;
        self.last = Some(action);
        Ok(())
    }

    fn notice(&self, _seat: usize, _used: Duration) -> Vec<String> {
        Vec::new()
    }

    fn farewell(&self) -> Option<String> {
        None
    }

    fn position(&self) -> String {
        self.position.to_string()
    }

    fn picture(&self) -> String {
        let board = self.position.to_string();
        let mut picture = String::from("  1 2 3 4 5 6 7 8\n");
        for row in 0..8 {
            picture += &(row + 1).to_string();
            for cell in board[8 * row..8 * (row + 1)].chars() {
                picture.push(' ');
                picture.push(cell);
            }
            picture.push('\n');
        }
        picture
    }

    fn drawing(&self) -> Option<String> {
        let score = self.score().unwrap_or_default();
        Some(drawing::draw(&self.position, self.last, self.turned, &score))
    }

    fn cells(&self, answer: &str) -> Vec<BoardCell> {
        read_answer(answer).map(drawing::cells_of).unwrap_or_default()
    }

    fn last_action(&self) -> Option<String> {
        self.last.map(|action| action.to_string())
    }

    fn legal_answers(&self) -> Vec<String> {
        legal_answers(&Reversi::default(), &self.position, |action| action.to_string())
    }

    fn score(&self) -> Option<String> {
        let [black, white] =
            [Side::Black, Side::White].map(|side| self.position.discs(side).count_ones());
        Some(format!("{black} to {white} discs"))
    }
}
