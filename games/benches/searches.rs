//! Measures playouts per second of wall time and of processor time, compared with plain UCT: every
//! part, graphs, two threads. Reversi from the start, one rollout at a time.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints what it measured")]

mod processor;

use core::num::NonZero;

use games::reversi::{Action, Position, Reversi};
use mcts_core::evaluation::{LastGoodReply, Mast, MastChoice, PriorScale, WithPriors};
use mcts_core::search::parallel::{PipelineParallel, RootParallel, TreeParallel};
use mcts_core::{
    Budget, Clock, Evaluator, Expansion, FirstPlay, Game, GraphUct, Grave, Growth, ImplicitMinimax,
    ProgressiveBias, ProgressiveHistory, Puct, Rave, Report, Rollout, ScoreBounds, Search,
    SelectionPolicy, SystemClock, Ucb1, Ucb1Tuned, Uct,
};

const ROUNDS: u64 = 7;
const TWO: NonZero<usize> = NonZero::new(2).unwrap();

type Found = Report<Action>;

/// A search with the given seed.
type Run = fn(u64, &Budget) -> Found;

fn parts<S: SelectionPolicy, E: Evaluator<Reversi>>(
    parts: Uct<S, E>,
    seed: u64,
    budget: &Budget,
) -> Found {
    let game = Reversi::default();
    parts.search(game, seed).run(&game.start(), budget).unwrap()
}

fn uct<S: SelectionPolicy>(selection: S, seed: u64, budget: &Budget) -> Found {
    parts(<Uct>::default().with_selection(selection), seed, budget)
}

fn evaluated<E: Evaluator<Reversi>>(evaluator: E, seed: u64, budget: &Budget) -> Found {
    parts(<Uct>::default().with_evaluator(evaluator), seed, budget)
}

/// With cheap priors, which measure the cost of a policy that uses priors.
fn advised<S: SelectionPolicy>(selection: S, seed: u64, budget: &Budget) -> Found {
    let prior: fn(&Reversi, &Position, Action) -> f32 = |_, _, _| 0.5;
    let evaluator =
        WithPriors { evaluator: <Rollout>::default(), prior, scale: PriorScale::AsGiven };
    parts(<Uct>::default().with_selection(selection).with_evaluator(evaluator), seed, budget)
}

fn all_at_once(seed: u64, budget: &Budget) -> Found {
    let expansion = Expansion { growth: Growth::AllAtOnce, ..Expansion::default() };
    parts(Uct { expansion, ..<Uct>::default() }, seed, budget)
}

fn exploring(exploration: f32) -> Ucb1 {
    Ucb1 { exploration, first_play: FirstPlay::AllOnce }
}

fn mast(choice: MastChoice, seed: u64, budget: &Budget) -> Found {
    evaluated(Rollout { policy: Mast { choice, ..Mast::default() }, lanes: 1 }, seed, budget)
}

fn last_good_reply(seed: u64, budget: &Budget) -> Found {
    evaluated(Rollout { policy: <LastGoodReply>::default(), lanes: 1 }, seed, budget)
}

fn graph(seed: u64, budget: &Budget) -> Found {
    let game = Reversi::default();
    <GraphUct>::default().search(game, seed).run(&game.start(), budget).unwrap()
}

/// Four leaves a batch; their rollouts are interleaved.
fn one_tree(threads: NonZero<usize>, seed: u64, budget: &Budget) -> Found {
    let game = Reversi::default();
    let parts: TreeParallel = TreeParallel { threads, ..TreeParallel::default() };
    parts.search(game, seed).run(&game.start(), budget).unwrap()
}

/// Four groups of eight leaves, for any number of threads.
fn pipeline(threads: NonZero<usize>, seed: u64, budget: &Budget) -> Found {
    let game = Reversi::default();
    let parts: PipelineParallel = PipelineParallel { threads, ..PipelineParallel::default() };
    parts.search(game, seed).run(&game.start(), budget).unwrap()
}

fn a_tree_each(seed: u64, budget: &Budget) -> Found {
    let game = Reversi::default();
    let uct: Uct<Ucb1, Rollout> = Uct::default();
    RootParallel { uct, threads: TWO }.search(game, seed).run(&game.start(), budget).unwrap()
}

/// Searches that are also measured with many playouts.
const SEARCHES: [(&str, Run); 9] = [
    ("plain UCT", |seed, budget| uct(Ucb1::default(), seed, budget)),
    ("PUCT", |seed, budget| uct(Puct::default(), seed, budget)),
    ("RAVE", |seed, budget| uct(Rave::<Ucb1>::default(), seed, budget)),
    ("graph", graph),
    ("pipeline, one thread", |seed, budget| pipeline(NonZero::<usize>::MIN, seed, budget)),
    ("pipeline, two threads", |seed, budget| pipeline(TWO, seed, budget)),
    ("one thread, 4 leaves", |seed, budget| one_tree(NonZero::<usize>::MIN, seed, budget)),
    ("two threads, one tree", |seed, budget| one_tree(TWO, seed, budget)),
    ("two threads, a tree each", a_tree_each),
];

/// The parts of UCT.
const PARTS: [(&str, Run); 15] = [
    ("plain UCT", |seed, budget| uct(Ucb1::default(), seed, budget)),
    ("all children at once", all_at_once),
    ("UCB1-Tuned", |seed, budget| uct(Ucb1Tuned::default(), seed, budget)),
    ("PUCT", |seed, budget| uct(Puct::default(), seed, budget)),
    ("progressive bias", |seed, budget| {
        advised(ProgressiveBias { policy: Ucb1::default(), weight: 1.0 }, seed, budget)
    }),
    ("implicit minimax", |seed, budget| advised(<ImplicitMinimax>::default(), seed, budget)),
    ("score bounds", |seed, budget| uct(<ScoreBounds>::default(), seed, budget)),
    ("progressive history", |seed, budget| uct(<ProgressiveHistory>::default(), seed, budget)),
    ("RAVE", |seed, budget| uct(Rave::<Ucb1>::default(), seed, budget)),
    ("RAVE, no exploration", |seed, budget| {
        uct(Rave { policy: exploring(0.0), ..Rave::default() }, seed, budget)
    }),
    ("GRAVE, no exploration", |seed, budget| {
        uct(Grave { policy: exploring(0.0), ..Grave::default() }, seed, budget)
    }),
    ("GRAVE, exploration 0.3", |seed, budget| {
        uct(Grave { policy: exploring(0.3), ..Grave::default() }, seed, budget)
    }),
    ("MAST, epsilon-greedy", |seed, budget| mast(Mast::default().choice, seed, budget)),
    ("MAST, Gibbs", |seed, budget| mast(MastChoice::Gibbs { temperature: 0.1 }, seed, budget)),
    ("last good replies", last_good_reply),
];

/// Playouts per second of wall time, playouts per second of processor time of all threads, and the
/// mean depth.
fn rate(run: Run, seed: u64, playouts: u64) -> ([f64; 2], f32) {
    let now = || [SystemClock.monotonic_nanos(), SystemClock.cpu_nanos().unwrap()];
    let start = now();
    let found = run(seed, &Budget::playouts(playouts).to_the_end());
    let end = now();
    let rate = |clock: usize| found.playouts as f64 * 1e9 / (end[clock] - start[clock]) as f64;
    ([rate(0), rate(1)], found.mean_depth)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn measure(searches: &[(&str, Run)], playouts: u64) {
    let mut rates = vec![Vec::new(); searches.len()];
    let mut depths = vec![0.0; searches.len()];
    for seed in 0..ROUNDS {
        for (at, (_, run)) in searches.iter().enumerate() {
            let (rate, depth) = rate(*run, seed, playouts);
            rates[at].push(rate);
            depths[at] = depth;
        }
    }
    let plain = rates[0].clone();
    for (((name, _), rates), depth) in searches.iter().zip(rates).zip(depths) {
        let of = |clock: usize| median(rates.iter().map(|rates| rates[clock]).collect());
        let pairs = || rates.iter().zip(&plain);
        let ratio =
            |clock: usize| median(pairs().map(|(one, plain)| one[clock] / plain[clock]).collect());
        println!(
            "{playouts:>9} {name:<26} {:>9.0} {:.2} {:>9.0} {:.2} {depth:>6.1}",
            of(0),
            ratio(0),
            of(1),
            ratio(1)
        );
    }
}

fn main() {
    println!("{}", processor::describe());
    println!(
        "medians of {ROUNDS} rounds: playouts; playouts per second of wall time and the ratio to plain UCT within a round; \
         both by processor time of all threads; depth"
    );
    measure(&PARTS, 100_000);
    measure(&SEARCHES, 100_000);
    measure(&SEARCHES, 1_000_000);
}
