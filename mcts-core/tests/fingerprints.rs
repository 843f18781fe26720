//! The results of searches with fixed seeds as text, so that every change of behaviour is visible.
//!
//! `UPDATE_FINGERPRINTS=1 cargo test -p mcts-core --test fingerprints` rewrites the files.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use mcts_core::evaluation::{
    Decisive, EpsilonGreedy, LastGoodReply, Mast, MastChoice, PriorScale, WithPriors,
};
use mcts_core::testing::{Kuhn, KuhnAction, KuhnView};
use mcts_core::{
    Budget, Decoupled, DecoupledSearch, Evaluator, Expansion, Game, Grave, Growth,
    HiddenInformation, ImplicitMinimax, IsMcts, IsMctsSearch, NoClock, Observers, OpenLoop,
    OpenLoopSearch, Player, ProgressiveBias, ProgressiveHistory, Puct, Rave, Report, Rollout,
    ScoreBounds, Search, SelectionPolicy, Ucb1Tuned, Uct, Uniform,
};
use std::fmt::{Debug, Write};
use std::path::Path;
use support::dice_race::DiceRace;
use support::in_a_row::{Board, InARow};
use support::matrix::{Matrix, payoffs};
use support::{Nim, Payouts};

const CONNECT: InARow = InARow::connect(5, 4, 4);

/// Visits and value of every action of the root after this number of playouts.
fn line<G, S, E>(name: &str, game: &G, parts: Uct<S, E>, playouts: u64) -> String
where
    G: Game + Clone,
    S: SelectionPolicy,
    E: Evaluator<G>,
{
    let mut search = Uct { memory_cap_bytes: 4 << 20, ..parts }.search(game.clone(), 2024);
    let budget = Budget::playouts(playouts).to_the_end();
    told(name, &search.run_with_clock(&game.start(), &budget, &NoClock).unwrap())
}

fn told<A: Copy + PartialEq + Debug>(name: &str, report: &Report<A>) -> String {
    let mut line = format!("{name}: {:?} after {}, ", report.best, report.playouts);
    write!(line, "{} nodes, deepest {}:", report.tree_nodes, report.deepest).unwrap();
    for action in &report.actions {
        let value = action.value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        write!(line, " {:?} {} {value}", action.action, action.visits).unwrap();
    }
    line
}

fn compare(name: &str, lines: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fingerprints").join(name);
    let found = lines.join("\n") + "\n";
    if std::env::var_os("UPDATE_FINGERPRINTS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, found).unwrap();
        return;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    for (known, found) in known.lines().zip(found.lines()) {
        assert_eq!(known, found, "in {}; if it is meant, UPDATE_FINGERPRINTS=1", path.display());
    }
    assert_eq!(known, found, "in {}; if it is meant, UPDATE_FINGERPRINTS=1", path.display());
}

fn plain() -> Uct {
    Uct::default()
}

#[test]
fn plain_uct_searches_as_before() {
    let payouts = Payouts { steps: vec![[1.0, -2.0, 4.0], [0.5, 0.5, 0.5]], discount: 0.5 };
    let eight = Rollout { policy: Uniform, lanes: 8 };
    compare(
        "plain.txt",
        &[
            line("nim", &Nim { counters: 21 }, plain(), 300),
            line("tic-tac-toe", &InARow::TIC_TAC_TOE, plain(), 1_000),
            line("connect four on 5 x 4", &CONNECT, plain(), 4_000),
            line("eight lanes", &CONNECT, plain().with_evaluator(eight), 4_000),
            line("without solver", &CONNECT, Uct { solver: false, ..plain() }, 4_000),
            line("dice race", &DiceRace { goal: 12 }, plain(), 4_000),
            line("rewards", &payouts, plain(), 300),
        ],
    );
}

/// The first player's view after she was dealt a king.
fn king() -> KuhnView {
    let (mut state, player) = (Kuhn.start(), Player::FIRST);
    let mut view = Kuhn.first_view(&state, player);
    for card in [2, 0] {
        let deal = KuhnAction::Deal(card);
        Kuhn.apply(&mut state, deal);
        Kuhn.grow(&mut view, None, &Kuhn.observe(&state, deal, player));
    }
    view
}

#[test]
fn loops_over_what_players_know_search_as_before() {
    let budget = Budget::playouts(2_000).to_the_end();
    let race = DiceRace { goal: 12 };
    let mut open: OpenLoopSearch<DiceRace> = OpenLoop::default().search(race, 2024);
    let single = IsMcts { observers: Observers::Single, ..IsMcts::<Rollout>::default() };
    let mut single = single.search(Kuhn, 2024);
    let mut multiple: IsMctsSearch<Kuhn> = IsMcts::default().search(Kuhn, 2024);
    // rock, paper, scissors
    let signs = payoffs(&[&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]]);
    let mut decoupled: DecoupledSearch<Matrix> = Decoupled::default().search(signs.clone(), 2024);
    compare(
        "loops.txt",
        &[
            told("open loop", &open.run_with_clock(&race.start(), &budget, &NoClock).unwrap()),
            told("single", &single.run_with_clock(&king(), &budget, &NoClock).unwrap()),
            told("multiple", &multiple.run_with_clock(&king(), &budget, &NoClock).unwrap()),
            told(
                "decoupled",
                &decoupled.run_with_clock(&signs.start(), &budget, &NoClock).unwrap(),
            ),
        ],
    );
}

fn prior(_: &InARow, _: &Board, cell: u8) -> f32 {
    f32::from(cell % 5 + 1)
}

/// A search of Connect Four on 5 x 4.
fn connect<S, E>(name: &str, parts: Uct<S, E>) -> String
where
    S: SelectionPolicy,
    E: Evaluator<InARow>,
{
    line(name, &CONNECT, parts, 2_000)
}

#[test]
fn selection_policies_search_as_before() {
    let all = Expansion { growth: Growth::AllAtOnce, ..Expansion::default() };
    let known =
        WithPriors { evaluator: <Rollout>::default(), prior, scale: PriorScale::Probabilities };
    let known = || plain().with_evaluator(known);
    compare(
        "selection.txt",
        &[
            connect("all at once", Uct { expansion: all, ..plain() }),
            connect("UCB1-Tuned", plain().with_selection(Ucb1Tuned::default())),
            connect("PUCT", known().with_selection(Puct::default())),
            connect("RAVE", plain().with_selection(Rave::default())),
            connect("GRAVE", plain().with_selection(Grave::default())),
            connect("bias", known().with_selection(<ProgressiveBias>::default())),
            connect("history", plain().with_selection(<ProgressiveHistory>::default())),
            connect("implicit minimax", known().with_selection(<ImplicitMinimax>::default())),
            connect("score bounds", plain().with_selection(<ScoreBounds>::default())),
        ],
    );
}

fn rollout<P>(policy: P) -> Uct<mcts_core::Ucb1, Rollout<P>> {
    plain().with_evaluator(Rollout { policy, lanes: 1 })
}

#[test]
fn rollout_policies_search_as_before() {
    let gibbs = Mast { choice: MastChoice::Gibbs { temperature: 0.1 }, ..Mast::default() };
    compare(
        "rollouts.txt",
        &[
            connect("epsilon-greedy", rollout(EpsilonGreedy::new(prior))),
            connect("MAST", rollout(Mast::default())),
            connect("MAST by Gibbs", rollout(gibbs)),
            connect("last good reply", rollout(<LastGoodReply>::default())),
            connect("decisive", rollout(<Decisive>::default())),
        ],
    );
}
