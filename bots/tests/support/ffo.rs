//! The end game problems of the Fédération Française d'Othello, and Reversi with the scores that they are given in.

use bots::reversi::{EmptyCells, Endgame, Evaluation};
use games::reversi::{Action, Position, Reversi};
use mcts_core::search::alpha_beta::StaticEvaluation;
use mcts_core::{AlphaBeta, Game, Margin, Turn, Utilities};

/// A position with the discs that the side to move is ahead by under best play.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problem {
    pub(crate) number: u32,
    pub(crate) position: Position,
    pub(crate) margin: i32,
}

/// The problems with these numbers, from `games/tests/data/reversi_ffo.txt`.
pub(crate) fn problems(first: u32, last: u32) -> Vec<Problem> {
    let text = include_str!("../../../games/tests/data/reversi_ffo.txt");
    let problems = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        Problem {
            number: words[4].trim_start_matches('#').parse().expect("a number"),
            position: format!("{} {}", words[0], words[1]).parse().expect("a board and a side"),
            margin: words[2].parse().expect("a score"),
        }
    });
    problems.filter(|problem| (first..=last).contains(&problem.number)).collect()
}

/// Reversi where the winner is given the empty cells, and every disc counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tournament(Reversi);

impl Tournament {
    pub(crate) fn new() -> Self {
        Tournament(Reversi { margin: Margin::linear(64.0) })
    }
}

impl Game for Tournament {
    type State = Position;
    type Action = Action;

    fn start(&self) -> Position {
        self.0.start()
    }
    fn turn(&self, position: &Position) -> Turn {
        if !position.is_over() {
            return self.0.turn(position);
        }
        let margin = position.margin();
        let margin = margin + margin.signum() * position.empty().count_ones() as i32;
        Turn::Over(Utilities::zero_sum(self.0.margin.utility(margin)))
    }
    fn actions(&self, position: &Position, visit: impl FnMut(Action)) {
        self.0.actions(position, visit);
    }
    fn apply(&self, position: &mut Position, action: Action) {
        self.0.apply(position, action);
    }
    fn action_index(&self, action: Action) -> Option<usize> {
        self.0.action_index(action)
    }
    fn action_indices(&self) -> usize {
        self.0.action_indices()
    }
    fn hash(&self, position: &Position) -> Option<u64> {
        self.0.hash(position)
    }
}

/// The bot's evaluation for [`Tournament`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judge(Evaluation);

impl StaticEvaluation<Tournament> for Judge {
    fn evaluate(&mut self, game: &Tournament, position: &Position) -> f32 {
        self.0.evaluate(&game.0, position)
    }
    fn order(&mut self, game: &Tournament, at: &Position, action: Action, depth: u32) -> i32 {
        self.0.order(&game.0, at, action, depth)
    }
    fn ending(&mut self, game: &Tournament, at: &Position, window: (f32, f32)) -> Option<f32> {
        self.0.ending(&game.0, at, window)
    }
}

/// The search of the bot, for margins.
pub(crate) fn solver(memory_cap_bytes: usize) -> AlphaBeta<Judge> {
    let endgame = Endgame { empty_cells: EmptyCells::CountForTheWinner };
    let evaluation = Judge(Evaluation { endgame, ..Evaluation::default() });
    AlphaBeta { memory_cap_bytes, window: 1.0 / 64.0, ..AlphaBeta::default() }
        .with_evaluation(evaluation)
}

/// A utility of [`Tournament`] in discs.
pub(crate) fn discs(utility: f32) -> i32 {
    (utility * 64.0).round() as i32
}
