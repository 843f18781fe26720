//! Tree searches of determinizations.

use core::fmt::Debug;

use bots::Decision;
use bots::maze::base_policy::BasePolicy;
use bots::maze::search::WorldSearch;
use bots::maze::worlds::{Source, Worlds};
use games::maze::world::Action;
use mcts_core::belief::FromView;
use mcts_core::{Budget, Clock, Evaluator, Pimc, Pomcp, Report, Search, SelectionPolicy};

use crate::determinized::{Determinized, HORIZON, Known};

/// UCT in each of several determinizations, as if everything were seen (PIMC).
#[derive(Debug, Clone)]
pub(crate) struct EachWorld<S, E> {
    pub(crate) pimc: Pimc<S, E>,
    pub(crate) base_policy: BasePolicy,
}

impl<S, E> WorldSearch for EachWorld<S, E>
where
    S: SelectionPolicy + Clone,
    E: for<'a> Evaluator<Determinized<'a>> + Clone,
{
    fn decide(
        &self,
        worlds: &Worlds<'_>,
        (seed, budget): (u64, &Budget),
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let turn = match worlds.source {
            Source::Belief(belief) => belief.view().turn(),
            Source::Truth(walk) => walk.turn,
        };
        let game =
            Determinized { worlds: *worlds, base_policy: self.base_policy, until: turn + HORIZON };
        let mut search = self.pimc.clone().search(game, seed);
        let report = search.run_with_clock(&(), budget, clock).ok()?;
        Some(decision(&report, report.best.action))
    }
}

/// One tree over Maki's actions and observations, with a determinization for each playout (POMCP).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Histories(pub(crate) Pomcp<Known>);

impl WorldSearch for Histories {
    fn decide(
        &self,
        worlds: &Worlds<'_>,
        (seed, budget): (u64, &Budget),
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let mut search = self.0.search(*worlds, FromView::new(()), seed);
        let report = search.run_with_clock(&(), budget, clock).ok()?;
        Some(decision(&report, report.best))
    }
}

fn decision<A: Copy + PartialEq + Debug>(report: &Report<A>, action: Action) -> Decision<Action> {
    Decision { action, report: Some(bots::search_player::report_in_words(report)) }
}
