//! Answers of bots to each game's judge. The first byte selects the game; of each later line, `+` and a number is a legal
//! answer, so that games get beyond their start, and everything else is the answer itself.
#![no_main]

use libfuzzer_sys::fuzz_target;

use games::Status;

fuzz_target!(|input: &[u8]| {
    let Some((first, rest)) = input.split_first() else { return };
    let game = &games::GAMES[usize::from(*first) % games::GAMES.len()];
    let mut judge = (game.judge)(u64::from(*first), &[]).expect("a game without options starts");
    for line in String::from_utf8_lossy(rest).lines().take(400) {
        if !matches!(judge.status(), Status::ToMove(_)) {
            break;
        }
        let legal = judge.legal_answers();
        let number = line.strip_prefix('+').and_then(|number| number.parse::<usize>().ok());
        let answer = match number {
            Some(number) if !legal.is_empty() => legal[number % legal.len()].clone(),
            _ => line.to_owned(),
        };
        let before = judge.position();
        match judge.answer(&answer) {
            Ok(()) => {}
            Err(fault) => {
                assert!(!fault.to_string().is_empty());
                assert!(
                    !legal.contains(&answer),
                    "a legal answer was refused: {answer:?}: {fault}"
                );
                assert_eq!(judge.position(), before, "a refused answer changed the position");
            }
        }
    }
    let _ = (judge.picture(), judge.last_action(), judge.score(), judge.farewell());
});
