//! minimax 0.6.

use mcts_core::{Game as _, Utilities};
use minimax::{Game, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand09::rngs::SmallRng;
use std::marker::PhantomData;

use crate::contest::{Board, Contest, Counted, rollout};
use crate::measure::Found;

struct Rules<S>(PhantomData<S>);

/// The winner in the crate's terms, from the view of the player to move in `board`.
#[inline]
fn winner<S: Contest>(board: &Board<S>, result: &Utilities) -> Winner {
    match result.of_player(board.0.mover()) {
        won if won > 0.0 => Winner::PlayerToMove,
        lost if lost < 0.0 => Winner::PlayerJustMoved,
        _ => Winner::Draw,
    }
}

impl<S: Contest> Game for Rules<S> {
    type S = Board<S>;
    type M = S::Action;

    #[inline]
    fn generate_moves(board: &Board<S>, moves: &mut Vec<S::Action>) -> Option<Winner> {
        let over = Self::get_winner(board);
        if over.is_none() {
            Counted::<S>::new().actions(&board.0, |action| moves.push(action));
        }
        over
    }

    #[inline]
    fn apply(board: &mut Board<S>, action: S::Action) -> Option<Board<S>> {
        Some(board.after(action))
    }

    #[inline]
    fn get_winner(board: &Board<S>) -> Option<Winner> {
        board.result().map(|result| winner(board, &result))
    }
}

struct Uniform<S>(PhantomData<S>);

/// The crate's value of a proven win; one less is a win of a rollout.
const WON: i32 = i32::MAX;

impl<S: Contest> RolloutPolicy for Uniform<S> {
    type G = Rules<S>;

    fn random_move(
        &self,
        _: &mut Board<S>,
        _: &mut Vec<S::Action>,
        _: &mut SmallRng,
    ) -> Result<S::Action, Winner> {
        unreachable!("rollouts are ours as a whole")
    }

    /// From the view of the player who moved last; proven if the game is already over.
    #[inline]
    fn rollout(&self, _: &MCTSOptions, board: &Board<S>) -> i32 {
        if let Some(result) = board.result() {
            return match winner(board, &result) {
                Winner::PlayerJustMoved => WON,
                Winner::PlayerToMove => -WON,
                Winner::Draw => 0,
            };
        }
        -(rollout(board.0).of_player(board.0.mover()) as i32)
    }
}

/// Its exploration is fixed at `sqrt(2 * log2(visits) / child's visits)`, and its solver cannot be
/// turned off. It does not report visits, and drops its tree before it returns.
pub(crate) fn search<S: Contest>(playouts: u64, threads: usize) -> Found<S, impl Sized> {
    let options = MCTSOptions::default().with_num_threads(threads);
    let policy = Box::new(Uniform::<S>(PhantomData));
    let mut search = MonteCarloTreeSearch::<Rules<S>>::new_with_policy(options, policy);
    search.set_max_rollouts(u32::try_from(playouts).expect("few enough playouts"));
    let start = Board(Counted::<S>::new().start());
    let best = search.choose_move(&start).expect("there are moves");
    Found { visits: None, rolls_out_itself: true, best, tree: search }
}
