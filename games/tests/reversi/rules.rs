use games::perft::{EndedEarly, perft};
use games::reversi::{Action, Illegal, Position, Reversi, Side};
use mcts_core::testing::{CheckOptions, check_game, check_transpositions};
use mcts_core::{Game, Margin, Player, Turn, Utilities, rng};

use crate::oracle::PlainReversi;

/// Sequences of 1, 2, ... actions from the start; a sequence that ends the game earlier counts once
/// (Aart Bik, "Computing deep perft and divide numbers for Reversi", 2010).
const PERFT: [u64; 11] =
    [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800];

fn perft_from_start(depth: u32) -> u64 {
    perft(&Reversi::default(), &Position::start(), depth, EndedEarly::CountsOnce)
}

fn actions(position: &Position) -> Vec<Action> {
    let mut actions = Vec::new();
    Reversi::default().actions(position, |action| actions.push(action));
    actions
}

#[test]
fn the_contract_of_games_is_kept() {
    check_game(&Reversi::default(), &CheckOptions::default()).unwrap();
    assert!(check_transpositions(&Reversi::default(), &CheckOptions::default()).unwrap() > 0);
}

#[test]
fn perft_from_the_start_up_to_nine_actions_is_as_published() {
    for (depth, expected) in (1..=9).zip(PERFT) {
        assert_eq!(perft_from_start(depth), expected, "depth {depth}");
    }
}

#[test]
#[ignore = "slow: counts 2e8 sequences; cargo test -p games --release --test reversi -- --ignored"]
fn perft_from_the_start_at_ten_and_eleven_actions_is_as_published() {
    for depth in [10, 11] {
        assert_eq!(perft_from_start(depth), PERFT[depth as usize - 1], "depth {depth}");
    }
}

#[test]
fn a_sequence_that_ends_the_game_early_counts_as_asked() {
    let wipe_out: Position = format!("{}WB. W", ".".repeat(61)).parse().unwrap();
    let count = |depth, ended| perft(&Reversi::default(), &wipe_out, depth, ended);
    for depth in 1..4 {
        assert_eq!(count(depth, EndedEarly::CountsNothing), u64::from(depth == 1));
        assert_eq!(count(depth, EndedEarly::CountsOnce), 1);
    }
}

#[test]
fn the_start_and_its_first_moves_are_those_of_the_rule_page() {
    let start = Position::start();
    assert_eq!(start.side(), Side::Black);
    let texts: Vec<String> = actions(&start).iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["MOVE 3 4", "MOVE 4 3", "MOVE 5 6", "MOVE 6 5"]);
    let mut after = start;
    after.apply("MOVE 3 4".parse().unwrap());
    assert_eq!(after.discs(Side::Black).count_ones(), 4);
    assert_eq!(after.discs(Side::White).count_ones(), 1);
}

#[test]
fn random_games_agree_with_the_plain_implementation_in_every_position() {
    let game = Reversi::default();
    let mut rng = rng::stream(1, 0);
    for _ in 0..300 {
        let mut position = game.start();
        let mut plain = PlainReversi::new(&position.to_string());
        while !plain.is_over() {
            let legal: Vec<String> = actions(&position).iter().map(ToString::to_string).collect();
            assert_eq!(legal, plain.actions(), "{position}");
            assert_eq!(game.count_actions(&position), legal.len());
            let n = rng::below(&mut rng, legal.len());
            let action = game.nth_action(&position, n);
            assert_eq!(action.to_string(), legal[n]);
            position.apply(action);
            plain.apply(&legal[n]);
            assert_eq!(position.to_string(), plain.text());
        }
        assert!(position.is_over());
        assert_eq!(position.margin(), plain.count('B') - plain.count('W'));
    }
}

#[test]
fn arbitrary_boards_agree_with_the_plain_implementation() {
    let mut rng = rng::stream(2, 0);
    for _ in 0..5_000 {
        let weight = 1 + rng::below(&mut rng, 20);
        let mut text: String =
            (0..64).map(|_| [".", "B", "W"][rng::below(&mut rng, weight + 2).min(2)]).collect();
        text += [" B", " W"][rng::below(&mut rng, 2)];
        let position: Position = text.parse().unwrap();
        let plain = PlainReversi::new(&text);
        assert_eq!(position.is_over(), plain.is_over(), "{text}");
        if plain.is_over() {
            continue;
        }
        for action in plain.actions() {
            let (mut next, mut plain_next) = (position, plain.clone());
            next.try_apply(action.parse().unwrap()).unwrap();
            plain_next.apply(&action);
            assert_eq!(next.to_string(), plain_next.text(), "{text} {action}");
        }
        assert_eq!(actions(&position).len(), plain.actions().len(), "{text}");
    }
}

#[test]
fn illegal_actions_are_refused_with_their_reason_and_change_nothing() {
    let refused = |position: &str, action: &str| {
        let mut state: Position = position.parse().unwrap();
        let why = state.try_apply(action.parse().unwrap()).unwrap_err();
        assert_eq!(state.to_string(), position);
        why
    };
    let start = Position::start().to_string();
    assert_eq!(refused(&start, "PASS"), Illegal::MayNotPass);
    assert_eq!(refused(&start, "MOVE 4 4"), Illegal::Taken);
    assert_eq!(refused(&start, "MOVE 3 5"), Illegal::TurnsNothing);
    let must_pass = format!("WB{} B", ".".repeat(62));
    assert_eq!(refused(&must_pass, "MOVE 2 3"), Illegal::MustPass);
    let over = format!("{}B W", ".".repeat(63));
    assert_eq!(refused(&over, "PASS"), Illegal::Over);
    assert_eq!(refused(&over, "MOVE 1 1"), Illegal::Over);
}

#[test]
fn the_end_is_worth_what_the_margin_of_the_game_says_for_both_players() {
    let over: Position = format!("{}BBB W", ".".repeat(61)).parse().unwrap();
    assert_eq!(Reversi::default().turn(&over), Turn::Over(Utilities::win(Player::FIRST)));
    let by_discs = Reversi { margin: Margin::linear(64.0) };
    assert_eq!(by_discs.turn(&over), Turn::Over(Utilities::zero_sum(3.0 / 64.0)));
    let draw: Position = format!("{}BW{} B", "W".repeat(31), "B".repeat(31)).parse().unwrap();
    assert_eq!(Reversi::default().turn(&draw), Turn::Over(Utilities::ZERO));
}

#[test]
fn the_hash_tells_sides_and_boards_apart() {
    let game = Reversi::default();
    let mut hashes = std::collections::BTreeSet::new();
    let mut rng = rng::stream(3, 0);
    let mut positions = std::collections::HashSet::new();
    for _ in 0..200 {
        let mut position = game.start();
        while !position.is_over() {
            positions.insert(position);
            hashes.insert(game.hash(&position));
            position.apply(game.random_action(&position, &mut rng));
        }
    }
    assert_eq!(positions.len(), hashes.len());
}
