//! Tuning: which values of a bot's parameters win most, found by duels between settings.
//!
//! A [`Tuner`] proposes duels in batches and learns from their scores; [`Session`] has them played and keeps every one of
//! them, so that it goes on where it stopped. Whatever the tuner, one [`Model`] of all duels says how sure the result is
//! and draws the response curve.

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
    /// The bot as it is, without the parameters.
    Default,
    /// The bot with the parameters at a point.
    Point(Point),
}

/// A pair of games between two settings on one seed, seats swapped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duel {
    /// Whose score it is.
    pub a: Side,
    /// The other.
    pub b: Side,
}

/// A duel that was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its place among all duels, from 0; its seed follows from it.
    pub index: u64,
    /// Who played.
    pub duel: Duel,
    /// Mean score of the first side, from 0 to 1; `None` if the machine spoilt the games.
    pub score: Option<f64>,
    /// Games lost by a fault, by either side.
    #[serde(default)]
    pub faults: u32,
}

/// A way to look for the best point.
pub trait Tuner {
    /// The next batch of duels, at least one.
    fn propose(&mut self, rng: &mut SearchRng) -> Vec<Duel>;

    /// Learns how the batch went that was proposed last, in its order.
    fn learn(&mut self, batch: &[Played]);

    /// The places of the best point so far.
    fn best(&self) -> Vec<f64>;
}

/// Which [`Tuner`] to use.
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

/// A draw from the standard normal distribution (Box and Muller, 1958).
fn normal(rng: &mut SearchRng) -> f64 {
    let (one, other) = (1.0 - f64::from(rng::unit(rng)), f64::from(rng::unit(rng)));
    (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos()
}
