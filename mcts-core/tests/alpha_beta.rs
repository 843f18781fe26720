//! Alpha-beta: exact values, values of a depth, node counts, stops, solved sizes of Connect Four.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/in_a_row.rs"]
mod in_a_row;
#[path = "support/random_game.rs"]
mod random_game;

use in_a_row::{Board, InARow};
use mcts_core::rng::{mix, stream};
use mcts_core::search::alpha_beta::{Horizon, NoEvaluation, Reductions, StaticEvaluation};
use mcts_core::testing::{Position, TreeGame};
use mcts_core::{
    AlphaBeta, Budget, Game, NoClock, Player, Report, Search, StopReason, Turn, Utilities,
};
use random_game::{RandomGame, Shape};

fn random_game<const N: usize>(seed: u64, chance: bool) -> RandomGame<N> {
    let shape = Shape {
        depth: 7,
        width: (1, 4),
        chance: if chance { 2 } else { 0 },
        early: 1,
        steps: 4,
        transpositions: seed.is_multiple_of(2),
    };
    RandomGame::new(&mut stream(seed, 0), &shape)
}

const REDUCED: Reductions = Reductions { full: 1, least_depth: 2, plies: 1 };

/// With and without window, table and reductions.
fn settings() -> [AlphaBeta; 4] {
    let plain = AlphaBeta {
        window: 0.0,
        reductions: Reductions::NONE,
        memory_cap_bytes: 0,
        ..AlphaBeta::default()
    };
    [
        plain,
        AlphaBeta { window: 0.1, ..plain },
        AlphaBeta { window: 0.1, memory_cap_bytes: 1 << 10, ..plain },
        AlphaBeta { window: 0.3, memory_cap_bytes: 1 << 16, reductions: REDUCED, ..plain },
    ]
}

fn run<G: Game, V: StaticEvaluation<G>>(
    parts: AlphaBeta<V>,
    game: G,
    budget: &Budget,
) -> Report<G::Action> {
    let start = game.start();
    parts.search(game).run_with_clock(&start, budget, &NoClock).unwrap()
}

/// Searches random games to their end, and compares value, action and proofs with backward induction.
fn check_players<const N: usize>() {
    for seed in 0..150 {
        for chance in [false, true] {
            let game = random_game::<N>(seed, chance);
            let exact = game.solve_actions();
            let value = |action: u16| exact[usize::from(action)].utilities.of_player(game.mover());
            let best = (0..exact.len() as u16).map(value).fold(f32::MIN, f32::max);
            for parts in settings() {
                let report = run(parts, game.clone(), &Budget::UNLIMITED.to_the_end());
                let of = format!("seed {seed}, chance {chance}, {parts:?}: {report:?}");
                assert_eq!(report.stopped_by, StopReason::Proven, "{of}");
                assert!((value(report.best) - best).abs() < 1e-5, "{best} {of}");
                assert!((report.value().unwrap() - best).abs() < 1e-5, "{best} {of}");
                for action in &report.actions {
                    let exact = value(action.action);
                    if let Some(proof) = action.proven {
                        assert!((proof.utility - exact).abs() < 1e-5, "{exact} {of}");
                    }
                    // beside a win nothing else need be searched to the end
                    let is_bound = action.value.is_none_or(|bound| bound > exact - 1e-5);
                    assert!(best >= 1.0 || is_bound, "{exact} {of}");
                }
            }
        }
    }
}

#[test]
fn one_player_gets_what_expectimax_says() {
    check_players::<1>();
}

#[test]
fn two_players_get_what_minimax_says() {
    check_players::<2>();
}

#[test]
fn a_win_is_the_quickest_and_a_loss_the_slowest() {
    for seed in 0..150 {
        let game = random_game::<2>(seed, false);
        let exact = game.solve_actions();
        let report = run(settings()[0], game.clone(), &Budget::UNLIMITED.to_the_end());
        let proof = report.best_action().unwrap().proven.unwrap();
        if proof.utility.abs() > 0.999 {
            let of_equals = exact
                .iter()
                .filter(|of| (of.utilities.of_player(game.mover()) - proof.utility).abs() < 1e-5);
            let plies = of_equals.map(|of| of.plies);
            let expected = if proof.utility > 0.0 { plies.min() } else { plies.max() };
            assert_eq!(Some(proof.plies), expected, "seed {seed}");
        }
    }
}

/// A number that depends on the position alone.
fn guess(at: u32) -> f32 {
    (mix(u64::from(at)) % 17) as f32 / 8.0 - 1.0
}

/// Minimax to a depth in plain code, for the first player; outcomes of chance are no plies.
fn minimax(game: &RandomGame<2>, at: u32, depth: u32) -> f64 {
    let mover = match game.turn(&at) {
        Turn::Over(utilities) => return f64::from(utilities.0[0]),
        Turn::Chance => {
            let mut mean = 0.0;
            game.outcomes(&at, |action, probability| {
                let mut after = at;
                game.apply(&mut after, action);
                mean += f64::from(probability) * minimax(game, after, depth);
            });
            return mean;
        }
        Turn::Player(player) => player,
    };
    let sign = if mover == Player::FIRST { 1.0 } else { -1.0 };
    if depth == 0 {
        return sign * f64::from(guess(at));
    }
    let mut best = f64::MIN;
    game.actions(&at, |action| {
        let mut after = at;
        game.apply(&mut after, action);
        best = best.max(sign * minimax(game, after, depth - 1));
    });
    sign * best
}

#[test]
fn a_depth_limit_gives_minimax_of_that_depth() {
    for seed in 0..100 {
        for chance in [false, true] {
            let game = random_game::<2>(seed, chance);
            for depth in 1..=5 {
                let expected = minimax(&game, game.start(), depth);
                let sign = if game.mover() == Player::FIRST { 1.0 } else { -1.0 };
                for window in [0.0, 0.05] {
                    let parts = AlphaBeta { depth: Some(depth), window, ..settings()[0] };
                    let parts = parts.with_evaluation(|_: &RandomGame<2>, at: &u32| guess(*at));
                    let report = run(parts, game.clone(), &Budget::UNLIMITED.to_the_end());
                    let found = sign * f64::from(report.value().unwrap());
                    assert!(
                        (found - expected).abs() < 1e-5,
                        "seed {seed}, chance {chance}, depth {depth}: {found}, not {expected}"
                    );
                    let stops = [StopReason::Depth, StopReason::Proven];
                    assert!(stops.contains(&report.stopped_by), "{:?}", report.stopped_by);
                }
            }
        }
    }
}

/// `width` actions everywhere, two players in turn, a draw after `plies` plies.
struct Uniform {
    width: u8,
    plies: u32,
}

impl Game for Uniform {
    type State = u32;
    type Action = u8;

    fn start(&self) -> u32 {
        0
    }
    fn turn(&self, ply: &u32) -> Turn {
        match *ply {
            ply if ply == self.plies => Turn::Over(Utilities::ZERO),
            ply => Turn::Player(Player((ply % 2) as u8)),
        }
    }
    fn actions(&self, _: &u32, visit: impl FnMut(u8)) {
        (0..self.width).for_each(visit);
    }
    fn apply(&self, ply: &mut u32, _: u8) {
        *ply += 1;
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        Some(action.into())
    }
    fn action_indices(&self) -> usize {
        self.width.into()
    }
}

/// Knuth and Moore (1975), section 6: of the positions at ply `d` of a tree of width `b` a search must visit at least
/// `b^ceil(d/2) + b^floor(d/2) - 1`, and visits no others if the best action always comes first.
fn minimal(width: u64, ply: u32) -> u64 {
    width.pow(ply.div_ceil(2)) + width.pow(ply / 2) - 1
}

#[test]
fn the_fewest_nodes_possible_are_visited_where_every_order_is_best() {
    for width in 1..=6_u8 {
        for plies in 1..=6 {
            let report =
                run(settings()[0], Uniform { width, plies }, &Budget::UNLIMITED.to_the_end());
            let of_iteration =
                |depth| (1..=depth).map(|ply| minimal(width.into(), ply)).sum::<u64>();
            let expected: u64 = (1..=plies).map(of_iteration).sum();
            assert_eq!(report.playouts, expected, "width {width}, {plies} plies");
            assert_eq!((report.value(), report.deepest), (Some(0.0), plies));
        }
    }
}

#[test]
fn a_search_in_small_steps_is_the_search_in_one_go() {
    let game = random_game::<2>(4, true);
    let [.., parts] = settings();
    let whole = run(parts, game.clone(), &Budget::UNLIMITED.to_the_end());
    let mut search = parts.search(game.clone());
    search.prepare(&0).unwrap();
    let mut nodes = 0;
    while search.playouts(&0, 1) == 1 {
        nodes += 1;
    }
    assert_eq!(nodes, whole.playouts);
    let root = search.root();
    assert_eq!(root.ended, Some(StopReason::Proven));
    let mut actions = whole.actions;
    actions.sort_by_key(|of| of.action);
    assert_eq!(root.reports(), actions);
}

#[test]
fn a_second_search_of_the_same_state_goes_on() {
    let game = random_game::<2>(4, true);
    let [.., parts] = settings();
    let whole = run(parts, game.clone(), &Budget::UNLIMITED.to_the_end());
    let mut search = parts.search(game);
    let first = search.run_with_clock(&0, &Budget::playouts(20).to_the_end(), &NoClock).unwrap();
    let second = search.run_with_clock(&0, &Budget::UNLIMITED.to_the_end(), &NoClock).unwrap();
    assert_eq!((first.playouts, second.playouts), (20, whole.playouts - 20));
    assert_eq!(second.actions, whole.actions);
}

#[test]
fn an_action_comes_at_any_budget_and_a_stop_inside_an_iteration_claims_nothing_false() {
    for seed in 0..40 {
        let game = random_game::<2>(seed, false);
        let exact = game.solve_actions();
        for nodes in 0..60 {
            for parts in settings() {
                let report = run(parts, game.clone(), &Budget::playouts(nodes));
                assert!(report.playouts <= nodes);
                assert_eq!(report.principal_variation[0], report.best);
                for action in &report.actions {
                    let exact = exact[usize::from(action.action)].utilities.of_player(game.mover());
                    if let Some(proof) = action.proven {
                        assert!((proof.utility - exact).abs() < 1e-5, "seed {seed}: {report:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_value_that_is_not_a_number_is_the_middle_and_an_infinity_the_nearer_bound() {
    let reply = |value| Position::second([Position::over(value), Position::over(value)]);
    let game = TreeGame::<2>::new(Position::first([reply(0.3), reply(0.2)]));
    for (wrong, expected) in [(f32::NAN, 0.0), (f32::INFINITY, 1.0), (f32::NEG_INFINITY, -1.0)] {
        // the reply is the opponent's, whose value changes sign
        let evaluation = move |_: &TreeGame<2>, _: &Vec<u16>| -wrong;
        let parts = AlphaBeta { depth: Some(1), ..AlphaBeta::default() };
        let report = run(parts.with_evaluation(evaluation), game.clone(), &Budget::UNLIMITED);
        assert!((report.value().unwrap() - expected).abs() < 1e-5, "{wrong}: {report:?}");
        assert_eq!(report.best_action().unwrap().proven, None);
    }
    let chance = |probability| {
        let outcomes = vec![(probability, Position::over(1.0)), (0.5, Position::over(-0.5))];
        TreeGame::<2>::new(Position::first([Position::Chance(outcomes), Position::over(-1.0)]))
    };
    for (probability, value, is_proven) in [(0.5, 0.25, true), (f32::NAN, -0.25, false)] {
        let report = run(AlphaBeta::default(), chance(probability), &Budget::playouts(5_000));
        assert_eq!((report.best, report.value()), (0, Some(value)));
        assert_eq!(report.best_action().unwrap().proven.is_some(), is_proven, "{report:?}");
    }
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let over = TreeGame::<2>::new(Position::over(0.5));
    let error = AlphaBeta::default().search(over.clone()).prepare(&over.start()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the game is over, with utilities {:?}", Utilities::zero_sum(0.5))
    );
    let chance = TreeGame::<2>::new(Position::Chance(vec![(1.0, Position::over(0.5))]));
    let error = AlphaBeta::default().search(chance.clone()).prepare(&chance.start()).unwrap_err();
    assert_eq!(error.to_string(), "the next action is up to chance");
}

/// Wins as soon as an exchange is over: the leaf before the reply looks good, the reply takes it back.
struct Exchange;

impl StaticEvaluation<TreeGame> for Exchange {
    fn evaluate(&mut self, _: &TreeGame, path: &Vec<u16>) -> f32 {
        // for the player to move: the opponent after one ply, the player after two
        [0.0, -0.9, -0.5][path.len()]
    }

    fn forcing(
        &mut self,
        _: &TreeGame,
        path: &Vec<u16>,
        beyond: u32,
        mut visit: impl FnMut(u16),
    ) -> Horizon {
        if path.len() == 1 && beyond == 0 {
            visit(0);
        }
        Horizon::StandPat
    }
}

#[test]
fn forcing_actions_are_searched_beyond_the_depth_limit() {
    let end = || Position::first([Position::over(-0.5), Position::over(-0.5)]);
    let game = TreeGame::<2>::new(Position::first([
        Position::second([end(), end()]),
        Position::second([end(), end()]),
    ]));
    let parts = AlphaBeta { depth: Some(1), ..AlphaBeta::default() };
    let report = run(parts.with_evaluation(Exchange), game, &Budget::UNLIMITED);
    // without the reply it would be 0.9
    assert!((report.value().unwrap() + 0.5).abs() < 1e-5, "{report:?}");
    assert_eq!(report.deepest, 2);
}

/// No knowledge of Connect Four except that columns in the middle matter most.
#[derive(Clone, Copy)]
struct MiddleFirst;

impl StaticEvaluation<InARow> for MiddleFirst {
    fn evaluate(&mut self, game: &InARow, board: &Board) -> f32 {
        NoEvaluation.evaluate(game, board)
    }

    fn order(&mut self, game: &InARow, _: &Board, cell: u8, _: u32) -> i32 {
        let column = i32::from(cell) / (game.height as i32 + 1);
        -(2 * column - game.width as i32 + 1).abs()
    }
}

/// The value for the first player of Connect Four on this size.
fn connect_four(width: u32, height: u32) -> Option<f32> {
    let parts = AlphaBeta { window: 0.0, memory_cap_bytes: 256 << 20, ..AlphaBeta::default() };
    let parts = parts.with_evaluation(MiddleFirst);
    let report = run(parts, InARow::connect(width, height, 4), &Budget::UNLIMITED);
    assert_eq!(report.stopped_by, StopReason::Proven);
    report.value()
}

/// Tromp (2008), table of solved sizes: a draw on all of these but 6 x 4, which the second player wins.
#[test]
fn small_sizes_of_connect_four_have_their_published_values() {
    for (width, height, value) in [(4, 4, 0.0), (5, 4, 0.0), (4, 5, 0.0), (6, 4, -1.0)] {
        assert_eq!(connect_four(width, height), Some(value), "{width} x {height}");
    }
}

#[test]
#[ignore = "slow: half a minute"]
fn larger_sizes_of_connect_four_have_their_published_values() {
    for (width, height) in [(5, 5), (6, 5)] {
        assert_eq!(connect_four(width, height), Some(0.0), "{width} x {height}");
    }
}

/// Positions of small boards, by a solver that shares nothing with the search.
#[test]
fn positions_of_small_boards_have_the_values_of_a_plain_solver() {
    let connect = InARow::connect;
    for game in [InARow::TIC_TAC_TOE, connect(4, 4, 3), connect(5, 3, 3), connect(4, 4, 4)] {
        let mut known = std::collections::HashMap::new();
        game.solve(&game.start(), &mut known);
        let mut boards: Vec<Board> = known.keys().copied().collect();
        boards.sort_unstable();
        let mut search =
            AlphaBeta { memory_cap_bytes: 1 << 20, ..AlphaBeta::default() }.search(game);
        for board in boards.iter().step_by(37) {
            if let Turn::Over(_) = game.turn(board) {
                continue;
            }
            let report = search.run_with_clock(board, &Budget::UNLIMITED, &NoClock).unwrap();
            let value = f32::from(known[board]);
            let found = report.value().filter(|_| report.stopped_by == StopReason::Proven);
            // a single action is not searched
            if report.stopped_by != StopReason::SingleAction {
                assert_eq!(found, Some(value), "{board:?}");
            }
        }
    }
}

/// Two players shuffle back and forth for ever unless the first one gives up a little to get away.
#[derive(Clone)]
struct Shuffle;

impl Game for Shuffle {
    type State = u32;
    type Action = u8;

    fn start(&self) -> u32 {
        0
    }
    fn turn(&self, ply: &u32) -> Turn {
        match *ply {
            100.. => Turn::Over(Utilities::zero_sum(-0.25)),
            ply => Turn::Player(Player((ply % 2) as u8)),
        }
    }
    fn actions(&self, ply: &u32, mut visit: impl FnMut(u8)) {
        visit(0);
        if ply.is_multiple_of(2) {
            visit(1);
        }
    }
    fn apply(&self, ply: &mut u32, action: u8) {
        *ply = if action == 0 { *ply + 1 } else { 100 };
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        Some(action.into())
    }
    fn action_indices(&self) -> usize {
        2
    }
}

/// The evaluation likes shuffling; every fourth position is the same.
#[derive(Clone, Copy)]
struct LikesShuffling {
    sees_repetitions: bool,
}

impl StaticEvaluation<Shuffle> for LikesShuffling {
    fn evaluate(&mut self, _: &Shuffle, ply: &u32) -> f32 {
        if ply.is_multiple_of(2) { -0.5 } else { 0.5 }
    }

    fn repetition_key(&self, _: &Shuffle, ply: &u32) -> Option<u64> {
        self.sees_repetitions.then_some(u64::from(ply % 4))
    }
}

#[test]
fn a_position_that_comes_up_again_on_its_line_is_a_draw() {
    for (sees_repetitions, expected) in [(false, -0.25), (true, 0.0)] {
        let parts = AlphaBeta { depth: Some(6), ..AlphaBeta::default() };
        let parts = parts.with_evaluation(LikesShuffling { sees_repetitions });
        let report = run(parts, Shuffle, &Budget::UNLIMITED);
        assert_eq!(report.value(), Some(expected), "{report:?}");
    }
}
