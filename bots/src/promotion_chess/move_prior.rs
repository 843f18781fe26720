//! Softmax prior over the actions of a position, from 39 features.

use games::promotion_chess::attacks::{self, Board, Squares};
use games::promotion_chess::{Action, Kind, Position, Side, Square};

use super::decisive::Checks;
use super::evaluation::Reach;

/// Number of features of an action.
pub const TRAITS: usize = 39;

/// One number for each feature of an action.
pub type Traits = [f32; TRAITS];

// Indices of the features.
/// A citizen is placed.
const PLACE: usize = 0;
/// The same, times the number of the player's citizens in quarters.
const PLACE_BESIDE: usize = 1;
/// The same, on a square where it can be captured at no cost.
const PLACE_EXPOSED: usize = 2;
/// The same, while in check.
const PLACE_IN_CHECK: usize = 3;
/// A citizen is promoted to a queen, rook, bishop, knight or pawn, by [`Kind::index`] less one.
const PROMOTE: usize = 4;
/// Levels of the citizen beyond the minimum level of the piece, in ninths.
const PROMOTE_WASTE: usize = 9;
/// The new piece gives check.
const PROMOTE_CHECK: usize = 10;
/// The new piece can be captured at no cost.
const PROMOTE_EXPOSED: usize = 11;
/// Value of the opponent's pieces that the new piece threatens, in queens.
const PROMOTE_THREAT: usize = 12;
/// A king, queen, rook, bishop, knight or pawn moves.
const MOVE: usize = 13;
/// Value of the captured piece, in queens.
const CAPTURE: usize = 19;
/// The same, if it is not defended.
const CAPTURE_FREE: usize = 20;
/// Levels of a captured citizen, in ninths.
const CAPTURE_LEVEL: usize = 21;
/// Value of a piece that moves to an attacked but defended square, in queens.
const RISK_DEFENDED: usize = 22;
/// The same, if the square is not defended.
const RISK: usize = 23;
/// Value of a piece that leaves a square where it could be captured at no cost or by a less
/// valuable piece.
const ESCAPE: usize = 24;
/// The move gives check.
const CHECK: usize = 25;
/// The move gives check from a square that is not attacked.
const CHECK_SAFE: usize = 26;
/// A pawn is promoted to a queen.
const QUEENING: usize = 27;
/// A pawn is promoted to another piece.
const UNDERPROMOTION: usize = 28;
/// A pawn comes within two steps of the far rank.
const PAWN_NEAR: usize = 29;
/// Value of the opponent's pieces that the moved piece newly threatens, in queens.
const THREAT: usize = 30;
/// Squares next to the opponent's king that the piece attacks from its target.
const ZONE: usize = 31;
/// The king moves out of check.
const KING_FROM_CHECK: usize = 32;
/// A checking piece is captured, or the check is blocked.
const PARRY: usize = 33;
/// The king moves away from its home rank.
const KING_FORWARD: usize = 34;
/// Decrease of the distance between the kings.
const KING_NEARER: usize = 35;
/// A piece leaves its home rank, which frees a square.
const MAKES_ROOM: usize = 36;
/// A piece moves to its home rank.
const TAKES_ROOM: usize = 37;
/// Decrease of the distance of a piece to the centre.
const CENTRAL: usize = 38;

/// Values of pieces in queens, by [`Kind::index`].
const WORTH: [f32; Kind::COUNT] = [1.0, 1.0, 0.57, 0.4, 0.43, 0.15, 0.35];

/// Weights of the features in the exponent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovePrior {
    /// Indexed by feature.
    pub weights: Traits,
}

impl Default for MovePrior {
    fn default() -> Self {
        MovePrior {
            weights: [
                0.82, 0.38, -0.66, -0.19, 3.09, 1.72, 0.34, 0.08, -2.32, -1.87, 1.17, -1.81, 1.18,
                -0.86, -0.38, -0.3, -0.36, -0.34, -0.22, 4.4, 0.78, 0.36, 0.36, -2.54, 1.77, 0.58,
                0.98, 0.01, -0.88, 0.55, 0.28, 0.01, 0.58, -0.42, -0.12, -0.02, 0.0, -0.22, 0.07,
            ],
        }
    }
}

impl MovePrior {
    /// Writes the probability of each of `actions`, which must be all legal ones, to the same index
    /// of `probabilities`.
    pub fn write(&self, position: &Position, actions: &[Action], probabilities: &mut [f32]) {
        let scene = Scene::of(position);
        let mut sum = 0.0;
        for (action, probability) in actions.iter().zip(probabilities.iter_mut()) {
            let mut logit = 0.0;
            scene.traits(*action, |place, value| logit += self.weights[place] * value);
            *probability = libm::expf(logit.clamp(-20.0, 20.0));
            sum += *probability;
        }
        probabilities.iter_mut().for_each(|probability| *probability /= sum);
    }
}

/// What the features of all actions of a position share.
#[derive(Debug)]
pub struct Scene<'a> {
    position: &'a Position,
    us: Side,
    own: Reach,
    other: Reach,
    checks: Checks,
    in_check: bool,
    /// By the kind of the moving piece: squares attacked by a less valuable piece of the opponent.
    outweighed: [Board; Kind::COUNT],
}

impl<'a> Scene<'a> {
    /// The scene of a position.
    #[must_use]
    pub fn of(position: &'a Position) -> Scene<'a> {
        let us = position.to_move();
        let (own, other) = (Reach::of(position, us), Reach::of(position, us.opponent()));
        let by = |kind: Kind| other.by_kind[kind.index()];
        let minors = by(Kind::Pawn) | by(Kind::Bishop) | by(Kind::Knight);
        let mut outweighed = [0; Kind::COUNT];
        outweighed[Kind::Queen.index()] = minors | by(Kind::Rook);
        outweighed[Kind::Rook.index()] = minors;
        outweighed[Kind::Bishop.index()] = by(Kind::Pawn);
        outweighed[Kind::Knight.index()] = by(Kind::Pawn);
        let in_check = other.all & position.pieces(us, Kind::King) != 0;
        Scene { position, us, own, other, checks: Checks::of(position), in_check, outweighed }
    }

    /// Calls `add` with the index and the value of each feature of an action.
    #[inline]
    pub fn traits(&self, action: Action, add: impl FnMut(usize, f32)) {
        match action {
            Action::Place(square) => self.placing(square, add),
            Action::Promote(square, kind) => self.promoting(square, kind, add),
            Action::Move { from, to, promotion } => self.moving(from, to, promotion, add),
        }
    }

    fn placing(&self, square: Square, mut add: impl FnMut(usize, f32)) {
        add(PLACE, 1.0);
        let citizens = self.position.pieces(self.us, Kind::Citizen).count_ones();
        add(PLACE_BESIDE, citizens as f32 / 4.0);
        if self.other.all & square.bit() != 0 && self.own.all & square.bit() == 0 {
            add(PLACE_EXPOSED, 1.0);
        }
        if self.in_check {
            add(PLACE_IN_CHECK, 1.0);
        }
    }

    fn promoting(&self, square: Square, kind: Kind, mut add: impl FnMut(usize, f32)) {
        add(PROMOTE + kind.index() - 1, 1.0);
        let level = self.position.level(self.us, square.file());
        add(PROMOTE_WASTE, f32::from(level) / 9.0);
        if self.checks.may_check(self.position, Action::Promote(square, kind)) {
            add(PROMOTE_CHECK, 1.0);
        }
        if self.other.all & square.bit() != 0 && self.own.all & square.bit() == 0 {
            add(PROMOTE_EXPOSED, WORTH[kind.index()]);
        }
        let reached = self.reached(kind, square, self.position.occupied());
        add(PROMOTE_THREAT, self.threatened(kind, reached));
    }

    fn moving(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Kind>,
        mut add: impl FnMut(usize, f32),
    ) {
        let (position, us) = (self.position, self.us);
        let kind = position.kind_at(from).unwrap_or(Kind::Pawn);
        let becomes = promotion.unwrap_or(kind);
        add(MOVE + kind.index(), 1.0);
        let defended = self.other.all & to.bit() != 0;
        if let Some(captured) = position.kind_at(to) {
            add(CAPTURE, WORTH[captured.index()]);
            if !defended {
                add(CAPTURE_FREE, WORTH[captured.index()]);
            }
            if captured == Kind::Citizen {
                add(CAPTURE_LEVEL, f32::from(position.level(us.opponent(), to.file())) / 9.0);
            }
        }
        let occupied = position.occupied() & !from.bit();
        let reached = self.reached(becomes, to, occupied);
        let is_check = promotion.is_none()
            && self.checks.may_check(position, Action::Move { from, to, promotion });
        if is_check {
            add(CHECK, 1.0);
            if !defended {
                add(CHECK_SAFE, 1.0);
            }
        }
        if self.in_check {
            add(if kind == Kind::King { KING_FROM_CHECK } else { PARRY }, 1.0);
        }
        if kind == Kind::King {
            self.king_moving(from, to, add);
            return;
        }
        self.risks(kind, becomes, (from, to), &mut add);
        add(THREAT, self.threatened(becomes, reached));
        let zone = attacks::king(position.king(us.opponent()));
        add(ZONE, (zone & reached).count_ones() as f32);
        match promotion {
            Some(Kind::Queen) => add(QUEENING, 1.0),
            Some(_) => add(UNDERPROMOTION, 1.0),
            None => {}
        }
        if kind == Kind::Pawn && us.opponent().forward(us.far()) & to.bit() != 0 {
            add(PAWN_NEAR, 1.0);
        }
        let home = us.home();
        match (home & from.bit() != 0, home & to.bit() != 0) {
            (true, false) => add(MAKES_ROOM, 1.0),
            (false, true) => add(TAKES_ROOM, 1.0),
            _ => {}
        }
        add(CENTRAL, from_centre(from) - from_centre(to));
    }

    fn king_moving(&self, from: Square, to: Square, mut add: impl FnMut(usize, f32)) {
        let home = self.us.home();
        if home & from.bit() != 0 && home & to.bit() == 0 {
            add(KING_FORWARD, 1.0);
        }
        let other = self.position.king(self.us.opponent());
        let apart = |square: Square| {
            square.file().abs_diff(other.file()).max(square.rank().abs_diff(other.rank()))
        };
        add(KING_NEARER, f32::from(apart(from)) - f32::from(apart(to)));
    }

    /// The risk of the piece on its target, and the risk on its origin.
    fn risks(
        &self,
        kind: Kind,
        becomes: Kind,
        (from, to): (Square, Square),
        add: &mut impl FnMut(usize, f32),
    ) {
        let attacked = self.other.all & to.bit() != 0;
        if attacked {
            let outweighed = self.outweighed[becomes.index()] & to.bit() != 0;
            let defended = self.defenders(to) > 1 || kind == Kind::Pawn && self.defenders(to) > 0;
            let place = if defended && !outweighed { RISK_DEFENDED } else { RISK };
            add(place, WORTH[becomes.index()]);
        }
        let threatened = self.other.all & from.bit() != 0
            && (self.own.all & from.bit() == 0 || self.outweighed[kind.index()] & from.bit() != 0);
        if threatened {
            add(ESCAPE, WORTH[kind.index()]);
        }
    }

    /// Number of the player's own pieces that attack a square.
    fn defenders(&self, square: Square) -> u32 {
        self.position.attackers(self.us, square, self.position.occupied()).count_ones()
    }

    #[inline]
    fn reached(&self, kind: Kind, square: Square, occupied: Board) -> Board {
        match kind {
            Kind::King => attacks::king(square),
            Kind::Queen => attacks::rook(square, occupied) | attacks::bishop(square, occupied),
            Kind::Rook => attacks::rook(square, occupied),
            Kind::Bishop => attacks::bishop(square, occupied),
            Kind::Knight => attacks::knight(square),
            Kind::Pawn => attacks::pawn(self.us.index(), square),
            Kind::Citizen => 0,
        }
    }

    /// Value of the opponent's pieces among `reached` that are undefended or more valuable than
    /// `kind`.
    fn threatened(&self, kind: Kind, reached: Board) -> f32 {
        let opponent = self.us.opponent();
        let mut worth: f32 = 0.0;
        for square in Squares(reached & self.position.of_side(opponent)) {
            let target = self.position.kind_at(square).unwrap_or(Kind::King);
            if target == Kind::King {
                continue;
            }
            let gain = if self.other.all & square.bit() == 0 {
                WORTH[target.index()]
            } else {
                WORTH[target.index()] - WORTH[kind.index()]
            };
            worth = worth.max(gain);
        }
        worth
    }
}

/// Steps from the centre square.
fn from_centre(square: Square) -> f32 {
    f32::from(square.file().abs_diff(2).max(square.rank().abs_diff(2)))
}
