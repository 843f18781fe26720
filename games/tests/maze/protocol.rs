//! The maze's wire protocol: transcripts, both sides against each other, hostile lines.

use core::time::Duration;

use games::maze::chaser::Policy;
use games::maze::grid::{Direction, MAX_SIZE, MIN_SIZE};
use games::maze::protocol::{MazeClient, MazeJudge, Setting};
use games::maze::rules::Footsteps;
use games::maze::world::Action;
use games::{Client, Clocks, Fault, Judging, Received, Status};
use mcts_core::rng::{self, stream};
use proptest::prelude::*;

use crate::notation::WORLD;

fn setting(size: usize, seed: u64) -> Setting {
    Setting { size, chaser: Policy::Hunter, footsteps: Footsteps::ASSUMED, seed }
}

fn clocks(milliseconds: u64) -> Clocks {
    Clocks { wall_left: vec![Duration::from_millis(milliseconds)] }
}

#[test]
fn the_judge_speaks_the_protocol() {
    let mut judge = MazeJudge::of_world(WORLD.parse().unwrap(), &setting(11, 1));
    assert_eq!(judge.opening(0), ["READY 11 R"]);
    assert_eq!(judge.status(), Status::ToMove(0));
    let first = "TURN 1 4990|...........|.??##?????.|.?.P.#????.|.??#.?????.|.?????????.|.?????????.|\
        .?????????.|.?????????.|.?????????.|.?????????.|...........";
    assert_eq!(judge.request(&clocks(4990)).join("|"), first);
    assert_eq!(judge.last_action(), None);
    judge.answer("L").unwrap();
    assert_eq!(judge.last_action().as_deref(), Some("L"));
    assert_eq!(judge.request(&clocks(4000))[3], ".#P..#????.");
    assert!(judge.notice(0, Duration::ZERO).is_empty());
    assert_eq!(judge.farewell().as_deref(), Some("FINISH"));
    assert!(judge.picture().starts_with("turn 2, score 0, footsteps "));
}

#[test]
fn a_faulty_answer_changes_nothing() {
    let mut judge = MazeJudge::new(&setting(15, 3));
    let before = judge.position();
    for line in ["", "u", "UP", "U R", " U", "U ", "\u{1f36c}", "P", &"U".repeat(100_000)] {
        let fault = judge.answer(line).unwrap_err();
        assert!(matches!(fault, Fault::Malformed(_)), "{line:.20}");
        assert!(fault.to_string().len() < 200);
    }
    assert_eq!(judge.position(), before);
    assert_eq!(judge.last_action(), None);
}

#[test]
fn the_outcome_tells_candies_and_ending() {
    let world = WORLD.replace("P.", "PH").replace("...H...", ".......").parse().unwrap();
    let mut judge = MazeJudge::of_world(world, &setting(11, 1));
    judge.answer("R").unwrap();
    let Status::Over(outcome) = judge.status() else { panic!("she stepped onto the chaser") };
    assert_eq!(outcome.points, [0.0]);
    assert_eq!(outcome.description, "0 candies, caught in turn 1, on stepping onto the chaser");
    assert!(matches!(judge.answer("S"), Err(Fault::Illegal(_))));
}

#[test]
fn a_transcript_is_understood_in_its_plain_form_and_in_any_order() {
    let judge = MazeJudge::of_world(WORLD.parse().unwrap(), &setting(11, 1));
    let lines = judge.request(&clocks(4990));
    let told = judge.observation();
    let rows = &lines[1..];
    let variants: Vec<Vec<String>> = vec![
        lines.clone(),
        vec![format!("TURN 1 {} 4990", rows.join(" "))],
        [&["TURN".to_string()], rows, &["4990".to_string(), "1".to_string()]].concat(),
        [rows, &["TURN 1 4990 extra\r".to_string()]].concat(),
        lines.iter().map(|line| format!("{line} \r\n")).collect(),
    ];
    for variant in variants {
        let mut player = MazeClient::new();
        assert_eq!(player.receive("READY 11 R\r\n"), Received::Reply("OK".into()));
        let (last, before) = variant.split_last().unwrap();
        for line in before {
            assert_eq!(player.receive(line), Received::Noted, "{line:?}");
        }
        let Received::Act(time) = player.receive(last) else {
            panic!("{last:?} completes the turn")
        };
        assert_eq!(time.own, Some(Duration::from_millis(4990)));
        assert_eq!(player.position().now(), &told);
        assert_eq!(player.position().facing(), Direction::Right);
    }
}

#[test]
fn ready_may_lack_anything_and_unknown_lines_are_skipped() {
    let judge = MazeJudge::of_world(WORLD.parse().unwrap(), &setting(11, 1));
    for ready in ["READY", "READY R 11 FIRST", "READY 99", "READY SECOND"] {
        let mut player = MazeClient::new();
        assert!(matches!(player.receive("HELLO 11"), Received::Noted | Received::Skipped(_)));
        assert_eq!(player.receive(ready), Received::Reply("OK".into()));
        assert!(matches!(player.receive("SCORE x"), Received::Skipped(_)));
        let answers: Vec<_> =
            judge.request(&clocks(10)).iter().map(|line| player.receive(line)).collect();
        assert!(matches!(answers.last(), Some(Received::Act(_))), "{ready}");
        assert_eq!(player.receive("FINISH"), Received::Finish);
    }
}

#[test]
fn a_turn_without_the_time_is_answered() {
    let judge = MazeJudge::of_world(WORLD.parse().unwrap(), &setting(11, 1));
    let mut lines = judge.request(&clocks(4990));
    lines[0] = "TURN 1".to_string();
    let mut player = MazeClient::new();
    player.receive("READY 11 R");
    let answers: Vec<_> = lines.iter().map(|line| player.receive(line)).collect();
    assert!(answers[..11].iter().all(|answer| *answer == Received::Noted));
    assert_eq!(answers[11], Received::Act(games::TimeTold::default()));
    assert_eq!(player.position().now(), &judge.observation());
}

#[test]
fn a_map_without_maki_is_skipped_and_the_next_turn_is_understood() {
    let judge = MazeJudge::of_world(WORLD.parse().unwrap(), &setting(11, 1));
    let mut player = MazeClient::new();
    player.receive("READY 11 R");
    let lines = judge.request(&clocks(10));
    let broken: Vec<_> = lines.iter().map(|line| player.receive(&line.replace('P', "."))).collect();
    let Some(Received::Skipped(why)) = broken.last() else { panic!("no map without Maki") };
    assert!(why.contains("one \"P\""), "{why}");
    let good: Vec<_> = lines.iter().map(|line| player.receive(line)).collect();
    assert!(matches!(good.last(), Some(Received::Act(_))));
}

proptest! {
    #[test]
    fn both_sides_agree_through_whole_games(size in MIN_SIZE..=MAX_SIZE, seed: u64) {
        let mut judge = MazeJudge::new(&setting(size, seed));
        let mut player = MazeClient::new();
        let mut rng = stream(seed, 5);
        player.receive(&judge.opening(0)[0]);
        while let Status::ToMove(seat) = judge.status() {
            prop_assert_eq!(seat, 0);
            let lines = judge.request(&clocks(1234));
            let answers: Vec<_> = lines.iter().map(|line| player.receive(line)).collect();
            prop_assert!(matches!(answers.last(), Some(Received::Act(_))));
            let truth = judge.progress();
            let view = player.position();
            prop_assert_eq!(view.now(), &judge.observation());
            prop_assert_eq!(view.facing(), truth.world.maki.facing);
            prop_assert_eq!(view.turn(), truth.world.turn);
            prop_assert_eq!(view.now().map.memory, truth.memory);
            let line = player.act(Action::ALL[rng::below(&mut rng, 6)]);
            judge.answer(&line).unwrap();
        }
    }

    #[test]
    fn no_line_makes_the_player_panic(lines in prop::collection::vec("(TURN |READY |)[?#.CPHX0-9A-Z -]{0,60}", 0..40)) {
        let mut player = MazeClient::new();
        for line in &lines {
            player.receive(line);
        }
        let view = player.position();
        prop_assert!((MIN_SIZE..=MAX_SIZE).contains(&usize::from(view.now().map.size)));
    }
}
