//! Text forms: `ranks side levels ply` for a position, as on the rule page, and the actions of the wire protocol.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::attacks::{SIDE_LENGTH, Square, Squares};
use super::position::{Kind, Position, Side};
use super::rules::Action;
use crate::notation::{NotationError, Reader};

/// The words of the wire protocol and of action texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// Precedes the role of a player, once. Given by the statement.
    pub ready: &'static str,
    /// The answer to `ready`. Given.
    pub ok: &'static str,
    /// Asks for an action. Given.
    pub turn: &'static str,
    /// Precedes the opponent's action. Given.
    pub opponent: &'static str,
    /// The game is over. Given.
    pub finish: &'static str,
    /// The roles of White and Black. Given.
    pub roles: [&'static str; 2],
    /// Precedes the square of a new citizen. Assumed.
    pub place: &'static str,
    /// Precedes the square and the new piece of a citizen. Assumed.
    pub promote: &'static str,
    /// Precedes the squares of a move. Given; that a pawn's promotion follows them is assumed.
    pub movement: &'static str,
}

/// The words in use; the assumed ones occur only here.
pub const DIALECT: Dialect = Dialect {
    ready: "READY",
    ok: "OK",
    turn: "TURN",
    opponent: "OPP",
    finish: "FINISH",
    roles: ["FIRST", "SECOND"],
    place: "PLACE",
    promote: "PROMOTE",
    movement: "MOVE",
};

/// Letters of the pieces in the order of [`Kind::ALL`], White's and then Black's.
const LETTERS: &str = "KQRBNPCkqrbnpc";

fn letter(side: Side, kind: Kind) -> char {
    char::from(LETTERS.as_bytes()[Kind::COUNT * side.index() + kind.index()])
}

/// The squares in the order of the text: rank 5 to 1, file a to e.
fn board_order() -> impl Iterator<Item = Square> {
    (0..SIDE_LENGTH)
        .rev()
        .flat_map(|rank| (0..SIDE_LENGTH).map(move |file| Square::new(file, rank)))
}

/// The citizens in the order of the text; each side's are on its home rank.
fn citizens(position: &Position) -> impl Iterator<Item = (Side, Square)> + use<> {
    let of = |side| Squares(position.pieces(side, Kind::Citizen)).map(move |square| (side, square));
    of(Side::Black).chain(of(Side::White))
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Side::White { "w" } else { "b" })
    }
}

impl fmt::Display for Kind {
    /// The word of the wire protocol; kings and citizens, which the protocol never names, have one
    /// too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::King => "KING",
            Kind::Queen => "QUEEN",
            Kind::Rook => "ROOK",
            Kind::Bishop => "BISHOP",
            Kind::Knight => "KNIGHT",
            Kind::Pawn => "PAWN",
            Kind::Citizen => "CITIZEN",
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut empty = 0;
        for square in board_order() {
            let piece = self.piece_at(square);
            empty += u8::from(piece.is_none());
            let is_last = square.file() == SIDE_LENGTH - 1;
            if empty > 0 && (piece.is_some() || is_last) {
                write!(f, "{empty}")?;
                empty = 0;
            }
            if let Some((side, kind)) = piece {
                write!(f, "{}", letter(side, kind))?;
            }
            if is_last && square.rank() > 0 {
                write!(f, "/")?;
            }
        }
        write!(f, " {} ", self.to_move())?;
        for (side, square) in citizens(self) {
            write!(f, "{}", self.level(side, square.file()))?;
        }
        let dash = if citizens(self).next().is_none() { "-" } else { "" };
        write!(f, "{dash} {}", self.ply())
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let mut reader = Reader::new(text);
        let mut position = Position::empty();
        read_ranks(&mut reader, &mut position)?;
        reader.literal(" ")?;
        let side = reader.clone();
        position.to_move = Side::BOTH[reader.one_of("wb")?];
        if position.is_opponent_in_check() {
            return Err(side.error("the other side, whose king is in check"));
        }
        reader.literal(" ")?;
        if citizens(&position).next().is_none() {
            reader.literal("-")?;
        }
        for (side, square) in citizens(&position) {
            position.set_level(side, square.file(), reader.one_of("0123456789")? as u8);
        }
        reader.literal(" ")?;
        let ply = reader.clone();
        let number = u16::try_from(reader.number()?);
        position.ply = number.map_err(|_| ply.error("a number from 0 to 65535"))?;
        reader.end()?;
        Ok(position)
    }
}

fn read_ranks(reader: &mut Reader<'_>, position: &mut Position) -> Result<(), NotationError> {
    for rank in (0..SIDE_LENGTH).rev() {
        let mut file = 0;
        let mut after_digit = false;
        while file < SIDE_LENGTH {
            let digits = if after_digit { "" } else { &"12345"[..usize::from(SIDE_LENGTH - file)] };
            let here = reader.clone();
            let place = reader.one_of(&format!("{LETTERS}{digits}"))?;
            after_digit = place >= LETTERS.len();
            if after_digit {
                file += (place - LETTERS.len()) as u8 + 1;
                continue;
            }
            let (side, kind) = (Side::BOTH[place / Kind::COUNT], Kind::ALL[place % Kind::COUNT]);
            let square = Square::new(file, rank);
            match misplaced(position, side, kind, square) {
                Some(expected) => return Err(here.error(expected)),
                None => position.put(side, kind, square),
            }
            file += 1;
        }
        if rank > 0 {
            reader.literal("/")?;
        }
    }
    for side in Side::BOTH {
        if position.pieces(side, Kind::King) == 0 {
            return Err(reader.error(&format!("a king of each side, {side} has none")));
        }
    }
    Ok(())
}

/// What is expected instead of this piece, if it cannot stand there.
fn misplaced(position: &Position, side: Side, kind: Kind, square: Square) -> Option<&'static str> {
    match kind {
        Kind::King if position.pieces(side, kind) != 0 => Some("one king a side"),
        Kind::Citizen if side.home() & square.bit() == 0 => Some("citizens only on the home rank"),
        Kind::Pawn if side.far() & square.bit() != 0 => Some("no pawn on the far rank"),
        _ => None,
    }
}

impl fmt::Display for Action {
    /// `PLACE square`, `PROMOTE square piece`, `MOVE from to` or `MOVE from to piece`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Dialect { place, promote, movement, .. } = DIALECT;
        match self {
            Action::Place(square) => write!(f, "{place} {square}"),
            Action::Promote(square, kind) => write!(f, "{promote} {square} {kind}"),
            Action::Move { from, to, promotion: None } => write!(f, "{movement} {from} {to}"),
            Action::Move { from, to, promotion: Some(kind) } => {
                write!(f, "{movement} {from} {to} {kind}")
            }
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    /// Reads exactly what `Display` writes: capitals, single spaces, nothing more.
    fn from_str(text: &str) -> Result<Action, NotationError> {
        let Dialect { place, promote, movement, .. } = DIALECT;
        let mut reader = Reader::new(text);
        let keywords = [place, promote, movement];
        let keyword = one_of_words(&mut reader, &keywords)?;
        reader.literal(" ")?;
        let square = read_square(&mut reader)?;
        let action = match keyword {
            0 => Action::Place(square),
            1 => {
                reader.literal(" ")?;
                Action::Promote(square, read_kind(&mut reader)?)
            }
            _ => {
                reader.literal(" ")?;
                let to = read_square(&mut reader)?;
                let promotion = match reader.end() {
                    Ok(()) => None,
                    Err(_) => {
                        reader.literal(" ")?;
                        Some(read_kind(&mut reader)?)
                    }
                };
                Action::Move { from: square, to, promotion }
            }
        };
        reader.end()?;
        Ok(action)
    }
}

fn read_square(reader: &mut Reader<'_>) -> Result<Square, NotationError> {
    let file = reader.one_of("abcde")?;
    let rank = reader.one_of("12345")?;
    Ok(Square::new(file as u8, rank as u8))
}

fn read_kind(reader: &mut Reader<'_>) -> Result<Kind, NotationError> {
    let names = Kind::CITIZEN_PROMOTIONS.map(|kind| format!("{kind}"));
    let names = names.each_ref().map(String::as_str);
    Ok(Kind::CITIZEN_PROMOTIONS[one_of_words(reader, &names)?])
}

/// Reads one of the words, none of which is a prefix of another, and returns its index.
fn one_of_words(reader: &mut Reader<'_>, words: &[&str]) -> Result<usize, NotationError> {
    for (place, word) in words.iter().enumerate() {
        let mut ahead = reader.clone();
        if ahead.literal(word).is_ok() {
            *reader = ahead;
            return Ok(place);
        }
    }
    Err(reader.error(&words.join(" or ")))
}

/// The kind of piece named by a word of the wire protocol, if any.
pub(super) fn kind_of_word(word: &str) -> Option<Kind> {
    let mut reader = Reader::new(word);
    read_kind(&mut reader).ok().filter(|_| reader.end().is_ok())
}

/// The square named by a word such as `a1`.
pub(super) fn square_of_word(word: &str) -> Option<Square> {
    let mut reader = Reader::new(word);
    read_square(&mut reader).ok().filter(|_| reader.end().is_ok())
}

/// The board drawn for people: ranks from the top, `.` for empty squares, and a citizen's level
/// after its letter.
#[must_use]
pub fn picture(position: &Position) -> String {
    let mut text = String::new();
    for square in board_order() {
        if square.file() == 0 {
            text.push_str(&format!("{} ", square.rank() + 1));
        }
        text.push_str(&match position.piece_at(square) {
            None => String::from(" . "),
            Some((side, Kind::Citizen)) => {
                let level = position.level(side, square.file());
                format!(" {}{level}", letter(side, Kind::Citizen))
            }
            Some((side, kind)) => format!(" {} ", letter(side, kind)),
        });
        if square.file() == SIDE_LENGTH - 1 {
            text.push('\n');
        }
    }
    text.push_str("   a  b  c  d  e\n");
    text
}
