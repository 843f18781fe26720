//! treant 0.4.

use arrayvec::ArrayVec;
use mcts_core::{Game, Player, Utilities};
use std::marker::PhantomData;
use treant::tree_policy::UCTPolicy;
use treant::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

use crate::contest::{Board, Contest, Counted, Generator, MOST_ACTIONS, seed};
use crate::measure::Found;

impl<S: Contest> GameState for Board<S> {
    type Move = S::Action;
    type Player = Player;
    type MoveList = ArrayVec<S::Action, MOST_ACTIONS>;

    #[inline]
    fn current_player(&self) -> Player {
        self.0.mover()
    }

    #[inline]
    fn available_moves(&self) -> Self::MoveList {
        self.actions_unless_over()
    }

    #[inline]
    fn make_move(&mut self, action: &S::Action) {
        *self = self.after(*action);
    }
}

struct RolloutEvaluator;

impl<S: Contest> Evaluator<Uct<S>> for RolloutEvaluator {
    type StateEvaluation = Utilities;

    #[inline]
    fn evaluate_new_state(
        &self,
        board: &Board<S>,
        moves: &ArrayVec<S::Action, MOST_ACTIONS>,
        handle: Option<SearchHandle<Uct<S>>>,
    ) -> (Vec<()>, Utilities) {
        // the root comes before the thread
        let result = handle
            .map_or(Utilities::ZERO, |mut handle| handle.thread_data().extra_data.value(board));
        (vec![(); moves.len()], result)
    }

    #[inline]
    fn evaluate_existing_state(
        &self,
        _: &Board<S>,
        known: &Utilities,
        _: SearchHandle<Uct<S>>,
    ) -> Utilities {
        *known
    }

    #[inline]
    fn interpret_evaluation_for_player(&self, result: &Utilities, player: &Player) -> i64 {
        result.of_player(*player) as i64
    }
}

struct Uct<S>(PhantomData<S>);

impl<S: Contest> MCTS for Uct<S> {
    type State = Board<S>;
    type Eval = RolloutEvaluator;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = Generator;

    fn rng_seed(&self) -> Option<u64> {
        Some(seed())
    }
}

/// Its UCB1 is that of mcts, of which it is a fork. Its solver is off by default.
pub(crate) fn search<S: Contest>(
    playouts: u64,
    exploration: f32,
    threads: usize,
) -> Found<S, impl Sized> {
    let start = Board(Counted::<S>::new().start());
    let policy = UCTPolicy::new(f64::from(exploration));
    let mut search = MCTSManager::new(start, Uct::<S>(PhantomData), RolloutEvaluator, policy, ());
    if threads == 1 {
        search.playout_n(playouts);
    } else {
        let playouts = u32::try_from(playouts).expect("few enough playouts");
        search.playout_n_parallel(playouts, threads);
    }
    let visits = search.tree().root_node().moves().map(|child| child.visits()).sum();
    let best = search.best_move().expect("it has searched");
    Found { visits: Some(visits), rolls_out_itself: threads > 1, best, tree: search }
}
