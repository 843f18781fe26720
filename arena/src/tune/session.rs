//! Has the duels of a tuner played, several at once, and keeps each of them.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use mcts_core::{SearchRng, rng};
use serde::{Deserialize, Serialize};

use super::{Duel, Method, Model, Played, Space, Tuner};
use crate::contest::JournalError;

/// Everything that the proposals of a tuning depend on, besides the scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What is tuned.
    pub space: Space,
    /// How.
    pub method: Method,
    /// What the proposals are drawn from.
    pub seed: u64,
    /// Pairs of games.
    pub pairs: u64,
    /// Pairs of games that were planned at first: the step sizes of a tuner follow from them, so that a search goes on
    /// as it began when it gets more.
    pub planned_pairs: u64,
}

/// Plays the duel of this place in the tuning as the job of this number.
pub type PlayDuel<'a, E> = dyn Fn(usize, u64, &Duel) -> Result<Played, E> + Sync + 'a;

/// Why a session cannot go on.
#[derive(Debug)]
pub enum SessionError<E> {
    /// A duel could not be played.
    Play(E),
    /// A duel could not be kept.
    Journal(JournalError),
    /// A duel that was kept is not one of this session.
    OtherDuel {
        /// Its place.
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

/// A tuning under way.
pub struct Session<'a> {
    settings: &'a Settings,
    tuner: Box<dyn Tuner>,
    /// Whole batches that the tuner has learnt from.
    played: Vec<Played>,
    /// Duels that were kept by an earlier session, in their order.
    kept: Vec<Played>,
    batches: u64,
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("played", &self.played.len()).finish_non_exhaustive()
    }
}

impl<'a> Session<'a> {
    /// A session that begins with the duels that were kept by an earlier one, in any order.
    #[must_use]
    pub fn new(settings: &'a Settings, mut kept: Vec<Played>) -> Session<'a> {
        kept.sort_by_key(|played| played.index);
        kept.dedup_by_key(|played| played.index);
        let tuner = settings.method.tuner(&settings.space, settings.planned_pairs);
        Session { settings, tuner, played: Vec::new(), kept, batches: 0 }
    }

    /// The duels of all whole batches, in their order.
    #[must_use]
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// What the proposals depend on.
    #[must_use]
    pub fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// What the proposals are drawn from.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.settings.seed
    }

    /// Whether all pairs are played.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.played.len() as u64 >= self.settings.pairs
    }

    /// The places of the best point so far.
    #[must_use]
    pub fn best(&self) -> Vec<f64> {
        self.tuner.best()
    }

    /// What all duels of whole batches say.
    #[must_use]
    pub fn model(&self) -> Model {
        Model::fit(self.settings.space.dimensions(), &self.played)
    }

    /// The 95 % interval of the best place of each parameter; the best point so far lies in it.
    #[must_use]
    pub fn best_intervals(&self, rng: &mut SearchRng) -> Vec<[f64; 2]> {
        let model = Model::fit_for_intervals(self.settings.space.dimensions(), &self.played);
        let intervals = model.best_intervals(rng).into_iter().zip(self.best());
        intervals.map(|([low, high], best)| [low.min(best), high.max(best)]).collect()
    }

    /// Plays the next batch, but for what was kept of it: `jobs` duels at once, each handed to `keep` as soon as it is
    /// played. What the tuner learns does not depend on the order in which they end. False if somebody stopped it.
    ///
    /// # Errors
    /// If a duel could not be played or kept, or one that was kept is not of this session.
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
