use core::time::Duration;

use games::numbered::{NumberedClient, NumberedJudge};
use games::tic_tac_toe::{Position, TicTacToe};
use games::{Client, Clocks, Fault, Judging, Outcome, Received, Status, TimeTold};
use proptest::prelude::*;

fn clocks() -> Clocks {
    Clocks { wall_left: vec![Duration::from_millis(900), Duration::from_millis(800)] }
}

fn judge(text: &str) -> NumberedJudge<TicTacToe> {
    NumberedJudge::new(TicTacToe, text.parse().expect("a position"))
}

fn ok() -> Received {
    Received::Reply("OK".to_string())
}

#[test]
fn judge_and_clients_play_a_whole_game_over_lines() {
    let mut judge = judge("X.O/.../...");
    let mut clients = [NumberedClient::new(TicTacToe), NumberedClient::new(TicTacToe)];
    for (seat, client) in clients.iter_mut().enumerate() {
        assert_eq!(judge.opening(seat), ["BOARD X.O/.../...", "READY"]);
        assert_eq!(client.receive("BOARD X.O/.../..."), Received::Noted);
        assert_eq!(client.receive("READY"), ok());
    }
    for (seat, cell) in [(0, 3), (1, 4), (0, 6)] {
        assert_eq!(judge.status(), Status::ToMove(seat));
        let request = judge.request(&clocks());
        assert_eq!(request, [["TURN 900 800", "TURN 800 900"][seat]]);
        assert!(matches!(clients[seat].receive(&request[0]), Received::Act(_)));
        let line = clients[seat].act(cell);
        assert_eq!(line, format!("MOVE {}", cell + 1));
        judge.answer(&line).unwrap();
        assert_eq!(judge.last_action(), Some(line));
        assert!(judge.notice(seat, Duration::ZERO).is_empty());
        let [notice] = &judge.notice(1 - seat, Duration::from_millis(5))[..] else {
            panic!("one line")
        };
        assert_eq!(*notice, format!("OPP {} 5", cell + 1));
        assert_eq!(clients[1 - seat].receive(notice), Received::Noted);
        assert_eq!(clients[0].position().to_string(), judge.position());
        assert_eq!(clients[1].position().to_string(), judge.position());
    }
    let description = "the first player wins".to_string();
    assert_eq!(judge.status(), Status::Over(Outcome { points: vec![1.0, 0.0], description }));
    assert_eq!(judge.farewell(), Some("FINISH".to_string()));
    assert_eq!(judge.picture(), "X.O\nXO.\nX..\n");
    assert_eq!(clients[0].receive("FINISH"), Received::Finish);
}

#[test]
fn draws_and_wins_of_the_second_player_are_told_apart() {
    let points = |text: &str| match judge(text).status() {
        Status::Over(outcome) => outcome.points,
        Status::ToMove(seat) => panic!("seat {seat} is to move"),
    };
    assert_eq!(points("XOX/XOO/OXX"), [0.5, 0.5]);
    assert_eq!(points("XOX/XO./.OX"), [0.0, 1.0]);
}

#[test]
fn a_client_reads_what_is_unambiguous_and_skips_the_rest() {
    let mut client = NumberedClient::new(TicTacToe);
    assert_eq!(client.receive("READY FIRST\r\n"), ok());
    assert_eq!(client.receive(" OPP 5 10 extra\r\n"), Received::Noted);
    assert_eq!(client.position().to_string(), ".../.X./...");
    let own = Some(Duration::from_millis(100));
    assert_eq!(client.receive("TURN 100"), Received::Act(TimeTold { own, opponent: None }));
    assert_eq!(client.receive("TURN\r"), Received::Act(TimeTold::default()));
    for line in
        ["OPP 5 10", "OPP 0", "OPP 10", "OPP", "OPP x", "BOARD", "BOARD XX", "turn 1 2", "é"]
    {
        assert!(matches!(client.receive(line), Received::Skipped(_)), "{line:?}");
    }
    assert_eq!(client.receive("\r\n"), Received::Noted);
    assert_eq!(client.position().to_string(), ".../.X./...");
    client.receive("BOARD XXX/OO./...");
    for line in ["TURN 1 1", "OPP 9 1"] {
        assert!(matches!(client.receive(line), Received::Skipped(_)), "{line:?}");
    }
}

#[test]
fn a_judge_tells_malformed_answers_from_illegal_ones_and_changes_nothing() {
    let mut judge = judge("X../.../...");
    for line in [
        "",
        "MOVE",
        "MOVE x",
        "MOVE 2 ",
        "MOVE 2 3",
        "MOVE 02",
        "move 2",
        "PASS",
        "MOVE\u{a0}2",
        "2",
    ] {
        assert!(matches!(judge.answer(line), Err(Fault::Malformed(_))), "{line:?}");
    }
    for line in ["MOVE 1", "MOVE 0", "MOVE 10", "MOVE -1", "MOVE 99999999999999999999"] {
        assert!(matches!(judge.answer(line), Err(Fault::Illegal(_))), "{line:?}");
    }
    assert_eq!(judge.position(), "X../.../...");
    assert!(judge.notice(0, Duration::ZERO).is_empty());
}

proptest! {
    #[test]
    fn no_line_makes_a_client_panic(
        lines in prop::collection::vec(".{0,20}|(TURN|READY|OPP|BOARD)( [0-9.XO/]{1,11}){0,3}", 0..10),
    ) {
        let mut client = NumberedClient::new(TicTacToe);
        for line in &lines {
            if let Received::Act(_) = client.receive(line) {
                let free = client.position().free().next().unwrap();
                client.act(free);
            }
        }
        prop_assert_eq!(client.receive("READY"), ok());
    }

    #[test]
    fn a_faulty_answer_changes_nothing(line in ".{0,20}|MOVE [0-9]{1,2}") {
        let mut judge = NumberedJudge::new(TicTacToe, Position::default());
        match judge.answer(&line) {
            Ok(()) => prop_assert_eq!(judge.last_action(), Some(line)),
            Err(_) => prop_assert_eq!(judge.position(), ".../.../..."),
        }
    }
}
