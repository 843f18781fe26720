//! Positions in text form, for each game: what is accepted is written again as a position that reads the same. The first
//! byte selects the game.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((first, rest)) = input.split_first() else { return };
    let game = &games::GAMES[usize::from(*first) % games::GAMES.len()];
    let Ok(text) = std::str::from_utf8(rest) else { return };
    match (game.judge_from)(text, &[]) {
        Ok(judge) => {
            let written = judge.position();
            let again = (game.judge_from)(&written, &[]).expect("a written position is read");
            assert_eq!(again.position(), written);
            assert_eq!(again.status(), judge.status());
            assert_eq!(again.legal_answers(), judge.legal_answers());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
