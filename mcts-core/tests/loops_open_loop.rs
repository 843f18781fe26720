//! Open-loop search compared with explicit chance nodes, on games solved by dynamic programming.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic")]

use mcts_core::testing::{CheckOptions, check_game};
use mcts_core::{
    Budget, Evaluator, Game, NoClock, OpenLoop, OpenLoopSearch, Player, Report, Search, Turn, Uct,
    Utilities,
};

const KEEP: u8 = 0;
const THROW: u8 = 7;

/// One player keeps the result of a die, or throws it again while throws are left.
#[derive(Debug, Clone, Copy)]
struct Throws {
    shown: u8,
    throws: u8,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Die {
    shown: u8,
    left: u8,
    rolls: bool,
    is_kept: bool,
}

impl Game for Throws {
    type State = Die;
    type Action = u8;
    const PLAYERS: usize = 1;
    const UTILITY_BOUNDS: (f32, f32) = (0.0, 6.0);

    fn start(&self) -> Die {
        Die { shown: self.shown, left: self.throws, rolls: false, is_kept: false }
    }
    fn turn(&self, die: &Die) -> Turn {
        if die.rolls {
            Turn::Chance
        } else if die.is_kept || die.left == 0 {
            Turn::Over(Utilities::single(f32::from(die.shown)))
        } else {
            Turn::Player(Player::FIRST)
        }
    }
    fn actions(&self, die: &Die, visit: impl FnMut(u8)) {
        if die.rolls {
            (1..=6).for_each(visit);
        } else {
            [KEEP, THROW].into_iter().for_each(visit);
        }
    }
    fn apply(&self, die: &mut Die, action: u8) {
        match action {
            KEEP => die.is_kept = true,
            THROW => (die.rolls, die.left) = (true, die.left - 1),
            shown => (die.rolls, die.shown) = (false, shown),
        }
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        (action == KEEP || action == THROW).then_some(usize::from(action) / 7)
    }
    fn action_indices(&self) -> usize {
        2
    }
}

impl Throws {
    /// The value of the next throws, by dynamic programming.
    fn worth(throws: u8) -> f64 {
        let after = if throws == 1 { 0.0 } else { Throws::worth(throws - 1) };
        (1..=6).map(|shown| f64::from(shown).max(after) / 6.0).sum()
    }
}

/// Six choices, each followed by an outcome of chance without effect; the utility is the fraction
/// of right choices.
#[derive(Debug, Clone, Copy)]
struct Noise;

impl Game for Noise {
    /// Number of choices, right ones among them, and whether chance is to move.
    type State = (u8, u8, bool);
    type Action = u8;
    const PLAYERS: usize = 1;
    const UTILITY_BOUNDS: (f32, f32) = (0.0, 1.0);

    fn start(&self) -> Self::State {
        (0, 0, false)
    }
    fn turn(&self, (choices, right, is_noise): &Self::State) -> Turn {
        match (is_noise, choices) {
            (true, _) => Turn::Chance,
            (false, 6) => Turn::Over(Utilities::single(f32::from(*right) / 6.0)),
            (false, _) => Turn::Player(Player::FIRST),
        }
    }
    fn actions(&self, (_, _, is_noise): &Self::State, visit: impl FnMut(u8)) {
        (0..if *is_noise { 100 } else { 2 }).for_each(visit);
    }
    fn apply(&self, (choices, right, is_noise): &mut Self::State, action: u8) {
        if !*is_noise {
            *choices += 1;
            *right += action;
        }
        *is_noise = !*is_noise;
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        Some(usize::from(action)).filter(|index| *index < 2)
    }
    fn action_indices(&self) -> usize {
        2
    }
}

fn open_loop<G: Game + Clone>(game: &G, playouts: u64) -> Report<G::Action>
where
    mcts_core::Rollout: Evaluator<G>,
{
    let mut search: OpenLoopSearch<G> = OpenLoop::default().search(game.clone(), 1);
    let budget = Budget::playouts(playouts).to_the_end();
    search.run_with_clock(&game.start(), &budget, &NoClock).unwrap()
}

#[test]
fn the_games_keep_their_contract() {
    check_game(&Throws { shown: 2, throws: 3 }, &CheckOptions::default()).unwrap();
    check_game(&Noise, &CheckOptions::default()).unwrap();
}

#[test]
fn chance_nodes_find_the_best_policy_and_open_loop_the_best_plan() {
    // 7/2, (3 * 7/2 + 4 + 5 + 6) / 6 and (4 * 17/4 + 5 + 6) / 6
    for (throws, worth) in [(1, 3.5), (2, 4.25), (3, 28.0 / 6.0)] {
        assert!((Throws::worth(throws) - worth).abs() < 1e-9);
    }
    for throws in 1..=3 {
        for shown in 1..=6 {
            let game = Throws { shown, throws };
            let budget = Budget::playouts(100_000);
            let closed = <Uct>::default().search(game, 1).run(&game.start(), &budget).unwrap();
            let worth = Throws::worth(throws);
            assert_eq!(closed.best == THROW, worth > f64::from(shown), "{game:?}: {closed:?}");
            let value = f64::from(closed.value().unwrap());
            assert!((value - worth.max(f64::from(shown))).abs() < 0.1, "{game:?}: {closed:?}");
            // an open-loop plan fixes the number of throws regardless of the results: every plan
            // has the value 7/2
            let open = open_loop(&game, 20_000);
            assert_eq!(open.best == THROW, shown < 4, "{game:?}: {open:?}");
            let value = f64::from(open.value().unwrap());
            assert!((value - f64::from(shown).max(3.5)).abs() < 0.1, "{game:?}: {open:?}");
        }
    }
}

#[test]
fn open_loop_looks_further_ahead_where_outcomes_do_not_matter() {
    let budget = Budget::playouts(4_000).to_the_end();
    let closed = <Uct>::default().search(Noise, 1).run(&Noise.start(), &budget).unwrap();
    let open = open_loop(&Noise, 4_000);
    let values = [&open, &closed].map(|report| report.value().unwrap());
    assert!(values[0] > values[1] + 0.1, "{values:?}");
}

#[test]
fn equal_seeds_give_equal_reports() {
    assert_eq!(open_loop(&Noise, 500), open_loop(&Noise, 500));
}

#[test]
fn there_is_nothing_to_search_once_the_game_is_over_or_chance_moves() {
    let mut search: OpenLoopSearch<Throws> =
        OpenLoop::default().search(Throws { shown: 1, throws: 1 }, 1);
    for (rolls, is_kept) in [(true, false), (false, true)] {
        let die = Die { shown: 1, left: 1, rolls, is_kept };
        assert!(search.run(&die, &Budget::playouts(1)).is_err(), "{die:?}");
    }
}
