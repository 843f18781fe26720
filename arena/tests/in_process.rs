//! Bots in the arena's own process are judged as programs are, apart from clocks.

mod support;

use arena::process::LONGEST_LINE;
use arena::record::GameRecord;
use arena::referee::{Occasion, play_in_process};
use arena::verdict::Offence;
use bots::{Answer, Seat};
use mcts_core::Clock;
use support::{Counting, on_turn, play, shell};

/// Answers `OK`, and then always the same.
struct Always(Option<String>);

impl Seat for Always {
    fn receive(&mut self, line: &str, _: &dyn Clock) -> Answer {
        match line.split(' ').next() {
            Some("READY") => Answer::Line("OK".to_owned()),
            Some("TURN") => self.0.clone().map_or(Answer::Nothing, Answer::Line),
            _ => Answer::Nothing,
        }
    }
}

/// A game against a bot that adds one.
fn play_against_one(answer: Option<&str>) -> GameRecord {
    let bot =
        |answer: Option<&str>| -> Box<dyn Seat> { Box::new(Always(answer.map(str::to_owned))) };
    let players = ["tested", "honest"].map(|name| shell(name, ""));
    let occasion = Occasion { game: "counting", seed: 0 };
    let mut bots = [bot(answer), bot(Some("ADD 1"))];
    play_in_process(&mut Counting::new(5_000, 5_000), &mut bots, &players, occasion)
}

fn offence_of(answer: Option<&str>) -> Offence {
    let verdict = play_against_one(answer).verdict.expect("it is at fault");
    assert_eq!(verdict.seat, 0, "{verdict}");
    verdict.offence
}

#[test]
fn silence_is_no_answer_and_no_matter_of_time() {
    assert_eq!(offence_of(None), Offence::NoAnswer);
    let record = play_against_one(None);
    assert!(!record.contended);
    assert_eq!((record.seats[0].points, record.seats[1].points), (0.0, 1.0));
}

#[test]
fn an_answer_of_two_lines_is_two_answers() {
    assert_eq!(offence_of(Some("ADD 1\nADD 1")), Offence::AnsweredTwice);
}

#[test]
fn blanks_at_the_end_are_taken_off() {
    assert_eq!(play_against_one(Some("ADD 1 \r")).verdict, None);
}

/// The offence of a program that writes an answer of this many bytes, all at once or in pieces, with a line feed or
/// without.
fn offence_of_program(bytes: usize, pieces: usize, end: &str) -> Offence {
    let piece = bytes / pieces;
    let write = format!("printf '%0{piece}d' 0; sleep 0.01;").repeat(pieces - 1);
    let rest = bytes - piece * (pieces - 1);
    let script = on_turn(&format!("{write} printf '%0{rest}d{end}' 0; read -r rest"));
    let record = play(Counting::new(5_000, 5_000), &script, support::HONEST, false);
    record.expect("both start").verdict.expect("it is at fault").offence
}

#[test]
fn a_long_line_is_judged_alike_however_it_arrives() {
    for pieces in [1, 2, 7] {
        let longest = offence_of_program(LONGEST_LINE, pieces, "\\n");
        assert_eq!(longest, Offence::MalformedAnswer, "in {pieces} pieces");
        for end in ["\\n", "", "\\nADD 1\\n"] {
            let longer = offence_of_program(LONGEST_LINE + 1, pieces, end);
            assert_eq!(longer, Offence::LineTooLong, "in {pieces} pieces, then {end:?}");
        }
    }
    let zeros = |count| "0".repeat(count);
    assert_eq!(offence_of(Some(&zeros(LONGEST_LINE))), Offence::MalformedAnswer);
    assert_eq!(offence_of(Some(&zeros(LONGEST_LINE + 1))), Offence::LineTooLong);
}
