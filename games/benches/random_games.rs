//! Measures uniformly random games from the start on one thread: the default `rollout`, the game's
//! own, and several games at a time.
//!
//! `cargo bench -p games --bench random_games`

use divan::Bencher;
use divan::counter::ItemsCount;
use games::connect_four::ConnectFour;
use games::icebreaking::Icebreaking;
use games::reversi::Reversi;
use games::tic_tac_toe::TicTacToe;
use mcts_core::testing::Defaults;
use mcts_core::trace::Untraced;
use mcts_core::{Game, Utilities, rng};

const GAMES: usize = 960;

fn main() {
    divan::main();
}

fn one_by_one<G: Game>(bencher: Bencher<'_, '_>, game: G) {
    let mut rng = rng::stream(1, 0);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let mut first = 0.0;
        for _ in 0..GAMES {
            first += game.rollout(game.start(), &mut Untraced, &mut rng).0[0];
        }
        first
    });
}

fn interleaved<G: Game>(bencher: Bencher<'_, '_>, game: G, lanes: usize) {
    let mut rng = rng::stream(1, 0);
    let mut states = vec![game.start(); lanes];
    let mut results = vec![Utilities::ZERO; lanes];
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let mut first = 0.0;
        for _ in 0..GAMES / lanes {
            states.fill(game.start());
            game.rollouts(&mut states, &mut rng, &mut results);
            first += results.iter().map(|utilities| utilities.0[0]).sum::<f32>();
        }
        first
    });
}

macro_rules! random_games {
    ($module:ident, $game:expr) => {
        mod $module {
            use super::*;

            #[divan::bench]
            fn by_defaults(bencher: Bencher<'_, '_>) {
                super::one_by_one(bencher, Defaults(&$game));
            }

            #[divan::bench]
            fn one_by_one(bencher: Bencher<'_, '_>) {
                super::one_by_one(bencher, $game);
            }

            #[divan::bench(args = [4, 8, 16, 32])]
            fn interleaved(bencher: Bencher<'_, '_>, lanes: usize) {
                super::interleaved(bencher, $game, lanes);
            }
        }
    };
}

random_games!(reversi, Reversi::default());
random_games!(icebreaking, Icebreaking::from_seed(1));
random_games!(connect_four, ConnectFour);
random_games!(tic_tac_toe, TicTacToe);
