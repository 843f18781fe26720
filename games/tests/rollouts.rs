//! Overridden random actions and rollouts have the distribution of the defaults.
//!
//! Chi-square tests with fixed seeds. With other seeds, each would reject a correct game with a
//! probability of about one in three million (five standard deviations).

use std::collections::BTreeMap;

use games::connect_four::ConnectFour;
use games::icebreaking::Icebreaking;
use games::reversi::Reversi;
use games::tic_tac_toe::TicTacToe;
use mcts_core::testing::Defaults;
use mcts_core::trace::Untraced;
use mcts_core::{Game, Margin, Player, SearchRng, Turn, Utilities, rng};

const DEVIATIONS: f64 = 5.0;

/// Reversi with a distinct utility for every margin.
fn reversi() -> Reversi {
    Reversi { margin: Margin::linear(64.0) }
}

fn icebreaking() -> Icebreaking {
    Icebreaking { margin: Margin::linear(72.0), ..Icebreaking::from_seed(9) }
}

/// The excess of a chi-square value with these degrees of freedom, in standard deviations (Wilson
/// and Hilferty, 1931).
fn deviations(chi_square: f64, freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// Counts of two equally large samples for each utility of the first player, in thousandths.
type Histogram = BTreeMap<i32, [f64; 2]>;

fn add(histogram: &mut Histogram, sample: usize, utilities: &Utilities) {
    let key = (utilities.of_player(Player::FIRST) * 1_000.0).round() as i32;
    histogram.entry(key).or_default()[sample] += 1.0;
}

/// Compares the two samples; neighbouring utilities are merged until each has at least 20 counts.
fn assert_same_distribution(histogram: &Histogram, what: &str) {
    let mut bins: Vec<[f64; 2]> = Vec::new();
    for counts in histogram.values() {
        match bins.last_mut() {
            Some(last) if last[0] + last[1] < 20.0 => {
                last[0] += counts[0];
                last[1] += counts[1];
            }
            _ => bins.push(*counts),
        }
    }
    assert!(bins.len() > 1, "{what}: there is something to compare");
    let chi_square: f64 = bins.iter().map(|[a, b]| (a - b) * (a - b) / (a + b)).sum();
    let deviations = deviations(chi_square, bins.len() as f64 - 1.0);
    assert!(deviations < DEVIATIONS, "{what}: {deviations:.1} standard deviations, {histogram:?}");
}

/// States after the given numbers of random actions, or before the last action of a shorter game.
fn some_states<G: Game>(game: &G, plies: &[usize], rng: &mut SearchRng) -> Vec<G::State> {
    let mut after = |plies: &usize| {
        let mut state = game.start();
        for _ in 0..*plies {
            let mut next = state.clone();
            game.apply(&mut next, Defaults(game).random_action(&state, rng));
            if let Turn::Over(_) = game.turn(&next) {
                break;
            }
            state = next;
        }
        state
    };
    plies.iter().map(&mut after).collect()
}

/// A state in which a random game has ended.
fn finished<G: Game>(game: &G, rng: &mut SearchRng) -> G::State {
    let mut state = game.start();
    while let Turn::Player(_) = game.turn(&state) {
        let action = Defaults(game).random_action(&state, rng);
        game.apply(&mut state, action);
    }
    state
}

fn check_rollouts<G: Game>(game: &G, plies: &[usize]) {
    const GAMES: usize = 9_600;
    let mut rng = rng::stream(1, 0);
    for state in some_states(game, plies, &mut rng) {
        let mut one_by_one = Histogram::new();
        for _ in 0..GAMES {
            add(
                &mut one_by_one,
                0,
                &Defaults(game).rollout(state.clone(), &mut Untraced, &mut rng),
            );
            add(&mut one_by_one, 1, &game.rollout(state.clone(), &mut Untraced, &mut rng));
        }
        assert_same_distribution(&one_by_one, "rollout");
        for lanes in [2, 5, 8, 19] {
            let mut interleaved = Histogram::new();
            for _ in 0..GAMES / lanes {
                let mut results = vec![Utilities::ZERO; lanes];
                game.rollouts(&mut vec![state.clone(); lanes], &mut rng, &mut results);
                for utilities in &results {
                    add(
                        &mut interleaved,
                        0,
                        &Defaults(game).rollout(state.clone(), &mut Untraced, &mut rng),
                    );
                    add(&mut interleaved, 1, utilities);
                }
            }
            assert_same_distribution(&interleaved, &format!("rollouts in {lanes} lanes"));
        }
    }
}

#[test]
fn rollouts_have_the_distribution_of_the_default() {
    check_rollouts(&reversi(), &[0, 25, 50]);
    check_rollouts(&icebreaking(), &[0, 12, 25]);
    check_rollouts(&ConnectFour, &[0, 7, 14]);
    check_rollouts(&TicTacToe, &[0, 3]);
}

fn check_random_actions<G: Game>(game: &G, plies: &[usize]) {
    const DRAWS: usize = 20_000;
    let mut rng = rng::stream(2, 0);
    for state in some_states(game, plies, &mut rng) {
        let mut actions = Vec::new();
        game.actions(&state, |action| actions.push(action));
        let mut counts = vec![0.0; actions.len()];
        for _ in 0..DRAWS {
            let drawn = game.random_action(&state, &mut rng);
            let place = actions.iter().position(|action| *action == drawn);
            counts[place.expect("the drawn action is legal")] += 1.0;
        }
        let expected = DRAWS as f64 / actions.len() as f64;
        let chi_square: f64 =
            counts.iter().map(|count| (count - expected) * (count - expected) / expected).sum();
        if actions.len() > 1 {
            let deviations = deviations(chi_square, actions.len() as f64 - 1.0);
            assert!(deviations < DEVIATIONS, "{deviations:.1} standard deviations, {counts:?}");
        }
    }
}

#[test]
fn random_actions_are_uniform() {
    let plies: Vec<usize> = (0..30).collect();
    check_random_actions(&reversi(), &plies);
    check_random_actions(&icebreaking(), &plies);
    check_random_actions(&ConnectFour, &plies[..7]);
    check_random_actions(&TicTacToe, &plies[..5]);
}

/// Lanes that share random numbers would pass every test of a single lane.
fn check_independence<G: Game>(game: &G) {
    const LANES: usize = 16;
    const CALLS: usize = 1_000;
    let mut rng = rng::stream(3, 0);
    let (mut squares, mut products) = (0.0, [0.0; LANES - 1]);
    let mut means = 0.0;
    let mut all = Vec::new();
    for _ in 0..CALLS {
        let mut results = [Utilities::ZERO; LANES];
        game.rollouts(&mut vec![game.start(); LANES], &mut rng, &mut results);
        let values = results.map(|utilities| f64::from(utilities.of_player(Player::FIRST)));
        means += values.iter().sum::<f64>() / (LANES * CALLS) as f64;
        all.push(values);
    }
    for values in &all {
        let values = values.map(|value| value - means);
        squares += values.iter().map(|value| value * value).sum::<f64>() / LANES as f64;
        for (distance, product) in products.iter_mut().enumerate() {
            *product += values[0] * values[distance + 1];
        }
    }
    for product in products {
        let correlation = product / squares;
        assert!(correlation.abs() < DEVIATIONS / (CALLS as f64).sqrt(), "{correlation}");
    }
}

#[test]
fn lanes_are_independent() {
    check_independence(&reversi());
    check_independence(&icebreaking());
    check_independence(&ConnectFour);
    check_independence(&TicTacToe);
}

/// A finished game among others keeps its result, so results are in the order of the states.
fn check_places<G: Game>(game: &G) {
    let mut rng = rng::stream(4, 0);
    for lanes in 0..=20 {
        let mut states = some_states(game, &vec![3; lanes], &mut rng);
        for state in states.iter_mut().step_by(3) {
            *state = finished(game, &mut rng);
        }
        let turns: Vec<Turn> = states.iter().map(|state| game.turn(state)).collect();
        let mut results = vec![Utilities::ZERO; lanes];
        game.rollouts(&mut states, &mut rng, &mut results);
        for (turn, result) in turns.iter().zip(results) {
            if let Turn::Over(utilities) = turn {
                assert_eq!(*utilities, result);
            }
        }
    }
}

#[test]
fn every_result_belongs_to_the_state_at_its_place() {
    check_places(&reversi());
    check_places(&icebreaking());
    check_places(&ConnectFour);
    check_places(&TicTacToe);
}

#[test]
fn the_comparison_notices_another_distribution() {
    let game = reversi();
    let mut rng = rng::stream(5, 0);
    let other = some_states(&game, &[30], &mut rng).remove(0);
    let mut histogram = Histogram::new();
    for _ in 0..9_600 {
        add(&mut histogram, 0, &game.rollout(game.start(), &mut Untraced, &mut rng));
        add(&mut histogram, 1, &game.rollout(other, &mut Untraced, &mut rng));
    }
    let noticed = std::panic::catch_unwind(|| assert_same_distribution(&histogram, "different"));
    assert!(noticed.is_err());
}
