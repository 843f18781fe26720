//! PIMC: many determinizations, each searched as if everything in it were seen (perfect information Monte Carlo; Ginsberg,
//! 2001).

use super::uct::Uct;
use super::walk::{self, Branch};
use super::{ActionStats, BranchStats, Choice, Depths, NodeRef};
use super::{Pace, RootStats, Search, UctSearch};
use crate::evaluation::{Evaluator, Rollout};
use crate::final_action::FinalAction;
use crate::game::HiddenInformation;
use crate::report::{Reuse, SearchError};
use crate::rng::{self, SearchRng};
use crate::selection::{SelectionPolicy, Ucb1};
use alloc::vec::Vec;

/// The parts of a search over determinizations: UCT in each of them, and the mean over all.
///
/// In each determinization it decides with full information (strategy fusion), so it never pays for
/// information and is wrong where that matters; [`pomcp`](super::pomcp) is not. Where hidden
/// information is revealed anyway, it is often good enough (Long et al., 2010).
///
/// ```
/// use mcts_core::testing::{Kuhn, KuhnAction};
/// use mcts_core::{Budget, Game, HiddenInformation, NoClock, Pimc, Player, Search};
///
/// // the second player holds the lowest of three cards; the first one bets
/// let mut deal = Kuhn.start();
/// let mut view = Kuhn.first_view(&deal, Player::SECOND);
/// for action in [KuhnAction::Deal(1), KuhnAction::Deal(0), KuhnAction::Bet] {
///     Kuhn.apply(&mut deal, action);
///     Kuhn.grow(&mut view, None, &Kuhn.observe(&deal, action, Player::SECOND));
/// }
/// let mut search = Pimc::default().search(Kuhn, 1);
/// let report = search.run_with_clock(&view, &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, KuhnAction::Pass);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pimc<S = Ucb1, E = Rollout> {
    /// The search of each determinization; its memory cap is divided among all.
    pub uct: Uct<S, E>,
    /// Number of determinizations; they are searched in alternation, so each has the same number of
    /// playouts at any time.
    pub worlds: u32,
    /// The rule for the action to play, by visits and values over all determinizations.
    pub final_action: FinalAction,
}

impl Default for Pimc {
    /// Plain UCT in each of twenty determinizations, 256 MiB; without proven values, since a
    /// determinization that is solved early gives no information about the other actions.
    fn default() -> Self {
        Pimc::new(Uct { solver: false, ..Uct::default() })
    }
}

impl<S, E> Pimc<S, E> {
    /// Twenty determinizations, each searched by `uct`.
    pub fn new(uct: Uct<S, E>) -> Self {
        Pimc { uct, worlds: 20, final_action: FinalAction::Max }
    }

    /// A search of `game` with these parts. Equal seeds, views and playout budgets give equal
    /// reports, for any true state.
    ///
    /// # Panics
    /// If the parts cannot search the game; [`Uct::check`] returns that as an error.
    pub fn search<G>(self, game: G, seed: u64) -> PimcSearch<G, S, E>
    where
        G: HiddenInformation + Clone,
        S: SelectionPolicy + Clone,
        E: Evaluator<G> + Clone,
    {
        if let Err(error) = self.uct.check(&game) {
            panic!("{error}");
        }
        PimcSearch {
            game,
            parts: self,
            rng: rng::stream(seed, 0),
            seed,
            searched: 0,
            states: Vec::new(),
            searches: Vec::new(),
            turn: 0,
        }
    }
}

/// A search over determinizations.
#[derive(Debug)]
pub struct PimcSearch<G: HiddenInformation, S: SelectionPolicy = Ucb1, E = Rollout> {
    game: G,
    parts: Pimc<S, E>,
    rng: SearchRng,
    seed: u64,
    /// Number of determinizations of all searches so far, each with its own seed.
    searched: u64,
    /// The determinizations.
    states: Vec<G::State>,
    /// The search of each.
    searches: Vec<UctSearch<G, S, E>>,
    /// The determinization to search next.
    turn: usize,
}

/// Starts from the view of the player to move. All determinizations have the same player to move
/// and the same legal actions. Nothing is kept between searches.
impl<G, S, E> Search for PimcSearch<G, S, E>
where
    G: HiddenInformation + Clone,
    S: SelectionPolicy + Clone,
    E: Evaluator<G> + Clone,
{
    type Position = G::View;
    type Action = G::Action;

    fn prepare(&mut self, at: &G::View) -> Result<Reuse, SearchError> {
        let worlds = self.parts.worlds.max(1);
        let cap = self.parts.uct.memory_cap_bytes / worlds as usize;
        self.states.clear();
        self.searches.clear();
        self.turn = 0;
        for _ in 0..worlds {
            let state = self.game.determinize(at, &mut self.rng);
            self.searched += 1;
            let seed = rng::mix(self.seed ^ rng::mix(self.searched));
            let parts = Uct { memory_cap_bytes: cap, ..self.parts.uct.clone() };
            let mut search = parts.search(self.game.clone(), seed);
            search.prepare(&state)?;
            self.states.push(state);
            self.searches.push(search);
        }
        Ok(Reuse::Fresh)
    }

    fn playouts(&mut self, _: &G::View, most: u64) -> u64 {
        let (mut done, mut idle) = (0, 0);
        // a determinization whose root is proven runs no playouts
        while done < most && idle < self.searches.len() {
            let search = &mut self.searches[self.turn];
            let batch = search.pace().batch.min(most - done);
            let made = search.playouts(&self.states[self.turn], batch);
            done += made;
            idle = if made > 0 { 0 } else { idle + 1 };
            self.turn = (self.turn + 1) % self.searches.len();
        }
        done
    }

    /// The value of an action is the mean over the determinizations, with equal weights.
    fn read_root(&self, root: &mut RootStats<G::Action>) {
        root.actions.clear();
        (root.nodes, root.memory_bytes, root.depths) = (0, 0, Depths::default());
        root.bounds = G::UTILITY_BOUNDS;
        root.choice = Choice::ByStatistics(self.parts.final_action);
        root.ended = self.searches.first().and_then(UctSearch::ended);
        let mut of_world = RootStats::default();
        for search in &self.searches {
            search.read_root(&mut of_world);
            root.nodes += of_world.nodes;
            root.memory_bytes += of_world.memory_bytes;
            root.depths.merge(&of_world.depths);
            root.ended = root.ended.and(of_world.ended);
            for found in &of_world.actions {
                add(&mut root.actions, found);
            }
        }
        for action in &mut root.actions {
            action.value = action.sample.mean().map(|mean| mean as f32);
            action.observations = action.sample.count;
        }
    }

    fn pace(&self) -> Pace {
        self.searches.first().map_or_else(Pace::default, Search::pace)
    }

    /// The line of the determinization in which `first` was tried most often.
    fn principal_variation(&self, first: G::Action) -> Vec<G::Action> {
        let visits = |search: &&UctSearch<G, S, E>| {
            let branches = search.branches(NodeRef::ROOT);
            let of_first = |branch: &&BranchStats<_>| branch.branch == Branch::Action(first);
            branches.iter().find(of_first).map_or(0, |branch| branch.visits)
        };
        let search = self.searches.iter().max_by_key(visits);
        search.map_or_else(|| alloc::vec![first], |search| search.principal_variation(first))
    }

    /// An action of the root leads to the determinizations, each of which has a tree of its own.
    fn branches(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        if node == NodeRef::ROOT {
            let mut branches = walk::root_branches(self);
            for (place, branch) in branches.iter_mut().enumerate() {
                branch.node = Some(NodeRef(place as u64));
            }
            return branches;
        }
        match (node.0 >> WORLD).checked_sub(1) {
            None => self.worlds_after(node.0 as usize),
            Some(world) => {
                let Some(search) = self.searches.get(world as usize) else { return Vec::new() };
                let branches = search.branches(NodeRef(node.0 & ((1 << WORLD) - 1))).into_iter();
                let inside = |branch: BranchStats<_>| BranchStats {
                    node: branch.node.map(|node| NodeRef((world + 1) << WORLD | node.0)),
                    ..branch
                };
                branches.map(inside).collect()
            }
        }
    }
}

/// Position of the number of a determinization, plus one, in a reference to a node of its tree.
const WORLD: u32 = 32;

impl<G, S, E> PimcSearch<G, S, E>
where
    G: HiddenInformation + Clone,
    S: SelectionPolicy + Clone,
    E: Evaluator<G> + Clone,
{
    /// The statistics of the action at this index of the root, in each determinization.
    fn worlds_after(&self, place: usize) -> Vec<BranchStats<G::Action>> {
        let root = walk::root_branches(self);
        let Some(action) = root.get(place).map(|branch| branch.branch) else { return Vec::new() };
        let of_world = |(world, search): (usize, &UctSearch<G, S, E>)| {
            let mut branches = search.branches(NodeRef::ROOT).into_iter();
            let found = branches.find(|branch| branch.branch == action)?;
            let node = found.node.map(|node| NodeRef((world as u64 + 1) << WORLD | node.0));
            Some(BranchStats { branch: Branch::World(world as u32), node, ..found })
        };
        self.searches.iter().enumerate().filter_map(of_world).collect()
    }
}

/// Adds the statistics of one determinization to an action.
fn add<A: Copy + PartialEq>(actions: &mut Vec<ActionStats<A>>, found: &ActionStats<A>) {
    let known = actions.iter().position(|action| action.action == found.action);
    let place = known.unwrap_or_else(|| {
        actions.push(ActionStats::unvisited(found.action));
        actions.len() - 1
    });
    let action = &mut actions[place];
    action.visits = action.visits.saturating_add(found.visits);
    if let Some(value) = found.value {
        action.sample.add(value.into());
    }
}
