//! Single actions: whether they are legal or at least readable, why not, and their effect.

use core::fmt;

use super::position::{Kind, Position};
use super::rules::{Action, Rules};
use super::{Square, attacks};

/// Why an action is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegal {
    /// The game is over.
    Over,
    /// The square is empty.
    Empty(Square),
    /// The piece on the square is the opponent's.
    NotOwn(Square),
    /// A citizen can only be placed on the home rank.
    AwayFromHome(Square),
    /// A citizen can only be placed on an empty square.
    Taken(Square),
    /// The piece to be promoted in place is not a citizen.
    NoCitizen(Square),
    /// The citizen has not reached the minimum level of the piece.
    Level {
        /// The citizen's level.
        level: u8,
        /// The minimum level.
        needed: u8,
    },
    /// A promotion to a king or a citizen, or of a pawn to a pawn.
    NoPromotion(Kind),
    /// The piece does not move like this, or its path is blocked.
    NoSuchMove(Kind),
    /// The target square holds a piece of the same side.
    CapturesOwn(Square),
    /// The target square holds the opponent's king.
    CapturesKing,
    /// A pawn reaches the far rank, but no promotion is named.
    PromotionMissing,
    /// A promotion is named, but no pawn reaches the far rank.
    PromotionNotDue,
    /// The king of the side to move would be in check.
    LeavesKingInCheck,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegal::Over => f.write_str("the game is over"),
            Illegal::Empty(square) => write!(f, "{square} is empty"),
            Illegal::NotOwn(square) => write!(f, "the piece on {square} is the opponent's"),
            Illegal::AwayFromHome(square) => write!(f, "{square} is not on the home rank"),
            Illegal::Taken(square) => write!(f, "{square} is not empty"),
            Illegal::NoCitizen(square) => write!(f, "the piece on {square} is not a citizen"),
            Illegal::Level { level, needed } => {
                write!(f, "the citizen has level {level}, but the promotion needs level {needed}")
            }
            Illegal::NoPromotion(kind) => write!(f, "a promotion to a {kind} is not possible here"),
            Illegal::NoSuchMove(kind) => write!(f, "a {kind} cannot move like this here"),
            Illegal::CapturesOwn(square) => write!(f, "{square} is occupied by your own piece"),
            Illegal::CapturesKing => f.write_str("kings cannot be captured"),
            Illegal::PromotionMissing => {
                f.write_str("the pawn reaches the far rank and must name its promotion")
            }
            Illegal::PromotionNotDue => {
                f.write_str("only a pawn that reaches the far rank is promoted")
            }
            Illegal::LeavesKingInCheck => f.write_str("your king would be in check"),
        }
    }
}

impl core::error::Error for Illegal {}

impl Rules {
    /// Checks whether an action is legal.
    ///
    /// # Errors
    /// The reason why it is illegal.
    pub fn check(&self, position: &Position, action: Action) -> Result<(), Illegal> {
        if self.ending(position).is_some() {
            return Err(Illegal::Over);
        }
        let mut is_legal = false;
        self.legal_actions(position, |legal| is_legal |= legal == action);
        if is_legal {
            return Ok(());
        }
        readable(position, action)?;
        Err(self.why_not(position, action))
    }

    /// Why a readable action is illegal.
    fn why_not(&self, position: &Position, action: Action) -> Illegal {
        let side = position.to_move();
        match action {
            Action::Place(_) => Illegal::LeavesKingInCheck,
            Action::Promote(square, kind) => {
                let level = position.level(side, square.file());
                match self.minimum_levels.of(kind) {
                    Some(needed) if level < needed => Illegal::Level { level, needed },
                    _ => Illegal::LeavesKingInCheck,
                }
            }
            Action::Move { from, to, .. } => match position.kind_at(from) {
                Some(kind) if !self.reaches(position, kind, from, to) => Illegal::NoSuchMove(kind),
                _ => Illegal::LeavesKingInCheck,
            },
        }
    }

    /// Whether a piece of the side to move reaches one square from another, ignoring the safety of
    /// its king.
    fn reaches(&self, position: &Position, kind: Kind, from: Square, to: Square) -> bool {
        let occupied = position.occupied();
        let reached = match kind {
            Kind::King => attacks::king(from),
            Kind::Queen => attacks::rook(from, occupied) | attacks::bishop(from, occupied),
            Kind::Rook => attacks::rook(from, occupied),
            Kind::Bishop => attacks::bishop(from, occupied),
            Kind::Knight => attacks::knight(from),
            Kind::Pawn => self.pawn_targets(position, from),
            Kind::Citizen => 0,
        };
        reached & to.bit() != 0
    }
}

/// Checks whether an action is possible on the board, legal or not: the piece is the mover's; no
/// king and no piece of the mover is captured; a citizen is placed on an empty square of the
/// mover's home rank; a pawn is promoted exactly when it reaches the far rank.
///
/// Readable actions preserve the invariants of [`Position`].
///
/// # Errors
/// The reason why it is not readable.
pub fn readable(position: &Position, action: Action) -> Result<(), Illegal> {
    let side = position.to_move();
    match action {
        Action::Place(square) if side.home() & square.bit() == 0 => {
            Err(Illegal::AwayFromHome(square))
        }
        Action::Place(square) if position.occupied() & square.bit() != 0 => {
            Err(Illegal::Taken(square))
        }
        Action::Place(_) => Ok(()),
        Action::Promote(square, kind) => {
            if own_piece(position, square)? != Kind::Citizen {
                Err(Illegal::NoCitizen(square))
            } else if Kind::CITIZEN_PROMOTIONS.contains(&kind) {
                Ok(())
            } else {
                Err(Illegal::NoPromotion(kind))
            }
        }
        Action::Move { from, to, promotion } => {
            let kind = own_piece(position, from)?;
            let due = kind == Kind::Pawn && side.far() & to.bit() != 0;
            match (position.piece_at(to), promotion) {
                _ if kind == Kind::Citizen || from == to => Err(Illegal::NoSuchMove(kind)),
                (Some((whose, _)), _) if whose == side => Err(Illegal::CapturesOwn(to)),
                (Some((_, Kind::King)), _) => Err(Illegal::CapturesKing),
                (_, None) if due => Err(Illegal::PromotionMissing),
                (_, Some(_)) if !due => Err(Illegal::PromotionNotDue),
                (_, Some(kind)) if !Kind::PAWN_PROMOTIONS.contains(&kind) => {
                    Err(Illegal::NoPromotion(kind))
                }
                _ => Ok(()),
            }
        }
    }
}

/// The kind of the mover's piece on a square.
fn own_piece(position: &Position, square: Square) -> Result<Kind, Illegal> {
    match position.piece_at(square) {
        None => Err(Illegal::Empty(square)),
        Some((side, _)) if side != position.to_move() => Err(Illegal::NotOwn(square)),
        Some((_, kind)) => Ok(kind),
    }
}

/// Applies a readable action and begins the other side's turn.
#[inline]
pub(super) fn apply_readable(position: &mut Position, action: Action) {
    let side = position.to_move;
    match action {
        Action::Place(square) => position.put(side, Kind::Citizen, square),
        Action::Promote(square, kind) => {
            position.take(side, Kind::Citizen, square);
            position.put(side, kind, square);
        }
        Action::Move { from, to, promotion } => {
            if let Some(captured) = position.kind_at(to) {
                position.take(side.opponent(), captured, to);
            }
            let moved = position.kind_at(from).unwrap_or(Kind::Pawn);
            position.take(side, moved, from);
            position.put(side, promotion.unwrap_or(moved), to);
        }
    }
    position.ply = position.ply.saturating_add(1);
    position.begin_turn();
}
