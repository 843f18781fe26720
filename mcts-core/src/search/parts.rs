//! Searches by their parts: the configuration of a player before the game is known.

use super::alpha_beta::{AlphaBetaSearch, StaticEvaluation};
use super::{
    AlphaBeta, Decoupled, GraphUct, IsMcts, OpenLoop, Pimc, Pomcp, PomcpFromView, Search, Uct,
};
use crate::evaluation::{Evaluator, Knowledge};
use crate::game::{Chair, Game, HiddenInformation, InformationSets, Simultaneous};
use crate::report::SearchError;
use crate::selection::SelectionPolicy;

/// Parts of a search of a game `G`.
pub trait Parts<G> {
    /// The search.
    type Search: Search;

    /// Checks whether these parts can search `game`; call it before [`start`](Self::start), which
    /// may panic otherwise.
    ///
    /// # Errors
    /// [`SearchError::NoActionIndices`] if a part needs action indices and the game has none.
    fn check(&self, game: &G) -> Result<(), SearchError> {
        let _ = game;
        Ok(())
    }

    /// A search of `game` with these parts.
    fn start(&self, game: G, seed: u64) -> Self::Search;

    /// Memory cap of the search in bytes; for root parallelism, of each tree.
    fn memory_cap_bytes(&mut self) -> &mut usize;
}

impl<G, S, E> Parts<G> for Uct<S, E>
where
    G: Game,
    S: SelectionPolicy + Clone,
    E: Evaluator<G> + Clone,
{
    type Search = super::UctSearch<G, S, E>;

    fn check(&self, game: &G) -> Result<(), SearchError> {
        Uct::check(self, game)
    }

    fn start(&self, game: G, seed: u64) -> Self::Search {
        self.clone().search(game, seed)
    }

    fn memory_cap_bytes(&mut self) -> &mut usize {
        &mut self.memory_cap_bytes
    }
}

impl<G, S, E> Parts<G> for GraphUct<S, E>
where
    G: Game,
    S: SelectionPolicy<Extra = ()> + Clone,
    E: Evaluator<G> + Clone,
{
    type Search = super::GraphSearch<G, S, E>;

    fn start(&self, game: G, seed: u64) -> Self::Search {
        self.clone().search(game, seed)
    }

    fn memory_cap_bytes(&mut self) -> &mut usize {
        &mut self.memory_cap_bytes
    }
}

impl<G: Game, V: StaticEvaluation<G> + Clone> Parts<G> for AlphaBeta<V> {
    type Search = AlphaBetaSearch<G, V>;

    /// Nothing is random, so the seed is not used.
    fn start(&self, game: G, _: u64) -> Self::Search {
        self.clone().search(game)
    }

    fn memory_cap_bytes(&mut self) -> &mut usize {
        &mut self.memory_cap_bytes
    }
}

impl<G: Game, E: Evaluator<G> + Clone> Parts<G> for OpenLoop<E> {
    type Search = super::OpenLoopSearch<G, E>;

    fn start(&self, game: G, seed: u64) -> Self::Search {
        self.clone().search(game, seed)
    }

    fn memory_cap_bytes(&mut self) -> &mut usize {
        &mut self.memory_cap_bytes
    }
}

impl<G: Simultaneous, E: Evaluator<G> + Clone> Parts<G> for Decoupled<E> {
    type Search = super::DecoupledSearch<G, E>;

    fn start(&self, game: G, seed: u64) -> Self::Search {
        self.clone().search(game, seed)
    }

    fn memory_cap_bytes(&mut self) -> &mut usize {
        &mut self.memory_cap_bytes
    }
}

impl<G: InformationSets, E: Evaluator<G> + Clone> Parts<G> for IsMcts<E> {
    type Search = super::IsMctsSearch<G, E>;

    fn start(&self, game: G, seed: u64) -> Self::Search {
        self.clone().search(game, seed)
    }

    fn memory_cap_bytes(&mut self) -> &mut usize {
        &mut self.memory_cap_bytes
    }
}

impl<G, S, E> Parts<G> for Pimc<S, E>
where
    G: HiddenInformation + Clone,
    S: SelectionPolicy + Clone,
    E: Evaluator<G> + Clone,
{
    type Search = super::PimcSearch<G, S, E>;

    fn check(&self, game: &G) -> Result<(), SearchError> {
        self.uct.check(game)
    }

    fn start(&self, game: G, seed: u64) -> Self::Search {
        self.clone().search(game, seed)
    }

    fn memory_cap_bytes(&mut self) -> &mut usize {
        &mut self.uct.memory_cap_bytes
    }
}

/// POMCP plays a game of several players from the [`Chair`] of the one who is to move.
impl<G: InformationSets, K: Knowledge<Chair<G>> + Clone> Parts<G> for Pomcp<K> {
    type Search = PomcpFromView<Chair<G>, K>;

    fn start(&self, game: G, seed: u64) -> Self::Search {
        self.clone().search_views(Chair(game), seed)
    }

    fn memory_cap_bytes(&mut self) -> &mut usize {
        &mut self.memory_cap_bytes
    }
}

#[cfg(feature = "parallel")]
mod parallel {
    use super::{Evaluator, Game, Parts, SearchError, SelectionPolicy};
    use crate::search::{PipelineParallel, PipelineParallelSearch};
    use crate::search::{RootParallel, RootParallelSearch, TreeParallel, TreeParallelSearch};

    impl<G, S, E> Parts<G> for PipelineParallel<S, E>
    where
        G: Game<State: Send, Action: Send> + Clone + Send + 'static,
        S: SelectionPolicy + Clone,
        E: Evaluator<G> + Clone + Send + 'static,
    {
        type Search = PipelineParallelSearch<G, S, E>;

        fn check(&self, game: &G) -> Result<(), SearchError> {
            self.uct.check(game)
        }

        fn start(&self, game: G, seed: u64) -> Self::Search {
            self.clone().search(game, seed)
        }

        fn memory_cap_bytes(&mut self) -> &mut usize {
            &mut self.uct.memory_cap_bytes
        }
    }

    impl<G, S, E> Parts<G> for TreeParallel<S, E>
    where
        G: Game<State: Send, Action: Send> + Clone + Send,
        S: SelectionPolicy<Extra: Send> + Clone + Send,
        E: Evaluator<G> + Clone + Send,
    {
        type Search = TreeParallelSearch<G, S, E>;

        fn check(&self, game: &G) -> Result<(), SearchError> {
            self.uct.check(game)
        }

        fn start(&self, game: G, seed: u64) -> Self::Search {
            self.clone().search(game, seed)
        }

        fn memory_cap_bytes(&mut self) -> &mut usize {
            &mut self.uct.memory_cap_bytes
        }
    }

    impl<G, S, E> Parts<G> for RootParallel<S, E>
    where
        G: Game<State: Sync + Send, Action: Send> + Clone + Send,
        S: SelectionPolicy<Extra: Send> + Clone + Send,
        E: Evaluator<G> + Clone + Send,
    {
        type Search = RootParallelSearch<G, S, E>;

        fn check(&self, game: &G) -> Result<(), SearchError> {
            self.uct.check(game)
        }

        fn start(&self, game: G, seed: u64) -> Self::Search {
            self.clone().search(game, seed)
        }

        fn memory_cap_bytes(&mut self) -> &mut usize {
            &mut self.uct.memory_cap_bytes
        }
    }
}
