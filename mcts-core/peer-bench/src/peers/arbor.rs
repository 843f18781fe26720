//! arbor 0.2.

use arbor::{Action, GameResult, GameState, MCTS, Player};

use crate::contest::{Board, Contest, Counted, Move, rollout};
use crate::measure::Found;
use mcts_core::Game;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Seat(mcts_core::Player);

impl Player for Seat {}

impl<A: Copy + std::fmt::Debug> Action for Move<A> {}

impl<S: Contest> GameState<Seat, Move<S::Action>> for Board<S> {
    #[inline]
    fn actions<F: FnMut(Move<S::Action>)>(&self, f: &mut F) {
        Counted::<S>::new().actions(&self.0, |action| f(Move(action)));
    }

    #[inline]
    fn make(&self, action: Move<S::Action>) -> Self {
        self.after(action.0)
    }

    #[inline]
    fn gameover(&self) -> Option<GameResult> {
        let utility = self.result()?.of_player(self.0.mover());
        Some(match utility {
            won if won > 0.0 => GameResult::Win,
            lost if lost < 0.0 => GameResult::Lose,
            _ => GameResult::Draw,
        })
    }

    #[inline]
    fn player(&self) -> Seat {
        Seat(self.0.mover())
    }

    #[inline]
    fn custom_evaluation(&self) -> f32 {
        0.5 + 0.5 * rollout(self.0).of_player(self.0.mover())
    }
}

/// With `ours` it uses these rollouts through its "custom evaluation", as its documentation
/// recommends; otherwise its own.
pub(crate) fn search<S: Contest>(
    playouts: u64,
    exploration: f32,
    ours: bool,
) -> Found<S, impl Sized> {
    let start = Board(Counted::<S>::new().start());
    let plain = MCTS::new(start).with_exploration(exploration);
    let mut search = if ours { plain.with_custom_evaluation() } else { plain };
    search.ponder(playouts as usize);
    // its root starts with one visit
    let visits = u64::from(search.info.n) - 1;
    let best = search.best().expect("it has pondered").0;
    Found { visits: Some(visits), rolls_out_itself: !ours, best, tree: search }
}
