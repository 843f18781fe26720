//! Pictures of games: what is drawn, and what can be clicked on.

use games::{GAMES, Judging, Status};
use mcts_core::rng;

/// Calls `see` at each position of a random game.
fn random_game(name: &str, seed: u64, mut see: impl FnMut(&dyn Judging)) {
    let entry = games::find(name).expect("the game is in the list");
    let mut judge = (entry.judge)(seed, &[]).expect("a game without options");
    let mut rng = rng::stream(seed, 7);
    loop {
        see(judge.as_ref());
        let Status::ToMove(_) = judge.status() else { return };
        let answers = judge.legal_answers();
        let answer = &answers[rng::below(&mut rng, answers.len())];
        judge.answer(answer).expect("a legal answer");
    }
}

/// Whether every element that begins also ends, in order.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let Some((tag, text)) = tag.split_once('>') else { return false };
        if text.contains('"') {
            return false;
        }
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) if open.pop() != Some(name) => return false,
            (false, false) => open.push(name),
            _ => {}
        }
    }
    open.is_empty()
}

#[test]
fn every_position_of_every_game_has_a_small_well_formed_picture_without_outside_links() {
    for game in GAMES {
        random_game(game.name, 3, |judge| {
            for svg in [judge.drawing(), judge.drawing_of_view(0)] {
                let svg = svg.expect("every game of the list draws itself");
                assert!(is_well_formed(&svg), "{}: {svg}", game.name);
                assert!(!svg.contains("href") && !svg.contains("NaN"), "{}", game.name);
                assert!(svg.len() < 24_000, "{}: {} bytes", game.name, svg.len());
            }
        });
    }
}

#[test]
fn no_two_answers_are_reached_by_the_same_clicks_except_choices_of_a_piece() {
    for game in GAMES {
        random_game(game.name, 5, |judge| {
            let answers = judge.legal_answers();
            for (at, answer) in answers.iter().enumerate() {
                let cells = judge.cells(answer);
                if cells.is_empty() {
                    continue;
                }
                for other in &answers[at + 1..] {
                    let is_promotion = answer.split(' ').count() > 2 || other.contains("PROMOTE");
                    let is_choice = game.name == "promotion-chess" && is_promotion;
                    assert!(is_choice || judge.cells(other) != cells, "{answer} and {other}");
                }
            }
        });
    }
}

#[test]
fn a_picture_of_the_maze_for_its_player_hides_the_true_world() {
    let mut hidden = 0;
    random_game("maze", 11, |judge| {
        let (truth, view) =
            (judge.drawing().expect("drawn"), judge.drawing_of_view(0).expect("drawn"));
        // The chaser is drawn in this colour and nothing else is.
        assert!(truth.contains("#dc2626"));
        if judge.status() != Status::ToMove(0) {
            // Caught: Maki's sign hides the chaser's.
            return;
        }
        hidden += usize::from(!view.contains("#dc2626"));
        assert_eq!(
            view.contains("#dc2626"),
            judge.view(0).contains(['H', 'X']),
            "{}",
            judge.view(0)
        );
    });
    assert!(hidden > 0, "the chaser is out of sight at some time");
}

#[test]
fn a_disc_that_was_turned_is_dotted() {
    let mut judge = (games::find("reversi").expect("in the list").judge)(0, &[]).expect("a game");
    assert!(!judge.drawing().expect("drawn").contains("#8a8a8a"));
    judge.answer(&judge.legal_answers()[0]).expect("legal");
    let svg = judge.drawing().expect("drawn");
    assert!(svg.contains("#8a8a8a") && svg.contains("4 to 1 discs"), "{svg}");
}
