//! Values, priors, probabilities and discounts that are not finite are replaced or rejected, and
//! never starve an action.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use mcts_core::evaluation::{PriorScale, WithPriors};
use mcts_core::testing::{Position, TreeGame};
use mcts_core::{
    Budget, Evaluator, Game, GraphUct, NoClock, OpenLoop, Player, ProgressiveBias, Puct, Report,
    Search, SearchError, SearchRng, SelectionPolicy, Turn, Uct, Utilities,
};

/// Five actions, each with two more plies; the values are small multiples of the index.
fn game() -> TreeGame {
    let leaf = |place: i32, reply: i32| Position::over((place * 10 + reply) as f32 / 100.0);
    let reply = |place| Position::second([leaf(place, 1), leaf(place, 5), leaf(place, 9)]);
    TreeGame::new(Position::first((0..5).map(reply).collect::<Vec<_>>()))
}

fn budget() -> Budget {
    Budget::playouts(300).to_the_end()
}

/// Every action was tried, and every value is finite and within the bounds.
fn assert_sound(report: &Report<u16>, of: &str) {
    assert_eq!(report.actions.len(), 5, "{of}");
    for action in &report.actions {
        assert!(action.visits > 0 || action.proven.is_some(), "{of}: {report:?}");
        let value = action.value.unwrap();
        assert!((-1.0..=1.0).contains(&value), "{of}: {report:?}");
        assert!(action.standard_error.unwrap().is_finite(), "{of}: {report:?}");
    }
}

const WRONG: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

/// Returns a wrong value below the action with this number, and 0 elsewhere.
#[derive(Debug, Clone, Copy)]
struct WrongBelow(u16, f32);

impl<G: Game<State = Vec<u16>>> Evaluator<G> for WrongBelow {
    fn evaluate(
        &mut self,
        game: &G,
        path: &Vec<u16>,
        _: &mut impl mcts_core::Recorder,
        _: &mut SearchRng,
    ) -> Utilities {
        match game.turn(path) {
            Turn::Over(utilities) => utilities,
            _ if path.first() == Some(&self.0) => Utilities::of(&[self.1, self.1]),
            _ => Utilities::ZERO,
        }
    }
}

#[test]
fn a_value_that_is_not_a_number_is_replaced_in_every_search() {
    let start = game().start();
    for wrong in WRONG {
        for at in 0..5 {
            let evaluator = WrongBelow(at, wrong);
            let uct = Uct { solver: false, ..<Uct>::default() }.with_evaluator(evaluator);
            let of = format!("{wrong} below {at}");
            let report = uct.search(game(), 1).run_with_clock(&start, &budget(), &NoClock);
            assert_sound(&report.unwrap(), &of);
            let graph: GraphUct = GraphUct { solver: false, ..GraphUct::default() };
            let GraphUct {
                selection,
                evaluations_first,
                solver,
                final_action,
                memory_cap_bytes,
                ..
            } = graph;
            let graph = GraphUct {
                selection,
                evaluator,
                evaluations_first,
                solver,
                final_action,
                memory_cap_bytes,
            };
            let report = graph.search(game(), 1).run_with_clock(&start, &budget(), &NoClock);
            assert_sound(&report.unwrap(), &of);
            let OpenLoop { rule, final_action, memory_cap_bytes, .. } = <OpenLoop>::default();
            let open_loop = OpenLoop { rule, evaluator, final_action, memory_cap_bytes };
            let report = open_loop.search(game(), 1).run_with_clock(&start, &budget(), &NoClock);
            assert_sound(&report.unwrap(), &of);
        }
    }
}

#[test]
fn a_utility_that_is_not_a_number_is_replaced_and_proven_as_such() {
    for wrong in WRONG {
        let children = [Position::over(wrong), Position::over(0.5), Position::over(-0.5)];
        let game = TreeGame::<2>::new(Position::first(children));
        let search = |report: Report<u16>| {
            for action in &report.actions {
                assert!(action.value.unwrap().is_finite(), "{report:?}");
            }
            // a value of plus infinity counts as the greatest utility, any other as at most a draw
            let expected = if wrong == f32::INFINITY { 0 } else { 1 };
            assert_eq!(report.best, expected, "{wrong}: {report:?}");
        };
        let start = game.start();
        let mut uct = <Uct>::default().search(game.clone(), 1);
        search(uct.run_with_clock(&start, &budget(), &NoClock).unwrap());
        let mut graph = <GraphUct>::default().search(game, 1);
        search(graph.run_with_clock(&start, &budget(), &NoClock).unwrap());
    }
}

/// A search with priors from a function of the action's number.
fn with_priors<S: SelectionPolicy>(
    selection: S,
    scale: PriorScale,
    prior: impl Fn(u16) -> f32,
) -> Report<u16> {
    let prior = |_: &TreeGame, path: &Vec<u16>, action: u16| {
        if path.is_empty() { prior(action) } else { 1.0 }
    };
    let evaluator =
        WithPriors { evaluator: mcts_core::Rollout::<mcts_core::Uniform>::default(), prior, scale };
    let parts = Uct { solver: false, ..<Uct>::default() };
    let parts = parts.with_selection(selection).with_evaluator(evaluator);
    parts.search(game(), 1).run_with_clock(&game().start(), &budget(), &NoClock).unwrap()
}

#[test]
fn no_prior_starves_an_action() {
    for wrong in WRONG.into_iter().chain([-1.0, -0.0]) {
        for scale in [PriorScale::Probabilities, PriorScale::AsGiven] {
            // all of them wrong: as if there were none
            let of = format!("all {wrong}, {scale:?}");
            assert_sound(&with_priors(Puct::default(), scale, |_| wrong), &of);
            assert_sound(&with_priors(<ProgressiveBias>::default(), scale, |_| wrong), &of);
        }
        // one of them wrong: the others keep theirs
        let one = |action| if action == 2 { wrong } else { 0.25 };
        let report = with_priors(Puct::default(), PriorScale::AsGiven, one);
        let others = report.actions.iter().filter(|of| of.action != 2);
        assert!(others.clone().all(|of| of.visits > 0), "{wrong}: {report:?}");
        assert!(report.actions.iter().all(|of| of.value.is_none_or(f32::is_finite)));
        let bias = with_priors(<ProgressiveBias>::default(), PriorScale::AsGiven, one);
        assert_sound(&bias, "bias");
    }
}

#[test]
fn probabilities_that_are_not_numbers_prove_nothing_and_spoil_no_value() {
    for wrong in [f32::NAN, f32::INFINITY, -0.5, 0.0, 7.0] {
        let chance = |place: i32| {
            let over = |value: i32| Position::over((place + value) as f32 / 10.0);
            Position::Chance(vec![(0.5, over(0)), (wrong, over(1)), (0.25, over(2))])
        };
        let game = TreeGame::<2>::new(Position::first((0..5).map(chance).collect::<Vec<_>>()));
        let start = game.start();
        let uct =
            <Uct>::default().search(game.clone(), 1).run_with_clock(&start, &budget(), &NoClock);
        let graph =
            <GraphUct>::default().search(game, 1).run_with_clock(&start, &budget(), &NoClock);
        for report in [uct.unwrap(), graph.unwrap()] {
            assert_sound(&report, &format!("{wrong}"));
            assert!(report.actions.iter().all(|action| action.proven.is_none()), "{wrong}");
        }
    }
}

/// One decision with a reward, and a discount.
#[derive(Debug, Clone, Copy)]
struct Discounted(f32);

impl Game for Discounted {
    type State = bool;
    type Action = u8;
    const PLAYERS: usize = 1;
    const HAS_REWARDS: bool = true;

    fn start(&self) -> bool {
        false
    }
    fn turn(&self, is_over: &bool) -> Turn {
        if *is_over { Turn::Over(Utilities::ZERO) } else { Turn::Player(Player::FIRST) }
    }
    fn actions(&self, _: &bool, visit: impl FnMut(u8)) {
        (0..2).for_each(visit);
    }
    fn apply(&self, is_over: &mut bool, _: u8) {
        *is_over = true;
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        Some(action.into())
    }
    fn action_indices(&self) -> usize {
        2
    }
    fn discount(&self) -> f32 {
        self.0
    }
}

#[test]
fn a_discount_outside_its_range_is_refused() {
    for discount in [f32::NAN, 0.0, -0.5, 1.5, f32::INFINITY] {
        let game = Discounted(discount);
        let errors = [
            <Uct>::default().search(game, 1).run_with_clock(&false, &budget(), &NoClock).err(),
            <GraphUct>::default().search(game, 1).run_with_clock(&false, &budget(), &NoClock).err(),
            <OpenLoop>::default().search(game, 1).run_with_clock(&false, &budget(), &NoClock).err(),
        ];
        for error in errors {
            let error = error.unwrap();
            assert!(matches!(error, SearchError::InvalidDiscount(_)), "{error:?}");
            assert!(error.to_string().contains("must be above 0 and at most 1"), "{error}");
        }
    }
    let game = Discounted(0.9);
    assert!(<Uct>::default().search(game, 1).run_with_clock(&false, &budget(), &NoClock).is_ok());
}
