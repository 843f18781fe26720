//! Transcripts of both sides of the protocol.

use std::time::Duration;

use games::promotion_chess::protocol::{PromotionChessClient, PromotionChessJudge};
use games::promotion_chess::{Position, PromotionChess, Side};
use games::{Client, Clocks, Fault, Judging, Outcome, Received, Status, TimeTold};
use proptest::prelude::*;

fn judge(position: &str) -> PromotionChessJudge {
    PromotionChessJudge::new(PromotionChess::default(), position.parse().unwrap())
}

fn clocks(white: u64, black: u64) -> Clocks {
    Clocks { wall_left: vec![Duration::from_millis(white), Duration::from_millis(black)] }
}

fn player() -> PromotionChessClient {
    PromotionChessClient::new(PromotionChess::default())
}

#[test]
fn a_game_from_ready_to_finish_as_the_judge_writes_it() {
    let mut judge = judge("2k2/5/5/5/2K2 w - 0");
    assert_eq!(judge.opening(0), ["READY FIRST"]);
    assert_eq!(judge.opening(1), ["READY SECOND"]);
    assert_eq!(judge.status(), Status::ToMove(0));
    assert_eq!((judge.notice(0, Duration::ZERO), judge.last_action()), (Vec::new(), None));
    assert_eq!(judge.request(&clocks(9_998, 9_000)), ["TURN 9998"]);
    judge.answer("PLACE a1").unwrap();
    assert_eq!(judge.last_action().as_deref(), Some("PLACE a1"));
    assert!(judge.notice(0, Duration::ZERO).is_empty());
    assert_eq!(judge.notice(1, Duration::ZERO), ["OPP PLACE a1"]);
    assert_eq!(judge.status(), Status::ToMove(1));
    assert_eq!(judge.request(&clocks(9_998, 9_000)), ["TURN 9000"]);
    judge.answer("MOVE c5 c4").unwrap();
    judge.answer("PROMOTE a1 PAWN").unwrap();
    assert_eq!(judge.notice(1, Duration::ZERO), ["OPP PROMOTE a1 PAWN"]);
    assert_eq!(judge.position(), "5/2k2/5/5/P1K2 b - 3");
    assert_eq!(judge.farewell().as_deref(), Some("FINISH"));
}

#[test]
fn the_mating_action_is_not_told_and_the_mover_wins() {
    let mut judge = judge("2r2/5/5/2k1K/5 b - 145");
    judge.answer("MOVE c5 e5").unwrap();
    let outcome = Outcome { points: vec![0.0, 1.0], description: "checkmate".into() };
    assert_eq!(judge.status(), Status::Over(outcome));
    assert!(judge.notice(0, Duration::ZERO).is_empty());
    assert!(judge.notice(1, Duration::ZERO).is_empty());
    assert!(matches!(judge.answer("MOVE e2 d2"), Err(Fault::Illegal(_))));
}

#[test]
fn stalemate_and_the_last_ply_are_draws() {
    for (position, action, description) in [
        ("5/4k/1p3/1p1P1/bKnqn b - 77", "MOVE e4 d3", "stalemate"),
        ("2rr1/k4/1p3/1K3/5 b - 199", "MOVE a4 a5", "200 plies"),
    ] {
        let mut judge = judge(position);
        judge.answer(action).unwrap();
        let outcome = Outcome { points: vec![0.5, 0.5], description: description.into() };
        assert_eq!(judge.status(), Status::Over(outcome));
    }
}

#[test]
fn a_pawn_names_its_promotion_with_the_move() {
    let mut judge = judge("5/2KP1/4k/2Q2/5 w - 74");
    assert!(matches!(judge.answer("MOVE d4 d5"), Err(Fault::Illegal(_))));
    judge.answer("MOVE d4 d5 KNIGHT").unwrap();
    assert!(matches!(judge.status(), Status::Over(_)));
}

#[test]
fn a_faulty_answer_changes_nothing() {
    let long = format!("PLACE a1{}", " ".repeat(56));
    let cases = [
        ("", true),
        ("OK", true),
        ("PLACE", true),
        ("PLACE a1 ", true),
        (long.as_str(), true),
        ("PLACE a2", false),
        ("PLACE c1", false),
        ("PROMOTE a1 PAWN", false),
        ("MOVE c1 c3", false),
        ("MOVE c5 c4", false),
    ];
    for (line, malformed) in cases {
        let mut judge = judge("2k2/5/5/5/2K2 w - 0");
        let fault = judge.answer(line).unwrap_err();
        assert_eq!(matches!(fault, Fault::Malformed(_)), malformed, "{line:?}: {fault}");
        assert_eq!(judge.position(), "2k2/5/5/5/2K2 w - 0");
        assert_eq!((judge.status(), judge.last_action()), (Status::ToMove(0), None));
    }
}

#[test]
fn sixty_four_bytes_with_the_line_feed_are_allowed_and_no_more() {
    let message = |length: usize| {
        judge("2k2/5/5/5/2K2 w - 0").answer(&"x".repeat(length)).unwrap_err().to_string()
    };
    assert!(message(63).contains("character 1"), "{}", message(63));
    assert!(message(64).contains("64 bytes"), "{}", message(64));
}

#[test]
fn the_picture_shows_levels_of_citizens() {
    let picture = judge("c1k2/5/5/5/2K1C w 37 4").picture();
    assert_eq!(
        picture,
        "5  c3 .  k  .  . \n4  .  .  .  .  . \n3  .  .  .  .  . \n2  .  .  .  .  . \n\
         1  .  .  K  .  C7\n   a  b  c  d  e\n"
    );
}

#[test]
fn a_bot_follows_a_game_from_ready_to_finish() {
    let mut player = player();
    assert_eq!(player.receive("READY SECOND\r\n"), Received::Reply("OK".into()));
    assert_eq!(player.side(), Some(Side::Black));
    assert_eq!(player.receive("OPP PLACE a1\n"), Received::Noted);
    let told = TimeTold { own: Some(Duration::from_millis(9_321)), opponent: None };
    assert_eq!(player.receive("TURN 9321 \n"), Received::Act(told));
    assert_eq!(player.position().to_string(), "2k2/5/5/5/C1K2 b 0 1");
    assert_eq!(player.act("PLACE e5".parse().unwrap()), "PLACE e5");
    assert_eq!(player.receive("OPP PROMOTE a1 PAWN"), Received::Noted);
    assert_eq!(player.position().to_string(), "2k1c/5/5/5/P1K2 b 1 3");
    assert_eq!(player.receive("FINISH"), Received::Finish);
}

#[test]
fn ready_without_a_role_is_understood_from_what_follows() {
    let mut first = player();
    assert_eq!(first.receive("READY"), Received::Reply("OK".into()));
    assert!(matches!(first.receive("TURN"), Received::Act(TimeTold { own: None, .. })));
    assert_eq!(first.side(), Some(Side::White));
    let mut second = player();
    second.receive("READY");
    assert_eq!(second.receive("OPP MOVE c1 c2"), Received::Noted);
    assert_eq!(second.side(), Some(Side::Black));
}

#[test]
fn ready_begins_a_new_game() {
    let mut player = player();
    player.receive("READY FIRST");
    player.act("PLACE a1".parse().unwrap());
    player.receive("READY SECOND");
    assert_eq!((player.position(), player.side()), (&Position::start(), Some(Side::Black)));
}

/// Lets the opponent, White, act after the lines `before`.
fn after(before: &[&str], line: &str) -> (Received, String) {
    let mut player = player();
    player.receive("READY SECOND");
    for (ply, action) in before.iter().enumerate() {
        if ply % 2 == 0 {
            assert_eq!(player.receive(&format!("OPP {action}")), Received::Noted, "{action}");
        } else {
            player.act(action.parse().unwrap());
        }
    }
    (player.receive(line), player.position().to_string())
}

#[test]
fn incoming_actions_that_these_rules_call_illegal_are_applied_if_they_can_be_read() {
    let pawn = ["PLACE a1", "MOVE c5 c4", "PROMOTE a1 PAWN", "MOVE c4 c5"];
    let double = after(&pawn, "OPP MOVE a1 a3");
    assert_eq!(double, (Received::Noted, "2k2/5/P4/5/2K2 b - 5".into()));
    let early = after(&pawn[..2], "OPP PROMOTE a1 QUEEN");
    assert_eq!(early, (Received::Noted, "5/2k2/5/5/Q1K2 b - 3".into()));
}

#[test]
fn incoming_actions_are_read_by_their_squares_if_the_keyword_is_unknown() {
    let pawn = ["PLACE a1", "MOVE c5 c4", "PROMOTE a1 PAWN", "MOVE c4 c5"];
    for (before, line, expected) in [
        (&pawn[..0], "OPP DROP e1 9000", "2k2/5/5/5/2K1C b - 1"),
        (&pawn[..0], "OPP e1", "2k2/5/5/5/2K1C b - 1"),
        (&pawn[..0], "OPP c1 c2", "2k2/5/5/2K2/5 b - 1"),
        (&pawn[..0], "OPP MOVE c1 c2 QUEEN extra", "2k2/5/5/2K2/5 b - 1"),
        (&pawn[..2], "OPP UPGRADE a1 PAWN", "5/2k2/5/5/P1K2 b - 3"),
        (&pawn[..2], "OPP PROMOTE PAWN a1", "5/2k2/5/5/P1K2 b - 3"),
    ] {
        // A new citizen of White is level 0 in Black's turn.
        let expected =
            if expected.contains('C') { expected.replace('-', "0") } else { expected.into() };
        assert_eq!(after(before, line), (Received::Noted, expected), "{line}");
    }
}

#[test]
fn lines_that_make_no_sense_are_skipped_and_change_nothing() {
    assert_eq!(after(&[], " \r\n").0, Received::Noted);
    for line in [
        "HELLO",
        "ready FIRST",
        "OPP",
        "OPP PLACE",
        "OPP PLACE c1",
        "OPP PLACE a3",
        "OPP PROMOTE c1 QUEEN",
        "OPP MOVE c1 c5",
        "OPP MOVE c1 c1",
        "OPP MOVE c5 c4",
        "OPP MOVE a1 a2",
    ] {
        let (received, position) = after(&[], line);
        assert!(matches!(received, Received::Skipped(_)), "{line:?}: {received:?}");
        assert_eq!(position, "2k2/5/5/5/2K2 w - 0", "{line:?}");
    }
}

#[test]
fn an_opponents_action_in_the_own_turn_is_skipped() {
    let mut player = player();
    player.receive("READY FIRST");
    assert!(matches!(player.receive("OPP MOVE c1 c2"), Received::Skipped(_)));
}

#[test]
fn a_turn_after_a_lost_action_still_belongs_to_the_own_side() {
    let mut player = player();
    player.receive("READY SECOND");
    assert!(matches!(player.receive("OPP nonsense"), Received::Skipped(_)));
    assert!(matches!(player.receive("TURN 100"), Received::Act(_)));
    assert_eq!(player.position().to_string(), "2k2/5/5/5/2K2 b - 1");
}

proptest! {
    #[test]
    fn no_line_makes_the_bot_or_the_judge_panic(
        lines in proptest::collection::vec(
            prop_oneof![
                any::<String>(),
                "(OPP|TURN|READY) (MOVE|PLACE|PROMOTE)? ?[a-e][1-5] ?[a-e]?[1-5]? ?(QUEEN|PAWN)?",
            ],
            0..30,
        ),
    ) {
        let mut player = player();
        let mut judge = judge("2k2/5/5/5/2K2 w - 0");
        for line in &lines {
            player.receive(line);
            let written = player.position().to_string();
            prop_assert_eq!(player.position().occupied().count_ones() >= 2, true, "{}", written);
            let before = judge.position();
            if judge.answer(line.strip_prefix("OPP ").unwrap_or(line)).is_err() {
                prop_assert_eq!(judge.position(), before);
            }
        }
    }
}
