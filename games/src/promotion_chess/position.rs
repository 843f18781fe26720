//! The board: sides, kinds of pieces, levels of citizens, and the side to move.

use super::attacks::{self, Board, SIDE_LENGTH, Square, Squares};

/// The highest level of a citizen.
pub const HIGHEST_LEVEL: u8 = 9;

/// One of the two players by the colour of their pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first, home rank 1, pawns go up.
    White,
    /// Moves second, home rank 5, pawns go down.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The squares of this side's home rank.
    #[inline]
    #[must_use]
    pub const fn home(self) -> Board {
        match self {
            Side::White => 0x1F,
            Side::Black => 0x1F << 20,
        }
    }

    /// The squares on which this side's pawns promote.
    #[inline]
    #[must_use]
    pub const fn far(self) -> Board {
        self.opponent().home()
    }

    /// These squares moved one step forward; squares off the board are dropped.
    #[inline]
    #[must_use]
    pub const fn forward(self, board: Board) -> Board {
        match self {
            Side::White => (board << SIDE_LENGTH) & attacks::ALL,
            Side::Black => board >> SIDE_LENGTH,
        }
    }
}

/// A kind of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// As in chess.
    King,
    /// As in chess.
    Queen,
    /// As in chess.
    Rook,
    /// As in chess.
    Bishop,
    /// As in chess.
    Knight,
    /// As in chess, without en passant.
    Pawn,
    /// Neither moves nor attacks; can become another piece.
    Citizen,
}

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 7;

    /// All kinds.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::King,
        Kind::Queen,
        Kind::Rook,
        Kind::Bishop,
        Kind::Knight,
        Kind::Pawn,
        Kind::Citizen,
    ];

    /// What a pawn can become on the far rank.
    pub const PAWN_PROMOTIONS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

    /// What a citizen can become.
    pub const CITIZEN_PROMOTIONS: [Kind; 5] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

    /// The kind's index in an array.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A position: the state of a game.
///
/// Invariants: each side has one king, each square at most one piece, citizens are only on their
/// own home rank, no pawn is on its far rank. The levels of the side to move have already been
/// raised for this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    kinds: [Board; Kind::COUNT],
    sides: [Board; 2],
    /// Four bits for each file of the side's home rank; zero where no citizen of that side stands.
    levels: [u32; 2],
    pub(super) ply: u16,
    pub(super) to_move: Side,
}

impl Position {
    /// No pieces; not a position until each side has a king.
    pub(super) const fn empty() -> Position {
        let kinds = [0; Kind::COUNT];
        Position { kinds, sides: [0; 2], levels: [0; 2], ply: 0, to_move: Side::White }
    }

    /// The start position of every game: only the kings.
    #[must_use]
    pub const fn start() -> Position {
        let (white, black) = (Square::new(2, 0).bit(), Square::new(2, 4).bit());
        let mut start = Position::empty();
        start.kinds[Kind::King.index()] = white | black;
        start.sides = [white, black];
        start
    }

    /// The side whose turn it is.
    #[inline]
    #[must_use]
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// Number of actions played so far.
    #[inline]
    #[must_use]
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// All occupied squares.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Board {
        self.sides[0] | self.sides[1]
    }

    /// The squares of all pieces of a side, citizens included.
    #[inline]
    #[must_use]
    pub const fn of_side(&self, side: Side) -> Board {
        self.sides[side.index()]
    }

    /// The squares of one kind of piece of a side.
    #[inline]
    #[must_use]
    pub const fn pieces(&self, side: Side, kind: Kind) -> Board {
        self.kinds[kind.index()] & self.sides[side.index()]
    }

    /// The square of a side's king.
    #[inline]
    #[must_use]
    pub fn king(&self, side: Side) -> Square {
        Square::lowest(self.pieces(side, Kind::King))
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<(Side, Kind)> {
        let side = *Side::BOTH.iter().find(|side| self.of_side(**side) & square.bit() != 0)?;
        Some((side, self.kind_at(square)?))
    }

    /// The kind of piece on a square.
    #[inline]
    #[must_use]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| self.kinds[kind.index()] & square.bit() != 0)
    }

    /// The level of a side's citizen in this file of its home rank; 0 where there is none.
    #[inline]
    #[must_use]
    pub const fn level(&self, side: Side, file: u8) -> u8 {
        (self.levels[side.index()] >> (4 * file) & 0xF) as u8
    }

    /// The squares that a side attacks, with `occupied` blocking lines; its own pieces count as
    /// attacked.
    #[inline]
    #[must_use]
    pub fn attacked_by(&self, side: Side, occupied: Board) -> Board {
        let mut attacked = attacks::king(self.king(side));
        let pawns = self.pieces(side, Kind::Pawn);
        for square in Squares(pawns) {
            attacked |= attacks::pawn(side.index(), square);
        }
        for square in Squares(self.pieces(side, Kind::Knight)) {
            attacked |= attacks::knight(square);
        }
        for square in Squares(self.straight_sliders(side)) {
            attacked |= attacks::rook(square, occupied);
        }
        for square in Squares(self.diagonal_sliders(side)) {
            attacked |= attacks::bishop(square, occupied);
        }
        attacked
    }

    /// The pieces of `side` that attack `square`, with `occupied` blocking lines.
    #[inline]
    #[must_use]
    pub fn attackers(&self, side: Side, square: Square, occupied: Board) -> Board {
        (attacks::pawn(side.opponent().index(), square) & self.pieces(side, Kind::Pawn))
            | (attacks::knight(square) & self.pieces(side, Kind::Knight))
            | (attacks::king(square) & self.pieces(side, Kind::King))
            | (attacks::rook(square, occupied) & self.straight_sliders(side))
            | (attacks::bishop(square, occupied) & self.diagonal_sliders(side))
    }

    /// Whether the king of the side to move is attacked.
    #[inline]
    #[must_use]
    pub fn is_check(&self) -> bool {
        let king = self.king(self.to_move);
        self.attackers(self.to_move.opponent(), king, self.occupied()) != 0
    }

    /// Whether the king of the other side is attacked, so that the position is illegal.
    pub(super) fn is_opponent_in_check(&self) -> bool {
        let king = self.king(self.to_move.opponent());
        self.attackers(self.to_move, king, self.occupied()) != 0
    }

    /// Rooks and queens of a side.
    #[inline]
    #[must_use]
    pub const fn straight_sliders(&self, side: Side) -> Board {
        self.pieces(side, Kind::Rook) | self.pieces(side, Kind::Queen)
    }

    /// Bishops and queens of a side.
    #[inline]
    #[must_use]
    pub const fn diagonal_sliders(&self, side: Side) -> Board {
        self.pieces(side, Kind::Bishop) | self.pieces(side, Kind::Queen)
    }

    /// Puts a piece on an empty square; a citizen has level 0.
    #[inline]
    pub(super) fn put(&mut self, side: Side, kind: Kind, square: Square) {
        self.kinds[kind.index()] |= square.bit();
        self.sides[side.index()] |= square.bit();
    }

    /// Removes a side's piece of this kind from a square.
    #[inline]
    pub(super) fn take(&mut self, side: Side, kind: Kind, square: Square) {
        self.kinds[kind.index()] &= !square.bit();
        self.sides[side.index()] &= !square.bit();
        if kind == Kind::Citizen {
            self.set_level(side, square.file(), 0);
        }
    }

    /// Sets the level of a citizen, given its file.
    pub(super) fn set_level(&mut self, side: Side, file: u8, level: u8) {
        debug_assert!(level <= HIGHEST_LEVEL, "levels end at 9");
        let levels = &mut self.levels[side.index()];
        *levels = *levels & !(0xF << (4 * file)) | u32::from(level) << (4 * file);
    }

    /// Ends the turn; the citizens of the other side gain a level each.
    #[inline]
    pub(super) fn begin_turn(&mut self) {
        self.to_move = self.to_move.opponent();
        let side = self.to_move;
        let citizens = self.pieces(side, Kind::Citizen);
        if citizens != 0 {
            let by_file = if side == Side::White { citizens } else { citizens >> 20 };
            // One in the lowest of each file's four bits.
            let ones = BITS_TO_NIBBLES[(by_file & 0x1F) as usize];
            let levels = self.levels[side.index()];
            let at_nine = (levels >> 3) & levels & ones;
            self.levels[side.index()] = levels + (ones & !at_nine);
        }
    }

    /// The levels of both sides' citizens, four bits a file, as a number of 40 bits.
    #[inline]
    pub(super) fn packed_levels(&self) -> u64 {
        u64::from(self.levels[0]) | u64::from(self.levels[1]) << 20
    }
}

/// Moves bit `n` of a number to bit `4 * n`.
static BITS_TO_NIBBLES: [u32; 32] = {
    let mut table = [0; 32];
    let mut bits = 0;
    while bits < 32 {
        let mut file = 0;
        while file < SIDE_LENGTH {
            table[bits] |= ((bits as u32) >> file & 1) << (4 * file);
            file += 1;
        }
        bits += 1;
    }
    table
};
