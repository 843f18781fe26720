//! The bot's side.

use alloc::format;
use alloc::string::{String, ToString};
use core::str::SplitAsciiWhitespace;

use super::side_of_turn;
use crate::client::{Client, Received, TimeTold};
use crate::notation::{NotationError, Quoted};
use crate::reversi::Reversi;
use crate::reversi::rules::{Action, CELLS, Position, Side};
use crate::wire::{OK, without_blanks};

/// Follows a game of Reversi. The judge sends the whole board at each turn, so the position never depends on
/// earlier lines.
///
/// The number and the board of a `TURN` may come in either order, and on this or on following lines.
#[derive(Debug, Clone)]
pub struct ReversiClient {
    game: Reversi,
    position: Position,
    turn: Option<PartialTurn>,
}

impl ReversiClient {
    /// At the start of a game.
    #[must_use]
    pub fn new(game: Reversi) -> Self {
        ReversiClient { game, position: Position::start(), turn: None }
    }

    fn read_turn(&mut self, mut turn: PartialTurn, words: SplitAsciiWhitespace<'_>) -> Received {
        for word in words {
            turn.take(word);
        }
        let Some(position) = turn.position() else {
            self.turn = Some(turn);
            return Received::Noted;
        };
        self.turn = None;
        self.position = position;
        if position.is_over() {
            return Received::Reply(Action::PASS.to_string());
        }
        Received::Act(TimeTold::default())
    }
}

impl Default for ReversiClient {
    fn default() -> Self {
        ReversiClient::new(Reversi::default())
    }
}

impl Client for ReversiClient {
    type Game = Reversi;
    type Position = Position;
    type Action = Action;

    fn receive(&mut self, line: &str) -> Received {
        let mut words = line.split_ascii_whitespace();
        let begun = self.turn.take();
        match (words.clone().next(), begun) {
            (Some("READY"), _) => Received::Reply(OK.to_string()),
            (Some("FINISH"), _) => Received::Finish,
            (Some("TURN"), _) => {
                words.next();
                self.read_turn(PartialTurn::default(), words)
            }
            (Some(word), Some(turn)) if turn.clone().take(word) => self.read_turn(turn, words),
            (Some(word), begun) => {
                self.turn = begun;
                Received::Skipped(format!("unknown keyword {}", Quoted(word)))
            }
            (None, begun) => {
                self.turn = begun;
                Received::Noted
            }
        }
    }

    fn game(&self) -> &Reversi {
        &self.game
    }

    fn position(&self) -> &Position {
        &self.position
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.position = text.parse().map_err(|error: NotationError| error.to_string())?;
        self.turn = None;
        Ok(())
    }

    fn name(&self, action: &Action) -> Option<String> {
        Some(without_blanks(&action.to_string()))
    }

    fn act(&mut self, action: Action) -> String {
        self.position.apply(action);
        action.to_string()
    }
}

/// The parts of a `TURN` read so far: its number, and the first cells of the board.
#[derive(Debug, Clone, Default)]
struct PartialTurn {
    number: Option<u32>,
    black: u64,
    white: u64,
    cells: usize,
}

impl PartialTurn {
    /// Uses a word if it is a missing part.
    fn take(&mut self, word: &str) -> bool {
        if word.bytes().all(|cell| b".BW".contains(&cell)) {
            return self.take_cells(word);
        }
        match word.parse() {
            Ok(number) if self.number.is_none() => {
                self.number = Some(number);
                true
            }
            _ => false,
        }
    }

    fn take_cells(&mut self, cells: &str) -> bool {
        if cells.len() == CELLS && self.cells < CELLS {
            // A whole board replaces any cells read before it.
            (self.black, self.white, self.cells) = (0, 0, 0);
        }
        if self.cells + cells.len() > CELLS {
            return false;
        }
        for cell in cells.bytes() {
            self.black |= u64::from(cell == b'B') << self.cells;
            self.white |= u64::from(cell == b'W') << self.cells;
            self.cells += 1;
        }
        true
    }

    fn position(&self) -> Option<Position> {
        let side: Side = side_of_turn(self.number?);
        (self.cells == CELLS).then(|| Position::new(self.black, self.white, side))
    }
}
