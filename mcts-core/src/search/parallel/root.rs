//! Threads with separate trees.

use crate::evaluation::{Evaluator, Rollout};
use crate::game::Game;
use crate::report::{Reuse, SearchError};
use crate::rng;
use crate::search::uct::{Uct, UctSearch};
use crate::search::{ActionStats, Branch, BranchStats, NodeRef, Pace, RootStats, Search};
use crate::selection::{SelectionPolicy, Ucb1};
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZero;
use rand::Rng;
use std::thread;

/// Root parallelism (Cazenave and Jouandeau, 2007; Chaslot, Winands and van den Herik, 2008,
/// section 3.2): threads search independently, and the statistics of their roots are summed at the
/// end.
///
/// ```
/// # use mcts_core::{Game, Player, Turn, Utilities};
/// # #[derive(Clone)]
/// # struct Nim;
/// # impl Game for Nim {
/// #     type State = (u8, Player);
/// #     type Action = u8;
/// #     fn start(&self) -> (u8, Player) { (15, Player::FIRST) }
/// #     fn turn(&self, &(left, player): &(u8, Player)) -> Turn {
/// #         if left == 0 { Turn::Over(Utilities::win(player.opponent())) } else { Turn::Player(player) }
/// #     }
/// #     fn actions(&self, &(left, _): &(u8, Player), visit: impl FnMut(u8)) { (1..=left.min(3)).for_each(visit) }
/// #     fn apply(&self, state: &mut (u8, Player), taken: u8) { *state = (state.0 - taken, state.1.opponent()) }
/// #     fn hash(&self, &(left, player): &(u8, Player)) -> Option<u64> { Some(u64::from(left) * 2 + u64::from(player.0)) }
/// # }
/// use mcts_core::{Budget, RootParallel, Search, Uct};
/// use std::num::NonZero;
///
/// let parts = RootParallel { uct: Uct::default(), threads: NonZero::new(2).expect("two") };
/// let report = parts.search(Nim, 1).run(&Nim.start(), &Budget::playouts(20_000))?;
/// assert_eq!(report.best, 3);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootParallel<S = Ucb1, E = Rollout> {
    /// The parts of each search; the memory cap applies to each tree.
    pub uct: Uct<S, E>,
    /// Threads and trees, the calling thread included.
    pub threads: NonZero<usize>,
}

impl Default for RootParallel {
    /// Plain UCT.
    fn default() -> Self {
        RootParallel::new(Uct::default())
    }
}

impl<S, E> RootParallel<S, E> {
    /// One thread for each available processor.
    pub fn new(uct: Uct<S, E>) -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        RootParallel { uct, threads }
    }

    /// A search of `game` with these parts. With a budget of playouts alone equal seeds give equal
    /// reports, since the threads are independent until the end.
    ///
    /// # Panics
    /// If the parts cannot search the game; [`Uct::check`] returns that as an error.
    pub fn search<G>(self, game: G, seed: u64) -> RootParallelSearch<G, S, E>
    where
        G: Game + Clone,
        S: SelectionPolicy + Clone,
        E: Evaluator<G> + Clone,
    {
        let mut seeds = rng::stream(seed, 2);
        let searches = (0..self.threads.get())
            .map(|_| self.uct.clone().search(game.clone(), seeds.next_u64()))
            .collect();
        RootParallelSearch { searches }
    }
}

/// Searches of one game with a tree for each thread; keeps the trees between moves.
pub struct RootParallelSearch<G: Game, S: SelectionPolicy = Ucb1, E = Rollout> {
    searches: Vec<UctSearch<G, S, E>>,
}

impl<G: Game, S: SelectionPolicy, E> fmt::Debug for RootParallelSearch<G, S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RootParallelSearch")
            .field("trees", &self.searches.len())
            .finish_non_exhaustive()
    }
}

/// Prepares and advances all trees; the memory limit of a budget applies to their sum.
impl<G, S, E> Search for RootParallelSearch<G, S, E>
where
    G: Game<State: Sync + Send, Action: Send> + Send,
    S: SelectionPolicy<Extra: Send> + Send,
    E: Evaluator<G> + Send,
{
    type Position = G::State;
    type Action = G::Action;

    fn prepare(&mut self, at: &G::State) -> Result<Reuse, SearchError> {
        let mut first = None;
        for search in &mut self.searches {
            let reuse = search.prepare(at)?;
            first.get_or_insert(reuse);
        }
        Ok(first.unwrap_or(Reuse::Fresh))
    }

    /// A proof in one tree is valid for all, so the first one ends the search.
    fn playouts(&mut self, at: &G::State, most: u64) -> u64 {
        if self.searches.iter().any(|search| search.ended().is_some()) {
            return 0;
        }
        let threads = self.searches.len() as u64;
        let share = |place: u64| most / threads + u64::from(place < most % threads);
        let (own, others) = self.searches.split_at_mut(1);
        thread::scope(|scope| {
            let started: Vec<_> = (1..)
                .zip(others)
                .map(|(place, search)| scope.spawn(move || search.playouts(at, share(place))))
                .collect();
            let own = own[0].playouts(at, share(0));
            let others = started.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            own + others.sum::<u64>()
        })
    }

    /// Visits, samples, nodes and bytes are summed.
    fn read_root(&self, root: &mut RootStats<G::Action>) {
        self.searches[0].read_root(root);
        let mut of_tree = RootStats::default();
        for search in &self.searches[1..] {
            search.read_root(&mut of_tree);
            root.nodes += of_tree.nodes;
            root.memory_bytes += of_tree.memory_bytes;
            root.depths.merge(&of_tree.depths);
            root.ended = root.ended.or(of_tree.ended);
            for action in &mut root.actions {
                let found = of_tree.actions.iter().find(|other| other.action == action.action);
                if let Some(found) = found {
                    merge(action, found);
                }
            }
        }
    }

    fn pace(&self) -> Pace {
        let threads = self.searches.len() as u64;
        Pace { batch: threads * self.searches[0].pace().batch, ..super::pace(threads) }
    }

    fn advance(&mut self, action: G::Action) {
        self.searches.iter_mut().for_each(|search| search.advance(action));
    }

    /// Those of the first tree below the root, and of all trees at the root.
    fn branches(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        let mut branches = self.searches[0].branches(node);
        if node == NodeRef::ROOT {
            let mut root = RootStats::default();
            self.read_root(&mut root);
            for branch in &mut branches {
                let all =
                    root.actions.iter().find(|all| branch.branch == Branch::Action(all.action));
                branch.visits = all.map_or(branch.visits, |all| all.visits);
                branch.proven = branch.proven.or(all.and_then(|all| all.proven));
            }
        }
        branches
    }

    /// The longest line of any tree.
    fn principal_variation(&self, first: G::Action) -> Vec<G::Action> {
        let lines = self.searches.iter().map(|search| search.principal_variation(first));
        lines.max_by_key(Vec::len).unwrap_or_else(|| alloc::vec![first])
    }
}

/// Visits are summed, values averaged by visits; a proof in one tree is valid for all.
fn merge<A: Copy>(action: &mut ActionStats<A>, found: &ActionStats<A>) {
    let weighed =
        |stats: &ActionStats<A>| f64::from(stats.visits) * stats.value.map_or(0.0, f64::from);
    let sum = weighed(action) + weighed(found);
    action.visits = action.visits.saturating_add(found.visits);
    action.observations = action.visits;
    action.sample.merge(&found.sample);
    action.proven = action.proven.or(found.proven);
    let mean = (action.visits > 0).then(|| (sum / f64::from(action.visits)) as f32);
    action.value = action.proven.map(|proof| proof.utility).or(mean);
}
