//! Endings of Reversi: published problems, and a plain solver.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/ffo.rs"]
mod ffo;

use bots::reversi::{EmptyCells, Endgame, Evaluation};
use ffo::{Tournament, discs, problems, solver};
use games::reversi::{Position, Reversi};
use mcts_core::search::alpha_beta::StaticEvaluation;
use mcts_core::{Budget, Game, Margin, NoClock, Search, StopReason, rng};

/// The margin for the side to move by plain minimax over the rules.
fn margin(position: &Position, empty_cells: EmptyCells) -> i32 {
    if position.is_over() {
        let margin = position.own().count_ones() as i32 - position.opponent().count_ones() as i32;
        return match empty_cells {
            EmptyCells::CountForNeither => margin,
            EmptyCells::CountForTheWinner => {
                margin + margin.signum() * position.empty().count_ones() as i32
            }
        };
    }
    let mut best = -64;
    Reversi::default().actions(position, |action| {
        let mut after = *position;
        after.apply(action);
        best = best.max(-margin(&after, empty_cells));
    });
    best
}

/// Positions of random games with this many empty cells, where the game is not over.
fn positions(empties: u32, count: usize, seed: u64) -> Vec<Position> {
    let game = Reversi::default();
    let mut rng = rng::stream(seed, 0);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::start();
        while !position.is_over() && position.empty().count_ones() > empties {
            position.apply(game.random_action(&position, &mut rng));
        }
        if !position.is_over() {
            found.push(position);
        }
    }
    found
}

#[test]
fn few_empty_cells_have_the_margin_of_plain_minimax() {
    for empty_cells in [EmptyCells::CountForNeither, EmptyCells::CountForTheWinner] {
        let endgame = Endgame { empty_cells };
        for (empties, count) in [(1, 40), (2, 40), (3, 40), (4, 40), (5, 30), (6, 6)] {
            for position in positions(empties, count, 3) {
                let expected = margin(&position, empty_cells);
                let solve = |window| endgame.margin(position.own(), position.opponent(), window);
                assert_eq!(solve((-65, 65)), expected, "{position}");
                for bound in [-20, -1, 0, 1, 20] {
                    let found = solve((bound, bound + 1));
                    assert_eq!(found > bound, expected > bound, "{position} {bound}");
                    let is_bound =
                        if found > bound { found <= expected } else { found >= expected };
                    assert!(is_bound, "{position}: {found}, {expected}");
                }
            }
        }
    }
}

#[test]
fn an_ending_of_the_evaluation_is_exact_inside_its_window_and_a_bound_outside() {
    for margins in [Margin::WIN_ONLY, Margin { win: 0.4, largest: 20.0 }] {
        let game = Reversi { margin: margins };
        for position in positions(5, 60, 4) {
            let exact = margins.utility(margin(&position, EmptyCells::CountForNeither));
            for (lower, upper) in [(-1.1, 1.1), (-0.5, -0.1), (-1e-6, 1e-6), (0.3, 0.31)] {
                let mut evaluation = Evaluation::default();
                let found = evaluation.ending(&game, &position, (lower, upper)).unwrap();
                if exact <= lower {
                    assert!((exact..=lower).contains(&found), "{found} {exact} {lower}");
                } else if exact >= upper {
                    assert!((upper..=exact).contains(&found), "{found} {exact} {upper}");
                } else {
                    assert!((found - exact).abs() < 1e-6, "{found} {exact}");
                }
            }
        }
    }
}

fn check_problems(first: u32, last: u32) {
    let found = problems(first, last);
    assert_eq!(found.len() as u32, last + 1 - first);
    for problem in found {
        let mut search = solver(64 << 20).search(Tournament::new());
        let report =
            search.run_with_clock(&problem.position, &Budget::UNLIMITED, &NoClock).unwrap();
        assert_eq!(report.stopped_by, StopReason::Proven);
        assert_eq!(report.value().map(discs), Some(problem.margin), "#{}", problem.number);
    }
}

/// Scores as published with the problems (see the file).
#[test]
fn problems_20_to_29_have_their_published_scores() {
    check_problems(20, 29);
}

#[test]
#[ignore = "slow: ten seconds"]
fn problems_30_to_39_have_their_published_scores() {
    check_problems(30, 39);
}
