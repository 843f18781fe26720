use core::time::Duration;

use games::icebreaking::protocol::{IcebreakingClient, IcebreakingJudge};
use games::icebreaking::{Board, Cell, Diagram, Icebreaking};
use games::{Client, Clocks, Fault, Judging, Received, Status, TimeTold};
use proptest::prelude::*;

fn clocks() -> Clocks {
    Clocks { wall_left: vec![Duration::from_millis(4_321), Duration::from_millis(1_234)] }
}

fn ok() -> Received {
    Received::Reply("OK".to_string())
}

fn new_client() -> IcebreakingClient {
    IcebreakingClient::new(Icebreaking::new(Board::new(&[None; 81])))
}

fn act(own: u64, opponent: u64) -> Received {
    Received::Act(TimeTold {
        own: Some(Duration::from_millis(own)),
        opponent: Some(Duration::from_millis(opponent)),
    })
}

const ROWS: [&str; 9] = [
    "0 1 2 -1 -2 # 0 1 2",
    "# # # # # # # 0 0",
    "1 1 1 1 1 1 1 1 1",
    "2 2 2 2 2 2 2 2 2",
    "-1 -1 -1 -1 -1 -1 -1 -1 -1",
    "-2 -2 -2 -2 -2 -2 -2 -2 -2",
    "0 0 0 0 0 0 0 0 0",
    "0 0 0 0 0 0 0 0 0",
    "0 0 0 0 0 0 0 0 #",
];

const CELLS: &str =
    "012-=#012#######00111111111222222222---------=========00000000000000000000000000#";

fn client_with_board() -> IcebreakingClient {
    let mut client = new_client();
    for row in ROWS {
        assert_eq!(client.receive(row), Received::Noted);
    }
    client
}

fn diagram(client: &IcebreakingClient) -> String {
    Diagram { board: client.game().board, position: *client.position() }.to_string()
}

#[test]
fn judge_and_clients_play_a_whole_game_over_lines() {
    let mut judge = IcebreakingJudge::new(Diagram::start(Icebreaking::from_seed(3).board));
    let mut clients = [new_client(), new_client()];
    for (seat, client) in clients.iter_mut().enumerate() {
        let opening = judge.opening(seat);
        assert_eq!(opening.len(), 10);
        let (ready, rows) = opening.split_last().unwrap();
        assert_eq!(ready, "READY");
        assert!(rows.iter().all(|row| client.receive(row) == Received::Noted));
        assert_eq!(client.receive(ready), ok());
    }
    while let Status::ToMove(seat) = judge.status() {
        let request = judge.request(&clocks());
        assert_eq!(request, [["TURN 4321 1234", "TURN 1234 4321"][seat]]);
        let [own, opponent] = [[4_321, 1_234], [1_234, 4_321]][seat];
        assert_eq!(clients[seat].receive(&request[0]), act(own, opponent));
        assert_eq!(diagram(&clients[seat]), judge.position());
        let cell = clients[seat].position().cells().last().unwrap();
        let line = clients[seat].act(cell);
        judge.answer(&line).unwrap();
        assert_eq!(judge.last_action(), Some(line));
        let used = Duration::from_millis(17);
        assert!(judge.notice(seat, used).is_empty());
        let [notice] = &judge.notice(1 - seat, used)[..] else { panic!("one line") };
        assert_eq!(*notice, format!("OPP {} {} 17", cell.row(), cell.column()));
        assert_eq!(clients[1 - seat].receive(notice), Received::Noted);
        assert_eq!(diagram(&clients[1 - seat]), judge.position());
    }
    let farewell = judge.farewell().unwrap();
    assert_eq!(farewell, "FINISH");
    assert_eq!(clients[0].receive(&farewell), Received::Finish);
    let position: Diagram = judge.position().parse().unwrap();
    let [a, b] = [games::icebreaking::Side::A, games::icebreaking::Side::B]
        .map(|side| position.position.total(side));
    let Status::Over(outcome) = judge.status() else { unreachable!() };
    assert_eq!(outcome.description, format!("{a} to {b}"));
    assert!(a != b);
    assert_eq!(outcome.points, if a > b { [1.0, 0.0] } else { [0.0, 1.0] });
}

#[test]
fn a_client_reads_the_board_before_and_after_ready_and_after_the_first_turn() {
    let start = format!("{CELLS} a 0 0");
    for ready_at in 0..=9 {
        let mut client = new_client();
        for (at, row) in ROWS.iter().enumerate() {
            if at == ready_at {
                assert_eq!(client.receive("READY SECOND\r\n"), ok());
            }
            assert_eq!(client.receive(&format!(" {row}  extra\r\n")), Received::Noted);
        }
        assert_eq!(client.receive("TURN 5000 4990"), act(5_000, 4_990));
        assert_eq!(diagram(&client), start);
    }
    let mut late = new_client();
    assert_eq!(late.receive("READY"), ok());
    assert_eq!(late.receive("TURN 5000 4990"), Received::Noted);
    for row in &ROWS[..8] {
        assert_eq!(late.receive(row), Received::Noted);
    }
    assert_eq!(late.receive(ROWS[8]), act(5_000, 4_990));
    assert_eq!(diagram(&late), start);
}

#[test]
fn a_client_reads_turns_with_any_times_or_none() {
    let told = |line: &str| match client_with_board().receive(line) {
        Received::Act(time) => {
            (time.own.map(|t| t.as_millis()), time.opponent.map(|t| t.as_millis()))
        }
        other => panic!("{line:?}: {other:?}"),
    };
    assert_eq!(told("TURN 1 2"), (Some(1), Some(2)));
    assert_eq!(told("TURN 1 2 3 x\r"), (Some(1), Some(2)));
    assert_eq!(told("TURN 1"), (Some(1), None));
    assert_eq!(told("TURN"), (None, None));
    assert_eq!(told("TURN x -5"), (None, None));
    assert_eq!(told("TURN 99999999999999999999999 7"), (None, Some(7)));
}

#[test]
fn a_client_applies_the_opponents_actions_and_skips_impossible_ones() {
    let mut client = client_with_board();
    for line in [
        "OPP",
        "OPP 0",
        "OPP x y",
        "OPP 0 5 10",
        "OPP 9 0 1",
        "OPP -1 0 1",
        "opp 0 0 1",
        "OPP 3000000000 0",
    ] {
        assert!(matches!(client.receive(line), Received::Skipped(_)), "{line:?}");
    }
    assert_eq!(diagram(&client), format!("{CELLS} a 0 0"));
    for (line, end) in
        [("OPP 0 1 12", " b 1 0"), ("OPP 3 0", " a 1 2"), ("OPP MOVE 3 1 5 extra\r\n", " b 3 2")]
    {
        assert_eq!(client.receive(line), Received::Noted, "{line:?}");
        assert!(diagram(&client).ends_with(end), "{line:?}");
    }
    assert!(matches!(client.receive("OPP 0 1 12"), Received::Skipped(_)));
}

#[test]
fn a_client_skips_what_is_no_line_of_the_protocol() {
    let mut client = client_with_board();
    let before = diagram(&client);
    for line in ["ready", "HELLO", "0 0 0 0 0 0 0 0", "0 0 0 0 3 0 0 0 0", ROWS[0], "é", "MOVE 0 0"]
    {
        assert!(matches!(client.receive(line), Received::Skipped(_)), "{line:?}");
    }
    for line in ["", " \r\n"] {
        assert_eq!(client.receive(line), Received::Noted);
    }
    assert_eq!(diagram(&client), before);
}

#[test]
fn a_judge_tells_malformed_answers_from_illegal_ones_and_changes_nothing() {
    let start = format!("{CELLS} a 0 0");
    let mut judge = IcebreakingJudge::new(start.parse().unwrap());
    let malformed = [
        "",
        "PASS",
        "OK",
        "MOVE",
        "MOVE 3",
        "MOVE 3 4 ",
        " MOVE 3 4",
        "MOVE  3 4",
        "move 3 4",
        "MOVE 03 4",
        "MOVE +3 4",
        "MOVE 3,4",
        "MOVE 3 4 5",
        "MOVE 3 4\r",
        "MOVE ３ 4",
        "MOVE 3 4\n",
        "MOVE a 4",
    ];
    for line in malformed {
        assert!(matches!(judge.answer(line), Err(Fault::Malformed(_))), "{line:?}");
    }
    for line in ["MOVE 0 5", "MOVE 9 0", "MOVE 0 9", "MOVE -1 0", "MOVE 0 99999999999999999999"] {
        assert!(matches!(judge.answer(line), Err(Fault::Illegal(_))), "{line:?}");
    }
    assert_eq!(judge.position(), start);
    assert!(judge.notice(0, Duration::ZERO).is_empty());
    judge.answer("MOVE 0 1").unwrap();
    assert!(matches!(judge.answer("MOVE 0 1"), Err(Fault::Illegal(_))));
    assert_eq!(judge.status(), Status::ToMove(1));
}

#[test]
fn a_judge_of_a_later_position_shows_taken_cells_as_holes() {
    let text = format!("ab#{} b 7 -3", "2".repeat(78));
    let judge = IcebreakingJudge::new(text.parse().unwrap());
    assert_eq!(judge.opening(0)[0], "# # # 2 2 2 2 2 2");
    assert_eq!(judge.status(), Status::ToMove(1));
    assert_eq!(judge.position(), text);
}

#[test]
fn the_picture_shows_scores_owners_and_totals() {
    let text = format!("ab#=-012{} b 7 -3", "2".repeat(73));
    let picture = IcebreakingJudge::new(text.parse().unwrap()).picture();
    let rows: Vec<&str> = picture.lines().collect();
    assert_eq!(rows[0], "   0  1  2  3  4  5  6  7  8");
    assert_eq!(rows[1], "0  a  b  # -2 -1  0  1  2  2");
    assert_eq!(rows[10], "a 7, b -3");
}

proptest! {
    #[test]
    fn no_line_makes_a_client_panic(
        lines in prop::collection::vec(".{0,40}|(TURN|READY|OPP|MOVE)?( -?[0-9#]{1,2}){0,10}", 0..12),
    ) {
        let mut client = new_client();
        for line in &lines {
            client.receive(line);
        }
        prop_assert_eq!(client.receive("READY"), ok());
        let mut client = client_with_board();
        for line in &lines {
            if let Received::Act(_) = client.receive(line) {
                let cell = client.position().cells().next().unwrap();
                client.act(cell);
            }
        }
        prop_assert_eq!(client.receive("FINISH"), Received::Finish);
    }

    #[test]
    fn a_faulty_answer_changes_nothing(line in ".{0,20}|MOVE [0-9]{1,2} [0-9]{1,2}") {
        let start = format!("{CELLS} a 0 0");
        let mut judge = IcebreakingJudge::new(start.parse().unwrap());
        match judge.answer(&line) {
            Ok(()) => prop_assert_eq!(judge.last_action(), Some(line)),
            Err(_) => prop_assert_eq!(judge.position(), start),
        }
    }

    #[test]
    fn every_answer_that_a_client_writes_is_one_that_the_judge_reads(n in 0usize..81) {
        let cell = Cell::new(n as u8);
        prop_assert_eq!(games::icebreaking::protocol::read_answer(&cell.to_string()), Ok(cell));
    }
}
