//! The wire protocol: the judge's side and the bot's side.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;

use super::PromotionChess;
use super::drawing;
use super::legality::{self, apply_readable};
use super::notation::{self, DIALECT};
use super::position::{Kind, Position, Side};
use super::rules::{Action, Ending};
use crate::client::{Client, Received, TimeTold};
use crate::judging::{Clocks, Fault, Judging, Outcome, Status, TimeLimits};
use crate::notation::{NotationError, Quoted};
use crate::svg::BoardCell;
use crate::wire::{legal_answers, without_blanks};

/// The longest line in bytes, its line feed included.
pub const LONGEST_LINE: usize = 64;

/// Wall time of each player for the whole game.
pub const WALL: Duration = Duration::from_secs(10);

/// Judges one game. Seat 0 is White.
#[derive(Debug, Clone)]
pub struct PromotionChessJudge {
    game: PromotionChess,
    position: Position,
    last: Option<(Side, Action)>,
}

impl PromotionChessJudge {
    /// A game from this position.
    #[must_use]
    pub fn new(game: PromotionChess, position: Position) -> PromotionChessJudge {
        PromotionChessJudge { game, position, last: None }
    }

    fn ending(&self) -> Option<Ending> {
        self.game.rules.ending(&self.position)
    }
}

fn points(white: f64) -> Vec<f64> {
    vec![white, 1.0 - white]
}

impl Judging for PromotionChessJudge {
    fn seats(&self) -> usize {
        2
    }

    fn time_limits(&self) -> TimeLimits {
        TimeLimits { wall: WALL, cpu: None }
    }

    fn opening(&self, seat: usize) -> Vec<String> {
        vec![format!("{} {}", DIALECT.ready, DIALECT.roles[seat % 2])]
    }

    fn status(&self) -> Status {
        let (points, description) = match self.ending() {
            None => return Status::ToMove(self.position.to_move().index()),
            Some(Ending::Checkmate(Side::White)) => (points(1.0), "checkmate".to_owned()),
            Some(Ending::Checkmate(Side::Black)) => (points(0.0), "checkmate".to_owned()),
            Some(Ending::Stalemate) => (points(0.5), "stalemate".to_owned()),
            Some(Ending::PlyLimit) => (points(0.5), format!("{} plies", self.position.ply())),
        };
        Status::Over(Outcome { points, description })
    }

    fn request(&self, clocks: &Clocks) -> Vec<String> {
        let left = clocks.wall_left.get(self.position.to_move().index()).unwrap_or(&WALL);
        vec![format!("{} {}", DIALECT.turn, left.as_millis().max(1))]
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        if line.len() >= LONGEST_LINE {
            let length = line.len();
            let why =
                format!("{length} bytes and a line feed; a line has at most {LONGEST_LINE} bytes");
            return Err(Fault::Malformed(why));
        }
        let action: Action = line.parse()?;
        let mover = self.position.to_move();
        let applied = self.game.rules.try_apply(&mut self.position, action);
        applied.map_err(|why| Fault::Illegal(format!("{action}: {why}")))?;
        self.last = Some((mover, action));
        Ok(())
    }

    fn notice(&self, seat: usize, _used: Duration) -> Vec<String> {
        let is_told = |mover: Side| mover.index() != seat && self.ending().is_none();
        let told = self.last.filter(|(mover, _)| is_told(*mover));
        told.map(|(_, action)| format!("{} {action}", DIALECT.opponent)).into_iter().collect()
    }

    fn farewell(&self) -> Option<String> {
        Some(DIALECT.finish.to_owned())
    }

    fn position(&self) -> String {
        self.position.to_string()
    }

    fn picture(&self) -> String {
        notation::picture(&self.position)
    }

    fn drawing(&self) -> Option<String> {
        let last = self.last_action().unwrap_or_default();
        let caption = match self.status() {
            Status::ToMove(0) => "White to move".to_owned(),
            Status::ToMove(_) => "Black to move".to_owned(),
            Status::Over(outcome) => outcome.description,
        };
        Some(drawing::draw(&self.position, &drawing::squares_of(&last), &caption))
    }

    fn cells(&self, answer: &str) -> Vec<BoardCell> {
        drawing::cells_of(answer)
    }

    fn last_action(&self) -> Option<String> {
        self.last.map(|(_, action)| action.to_string())
    }

    fn legal_answers(&self) -> Vec<String> {
        legal_answers(&self.game, &self.position, |action| action.to_string())
    }
}

/// The bot's side of a game.
///
/// An incoming action is applied if it is unambiguous, even if these rules call it illegal: the
/// judge has accepted it, and the assumed rules may be wrong.
#[derive(Debug, Clone)]
pub struct PromotionChessClient {
    game: PromotionChess,
    position: Position,
    /// The bot's side, once a line has shown it.
    side: Option<Side>,
}

impl PromotionChessClient {
    /// A game from the start.
    #[must_use]
    pub fn new(game: PromotionChess) -> PromotionChessClient {
        PromotionChessClient { game, position: Position::start(), side: None }
    }

    /// The side that the bot plays, if known.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        self.side
    }

    fn ready(&mut self, mut words: core::str::SplitWhitespace<'_>) -> Received {
        let role = words.find_map(|word| DIALECT.roles.iter().position(|role| *role == word));
        self.position = Position::start();
        self.side = role.map(|role| Side::BOTH[role]);
        Received::Reply(DIALECT.ok.to_owned())
    }

    fn turn(&mut self, mut words: core::str::SplitWhitespace<'_>) -> Received {
        let own = words.find_map(|word| word.parse().ok()).map(Duration::from_millis);
        let side = *self.side.get_or_insert(self.position.to_move());
        if self.position.to_move() != side {
            // An action of the opponent was lost; answer for the bot's side, not for the
            // opponent's.
            self.position.ply = self.position.ply.saturating_add(1);
            self.position.begin_turn();
        }
        // The judge asks, so the game is not over.
        let last_ply = self.game.rules.maximum_plies.saturating_sub(1);
        self.position.ply = self.position.ply.min(last_ply);
        if !self.game.rules.has_legal_action(&self.position) {
            return Received::Skipped("asked for an action although none is legal".to_owned());
        }
        Received::Act(TimeTold { own, opponent: None })
    }

    fn opponent(&mut self, line: &str) -> Received {
        let mover = self.position.to_move();
        if self.side == Some(mover) {
            return Received::Skipped(format!("{} in this client's own turn", Quoted(&clip(line))));
        }
        let Some(action) = read_action(&self.position, line) else {
            return Received::Skipped(format!(
                "cannot read an action from {}",
                Quoted(&clip(line))
            ));
        };
        self.side = Some(mover.opponent());
        apply_readable(&mut self.position, action);
        Received::Noted
    }
}

impl Client for PromotionChessClient {
    type Game = PromotionChess;
    type Position = Position;
    type Action = Action;

    fn receive(&mut self, line: &str) -> Received {
        let mut words = line.split_whitespace();
        match words.next() {
            Some(word) if word == DIALECT.ready => self.ready(words),
            Some(word) if word == DIALECT.turn => self.turn(words),
            Some(word) if word == DIALECT.opponent => self.opponent(line),
            Some(word) if word == DIALECT.finish => Received::Finish,
            Some(_) => Received::Skipped(format!("unknown keyword in {}", Quoted(&clip(line)))),
            None => Received::Noted,
        }
    }

    fn game(&self) -> &PromotionChess {
        &self.game
    }

    fn position(&self) -> &Position {
        &self.position
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.position = text.parse().map_err(|error: NotationError| error.to_string())?;
        Ok(())
    }

    fn name(&self, action: &Action) -> Option<String> {
        Some(without_blanks(&action.to_string()))
    }

    fn act(&mut self, action: Action) -> String {
        apply_readable(&mut self.position, action);
        action.to_string()
    }
}

/// The start of a line, for a message.
fn clip(line: &str) -> String {
    line.trim_end().chars().take(LONGEST_LINE).collect()
}

/// Reads the opponent's action: by its keyword if it is known, otherwise by the squares and pieces
/// that the line names. Extra words and undue promotions are ignored.
///
/// `None` if the result is not readable. A pawn on the far rank without a named piece becomes a
/// queen.
fn read_action(position: &Position, line: &str) -> Option<Action> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let squares: Vec<_> = words.iter().filter_map(|w| notation::square_of_word(w)).collect();
    let kind = words.iter().find_map(|word| notation::kind_of_word(word));
    let keyword = words.first().copied().unwrap_or_default();
    let action = match (&squares[..], kind) {
        ([square, ..], _) if keyword == DIALECT.place => Action::Place(*square),
        ([square, ..], Some(kind)) if keyword == DIALECT.promote => Action::Promote(*square, kind),
        ([from, to, ..], kind) => {
            let is_pawn = position.kind_at(*from) == Some(Kind::Pawn);
            let due = is_pawn && position.to_move().far() & to.bit() != 0;
            Action::Move {
                from: *from,
                to: *to,
                promotion: due.then_some(kind.unwrap_or(Kind::Queen)),
            }
        }
        ([square], Some(kind)) => Action::Promote(*square, kind),
        ([square], None) => Action::Place(*square),
        ([], _) => return None,
    };
    legality::readable(position, action).is_ok().then_some(action)
}
