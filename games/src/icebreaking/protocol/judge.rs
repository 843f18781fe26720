//! The judge's side.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;

use super::{board_lines, opponent_line, read_answer, turn_line};
use crate::icebreaking::rules::{Cell, Content, Side};
use crate::icebreaking::{Diagram, drawing};
use crate::judging::{Clocks, Fault, Judging, Outcome, Status, TimeLimits};
use crate::svg::BoardCell;
use crate::wire::{FINISH, READY};

/// Judges one game of Icebreaking; seat 0 is A.
#[derive(Debug, Clone)]
pub struct IcebreakingJudge {
    diagram: Diagram,
    last: Option<Cell>,
}

impl IcebreakingJudge {
    /// A game from this position. The protocol does not transmit which side took a cell: the board
    /// lines show taken cells as holes.
    #[must_use]
    pub fn new(diagram: Diagram) -> Self {
        IcebreakingJudge { diagram, last: None }
    }

    fn seat_to_move(&self) -> usize {
        self.diagram.position.side() as usize
    }
}

impl Judging for IcebreakingJudge {
    fn seats(&self) -> usize {
        2
    }

    fn time_limits(&self) -> TimeLimits {
        let whole_game = Duration::from_millis(5_000);
        TimeLimits { wall: whole_game, cpu: Some(whole_game) }
    }

    fn opening(&self, _seat: usize) -> Vec<String> {
        let mut lines = board_lines(&self.diagram.remaining_board());
        lines.push(READY.to_string());
        lines
    }

    fn status(&self) -> Status {
        let position = &self.diagram.position;
        if !position.is_over() {
            return Status::ToMove(self.seat_to_move());
        }
        let [a, b] = [Side::A, Side::B].map(|side| position.total(side));
        Status::Over(Outcome::of_two(a.cmp(&b), format!("{a} to {b}")))
    }

    fn request(&self, clocks: &Clocks) -> Vec<String> {
        let seat = self.seat_to_move();
        let left = |seat: usize| clocks.wall_left.get(seat).copied().unwrap_or_default();
        vec![turn_line(left(seat), left(1 - seat))]
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        let cell = read_answer(line)?;
        let Diagram { board, position } = &mut self.diagram;
        position.try_apply(board, cell).map_err(|why| Fault::Illegal(format!("{cell}: {why}")))?;
        self.last = Some(cell);
        Ok(())
    }

    fn notice(&self, seat: usize, used: Duration) -> Vec<String> {
        // Sides alternate strictly: the side to move did not take the last action.
        let told = self.last.filter(|_| seat == self.seat_to_move());
        told.map(|cell| opponent_line(cell, used)).into_iter().collect()
    }

    fn farewell(&self) -> Option<String> {
        Some(FINISH.to_string())
    }

    fn position(&self) -> String {
        self.diagram.to_string()
    }

    fn picture(&self) -> String {
        let Diagram { board, position } = &self.diagram;
        let mut picture = String::from("   0  1  2  3  4  5  6  7  8\n");
        for cell in Cell::all() {
            if cell.column() == 0 {
                picture += &cell.row().to_string();
            }
            picture += &match position.content(board, cell) {
                Content::Hole => "  #".to_string(),
                Content::Taken(side) => format!("  {side}"),
                Content::Ice => format!("{:3}", board.score(cell).unwrap_or(0)),
            };
            if cell.column() == 8 {
                picture.push('\n');
            }
        }
        picture += &format!("a {}, b {}\n", position.total(Side::A), position.total(Side::B));
        picture
    }

    fn drawing(&self) -> Option<String> {
        let score = self.score().unwrap_or_default();
        Some(drawing::draw(&self.diagram, self.last, &score))
    }

    fn cells(&self, answer: &str) -> Vec<BoardCell> {
        read_answer(answer).map(drawing::cells_of).unwrap_or_default()
    }

    fn last_action(&self) -> Option<String> {
        self.last.map(|cell| cell.to_string())
    }

    fn legal_answers(&self) -> Vec<String> {
        let Diagram { board, position } = &self.diagram;
        let is_legal = |cell: &Cell| position.clone().try_apply(board, *cell).is_ok();
        Cell::all().filter(is_legal).map(|cell| cell.to_string()).collect()
    }

    fn score(&self) -> Option<String> {
        let [a, b] = [Side::A, Side::B].map(|side| self.diagram.position.total(side));
        Some(format!("{a} to {b}"))
    }
}
