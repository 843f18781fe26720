//! Uniformly random games of Reversi, optimized for speed.

use mcts_core::{SearchRng, rng};

use super::lines::Lines;
use super::rules::{Position, Side};
use crate::bits::nth_bit;

/// Discs of Black minus discs of White after a random game from `position`. Calls `note` with each
/// placed disc as a bit, and with zero for each pass.
#[inline]
pub(super) fn margin_of_random_game(
    position: &Position,
    rng: &mut SearchRng,
    mut note: impl FnMut(Side, u64),
) -> i32 {
    let (mut own, mut opponent) = (position.own(), position.opponent());
    let mut own_is_black = position.side() == Side::Black;
    loop {
        let mut lines = Lines::new(own, opponent);
        let mut moves = lines.ends(!(own | opponent));
        if moves == 0 {
            let passes = side(own_is_black);
            (own, opponent) = (opponent, own);
            own_is_black = !own_is_black;
            lines = Lines::new(own, opponent);
            moves = lines.ends(!(own | opponent));
            if moves == 0 {
                break;
            }
            note(passes, 0);
        }
        let n = rng::below(rng, moves.count_ones() as usize);
        let disc = nth_bit(moves, n as u32);
        note(side(own_is_black), disc);
        let turned = lines.turned_by(disc);
        (own, opponent) = (opponent & !turned, own | turned | disc);
        own_is_black = !own_is_black;
    }
    let margin = own.count_ones() as i32 - opponent.count_ones() as i32;
    if own_is_black { margin } else { -margin }
}

#[inline]
fn side(is_black: bool) -> Side {
    if is_black { Side::Black } else { Side::White }
}
