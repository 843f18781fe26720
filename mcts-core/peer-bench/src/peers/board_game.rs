//! board-game 0.8.

use arrayvec::ArrayVec;
use board_game::ai::mcts::mcts_build_tree;
use board_game::board::{
    Alternating, Board as BoardTrait, BoardDone, BoardMoves, BoardSymmetry, Outcome, PlayError,
    Player,
};
use board_game::symmetry::UnitSymmetry;
use internal_iterator::InternalIterator;
use mcts_core::{Game, Utilities};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::fmt;
use std::ops::ControlFlow;

use crate::contest::{Board, Contest, Counted, MOST_ACTIONS, Move, rollout, seed};
use crate::measure::Found;

/// A state, or the result of a rollout from it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Playable<S> {
    board: Board<S>,
    played_out: Option<Outcome>,
}

impl<S: Contest> Playable<S> {
    #[inline]
    fn new(board: Board<S>) -> Self {
        Playable { board, played_out: None }
    }
}

impl<S: fmt::Debug> fmt::Display for Playable<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.board, f)
    }
}

#[inline]
fn outcome(result: Utilities) -> Outcome {
    match result.of_player(mcts_core::Player::FIRST) {
        won if won > 0.0 => Outcome::WonBy(Player::A),
        lost if lost < 0.0 => Outcome::WonBy(Player::B),
        _ => Outcome::Draw,
    }
}

impl<S: Contest> BoardTrait for Playable<S> {
    type Move = Move<S::Action>;

    #[inline]
    fn next_player(&self) -> Player {
        Player::BOTH[self.board.0.mover().index()]
    }

    fn is_available_move(&self, action: Move<S::Action>) -> Result<bool, BoardDone> {
        self.check_done()?;
        Ok(self.board.actions_unless_over().contains(&action.0))
    }

    #[inline]
    fn random_available_move(&self, rng: &mut impl Rng) -> Result<Move<S::Action>, BoardDone> {
        self.check_done()?;
        let rules = Counted::<S>::new();
        let n = rng.gen_range(0..rules.count_actions(&self.board.0));
        Ok(Move(rules.nth_action(&self.board.0, n)))
    }

    /// Assumes that the move is available.
    #[inline]
    fn play(&mut self, action: Move<S::Action>) -> Result<(), PlayError> {
        self.board = self.board.after(action.0);
        Ok(())
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.played_out.or_else(|| self.board.result().map(outcome))
    }

    fn can_lose_after_move() -> bool {
        true
    }

    /// Plays all moves instead of one, so that its rollout, which calls only this, is the common
    /// one.
    #[inline]
    fn play_random_available_move(&mut self, _: &mut impl Rng) -> Result<(), BoardDone> {
        self.played_out = Some(outcome(rollout(self.board.0)));
        Ok(())
    }
}

impl<S: Contest> Alternating for Playable<S> {}

/// The available moves.
#[derive(Debug, Clone)]
struct Moves<A>(ArrayVec<A, MOST_ACTIONS>);

impl<A: Copy> InternalIterator for Moves<A> {
    type Item = Move<A>;

    #[inline]
    fn try_for_each<R, F>(self, mut f: F) -> ControlFlow<R>
    where
        F: FnMut(Move<A>) -> ControlFlow<R>,
    {
        self.0.iter().try_for_each(|action| f(Move(*action)))
    }
}

impl<'a, S: Contest> BoardMoves<'a, Playable<S>> for Playable<S> {
    type AllMovesIterator = Moves<S::Action>;
    type AvailableMovesIterator = Moves<S::Action>;

    fn all_possible_moves() -> Moves<S::Action> {
        unreachable!("the search does not ask for moves beyond those available")
    }

    #[inline]
    fn available_moves(&'a self) -> Result<Moves<S::Action>, BoardDone> {
        Ok(Moves(self.board.actions_unless_over()))
    }
}

impl<S: Contest> BoardSymmetry<Playable<S>> for Playable<S> {
    type Symmetry = UnitSymmetry;
    type CanonicalKey = ();

    fn map(&self, _: UnitSymmetry) -> Self {
        self.clone()
    }

    fn map_move(&self, _: UnitSymmetry, action: Move<S::Action>) -> Move<S::Action> {
        action
    }

    fn canonical_key(&self) {}
}

/// Its solver cannot be turned off.
pub(crate) fn search<S: Contest>(playouts: u64, exploration: f32) -> Found<S, impl Sized> {
    let start = Playable::new(Board(Counted::<S>::new().start()));
    let mut rng = SmallRng::seed_from_u64(seed());
    let tree = mcts_build_tree(&start, playouts, exploration, &mut rng);
    let visits = u64::try_from(tree[0].visits).expect("visits are positive");
    Found { visits: Some(visits), rolls_out_itself: false, best: tree.best_move().0, tree }
}
