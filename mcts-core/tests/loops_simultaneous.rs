//! Simultaneous moves: games with known equilibria.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic")]

mod support;

use mcts_core::testing::{CheckOptions, check_game, check_simultaneous};
use mcts_core::{
    Bandit, Budget, Decoupled, Game, NoClock, Player, Search, Simultaneous, Strategy, Turn, Ucb1,
    Utilities,
};
use support::matrix::{Matrix, payoffs};

fn rock_paper_scissors() -> Matrix {
    payoffs(&[&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]])
}

/// Paper against rock pays 1, the other wins pay 1/2.
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
}

/// The fault of a game against the contract of moments.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    Nothing,
    NeverSame,
    AlwaysSame,
    OptionsDependOnChoice,
    NextDependsOnChoice,
    ChoiceTwice,
    TwoChoicesOfOne,
}

/// Three players choose one of three numbers simultaneously; the lowest number chosen by only one
/// player wins.
#[derive(Debug, Clone, Copy)]
struct Lowest(Fault);

impl Game for Lowest {
    type State = Vec<u8>;
    type Action = u8;
    const PLAYERS: usize = 3;

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }
    fn turn(&self, chosen: &Vec<u8>) -> Turn {
        let is_skipped = self.0 == Fault::NextDependsOnChoice && chosen[..] == [0, 2];
        match chosen.len() {
            2 if is_skipped => Turn::Over(Utilities::ZERO),
            1 if self.0 == Fault::TwoChoicesOfOne => Turn::Player(Player(0)),
            number @ 0..3 => Turn::Player(Player(number as u8)),
            _ => {
                let is_alone =
                    |number: &u8| chosen.iter().filter(|other| *other == number).count() == 1;
                let lowest = (0..3).find(is_alone);
                let utility = |number: &u8| if lowest == Some(*number) { 1.0 } else { -0.5 };
                Turn::Over(Utilities::of(&chosen[..3].iter().map(utility).collect::<Vec<_>>()))
            }
        }
    }
    fn actions(&self, chosen: &Vec<u8>, visit: impl FnMut(u8)) {
        let count = match self.0 {
            Fault::OptionsDependOnChoice if chosen[..] == [1, 1] => 2,
            _ => 3,
        };
        let twice = (self.0 == Fault::ChoiceTwice).then_some(0);
        (0..count).chain(twice).for_each(visit);
    }
    fn apply(&self, chosen: &mut Vec<u8>, number: u8) {
        chosen.push(number);
    }
    fn action_index(&self, number: u8) -> Option<usize> {
        Some(number.into())
    }
    fn action_indices(&self) -> usize {
        3
    }
}

impl Simultaneous for Lowest {
    fn is_same_moment(&self, chosen: &Vec<u8>) -> bool {
        match self.0 {
            Fault::NeverSame => false,
            Fault::AlwaysSame => true,
            _ => !chosen.is_empty(),
        }
    }
}

#[test]
fn moments_that_give_choices_away_are_found() {
    let expected = [
        (Fault::NeverSame, "no players chose simultaneously in any of 60 moments"),
        (Fault::AlwaysSame, "`is_same_moment` is true although no player has acted"),
        (Fault::OptionsDependOnChoice, "options in a moment must not depend on the choices in it"),
        (Fault::NextDependsOnChoice, "must not depend on the choices in it"),
        (Fault::ChoiceTwice, "`actions` gives 0 twice"),
        (Fault::TwoChoicesOfOne, "Player(0) chooses twice in one moment"),
    ];
    check_simultaneous(&Lowest(Fault::Nothing), 20, 1).unwrap();
    for (fault, text) in expected {
        let violation = check_simultaneous(&Lowest(fault), 20, 1).unwrap_err();
        assert!(violation.what.contains(text), "{fault:?}: {violation}");
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
    // each row has payoff 0 against (1/4, 1/4, 1/2)
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
    // each cell leads to a 2 x 2 game without a saddle and with the value (ad - bc) / (a - b - c +
    // d)
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
