//! Beliefs and searches on them, on problems with known values.

use mcts_core::belief::{Belief, Exact, Particles, Update};
use mcts_core::search::{Exploration, PolicyRollouts};
use mcts_core::testing::{HiddenOptions, Kuhn, check_game, check_hidden_information};
use mcts_core::testing::{Tiger, TigerAction, TigerDoor as Side};
use mcts_core::{
    Budget, ExplicitModel, Game, HiddenInformation, Knowledge, Model, Pimc, Player, Pomcp, Search,
    SearchRng, StopReason, Turn, Utilities, rng,
};

fn uniform_belief() -> Exact<Tiger> {
    Exact::new(0, vec![(Side::Left, 1.0), (Side::Right, 1.0)], 100)
}

/// Value of the tiger problem from the uniform belief at short horizons, by backward induction on the number of
/// times that the tiger was heard left more often than right.
fn tiger_value(view: i32, horizon: u32) -> f64 {
    if horizon == 0 {
        return 0.0;
    }
    let odds = (0.85f64 / 0.15).powi(view);
    let left = odds / (1.0 + odds);
    let again = 0.95 * tiger_value(0, horizon - 1);
    let open_left = -100.0 * left + 10.0 * (1.0 - left) + again;
    let open_right = 10.0 * left - 100.0 * (1.0 - left) + again;
    let hears_left = 0.85 * left + 0.15 * (1.0 - left);
    let listen = -1.0
        + 0.95
            * (hears_left * tiger_value(view + 1, horizon - 1)
                + (1.0 - hears_left) * tiger_value(view - 1, horizon - 1));
    listen.max(open_left).max(open_right)
}

#[test]
fn pomcp_finds_the_value_of_the_tiger_problem() {
    // values by horizon as published for discount 0.95; the plain recursion gives them too
    for (horizon, value) in [(1, -1.0), (2, -1.95), (3, 2.3098), (5, 2.7631)] {
        assert!((tiger_value(0, horizon) - value).abs() < 1e-3);
        let parts = Pomcp::<mcts_core::Uniform> {
            exploration: Exploration::Returns(60.0),
            horizon,
            least_weight: 0.0,
            ..Pomcp::default()
        };
        let mut search = parts.search(Tiger, uniform_belief(), 5);
        let report = search.run(&(), &Budget::playouts(400_000).to_the_end()).unwrap();
        assert_eq!(report.best, TigerAction::Listen, "horizon {horizon}");
        // the mean of all playouts is below the value of the best play; the gap shrinks slowly
        let found = f64::from(report.value().unwrap());
        assert!((found - value).abs() < 0.5, "horizon {horizon}: {found} for {value}");
    }
}

#[test]
fn pomcp_opens_the_other_door_when_it_is_sure_enough() {
    let parts = Pomcp::<mcts_core::Uniform> {
        exploration: Exploration::Returns(60.0),
        horizon: 4,
        ..Pomcp::default()
    };
    let mut search = parts.search(Tiger, uniform_belief(), 1);
    for heard in 0..3 {
        let report = search.run(&(), &Budget::playouts(20_000)).unwrap();
        // 0.85^2 / (0.85^2 + 0.15^2) = 0.97 is enough
        if heard < 2 {
            assert_eq!(report.best, TigerAction::Listen, "heard {heard} times");
            let update = search.advance(TigerAction::Listen, &Side::Left);
            assert!(matches!(update, Update::Filtered { .. }));
        } else {
            assert_eq!(report.best, TigerAction::Open(Side::Right));
            assert_ne!(report.reuse, mcts_core::Reuse::Fresh, "the tree was kept");
        }
    }
}

#[test]
fn equal_seeds_and_budgets_give_equal_reports() {
    let report = || {
        let parts = Pomcp::<mcts_core::Uniform>::default();
        let mut search = parts.search(Tiger, uniform_belief(), 3);
        let mut report =
            search.run_with_clock(&(), &Budget::playouts(500), &mcts_core::NoClock).unwrap();
        let _ = search.advance(report.best, &Side::Left);
        report = search.run_with_clock(&(), &Budget::playouts(500), &mcts_core::NoClock).unwrap();
        report
    };
    assert_eq!(report(), report());
}

#[test]
fn a_full_tree_and_a_budget_of_nothing_still_give_an_action() {
    for cap in [0, 2_000, 40_000] {
        let parts = Pomcp::<mcts_core::Uniform> { memory_cap_bytes: cap, ..Pomcp::default() };
        let mut search = parts.search(Tiger, uniform_belief(), 3);
        for playouts in [0, 1, 2_000] {
            let report = search.run(&(), &Budget::playouts(playouts).to_the_end()).unwrap();
            assert_eq!((report.playouts, report.stopped_by), (playouts, StopReason::Playouts));
            assert_eq!(report.actions.len(), 3);
        }
    }
}

#[test]
fn beliefs_agree_with_the_rule_of_bayes() {
    let mut rng = rng::stream(11, 0);
    let mut exact = uniform_belief();
    let mut particles = Particles::new(&Tiger, 0, 20_000, 200, &mut rng);
    let heard = [Side::Left, Side::Left, Side::Right, Side::Left];
    for (at, side) in heard.iter().enumerate() {
        let listen = TigerAction::Listen;
        let Update::Filtered { expected } = exact.update(&Tiger, listen, side, &mut rng) else {
            panic!("both sides are possible");
        };
        if at == 0 {
            assert!((expected - 0.5).abs() < 1e-6);
        }
        assert!(matches!(
            particles.update(&Tiger, listen, side, &mut rng),
            Update::Filtered { .. }
        ));
    }
    // heard twice more on the left: 0.85^2 / (0.85^2 + 0.15^2)
    let left = 0.7225 / (0.7225 + 0.0225);
    assert!((exact.states()[0].1 - left).abs() < 1e-5);
    let share =
        particles.states().iter().filter(|side| **side == Side::Left).count() as f32 / 20_000.0;
    // eight standard errors of 20,000 samples: a false alarm has a probability below 1e-14
    assert!((share - left).abs() < 0.01, "{share}");
    let drawn = (0..20_000).filter(|_| exact.draw(&Tiger, &mut rng) == Side::Left).count() as f32;
    assert!((drawn / 20_000.0 - left).abs() < 0.01);
}

/// A model whose view determines the state: the counter is the number of steps, unless an
/// impossible observation was made.
#[derive(Debug, Clone, Copy)]
struct Counter;

impl Model for Counter {
    type State = u64;
    type Action = ();
    type Observation = u64;
    type View = u64;

    fn return_bounds(&self) -> (f32, f32) {
        (0.0, 1.0)
    }
    fn is_over(&self, state: &u64) -> bool {
        *state > 1_000
    }
    fn actions(&self, _: &u64, mut visit: impl FnMut(())) {
        visit(());
    }
    fn step(&self, state: &mut u64, (): (), _: &mut SearchRng) -> f32 {
        *state += 1;
        0.0
    }
    fn observe(&self, state: &u64, (): (), _: &mut SearchRng) -> u64 {
        *state
    }
    fn likelihood(&self, state: &u64, (): (), seen: &u64) -> f32 {
        f32::from(u8::from(state == seen))
    }
    fn observation_key(&self, seen: &u64) -> u64 {
        *seen
    }
    fn grow(&self, view: &mut u64, (): (), seen: &u64) {
        *view = *seen;
    }
    fn determinize(&self, view: &u64, _: &mut SearchRng) -> u64 {
        *view
    }
}

impl ExplicitModel for Counter {
    fn successors(&self, state: &u64, (): (), mut visit: impl FnMut(u64, f32)) {
        visit(state + 1, 1.0);
    }
}

#[test]
fn an_impossible_observation_is_answered_by_drawing_afresh_from_the_view() {
    let mut rng = rng::stream(1, 0);
    let mut exact = Exact::<Counter>::new(0, vec![(0, 1.0)], 10);
    let mut particles = Particles::new(&Counter, 0, 10, 0, &mut rng);
    for (seen, expected) in [
        (1, Update::Filtered { expected: 1.0 }),
        (40, Update::Redrawn),
        (41, Update::Filtered { expected: 1.0 }),
    ] {
        assert_eq!(exact.update(&Counter, (), &seen, &mut rng), expected);
        assert_eq!(particles.update(&Counter, (), &seen, &mut rng), expected);
        assert_eq!(exact.draw(&Counter, &mut rng), seen);
        assert_eq!(particles.draw(&Counter, &mut rng), seen);
    }
    let parts = Pomcp::<mcts_core::Uniform>::default();
    let mut search = parts.search(Counter, exact, 1);
    assert_eq!(
        search.run(&(), &Budget::playouts(10)).unwrap().stopped_by,
        StopReason::SingleAction
    );
    assert_eq!(search.advance((), &99), Update::Redrawn);
    assert_eq!(search.run(&(), &Budget::playouts(10)).unwrap().reuse, mcts_core::Reuse::Fresh);
}

/// A prize behind one of two doors: take half of it now, or go on and guess.
#[derive(Debug, Clone, Copy)]
struct Guess;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuessAction {
    TakeHalf,
    GoOn,
    Open(Side),
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct GuessState {
    prize: Side,
    went_on: bool,
    result: Option<f32>,
}

impl Game for Guess {
    type State = GuessState;
    type Action = GuessAction;
    const PLAYERS: usize = 1;

    fn start(&self) -> GuessState {
        GuessState { prize: Side::Left, went_on: false, result: None }
    }
    fn turn(&self, state: &GuessState) -> Turn {
        state
            .result
            .map_or(Turn::Player(Player::FIRST), |result| Turn::Over(Utilities::single(result)))
    }
    fn actions(&self, state: &GuessState, mut visit: impl FnMut(GuessAction)) {
        if state.went_on {
            visit(GuessAction::Open(Side::Left));
            visit(GuessAction::Open(Side::Right));
        } else {
            visit(GuessAction::TakeHalf);
            visit(GuessAction::GoOn);
        }
    }
    fn apply(&self, state: &mut GuessState, action: GuessAction) {
        match action {
            GuessAction::TakeHalf => state.result = Some(0.5),
            GuessAction::GoOn => state.went_on = true,
            GuessAction::Open(door) => {
                state.result = Some(if door == state.prize { 1.0 } else { -1.0 });
            }
        }
    }
    fn action_index(&self, action: GuessAction) -> Option<usize> {
        Some(match action {
            GuessAction::TakeHalf => 0,
            GuessAction::GoOn => 1,
            GuessAction::Open(side) => 2 + side as usize,
        })
    }
    fn action_indices(&self) -> usize {
        4
    }
}

impl HiddenInformation for Guess {
    type Observation = ();
    type View = bool;

    fn first_view(&self, _: &GuessState, _: Player) -> bool {
        false
    }
    fn observe(&self, _: &GuessState, _: GuessAction, _: Player) {}
    fn grow(&self, went_on: &mut bool, own_action: Option<GuessAction>, (): &()) {
        *went_on |= own_action == Some(GuessAction::GoOn);
    }
    fn determinize(&self, went_on: &bool, rng: &mut SearchRng) -> GuessState {
        Model::determinize(self, went_on, rng)
    }
}

impl Model for Guess {
    type State = GuessState;
    type Action = GuessAction;
    type Observation = ();
    type View = bool;

    fn return_bounds(&self) -> (f32, f32) {
        (-1.0, 1.0)
    }
    fn is_over(&self, state: &GuessState) -> bool {
        state.result.is_some()
    }
    fn actions(&self, state: &GuessState, visit: impl FnMut(GuessAction)) {
        Game::actions(self, state, visit);
    }
    fn step(&self, state: &mut GuessState, action: GuessAction, _: &mut SearchRng) -> f32 {
        self.apply(state, action);
        state.result.unwrap_or(0.0)
    }
    fn observe(&self, _: &GuessState, _: GuessAction, _: &mut SearchRng) {}
    fn likelihood(&self, _: &GuessState, _: GuessAction, (): &()) -> f32 {
        1.0
    }
    fn observation_key(&self, (): &()) -> u64 {
        0
    }
    fn grow(&self, went_on: &mut bool, action: GuessAction, (): &()) {
        *went_on |= action == GuessAction::GoOn;
    }
    fn determinize(&self, went_on: &bool, rng: &mut SearchRng) -> GuessState {
        let prize = [Side::Left, Side::Right][rng::below(rng, 2)];
        GuessState { prize, went_on: *went_on, result: None }
    }
}

#[test]
fn searching_worlds_one_by_one_fuses_strategies_and_searching_the_belief_does_not() {
    let mut worlds = <Pimc>::default().search(Guess, 1);
    let report = worlds.run(&false, &Budget::playouts(4_000)).unwrap();
    assert_eq!(report.playouts, 4_000);
    // in each determinization the search would open the right door, although no view contains which
    // one it is
    assert_eq!(report.best, GuessAction::GoOn);
    let belief = Particles::new(&Guess, false, 1_000, 0, &mut rng::stream(1, 0));
    let mut search = Pomcp::<mcts_core::Uniform>::default().search(Guess, belief, 1);
    let report = search.run(&(), &Budget::playouts(4_000)).unwrap();
    assert_eq!(report.best, GuessAction::TakeHalf);
    assert!((report.value().unwrap() - 0.5).abs() < 1e-6);
}

#[test]
fn rollouts_of_a_base_policy_improve_it_by_one_step_and_stop_when_the_race_is_decided() {
    let parts = PolicyRollouts {
        knowledge: mcts_core::Uniform,
        horizon: 10,
        least_rounds: 20,
        elimination_z: 4.0,
        override_z: 0.0,
    };
    let run = |budget: &Budget| parts.search(Guess, 9).run(&false, budget).unwrap();
    // a random guess has the value 0, half of the prize 1/2
    let report = run(&Budget::playouts(100_000));
    assert_eq!(report.best, GuessAction::TakeHalf);
    assert_eq!(report.stopped_by, StopReason::Decided);
    assert!(report.playouts < 1_000, "{}", report.playouts);
    let whole = run(&Budget::playouts(100_000).to_the_end());
    assert_eq!((whole.best, whole.stopped_by), (GuessAction::TakeHalf, StopReason::Playouts));
    assert_eq!(whole.actions.iter().find(|of| of.action == whole.best).unwrap().value, Some(0.5));
    for playouts in [0, 1, 2, 3] {
        assert_eq!(run(&Budget::playouts(playouts)).actions.len(), 2);
    }
    let again = |seed| {
        parts.search(Guess, seed).run_with_clock(&false, &Budget::playouts(77), &mcts_core::NoClock)
    };
    assert_eq!(again(3), again(3));
}

/// Goes on, then guesses a random door.
struct Rash;

impl Knowledge<Guess> for Rash {
    fn choose(&mut self, _: &Guess, state: &GuessState, rng: &mut SearchRng) -> GuessAction {
        if state.went_on {
            GuessAction::Open([Side::Left, Side::Right][rng::below(rng, 2)])
        } else {
            GuessAction::GoOn
        }
    }
}

#[test]
fn the_choice_of_the_base_policy_stands_until_the_error_is_small_enough_to_refute_it() {
    let run = |override_z, playouts| {
        let parts = PolicyRollouts {
            knowledge: Rash,
            horizon: 10,
            least_rounds: 1_000,
            elimination_z: 4.0,
            override_z,
        };
        parts.search(Guess, 9).run(&false, &Budget::playouts(playouts)).unwrap().best
    };
    // a guess has the mean 0 and the standard deviation 1, so 20 rounds put it two errors behind
    // 1/2
    assert_eq!(run(4.0, 40), GuessAction::GoOn);
    assert_eq!(run(4.0, 2_000), GuessAction::TakeHalf);
    // with a threshold of zero the means decide, not the base policy
    assert_eq!(run(0.0, 40), GuessAction::TakeHalf);
}

#[test]
fn worlds_share_the_budget_evenly() {
    for playouts in [1, 7, 20, 1_003] {
        let mut search = <Pimc>::default().search(Guess, playouts);
        let report = search.run(&false, &Budget::playouts(playouts)).unwrap();
        assert_eq!(report.playouts, playouts);
        assert_eq!(report.actions.len(), 2);
    }
}

#[test]
fn kuhn_poker_keeps_both_contracts() {
    check_game(&Kuhn, &Default::default()).unwrap();
    let checked = check_hidden_information(
        &Kuhn,
        &HiddenOptions { games: 200, ..HiddenOptions::default() },
        |view, seed| (view.clone(), seed),
    )
    .unwrap();
    assert!(checked.drawn > 500 && checked.decisions > 20, "{checked:?}");
}

#[test]
fn a_bot_that_peeks_is_found_out() {
    // decisions that depend on anything except the view and the seed differ between two calls
    let mut calls = 0;
    let peeks = check_hidden_information(&Kuhn, &HiddenOptions::default(), |_, _| {
        calls += 1;
        calls
    });
    assert!(peeks.unwrap_err().what.contains("decisions"));
}
