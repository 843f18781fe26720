//! Groups of leaves, passed from the tree to the threads that evaluate them, and back.

use super::bell::Bell;
use super::lessons::Lessons;
use crate::evaluation::Evaluator;
use crate::game::{Game, Utilities};
use crate::rng::SearchRng;
use crate::trace::Trace;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// The leaves of one group, with everything that their values depend on, so that any thread can
/// evaluate them.
pub(super) struct Group<G: Game, E> {
    pub(super) states: Vec<G::State>,
    pub(super) traces: Vec<Trace>,
    pub(super) values: Vec<Utilities>,
    /// Number of leaves that need a value, which are the first ones.
    pub(super) open: usize,
    pub(super) rng: SearchRng,
    pub(super) evaluator: E,
    /// The number of the first group whose lessons the evaluator has not learned.
    pub(super) unlearnt: u64,
}

impl<G: Game, E> Group<G, E> {
    /// Allocates `leaves` leaves for a search from `root`.
    pub(super) fn prepare(&mut self, root: &G::State, leaves: usize) {
        self.states.resize(leaves, root.clone());
        self.traces.resize(leaves, Trace::EMPTY);
        self.values.resize(leaves, Utilities::ZERO);
    }
}

/// A value on its own cache lines, to avoid false sharing.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

/// The state shared by the threads. Groups are numbered in the order in which the tree selected
/// their leaves; group `n` is in slot `n` modulo the number of slots.
///
/// The atomics define the order of access; the lock of each slot guards its content, and is never
/// contended.
pub(super) struct Groups<G: Game, E> {
    places: Vec<Mutex<Group<G, E>>>,
    /// Lessons that the tree's evaluator learned between the groups: those before group `n` in slot
    /// `n` modulo twice the number of groups, since a group reads those of the groups that may be
    /// unfinished before it.
    lessons: Vec<RwLock<Lessons>>,
    /// For each slot, one more than the number of the last group whose leaves were evaluated;
    /// stored after their values.
    evaluated: Vec<Apart<AtomicU64>>,
    /// Number of published groups.
    published: Apart<AtomicU64>,
    /// Number of claimed groups.
    claimed: Apart<AtomicU64>,
    closed: AtomicBool,
    failed: AtomicBool,
    work: Bell,
    results: Bell,
}

impl<G: Game, E: Evaluator<G>> Groups<G, E> {
    pub(super) fn new(evaluators: impl Iterator<Item = E>, rng: &SearchRng) -> Self {
        let group = |evaluator| Group {
            states: Vec::new(),
            traces: Vec::new(),
            values: Vec::new(),
            open: 0,
            rng: rng.clone(),
            evaluator,
            unlearnt: 0,
        };
        let places: Vec<_> = evaluators.map(|evaluator| Mutex::new(group(evaluator))).collect();
        Groups {
            lessons: (0..2 * places.len()).map(|_| RwLock::default()).collect(),
            evaluated: places.iter().map(|_| Apart::default()).collect(),
            places,
            published: Apart::default(),
            claimed: Apart::default(),
            closed: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            work: Bell::default(),
            results: Bell::default(),
        }
    }

    /// The group with this number, to fill or to read it.
    pub(super) fn group(&self, number: u64) -> MutexGuard<'_, Group<G, E>> {
        let place = number as usize % self.places.len();
        self.places[place].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lessons before the group with this number, to write them.
    pub(super) fn set_lessons(&self, number: u64, write: impl FnOnce(&mut Lessons)) {
        let place = number as usize % self.lessons.len();
        write(&mut self.lessons[place].write().unwrap_or_else(PoisonError::into_inner));
    }

    /// Publishes the next group, which is filled.
    pub(super) fn publish(&self) {
        self.published.0.fetch_add(1, Ordering::SeqCst);
        self.work.ring();
    }

    /// Claims a published group, if any.
    fn claim(&self) -> Option<u64> {
        let mut next = self.claimed.0.load(Ordering::SeqCst);
        while next < self.published.0.load(Ordering::SeqCst) {
            let swap = (Ordering::SeqCst, Ordering::SeqCst);
            match self.claimed.0.compare_exchange_weak(next, next + 1, swap.0, swap.1) {
                Ok(number) => return Some(number),
                Err(other) => next = other,
            }
        }
        None
    }

    fn waits_for_a_thread(&self) -> bool {
        self.claimed.0.load(Ordering::SeqCst) < self.published.0.load(Ordering::SeqCst)
    }

    /// Evaluates the leaves of a claimed group; with their traces if a part of the search learns from them.
    fn evaluate(&self, number: u64, game: &G, traced: bool) {
        let mut group = self.group(number);
        let Group { states, traces, values, open, rng, evaluator, unlearnt } = &mut *group;
        if E::LEARNS {
            for before in *unlearnt..=number {
                let place = before as usize % self.lessons.len();
                let lessons = self.lessons[place].read().unwrap_or_else(PoisonError::into_inner);
                lessons.teach(evaluator);
            }
            *unlearnt = number + 1;
        }
        let (states, values) = (&mut states[..*open], &mut values[..*open]);
        if traced {
            for ((state, trace), value) in states.iter().zip(traces).zip(values) {
                *value = evaluator.evaluate(game, state, trace, rng);
            }
        } else {
            evaluator.evaluate_all(game, states, rng, values);
        }
        drop(group);
        let place = number as usize % self.places.len();
        self.evaluated[place].0.store(number + 1, Ordering::SeqCst);
        self.results.ring();
    }

    fn is_evaluated(&self, number: u64) -> bool {
        let place = number as usize % self.places.len();
        self.evaluated[place].0.load(Ordering::SeqCst) > number
    }

    /// Waits until the leaves of the group have values, and evaluates other groups meanwhile; false
    /// if a thread has panicked.
    pub(super) fn help_until_evaluated(&self, number: u64, game: &G, traced: bool) -> bool {
        while !self.is_evaluated(number) {
            if let Some(other) = self.claim() {
                self.evaluate(other, game, traced);
            } else {
                let has_failed = || self.failed.load(Ordering::SeqCst);
                self.results.wait_until(|| self.is_evaluated(number) || has_failed());
                if has_failed() {
                    return false;
                }
            }
        }
        true
    }

    /// Evaluates groups until [`close`](Self::close): the loop of each worker thread.
    pub(super) fn serve(&self, game: &G, traced: bool) {
        let _alarm = Alarm { groups: self };
        loop {
            if let Some(number) = self.claim() {
                self.evaluate(number, game, traced);
            } else {
                let is_closed = || self.closed.load(Ordering::SeqCst);
                self.work.wait_until(|| self.waits_for_a_thread() || is_closed());
                if is_closed() {
                    return;
                }
            }
        }
    }
}

impl<G: Game, E> Groups<G, E> {
    /// Ends the threads in [`serve`](Self::serve).
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.work.ring();
    }
}

/// Sets a flag when a thread panics, so that no other thread waits for its values.
struct Alarm<'a, G: Game, E> {
    groups: &'a Groups<G, E>,
}

impl<G: Game, E> Drop for Alarm<'_, G, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.groups.failed.store(true, Ordering::SeqCst);
            self.groups.results.ring();
        }
    }
}
