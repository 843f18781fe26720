//! What must hold for every game; add known values and counted positions of yours.

use games::{Judging, Status};
use mcts_core::testing::{
    CheckOptions, HiddenOptions, check_action_notation, check_game, check_hidden_information,
    check_state_notation, measure_speed,
};
use mcts_core::{Game, HiddenInformation, Player, SystemClock, Turn, rng};

use skeleton_game::{Action, BOTS, Judge, Position, Rules, View};

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
    let checked = check_game(&Rules, &CheckOptions::default());
    println!("{:?}", checked.unwrap_or_else(|violation| panic!("{violation}")));
}

#[test]
fn views_hold_what_players_see_and_decisions_go_by_them_alone() {
    let options = HiddenOptions::default();
    let checked = check_hidden_information(&Rules, &options, skeleton_game::decide);
    println!("{:?}", checked.unwrap_or_else(|violation| panic!("{violation}")));
}

#[test]
fn what_a_player_knows_is_the_same_told_from_the_truth_and_from_what_she_saw() {
    for seed in 0..200 {
        let mut rng = rng::stream(seed, 0);
        let mut position = Rules.start();
        let mut views = [0, 1].map(|player| Rules.first_view(&position, Player(player)));
        while !matches!(Rules.turn(&position), Turn::Over(_)) {
            let action = match Rules.turn(&position) {
                Turn::Chance => Rules.random_outcome(&position, &mut rng),
                _ => Rules.random_action(&position, &mut rng),
            };
            let mover = Rules.turn(&position);
            Rules.apply(&mut position, action);
            for (view, player) in views.iter_mut().zip([Player::FIRST, Player::SECOND]) {
                let own = (mover == Turn::Player(player)).then_some(action);
                Rules.grow(view, own, &Rules.observe(&position, action, player));
                assert_eq!(View::of(&position, player.0), *view, "seed {seed}");
            }
        }
    }
}

#[test]
fn texts_are_read_back() {
    let options = CheckOptions::default();
    check_state_notation(&Rules, &options, Position::to_string, |text| text.parse::<Position>())
        .unwrap_or_else(|violation| panic!("{violation}"));
    let write = |_: &Position, action: Action| action.to_string();
    check_action_notation(&Rules, &options, write, |_, text| text.parse::<Action>())
        .unwrap_or_else(|violation| panic!("{violation}"));
}

#[test]
fn the_judge_refuses_what_is_no_answer_and_stays_where_it_was() {
    let mut judge = Judge::new(Position::default(), 1);
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
    for seed in 0..10 {
        let mut judge = Judge::new(Position::default(), seed);
        let searches = ["mcts", "rollout", "evaluation", "is-mcts", "pomcp"];
        let search = format!("{}:playouts=100", searches[seed as usize % searches.len()]);
        let other = if seed < 5 { "random" } else { "greedy" };
        let mut seats: Vec<_> = [search.as_str(), other]
            .into_iter()
            .map(|bot| bots::build_from(&[BOTS], "skeleton-game", bot).expect("in the list"))
            .collect();
        let players =
            vec![arena::referee::Player { name: String::new(), command: vec![], seed }; 2];
        let occasion = arena::referee::Occasion { game: "skeleton-game", seed };
        let record = arena::referee::play_in_process(&mut judge, &mut seats, &players, occasion);
        assert!(record.verdict.is_none(), "{:?}", record.verdict);
        assert!(matches!(judge.status(), Status::Over(_)));
    }
}

/// `cargo test --release -- --ignored --nocapture`
#[test]
#[ignore = "prints the speed of the rules"]
fn speed() {
    println!("{}", measure_speed(&Rules, 1_000, &SystemClock));
}
