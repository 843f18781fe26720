//! Builds the code of the tutorial together with the files that `arena new` writes.
#![allow(
    unreachable_pub,
    dead_code,
    missing_docs,
    reason = "the files are those of a package, where they are public"
)]

#[path = "../../arena/templates/open/bot.rs"]
mod bot;
#[path = "../../arena/templates/open/client.rs"]
mod client;
#[path = "../../arena/templates/two-player/game.rs"]
mod game;
#[path = "../../arena/templates/open/judge.rs"]
mod judge;
#[path = "../../docs/tutorial/notation.rs"]
mod notation;
#[path = "../../docs/tutorial/rules.rs"]
mod rules;

use bots::build_from;
use game::Rules;
use judge::Judge;
use mcts_core::testing::{CheckOptions, check_action_notation, check_game, check_state_notation};
use mcts_core::{Budget, Game, Search, Uct};
use rules::{Action, Position};

#[test]
fn the_page_shows_the_code_that_is_tested_here() {
    let page = include_str!("../../docs/tutorial.md");
    for file in [
        include_str!("../../docs/tutorial/rules.rs"),
        include_str!("../../docs/tutorial/notation.rs"),
    ] {
        assert!(page.contains(&format!("```rust,ignore\n{}\n```\n", file.trim_end())));
    }
}

#[test]
fn the_rules_and_texts_of_clobber_hold_together() {
    let options = CheckOptions::default();
    let checked = check_game(&Rules::default(), &options).expect("the rules are consistent");
    assert_eq!((checked.most_actions, checked.endings), (49, 20));
    let read = |text: &str| text.parse::<Position>();
    check_state_notation(&Rules::default(), &options, Position::to_string, read)
        .expect("positions are read back");
    let write = |_: &Position, action: Action| action.to_string();
    check_action_notation(&Rules::default(), &options, write, |_, text| text.parse::<Action>())
        .expect("actions are read back");
}

#[test]
fn the_first_player_has_a_move_for_each_pair_of_neighbours() {
    // 6 rows of 4 horizontal pairs, 5 columns of 5 vertical pairs
    assert_eq!(Rules::default().count_actions(&Position::start(0)), 6 * 4 + 5 * 5);
}

#[test]
fn six_stones_in_a_row_are_lost_for_whoever_begins() {
    // Albert, Grossman, Nowakowski and Wolfe, 2005
    for (stones, value) in [(2_usize, 1.0), (4, 1.0), (6, -1.0)] {
        let row = |row: usize| if row >= stones { "....." } else { ["x....", "o...."][row % 2] };
        let text = (0..6).map(row).collect::<Vec<_>>().join("/") + "-x";
        let position: Position = text.parse().expect("a position");
        let mut search = <Uct>::default().search(Rules::default(), 1);
        let report = search.run(&position, &Budget::playouts(10_000)).expect("there are moves");
        assert_eq!(report.value(), Some(value), "{stones} stones");
    }
}

#[test]
fn the_bot_beats_a_random_player_under_the_referee() {
    for seed in 0..4 {
        let mut judge = Judge::new(Position::start(seed));
        let mut seats = ["mcts:playouts=300", "random"]
            .map(|bot| build_from(&[bot::BOTS], "skeleton-game", bot).expect("in the list"));
        let player = || arena::referee::Player { name: String::new(), command: vec![], seed };
        let occasion = arena::referee::Occasion { game: "clobber", seed };
        let players = [player(), player()];
        let record = arena::referee::play_in_process(&mut judge, &mut seats, &players, occasion);
        assert_eq!((record.verdict, record.seats[0].points), (None, 1.0));
    }
}
