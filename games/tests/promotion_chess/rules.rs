//! Compares the rules with the oracle, and tests proven bounds.

use std::collections::HashSet;

use games::promotion_chess::attacks::{self, ALL, Squares};
use games::promotion_chess::rules::{ACTION_INDICES, action_index};
use games::promotion_chess::{
    Action, DoubleStep, Ending, Illegal, Kind, MAX_ACTIONS, Position, PromotionChess, Rules, Side,
    Square,
};
use mcts_core::testing::{CheckOptions, check_game};
use mcts_core::{Game, Player, Turn, Utilities, rng};

use crate::oracle::Oracle;
use crate::{legal_actions, random_game};

fn at(text: &str) -> Position {
    text.parse().unwrap()
}

fn texts(position: &Position) -> Vec<String> {
    let mut texts: Vec<String> = legal_actions(position).iter().map(Action::to_string).collect();
    texts.sort();
    texts
}

fn agrees_with_the_oracle(position: &Position) {
    let game = PromotionChess::default();
    let oracle = Oracle::read(&position.to_string());
    let successors = oracle.successors();
    let expected: Vec<&String> = successors.iter().map(|(action, _)| action).collect();
    assert_eq!(texts(position).iter().collect::<Vec<_>>(), expected, "{position}");
    assert_eq!(position.is_check(), oracle.in_check(position.to_move() == Side::White));
    let ending = match game.rules.ending(position) {
        None => None,
        Some(Ending::Checkmate(winner)) => {
            assert_eq!(winner, position.to_move().opponent());
            Some("checkmate")
        }
        Some(Ending::Stalemate) => Some("stalemate"),
        Some(Ending::PlyLimit) => Some("ply200"),
    };
    assert_eq!(ending, oracle.ending(), "{position}");
    for (action, after) in &successors {
        let mut next = *position;
        game.apply(&mut next, action.parse().unwrap());
        assert_eq!(next.to_string(), after.write(), "{position} {action}");
    }
}

/// Pieces on random squares; `None` if the position is illegal.
fn drawn_position(seed: u64) -> Option<Position> {
    let mut rng = rng::stream(seed, 1);
    let mut cells = ['1'; 25];
    let pieces = 2 + rng::below(&mut rng, 12);
    for n in 0..pieces {
        let letter = match n {
            0 => 'K',
            1 => 'k',
            _ => ['Q', 'R', 'B', 'N', 'P', 'C', 'q', 'r', 'b', 'n', 'p', 'c']
                [rng::below(&mut rng, 12)],
        };
        let cell = match letter {
            'c' => rng::below(&mut rng, 5),
            'C' => 20 + rng::below(&mut rng, 5),
            'p' => rng::below(&mut rng, 20),
            'P' => 5 + rng::below(&mut rng, 20),
            _ => rng::below(&mut rng, 25),
        };
        if cells[cell] == '1' {
            cells[cell] = letter;
        }
    }
    let citizens = cells.iter().filter(|c| c.eq_ignore_ascii_case(&'c')).count();
    let levels: String =
        (0..citizens).map(|_| char::from(b'0' + rng::below(&mut rng, 10) as u8)).collect();
    let ranks: Vec<String> = cells.chunks(5).map(|rank| rank.iter().collect()).collect();
    let side = ["w", "b"][rng::below(&mut rng, 2)];
    let ply = rng::below(&mut rng, 201);
    let levels = if levels.is_empty() { "-" } else { &levels };
    let written = Oracle::read(&format!("{} {side} {levels} {ply}", ranks.join("/"))).write();
    written.parse().ok()
}

#[test]
fn random_games_agree_with_the_oracle_in_every_position() {
    for seed in 0..25 {
        random_game(seed, agrees_with_the_oracle);
    }
}

#[test]
fn drawn_positions_agree_with_the_oracle() {
    let positions: Vec<Position> = (0..6000).filter_map(drawn_position).collect();
    assert!(positions.len() > 1500, "enough draws make a position: {}", positions.len());
    positions.iter().for_each(agrees_with_the_oracle);
}

#[test]
fn counting_agrees_with_listing_and_no_action_comes_twice() {
    let game = PromotionChess::default();
    for position in (0..3000).filter_map(drawn_position) {
        let actions = legal_actions(&position);
        let different: HashSet<Action> = actions.iter().copied().collect();
        assert_eq!(different.len(), actions.len(), "{position}");
        assert_eq!(game.count_actions(&position), actions.len(), "{position}");
        assert_eq!(game.rules.has_legal_action(&position), !actions.is_empty(), "{position}");
        assert!(actions.len() <= MAX_ACTIONS);
    }
}

/// The sum in the proof of `MAX_ACTIONS`, from the attack tables.
#[test]
fn the_bound_on_the_number_of_actions_follows_from_the_attack_tables() {
    let twice: u32 = Squares(ALL)
        .map(|square| {
            let lines = attacks::king(square).count_ones();
            let leaps = attacks::knight(square).count_ones();
            let queen = attacks::rook(square, 0) | attacks::bishop(square, 0);
            let out =
                if square.rank() == 3 { queen.count_ones().max(12) } else { queen.count_ones() };
            // From the rank before the far one: one line straight ahead, up to two diagonal.
            let from_before =
                if square.rank() == 4 { attacks::king(square) & (0x1F << 15) } else { 0 };
            let places = if square.rank() == 0 { 2 } else { 0 };
            out.max(lines + leaps + 3 * from_before.count_ones() + places)
        })
        .sum();
    assert_eq!(twice as usize, 2 * MAX_ACTIONS);
}

#[test]
fn action_indices_are_dense_and_each_means_one_action() {
    let mut seen = vec![None; ACTION_INDICES];
    let mut note = |action: Action| {
        let place = &mut seen[action_index(action)];
        assert!(place.is_none_or(|other| other == action), "{place:?} and {action}");
        *place = Some(action);
    };
    let words = ["PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN"];
    for from in Squares(ALL) {
        if from.rank() == 0 || from.rank() == 4 {
            note(Action::Place(from));
            words.iter().for_each(|word| note(format!("PROMOTE {from} {word}").parse().unwrap()));
        }
        let queen = attacks::rook(from, 0) | attacks::bishop(from, 0);
        for to in Squares(queen | attacks::knight(from)) {
            note(Action::Move { from, to, promotion: None });
            let is_step = from.file().abs_diff(to.file()) <= 1;
            if is_step && matches!((from.rank(), to.rank()), (3, 4) | (1, 0)) {
                words[1..]
                    .iter()
                    .for_each(|word| note(format!("MOVE {from} {to} {word}").parse().unwrap()));
            }
        }
    }
    assert!(seen.iter().all(Option::is_some));
}

#[test]
fn equal_hashes_mean_equal_positions_in_random_games() {
    let game = PromotionChess::default();
    let mut by_hash = std::collections::HashMap::new();
    for seed in 0..200 {
        random_game(seed, |position| {
            let other = by_hash.insert(game.hash(position), *position);
            assert!(other.is_none_or(|other| other == *position));
        });
    }
    let (one, other) = ("2c1k/5/5/5/K4 w 3 10", "2c1k/5/5/5/K4 w 4 10");
    assert_ne!(game.hash(&at(one)), game.hash(&at(other)), "levels count");
    assert_ne!(game.hash(&at("4k/5/5/5/K4 w - 10")), game.hash(&at("4k/5/5/5/K4 b - 10")));
    assert_ne!(game.hash(&at("4k/5/5/5/K4 w - 10")), game.hash(&at("4k/5/5/5/K4 w - 11")));
}

#[test]
fn the_winner_of_a_mate_gets_one_and_draws_give_nothing() {
    let game = PromotionChess::default();
    let mated = at("4r/5/5/2k1K/5 w - 146");
    assert_eq!(game.turn(&mated), Turn::Over(Utilities::win(Player::SECOND)));
    let stale = at("5/5/1p1k1/1p1P1/bKnqn w - 78");
    assert_eq!(game.turn(&stale), Turn::Over(Utilities::ZERO));
    assert_eq!(game.turn(&at("k4/5/5/5/K4 w - 200")), Turn::Over(Utilities::ZERO));
    assert_eq!(game.turn(&at("k4/5/5/5/K4 b - 199")), Turn::Player(Player::SECOND));
}

#[test]
fn each_setting_of_the_double_step_allows_it_from_its_rank_only() {
    let position = at("p3k/5/5/1P3/P3K w - 6");
    let steps = |double_step| {
        let game = PromotionChess { rules: Rules { double_step, ..Rules::default() } };
        let mut found = Vec::new();
        game.actions(&position, |action| match action {
            Action::Move { from, to, .. } if from.rank().abs_diff(to.rank()) == 2 => {
                found.push(action.to_string());
            }
            _ => {}
        });
        found
    };
    assert_eq!(steps(DoubleStep::None), [""; 0]);
    assert_eq!(steps(DoubleStep::FromHomeRankUnmoved), ["MOVE a1 a3"]);
    assert_eq!(steps(DoubleStep::FromSecondRank), ["MOVE b2 b4"]);
}

#[test]
fn a_double_step_is_blocked_on_either_square() {
    let rules = Rules { double_step: DoubleStep::FromHomeRankUnmoved, ..Rules::default() };
    let step = |text: &str| rules.check(&at(text), "MOVE a1 a3".parse().unwrap()).is_ok();
    assert!(step("4k/5/5/5/P3K w - 6"));
    assert!(!step("4k/5/5/n4/P3K w - 6"));
    assert!(!step("4k/5/n4/5/P3K w - 6"));
}

#[test]
fn perft_of_the_start_is_known_to_seven_plies() {
    let count = |depth| (games::promotion_chess::ENTRY.perft)(None, depth).unwrap();
    assert_eq!([2, 4, 6, 7].map(count), [81, 7_679, 704_232, 7_096_910]);
}

#[test]
fn the_game_keeps_the_contract_of_the_search() {
    let options = CheckOptions { games: 60, ..CheckOptions::default() };
    let checked = check_game(&PromotionChess::default(), &options).unwrap();
    assert!(checked.most_actions <= MAX_ACTIONS, "{checked:?}");
}

/// For every square and kind, `check` agrees with the list of legal actions and gives a reason.
#[test]
fn an_action_is_refused_with_a_reason_just_when_it_is_not_listed() {
    let rules = Rules::default();
    for position in (6000..6400).filter_map(drawn_position) {
        let legal: HashSet<Action> = legal_actions(&position).into_iter().collect();
        let is_over = rules.ending(&position).is_some();
        let pieces = [None].into_iter().chain(Kind::ALL.map(Some));
        for from in Squares(ALL) {
            let places = [Action::Place(from)].into_iter();
            let promotes = Kind::ALL.map(|kind| Action::Promote(from, kind)).into_iter();
            let moves = pieces.clone().flat_map(|promotion| {
                Squares(ALL).map(move |to| Action::Move { from, to, promotion })
            });
            for action in places.chain(promotes).chain(moves) {
                let expected = legal.contains(&action) && !is_over;
                assert_eq!(rules.check(&position, action).is_ok(), expected, "{position} {action}");
            }
        }
    }
}

#[test]
fn refusals_name_their_reason() {
    for (position, action, reason) in [
        ("2k2/5/5/5/2K2 w - 200", "PLACE a1", "the game is over"),
        ("2k2/5/5/5/2K2 w - 0", "MOVE a3 a4", "a3 is empty"),
        ("2k2/5/5/5/2K2 w - 0", "MOVE c5 c4", "the piece on c5 is the opponent's"),
        ("2k2/5/5/5/2K2 w - 0", "PLACE a5", "a5 is not on the home rank"),
        ("2k2/5/5/5/2K2 w - 0", "PLACE c1", "c1 is not empty"),
        ("2k2/5/5/5/2K2 w - 0", "PROMOTE c1 QUEEN", "the piece on c1 is not a citizen"),
        (
            "2k2/5/5/5/C1K2 w 4 8",
            "PROMOTE a1 ROOK",
            "the citizen has level 4, but the promotion needs level 5",
        ),
        ("2k2/5/5/5/C1K2 w 4 8", "MOVE a1 a2", "a CITIZEN cannot move like this here"),
        ("2k2/5/5/5/R1K2 w - 8", "MOVE a1 e1", "a ROOK cannot move like this here"),
        ("2k2/5/5/5/R1K2 w - 8", "MOVE a1 c1", "c1 is occupied by your own piece"),
        (
            "2k2/P4/5/5/2K2 w - 8",
            "MOVE a4 a5",
            "the pawn reaches the far rank and must name its promotion",
        ),
        ("2k2/P4/5/5/2K2 w - 8", "MOVE a4 a5 PAWN", "a promotion to a PAWN is not possible here"),
        (
            "2k2/P4/5/5/2K2 w - 8",
            "MOVE c1 c2 QUEEN",
            "only a pawn that reaches the far rank is promoted",
        ),
        ("2k2/5/2r2/2N2/2K2 w - 8", "MOVE c2 a1", "your king would be in check"),
        ("2k2/5/5/2K2/C2r1 w 9 8", "MOVE c2 c1", "your king would be in check"),
        ("2k2/5/2r2/5/C1K2 w 9 8", "PROMOTE a1 QUEEN", "your king would be in check"),
        ("2k2/5/2r2/5/2K2 w - 8", "PLACE a1", "your king would be in check"),
    ] {
        let error = Rules::default().check(&at(position), action.parse().unwrap()).unwrap_err();
        assert!(error.to_string().contains(reason), "{position} {action}: {error}");
    }
}

#[test]
fn a_king_is_never_captured() {
    // Black to move, with its king next to White's pieces; the mirrored position is not readable.
    let mate = at("2k2/2Q2/2K2/5/5 b - 9");
    assert_eq!(PromotionChess::default().rules.ending(&mate), Some(Ending::Checkmate(Side::White)));
    let error = Rules::default().check(&at("k4/5/5/5/K4 w - 9"), "MOVE a1 a5".parse().unwrap());
    assert_eq!(error, Err(Illegal::CapturesKing));
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<Position>() <= 48);
    assert!(size_of::<Action>() <= 4);
    assert_eq!(Square::new(2, 0).to_string(), "c1");
}
