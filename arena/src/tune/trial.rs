//! Tests the ends of the ranges before the first game, so that no tuning fails half way through.

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use games::{Clocks, Fault, Judging, Outcome, Status, TimeLimits};

use super::{Side, Space, setting};
use crate::catalogue::Catalogue;
use crate::contest::Plan;
use crate::player::BotSpec;
use crate::referee::{self, Conduct, Occasion, PlayError};

/// Why a range cannot be searched.
#[derive(Debug)]
pub enum TrialError {
    /// The bot rejects its parameters.
    Refused {
        /// The parameters.
        parameters: String,
        /// Why.
        reason: String,
    },
    /// The game could not be started.
    Play(PlayError),
}

impl fmt::Display for TrialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrialError::Refused { parameters, reason } => {
                write!(f, "the ranges hold {parameters}, which the bot does not take: {reason}")
            }
            TrialError::Play(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrialError {}

/// The settings of a trial.
#[derive(Debug)]
pub struct Trial<'a> {
    /// Games and bots.
    pub catalogue: &'a Catalogue,
    /// The game and its settings.
    pub plan: &'a Plan,
    /// The program that runs built-in bots.
    pub arena: &'a Path,
    /// The bot.
    pub bot: &'a BotSpec,
    /// Whether it runs in a sandbox.
    pub sandbox: bool,
    /// Set to stop the trial.
    pub stop: &'a AtomicBool,
}

impl Trial<'_> {
    /// Tests the middle of the box, and both ends of each range with the others at their middle:
    /// built-in bots are built, and programs are started and asked for `OK`.
    ///
    /// # Errors
    /// The first setting that the bot rejects.
    pub fn of(&self, space: &Space) -> Result<(), TrialError> {
        let middle = vec![0.5; space.dimensions()];
        self.at(space, &middle)?;
        for axis in 0..space.dimensions() {
            for end in [0.0, 1.0] {
                let mut places = middle.clone();
                places[axis] = end;
                self.at(space, &places)?;
            }
        }
        Ok(())
    }

    fn at(&self, space: &Space, places: &[f64]) -> Result<(), TrialError> {
        let point = space.point(places);
        let parameters = space.text(&point);
        let spec = setting(self.bot, space, &Side::Point(point));
        let refused = |reason| TrialError::Refused { parameters: parameters.clone(), reason };
        spec.check(self.catalogue, &self.plan.game).map_err(|error| refused(error.to_string()))?;
        if matches!(spec, BotSpec::BuiltIn(_)) {
            return Ok(());
        }
        match self.start(&spec)? {
            Some(verdict) => Err(refused(verdict)),
            None => Ok(()),
        }
    }

    /// Starts a program in all seats of a game that ends immediately; returns its fault, if any.
    fn start(&self, spec: &BotSpec) -> Result<Option<String>, TrialError> {
        let plan = self.plan;
        let invalid = |reason| TrialError::Refused { parameters: plan.game.clone(), reason };
        let game =
            self.catalogue.find_game(&plan.game).map_err(|error| invalid(error.to_string()))?;
        let judging = plan.judge(game, plan.seed).map_err(|error| invalid(error.to_string()))?;
        let players: Vec<_> =
            (0..judging.seats()).map(|_| spec.player(&plan.game, plan.seed, self.arena)).collect();
        let conduct = Conduct {
            strict: plan.strict,
            memory_limit_bytes: plan.memory_mib.map(|mib| mib << 20),
            sandbox: self.sandbox,
            keep_messages: false,
            longest_game: None,
            cores: None,
            stop: self.stop,
        };
        let occasion = Occasion { game: &plan.game, seed: plan.seed };
        let mut judging = StartOnly(judging);
        let record = referee::play(&mut judging, &players, occasion, &conduct, &mut ())
            .map_err(TrialError::Play)?;
        let verdict = record.verdict.as_ref();
        Ok(verdict.map(|verdict| {
            let errors = verdict.last_errors.iter().map(|line| format!("; it wrote: {line}"));
            verdict.to_string() + &errors.collect::<String>()
        }))
    }
}

/// A game that is over once all bots are ready.
#[derive(Debug)]
struct StartOnly(Box<dyn Judging>);

impl Judging for StartOnly {
    fn seats(&self) -> usize {
        self.0.seats()
    }

    fn time_limits(&self) -> TimeLimits {
        self.0.time_limits()
    }

    fn opening(&self, seat: usize) -> Vec<String> {
        self.0.opening(seat)
    }

    fn status(&self) -> Status {
        let points = vec![0.0; self.0.seats()];
        Status::Over(Outcome { points, description: "only begun".to_owned() })
    }

    fn request(&self, clocks: &Clocks) -> Vec<String> {
        self.0.request(clocks)
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        self.0.answer(line)
    }

    fn notice(&self, seat: usize, used: Duration) -> Vec<String> {
        self.0.notice(seat, used)
    }

    fn farewell(&self) -> Option<String> {
        self.0.farewell()
    }

    fn position(&self) -> String {
        self.0.position()
    }

    fn picture(&self) -> String {
        self.0.picture()
    }

    fn last_action(&self) -> Option<String> {
        self.0.last_action()
    }
}
