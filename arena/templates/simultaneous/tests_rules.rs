//! What must hold for every game; add known values and counted positions of yours.

use games::{Clocks, Judging, Status};
use mcts_core::testing::{
    CheckOptions, check_action_notation, check_game, check_simultaneous, check_state_notation,
    measure_speed,
};
use mcts_core::{Game, SystemClock};

use skeleton_game::{Action, BOTS, Judge, Position, Rules};

#[test]
fn nothing_is_left_to_do() {
    let mut left = String::new();
    for file in std::fs::read_dir("src").expect("the tests run in the package") {
        let path = file.expect("it can be read").path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for (line, text) in text.lines().enumerate().filter(|(_, text)| text.contains("TODO")) {
            left += &format!("\n{}:{}: {}", path.display(), line + 1, text.trim());
        }
    }
    assert!(left.is_empty(), "left to do:{left}");
}

#[test]
fn the_rules_keep_the_contract_of_a_game() {
    for seed in 0..3 {
        let checked = check_game(&Rules { seed }, &CheckOptions::default());
        println!("{:?}", checked.unwrap_or_else(|violation| panic!("{violation}")));
    }
}

#[test]
fn nothing_shows_what_was_chosen_in_the_same_round() {
    check_simultaneous(&Rules::default(), 100, 1).unwrap_or_else(|violation| panic!("{violation}"));
}

#[test]
fn texts_are_read_back() {
    let (rules, options) = (Rules::default(), CheckOptions::default());
    check_state_notation(&rules, &options, Position::to_string, |text| text.parse::<Position>())
        .unwrap_or_else(|violation| panic!("{violation}"));
    let write = |_: &Position, action: Action| action.to_string();
    check_action_notation(&rules, &options, write, |_, text| text.parse::<Action>())
        .unwrap_or_else(|violation| panic!("{violation}"));
}

#[test]
fn the_judge_refuses_what_is_no_answer_and_stays_where_it_was() {
    let mut judge = Judge::new(Position::start(1));
    let before = judge.position();
    for line in
        ["", "MOVE", "MOVE ", "MOVE ?", "move 1", "PASS PLEASE", "MOVE 99999999999999999999"]
    {
        assert!(judge.answer(line).is_err(), "{line:?}");
        assert_eq!(judge.position(), before);
    }
}

#[test]
fn the_bots_play_whole_games_by_the_protocol() {
    for seed in 0..3 {
        let mut judge = Judge::new(Position::start(seed));
        let search = ["mcts", "rollout", "evaluation"][seed as usize];
        let mut seats: Vec<_> = (0..judge.seats())
            .map(|seat| {
                let search = format!("{search}:playouts=100");
                let bot = if seat == 0 { search.as_str() } else { "random" };
                bots::build_from(&[BOTS], "skeleton-game", bot).expect("it is in the list")
            })
            .collect();
        let players = vec![
            arena::referee::Player { name: String::new(), command: vec![], seed };
            seats.len()
        ];
        let occasion = arena::referee::Occasion { game: "skeleton-game", seed };
        let record = arena::referee::play_in_process(&mut judge, &mut seats, &players, occasion);
        assert!(record.verdict.is_none(), "{:?}", record.verdict);
        assert!(matches!(judge.status(), Status::Over(_)));
    }
}

#[test]
fn requests_tell_the_time_of_the_player_to_move_first() {
    let judge = Judge::new(Rules::default().start());
    let wall_left = vec![std::time::Duration::from_millis(1_234); judge.seats()];
    let request = judge.request(&Clocks { wall_left });
    assert!(request[0].starts_with("TURN 1234"), "{request:?}");
}

/// `cargo test --release -- --ignored --nocapture`
#[test]
#[ignore = "prints the speed of the rules"]
fn speed() {
    println!("{}", measure_speed(&Rules::default(), 1_000, &SystemClock));
}
