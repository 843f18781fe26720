//! The rules of Reversi: standard Othello on 8 x 8, a pass is an action of its own.

use core::fmt;

use super::lines::Lines;

/// Number of cells.
pub const CELLS: usize = 64;

/// Who owns a disc.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Side {
    /// The other side.
    #[inline]
    #[must_use]
    pub fn opponent(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

/// A disc on a cell, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(u8);

impl Action {
    /// No disc; legal only if there is no other action and the game goes on.
    pub const PASS: Action = Action(64);

    /// A disc on the cell that is bit number `cell` of a board: `8 * row + column`, both counted from 0.
    ///
    /// # Panics
    /// If `cell` is not below [`CELLS`].
    #[inline]
    #[must_use]
    pub fn on(cell: u32) -> Action {
        assert!(cell < 64, "cells are 0 to 63");
        Action(cell as u8)
    }

    /// The cell, or `None` for a pass.
    #[inline]
    #[must_use]
    pub fn cell(self) -> Option<u32> {
        (self.0 < 64).then_some(u32::from(self.0))
    }

    /// The bit of the cell, or no bit for a pass.
    #[inline]
    #[must_use]
    pub fn bit(self) -> u64 {
        self.cell().map_or(0, |cell| 1 << cell)
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The cells where the owner of the discs `own` can put a disc: [`Position::moves`] for solvers that keep boards
/// without a side.
#[inline]
#[must_use]
pub fn legal_cells(own: u64, opponent: u64) -> u64 {
    Lines::new(own, opponent).ends(!(own | opponent))
}

/// The discs of `opponent` that turn when the owner of `own` puts a disc on the empty cell of `disc`; none if that is
/// not legal.
#[inline]
#[must_use]
pub fn turned_by(own: u64, opponent: u64, disc: u64) -> u64 {
    Lines::new(own, opponent).turned_by(disc)
}

/// Why an action cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegal {
    /// The game is over.
    Over,
    /// A pass although a disc can be put somewhere.
    MayNotPass,
    /// A disc although none can be put anywhere.
    MustPass,
    /// There is a disc already.
    Taken,
    /// No disc would turn.
    TurnsNothing,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Illegal::Over => "the game is over",
            Illegal::MayNotPass => "a player with a move must not pass",
            Illegal::MustPass => "a player without a move must pass",
            Illegal::Taken => "the cell is taken",
            Illegal::TurnsNothing => "no disc would turn",
        })
    }
}

impl core::error::Error for Illegal {}

/// A board and whose turn it is. Boards are sets of bits as in [`Action::on`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    own: u64,
    opponent: u64,
    moves: u64,
    side: Side,
}

impl Position {
    /// The usual start: Black to move.
    #[must_use]
    pub fn start() -> Self {
        Position::new(0x0000_0008_1000_0000, 0x0000_0010_0800_0000, Side::Black)
    }

    /// Any board without a cell that both own.
    ///
    /// # Panics
    /// If a cell has both a black and a white disc.
    #[must_use]
    pub fn new(black: u64, white: u64, side: Side) -> Self {
        assert!(black & white == 0, "a cell has one disc at most");
        match side {
            Side::Black => Position::of_mover(black, white, side),
            Side::White => Position::of_mover(white, black, side),
        }
    }

    fn of_mover(own: u64, opponent: u64, side: Side) -> Self {
        let moves = Lines::new(own, opponent).ends(!(own | opponent));
        Position { own, opponent, moves, side }
    }

    /// Whose turn it is.
    #[inline]
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The discs of the side to move.
    #[inline]
    #[must_use]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The discs of the other side.
    #[inline]
    #[must_use]
    pub fn opponent(&self) -> u64 {
        self.opponent
    }

    /// The discs of `side`.
    #[inline]
    #[must_use]
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.side { self.own } else { self.opponent }
    }

    /// The cells without a disc.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> u64 {
        !(self.own | self.opponent)
    }

    /// The cells where the side to move can put a disc; none if it has to pass or the game is over.
    #[inline]
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Whether neither side can move.
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.moves == 0 && Lines::new(self.opponent, self.own).ends(self.empty()) == 0
    }

    /// Discs of Black minus discs of White.
    #[inline]
    #[must_use]
    pub fn margin(&self) -> i32 {
        let black = self.discs(Side::Black).count_ones() as i32;
        black - self.discs(Side::White).count_ones() as i32
    }

    /// The discs that turn when the side to move takes `action`.
    #[inline]
    #[must_use]
    pub fn turned_by(&self, action: Action) -> u64 {
        Lines::new(self.own, self.opponent).turned_by(action.bit())
    }

    /// Takes an action that is known to be legal.
    #[inline]
    pub fn apply(&mut self, action: Action) {
        debug_assert_eq!(self.check(action), Ok(()));
        let disc = action.bit();
        let turned = Lines::new(self.own, self.opponent).turned_by(disc);
        *self = Position::of_mover(
            self.opponent & !turned,
            self.own | turned | disc,
            self.side.opponent(),
        );
    }

    /// Takes an action if it is legal.
    ///
    /// # Errors
    /// The reason why it is not; then nothing has changed.
    pub fn try_apply(&mut self, action: Action) -> Result<(), Illegal> {
        self.check(action)?;
        self.apply(action);
        Ok(())
    }

    fn check(&self, action: Action) -> Result<(), Illegal> {
        let disc = action.bit();
        if self.moves & disc != 0 {
            Ok(())
        } else if self.is_over() {
            Err(Illegal::Over)
        } else if action == Action::PASS {
            if self.moves == 0 { Ok(()) } else { Err(Illegal::MayNotPass) }
        } else if self.empty() & disc == 0 {
            Err(Illegal::Taken)
        } else if self.moves == 0 {
            Err(Illegal::MustPass)
        } else {
            Err(Illegal::TurnsNothing)
        }
    }
}
