//! How do I swap a part of the search? By naming another one: here rollouts that always take a win
//! in one.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use games::connect_four::{ConnectFour, Position};
use mcts_core::evaluation::Situation;
use mcts_core::{
    Budget, Evaluator, Game, Rollout, RolloutPolicy, Search, SearchRng, Turn, Uct, Uniform,
};

/// Takes a winning action if there is one; otherwise a uniformly random one.
#[derive(Debug, Clone, Copy, Default)]
struct TakeWins;

impl<G: Game> RolloutPolicy<G> for TakeWins {
    fn choose(
        &mut self,
        game: &G,
        at: &Situation<'_, G::State>,
        rng: &mut SearchRng,
    ) -> Option<G::Action> {
        let mut win = None;
        game.actions(at.state, |action| {
            let mut after = at.state.clone();
            game.apply(&mut after, action);
            if let Turn::Over(utilities) = game.turn(&after)
                && utilities.of_player(at.player) > 0.0
            {
                win = Some(action);
            }
        });
        win.or_else(|| Uniform.choose(game, at, rng))
    }
}

/// The number of searches, among a hundred seeds, that choose the middle column, the only opening
/// that wins (Allis, 1988).
fn middle_openings<E: Evaluator<ConnectFour> + Copy>(evaluator: E) -> usize {
    let parts = Uct::default().with_evaluator(evaluator);
    let opens_in_the_middle = |seed: &u64| {
        let mut search = parts.search(ConnectFour, *seed);
        let report = search.run(&Position::default(), &Budget::playouts(100));
        report.expect("the board is empty").best == 3
    };
    (0..100).filter(opens_in_the_middle).count()
}

fn main() {
    let uniform = middle_openings(Rollout::default());
    let attentive = middle_openings(Rollout::with_policy(TakeWins));
    println!(
        "of 100 searches, {uniform} with uniform rollouts and {attentive} with attentive ones open in the middle"
    );
    assert!(attentive > uniform);
}
