//! Lines of a judge to a bot that plays at random, for each game: no input makes it panic. The first byte
//! selects the game.
#![no_main]

use libfuzzer_sys::fuzz_target;

use bots::seat::Answer;
use mcts_core::SystemClock;

fuzz_target!(|input: &[u8]| {
    let Some((first, rest)) = input.split_first() else { return };
    let game = &games::GAMES[usize::from(*first) % games::GAMES.len()];
    let mut bot = arena::catalogue::Catalogue::BUILT_IN
        .bot(game.name, "random:seed=1")
        .expect("each game has a bot that plays at random");
    for line in String::from_utf8_lossy(rest).lines().take(400) {
        match bot.receive(line, &SystemClock) {
            Answer::Nothing => {}
            Answer::Line(answer) => assert!(!answer.contains('\n'), "{answer:?}"),
            Answer::Leave => break,
        }
    }
});
