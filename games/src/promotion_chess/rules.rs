//! The rules of Promotion Chess: legal actions, their effects, and how a game ends.

use core::ops::ControlFlow;

use super::attacks::{Board, SQUARES, Square, Squares};
use super::legality::{Illegal, apply_readable};
use super::position::{Kind, Position, Side};

/// Upper bound on the number of legal actions of a position.
///
/// Proof. Let S be the squares of the pieces of the side to move. Count each move with its origin,
/// in S, and once more with its target, outside S, so that twice the number of moves is at most the
/// sum of `out` over S plus the sum of `in` over the other squares, with
/// - `out(s)`: the most moves of one piece on s, which are those of a queen on an empty board: 12
///   moves on the edge, 14 in the ring within, 16 in the centre. (A pawn one step from the far rank
///   has at most three targets with four promotions each, 12, and never stands in the centre then;
///   a knight has at most 8, a king 8.)
/// - `in(t)`: each line that leaves t is used by the first piece on it only, and each knight's
///   square once: 5 to 16. On the far rank up to three of these lines may carry four promotions
///   instead of one move: 11 in the corners, 17 in the files b and d, 18 in the file c. A pawn's
///   double step comes along its file's line.
///
/// A square of the home rank adds to the actions either one PLACE if it is empty, or at most five
/// PROMOTEs if a citizen stands there, which has no moves. Counted twice these are 2, making at
/// most 5 + 2 or 8 + 2 or 9 + 2, and 10: both below the 12 that `out` allows the square. So twice
/// the number of actions is at most the sum over all squares of the larger of `out` and `in`: 16 *
/// 12 + 8 * 14 + 16 = 320, and 5 + 5 + 6 more for the files b, d and c of the far rank: 336.
pub const MAX_ACTIONS: usize = 168;

/// Where a pawn may advance two squares, over an empty square to an empty one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DoubleStep {
    /// Nowhere.
    None,
    /// From its home rank. Pawns never go back, so a pawn there has not moved.
    FromHomeRankUnmoved,
    /// From its second rank, whether it has moved or not.
    FromSecondRank,
}

/// The lowest level from which a citizen can become each kind of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MinimumLevels {
    /// For a pawn.
    pub pawn: u8,
    /// For a knight.
    pub knight: u8,
    /// For a bishop.
    pub bishop: u8,
    /// For a rook.
    pub rook: u8,
    /// For a queen.
    pub queen: u8,
}

/// The parameters that the rule page leaves open; the rest of the rules is code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Minimum levels for the promotion of citizens. Assumed.
    pub minimum_levels: MinimumLevels,
    /// Whether pawns have a first step of two squares. Assumed.
    pub double_step: DoubleStep,
    /// Number of actions after which the game is a draw.
    pub maximum_plies: u16,
}

impl Rules {
    /// The values of the rule page. Assumed: the minimum levels 1, 3, 3, 5, 9, and no double step.
    pub const ASSUMED: Rules = Rules {
        minimum_levels: MinimumLevels { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9 },
        double_step: DoubleStep::None,
        maximum_plies: 200,
    };
}

impl Default for Rules {
    fn default() -> Self {
        Rules::ASSUMED
    }
}

/// What a player does in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// A citizen of level 0 appears on this square.
    Place(Square),
    /// The citizen on this square becomes a piece.
    Promote(Square, Kind),
    /// A piece moves.
    Move {
        /// From this square
        from: Square,
        /// to this one.
        to: Square,
        /// What a pawn becomes on the far rank.
        promotion: Option<Kind>,
    },
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is in check and has no legal action: this side wins.
    Checkmate(Side),
    /// The side to move has no legal action and is not in check.
    Stalemate,
    /// The maximum number of plies has been played.
    PlyLimit,
}

/// Legal actions of one kind, so that they can be counted together.
#[derive(Debug, Clone, Copy)]
pub enum Group {
    /// Placing a citizen on each of these squares.
    Places(Board),
    /// Promoting the citizen of this level on this square to each kind that the level allows.
    Promotions(Square, u8),
    /// Moving the piece on this square to each of the squares.
    Moves(Square, Board),
    /// Moving the pawn on this square to each of the squares on the far rank, with each promotion.
    PawnPromotions(Square, Board),
}

impl MinimumLevels {
    /// The lowest level from which a citizen can become this kind; `None` for a king or a citizen.
    #[inline]
    #[must_use]
    pub const fn of(&self, kind: Kind) -> Option<u8> {
        match kind {
            Kind::Pawn => Some(self.pawn),
            Kind::Knight => Some(self.knight),
            Kind::Bishop => Some(self.bishop),
            Kind::Rook => Some(self.rook),
            Kind::Queen => Some(self.queen),
            Kind::King | Kind::Citizen => None,
        }
    }

    /// What a citizen of this level can become.
    #[inline]
    pub fn reached(&self, level: u8) -> impl Iterator<Item = Kind> + use<'_> {
        Kind::CITIZEN_PROMOTIONS
            .into_iter()
            .filter(move |kind| self.of(*kind).is_some_and(|least| least <= level))
    }
}

impl Rules {
    /// How the game ended; `None` while it goes on.
    #[inline]
    #[must_use]
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        if !self.has_legal_action(position) {
            let winner = position.to_move.opponent();
            let is_mate = position.is_check();
            return Some(if is_mate { Ending::Checkmate(winner) } else { Ending::Stalemate });
        }
        (position.ply >= self.maximum_plies).then_some(Ending::PlyLimit)
    }

    /// Calls `visit` with each legal action, at most [`MAX_ACTIONS`]; ignores the limit of plies.
    #[inline]
    pub fn legal_actions(&self, position: &Position, mut visit: impl FnMut(Action)) {
        let _ = self.groups(position, |group| {
            self.expand(group, &mut visit);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Number of legal actions.
    #[inline]
    #[must_use]
    pub fn count_legal_actions(&self, position: &Position) -> usize {
        let mut count = 0;
        let _ = self.groups(position, |group| {
            count += self.size(group);
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// Whether there is a legal action.
    #[inline]
    #[must_use]
    pub fn has_legal_action(&self, position: &Position) -> bool {
        let found = self.groups(position, |group| match group {
            Group::Promotions(_, level) if self.minimum_levels.reached(level).next().is_none() => {
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(()),
        });
        found.is_break()
    }

    /// The `n`-th legal action in the order of [`legal_actions`](Rules::legal_actions), from zero, if there is one.
    #[inline]
    #[must_use]
    pub fn nth_legal_action(&self, position: &Position, n: usize) -> Option<Action> {
        let mut left = n;
        let found = self.groups(position, |group| {
            let size = self.size(group);
            if left < size {
                return ControlFlow::Break(group);
            }
            left -= size;
            ControlFlow::Continue(())
        });
        let mut action = None;
        if let ControlFlow::Break(group) = found {
            self.expand(group, &mut |next| {
                if left == 0 {
                    action = Some(next);
                }
                left = left.wrapping_sub(1);
            });
        }
        action
    }

    /// Applies a legal action and begins the other side's turn.
    #[inline]
    pub fn apply(&self, position: &mut Position, action: Action) {
        debug_assert_eq!(self.check(position, action), Ok(()));
        apply_readable(position, action);
    }

    /// Applies an action if it is legal.
    ///
    /// # Errors
    /// The reason why it is illegal; the position is unchanged.
    pub fn try_apply(&self, position: &mut Position, action: Action) -> Result<(), Illegal> {
        self.check(position, action)?;
        apply_readable(position, action);
        Ok(())
    }

    #[inline]
    fn size(&self, group: Group) -> usize {
        match group {
            Group::Places(board) | Group::Moves(_, board) => board.count_ones() as usize,
            Group::Promotions(_, level) => self.minimum_levels.reached(level).count(),
            Group::PawnPromotions(_, board) => 4 * board.count_ones() as usize,
        }
    }

    /// Calls `visit` with each action of a group.
    #[inline]
    pub fn expand(&self, group: Group, visit: &mut impl FnMut(Action)) {
        match group {
            Group::Places(board) => Squares(board).for_each(|square| visit(Action::Place(square))),
            Group::Promotions(square, level) => {
                let reached = self.minimum_levels.reached(level);
                reached.for_each(|kind| visit(Action::Promote(square, kind)));
            }
            Group::Moves(from, board) => {
                Squares(board).for_each(|to| visit(Action::Move { from, to, promotion: None }));
            }
            Group::PawnPromotions(from, board) => {
                for to in Squares(board) {
                    for kind in Kind::PAWN_PROMOTIONS {
                        visit(Action::Move { from, to, promotion: Some(kind) });
                    }
                }
            }
        }
    }
}

/// The number of indices of [`action_index`].
pub const ACTION_INDICES: usize = MOVES_END + 2 * FAR_STEPS * 4;

const PROMOTES_START: usize = 10;
const MOVES_START: usize = PROMOTES_START + 10 * 5;
const MOVES_END: usize = MOVES_START + 416;
/// Moves of a pawn from its seventh-rank equivalent to the far rank.
const FAR_STEPS: usize = 13;

/// The index of an action; the same for the same squares and kinds in every position.
#[must_use]
pub fn action_index(action: Action) -> usize {
    match action {
        Action::Place(square) => home_index(square),
        Action::Promote(square, kind) => {
            let kind = Kind::CITIZEN_PROMOTIONS.iter().position(|one| *one == kind).unwrap_or(0);
            PROMOTES_START + 5 * home_index(square) + kind
        }
        Action::Move { from, to, promotion: None } => {
            MOVES_START + usize::from(MOVE_INDEX[from.index()][to.index()])
        }
        Action::Move { from, to, promotion: Some(kind) } => {
            let kind = Kind::PAWN_PROMOTIONS.iter().position(|one| *one == kind).unwrap_or(0);
            let side = usize::from(to.rank() == 0);
            // Three targets for each file, less the two that are off the board.
            let step = 2 * usize::from(from.file()) + usize::from(to.file());
            MOVES_END + 4 * (FAR_STEPS * side + step) + kind
        }
    }
}

/// 0 to 4 on White's home rank, 5 to 9 on Black's.
fn home_index(square: Square) -> usize {
    usize::from(square.file()) + if square.rank() == 0 { 0 } else { 5 }
}

/// Indices of the 416 moves along a line or of a knight.
static MOVE_INDEX: [[u16; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut next = 0;
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            let files = (from % 5).abs_diff(to % 5);
            let ranks = (from / 5).abs_diff(to / 5);
            let is_line = files == 0 || ranks == 0 || files == ranks;
            if from != to && (is_line || files + ranks == 3) {
                table[from][to] = next;
                next += 1;
            }
            to += 1;
        }
        from += 1;
    }
    assert!(next == 416, "a queen has 320 moves and a knight 96");
    table
};
