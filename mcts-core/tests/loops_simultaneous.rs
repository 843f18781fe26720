//! Simultaneous moves: games with known equilibria.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic")]

mod support;

use mcts_core::testing::{CheckOptions, check_game, check_simultaneous};
use mcts_core::{
    Bandit, Budget, Decoupled, Game, NoClock, Player, Search, Simultaneous, Strategy, Turn, Ucb1,
};
use support::matrix::{Matrix, payoffs};

fn rock_paper_scissors() -> Matrix {
    payoffs(&[&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]])
}

/// Paper against rock pays 1, the others pay 1/2.
fn biased_rock_paper_scissors() -> Matrix {
    payoffs(&[&[0.0, -1.0, 0.5], &[1.0, 0.0, -0.5], &[-0.5, 0.5, 0.0]])
}

fn strategies(game: &Matrix, rule: Bandit, playouts: u64) -> [Strategy<u8>; 2] {
    let parts: Decoupled = Decoupled { rule, ..Decoupled::default() };
    let mut search = parts.search(game.clone(), 1);
    search.run(&game.start(), &Budget::playouts(playouts)).unwrap();
    [Player::FIRST, Player::SECOND].map(|player| search.strategy(player).unwrap())
}

fn assert_near(strategy: &Strategy<u8>, probabilities: &[f32], error: f32) {
    for (action, probability) in (0..).zip(probabilities) {
        let found = strategy.probability(action);
        assert!((found - probability).abs() < error, "{strategy:?}, not {probabilities:?}");
    }
}

#[test]
fn moments_keep_their_contract() {
    let nested = Matrix::Next(vec![vec![rock_paper_scissors(), Matrix::Pays(0.5)]]);
    for game in [rock_paper_scissors(), nested] {
        check_game(&game, &CheckOptions::default()).unwrap();
        check_simultaneous(&game, 100, 1).unwrap();
    }
    // after one row there is more to choose than after the other, which shows what the first player chose
    let narrow = payoffs(&[&[0.0]]);
    let leaky = Leaky(Matrix::Next(vec![vec![narrow], vec![Matrix::Pays(0.0)]]));
    assert!(check_simultaneous(&leaky, 100, 1).is_err());
}

/// A game that wrongly takes all of its moves for one moment.
#[derive(Debug, Clone)]
struct Leaky(Matrix);

impl Game for Leaky {
    type State = Vec<u8>;
    type Action = u8;

    fn start(&self) -> Vec<u8> {
        self.0.start()
    }
    fn turn(&self, state: &Vec<u8>) -> Turn {
        self.0.turn(state)
    }
    fn actions(&self, state: &Vec<u8>, visit: impl FnMut(u8)) {
        self.0.actions(state, visit);
    }
    fn apply(&self, state: &mut Vec<u8>, choice: u8) {
        self.0.apply(state, choice);
    }
    fn action_index(&self, choice: u8) -> Option<usize> {
        self.0.action_index(choice)
    }
    fn action_indices(&self) -> usize {
        self.0.action_indices()
    }
}

impl Simultaneous for Leaky {
    fn is_same_moment(&self, state: &Vec<u8>) -> bool {
        !state.is_empty()
    }
}

#[test]
fn pennies_and_rock_paper_scissors_are_played_evenly() {
    let pennies = payoffs(&[&[1.0, -1.0], &[-1.0, 1.0]]);
    for rule in [Bandit::REGRET_MATCHING, Bandit::Ucb1(Ucb1::default())] {
        for strategy in strategies(&pennies, rule, 100_000) {
            assert_near(&strategy, &[0.5, 0.5], 0.03);
        }
        for strategy in strategies(&rock_paper_scissors(), rule, 100_000) {
            assert_near(&strategy, &[1.0 / 3.0; 3], 0.03);
        }
    }
}

#[test]
fn regret_matching_finds_mixed_equilibria() {
    // a 2 x 2 game without a saddle: ((d - c), (a - b)) / (a - b - c + d), and columns alike
    let game = payoffs(&[&[1.0, -0.5], &[-0.25, 0.5]]);
    let [rows, columns] = strategies(&game, Bandit::REGRET_MATCHING, 800_000);
    assert_near(&rows, &[1.0 / 3.0, 2.0 / 3.0], 0.04);
    assert_near(&columns, &[4.0 / 9.0, 5.0 / 9.0], 0.04);
    // each row earns 0 against (1/4, 1/4, 1/2)
    let [rows, columns] =
        strategies(&biased_rock_paper_scissors(), Bandit::REGRET_MATCHING, 400_000);
    for strategy in [rows, columns] {
        assert_near(&strategy, &[0.25, 0.25, 0.5], 0.04);
    }
}

#[test]
fn a_dominated_choice_is_left_alone() {
    // the prisoners' dilemma as a zero-sum game of its differences: the second row and column dominate
    let game = payoffs(&[&[0.0, -1.0], &[1.0, 0.0]]);
    for rule in [Bandit::REGRET_MATCHING, Bandit::Ucb1(Ucb1::default())] {
        for strategy in strategies(&game, rule, 20_000) {
            assert!(strategy.probability(1) > 0.95, "{strategy:?}");
        }
    }
}

#[test]
fn values_of_later_moments_are_those_of_their_equilibria() {
    // each cell leads to a 2 x 2 game without a saddle and with the value (ad - bc) / (a - b - c + d)
    let with_value =
        |value: f32| payoffs(&[&[value + 0.5, value - 0.5], &[value - 0.5, value + 0.5]]);
    let game = Matrix::Next(vec![
        vec![with_value(0.5), with_value(-0.25)],
        vec![with_value(-0.125), with_value(0.25)],
    ]);
    let [rows, columns] = strategies(&game, Bandit::REGRET_MATCHING, 1_000_000);
    // (d - c) / (a - b - c + d) = 0.375 / 1.125, and (d - b) / 1.125
    assert_near(&rows, &[1.0 / 3.0, 2.0 / 3.0], 0.05);
    assert_near(&columns, &[4.0 / 9.0, 5.0 / 9.0], 0.05);
}

#[test]
fn equal_seeds_give_equal_reports_and_strategies_add_up() {
    let game = biased_rock_paper_scissors();
    let run = |seed| {
        let mut search = <Decoupled>::default().search(game.clone(), seed);
        search.run_with_clock(&game.start(), &Budget::playouts(500), &NoClock).unwrap()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).actions, run(2).actions);
    for strategy in strategies(&game, Bandit::REGRET_MATCHING, 500) {
        let total: f32 = strategy.actions.iter().map(|known| known.probability).sum();
        assert!((total - 1.0).abs() < 1e-5);
        let mut rng = mcts_core::rng::stream(1, 1);
        let drawn = (0..10_000).filter(|_| strategy.draw(&mut rng) == Some(2)).count();
        // six standard errors are at most 0.03
        assert!((drawn as f32 / 10_000.0 - strategy.probability(2)).abs() < 0.03);
    }
}
