//! The Promotion Chess bots: mate in one, mate search, results of won positions.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use bots::promotion_chess::decisive::{Decisive, History, Repeated, mate_in_one};
use bots::promotion_chess::evaluation::{Evaluation, features};
use bots::promotion_chess::mate_search::MateSearch;
use bots::promotion_chess::move_prior::MovePrior;
use bots::promotion_chess::search_parts;
use games::promotion_chess::{Action, Ending, Position, PromotionChess, Rules, Side};
use mcts_core::{Budget, Game, Search, Turn, Utilities, rng};

fn at(text: &str) -> Position {
    text.parse().unwrap()
}

/// Calls `visit` with the positions of random games, without the ends.
fn random_positions(games: u64, mut visit: impl FnMut(&Position)) {
    let game = PromotionChess::default();
    for seed in 0..games {
        let mut rng = rng::stream(seed, 9);
        let mut position = game.start();
        while let Turn::Player(_) = game.turn(&position) {
            visit(&position);
            let action = game.random_action(&position, &mut rng);
            game.apply(&mut position, action);
        }
    }
}

#[test]
fn a_mate_in_one_is_seen_just_when_there_is_one() {
    let rules = Rules::default();
    let mut mates = 0;
    random_positions(150, |position| {
        let mut exists = false;
        rules.legal_actions(position, |action| exists |= mates_by(&rules, position, action));
        let seen = mate_in_one(&rules, position);
        assert_eq!(seen.is_some(), exists, "{position}");
        assert!(seen.is_none_or(|action| mates_by(&rules, position, action)), "{position}");
        mates += u32::from(exists);
    });
    assert!(mates > 100, "{mates}");
}

fn mates_by(rules: &Rules, position: &Position, action: Action) -> bool {
    let mut after = *position;
    rules.apply(&mut after, action);
    matches!(rules.ending(&after), Some(Ending::Checkmate(_)))
}

/// The same position with colours and ranks exchanged.
fn mirrored(position: &Position) -> Position {
    let text = position.to_string();
    let [ranks, side, levels, ply] = text.split(' ').collect::<Vec<_>>()[..] else {
        unreachable!()
    };
    let swapped = |letter: char| match letter {
        'A'..='Z' => letter.to_ascii_lowercase(),
        _ => letter.to_ascii_uppercase(),
    };
    let ranks: Vec<String> =
        ranks.split('/').rev().map(|rank| rank.chars().map(swapped).collect()).collect();
    let black = text.split(' ').next().unwrap().chars().filter(|letter| *letter == 'c').count();
    let levels = match levels {
        "-" => String::from("-"),
        _ => format!("{}{}", &levels[black..], &levels[..black]),
    };
    at(&format!("{} {} {levels} {ply}", ranks.join("/"), if side == "w" { "b" } else { "w" }))
}

#[test]
fn both_sides_are_evaluated_alike() {
    random_positions(60, |position| {
        let (own, other) = (features(position), features(&mirrored(position)));
        assert!(own.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-6), "{position}");
    });
}

#[test]
fn more_of_a_piece_and_older_citizens_are_worth_more() {
    let worth = |text: &str| Evaluation::default().half_log_odds(&Rules::default(), &at(text));
    let mut last = worth("3k1/5/5/5/2K2 w - 20");
    for piece in ["C1K2 w 0", "C1K2 w 5", "C1K2 w 9", "Q1K2 w -"] {
        let next = worth(&format!("3k1/5/5/5/{piece} 20"));
        assert!(next > last, "{piece}: {next} against {last}");
        last = next;
    }
}

#[test]
fn an_advantage_fades_before_the_limit_of_plies() {
    let worth = |ply: u16| {
        let position = at(&format!("3k1/5/5/5/Q1K2 w - {ply}"));
        Evaluation::default().half_log_odds(&Rules::default(), &position)
    };
    assert!(worth(20) > worth(190) && worth(190) > worth(198) && worth(198) > 0.0);
}

/// Searches as the bot does, with a fixed number of playouts.
fn choose(game: Decisive, position: &Position, playouts: u64) -> Action {
    let rules = Rules::default();
    let mate = MateSearch::new(&rules, 30_000).shortest(position, 3);
    mate.map(|(action, _)| action).unwrap_or_else(|| {
        let mut search = search_parts().search(game, 1);
        search.run(position, &Budget::playouts(playouts)).unwrap().best
    })
}

#[test]
fn all_mates_of_the_suite_are_found() {
    let suite = include_str!("../../games/tests/data/promotion_chess_mates.jsonl");
    let field = |line: &str, name: &str| {
        let start = line.find(&format!("\"{name}\":")).unwrap() + name.len() + 3;
        let end = line[start..].find(['}', ']']).unwrap() + start;
        line[start..end].to_owned()
    };
    let (mut missed, mut cases) = ([0; 4], 0);
    for line in suite.lines() {
        let position = field(line, "position");
        let position = at(position.split('"').nth(1).unwrap());
        let mate_in: usize = field(line, "mate_in").split(',').next().unwrap().parse().unwrap();
        let best = format!("\"{}\"", choose(Decisive::default(), &position, 20_000));
        cases += 1;
        missed[mate_in] += usize::from(!field(line, "winning").contains(&best));
    }
    assert_eq!((cases, missed), (240, [0; 4]));
}

#[test]
fn a_mate_search_with_one_look_finds_no_mate_in_two() {
    let rules = Rules::default();
    let mate_in_two = at("cpbcp/1k1B1/2n2/2PK1/R2BP w 91 66");
    assert_eq!(MateSearch::new(&rules, 1).shortest(&mate_in_two, 3), None);
    let found = MateSearch::new(&rules, 30_000).shortest(&mate_in_two, 3);
    assert_eq!(found.map(|(_, moves)| moves), Some(2));
}

/// Every action has a positive probability, and the probabilities sum to one.
#[test]
fn priors_are_distributions() {
    let game = PromotionChess::default();
    random_positions(20, |position| {
        let mut actions = Vec::new();
        game.actions(position, |action| actions.push(action));
        let mut probabilities = vec![0.0; actions.len()];
        MovePrior::default().write(position, &actions, &mut probabilities);
        assert!(probabilities.iter().all(|one| *one > 0.0), "{position}");
        assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{position}");
    });
}

#[test]
fn a_position_brought_about_twice_counts_as_a_draw_whatever_the_waiting_side_gains() {
    let mut history = History::default();
    let once = at("1c1k1/5/2Q2/5/2K2 b 1 27");
    history.note(&once);
    assert_eq!(history.repeated(), Repeated::default());
    history.note(&at("1c1k1/5/2Q2/5/2K2 b 3 31"));
    let game = Decisive { repeated: history.repeated(), ..Decisive::default() };
    assert_eq!(game.turn(&at("1c1k1/5/2Q2/5/2K2 b 5 35")), Turn::Over(Utilities::ZERO));
    assert!(matches!(game.turn(&at("1c1k1/5/2Q2/5/2K2 w 5 36")), Turn::Player(_)));
    assert!(matches!(game.turn(&at("1c1k1/5/2Q2/5/2KC1 b 50 35")), Turn::Player(_)));
}

/// The queen could repeat checks for ever that keep the citizen from being promoted; the bot does
/// not.
#[test]
fn a_won_game_is_won_against_a_defender_who_searches() {
    for (text, most) in [
        ("2k2/5/5/5/Q1K2 b - 25", 90),
        ("2k2/5/5/5/R1K2 b - 25", 110),
        ("q1k2/5/5/5/2K2 w - 24", 90),
    ] {
        let mut position = at(text);
        let strong = if text.contains('q') { Side::Black } else { Side::White };
        let game = PromotionChess::default();
        let mut histories = [History::default(), History::default()];
        while let Turn::Player(player) = game.turn(&position) {
            let history = &mut histories[player.index()];
            let searched = Decisive { game, repeated: history.repeated() };
            let action = choose(searched, &position, 600);
            game.apply(&mut position, action);
            history.note(&position);
        }
        assert_eq!(game.rules.ending(&position), Some(Ending::Checkmate(strong)), "{position}");
        assert!(position.ply() <= most, "{text} took until {position}");
    }
}

/// The stronger side must mate a random defender, far from the limit of plies.
#[test]
fn a_won_game_against_a_lone_king_is_won() {
    let game = PromotionChess::default();
    for (text, most) in [
        ("2k2/5/5/5/Q1K2 w - 20", 60),
        ("2k2/5/5/5/R1K2 w - 20", 90),
        ("2k2/5/5/5/2KCC w 54 20", 90),
        ("q1k2/5/5/5/2K2 b - 21", 60),
    ] {
        let mut position = at(text);
        let strong = position.to_move();
        let mut rng = rng::stream(1, 4);
        while let Turn::Player(_) = game.turn(&position) {
            let action = if position.to_move() == strong {
                choose(Decisive::default(), &position, 2_000)
            } else {
                game.random_action(&position, &mut rng)
            };
            game.apply(&mut position, action);
        }
        assert_eq!(game.rules.ending(&position), Some(Ending::Checkmate(strong)), "{position}");
        assert!(position.ply() <= most, "{text} took until {position}");
    }
}
