//! The proven values and the plies to the end of random games equal those of max^n and expectimax, in trees and
//! in graphs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/random_game.rs"]
mod random_game;

use mcts_core::game::Exact;
use mcts_core::rng::stream;
use mcts_core::testing::{CheckOptions, Position, TreeGame, check_game};
use mcts_core::{
    Budget, Game, GraphUct, Margin, Report, RootParallel, ScoreBounds, Search, StopReason,
    TreeParallel, Uct,
};
use random_game::{RandomGame, Shape};
use std::num::NonZero;

const SHAPE: Shape =
    Shape { depth: 5, width: (1, 4), chance: 0, early: 2, steps: 0, transpositions: false };
const CHANCE: Shape = Shape { chance: 3, ..SHAPE };

/// The proofs of one game.
#[derive(Debug, Default, Clone, Copy)]
struct Proven {
    roots: usize,
    actions: usize,
}

/// Compares the proofs of a game with its exact values; `with_plies` if nothing is proven before
/// all children of a node are.
fn check<const N: usize, const B: i32>(
    game: &RandomGame<N, B>,
    report: &Report<u16>,
    with_plies: bool,
    proven: &mut Proven,
) {
    let exact = game.solve_actions();
    let utility = |action: u16| exact[usize::from(action)].utilities.of_player(game.mover());
    for action in &report.actions {
        let Some(proof) = action.proven else { continue };
        proven.actions += 1;
        let expected = utility(action.action);
        assert!((proof.utility - expected).abs() < 1e-6, "{proof:?}, not {expected}: {game:?}");
        if with_plies {
            assert_eq!(proof.plies, exact[usize::from(action.action)].plies, "{game:?}");
        }
    }
    if report.stopped_by == StopReason::Proven {
        proven.roots += 1;
        let best = game.solve()[0];
        let (found, expected) = (utility(report.best), best.utilities.of_player(game.mover()));
        assert!((found - expected).abs() < 1e-6, "{} is played: {game:?}", report.best);
        let plies = report.best_action().unwrap().proven.unwrap().plies;
        assert!(!with_plies || plies + 1 == best.plies, "{plies}: {game:?}");
    }
}

/// Every search that proves values, on random games of a shape with a budget that grows from game
/// to game.
fn check_searches<const N: usize, const B: i32>(
    shape: &Shape,
    seed: u64,
    with_plies: bool,
) -> [Proven; 5] {
    let mut rng = stream(seed, 0);
    let mut proven = [Proven::default(); 5];
    for at in 0..150 {
        let game = RandomGame::<N, B>::new(&mut rng, shape);
        let budget = Budget::playouts(5 * at).to_the_end();
        let uct = || Uct { memory_cap_bytes: 1 << 20, ..<Uct>::default() };
        let graph = GraphUct { memory_cap_bytes: 1 << 20, ..<GraphUct>::default() };
        let bounded = uct().with_selection(<ScoreBounds>::default());
        let two = NonZero::new(2).unwrap();
        let reports = [
            uct().search(game.clone(), at).run(&0, &budget),
            graph.search(game.clone(), at).run(&0, &budget),
            bounded.search(game.clone(), at).run(&0, &budget),
            TreeParallel { uct: uct(), threads: two, leaves: two }
                .search(game.clone(), at)
                .run(&0, &budget),
            RootParallel { uct: uct(), threads: two }.search(game.clone(), at).run(&0, &budget),
        ];
        for (place, report) in reports.into_iter().enumerate() {
            // score bounds prove a node before all of its children
            check(&game, &report.unwrap(), with_plies && place != 2, &mut proven[place]);
        }
    }
    proven
}

#[test]
fn random_games_keep_the_contract() {
    let mut rng = stream(20, 0);
    for shape in [SHAPE, CHANCE, Shape { transpositions: true, ..CHANCE }] {
        check_game(&RandomGame::<1>::new(&mut rng, &shape), &CheckOptions::default()).unwrap();
        check_game(&RandomGame::<2>::new(&mut rng, &shape), &CheckOptions::default()).unwrap();
        check_game(&RandomGame::<3, 10>::new(&mut rng, &shape), &CheckOptions::default()).unwrap();
    }
}

#[test]
fn proofs_are_right_for_any_number_of_players() {
    for proven in [
        check_searches::<1, 1>(&SHAPE, 21, true),
        check_searches::<2, 1>(&SHAPE, 22, true),
        check_searches::<3, 1>(&SHAPE, 23, true),
    ] {
        assert!(proven.iter().all(|of| of.roots > 75 && of.actions > 150), "{proven:?}");
    }
}

#[test]
fn proofs_are_right_with_chance() {
    for proven in [
        check_searches::<1, 1>(&CHANCE, 24, true),
        check_searches::<2, 1>(&CHANCE, 25, true),
        check_searches::<3, 1>(&CHANCE, 26, true),
    ] {
        assert!(proven.iter().all(|of| of.roots > 50 && of.actions > 100), "{proven:?}");
    }
}

#[test]
fn proofs_are_right_where_positions_are_reached_by_several_lines() {
    let shape = Shape { transpositions: true, ..CHANCE };
    for proven in
        [check_searches::<2, 1>(&shape, 27, true), check_searches::<3, 1>(&shape, 28, true)]
    {
        assert!(proven.iter().all(|of| of.roots > 50 && of.actions > 100), "{proven:?}");
    }
}

#[test]
fn wins_inside_the_bounds_are_proven_quickest_and_losses_slowest() {
    // only -1, 0 and 1, so that most positions have actions of equal utility
    let shape = Shape { steps: 1, ..SHAPE };
    for proven in
        [check_searches::<1, 10>(&shape, 29, true), check_searches::<2, 10>(&shape, 30, true)]
    {
        assert!(proven.iter().all(|of| of.roots > 75 && of.actions > 150), "{proven:?}");
    }
}

/// A game that ends after this number of plies with this utility for the first player, for any
/// actions.
fn forced(plies: u32, utility: f32) -> Position {
    match plies {
        0 => Position::over(utility),
        plies if plies % 2 == 1 => Position::first(vec![forced(plies - 1, utility); 2]),
        plies => Position::second(vec![forced(plies - 1, utility); 2]),
    }
}

/// The actions that a tree and a graph play, for each seed; the first player is to move.
fn played(actions: &[Position], playouts: u64) -> Vec<[u16; 2]> {
    let game = TreeGame::<2>::new(Position::first(actions));
    let budget = Budget::playouts(playouts).to_the_end();
    let uct = Uct { memory_cap_bytes: 1 << 20, ..<Uct>::default() };
    let graph = GraphUct { memory_cap_bytes: 1 << 20, ..<GraphUct>::default() };
    let best = |report: Result<Report<u16>, _>| report.unwrap().best;
    (0..40)
        .map(|seed| {
            let start = game.start();
            [
                best(uct.search(game.clone(), seed).run(&start, &budget)),
                best(graph.search(game.clone(), seed).run(&start, &budget)),
            ]
        })
        .collect()
}

#[test]
fn of_forced_wins_the_shortest_is_played_and_of_forced_losses_the_longest() {
    // within the bounds of -1 and 1, as in score games; the last two are wins by one of 64 cells
    let margin = Margin { win: 0.9, largest: 64.0 };
    for utility in [0.1, -0.1, margin.utility(1), margin.utility(-1)] {
        for plies in [[6, 0, 4, 2], [3, 5, 1, 3], [2, 2, 7, 4]] {
            let actions = plies.map(|plies| forced(plies, utility));
            let wanted = if utility > 0.0 { plies.iter().min() } else { plies.iter().max() };
            let wanted = plies.iter().position(|plies| Some(plies) == wanted).unwrap() as u16;
            for best in played(&actions, 2_000) {
                let is_wanted = |best: u16| plies[usize::from(best)] == plies[usize::from(wanted)];
                assert!(best.into_iter().all(is_wanted), "{utility} after {plies:?}: {best:?}");
            }
        }
    }
}

#[test]
fn an_action_that_loses_at_once_is_not_played_before_unknown_ones() {
    for utility in [-1.0, -0.1] {
        let loss = Position::over(utility);
        let unknown = || forced(3, 0.5);
        for best in played(&[loss.clone(), unknown(), loss, unknown()], 0) {
            assert!(best.into_iter().all(|best| best % 2 == 1), "{utility}: {best:?}");
        }
    }
}

#[test]
fn an_action_that_wins_or_draws_at_once_is_played_before_unknown_ones() {
    for utility in [0.0, 0.1, 1.0] {
        let known = Position::over(utility);
        for best in played(&[forced(3, 0.5), known, forced(3, -0.5)], 0) {
            assert_eq!(best, [1, 1], "{utility}");
        }
    }
}

#[test]
fn a_lottery_is_proven_to_be_worth_its_mean() {
    let lottery = |win: f32| {
        let outcomes = [(win, Position::over(1.0)), (1.0 - win, Position::over(-1.0))];
        Position::Chance(outcomes.into())
    };
    // values -0.2, 0.2 and -1 for the first player
    let actions = [lottery(0.4), lottery(0.6), Position::second([lottery(0.9), forced(2, -1.0)])];
    let game = TreeGame::<2>::new(Position::first(actions));
    let budget = Budget::playouts(2_000).to_the_end();
    let tree = <Uct>::default().search(game.clone(), 1).run(&game.start(), &budget);
    let graph = <GraphUct>::default().search(game.clone(), 1).run(&game.start(), &budget);
    for report in [tree.unwrap(), graph.unwrap()] {
        assert_eq!((report.best, report.stopped_by), (1, StopReason::Proven), "{report:?}");
        for (action, value) in [(0, -0.2), (1, 0.2), (2, -1.0)] {
            let of = report.actions.iter().find(|of| of.action == action).unwrap();
            assert!((of.proven.unwrap().utility - value).abs() < 1e-6, "{of:?}");
        }
    }
}

/// Number of roots of random games where the played action is worse than the best by more than
/// 0.02.
fn regrets(shape: &Shape, solver: bool) -> u32 {
    let mut rng = stream(31, 0);
    let mut regrets = 0;
    for seed in 0..400 {
        let game = RandomGame::<3>::new(&mut rng, shape);
        let exact = game.solve_actions();
        let utility = |of: &Exact| of.utilities.of_player(game.mover());
        let best = exact.iter().map(utility).fold(f32::MIN, f32::max);
        let parts = Uct { solver, memory_cap_bytes: 1 << 20, ..<Uct>::default() };
        let report = parts.search(game.clone(), seed).run(&0, &Budget::playouts(300)).unwrap();
        regrets += u32::from(best - utility(&exact[usize::from(report.best)]) > 0.02);
    }
    regrets
}

#[test]
fn proven_values_do_not_lead_astray_where_most_of_a_game_is_open() {
    // a solver that backs up results of open children in place of proven values is no better here
    // than none
    let shape = Shape { depth: 3, width: (4, 12), ..SHAPE };
    for shape in [shape, Shape { chance: 3, ..shape }] {
        let (with, without) = (regrets(&shape, true), regrets(&shape, false));
        assert!(10 * with < 9 * without, "{with} of 400 with the solver, {without} without");
    }
}
