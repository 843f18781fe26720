//! Search on a graph of states: solved games, and no playout counted twice.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic")]

mod support;

use mcts_core::testing::{CheckOptions, Position, TreeGame, check_game};
use mcts_core::{
    Budget, Game, GraphUct, NoClock, Player, Reuse, Search, StopReason, Turn, Uct, Utilities,
};
use std::collections::HashMap;
use support::in_a_row::{Board, InARow};
use support::{Countdown, Nim, Payouts};

fn graph() -> GraphUct {
    GraphUct::default()
}

#[test]
fn games_in_a_row_keep_the_contract() {
    check_game(&InARow::TIC_TAC_TOE, &CheckOptions::default()).unwrap();
    check_game(&InARow::connect(5, 4, 4), &CheckOptions::default()).unwrap();
}

#[test]
fn tic_tac_toe_is_proven_to_be_a_draw_with_fewer_playouts_than_in_a_tree() {
    let game = InARow::TIC_TAC_TOE;
    let budget = Budget::playouts(200_000).to_the_end();
    let on_graph = graph().search(game, 1).run(&game.start(), &budget).unwrap();
    let in_tree = <Uct>::default().search(game, 1).run(&game.start(), &budget).unwrap();
    for report in [&on_graph, &in_tree] {
        assert_eq!((report.stopped_by, report.value()), (StopReason::Proven, Some(0.0)));
    }
    assert!(on_graph.playouts * 2 < in_tree.playouts, "{} {}", on_graph.playouts, in_tree.playouts);
}

/// All boards that can be reached.
fn boards(game: &InARow) -> Vec<Board> {
    let mut seen: HashMap<Board, ()> = HashMap::new();
    let mut open = vec![game.start()];
    while let Some(board) = open.pop() {
        if seen.insert(board, ()).is_none() && matches!(game.turn(&board), Turn::Player(_)) {
            game.actions(&board, |cell| {
                let mut after = board;
                game.apply(&mut after, cell);
                open.push(after);
            });
        }
    }
    let mut boards: Vec<_> = seen.into_keys().collect();
    boards.sort_unstable();
    boards
}

#[test]
fn every_position_of_tic_tac_toe_is_worth_what_the_solver_says() {
    let game = InARow::TIC_TAC_TOE;
    let mut known = HashMap::new();
    let all = boards(&game);
    // 5,478 positions, the known number
    assert_eq!(all.len(), 5_478);
    let mut search = graph().search(game, 3);
    for board in all.iter().filter(|board| matches!(game.turn(board), Turn::Player(_))) {
        let exact = f32::from(game.solve(board, &mut known));
        let budget = Budget::playouts(100_000).to_the_end();
        let report = search.run(board, &budget).unwrap();
        assert_eq!(
            (report.stopped_by, report.value()),
            (StopReason::Proven, Some(exact)),
            "{board:?}"
        );
    }
}

#[test]
fn small_boards_of_connect_four_are_solved() {
    // four in a row on 4 x 4 is a draw (Tromp, 2008)
    for (width, height, length, exact) in [(4, 4, 4, 0.0), (4, 4, 3, 1.0), (5, 3, 3, 1.0)] {
        let game = InARow::connect(width, height, length);
        let solved = f32::from(game.solve(&game.start(), &mut HashMap::new()));
        assert_eq!(solved, exact, "{game:?}");
        let mut search = graph().search(game, 1);
        let report = search.run(&game.start(), &Budget::playouts(3_000_000).to_the_end()).unwrap();
        assert_eq!((report.stopped_by, report.value()), (StopReason::Proven, Some(exact)));
    }
}

#[test]
fn a_graph_has_one_node_for_each_state() {
    let game = Hashed(Countdown { plies: 40, winner: Player::SECOND });
    let parts = GraphUct { solver: false, ..graph() };
    let budget = Budget::playouts(10_000).to_the_end();
    let report = parts.search(game, 1).run(&game.start(), &budget).unwrap();
    assert!(report.tree_nodes <= 41, "{}", report.tree_nodes);
    let visits: u32 = report.actions.iter().map(|action| action.visits).sum();
    assert_eq!((u64::from(visits), report.value()), (10_000, Some(-1.0)));
}

#[test]
fn means_are_those_of_the_evaluations_however_playouts_are_gathered() {
    // 1/4 is exact in binary: a playout counted twice or a leftover virtual loss would be visible
    for lanes in [1, 4] {
        let game = Hashed(Countdown { plies: 10_000, winner: Player::SECOND });
        let parts = GraphUct {
            selection: mcts_core::Ucb1::default(),
            evaluator: Quarter { lanes },
            evaluations_first: 1,
            solver: true,
            final_action: mcts_core::FinalAction::Robust,
            memory_cap_bytes: 1 << 20,
        };
        let budget = Budget::playouts(5_000).to_the_end();
        let report = parts.search(game, 1).run(&game.start(), &budget).unwrap();
        assert!(report.actions.iter().all(|action| action.value == Some(0.25)), "{report:?}");
    }
}

#[test]
fn a_full_graph_stays_near_its_cap_and_still_finds_the_win() {
    let game = Nim { counters: 60 };
    let parts = GraphUct { memory_cap_bytes: 100_000, solver: false, ..graph() };
    let mut search = parts.search(game, 1);
    let report = search.run(&game.start(), &Budget::playouts(100_000).to_the_end()).unwrap();
    assert!(report.memory_bytes < 110_000, "{}", report.memory_bytes);
    assert_eq!(report.playouts, 100_000);
    let game = Nim { counters: 11 };
    let report = parts.search(game, 1).run(&game.start(), &Budget::playouts(50_000)).unwrap();
    assert_eq!(report.best, 3);
}

#[test]
fn a_search_builds_on_the_graph_of_the_one_before() {
    let game = Hashed(Countdown { plies: 10_000, winner: Player::SECOND });
    let mut search = graph().search(game, 1);
    let budget = Budget::playouts(1_000).to_the_end();
    let first = search.run(&game.start(), &budget).unwrap();
    assert_eq!(first.reuse, Reuse::Fresh);
    let mut after = game.start();
    game.apply(&mut after, first.best);
    assert!(matches!(search.run(&after, &budget).unwrap().reuse, Reuse::Kept { visits: 100.. }));
}

#[test]
fn equal_seeds_give_equal_reports() {
    let game = InARow::connect(6, 5, 4);
    let budget = Budget::playouts(3_000);
    let run = |seed| graph().search(game, seed).run_with_clock(&game.start(), &budget, &NoClock);
    assert_eq!(run(4), run(4));
    assert_ne!(run(4).unwrap().actions, run(5).unwrap().actions);
}

#[test]
fn playouts_end_where_play_comes_back_to_a_state() {
    let game = Ring;
    check_game(&game, &CheckOptions::default()).unwrap();
    let budget = Budget::playouts(5_000).to_the_end();
    let report = graph().search(game, 1).run(&4, &budget).unwrap();
    // from four of six, the nearest exit with a reward is at five
    assert_eq!(report.best, 1);
    assert!(report.deepest <= 7, "{}", report.deepest);
}

#[test]
fn rewards_on_the_way_and_chances_have_their_values() {
    let game =
        Payouts { steps: vec![[1.0, 0.0, 0.0], [0.0, 0.0, 1.5], [0.5, 0.5, 0.5]], discount: 0.5 };
    let budget = Budget::playouts(500).to_the_end();
    let report = graph().search(game.clone(), 1).run(&game.start(), &budget).unwrap();
    // 1, 1.5 / 4 and 0.5 + 0.25 + 0.125
    for (path, value) in [(0, 1.0), (1, 0.375), (2, 0.875)] {
        let found = report.actions.iter().find(|action| action.action == path).unwrap();
        assert_eq!(found.value, Some(value));
    }
    let coin = |good: f32| {
        Position::Chance(vec![(0.75, Position::over(good)), (0.25, Position::over(-good))])
    };
    let game = TreeGame::<2>::new(Position::second([coin(1.0), coin(-0.5)]));
    let report = graph().search(game.clone(), 1).run(&game.start(), &budget).unwrap();
    assert_eq!(report.best, 1);
    assert!((report.value().unwrap() - 0.25).abs() < 0.1);
}

/// Every leaf has the value 1/4 for the first player.
struct Quarter {
    lanes: usize,
}

impl<G: Game> mcts_core::Evaluator<G> for Quarter {
    fn lanes(&self) -> usize {
        self.lanes
    }
    fn evaluate(
        &mut self,
        _: &G,
        _: &G::State,
        _: &mut impl mcts_core::Recorder,
        _: &mut mcts_core::SearchRng,
    ) -> Utilities {
        Utilities::zero_sum(0.25)
    }
}

/// A ring of six places with exits at 0, utility 0, and at 5, utility 1; a single player moves in
/// either direction.
#[derive(Debug, Clone, Copy)]
struct Ring;

impl Game for Ring {
    type State = u8;
    type Action = i8;
    const PLAYERS: usize = 1;

    fn start(&self) -> u8 {
        3
    }
    fn turn(&self, place: &u8) -> Turn {
        match place {
            0 => Turn::Over(Utilities::ZERO),
            5 => Turn::Over(Utilities::single(1.0)),
            _ => Turn::Player(Player::FIRST),
        }
    }
    fn actions(&self, _: &u8, mut visit: impl FnMut(i8)) {
        visit(-1);
        visit(1);
    }
    fn apply(&self, place: &mut u8, step: i8) {
        *place = place.wrapping_add_signed(step);
    }
    fn action_index(&self, step: i8) -> Option<usize> {
        Some(usize::from(step > 0))
    }
    fn action_indices(&self) -> usize {
        2
    }
    fn hash(&self, place: &u8) -> Option<u64> {
        Some(u64::from(*place))
    }
}

/// A game with a hash of its state.
#[derive(Debug, Clone, Copy)]
struct Hashed(Countdown);

impl Game for Hashed {
    type State = u32;
    type Action = u8;

    fn start(&self) -> u32 {
        self.0.start()
    }
    fn turn(&self, left: &u32) -> Turn {
        self.0.turn(left)
    }
    fn actions(&self, left: &u32, visit: impl FnMut(u8)) {
        self.0.actions(left, visit);
    }
    fn apply(&self, left: &mut u32, action: u8) {
        self.0.apply(left, action);
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        self.0.action_index(action)
    }
    fn action_indices(&self) -> usize {
        self.0.action_indices()
    }
    fn hash(&self, left: &u32) -> Option<u64> {
        Some(mcts_core::rng::mix(u64::from(*left)))
    }
}
