//! Squares, sets of squares and attack tables of the 5 x 5 board.
//!
//! All tables are built at compile time. A slider's attacks along a line depend only on the line's
//! three inner squares, so each line has eight entries for each square.

/// Files and ranks of the board.
pub const SIDE_LENGTH: u8 = 5;

/// Number of squares.
pub const SQUARES: usize = 25;

/// A set of squares: bit `5 * rank + file`, both counted from 0 at a1.
pub type Board = u32;

/// All squares.
pub const ALL: Board = (1 << SQUARES) - 1;

/// The squares of file a.
const FILE_A: Board = 0x10_8421;

/// A square, `5 * rank + file`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square in this file and rank, each counted from 0.
    ///
    /// # Panics
    /// If either is 5 or more.
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Square {
        assert!(file < SIDE_LENGTH && rank < SIDE_LENGTH, "file and rank are below 5");
        Square(SIDE_LENGTH * rank + file)
    }

    /// The file from 0 (a) to 4 (e).
    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % SIDE_LENGTH
    }

    /// The rank from 0 (White's home rank) to 4 (Black's).
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 / SIDE_LENGTH
    }

    /// The square's index in an array.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of only this square.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> Board {
        1 << self.0
    }

    /// The lowest square of a set that is not empty.
    #[inline]
    pub(super) fn lowest(board: Board) -> Square {
        debug_assert!(board & ALL != 0, "the set has a square of the board");
        Square(board.trailing_zeros() as u8)
    }
}

/// The squares of a set, lowest first.
#[derive(Debug, Clone, Copy)]
pub struct Squares(pub Board);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::lowest(self.0);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// A table with one entry a square.
type BySquare<T> = [T; SQUARES];

const KING_STEPS: [(i8, i8); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] =
    [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];
const WHITE_PAWN_CAPTURES: [(i8, i8); 2] = [(-1, 1), (1, 1)];
const BLACK_PAWN_CAPTURES: [(i8, i8); 2] = [(-1, -1), (1, -1)];

static KING: BySquare<Board> = leaps(&KING_STEPS);
static KNIGHT: BySquare<Board> = leaps(&KNIGHT_STEPS);
static PAWN: [BySquare<Board>; 2] = [leaps(&WHITE_PAWN_CAPTURES), leaps(&BLACK_PAWN_CAPTURES)];

static ALONG_RANK: BySquare<[Board; 8]> = slides((1, 0));
static ALONG_FILE: BySquare<[Board; 8]> = slides((0, 1));
static ALONG_DIAGONAL: BySquare<[Board; 8]> = slides((1, 1));
static ALONG_ANTIDIAGONAL: BySquare<[Board; 8]> = slides((1, -1));
static DIAGONAL: BySquare<Board> = lines((1, 1));
static ANTIDIAGONAL: BySquare<Board> = lines((1, -1));

static BETWEEN: BySquare<BySquare<Board>> = pairs(false);
static LINE: BySquare<BySquare<Board>> = pairs(true);

/// The squares that a king on `square` attacks.
#[inline]
#[must_use]
pub fn king(square: Square) -> Board {
    KING[square.index()]
}

/// The squares that a knight on `square` attacks.
#[inline]
#[must_use]
pub fn knight(square: Square) -> Board {
    KNIGHT[square.index()]
}

/// The squares that a pawn on `square` attacks; `side` is 0 for White's pawns, which move up, and 1
/// for Black's.
#[inline]
#[must_use]
pub fn pawn(side: usize, square: Square) -> Board {
    PAWN[side][square.index()]
}

/// The squares that a rook on `square` attacks, the first occupied square of each line included.
#[inline]
#[must_use]
pub fn rook(square: Square, occupied: Board) -> Board {
    let (at, file) = (square.index(), u32::from(square.file()));
    let rank_start = at as u32 - file;
    let along_rank = (occupied >> (rank_start + 1)) & 7;
    // Moves the bits 5, 10 and 15 to the bits 13 to 15.
    let along_file = (((occupied >> file) & 0x8420).wrapping_mul(0x111) >> 13) & 7;
    ALONG_RANK[at][along_rank as usize] | ALONG_FILE[at][along_file as usize]
}

/// The squares that a bishop on `square` attacks, the first occupied square of each line included.
#[inline]
#[must_use]
pub fn bishop(square: Square, occupied: Board) -> Board {
    let at = square.index();
    // A diagonal has at most one square on each file, so the sum of its ranks has one bit for each
    // file.
    let along = |line: Board| ((occupied & line).wrapping_mul(FILE_A) >> 21) & 7;
    let diagonal = along(DIAGONAL[at]) as usize;
    let antidiagonal = along(ANTIDIAGONAL[at]) as usize;
    ALONG_DIAGONAL[at][diagonal] | ALONG_ANTIDIAGONAL[at][antidiagonal]
}

/// The squares strictly between two squares of a line; none if they are not on one line.
#[inline]
#[must_use]
pub fn between(one: Square, other: Square) -> Board {
    BETWEEN[one.index()][other.index()]
}

/// The whole line through two squares, from edge to edge; none if they are not on one line.
#[inline]
#[must_use]
pub fn line(one: Square, other: Square) -> Board {
    LINE[one.index()][other.index()]
}

/// The square reached from `at` by a step, or 25 if it leaves the board.
const fn step(at: usize, step: (i8, i8)) -> usize {
    let file = (at % 5) as i8 + step.0;
    let rank = (at / 5) as i8 + step.1;
    if file < 0 || file > 4 || rank < 0 || rank > 4 { SQUARES } else { (5 * rank + file) as usize }
}

const fn leaps<const N: usize>(steps: &[(i8, i8); N]) -> BySquare<Board> {
    let mut table = [0; SQUARES];
    let mut at = 0;
    while at < SQUARES {
        let mut n = 0;
        while n < N {
            let to = step(at, steps[n]);
            if to < SQUARES {
                table[at] |= 1 << to;
            }
            n += 1;
        }
        at += 1;
    }
    table
}

/// The squares from `at` in one direction up to and including the first occupied one.
const fn ray(at: usize, direction: (i8, i8), occupied: Board) -> Board {
    let mut reached = 0;
    let mut to = step(at, direction);
    while to < SQUARES {
        reached |= 1 << to;
        if occupied >> to & 1 == 1 {
            break;
        }
        to = step(to, direction);
    }
    reached
}

const fn back(direction: (i8, i8)) -> (i8, i8) {
    (-direction.0, -direction.1)
}

/// The line through each square in a direction and its opposite, the square included.
const fn lines(direction: (i8, i8)) -> BySquare<Board> {
    let mut table = [0; SQUARES];
    let mut at = 0;
    while at < SQUARES {
        table[at] = 1 << at | ray(at, direction, 0) | ray(at, back(direction), 0);
        at += 1;
    }
    table
}

/// Attacks along one line, indexed by the occupation of the line's three inner squares: those on
/// files b to d, or on ranks 2 to 4 if the line is a file.
const fn slides(direction: (i8, i8)) -> BySquare<[Board; 8]> {
    let table_lines = lines(direction);
    let mut table = [[0; 8]; SQUARES];
    let mut at = 0;
    while at < SQUARES {
        let mut inner = 0;
        while inner < 8 {
            let mut occupied = 0;
            let mut to = 0;
            while to < SQUARES {
                let place = if direction.0 == 0 { to / 5 } else { to % 5 };
                if table_lines[at] >> to & 1 == 1 && (inner << 1) >> place & 1 == 1 {
                    occupied |= 1 << to;
                }
                to += 1;
            }
            table[at][inner] = ray(at, direction, occupied) | ray(at, back(direction), occupied);
            inner += 1;
        }
        at += 1;
    }
    table
}

/// For each two squares of a line, the whole line or the squares between them.
const fn pairs(whole: bool) -> BySquare<BySquare<Board>> {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut at = 0;
    while at < SQUARES {
        let mut n = 0;
        while n < KING_STEPS.len() {
            let direction = KING_STEPS[n];
            let mut passed = 0;
            let mut to = step(at, direction);
            while to < SQUARES {
                table[at][to] = if whole { lines(direction)[at] } else { passed };
                passed |= 1 << to;
                to = step(to, direction);
            }
            n += 1;
        }
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sliders_stop_at_the_first_occupied_square_in_every_position_of_a_line() {
        for at in 0..SQUARES {
            let square = Square(at as u8);
            // All subsets of a queen's lines would be too many (2^16 for each pair of lines), so
            // rook and bishop lines are tested separately.
            for (lines_here, attacks, directions) in [
                (rook(square, 0), rook as fn(Square, Board) -> Board, [(1, 0), (0, 1)]),
                (bishop(square, 0), bishop, [(1, 1), (1, -1)]),
            ] {
                let mut subset: Board = 0;
                loop {
                    let expected = directions
                        .iter()
                        .map(|d| ray(at, *d, subset) | ray(at, back(*d), subset))
                        .fold(0, |all, one| all | one);
                    assert_eq!(attacks(square, subset), expected, "{square:?} {subset:#x}");
                    assert_eq!(attacks(square, subset | (ALL & !lines_here)), expected);
                    subset = subset.wrapping_sub(lines_here) & lines_here;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn a_queen_attacks_320_squares_in_all_and_a_knight_96() {
        let squares = || Squares(ALL);
        let queen: u32 = squares().map(|s| (rook(s, 0) | bishop(s, 0)).count_ones()).sum();
        let knight_all: u32 = squares().map(|s| knight(s).count_ones()).sum();
        let king_all: u32 = squares().map(|s| king(s).count_ones()).sum();
        assert_eq!((queen, knight_all, king_all), (320, 96, 144));
    }

    #[test]
    fn between_and_line_of_the_long_diagonal() {
        let (a1, e5, c3) = (Square::new(0, 0), Square::new(4, 4), Square::new(2, 2));
        assert_eq!(between(a1, e5).count_ones(), 3);
        assert_eq!(line(a1, c3), line(e5, a1));
        assert_eq!(line(a1, c3).count_ones(), 5);
        assert_eq!(line(a1, Square::new(1, 2)), 0);
    }
}
