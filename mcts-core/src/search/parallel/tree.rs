//! Threads that share one tree.

use crate::budget::{Budget, Clock, Meter, StopReason};
use crate::evaluation::Evaluator;
use crate::game::{Game, Utilities};
use crate::report::{Report, SearchError};
use crate::rng::SearchRng;
use crate::search::uct::{Depths, UctSearch};
use crate::selection::SelectionPolicy;
use crate::trace::Trace;
use alloc::vec::Vec;
use core::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;

/// Tree parallelism with a virtual loss (Chaslot, Winands and van den Herik, 2008, section 3.3).
///
/// One lock guards the tree (their "global mutex"). A thread holds it while it goes down to several leaves and
/// while it brings their values back, never while it evaluates them; so threads pay as long as evaluation takes
/// most of the time. The tree, its parts and its reports are those of [`UctSearch`], proofs and recycling included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeParallel {
    /// Threads that search, the calling one included.
    pub threads: NonZero<usize>,
    /// Leaves that a thread gathers before it gives the tree away; more mean fewer waits, and leaves chosen with
    /// less knowledge. An evaluator that wants more gets more.
    pub leaves: NonZero<usize>,
}

impl Default for TreeParallel {
    /// A thread for each processor that the program may use, and four leaves at a time.
    fn default() -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        TreeParallel { threads, leaves: NonZero::new(4).unwrap_or(NonZero::<usize>::MIN) }
    }
}

impl TreeParallel {
    /// [`UctSearch::run`] on several threads.
    ///
    /// Each thread works with a clone of the game and the evaluator; the search keeps one of the evaluators.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide in `state`.
    pub fn run<G, S, E>(
        &self,
        search: &mut UctSearch<G, S, E>,
        state: &G::State,
        budget: &Budget,
    ) -> Result<Report<G::Action>, SearchError>
    where
        G: Game<State: Send, Action: Send> + Clone + Send,
        S: SelectionPolicy<Extra: Send> + Send,
        E: Evaluator<G> + Clone + Send,
    {
        self.run_with_clock(search, state, budget, &crate::budget::SystemClock)
    }

    /// [`run`](Self::run) on a clock of the caller.
    ///
    /// # Errors
    /// [`SearchError`] if there is nothing to decide in `state`.
    pub fn run_with_clock<G, S, E>(
        &self,
        search: &mut UctSearch<G, S, E>,
        state: &G::State,
        budget: &Budget,
        clock: &(impl Clock + Sync),
    ) -> Result<Report<G::Action>, SearchError>
    where
        G: Game<State: Send, Action: Send> + Clone + Send,
        S: SelectionPolicy<Extra: Send> + Send,
        E: Evaluator<G> + Clone + Send,
    {
        let meter = Meter::start(*budget, clock);
        let reuse = search.prepare_root(state)?;
        let leaves = search.parts().evaluator.lanes().max(self.leaves.get());
        search.prepare_lanes(state, leaves * self.threads.get());
        let stopped_by = search.nothing_to_search(budget);
        let mut workers: Vec<_> = (0..self.threads.get())
            .map(|thread| Worker::new(search, state, thread * leaves, leaves))
            .collect();
        let shared = Shared { search, meter, depths: Depths::default(), open: 0, stopped_by };
        let hall = Hall { shared: Mutex::new(shared), settled: Condvar::new() };
        let own = workers.pop();
        let own = thread::scope(|scope| {
            for mut worker in workers {
                let hall = &hall;
                scope.spawn(move || worker.work(hall));
            }
            own.map(|mut worker| {
                worker.work(&hall);
                worker
            })
        });
        let Shared { search, meter, depths, stopped_by, .. } = hall.into_shared();
        if let Some(own) = own {
            search.keep_evaluator(own.evaluator);
        }
        let stopped_by = stopped_by.unwrap_or(StopReason::Playouts);
        Ok(search.report(state, &meter, depths, (reuse, stopped_by)))
    }
}

/// How often a thread looks whether the tree is free before it goes to sleep: some ten microseconds, which is mostly
/// longer than another thread holds the tree, and less than it takes to be woken.
const LOOKS: u32 = 1_000;

/// What the threads share, and where they wait for each other.
struct Hall<'a, G: Game, S: SelectionPolicy, E, C> {
    shared: Mutex<Shared<'a, G, S, E, C>>,
    /// Told when no playout is open any more.
    settled: Condvar,
}

struct Shared<'a, G: Game, S: SelectionPolicy, E, C> {
    search: &'a mut UctSearch<G, S, E>,
    meter: Meter<&'a C>,
    depths: Depths,
    /// Playouts whose leaves are being evaluated.
    open: usize,
    stopped_by: Option<StopReason>,
}

impl<'a, G, S, E, C> Hall<'a, G, S, E, C>
where
    G: Game,
    S: SelectionPolicy,
    E: Evaluator<G>,
    C: Clock,
{
    fn lock(&self) -> MutexGuard<'_, Shared<'a, G, S, E, C>> {
        for _ in 0..LOOKS {
            if let Ok(shared) = self.shared.try_lock() {
                return shared;
            }
            core::hint::spin_loop();
        }
        self.shared.lock().expect("no thread of this search panicked")
    }

    fn into_shared(self) -> Shared<'a, G, S, E, C> {
        self.shared.into_inner().expect("no thread of this search panicked")
    }
}

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>, C: Clock> Shared<'_, G, S, E, C> {
    /// Whether the threads must let all playouts come home, so that the tree can take back room.
    fn must_settle(&self) -> bool {
        self.stopped_by.is_none() && self.open > 0 && self.search.is_full()
    }

    /// Starts up to `lanes` playouts; how many of them wait for a value, or `None` if the search is over.
    fn gather(&mut self, root: &G::State, first: usize, lanes: usize) -> Option<usize> {
        if self.stopped_by.is_none() && self.meter.is_due() {
            let search = &*self.search;
            self.stopped_by = self.meter.look(|| search.standing());
        }
        if self.stopped_by.is_some() {
            return None;
        }
        if self.open == 0 {
            self.search.make_room();
        }
        let playouts = self.meter.playouts_left(lanes);
        let open = self.search.gather(root, first..first + playouts, &mut self.depths);
        self.meter.count(playouts as u64);
        self.open += open;
        self.stop_if_proven();
        Some(open)
    }

    fn settle(&mut self, first: usize, values: &[Utilities]) {
        self.search.settle(first, values);
        self.open -= values.len();
        self.stop_if_proven();
    }

    fn stop_if_proven(&mut self) {
        if self.search.is_proven() {
            self.stopped_by = Some(StopReason::Proven);
        }
    }
}

/// What one thread works with.
struct Worker<G: Game, E> {
    game: G,
    evaluator: E,
    rng: SearchRng,
    root: G::State,
    /// Its lanes of the search.
    first: usize,
    lanes: usize,
    states: Vec<G::State>,
    traces: Vec<Trace>,
    values: Vec<Utilities>,
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
        }
    }

    fn evaluate<S: SelectionPolicy>(&mut self, open: usize) {
        let Worker { game, evaluator, rng, .. } = self;
        let values = &mut self.values[..open];
        if !UctSearch::<G, S, E>::TRACED {
            return evaluator.evaluate_all(game, &mut self.states, rng, values);
        }
        for ((state, trace), value) in self.states.iter().zip(&mut self.traces).zip(values) {
            *value = evaluator.evaluate_traced(game, state, trace, rng);
        }
    }

    /// Playouts until the search is over.
    fn work<S: SelectionPolicy, C: Clock>(&mut self, hall: &Hall<'_, G, S, E, C>) {
        // declared before the lock is taken, so that it rings after the lock is given back
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
            shared = hall.lock();
            shared.search.swap_traces(self.first, &mut self.traces[..open]);
            shared.search.swap_evaluator(&mut self.evaluator);
            shared.settle(self.first, &self.values[..open]);
            shared.search.swap_evaluator(&mut self.evaluator);
            if shared.open == 0 || shared.stopped_by.is_some() {
                hall.settled.notify_all();
            }
        }
    }
}

/// Ends the search when its thread ends, by a panic or because the search is over, so that nobody waits for its playouts.
struct Alarm<'a, 'b, G: Game, S: SelectionPolicy, E, C>(&'a Hall<'b, G, S, E, C>);

impl<G: Game, S: SelectionPolicy, E, C> Drop for Alarm<'_, '_, G, S, E, C> {
    fn drop(&mut self) {
        if let Ok(mut shared) = self.0.shared.lock() {
            shared.stopped_by.get_or_insert(StopReason::Decided);
        }
        self.0.settled.notify_all();
    }
}
