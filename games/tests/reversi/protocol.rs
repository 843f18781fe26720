use core::time::Duration;

use games::reversi::protocol::{ReversiClient, ReversiJudge};
use games::reversi::{Position, Side};
use games::{Client, Clocks, Fault, Judging, Received, Status, TimeTold};
use proptest::prelude::*;

const START: &str = "...........................WB......BW...........................";

fn clocks() -> Clocks {
    Clocks { wall_left: vec![Duration::from_secs(5); 2] }
}

fn act() -> Received {
    Received::Act(TimeTold::default())
}

fn ok() -> Received {
    Received::Reply("OK".to_string())
}

#[test]
fn judge_and_client_play_a_whole_game_over_lines() {
    let mut judge = ReversiJudge::new(Position::start());
    let mut clients = [ReversiClient::default(), ReversiClient::default()];
    for (seat, client) in clients.iter_mut().enumerate() {
        assert_eq!(judge.opening(seat), ["READY"]);
        assert_eq!(client.receive("READY"), ok());
    }
    let mut number = 1;
    while let Status::ToMove(seat) = judge.status() {
        let request = judge.request(&clocks());
        assert_eq!(request.len(), 1);
        assert!(request[0].starts_with(&format!("TURN {number} ")), "{request:?}");
        assert_eq!(clients[seat].receive(&request[0]), act());
        assert_eq!(clients[seat].position().to_string(), judge.position());
        let moves = clients[seat].position().moves();
        let action = match moves {
            0 => games::reversi::Action::PASS,
            _ => games::reversi::Action::on(moves.trailing_zeros()),
        };
        let line = clients[seat].act(action);
        judge.answer(&line).unwrap();
        assert_eq!(judge.last_action(), Some(line));
        assert_eq!(clients[seat].position().to_string(), judge.position());
        assert!(judge.notice(1 - seat, Duration::ZERO).is_empty());
        number += 1;
    }
    assert_eq!(judge.farewell(), None);
    let Status::Over(outcome) = judge.status() else { unreachable!() };
    let position: Position = judge.position().parse().unwrap();
    let [black, white] = [Side::Black, Side::White].map(|side| position.discs(side).count_ones());
    assert_eq!(outcome.description, format!("{black} to {white}"));
    let points = if black > white { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
    assert_ne!(black, white);
    assert_eq!(outcome.points, points);
}

#[test]
fn the_first_turn_of_a_later_position_has_the_parity_of_its_side() {
    let number = |text: &str| {
        let judge = ReversiJudge::new(text.parse().unwrap());
        judge.request(&clocks())[0].split(' ').nth(1).unwrap().to_string()
    };
    assert_eq!(number(&format!("{START} B")), "1");
    assert_eq!(number(&format!("{START} W")), "2");
    assert_eq!(number(&format!("{}BBBWW{} W", ".".repeat(30), ".".repeat(29))), "2");
    assert_eq!(number(&format!("{} B", ".".repeat(64))), "1");
}

#[test]
fn a_client_answers_ready_whatever_follows_it() {
    for line in
        ["READY", "READY FIRST", "READY SECOND\r\n", "READY BLACK", "READY WHITE ", "READY x y"]
    {
        assert_eq!(ReversiClient::default().receive(line), ok(), "{line:?}");
    }
}

#[test]
fn a_client_reads_every_layout_of_a_turn() {
    let white = format!("{START} W");
    let rows: String = (0..8).map(|row| format!("{}\n", &START[8 * row..8 * row + 8])).collect();
    for lines in [
        format!("TURN 2 {START}"),
        format!("TURN {START} 2"),
        format!("TURN 2 {START}\r\n"),
        format!("TURN 2\n{START}"),
        format!("TURN\n2\n{START}"),
        format!("TURN\n{START}\n2"),
        format!("TURN {START}\r\n2\r\n"),
        format!("  TURN\t2   {START}   extra 4000 tokens"),
        format!("TURN 2\n\nSOMETHING ELSE\n{START}"),
        format!("TURN 2\n{rows}"),
        format!("TURN 2 W {START}"),
        format!("TURN 1\nTURN 2 {START}"),
    ] {
        let mut client = ReversiClient::default();
        let lines: Vec<&str> = lines.split_inclusive('\n').collect();
        let (last, before) = lines.split_last().unwrap();
        for line in before {
            let received = client.receive(line);
            assert!(matches!(received, Received::Noted | Received::Skipped(_)), "{line:?}");
        }
        assert_eq!(client.receive(last), act(), "{lines:?}");
        assert_eq!(client.position().to_string(), white, "{lines:?}");
    }
}

#[test]
fn a_client_skips_unknown_lines_with_a_warning_and_ignores_empty_ones() {
    let mut client = ReversiClient::default();
    for line in ["ready", "Turn 1", "HELLO", "MOVE 3 4", START, "17", "é\u{0}", "TURNS 1"] {
        assert!(matches!(client.receive(line), Received::Skipped(_)), "{line:?}");
    }
    for line in ["", "\r\n", "   ", "\t\n"] {
        assert_eq!(client.receive(line), Received::Noted, "{line:?}");
    }
    assert_eq!(client.receive(&format!("TURN 1 {START}")), act());
    assert_eq!(client.receive("FINISH"), Received::Finish);
}

#[test]
fn a_client_asked_on_a_finished_board_passes() {
    let mut client = ReversiClient::default();
    let over = format!("TURN 9 {}", "B".repeat(64));
    assert_eq!(client.receive(&over), Received::Reply("PASS".to_string()));
}

#[test]
fn a_judge_tells_malformed_answers_from_illegal_ones_and_changes_nothing() {
    let mut judge = ReversiJudge::new(Position::start());
    let malformed = [
        "",
        " ",
        "OK",
        "MOVE",
        "MOVE 3",
        "MOVE 3 4 ",
        " MOVE 3 4",
        "MOVE  3 4",
        "MOVE 3  4",
        "MOVE\t3 4",
        "MOVE 3 4 5",
        "move 3 4",
        "Move 3 4",
        "MOVE3 4",
        "MOVE 3,4",
        "MOVE +3 4",
        "MOVE 03 4",
        "MOVE 3.0 4",
        "MOVE -0 4",
        "MOVE 3 x",
        "MOVE ３ 4",
        "MOVE 3 4\r",
        "MOVE 3 4\n",
        "PASS ",
        "pass",
        "PASS 1",
        "PASSMOVE",
        "MOVE 3 4\0",
        "é",
        "MOVE - 4",
        "d3",
        "MOVE d3",
    ];
    for line in malformed {
        assert!(matches!(judge.answer(line), Err(Fault::Malformed(_))), "{line:?}");
    }
    let illegal = [
        "PASS",
        "MOVE 1 1",
        "MOVE 4 4",
        "MOVE 0 4",
        "MOVE 9 4",
        "MOVE 3 9",
        "MOVE -3 4",
        "MOVE 99999999999999999999999 4",
        "MOVE 3 -99999999999999999999999",
    ];
    for line in illegal {
        assert!(matches!(judge.answer(line), Err(Fault::Illegal(_))), "{line:?}");
    }
    assert_eq!(judge.position(), format!("{START} B"));
    assert_eq!(judge.last_action(), None);
    judge.answer("MOVE 3 4").unwrap();
    assert_eq!(judge.status(), Status::ToMove(1));
}

#[test]
fn faults_say_what_and_where() {
    let mut judge = ReversiJudge::new(Position::start());
    let mut fault = |line: &str| judge.answer(line).unwrap_err().to_string();
    assert_eq!(
        fault("MOVE 3 x"),
        "malformed answer: character 8: expected a digit of \"MOVE row column\" or \"PASS\", found 'x'"
    );
    assert_eq!(fault("MOVE 9 1"), "illegal action: (9, 1) is outside the board");
    assert_eq!(fault("MOVE 4 4"), "illegal action: MOVE 4 4: the cell is taken");
}

#[test]
fn the_picture_shows_the_board_with_its_coordinates() {
    let picture = ReversiJudge::new(Position::start()).picture();
    let rows: Vec<&str> = picture.lines().collect();
    assert_eq!(rows[0], "  1 2 3 4 5 6 7 8");
    assert_eq!(rows[4], "4 . . . W B . . .");
    assert_eq!(rows[5], "5 . . . B W . . .");
    assert_eq!(rows.len(), 9);
}

proptest! {
    #[test]
    fn no_line_makes_a_client_panic_or_lose_the_next_turn(lines in prop::collection::vec(".{0,90}|(TURN|READY)? ?[0-9.BW ]{0,70}", 0..8)) {
        let mut client = ReversiClient::default();
        for line in &lines {
            client.receive(line);
        }
        prop_assert_eq!(client.receive(&format!("TURN 1 {START}")), act());
        prop_assert_eq!(client.position(), &Position::start());
    }

    #[test]
    fn a_faulty_answer_changes_nothing(line in ".{0,20}|MOVE [0-9]{1,2} [0-9]{1,2}") {
        let mut judge = ReversiJudge::new(Position::start());
        match judge.answer(&line) {
            Ok(()) => prop_assert_eq!(judge.last_action(), Some(line)),
            Err(_) => prop_assert_eq!(judge.position(), format!("{START} B")),
        }
    }
}
