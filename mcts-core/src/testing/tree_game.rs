//! A game given by an explicit tree, for crafted cases with known values.

use crate::game::{Game, Player, Turn, Utilities};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A position of a [`TreeGame`] with its subtree.
#[derive(Debug, Clone)]
pub enum Position {
    /// The game is over.
    Over(Utilities),
    /// This player chooses one of the positions.
    Choice(Player, Vec<Position>),
    /// Chance chooses one of the positions with the given probability.
    Chance(Vec<(f32, Position)>),
}

impl Position {
    /// The end of a two-player zero-sum game; `utility` is the first player's.
    #[must_use]
    pub fn over(utility: f32) -> Position {
        Position::Over(Utilities::zero_sum(utility))
    }

    /// A choice of the first player.
    #[must_use]
    pub fn first(children: impl Into<Vec<Position>>) -> Position {
        Position::Choice(Player::FIRST, children.into())
    }

    /// A choice of the second player.
    #[must_use]
    pub fn second(children: impl Into<Vec<Position>>) -> Position {
        Position::Choice(Player::SECOND, children.into())
    }
}

/// A game given by its tree, for `PLAYERS` players; an action is the index of a position among its
/// siblings.
#[derive(Debug, Clone)]
pub struct TreeGame<const PLAYERS: usize = 2> {
    root: Box<Position>,
}

impl<const PLAYERS: usize> TreeGame<PLAYERS> {
    /// The game that starts in `root`.
    #[must_use]
    pub fn new(root: Position) -> Self {
        TreeGame { root: Box::new(root) }
    }

    fn at(&self, path: &[u16]) -> &Position {
        path.iter().fold(&self.root, |position, place| match position {
            Position::Over(_) => position,
            Position::Choice(_, children) => &children[usize::from(*place)],
            Position::Chance(children) => &children[usize::from(*place)].1,
        })
    }
}

impl<const PLAYERS: usize> Game for TreeGame<PLAYERS> {
    type State = Vec<u16>;
    type Action = u16;
    const PLAYERS: usize = PLAYERS;

    fn start(&self) -> Vec<u16> {
        Vec::new()
    }

    fn turn(&self, state: &Vec<u16>) -> Turn {
        match self.at(state) {
            Position::Over(utilities) => Turn::Over(*utilities),
            Position::Choice(player, _) => Turn::Player(*player),
            Position::Chance(_) => Turn::Chance,
        }
    }

    fn actions(&self, state: &Vec<u16>, visit: impl FnMut(u16)) {
        let count = match self.at(state) {
            Position::Over(_) => 0,
            Position::Choice(_, children) => children.len(),
            Position::Chance(children) => children.len(),
        };
        (0..count as u16).for_each(visit);
    }

    fn apply(&self, state: &mut Vec<u16>, action: u16) {
        state.push(action);
    }

    fn action_index(&self, action: u16) -> Option<usize> {
        Some(usize::from(action))
    }

    fn action_indices(&self) -> usize {
        usize::from(u16::MAX) + 1
    }

    fn outcomes(&self, state: &Vec<u16>, mut visit: impl FnMut(u16, f32)) {
        if let Position::Chance(children) = self.at(state) {
            for (place, (probability, _)) in children.iter().enumerate() {
                visit(place as u16, *probability);
            }
        }
    }
}
