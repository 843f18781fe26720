//! Threads that share one tree.

use crate::evaluation::{Evaluator, Rollout};
use crate::game::{Game, Utilities};
use crate::report::{Reuse, SearchError};
use crate::rng::SearchRng;
use crate::search::uct::{Uct, UctSearch};
use crate::search::{BranchStats, NodeRef, Pace, RootStats, Search};
use crate::selection::{SelectionPolicy, Ucb1};
use crate::trace::Trace;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;

/// Tree parallelism with a virtual loss (Chaslot, Winands and van den Herik, 2008, section 3.3).
///
/// One lock guards the tree (the paper's "global mutex"). A thread holds it while it descends to
/// several leaves and while it backs up their values, never while it evaluates them, so more
/// threads help as long as evaluation takes most of the time. The tree, its parts and its reports
/// are those of [`UctSearch`], proofs and recycling included.
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
/// use mcts_core::{Budget, Search, TreeParallel};
///
/// let report = TreeParallel::default().search(Nim, 1).run(&Nim.start(), &Budget::playouts(20_000))?;
/// assert_eq!(report.best, 3);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeParallel<S = Ucb1, E = Rollout> {
    /// The parts of the search.
    pub uct: Uct<S, E>,
    /// Number of threads, the calling one included.
    pub threads: NonZero<usize>,
    /// Leaves that a thread gathers before it gives the tree away; more mean fewer waits, and leaves chosen with
    /// less knowledge. An evaluator with more [lanes](Evaluator::lanes) gets more.
    pub leaves: NonZero<usize>,
}

impl Default for TreeParallel {
    /// Plain UCT.
    fn default() -> Self {
        TreeParallel::new(Uct::default())
    }
}

impl<S, E> TreeParallel<S, E> {
    /// One thread for each available processor, and four leaves at a time.
    pub fn new(uct: Uct<S, E>) -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let leaves = NonZero::new(4).unwrap_or(NonZero::<usize>::MIN);
        TreeParallel { uct, threads, leaves }
    }

    /// A search of `game` with these parts. Each thread has a clone of the game and the evaluator.
    ///
    /// # Panics
    /// If the parts cannot search the game; [`Uct::check`] returns that as an error.
    pub fn search<G>(self, game: G, seed: u64) -> TreeParallelSearch<G, S, E>
    where
        G: Game + Clone,
        S: SelectionPolicy,
        E: Evaluator<G> + Clone,
    {
        let TreeParallel { uct, threads, leaves } = self;
        let search = uct.search(game, seed);
        TreeParallelSearch { search, threads, leaves, workers: Vec::new() }
    }
}

/// A search of one game by threads that share a tree; keeps the tree between moves.
pub struct TreeParallelSearch<G: Game, S: SelectionPolicy = Ucb1, E = Rollout> {
    search: UctSearch<G, S, E>,
    threads: NonZero<usize>,
    leaves: NonZero<usize>,
    workers: Vec<Worker<G, E>>,
}

impl<G: Game, S: SelectionPolicy, E> fmt::Debug for TreeParallelSearch<G, S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeParallelSearch")
            .field("threads", &self.threads)
            .field("leaves", &self.leaves)
            .finish_non_exhaustive()
    }
}

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> TreeParallelSearch<G, S, E> {
    /// The evaluator of the thread with the most playouts, with everything it has learned.
    pub fn evaluator(&self) -> &E {
        let busiest = self.workers.iter().max_by_key(|worker| worker.playouts);
        busiest.map_or(&self.search.parts().evaluator, |worker| &worker.evaluator)
    }
}

impl<G, S, E> Search for TreeParallelSearch<G, S, E>
where
    G: Game<State: Send, Action: Send> + Clone + Send,
    S: SelectionPolicy<Extra: Send> + Send,
    E: Evaluator<G> + Clone + Send,
{
    type Position = G::State;
    type Action = G::Action;

    fn prepare(&mut self, at: &G::State) -> Result<Reuse, SearchError> {
        if E::LEARNS {
            let learnt = self.evaluator().clone();
            self.search.keep_evaluator(learnt);
        }
        let reuse = self.search.prepare_root(at)?;
        let (threads, leaves) = (self.threads.get(), self.leaves.get());
        let leaves = self.search.parts().evaluator.lanes().max(leaves);
        self.search.prepare_lanes(at, leaves * threads);
        self.workers.clear();
        for thread in 0..threads {
            self.workers.push(Worker::new(&mut self.search, at, thread * leaves, leaves));
        }
        Ok(reuse)
    }

    fn playouts(&mut self, _: &G::State, most: u64) -> u64 {
        let is_over = self.search.ended().is_some();
        let shared = Shared { search: &mut self.search, left: most, open: 0, is_over };
        let hall = Hall { shared: Mutex::new(shared), settled: Condvar::new() };
        let (own, others) = self.workers.split_at_mut(self.threads.get() - 1);
        thread::scope(|scope| {
            for worker in own {
                let hall = &hall;
                scope.spawn(move || worker.work(hall));
            }
            others.iter_mut().for_each(|worker| worker.work(&hall));
        });
        most - hall.into_shared().left
    }

    fn read_root(&self, root: &mut RootStats<G::Action>) {
        self.search.read_root(root);
    }

    fn pace(&self) -> Pace {
        let (threads, leaves) = (self.threads.get() as u64, self.leaves.get());
        let leaves = self.search.parts().evaluator.lanes().max(leaves) as u64;
        Pace { batch: threads * leaves, ..super::pace(threads) }
    }

    fn advance(&mut self, action: G::Action) {
        self.search.advance(action);
    }

    fn principal_variation(&self, first: G::Action) -> Vec<G::Action> {
        self.search.principal_variation(first)
    }

    fn branches(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        self.search.branches(node)
    }
}

/// Attempts to lock the tree before a thread sleeps: about ten microseconds, usually longer than
/// another thread holds the lock, and shorter than a wake-up.
const LOOKS: u32 = 1_000;

/// The state shared by the threads, with their condition variable.
struct Hall<'a, G: Game, S: SelectionPolicy, E> {
    shared: Mutex<Shared<'a, G, S, E>>,
    /// Notified when no playout is open.
    settled: Condvar,
}

struct Shared<'a, G: Game, S: SelectionPolicy, E> {
    search: &'a mut UctSearch<G, S, E>,
    /// Playouts that are not started yet.
    left: u64,
    /// Playouts whose leaves are being evaluated.
    open: usize,
    is_over: bool,
}

impl<'a, G: Game, S: SelectionPolicy, E: Evaluator<G>> Hall<'a, G, S, E> {
    fn lock(&self) -> MutexGuard<'_, Shared<'a, G, S, E>> {
        for _ in 0..LOOKS {
            if let Ok(shared) = self.shared.try_lock() {
                return shared;
            }
            core::hint::spin_loop();
        }
        self.shared.lock().expect("no thread of this search panicked")
    }

    fn into_shared(self) -> Shared<'a, G, S, E> {
        self.shared.into_inner().expect("no thread of this search panicked")
    }
}

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> Shared<'_, G, S, E> {
    /// Whether the threads must finish all playouts, so that the tree can recycle memory.
    fn must_settle(&self) -> bool {
        !self.is_over && self.open > 0 && self.search.is_full()
    }

    /// Starts up to `lanes` playouts; returns the number of those that need a value, or `None` if
    /// there are none to start.
    fn gather(&mut self, root: &G::State, first: usize, lanes: usize) -> Option<usize> {
        if self.is_over || self.left == 0 {
            return None;
        }
        if self.open == 0 {
            self.search.make_room();
        }
        let playouts = lanes.min(usize::try_from(self.left).unwrap_or(lanes));
        let open = self.search.gather(root, first..first + playouts);
        self.left -= playouts as u64;
        self.open += open;
        self.is_over |= self.search.ended().is_some();
        Some(open)
    }

    fn settle(&mut self, first: usize, values: &[Utilities]) {
        self.search.settle(first, values);
        self.open -= values.len();
        self.is_over |= self.search.ended().is_some();
    }
}

/// The data of one thread.
struct Worker<G: Game, E> {
    game: G,
    evaluator: E,
    rng: SearchRng,
    root: G::State,
    /// Its first lane of the search.
    first: usize,
    lanes: usize,
    states: Vec<G::State>,
    traces: Vec<Trace>,
    values: Vec<Utilities>,
    /// Number of playouts that it evaluated.
    playouts: usize,
}

impl<G: Game + Clone, E: Evaluator<G> + Clone> Worker<G, E> {
    fn new<S: SelectionPolicy>(
        search: &mut UctSearch<G, S, E>,
        root: &G::State,
        first: usize,
        lanes: usize,
    ) -> Self {
        Worker {
            game: search.game().clone(),
            evaluator: search.parts().evaluator.clone(),
            rng: search.split_rng(),
            root: root.clone(),
            first,
            lanes,
            states: Vec::with_capacity(lanes),
            traces: alloc::vec![Trace::EMPTY; lanes],
            values: alloc::vec![Utilities::ZERO; lanes],
            playouts: 0,
        }
    }

    fn evaluate<S: SelectionPolicy>(&mut self, open: usize) {
        let Worker { game, evaluator, rng, .. } = self;
        let values = &mut self.values[..open];
        if !UctSearch::<G, S, E>::TRACED {
            return evaluator.evaluate_all(game, &mut self.states, rng, values);
        }
        for ((state, trace), value) in self.states.iter().zip(&mut self.traces).zip(values) {
            *value = evaluator.evaluate(game, state, trace, rng);
        }
    }

    /// Runs playouts until none are left to start.
    fn work<S: SelectionPolicy>(&mut self, hall: &Hall<'_, G, S, E>) {
        // declared before the lock is taken, so that it notifies after the guard is dropped
        let _alarm = Alarm(hall);
        let mut shared = hall.lock();
        loop {
            while shared.must_settle() {
                shared = hall.settled.wait(shared).expect("no thread of this search panicked");
            }
            let Some(open) = shared.gather(&self.root, self.first, self.lanes) else { return };
            self.states.clear();
            self.states.extend_from_slice(shared.search.leaves(self.first, open));
            shared.search.swap_traces(self.first, &mut self.traces[..open]);
            drop(shared);
            self.evaluate::<S>(open);
            self.playouts += open;
            shared = hall.lock();
            shared.search.swap_traces(self.first, &mut self.traces[..open]);
            shared.search.swap_evaluator(&mut self.evaluator);
            shared.settle(self.first, &self.values[..open]);
            shared.search.swap_evaluator(&mut self.evaluator);
            if shared.open == 0 || shared.is_over {
                hall.settled.notify_all();
            }
        }
    }
}

/// Ends the playouts when a thread ends, by a panic or because none are left, so that no thread waits for it.
struct Alarm<'a, 'b, G: Game, S: SelectionPolicy, E>(&'a Hall<'b, G, S, E>);

impl<G: Game, S: SelectionPolicy, E> Drop for Alarm<'_, '_, G, S, E> {
    fn drop(&mut self) {
        if let Ok(mut shared) = self.0.shared.lock() {
            shared.is_over = true;
        }
        self.0.settled.notify_all();
    }
}
