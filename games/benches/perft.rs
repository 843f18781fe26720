//! Measures perft: sequences of actions a second, one thread.
//!
//! `cargo bench -p games --bench perft`

use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

#[divan::bench(args = [("reversi", 8), ("icebreaking", 4), ("connect-four", 8), ("tic-tac-toe", 9)], sample_count = 20)]
fn perft(bencher: Bencher<'_, '_>, (game, depth): (&str, u32)) {
    let count = games::find(game).expect("a listed game").perft;
    let sequences = count(None, depth).expect("the start is a position");
    bencher.counter(ItemsCount::new(sequences)).bench(|| count(None, depth));
}
