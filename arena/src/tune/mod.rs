//! Tuning: finds the best values of a bot's parameters by duels between settings.
//!
//! A [`Tuner`] proposes duels in batches and updates on their scores; [`Session`] plays and stores
//! them, so that an interrupted tuning can be continued. For every tuner, one [`Model`] of all
//! duels gives the confidence interval of the result and the response curve.

mod clop;
mod duels;
mod model;
mod plot;
mod session;
mod space;
mod spsa;
mod trial;

pub use clop::Clop;
pub use duels::{Duels, setting};
pub use model::{Estimate, Model, logistic};
pub use plot::{PlotError, draw};
pub use session::{PlayDuel, Session, SessionError, Settings};
pub use space::{Parameter, Point, RangeError, Space, UNITS};
pub use spsa::Spsa;
pub use trial::{Trial, TrialError};

use mcts_core::{SearchRng, rng};
use serde::{Deserialize, Serialize};

/// One side of a duel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The default: the bot without the tuned parameters.
    Default,
    /// The bot with the parameters at a point.
    Point(Point),
}

/// A pair of games between two settings on one seed, with swapped seats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duel {
    /// The side whose score is recorded.
    pub a: Side,
    /// The other.
    pub b: Side,
}

/// A duel that was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its index among all duels, from 0, from which its seed is derived.
    pub index: u64,
    /// Who played.
    pub duel: Duel,
    /// Mean score of the first side, from 0 to 1; `None` if the machine was too busy for the games
    /// to count.
    pub score: Option<f64>,
    /// Games lost by a fault, by either side.
    #[serde(default)]
    pub faults: u32,
}

/// A method of searching for the best point.
pub trait Tuner {
    /// The next batch of duels, at least one.
    fn propose(&mut self, rng: &mut SearchRng) -> Vec<Duel>;

    /// Updates on the results of the last proposed batch, in its order.
    fn learn(&mut self, batch: &[Played]);

    /// The coordinates of the best point so far.
    fn best(&self) -> Vec<f64>;
}

/// The available [`Tuner`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Points drawn by a quadratic model of all duels so far, after CLOP
    Model,
    /// Steps along differences between opposite perturbations of all parameters
    Spsa,
}

impl Method {
    /// The tuner for this number of pairs of games.
    #[must_use]
    pub fn tuner(self, space: &Space, pairs: u64) -> Box<dyn Tuner> {
        match self {
            Method::Model => Box::new(Clop::new(space)),
            Method::Spsa => Box::new(Spsa::new(space, pairs)),
        }
    }
}

/// A sample from the standard normal distribution (Box and Muller, 1958).
fn normal(rng: &mut SearchRng) -> f64 {
    let (one, other) = (1.0 - f64::from(rng::unit(rng)), f64::from(rng::unit(rng)));
    (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos()
}
