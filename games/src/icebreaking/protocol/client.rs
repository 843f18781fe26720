//! The bot's side.

use alloc::format;
use alloc::string::{String, ToString};
use core::str::SplitAsciiWhitespace;

use arrayvec::ArrayVec;

use crate::client::{Client, Received, TimeTold};
use crate::icebreaking::rules::{Board, CELLS, Cell, Position};
use crate::icebreaking::{Diagram, Icebreaking};
use crate::notation::NotationError;
use crate::wire::{OK, told_millis, without_blanks};

/// Follows a game of Icebreaking and applies the actions of both sides itself.
///
/// The board lines may come before or after `READY`, and even after the first `TURN`.
#[derive(Debug, Clone)]
pub struct IcebreakingClient {
    game: Icebreaking,
    position: Position,
    scores: ArrayVec<Option<i8>, CELLS>,
    /// A `TURN` that came before the board was complete.
    waiting: Option<TimeTold>,
}

impl IcebreakingClient {
    /// A client whose board is not known yet; it will replace the board of `game`.
    #[must_use]
    pub fn new(game: Icebreaking) -> Self {
        let position = game.board.start();
        IcebreakingClient { game, position, scores: ArrayVec::new(), waiting: None }
    }

    fn read_row(&mut self, words: SplitAsciiWhitespace<'_>) -> Result<Received, String> {
        let row: ArrayVec<Option<i8>, 9> = words.map_while(token).take(9).collect();
        if !row.is_full() {
            return Err("expected a keyword or nine scores and holes".to_string());
        }
        if self.scores.is_full() {
            return Err("a row after the board was complete".to_string());
        }
        self.scores.extend(row);
        if let Ok(scores) = self.scores.clone().into_inner() {
            self.game.board = Board::new(&scores);
            self.position = self.game.board.start();
            if let Some(time) = self.waiting.take() {
                return Ok(Received::Act(time));
            }
        }
        Ok(Received::Noted)
    }

    fn read_turn(&mut self, mut words: SplitAsciiWhitespace<'_>) -> Result<Received, String> {
        let own = words.next().and_then(told_millis);
        let time = TimeTold { own, opponent: words.next().and_then(told_millis) };
        if !self.scores.is_full() {
            self.waiting = Some(time);
            return Ok(Received::Noted);
        }
        if self.position.is_over() {
            return Err("TURN although no ice is left".to_string());
        }
        Ok(Received::Act(time))
    }

    fn read_opponent(&mut self, words: SplitAsciiWhitespace<'_>) -> Result<Received, String> {
        let mut numbers = words.filter(|word| *word != "MOVE").map_while(|word| word.parse().ok());
        let (Some(row), Some(column)) = (numbers.next(), numbers.next()) else {
            return Err("OPP without row and column".to_string());
        };
        let cell = Cell::at(row, column).ok_or("OPP outside the board")?;
        self.position
            .try_apply(&self.game.board, cell)
            .map_err(|why| format!("OPP {row} {column}: {why}"))?;
        Ok(Received::Noted)
    }
}

impl Client for IcebreakingClient {
    type Game = Icebreaking;
    type Position = Position;
    type Action = Cell;

    fn receive(&mut self, line: &str) -> Received {
        let mut words = line.split_ascii_whitespace();
        let all = words.clone();
        let received = match words.next() {
            None => Ok(Received::Noted),
            Some("READY") => Ok(Received::Reply(OK.to_string())),
            Some("FINISH") => Ok(Received::Finish),
            Some("TURN") => self.read_turn(words),
            Some("OPP") => self.read_opponent(words),
            Some(_) => self.read_row(all),
        };
        received.unwrap_or_else(Received::Skipped)
    }

    fn game(&self) -> &Icebreaking {
        &self.game
    }

    fn position(&self) -> &Position {
        &self.position
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        let diagram: Diagram = text.parse().map_err(|error: NotationError| error.to_string())?;
        self.game.board = diagram.board;
        self.position = diagram.position;
        Ok(())
    }

    fn name(&self, cell: &Cell) -> Option<String> {
        Some(without_blanks(&cell.to_string()))
    }

    fn act(&mut self, cell: Cell) -> String {
        self.position.apply(&self.game.board, cell);
        cell.to_string()
    }
}

/// A token of a board line: `Some(None)` for a hole.
fn token(word: &str) -> Option<Option<i8>> {
    match word {
        "#" => Some(None),
        _ => word.parse().ok().filter(|score| (-2..=2).contains(score)).map(Some),
    }
}
