//! The competitors, and how each is run.

use anyhow::Result;
use clap::ValueEnum;
use mcts_core::trace::Untraced;
use mcts_core::{Game, Utilities, rng};

use crate::contest::{Contest, Counted, seed};
use crate::measure::{Cost, Found, measure};
use crate::ours::Threads;
use crate::{hand, ours, peers};

/// Exploration constant of UCB1 for values in [0, 1], if the crate lets it be set.
const EXPLORATION: f32 = 0.7;

/// A board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Board {
    Reversi,
    ConnectFour,
}

/// A search, or rollouts alone as the upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Competitor {
    Ours,
    OursNoSolver,
    #[value(name = "ours-4-lanes")]
    Ours4,
    #[value(name = "ours-8-lanes")]
    Ours8,
    #[value(name = "ours-16-lanes")]
    Ours16,
    /// Four groups of eight leaves, evaluated by one thread.
    #[value(name = "ours-pipeline")]
    Pipeline,
    /// The same search by two threads.
    #[value(name = "ours-pipeline-2-threads")]
    Pipeline2,
    #[value(name = "ours-free-2-threads")]
    Free2,
    #[value(name = "ours-2-trees")]
    Trees2,
    HandWritten,
    Arbor,
    ArborAsIs,
    Mcts,
    #[value(name = "mcts-2-threads")]
    Mcts2,
    Treant,
    #[value(name = "treant-2-threads")]
    Treant2,
    BoardGame,
    Minimax,
    #[value(name = "minimax-2-threads")]
    Minimax2,
    RolloutsAlone,
    #[value(name = "rollouts-alone-8-lanes")]
    RolloutsAlone8,
}

impl Competitor {
    /// The name on the command line and in the table.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// One run in this process.
    pub(crate) fn run(self, board: Board, playouts: u64) -> Result<Cost> {
        match board {
            Board::Reversi => self.run_on::<games::reversi::Position>(playouts),
            Board::ConnectFour => self.run_on::<games::connect_four::Position>(playouts),
        }
    }

    fn run_on<S: Contest>(self, playouts: u64) -> Result<Cost> {
        let ours =
            |solver, lanes| measure(playouts, |n| ours::search::<S>(n, EXPLORATION, solver, lanes));
        let on_threads = |how| measure(playouts, |n| ours::on_threads::<S>(n, EXPLORATION, how));
        let mcts =
            |threads| measure(playouts, |n| peers::mcts::search::<S>(n, EXPLORATION, threads));
        let treant =
            |threads| measure(playouts, |n| peers::treant::search::<S>(n, EXPLORATION, threads));
        let minimax = |threads| measure(playouts, |n| peers::minimax::search::<S>(n, threads));
        let arbor = |ours| measure(playouts, |n| peers::arbor::search::<S>(n, EXPLORATION, ours));
        match self {
            Competitor::Ours => ours(true, 1),
            Competitor::OursNoSolver => ours(false, 1),
            Competitor::Ours4 => ours(true, 4),
            Competitor::Ours8 => ours(true, 8),
            Competitor::Ours16 => ours(true, 16),
            Competitor::Pipeline => on_threads(Threads::Pipeline(1)),
            Competitor::Pipeline2 => on_threads(Threads::Pipeline(2)),
            Competitor::Free2 => on_threads(Threads::Free(2)),
            Competitor::Trees2 => on_threads(Threads::Trees(2)),
            Competitor::HandWritten => measure(playouts, |n| hand::search::<S>(n, EXPLORATION)),
            Competitor::Arbor => arbor(true),
            Competitor::ArborAsIs => arbor(false),
            Competitor::Mcts => mcts(1),
            Competitor::Mcts2 => mcts(2),
            Competitor::Treant => treant(1),
            Competitor::Treant2 => treant(2),
            Competitor::BoardGame => {
                measure(playouts, |n| peers::board_game::search::<S>(n, EXPLORATION))
            }
            Competitor::Minimax => minimax(1),
            Competitor::Minimax2 => minimax(2),
            Competitor::RolloutsAlone => measure(playouts, |n| rollouts_alone::<S>(n, 1)),
            Competitor::RolloutsAlone8 => measure(playouts, |n| rollouts_alone::<S>(n, 8)),
        }
    }
}

/// Rollouts from the start without a tree.
fn rollouts_alone<S: Contest>(playouts: u64, lanes: usize) -> Found<S, Vec<Utilities>> {
    let rules = Counted::<S>::new();
    let start = rules.start();
    let mut generator = rng::stream(seed(), 1);
    let mut results = vec![Utilities::ZERO; lanes];
    let mut balance = 0.0;
    for _ in 0..playouts / lanes as u64 {
        if lanes == 1 {
            results[0] = rules.rollout(start, &mut Untraced, &mut generator);
        } else {
            rules.rollouts(&mut vec![start; lanes], &mut generator, &mut results);
        }
        balance += results.iter().map(|result| f64::from(result.0[0])).sum::<f64>();
    }
    assert!(balance.abs() < 0.5 * playouts as f64, "both players win now and then");
    Found {
        visits: None,
        rolls_out_itself: false,
        best: rules.nth_action(&start, 0),
        tree: results,
    }
}
