//! What a search of drawn worlds is to the players of the maze.

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

/// Decides by worlds of which each may be the true one.
pub trait WorldSearch {
    /// What to do now, from a seed and within a budget; `None` if there is nothing to decide.
    fn decide(
        &self,
        worlds: &Worlds<'_>,
        given: (u64, &Budget),
        clock: &dyn Clock,
    ) -> Option<Decision<Action>>;
}

/// Each action once, then what is known, all on the same worlds.
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
