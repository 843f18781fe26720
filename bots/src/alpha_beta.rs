//! Alpha-beta with an evaluation of a game's own: the rival of the tree search of that game, and a graded opponent.

use crate::parameters::{ParameterError, Parameters};
use crate::plain::{self, Table};
use crate::seat::Seat;
use alloc::boxed::Box;
use games::Client;
use mcts_core::search::alpha_beta::{Reductions, StaticEvaluation};
use mcts_core::{AlphaBeta, Game};

/// Late actions are searched a ply less deep at first, where no depth is given.
const REDUCTIONS: Reductions = Reductions { full: 4, least_depth: 3, plies: 1 };

/// The parts of a search with this evaluation; takes `depth` from the parameters. With a depth every action is searched
/// as deep, and the clock is a limit, too.
///
/// # Errors
/// [`ParameterError`] if the depth does not fit.
pub fn parts<V>(
    evaluation: V,
    parameters: &mut Parameters,
) -> Result<AlphaBeta<V>, ParameterError> {
    let depth = parameters.optional_whole("depth", (1, 200))?;
    let reductions = if depth.is_some() { Reductions::NONE } else { REDUCTIONS };
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
