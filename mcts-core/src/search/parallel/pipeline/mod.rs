//! Threads that evaluate leaves for one tree on a fixed schedule.

mod bell;
mod groups;
mod lessons;

use crate::evaluation::{Evaluator, Rollout};
use crate::game::Game;
use crate::report::{Reuse, SearchError};
use crate::rng;
use crate::search::uct::{Uct, UctSearch};
use crate::search::{BranchStats, NodeRef, Pace, RootStats, Search};
use crate::selection::{SelectionPolicy, Ucb1};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZero;
use groups::Groups;
use lessons::Recorded;
use std::thread::{self, JoinHandle};

/// UCT on several threads whose report depends only on the seed and the number of playouts, not on
/// the number of threads or their schedule.
///
/// The calling thread does all work in the tree and selects leaves in groups; every thread
/// evaluates groups. The work in the tree follows a fixed schedule: the values of group `n` are
/// backed up right before the leaves of group `n + groups` are selected. Until then their paths
/// have a virtual loss (Chaslot, Winands and van den Herik, 2008, section 3.3). Each group has its
/// own random stream. While the calling thread works in the tree, other threads evaluate the groups
/// in between; when it is ahead, it evaluates groups, too. (Compare Mirsoleimani et al., 2018,
/// whose pipeline has one or more threads for each phase, and no schedule.)
///
/// It scales until the calling thread is busy with the tree: with rollouts of a microsecond to two
/// threads, with evaluations of a millisecond to the number of groups. The report is that of
/// [`UctSearch`], proofs and recycling included. An evaluator must give equal values for equal
/// states, traces, random numbers and lessons ([`Evaluator::learn`]); one with other state depends
/// on the assignment of leaves to threads.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, PipelineParallel, Search};
/// use std::num::NonZero;
///
/// let report = |threads| {
///     let parts = PipelineParallel { threads, ..PipelineParallel::default() };
///     parts.search(game.clone(), 1).run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)
/// };
/// let (one, three) = (report(NonZero::<usize>::MIN)?, report(NonZero::new(3).expect("three"))?);
/// assert_eq!((one.best, one.actions), (three.best, three.actions));
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PipelineParallel<S = Ucb1, E = Rollout> {
    /// The parts of the search.
    pub uct: Uct<S, E>,
    /// Number of threads, the calling one included. The report does not depend on it.
    pub threads: NonZero<usize>,
    /// Leaves of a group, which one thread evaluates together; an evaluator can request
    /// [more](Evaluator::lanes). More leaves reduce the cost of synchronization, but are selected
    /// with less information.
    pub leaves: NonZero<usize>,
    /// Number of unfinished groups: to keep all threads busy, at least one more than there are
    /// threads. All their leaves are selected without each other's values.
    pub groups: NonZero<usize>,
}

impl Default for PipelineParallel {
    /// Plain UCT.
    fn default() -> Self {
        PipelineParallel::new(Uct::default())
    }
}

impl<S, E> PipelineParallel<S, E> {
    /// One thread for each available processor, and four groups of eight leaves.
    pub fn new(uct: Uct<S, E>) -> Self {
        let number = |number| NonZero::new(number).unwrap_or(NonZero::<usize>::MIN);
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        PipelineParallel { uct, threads, leaves: number(8), groups: number(4) }
    }

    /// A search of `game` with these parts. Starts its threads, which sleep while the search is
    /// idle, and end with it.
    ///
    /// # Panics
    /// If the parts cannot search the game; [`Uct::check`] returns that as an error.
    pub fn search<G>(self, game: G, seed: u64) -> PipelineParallelSearch<G, S, E>
    where
        G: Game<State: Send, Action: Send> + Clone + Send + 'static,
        S: SelectionPolicy,
        E: Evaluator<G> + Clone + Send + 'static,
    {
        let PipelineParallel { uct, threads, leaves, groups } = self;
        if let Err(error) = uct.check(&game) {
            panic!("{error}");
        }
        let evaluators = (0..groups.get()).map(|_| uct.evaluator.clone());
        let shared = Arc::new(Groups::new(evaluators, &rng::stream(seed, 1)));
        let traced = UctSearch::<G, S, Recorded<E>>::TRACED;
        // with fewer threads than requested the report is the same
        let threads = (1..threads.get())
            .map_while(|_| {
                let (shared, game) = (Arc::clone(&shared), game.clone());
                let serve = move || shared.serve(&game, traced);
                thread::Builder::new().name("evaluator".into()).spawn(serve).ok()
            })
            .collect();
        let leaves = uct.evaluator.lanes().max(leaves.get());
        let evaluator = Recorded::new(uct.evaluator.clone());
        let search = uct.with_evaluator(evaluator).search(game, seed);
        let groups = groups.get();
        PipelineParallelSearch { search, shared, threads, leaves, groups, started: 0, settled: 0 }
    }
}

/// A search of one game by a [`PipelineParallel`]; keeps its tree between moves.
///
/// A panic of an evaluator on another thread is propagated to the caller, and the search cannot be
/// used afterwards.
pub struct PipelineParallelSearch<G: Game, S: SelectionPolicy = Ucb1, E = Rollout> {
    search: UctSearch<G, S, Recorded<E>>,
    shared: Arc<Groups<G, E>>,
    /// The threads except the calling one.
    threads: Vec<JoinHandle<()>>,
    /// Leaves of a group.
    leaves: usize,
    /// Maximum number of unfinished groups.
    groups: usize,
    /// Number of published groups.
    started: u64,
    /// Number of groups that were backed up.
    settled: u64,
}

impl<G: Game, S: SelectionPolicy, E> fmt::Debug for PipelineParallelSearch<G, S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PipelineParallelSearch")
            .field("threads", &(self.threads.len() + 1))
            .field("leaves", &self.leaves)
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

impl<G: Game, S: SelectionPolicy, E> Drop for PipelineParallelSearch<G, S, E> {
    fn drop(&mut self) {
        self.shared.close();
        for thread in self.threads.drain(..) {
            // its panic was passed on already, or its values are no longer needed
            let _ = thread.join();
        }
    }
}

impl<G, S, E> PipelineParallelSearch<G, S, E>
where
    G: Game,
    S: SelectionPolicy,
    E: Evaluator<G> + Clone,
{
    /// The evaluator of the tree, with everything it has learned.
    pub fn evaluator(&self) -> &E {
        &self.search.parts().evaluator.evaluator
    }

    /// The first of the search's lanes that belong to the group.
    fn first_lane(&self, number: u64) -> usize {
        number as usize % self.groups * self.leaves
    }

    /// Starts playouts, at most as many as a group has leaves.
    fn start_group(&mut self, at: &G::State, playouts: usize) {
        if self.started - self.settled == self.groups as u64 {
            self.settle_group();
        }
        if self.search.is_full() {
            // no memory may be recycled below an unfinished playout
            self.settle_all();
            self.search.make_room();
        }
        let first = self.first_lane(self.started);
        let open = self.search.gather(at, first..first + playouts);
        if open == 0 {
            return;
        }
        let mut group = self.shared.group(self.started);
        group.open = open;
        group.rng = self.search.split_rng();
        self.search.swap_states(first, &mut group.states[..open]);
        self.search.swap_traces(first, &mut group.traces[..open]);
        drop(group);
        if E::LEARNS {
            let recorded = self.search.evaluator_mut();
            self.shared.set_lessons(self.started, |lessons| recorded.take_lessons(lessons));
        }
        self.started += 1;
        self.shared.publish();
    }

    /// Backs up the values of the oldest unfinished group.
    fn settle_group(&mut self) {
        let number = self.settled;
        if !self.shared.help_until_evaluated(number, self.search.game(), Self::TRACED) {
            self.pass_panic_on();
        }
        let first = self.first_lane(number);
        let mut group = self.shared.group(number);
        let open = group.open;
        self.search.swap_traces(first, &mut group.traces[..open]);
        self.search.settle(first, &group.values[..open]);
        self.settled += 1;
    }

    fn settle_all(&mut self) {
        while self.settled < self.started {
            self.settle_group();
        }
    }

    fn pass_panic_on(&mut self) -> ! {
        self.shared.close();
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        panic!("an evaluator of this search panicked before, so it cannot go on");
    }

    /// Whether parts of the search learn from traces.
    const TRACED: bool = UctSearch::<G, S, Recorded<E>>::TRACED;
}

/// As for [`UctSearch`]. Playouts stay unfinished between calls of [`playouts`](Search::playouts),
/// so how many are requested in a call changes no report, if each number is a multiple of the leaves
/// of a group.
impl<G, S, E> Search for PipelineParallelSearch<G, S, E>
where
    G: Game,
    S: SelectionPolicy,
    E: Evaluator<G> + Clone,
{
    type Position = G::State;
    type Action = G::Action;

    fn prepare(&mut self, at: &G::State) -> Result<Reuse, SearchError> {
        self.settle_all();
        let reuse = self.search.prepare_root(at)?;
        self.search.prepare_lanes(at, self.leaves * self.groups);
        for number in self.started..self.started + self.groups as u64 {
            let mut group = self.shared.group(number);
            group.prepare(at, self.leaves);
            if E::LEARNS {
                group.evaluator = self.evaluator().clone();
                group.unlearnt = self.started;
            }
        }
        if E::LEARNS {
            self.search.evaluator_mut().forget_lessons();
        }
        Ok(reuse)
    }

    fn playouts(&mut self, at: &G::State, most: u64) -> u64 {
        let mut done = 0;
        while done < most && self.search.ended().is_none() {
            let playouts = self.leaves.min(usize::try_from(most - done).unwrap_or(usize::MAX));
            self.start_group(at, playouts);
            done += playouts as u64;
        }
        done
    }

    fn finish(&mut self) {
        self.settle_all();
    }

    /// Without the unfinished playouts.
    fn read_root(&self, root: &mut RootStats<G::Action>) {
        self.search.read_root(root);
        for number in self.settled..self.started {
            let open = self.shared.group(number).open;
            self.search.leave_out(self.first_lane(number), open, root);
        }
    }

    fn pace(&self) -> Pace {
        Pace {
            batch: self.leaves as u64,
            threads: self.threads.len() as u64 + 1,
            ..Pace::default()
        }
    }

    fn advance(&mut self, action: G::Action) {
        self.settle_all();
        self.search.advance(action);
    }

    fn principal_variation(&self, first: G::Action) -> Vec<G::Action> {
        self.search.principal_variation(first)
    }

    fn branches(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        self.search.branches(node)
    }
}
