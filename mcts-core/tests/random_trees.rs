//! Every search against exact values on random games: minimax, expectimax, max^n, and equilibria of matrices.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/random_game.rs"]
mod random_game;
mod support;

use mcts_core::rng::stream;
use mcts_core::{
    Bandit, Budget, Decoupled, Game, GraphUct, HiddenInformation, InformationSets, IsMcts, NoClock,
    OpenLoop, Pimc, Player, Report, RootParallel, ScoreBounds, Search, SearchRng, Simultaneous,
    Strategy, TreeParallel, Ucb1, Uct,
};
use proptest::prelude::{Strategy as _, any, prop_assert};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use random_game::{RandomGame, Shape};
use std::cell::Cell;
use support::matrix::{Matrix, payoffs};

/// A random game of perfect information, so that searches of hidden information can play it.
impl<const N: usize> HiddenInformation for RandomGame<N> {
    type Observation = u32;
    type View = u32;

    fn first_view(&self, start: &u32, _: Player) -> u32 {
        *start
    }
    fn observe(&self, at: &u32, _: u16, _: Player) -> u32 {
        *at
    }
    fn grow(&self, view: &mut u32, _: Option<u16>, at: &u32) {
        *view = *at;
    }
    fn determinize(&self, view: &u32, _: &mut SearchRng) -> u32 {
        *view
    }
}

impl<const N: usize> InformationSets for RandomGame<N> {
    fn information_key(&self, at: &u32, _: Player) -> u64 {
        mcts_core::rng::mix(u64::from(*at) + 1)
    }
}

/// No simultaneous moves.
impl<const N: usize> Simultaneous for RandomGame<N> {
    fn is_same_moment(&self, _: &u32) -> bool {
        false
    }
}

/// Tests a property on seeded cases, the same in each run.
fn check(cases: u32, property: impl Fn(u64, bool) -> Result<(), TestCaseError>) {
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&(any::<u64>(), any::<bool>()), |(seed, chance)| property(seed, chance))
        .unwrap();
}

fn game<const N: usize>(seed: u64, chance: bool) -> RandomGame<N> {
    let shape = Shape {
        depth: 3,
        width: (2, 3),
        chance: if chance { 3 } else { 0 },
        early: 1,
        // an action of one player among equal ones decides the utility of a third: only distinct
        // values are exact then
        steps: if N > 2 { 0 } else { 4 },
        transpositions: seed.is_multiple_of(2),
    };
    RandomGame::new(&mut stream(seed, 0), &shape)
}

/// How much worse the action of a report is than the best one; also checks that every proof is
/// correct.
fn regret<const N: usize>(
    game: &RandomGame<N>,
    report: &Report<u16>,
) -> Result<f32, TestCaseError> {
    let exact = game.solve_actions();
    let value = |action: u16| exact[usize::from(action)].utilities.of_player(game.mover());
    for action in &report.actions {
        if let Some(proof) = action.proven {
            let expected = value(action.action);
            prop_assert!((proof.utility - expected).abs() < 1e-5, "{proof:?}, not {expected}");
        }
    }
    let best = (0..exact.len() as u16).map(value).fold(f32::MIN, f32::max);
    Ok(best - value(report.best))
}

/// All searches over states, each with enough playouts for games of a few dozen positions.
fn reports<const N: usize>(game: &RandomGame<N>) -> Vec<(&'static str, Report<u16>)> {
    let (start, budget) = (game.start(), Budget::playouts(4_000));
    let two = std::num::NonZero::new(2).unwrap();
    let plain = || <Uct>::default();
    // regret matching converges to the values of two players, but not of three
    let rule = if N > 2 { Bandit::Ucb1(Ucb1::default()) } else { Bandit::REGRET_MATCHING };
    let mut found = vec![];
    let mut add = |name, mut search: Box<dyn Search<Position = u32, Action = u16>>| {
        found.push((name, search.run_with_clock(&start, &budget, &NoClock).unwrap()));
    };
    add("uct", Box::new(plain().search(game.clone(), 1)));
    add("uct without solver", Box::new(Uct { solver: false, ..plain() }.search(game.clone(), 1)));
    let bounds = plain().with_selection(<ScoreBounds>::default());
    add("score bounds", Box::new(bounds.search(game.clone(), 1)));
    add("graph", Box::new(<GraphUct>::default().search(game.clone(), 1)));
    add(
        "root parallel",
        Box::new(RootParallel { threads: two, uct: plain() }.search(game.clone(), 1)),
    );
    add(
        "tree parallel",
        Box::new(
            TreeParallel { threads: two, uct: plain(), ..TreeParallel::default() }
                .search(game.clone(), 1),
        ),
    );
    add("open loop", Box::new(OpenLoop { rule, ..<OpenLoop>::default() }.search(game.clone(), 1)));
    add(
        "decoupled",
        Box::new(Decoupled { rule, ..<Decoupled>::default() }.search(game.clone(), 1)),
    );
    add("is-mcts", Box::new(IsMcts { rule, ..<IsMcts>::default() }.search(game.clone(), 1)));
    add("pimc", Box::new(<Pimc>::default().search(game.clone(), 1)));
    found
}

/// A proven root is played exactly. At other roots the error is limited: for two players up to a
/// quarter of the unit, and close to zero on average. If a third player is nearly indifferent, a
/// single game can deviate.
fn check_players<const N: usize>(cases: u32) {
    let lost = Cell::new((0.0, 0.0));
    check(cases, |seed, chance| {
        let game = game::<N>(seed, chance);
        for (name, report) in reports(&game) {
            let regret = regret(&game, &report)?;
            let most = match report.stopped_by {
                mcts_core::StopReason::Proven => 1e-5,
                _ if N > 2 => 1.0,
                _ => 0.26,
            };
            lost.set((lost.get().0 + regret, lost.get().1 + 1.0));
            prop_assert!(regret <= most, "{name} loses {regret}: {game:?}");
        }
        Ok(())
    });
    let mean = lost.get().0 / lost.get().1;
    assert!(mean < 0.03, "{mean} is lost on average");
}

#[test]
fn one_player_gets_what_expectimax_says() {
    check_players::<1>(24);
}

#[test]
fn two_players_get_what_minimax_says() {
    check_players::<2>(24);
}

#[test]
fn three_players_get_what_max_n_says() {
    check_players::<3>(24);
}

/// The sum of both players' gains by best replies to these strategies: 0 only in an equilibrium
/// (von Neumann, 1928).
fn exploitability(rows: &[Vec<f32>], strategies: &[Strategy<u8>; 2]) -> f32 {
    let [row, column] = strategies;
    let of = |strategy: &Strategy<u8>, place: usize| strategy.probability(place as u8);
    let columns = rows[0].len();
    let best_row = rows
        .iter()
        .map(|payoffs| (0..columns).map(|c| of(column, c) * payoffs[c]).sum::<f32>())
        .fold(f32::MIN, f32::max);
    let best_column = (0..columns)
        .map(|c| rows.iter().enumerate().map(|(r, payoffs)| of(row, r) * payoffs[c]).sum::<f32>())
        .fold(f32::MAX, f32::min);
    best_row - best_column
}

#[test]
fn simultaneous_choices_come_near_the_equilibrium_of_the_matrix() {
    let config = Config {
        cases: 16,
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..Config::default()
    };
    let entry = (-8..=8_i32).prop_map(|value| value as f32 / 8.0);
    let row = proptest::collection::vec(entry, 3);
    let matrix = proptest::collection::vec(row, 2..4);
    TestRunner::new(config)
        .run(&matrix, |rows| {
            let lists: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
            let game: Matrix = payoffs(&lists);
            let parts: Decoupled =
                Decoupled { rule: Bandit::REGRET_MATCHING, ..Decoupled::default() };
            let mut search = parts.search(game.clone(), 1);
            search.run_with_clock(&game.start(), &Budget::playouts(60_000), &NoClock).unwrap();
            let strategies =
                [Player::FIRST, Player::SECOND].map(|player| search.strategy(player).unwrap());
            let gain = exploitability(&rows, &strategies);
            // regret matching converges with the root of the playouts; 60,000 leave a few
            // hundredths
            prop_assert!((-1e-4..0.1).contains(&gain), "{gain} is gained against {strategies:?}");
            Ok(())
        })
        .unwrap();
}
