use games::icebreaking::{Board, CELLS, Cell, Content, Diagram, HOLES, Icebreaking, Illegal, Side};
use games::perft::{EndedEarly, perft};
use mcts_core::testing::{CheckOptions, check_game, check_transpositions};
use mcts_core::{Game, Margin, Turn, Utilities, rng};

use crate::oracle::PlainIcebreaking;

fn cell(row: usize, column: usize) -> Cell {
    Cell::at(row as i32, column as i32).expect("a cell")
}

#[test]
fn the_contract_of_games_is_kept() {
    check_game(&Icebreaking::from_seed(11), &CheckOptions::default()).unwrap();
    assert!(
        check_transpositions(&Icebreaking::from_seed(11), &CheckOptions::default()).unwrap() > 0
    );
}

#[test]
fn random_games_agree_with_the_plain_implementation_in_every_position() {
    for seed in 0..300 {
        let game = Icebreaking::from_seed(seed);
        let mut rng = rng::stream(seed, 7);
        let mut diagram = Diagram::start(game.board);
        let mut plain = PlainIcebreaking::new(&diagram.to_string());
        while !diagram.position.is_over() {
            let ice: Vec<Cell> =
                plain.ice().iter().map(|&(row, column)| cell(row, column)).collect();
            assert_eq!(diagram.position.cells().collect::<Vec<_>>(), ice, "{diagram}");
            assert_eq!(game.count_actions(&diagram.position), ice.len());
            let n = rng::below(&mut rng, ice.len());
            let (row, column) = plain.ice()[n];
            assert_eq!(game.nth_action(&diagram.position, n), ice[n]);
            let mut sizes: Vec<u32> =
                plain.parts(row, column).iter().map(|part| part.len() as u32).collect();
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(diagram.position.component_sizes(ice[n]).as_slice(), sizes);
            diagram.position.apply(&game.board, ice[n]);
            plain.apply(row, column);
            assert_eq!(diagram.to_string(), plain.text());
        }
        assert_eq!(plain.ice(), []);
    }
}

#[test]
fn sparse_boards_with_many_parts_agree_with_the_plain_implementation() {
    let mut rng = rng::stream(1, 7);
    for _ in 0..3_000 {
        let holes = 2 + rng::below(&mut rng, 6);
        let letters = "012=-#ab####";
        let cells: String = (0..CELLS)
            .map(|_| letters.as_bytes()[rng::below(&mut rng, 5 + holes)] as char)
            .collect();
        let text = format!("{cells} {} 5 -7", ["a", "b"][rng::below(&mut rng, 2)]);
        let diagram: Diagram = text.parse().unwrap();
        let plain = PlainIcebreaking::new(&text);
        for (row, column) in plain.ice() {
            let (mut next, mut plain_next) = (diagram, plain.clone());
            let before = next.position.total(next.position.side());
            let side = next.position.side();
            let gain = next.position.gain(&next.board, cell(row, column));
            next.position.try_apply(&next.board, cell(row, column)).unwrap();
            plain_next.apply(row, column);
            assert_eq!(next.to_string(), plain_next.text(), "{text} {row} {column}");
            assert_eq!(i32::from(next.position.total(side) - before), gain);
        }
    }
}

#[test]
fn the_examples_of_the_rule_page_capture_what_it_says() {
    // Row 4 is cut at its middle cell, with a region of these sizes on each side.
    let after = |row: &str, column: i32| {
        let text = format!("{}{row}{} a 0 0", "#".repeat(36), "#".repeat(36));
        let mut diagram: Diagram = text.parse().unwrap();
        diagram.position.try_apply(&diagram.board, Cell::at(4, column).unwrap()).unwrap();
        diagram.to_string()[36..45].to_string()
    };
    assert_eq!(after("111111111", 4), "1111a1111");
    assert_eq!(after("111111111", 3), "aaaa11111");
    assert_eq!(after("111111111", 0), "a11111111");
    assert_eq!(after("11#111111", 3), "11#a11111");
}

#[test]
fn perft_is_the_product_of_the_ice_left_while_nothing_can_be_cut_off() {
    let game = Icebreaking::from_seed(0);
    let count = |depth| perft(&game, &game.start(), depth, EndedEarly::CountsNothing);
    assert_eq!(count(1), 72);
    let plain = PlainIcebreaking::new(&Diagram::start(game.board).to_string());
    let second: u64 = plain
        .ice()
        .into_iter()
        .map(|(row, column)| {
            let mut next = plain.clone();
            next.apply(row, column);
            next.ice().len() as u64
        })
        .sum();
    assert_eq!(count(2), second);
}

#[test]
fn a_drawn_board_has_nine_holes_and_all_scores_about_equally_often() {
    // 100 boards, 7200 scores, 1440 expected of each: 120 is 3.5 standard deviations, fixed seed.
    let mut counts = [0i32; 5];
    let mut holes = [0i32; CELLS];
    for seed in 0..100 {
        let board = Board::random(&mut rng::stream(seed, 0));
        for cell in Cell::all() {
            match board.score(cell) {
                Some(score) => counts[(score + 2) as usize] += 1,
                None => holes[usize::from(cell.index())] += 1,
            }
        }
    }
    assert_eq!(holes.iter().sum::<i32>(), 100 * HOLES as i32);
    assert!(counts.iter().all(|count| (count - 1440).abs() < 120), "{counts:?}");
    assert!(holes.iter().all(|count| (1..30).contains(count)), "{holes:?}");
}

#[test]
fn the_same_seed_gives_the_same_board_for_ever() {
    assert_eq!(
        Diagram::start(Icebreaking::from_seed(1).board).to_string(),
        "0=0-==0=0=12=0-10-00-11=0=0-=1----01-2-12-1=##0#0=22--0-10#01=0#20#2-#20--102##0= a 0 0"
    );
    assert_ne!(Icebreaking::from_seed(1), Icebreaking::from_seed(2));
}

#[test]
fn holes_and_taken_cells_are_refused_and_change_nothing() {
    let text = format!("#a{} b 3 -4", "1".repeat(79));
    let mut diagram: Diagram = text.parse().unwrap();
    let mut refused = |column| {
        let why =
            diagram.position.try_apply(&diagram.board, Cell::at(0, column).unwrap()).unwrap_err();
        assert_eq!(diagram.to_string(), text);
        why
    };
    assert_eq!(refused(0), Illegal::Hole);
    assert_eq!(refused(1), Illegal::Taken);
    assert_eq!(diagram.position.content(&diagram.board, cell(0, 1)), Content::Taken(Side::A));
    assert_eq!(diagram.position.content(&diagram.board, cell(0, 2)), Content::Ice);
}

#[test]
fn the_end_is_worth_what_the_margin_of_the_game_says() {
    let text = format!("{} a 3 -5", "b".repeat(81));
    let Diagram { board, position } = text.parse().unwrap();
    let game = Icebreaking::new(board);
    assert_eq!(game.turn(&position), Turn::Over(Utilities::zero_sum(1.0)));
    let by_points = Icebreaking { margin: Margin { win: 0.5, largest: 16.0 }, ..game };
    assert_eq!(by_points.turn(&position), Turn::Over(Utilities::zero_sum(0.75)));
}

#[test]
fn the_hash_tells_different_futures_apart() {
    let game = Icebreaking::from_seed(5);
    let mut rng = rng::stream(5, 7);
    let mut futures = std::collections::HashSet::new();
    let mut hashes = std::collections::HashSet::new();
    for _ in 0..100 {
        let mut position = game.start();
        while !position.is_over() {
            let ice: Vec<Cell> = position.cells().collect();
            futures.insert((ice, position.side(), position.margin()));
            hashes.insert(game.hash(&position));
            position.apply(&game.board, game.random_action(&position, &mut rng));
        }
    }
    assert_eq!(futures.len(), hashes.len());
}

#[test]
fn ice_is_counted_by_the_scores_of_its_cells() {
    let mut rng = rng::stream(9, 0);
    for seed in 0..20 {
        let game = Icebreaking::from_seed(seed);
        let mut position = game.start();
        while !position.is_over() {
            let mut expected = [0; 5];
            for cell in position.cells() {
                expected[(game.board.score(cell).unwrap() + 2) as usize] += 1;
            }
            assert_eq!(position.ice_by_score(&game.board), expected);
            let cell = game.random_action(&position, &mut rng);
            game.apply(&mut position, cell);
        }
        assert_eq!(position.ice_by_score(&game.board), [0; 5]);
    }
}
