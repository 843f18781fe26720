//! Parts in whole searches: their decisions, what they learn, and their allocations.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use mcts_core::evaluation::{
    Decisive, EpsilonGreedy, LastGoodReply, Mast, MastChoice, PriorScale, RolloutPolicy, WithPriors,
};
use mcts_core::rng::{below, stream};
use mcts_core::trace::{Trace, TraceStep, Untraced};
use mcts_core::{
    Budget, Evaluator, Expansion, Game, Grave, Growth, ImplicitMinimax, NoClock, Player,
    ProgressiveBias, ProgressiveHistory, Puct, Rave, Rollout, ScoreBounds, Search, SearchRng,
    SelectionPolicy, Turn, Ucb1, Ucb1Tuned, Uct, Utilities,
};
use std::collections::HashMap;
use support::Payouts;
use support::dice_race::{DiceRace, Racers, THROW, WALK};
use support::in_a_row::{Board, InARow};

const GAME: InARow = InARow::TIC_TAC_TOE;

/// Positions of tic-tac-toe after one to five random plies where not every action is equally good.
fn positions() -> Vec<Board> {
    let mut rng = stream(4, 0);
    let mut known = HashMap::new();
    let mut positions = Vec::new();
    while positions.len() < 40 {
        let mut board = GAME.start();
        for _ in 0..1 + below(&mut rng, 5) {
            if matches!(GAME.turn(&board), Turn::Player(_)) {
                let action = GAME.random_action(&board, &mut rng);
                GAME.apply(&mut board, action);
            }
        }
        let best = best_actions(&board, &mut known);
        if !best.is_empty() && best.len() < GAME.count_actions(&board) {
            positions.push(board);
        }
    }
    positions
}

fn best_actions(board: &Board, known: &mut HashMap<Board, i8>) -> Vec<u8> {
    let mut best = Vec::new();
    if let Turn::Over(_) = GAME.turn(board) {
        return best;
    }
    let value = GAME.solve(board, known);
    GAME.actions(board, |action| {
        let mut after = *board;
        GAME.apply(&mut after, action);
        if -GAME.solve(&after, known) == value {
            best.push(action);
        }
    });
    best
}

/// The number of positions played correctly, and the mean error of the values.
fn marks<S, E>(parts: &Uct<S, E>, playouts: u64) -> (usize, f32)
where
    S: SelectionPolicy + Clone,
    E: Evaluator<InARow> + Clone,
{
    let mut known = HashMap::new();
    let (mut right, mut off) = (0, 0.0);
    let positions = positions();
    for board in &positions {
        let mut search = parts.clone().search(GAME, 9);
        let report = search.run(board, &Budget::playouts(playouts).to_the_end()).unwrap();
        right += usize::from(best_actions(board, &mut known).contains(&report.best));
        off += (report.value().unwrap() - f32::from(GAME.solve(board, &mut known))).abs();
    }
    (right, off / positions.len() as f32)
}

fn plain() -> Uct {
    Uct { memory_cap_bytes: 8 << 20, ..Uct::default() }
}

fn without_solver() -> Uct {
    Uct { solver: false, ..plain() }
}

/// The middle first, then corners.
fn prior(_: &InARow, _: &Board, cell: u8) -> f32 {
    match cell {
        5 => 3.0,
        0 | 2 | 8 | 10 => 2.0,
        _ => 1.0,
    }
}

type Prior = fn(&InARow, &Board, u8) -> f32;

fn with_priors(scale: PriorScale) -> WithPriors<Rollout, Prior> {
    WithPriors { evaluator: Rollout::default(), prior, scale }
}

#[test]
fn every_selection_policy_finds_the_best_actions_of_tic_tac_toe_without_the_solver() {
    let explores = Ucb1 { exploration: 0.5, ..Ucb1::default() };
    let rave = Rave { policy: explores, ..Rave::default() };
    let grave = Grave { policy: explores, ..Grave::default() };
    let all_at_once = Expansion { growth: Growth::AllAtOnce, ..Expansion::default() };
    let marks = [
        ("UCB1", marks(&without_solver(), 8_000)),
        ("all at once", marks(&Uct { expansion: all_at_once, ..without_solver() }, 8_000)),
        ("UCB1-Tuned", marks(&without_solver().with_selection(Ucb1Tuned::default()), 8_000)),
        ("PUCT", marks(&without_solver().with_selection(Puct::default()), 8_000)),
        ("RAVE", marks(&without_solver().with_selection(rave), 8_000)),
        ("GRAVE", marks(&without_solver().with_selection(grave), 8_000)),
        ("history", {
            let history = <ProgressiveHistory>::default();
            marks(&without_solver().with_selection(history), 8_000)
        }),
        ("bias", {
            let bias = without_solver().with_selection(<ProgressiveBias>::default());
            marks(&bias.with_evaluator(with_priors(PriorScale::Probabilities)), 8_000)
        }),
        ("implicit minimax", {
            let minimax = ImplicitMinimax { policy: Ucb1::default(), weight: 0.2 };
            marks(&without_solver().with_selection(minimax), 8_000)
        }),
    ];
    for (name, (right, off)) in marks {
        assert!(right == 40, "{name} plays {right} of 40 right, values off by {off}");
        assert!(off < 0.15, "{name} has values off by {off}");
    }
}

#[test]
fn policies_compose() {
    let bounded = ScoreBounds { policy: Rave { policy: Puct::default(), ..wide_rave() } };
    let parts = plain().with_selection(ProgressiveHistory {
        policy: bounded,
        weight: 1.0,
        history: Default::default(),
    });
    let rollout = Rollout { policy: LastGoodReply::with_policy(Mast::default()), lanes: 2 };
    let evaluator = WithPriors { evaluator: rollout, prior, scale: PriorScale::Probabilities };
    let (right, off) = marks(&parts.with_evaluator(evaluator), 5_000);
    assert_eq!(right, 40);
    assert!(off < 0.01, "all is proven: {off}");
}

fn wide_rave() -> Rave<Puct> {
    Rave { policy: Puct::default(), schedule: Rave::default().schedule }
}

#[test]
fn every_rollout_policy_finds_the_best_actions_of_tic_tac_toe_without_the_solver() {
    fn rollout<P>(policy: P) -> Rollout<P> {
        Rollout { policy, lanes: 1 }
    }
    let gibbs = Mast { choice: MastChoice::Gibbs { temperature: 0.2 }, ..Mast::default() };
    let marks = [
        ("greedy", {
            let greedy = EpsilonGreedy { epsilon: 0.3, heuristic: prior };
            marks(&without_solver().with_evaluator(rollout(greedy)), 8_000)
        }),
        ("MAST", marks(&without_solver().with_evaluator(rollout(Mast::default())), 8_000)),
        ("MAST by Gibbs", marks(&without_solver().with_evaluator(rollout(gibbs)), 8_000)),
        ("last good reply", {
            let reply = <LastGoodReply>::default();
            marks(&without_solver().with_evaluator(rollout(reply)), 8_000)
        }),
        ("decisive", {
            let decisive = <Decisive>::default();
            marks(&without_solver().with_evaluator(rollout(decisive)), 8_000)
        }),
    ];
    for (name, (right, off)) in marks {
        assert!(right == 40, "{name} plays {right} of 40 right, values off by {off}");
    }
}

/// Uniform rollouts that store all traces they receive.
#[derive(Debug, Clone, Default)]
struct Recorder {
    playouts: Vec<(Trace, Utilities)>,
}

impl<G: Game> RolloutPolicy<G> for Recorder {
    const LEARNS: bool = true;

    fn choose(
        &mut self,
        game: &G,
        at: &mcts_core::evaluation::Situation<'_, G::State>,
        rng: &mut SearchRng,
    ) -> Option<G::Action> {
        Some(game.random_action(at.state, rng))
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        self.playouts.push((trace.clone(), *utilities));
    }
}

/// Replays the traces from the start; the game must be over after each, with the reported result.
fn replay<G: Game>(game: &G, playouts: &[(Trace, Utilities)]) {
    for (trace, told) in playouts {
        let mut state = game.start();
        let (mut total, mut weight) = (Utilities::ZERO, 1.0);
        for step in trace.steps() {
            let Turn::Player(player) = game.turn(&state) else { panic!("over before the end") };
            let mut taken = None;
            game.actions(&state, |action| {
                if TraceStep::new(player, game.action_index(action)) == *step {
                    taken = Some(action);
                }
            });
            let rewards = game.apply_with_rewards(&mut state, taken.unwrap());
            total = total.plus(&rewards, weight);
            weight *= game.discount();
        }
        let Turn::Over(utilities) = game.turn(&state) else { panic!("not over at the end") };
        let total = total.plus(&utilities, weight);
        assert!((total.of_player(Player::FIRST) - told.of_player(Player::FIRST)).abs() < 1e-5);
    }
}

#[test]
fn traces_tell_each_playout_from_the_root_to_the_end() {
    for lanes in [1, 3] {
        let rollout = Rollout { policy: Recorder::default(), lanes };
        let mut search = without_solver().with_evaluator(rollout).search(GAME, 3);
        search.run(&GAME.start(), &Budget::playouts(500).to_the_end()).unwrap();
        let playouts = &search.parts().evaluator.policy.playouts;
        assert_eq!(playouts.len(), 500);
        replay(&GAME, playouts);
    }
}

#[test]
fn traces_come_with_discounted_returns_from_the_root() {
    let game = Payouts { steps: vec![[1.0, -2.0, 4.0], [0.5, 0.5, 0.5]], discount: 0.5 };
    let rollout = Rollout { policy: Recorder::default(), lanes: 1 };
    let mut search = plain().with_evaluator(rollout).search(game.clone(), 3);
    search.run(&game.start(), &Budget::playouts(50).to_the_end()).unwrap();
    let playouts = &search.parts().evaluator.policy.playouts;
    assert_eq!(playouts.len(), 50);
    replay(&game, playouts);
}

#[cfg(feature = "parallel")]
#[test]
fn threads_that_share_a_tree_trace_their_playouts_whole() {
    use core::num::NonZero;
    let rollout = Rollout { policy: Recorder::default(), lanes: 1 };
    let parts = mcts_core::TreeParallel {
        uct: without_solver().with_evaluator(rollout),
        threads: NonZero::new(3).unwrap(),
        leaves: NonZero::new(4).unwrap(),
    };
    let mut search = parts.search(GAME, 3);
    search.run(&GAME.start(), &Budget::playouts(2_000).to_the_end()).unwrap();
    // the search keeps the evaluator of one thread
    let playouts = &search.evaluator().policy.playouts;
    assert!(!playouts.is_empty());
    replay(&GAME, playouts);
}

/// Allocations of a search with this number of playouts, after one that has visited every state.
fn allocations<S, E>(parts: Uct<S, E>, playouts: u64) -> u64
where
    S: SelectionPolicy,
    E: Evaluator<InARow>,
{
    let board = GAME.start();
    let mut search = parts.search(GAME, 2);
    let budget = |playouts| Budget::playouts(playouts).to_the_end();
    search.run_with_clock(&board, &budget(5_000), &NoClock).unwrap();
    let counted = allocation_counter::measure(|| {
        search.run_with_clock(&board, &budget(playouts), &NoClock).unwrap();
    });
    counted.count_total
}

#[test]
fn parts_that_learn_allocate_nothing_in_a_playout() {
    let rollout = || Rollout { policy: LastGoodReply::with_policy(Mast::default()), lanes: 1 };
    let rave = || without_solver().with_selection(Rave::default()).with_evaluator(rollout());
    let history = || without_solver().with_selection(<ProgressiveHistory>::default());
    let puct = || {
        let priors = with_priors(PriorScale::Probabilities);
        without_solver().with_selection(Puct::default()).with_evaluator(priors)
    };
    // more playouts may make the line of the report a little longer, and with it its allocations
    assert!(allocations(rave(), 5_000) <= allocations(rave(), 10) + 40);
    assert!(allocations(history(), 5_000) <= allocations(history(), 10) + 40);
    assert!(allocations(puct(), 5_000) <= allocations(puct(), 10) + 40);
}

#[test]
fn chance_nodes_are_worth_what_dynamic_programming_says() {
    let game = DiceRace { goal: 9 };
    let chances = game.chances();
    let mut decided = 0;
    for (steps, [throw, walk]) in &chances {
        let state = Racers { steps: *steps, ..game.start() };
        let mut search = without_solver().search(game, 1);
        let report = search.run(&state, &Budget::playouts(30_000).to_the_end()).unwrap();
        let exact = 2.0 * throw.max(*walk) - 1.0;
        let found = f64::from(report.value().unwrap());
        assert!((found - exact).abs() < 0.05, "{steps:?}: {found} instead of {exact}");
        if (throw - walk).abs() > 0.02 {
            let best = if throw > walk { THROW } else { WALK };
            assert_eq!(report.best, best, "{steps:?}: {throw} against {walk}");
            decided += 1;
        }
    }
    assert!(decided > 40, "{decided} of {}", chances.len());
}

#[test]
fn a_cut_rollout_is_worth_what_its_evaluator_says_at_the_cut() {
    // one step has the reward 1, 2 or 4, halved at each step; cut after two steps, the rest has the
    // value 8
    let game = Payouts { steps: vec![[1.0, 2.0, 4.0]], discount: 0.5 };
    let eight = |_: &Payouts, _: &(u8, u8)| Utilities::single(8.0);
    let mut cut = <Rollout>::default().cut(2, eight);
    let mut rng = stream(1, 0);
    let mut value =
        |state| cut.evaluate(&game, &state, &mut Untraced, &mut rng).of_player(Player::FIRST);
    // 1 + 2 / 2 + 8 / 4; from the second step on 2 + 4 / 2, and over by then; the third step alone
    assert!((value((0, 0)) - 4.0).abs() < 1e-6);
    assert!((value((0, 1)) - 4.0).abs() < 1e-6);
    assert!((value((0, 2)) - 4.0).abs() < 1e-6);
}
