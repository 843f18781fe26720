//! POMCP from a player's view, instead of a belief that is updated during the game.

use super::{Pomcp, PomcpSearch};
use crate::belief::FromView;
use crate::evaluation::{Knowledge, Uniform};
use crate::game::Model;
use crate::report::{Reuse, SearchError};
use crate::search::{BranchStats, NodeRef, RootStats, Search};
use alloc::vec::Vec;
use core::fmt;

/// A POMCP search whose position is the player's view; each playout samples its state from the
/// view. The tree is rebuilt for each view, since a view does not contain the sequence of actions
/// and observations that led to it.
pub struct PomcpFromView<M: Model, K = Uniform> {
    /// The parts, the model and the seed of the search, until the first view.
    start: Option<(Pomcp<K>, M, u64)>,
    search: Option<PomcpSearch<M, FromView<M>, K>>,
}

impl<M: Model, K> fmt::Debug for PomcpFromView<M, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PomcpFromView").finish_non_exhaustive()
    }
}

impl<K> Pomcp<K> {
    /// A search of `model` from views. Equal seeds, views and playout budgets give equal reports.
    pub fn search_views<M: Model>(self, model: M, seed: u64) -> PomcpFromView<M, K>
    where
        K: Knowledge<M>,
    {
        PomcpFromView { start: Some((self, model, seed)), search: None }
    }
}

impl<M: Model, K: Knowledge<M>> Search for PomcpFromView<M, K> {
    type Position = M::View;
    type Action = M::Action;

    fn prepare(&mut self, at: &M::View) -> Result<Reuse, SearchError> {
        let belief = FromView::new(at.clone());
        match (&mut self.search, self.start.take()) {
            (Some(search), _) => search.restart(belief),
            (None, Some((parts, model, seed))) => {
                self.search = Some(parts.search(model, belief, seed));
            }
            (None, None) => {}
        }
        self.search.as_mut().map_or(Err(SearchError::NoLegalAction), |search| search.prepare(&()))
    }

    fn playouts(&mut self, _: &M::View, most: u64) -> u64 {
        self.search.as_mut().map_or(0, |search| search.playouts(&(), most))
    }

    fn read_root(&self, root: &mut RootStats<M::Action>) {
        match &self.search {
            Some(search) => search.read_root(root),
            None => *root = RootStats::default(),
        }
    }

    fn branches(&self, node: NodeRef) -> Vec<BranchStats<M::Action>> {
        self.search.as_ref().map_or_else(Vec::new, |search| search.branches(node))
    }

    fn principal_variation(&self, first: M::Action) -> Vec<M::Action> {
        let line = self.search.as_ref().map(|search| search.principal_variation(first));
        line.unwrap_or_else(|| alloc::vec![first])
    }
}
