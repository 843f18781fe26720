//! Generates legal actions by masks: checks and pins are computed once, so no action has to be
//! tried.

use core::ops::ControlFlow;

use super::attacks::{self, Board, Square, Squares};
use super::position::{Kind, Position, Side};
use super::rules::{DoubleStep, Group, Rules};

/// The constraints that keep the king of the side to move out of check.
struct Safety {
    king: Square,
    /// Number of pieces that give check.
    checkers: u32,
    /// Targets of actions other than the king's: anywhere without check, on or before a single
    /// checker, none under double check.
    landing: Board,
    /// Own pieces that may only move on their line with the king.
    pinned: Board,
}

impl Safety {
    #[inline]
    fn of(position: &Position) -> Safety {
        let us = position.to_move();
        let them = us.opponent();
        let king = position.king(us);
        let occupied = position.occupied();
        let leapers = (attacks::pawn(us.index(), king) & position.pieces(them, Kind::Pawn))
            | (attacks::knight(king) & position.pieces(them, Kind::Knight));
        let snipers = (attacks::rook(king, 0) & position.straight_sliders(them))
            | (attacks::bishop(king, 0) & position.diagonal_sliders(them));
        let mut safety = Safety {
            king,
            checkers: leapers.count_ones(),
            landing: if leapers == 0 { attacks::ALL } else { leapers },
            pinned: 0,
        };
        for sniper in Squares(snipers) {
            let between = attacks::between(king, sniper);
            let blockers = between & occupied;
            if blockers == 0 {
                safety.checkers += 1;
                safety.landing &= between | sniper.bit();
            } else if blockers & (blockers - 1) == 0 {
                safety.pinned |= blockers & position.of_side(us);
            }
        }
        if safety.checkers > 1 {
            safety.landing = 0;
        }
        safety
    }

    /// The `targets` that the piece on `from`, not the king, can reach without leaving the king in
    /// check.
    #[inline]
    fn allowed(&self, from: Square, targets: Board) -> Board {
        let targets = targets & self.landing;
        if self.pinned & from.bit() == 0 {
            targets
        } else {
            targets & attacks::line(self.king, from)
        }
    }
}

impl Rules {
    /// Calls `visit` with each group of legal actions, in a fixed order, until it breaks; groups of
    /// moves and placements are not empty.
    #[inline]
    pub fn groups<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Group) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = position.to_move();
        let safety = Safety::of(position);
        let places = us.home() & !position.occupied() & safety.landing;
        if places != 0 {
            visit(Group::Places(places))?;
        }
        if safety.checkers == 0 {
            for square in Squares(position.pieces(us, Kind::Citizen)) {
                visit(Group::Promotions(square, position.level(us, square.file())))?;
            }
        }
        king_moves(position, &safety, &mut visit)?;
        if safety.checkers > 1 {
            return ControlFlow::Continue(());
        }
        piece_moves(position, &safety, &mut visit)?;
        self.pawn_moves(position, &safety, &mut visit)
    }

    #[inline]
    fn pawn_moves<B>(
        &self,
        position: &Position,
        safety: &Safety,
        visit: &mut impl FnMut(Group) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let us = position.to_move();
        for from in Squares(position.pieces(us, Kind::Pawn)) {
            let targets = safety.allowed(from, self.pawn_targets(position, from));
            let far = targets & us.far();
            if far != 0 {
                visit(Group::PawnPromotions(from, far))?;
            }
            if targets != far {
                visit(Group::Moves(from, targets & !far))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The targets of a pawn of the side to move, ignoring the safety of its king.
    #[inline]
    pub(super) fn pawn_targets(&self, position: &Position, from: Square) -> Board {
        let us = position.to_move();
        let empty = !position.occupied() & attacks::ALL;
        let step = us.forward(from.bit()) & empty;
        let mut targets = step | (attacks::pawn(us.index(), from) & capturable(position));
        if from.bit() & self.double_step_from(us) != 0 {
            targets |= us.forward(step) & empty;
        }
        targets
    }

    #[inline]
    fn double_step_from(&self, side: Side) -> Board {
        match self.double_step {
            DoubleStep::None => 0,
            DoubleStep::FromHomeRankUnmoved => side.home(),
            DoubleStep::FromSecondRank => side.forward(side.home()),
        }
    }
}

/// The opponent's pieces except the king.
#[inline]
fn capturable(position: &Position) -> Board {
    let them = position.to_move().opponent();
    position.of_side(them) & !position.pieces(them, Kind::King)
}

#[inline]
fn king_moves<B>(
    position: &Position,
    safety: &Safety,
    visit: &mut impl FnMut(Group) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let us = position.to_move();
    let near = attacks::king(safety.king) & !position.of_side(us);
    if near == 0 {
        return ControlFlow::Continue(());
    }
    // The king does not shield the squares behind it.
    let occupied = position.occupied() & !safety.king.bit();
    let them = us.opponent();
    let targets = near & !position.attacked_by(them, occupied) & !position.pieces(them, Kind::King);
    if targets == 0 {
        return ControlFlow::Continue(());
    }
    visit(Group::Moves(safety.king, targets))
}

/// Moves of queens, rooks, bishops and knights.
#[inline]
fn piece_moves<B>(
    position: &Position,
    safety: &Safety,
    visit: &mut impl FnMut(Group) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let us = position.to_move();
    let occupied = position.occupied();
    let open = (!occupied & attacks::ALL) | capturable(position);
    let straight = position.straight_sliders(us);
    let diagonal = position.diagonal_sliders(us);
    for from in Squares(straight | diagonal | position.pieces(us, Kind::Knight)) {
        let mut reached = 0;
        if straight & from.bit() != 0 {
            reached |= attacks::rook(from, occupied);
        }
        if diagonal & from.bit() != 0 {
            reached |= attacks::bishop(from, occupied);
        }
        if (straight | diagonal) & from.bit() == 0 {
            reached = attacks::knight(from);
        }
        let targets = safety.allowed(from, reached & open);
        if targets != 0 {
            visit(Group::Moves(from, targets))?;
        }
    }
    ControlFlow::Continue(())
}
