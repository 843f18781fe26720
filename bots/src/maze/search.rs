//! The interface of searches on determinizations for the players of the maze.

use alloc::format;
use alloc::string::ToString;
use alloc::vec;

use games::maze::rules::TURNS;
use games::maze::world::Action;
use mcts_core::search::PolicyRollouts;
use mcts_core::{Budget, Clock, Knowledge, Search};

use super::worlds::Worlds;
use crate::client_seat::Decision;
use crate::decimals::FourDecimals;
use crate::search_player::candidates_in_words;

/// Decides by determinizations, each of which may be the true world.
pub trait WorldSearch {
    /// Chooses an action, with a seed and a budget; `None` if there is no decision.
    fn decide(
        &self,
        worlds: &Worlds<'_>,
        given: (u64, &Budget),
        clock: &dyn Clock,
    ) -> Option<Decision<Action>>;
}

/// Each action once, then the base policy, in the same determinizations.
impl<K: for<'a> Knowledge<Worlds<'a>> + Copy> WorldSearch for PolicyRollouts<K> {
    fn decide(
        &self,
        worlds: &Worlds<'_>,
        (seed, budget): (u64, &Budget),
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let mut search = PolicyRollouts::search(*self, *worlds, seed);
        let report = search.run_with_clock(&(), budget, clock).ok()?;
        tracing::debug!(actions = ?report.actions, "searched");
        let value = report.value().unwrap_or(0.0) / f32::from(TURNS);
        let candidates =
            candidates_in_words(&report, |action| vec![action], |action| action.to_string());
        let words = format!(
            "value={} playouts={}{candidates}",
            FourDecimals(value.into()),
            report.playouts
        );
        Some(Decision { action: report.best, report: Some(words) })
    }
}
