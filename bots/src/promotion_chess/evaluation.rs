//! Static evaluation of a position.

use games::promotion_chess::attacks::{self, Board, Squares};
use games::promotion_chess::{Kind, Position, Rules, Side};

/// Number of features.
pub const FEATURES: usize = 44;

/// One number for each feature: that of the side to move minus that of the other side.
pub type Features = [f32; FEATURES];

// Indices of the features; features with several numbers start here.
/// Queens, rooks, bishops, knights, pawns, by [`Kind::index`] less one.
const PIECES: usize = 0;
/// Citizens by level, 0 to 9.
const CITIZENS: usize = 5;
/// Pawns one, two and three steps from the far rank.
const PAWN_STEPS: usize = 15;
/// Squares that queens, rooks, bishops and knights attack and that hold no piece of their side.
const MOBILITY: usize = 18;
/// Squares next to the opponent's king that are attacked.
const KING_ZONE: usize = 22;
/// The square of `KING_ZONE`.
const KING_ZONE_SQUARED: usize = 23;
/// Squares to which the opponent's king can go: 0, 1, and 2.
const ESCAPES: usize = 24;
/// Opponent's pieces that are attacked and not defended, in queens; separately for the side to move
/// and the other side.
const HANGING: usize = 27;
/// Opponent's pieces that are attacked by a less valuable piece, by the difference in queens;
/// separately as above.
const OUTWEIGHED: usize = 29;
/// Opponent's citizens that are attacked and not defended, in levels + 1; separately as above.
const CITIZENS_HANGING: usize = 31;
/// Empty squares of the home rank.
const ROOM: usize = 33;
/// Squares attacked.
const CONTROL: usize = 34;
/// Pieces of the side that are defended.
const DEFENDED: usize = 35;
/// Distance of the opponent's king from the centre, if its side has only pawns and citizens.
const DRIVEN: usize = 36;
/// Four minus the distance between the kings, at least zero, under the same condition.
const NEAR: usize = 37;
/// Distance of the king from its home rank.
const KING_ADVANCE: usize = 38;
/// Queens and rooks beyond the first.
const SURPLUS: usize = 39;
/// Distance of the king from the centre.
const KING_FROM_CENTRE: usize = 40;
/// Pawns without an opponent's piece in front of them.
const FREE_PAWNS: usize = 41;
/// The side to move is in check.
const CHECK: usize = 42;
/// One for the side to move.
const TURN: usize = 43;

/// Weight of each feature, in half log-odds of a win.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Indexed by feature.
    pub weights: Features,
}

impl Default for Evaluation {
    fn default() -> Self {
        let weights = [
            1.805, 1.198, 0.822, 0.815, -0.058, 0.494, 0.537, 0.613, 0.682, 0.772, 0.827, 0.881,
            0.959, 1.054, 0.993, 0.915, 0.254, 0.179, 0.01, 0.005, 0.0, 0.001, 0.032, -0.001,
            -0.053, -0.044, -0.006, 1.308, 0.242, 0.929, 0.472, 0.063, 0.054, 0.029, 0.017, -0.018,
            -0.008, -0.007, 0.023, -0.085, -0.013, 0.083, -0.418, 0.151,
        ];
        Evaluation { weights }
    }
}

impl Evaluation {
    /// Half the log-odds of a win for the side to move; scaled towards zero near the limit of
    /// plies.
    #[must_use]
    pub fn half_log_odds(&self, rules: &Rules, position: &Position) -> f32 {
        let features = features(position);
        let sum: f32 =
            features.iter().zip(&self.weights).map(|(value, weight)| value * weight).sum();
        let plies_left = rules.maximum_plies.saturating_sub(position.ply());
        sum * (f32::from(plies_left) / FADING_PLIES).min(1.0)
    }
}

/// Number of plies before the limit over which every advantage fades.
const FADING_PLIES: f32 = 24.0;

/// A utility in (-1, 1) from half the log-odds.
#[must_use]
pub fn utility(half_log_odds: f32) -> f32 {
    libm::tanhf(half_log_odds)
}

/// Values of pieces in queens, by [`Kind::index`], for hanging pieces; a king outweighs no piece.
const ROUGH: [f32; Kind::COUNT] = [9.0, 1.0, 0.55, 0.35, 0.35, 0.2, 0.3];

/// The squares that the pieces of a side attack.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// By [`Kind::index`].
    pub by_kind: [Board; Kind::COUNT],
    /// All of them.
    pub all: Board,
    /// Number of attacked squares without a piece of the side: queens, rooks, bishops, knights,
    /// summed over pieces.
    mobility: [u32; 4],
}

impl Reach {
    /// The squares that a side's pieces attack, its own pieces included.
    #[inline]
    #[must_use]
    pub fn of(position: &Position, side: Side) -> Reach {
        let occupied = position.occupied();
        let own = position.of_side(side);
        let mut by_kind = [0; Kind::COUNT];
        let mut mobility = [0; 4];
        by_kind[Kind::King.index()] = attacks::king(position.king(side));
        for square in Squares(position.pieces(side, Kind::Pawn)) {
            by_kind[Kind::Pawn.index()] |= attacks::pawn(side.index(), square);
        }
        for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight] {
            for square in Squares(position.pieces(side, kind)) {
                let reached = match kind {
                    Kind::Knight => attacks::knight(square),
                    Kind::Rook => attacks::rook(square, occupied),
                    Kind::Bishop => attacks::bishop(square, occupied),
                    _ => attacks::rook(square, occupied) | attacks::bishop(square, occupied),
                };
                by_kind[kind.index()] |= reached;
                mobility[kind.index() - 1] += (reached & !own).count_ones();
            }
        }
        let all = by_kind.iter().fold(0, |all, one| all | one);
        Reach { by_kind, all, mobility }
    }
}

/// The features of a position.
#[must_use]
pub fn features(position: &Position) -> Features {
    let us = position.to_move();
    let sides = [us, us.opponent()];
    let reach = sides.map(|side| Reach::of(position, side));
    let mut features = [0.0; FEATURES];
    for (place, side) in sides.into_iter().enumerate() {
        let mut add = |feature: usize, value: f32| {
            features[feature] += if place == 0 { value } else { -value };
        };
        material(position, side, &mut add);
        kings(position, side, &reach[place], &mut add);
        activity(position, side, &reach[place], &mut add);
        threats(position, side, [&reach[place], &reach[1 - place]], place, &mut add);
    }
    if reach[1].all & position.pieces(us, Kind::King) != 0 {
        features[CHECK] = 1.0;
    }
    features[TURN] = 1.0;
    features
}

#[inline]
fn count(board: Board) -> f32 {
    board.count_ones() as f32
}

#[inline]
fn material(position: &Position, side: Side, add: &mut impl FnMut(usize, f32)) {
    for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn] {
        add(PIECES + kind.index() - 1, count(position.pieces(side, kind)));
    }
    for square in Squares(position.pieces(side, Kind::Citizen)) {
        add(CITIZENS + usize::from(position.level(side, square.file())), 1.0);
    }
    let heavy = position.straight_sliders(side);
    add(SURPLUS, (count(heavy) - 1.0).max(0.0));
    let mut rank = side.far();
    let pawns = position.pieces(side, Kind::Pawn);
    for step in 0..3 {
        rank = side.opponent().forward(rank);
        add(PAWN_STEPS + step, count(pawns & rank));
    }
    add(FREE_PAWNS, count(side.forward(pawns) & !position.occupied()));
    add(ROOM, count(side.home() & !position.occupied()));
}

/// Steps from the centre square.
#[inline]
fn from_centre(file: u8, rank: u8) -> f32 {
    f32::from(file.abs_diff(2).max(rank.abs_diff(2)))
}

#[inline]
fn kings(position: &Position, side: Side, own: &Reach, add: &mut impl FnMut(usize, f32)) {
    let opponent = side.opponent();
    let (king, target) = (position.king(side), position.king(opponent));
    let zone = attacks::king(target);
    let attacked = count(zone & own.all);
    add(KING_ZONE, attacked);
    add(KING_ZONE_SQUARED, attacked * attacked);
    let escapes = zone & !own.all & !position.of_side(opponent);
    if escapes.count_ones() < 3 {
        add(ESCAPES + escapes.count_ones() as usize, 1.0);
    }
    let home_rank = if side == Side::White { 0 } else { 4 };
    add(KING_ADVANCE, f32::from(king.rank().abs_diff(home_rank)));
    add(KING_FROM_CENTRE, from_centre(king.file(), king.rank()));
    let officers = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
    if officers.iter().all(|kind| position.pieces(opponent, *kind) == 0) {
        let files = king.file().abs_diff(target.file());
        let apart = files.max(king.rank().abs_diff(target.rank()));
        add(DRIVEN, from_centre(target.file(), target.rank()));
        add(NEAR, f32::from(4 - apart.min(4)));
    }
}

#[inline]
fn activity(position: &Position, side: Side, own: &Reach, add: &mut impl FnMut(usize, f32)) {
    for (place, squares) in own.mobility.iter().enumerate() {
        add(MOBILITY + place, *squares as f32);
    }
    add(CONTROL, count(own.all));
    add(DEFENDED, count(own.all & position.of_side(side)));
}

/// Attacks of `side` on its opponent; `place` is 0 for the side to move.
#[inline]
fn threats(
    position: &Position,
    side: Side,
    [own, other]: [&Reach; 2],
    place: usize,
    add: &mut impl FnMut(usize, f32),
) {
    let opponent = side.opponent();
    let mut lesser = own.by_kind[Kind::Pawn.index()];
    let (mut hanging, mut outweighed) = (0.0, 0.0);
    for kind in [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        let pieces = position.pieces(opponent, kind);
        hanging += ROUGH[kind.index()] * count(pieces & own.all & !other.all);
        if kind != Kind::Pawn {
            outweighed += (ROUGH[kind.index()] - 0.2) * count(pieces & lesser & other.all);
        }
        if kind != Kind::Knight {
            lesser |= own.by_kind[kind.index()];
        }
        if kind == Kind::Bishop {
            lesser |= own.by_kind[Kind::Knight.index()];
        }
    }
    add(HANGING + place, hanging);
    add(OUTWEIGHED + place, outweighed);
    let citizens = position.pieces(opponent, Kind::Citizen) & own.all & !other.all;
    let levels: f32 = Squares(citizens)
        .map(|square| f32::from(position.level(opponent, square.file())) + 1.0)
        .sum();
    add(CITIZENS_HANGING + place, levels);
}
