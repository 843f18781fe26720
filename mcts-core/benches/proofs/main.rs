//! Compares searches on random games with exact values: `cargo bench -p mcts-core --bench proofs`.
//!
//! For each search, over families of random games for one, two and three players, with and without
//! chance: the number of roots where a worse action is played, the number where it is worse by more
//! than 0.02, and the mean error of the value of the played action. `games=N`: games of each family
//! (200).
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]

mod plain;
#[path = "../../tests/support/random_game.rs"]
mod random_game;

use mcts_core::Search as _;
use mcts_core::rng::stream;
use mcts_core::selection::SelectionPolicy;
use mcts_core::{
    Budget, FirstPlay, GraphUct, Grave, NoClock, Rave, Report, Rollout, ScoreBounds, Ucb1, Uct,
};
use plain::{Plain, Rule};
use random_game::{RandomGame, Shape};

/// Wide and shallow, narrow and deep; with arbitrary utilities, and with wins, draws and losses
/// only.
const SHAPES: [Shape; 4] =
    [shape(4, (3, 8), 0), shape(9, (2, 3), 0), shape(5, (4, 7), 1), shape(9, (2, 4), 1)];

const fn shape(depth: u32, width: (usize, usize), steps: usize) -> Shape {
    Shape { depth, width, chance: 0, early: 2, steps, transpositions: false }
}

/// The results of one group of families.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    roots: u32,
    wrong: u32,
    regrets: u32,
    value_error: f64,
    proven: u32,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.roots += other.roots;
        self.wrong += other.wrong;
        self.regrets += other.regrets;
        self.value_error += other.value_error;
        self.proven += other.proven;
    }

    fn cell(&self) -> String {
        let error = self.value_error / f64::from(self.roots);
        format!("| {}, {}, {error:.3}, {} ", self.wrong, self.regrets, self.proven)
    }
}

/// The played action, its estimated value, and whether the root was proven.
type Played = (u16, f32, bool);

fn of_report(report: &Report<u16>) -> Played {
    let value = report.value().unwrap_or(0.0);
    (report.best, value, report.stopped_by == mcts_core::StopReason::Proven)
}

fn uct<S: SelectionPolicy, const N: usize>(
    selection: S,
    solver: bool,
    game: &RandomGame<N>,
    run: Run,
) -> Played {
    let parts =
        Uct { memory_cap_bytes: 2 << 20, solver, ..<Uct>::default() }.with_selection(selection);
    let mut search = parts.search(game.clone(), run.seed);
    let budget = Budget::playouts(u64::from(run.playouts)).to_the_end();
    of_report(&search.run_with_clock(&0, &budget, &NoClock).expect("a player is to move"))
}

fn graph<const N: usize>(game: &RandomGame<N>, run: Run) -> Played {
    let parts = GraphUct::<Ucb1, Rollout> { memory_cap_bytes: 2 << 20, ..GraphUct::default() };
    let mut search = parts.search(game.clone(), run.seed);
    let budget = Budget::playouts(u64::from(run.playouts)).to_the_end();
    of_report(&search.run_with_clock(&0, &budget, &NoClock).expect("a player is to move"))
}

fn grave(exploration: f32) -> Grave {
    let policy = Ucb1 { exploration, first_play: FirstPlay::AllOnce };
    Grave { policy, ..Grave::default() }
}

/// One search of one game.
#[derive(Debug, Clone, Copy)]
struct Run {
    seed: u64,
    playouts: u32,
}

/// The searches that are compared.
#[derive(Debug, Clone, Copy)]
enum Contestant {
    Plain(Rule),
    Uct { solver: bool },
    Bounds,
    Graph,
    Grave { exploration: f32 },
    Rave,
}

const SEARCHES: [(&str, Contestant); 18] = [
    ("plain: no solver", Contestant::Plain(Rule::NoSolver)),
    ("plain: published", Contestant::Plain(Rule::Published)),
    ("plain: urgency", Contestant::Plain(Rule::Urgency)),
    ("plain: mean", Contestant::Plain(Rule::Mean)),
    ("plain: every mean", Contestant::Plain(Rule::EveryMean)),
    ("plain: mean or parent", Contestant::Plain(Rule::MeanOrParent)),
    ("plain: mean, mended", Contestant::Plain(Rule::MeanMended)),
    ("plain: mean after", Contestant::Plain(Rule::MeanAfter)),
    ("plain: greater", Contestant::Plain(Rule::Greater)),
    ("Uct without solver", Contestant::Uct { solver: false }),
    ("Uct", Contestant::Uct { solver: true }),
    ("ScoreBounds", Contestant::Bounds),
    ("GraphUct", Contestant::Graph),
    ("RAVE", Contestant::Rave),
    ("GRAVE, exploration 0", Contestant::Grave { exploration: 0.0 }),
    ("GRAVE, exploration 0.2", Contestant::Grave { exploration: 0.2 }),
    ("GRAVE, exploration 0.4", Contestant::Grave { exploration: 0.4 }),
    ("GRAVE, exploration 0.7", Contestant::Grave { exploration: 0.7 }),
];

impl Contestant {
    fn play<const N: usize>(self, game: &RandomGame<N>, run: Run) -> Played {
        match self {
            Contestant::Plain(rule) => {
                let mut plain = Plain::new(game, rule, run.seed);
                plain.playouts(run.playouts);
                let (best, value) = plain.best();
                (best, value, plain.is_proven())
            }
            Contestant::Uct { solver } => uct(Ucb1::default(), solver, game, run),
            Contestant::Bounds => uct(<ScoreBounds>::default(), true, game, run),
            Contestant::Graph => graph(game, run),
            Contestant::Rave => uct(Rave::default(), true, game, run),
            Contestant::Grave { exploration } => uct(grave(exploration), true, game, run),
        }
    }
}

/// All games of a group with one search.
fn tally<const N: usize>(chance: usize, games: u64, search: Contestant, playouts: u32) -> Tally {
    let mut tally = Tally::default();
    for (family, shape) in SHAPES.iter().enumerate() {
        let mut rng = stream(100 + family as u64, N as u64);
        for seed in 0..games {
            // with few distinct utilities a third player is often indifferent, and the value is not
            // unique
            let steps = if N > 2 { 0 } else { shape.steps };
            let game = RandomGame::<N>::new(&mut rng, &Shape { chance, steps, ..*shape });
            let exact = game.solve_actions();
            let utility = |place: usize| exact[place].utilities.of_player(game.mover());
            let best = (0..exact.len()).map(utility).fold(f32::MIN, f32::max);
            let (action, value, proven) = search.play(&game, Run { seed, playouts });
            let regret = best - utility(usize::from(action));
            tally.roots += 1;
            tally.wrong += u32::from(regret > 1e-6);
            tally.regrets += u32::from(regret > 0.02);
            tally.value_error += f64::from((value - best).abs());
            tally.proven += u32::from(proven);
        }
    }
    tally
}

fn group(
    players: usize,
    chance: usize,
    games: u64,
    (search, playouts): (Contestant, u32),
) -> Tally {
    match players {
        1 => tally::<1>(chance, games, search, playouts),
        2 => tally::<2>(chance, games, search, playouts),
        _ => tally::<3>(chance, games, search, playouts),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let word = |name| words.iter().find_map(|word| word.strip_prefix(name));
    let games = word("games=").and_then(|number| number.parse().ok()).unwrap_or(200);
    let only = word("only=").unwrap_or("");
    println!(
        "{} roots a cell: wrong, worse by more than 0.02, mean error of the value, proven",
        games * 4
    );
    for playouts in [300, 3_000] {
        println!(
            "\n| {playouts} playouts | 1 player | 2 players | 3 players | 1, chance | 2, chance | 3, chance | all |"
        );
        println!("|---|---|---|---|---|---|---|---|");
        for (name, search) in SEARCHES.iter().filter(|(name, _)| name.contains(only)) {
            let mut line = format!("| {name} ");
            let mut all = Tally::default();
            for (players, chance) in [(1, 0), (2, 0), (3, 0), (1, 3), (2, 3), (3, 3)] {
                let of = group(players, chance, games, (*search, playouts));
                line += &of.cell();
                all.add(&of);
            }
            line += &all.cell();
            println!("{line}|");
        }
    }
}
