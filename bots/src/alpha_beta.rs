//! Alpha-beta with an evaluation of a game's own: the rival of the tree search of that game, and a graded opponent.

use crate::parameters::{ParameterError, Parameters};
use crate::plain::{self, Table};
use crate::seat::Seat;
use alloc::boxed::Box;
use games::Client;
use mcts_core::search::alpha_beta::{Reductions, StaticEvaluation};
use mcts_core::{AlphaBeta, Game};

/// Actions of a position that are searched at full depth before the others are reduced.
const FULL: u32 = 4;

/// Least depth at which actions are reduced.
const LEAST_DEPTH: u32 = 3;

/// The parts of a search with this evaluation; takes `depth` and `reduction` (plies less for late actions, by default 1,
/// with a depth 0) from the parameters. With a depth the clock is a limit, too.
///
/// # Errors
/// [`ParameterError`] if one of them does not fit.
pub fn parts<V>(
    evaluation: V,
    parameters: &mut Parameters,
) -> Result<AlphaBeta<V>, ParameterError> {
    let depth = parameters.optional_whole("depth", (1, 200))?;
    let default = if depth.is_some() { 0 } else { 1 };
    let plies = parameters.whole("reduction", default, (0, 3))?;
    let reductions = Reductions { full: FULL, least_depth: LEAST_DEPTH, plies };
    let parts = AlphaBeta { depth, reductions, ..AlphaBeta::default() };
    Ok(parts.with_evaluation(evaluation))
}

/// A seat where alpha-beta with this evaluation decides.
///
/// # Errors
/// [`ParameterError`] if a parameter does not fit.
pub fn seat<G, C, V>(
    table: Table<C>,
    evaluation: V,
    parameters: &mut Parameters,
) -> Result<Box<dyn Seat>, ParameterError>
where
    G: Game<State: Send, Action: Send> + Clone + PartialEq + Send + 'static,
    C: Client<Game = G, Position = G::State, Action = G::Action> + 'static,
    V: StaticEvaluation<G> + Clone + Send + 'static,
{
    let parts = parts(evaluation, parameters)?;
    plain::seat(table, parts, parameters)
}
