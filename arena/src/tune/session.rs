//! Plays the duels of a tuner, several concurrently, and stores each of them.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use mcts_core::{SearchRng, rng};
use serde::{Deserialize, Serialize};

use super::{Duel, Method, Model, Played, Space, Tuner};
use crate::contest::JournalError;

/// Everything that the proposals of a tuning depend on, except the scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The parameter space.
    pub space: Space,
    /// The method.
    pub method: Method,
    /// The seed of the proposals.
    pub seed: u64,
    /// Number of pairs of games.
    pub pairs: u64,
    /// Number of pairs that was planned at first: the step sizes of a tuner depend on it, so that
    /// an extended search continues unchanged.
    pub planned_pairs: u64,
}

/// Plays the duel of this index in the tuning, as the concurrent job of this number.
pub type PlayDuel<'a, E> = dyn Fn(usize, u64, &Duel) -> Result<Played, E> + Sync + 'a;

/// Why a session cannot continue.
#[derive(Debug)]
pub enum SessionError<E> {
    /// A duel could not be played.
    Play(E),
    /// A duel could not be stored.
    Journal(JournalError),
    /// A stored duel is not one of this session.
    OtherDuel {
        /// Its index.
        index: u64,
    },
}

impl<E: fmt::Display> fmt::Display for SessionError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Play(error) => error.fmt(f),
            SessionError::Journal(error) => error.fmt(f),
            SessionError::OtherDuel { index } => {
                write!(f, "duel {index} that was kept is not the one that this tuning would play")
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for SessionError<E> {}

/// A running tuning.
pub struct Session<'a> {
    settings: &'a Settings,
    tuner: Box<dyn Tuner>,
    /// Complete batches that the tuner has learned from.
    played: Vec<Played>,
    /// Duels stored by an earlier session, in order.
    kept: Vec<Played>,
    batches: u64,
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("played", &self.played.len()).finish_non_exhaustive()
    }
}

impl<'a> Session<'a> {
    /// A session that continues with the duels stored by an earlier one, in any order.
    #[must_use]
    pub fn new(settings: &'a Settings, mut kept: Vec<Played>) -> Session<'a> {
        kept.sort_by_key(|played| played.index);
        kept.dedup_by_key(|played| played.index);
        let tuner = settings.method.tuner(&settings.space, settings.planned_pairs);
        Session { settings, tuner, played: Vec::new(), kept, batches: 0 }
    }

    /// The duels of all complete batches, in order.
    #[must_use]
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// The seed of the proposals.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.settings.seed
    }

    /// Whether all pairs are played.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.played.len() as u64 >= self.settings.pairs
    }

    /// The coordinates of the best point so far.
    #[must_use]
    pub fn best(&self) -> Vec<f64> {
        self.tuner.best()
    }

    /// The model of all duels of complete batches.
    #[must_use]
    pub fn model(&self) -> Model {
        Model::fit(self.settings.space.dimensions(), &self.played)
    }

    /// The 95 % interval of the best coordinate of each parameter; contains the best point so far.
    #[must_use]
    pub fn best_intervals(&self, rng: &mut SearchRng) -> Vec<[f64; 2]> {
        let model = Model::fit_for_intervals(self.settings.space.dimensions(), &self.played);
        let intervals = model.best_intervals(rng).into_iter().zip(self.best());
        intervals.map(|([low, high], best)| [low.min(best), high.max(best)]).collect()
    }

    /// Plays the next batch, except for its stored duels: `jobs` duels concurrently, each passed to
    /// `keep` as soon as it is played. The tuner's updates do not depend on the order in which they
    /// end. False if it was stopped.
    ///
    /// # Errors
    /// If a duel could not be played or stored, or a stored duel is not of this session.
    pub fn next_batch<E: Send>(
        &mut self,
        jobs: usize,
        stop: &AtomicBool,
        play: &PlayDuel<'_, E>,
        keep: &mut dyn FnMut(&Played) -> Result<(), JournalError>,
    ) -> Result<bool, SessionError<E>> {
        let first = self.played.len() as u64;
        let mut rng = rng::stream(self.settings.seed, self.batches);
        let mut duels = self.tuner.propose(&mut rng);
        duels.truncate(self.settings.pairs.saturating_sub(first) as usize);
        let mut batch: Vec<Option<Played>> = Vec::with_capacity(duels.len());
        for (index, duel) in (first..).zip(&duels) {
            let place = self.kept.binary_search_by_key(&index, |played| played.index);
            let kept = place.ok().map(|place| self.kept[place].clone());
            if kept.as_ref().is_some_and(|kept| kept.duel != *duel) {
                return Err(SessionError::OtherDuel { index });
            }
            batch.push(kept);
        }
        let open: Vec<usize> = (0..duels.len()).filter(|at| batch[*at].is_none()).collect();
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let (sender, results) = mpsc::channel();
        let result = std::thread::scope(|scope| {
            for job in 0..jobs.clamp(1, open.len().max(1)) {
                let (sender, next, failed) = (sender.clone(), &next, &failed);
                let (open, duels) = (&open, &duels);
                scope.spawn(move || {
                    let is_over = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
                    while !is_over()
                        && let Some(at) = open.get(next.fetch_add(1, Ordering::Relaxed))
                        && sender.send((*at, play(job, first + *at as u64, &duels[*at]))).is_ok()
                    {
                    }
                });
            }
            drop(sender);
            for (at, played) in results {
                let kept = played.map_err(SessionError::Play).and_then(|played| {
                    keep(&played).map_err(SessionError::Journal).map(|()| played)
                });
                match kept {
                    Ok(played) => batch[at] = Some(played),
                    Err(error) => {
                        failed.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            Ok(())
        });
        if let Err(error) = result {
            return if stop.load(Ordering::Relaxed) { Ok(false) } else { Err(error) };
        }
        let Some(batch) = batch.into_iter().collect::<Option<Vec<Played>>>() else {
            return Ok(false);
        };
        self.tuner.learn(&batch);
        self.played.extend(batch);
        self.batches += 1;
        Ok(true)
    }
}
