//! What alpha-beta needs to know of a game beyond its rules.

use crate::game::Game;

/// Whether the player to move may decline every forcing action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Horizon {
    /// The evaluation is a lower bound: the player may stand pat.
    StandPat,
    /// The visited actions are all there are (an answer to a check, for example): one of them must be played.
    Forced,
}

/// An evaluation without search, and hints about actions.
///
/// Any function of game and state that returns the utility for the player to move is one, without hints.
pub trait StaticEvaluation<G: Game> {
    /// The utility that the player to move in `state` can expect, within the bounds of the game; the game is not over.
    fn evaluate(&mut self, game: &G, state: &G::State) -> f32;

    /// How early `action` is tried: larger first. Among actions of equal order the killer and history heuristics
    /// decide. `depth` is the number of plies to be searched, so that a costly order may be left to deep nodes.
    fn order(&mut self, game: &G, state: &G::State, action: G::Action, depth: u32) -> i32 {
        let _ = (game, state, action, depth);
        0
    }

    /// The exact utility of `state` for the player to move, by a solver of endings of the evaluation's own; the game is
    /// not over. `None` if it is not known or would take too long.
    ///
    /// Only values between the two ends of `window` need be exact: a lower one may be any upper bound of the value that
    /// is below the window, a higher one any lower bound that is above it.
    fn ending(&mut self, game: &G, state: &G::State, window: (f32, f32)) -> Option<f32> {
        let _ = (game, state, window);
        None
    }

    /// A key of `state` if it counts as a draw (the middle of the bounds) where it comes up again on the line that is
    /// searched; equal for equal positions. The default counts nothing as a repetition.
    fn repetition_key(&self, game: &G, state: &G::State) -> Option<u64> {
        let _ = (game, state);
        None
    }

    /// Quiescence: visits the actions that are searched beyond the depth limit, where `beyond` plies have been so far
    /// (Shannon, 1950, section 5). The default visits none, so a leaf has its static value.
    ///
    /// The chain must end: visit nothing from some `beyond` on, unless the rules bound it.
    fn forcing(
        &mut self,
        game: &G,
        state: &G::State,
        beyond: u32,
        visit: impl FnMut(G::Action),
    ) -> Horizon {
        let _ = (game, state, beyond, visit);
        Horizon::StandPat
    }
}

impl<G: Game, F: FnMut(&G, &G::State) -> f32> StaticEvaluation<G> for F {
    fn evaluate(&mut self, game: &G, state: &G::State) -> f32 {
        self(game, state)
    }
}

/// Expects the middle of the utility bounds everywhere: only ends of the game count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoEvaluation;

impl<G: Game> StaticEvaluation<G> for NoEvaluation {
    fn evaluate(&mut self, _: &G, _: &G::State) -> f32 {
        f32::midpoint(G::UTILITY_BOUNDS.0, G::UTILITY_BOUNDS.1)
    }
}
