//! The bot: a belief of all that is hidden, and a search on worlds drawn from it.

use alloc::format;
use alloc::vec::Vec;
use core::time::Duration;

use games::maze::belief::MazeBelief;
use games::maze::protocol::{BUDGET, Judge, Player as MazeClient};
use games::maze::rules::TURNS;
use games::maze::terrain::Terrain;
use games::maze::view::View;
use games::maze::world::Action;
use games::{Client, TimeTold};
use mcts_core::search::PolicyRollouts;
use mcts_core::{Budget, Clock, Model, Report, SearchRng, rng};

use super::instinct::Instinct;
use super::trees::{self, Method};
use super::worlds::{Source, Worlds, truth};
use crate::client_seat::{Decision, Player};
use crate::parameters::{ParameterError, Parameters};

/// What a decision goes by.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// How drawn worlds are searched.
    pub method: Method,
    /// The search on drawn worlds; trees take its knowledge and its horizon.
    pub search: PolicyRollouts<Instinct>,
    /// Charged for each turn, in candies.
    pub turn_cost: f32,
    /// How many completions of the unseen walls are followed.
    pub completions: usize,
    /// Time that is never planned with: start-up, transport, exit.
    pub reserve: Duration,
    /// Playouts of every decision instead of a time plan; makes the player deterministic.
    pub playouts: Option<u64>,
    /// Equal seeds play equal games, given playouts.
    pub seed: u64,
}

impl Parts {
    /// Takes the parts from the parameters where they are given.
    ///
    /// # Errors
    /// [`ParameterError`] if one of them cannot be read.
    pub fn of(parameters: &mut Parameters) -> Result<Parts, ParameterError> {
        Ok(Parts {
            method: Method::of(parameters)?,
            search: PolicyRollouts {
                horizon: parameters.number("horizon", 20.0, (1.0, 100.0))? as u32,
                least_rounds: 40,
                margin: parameters.number("margin", 3.0, (0.0, 100.0))?,
                trust: parameters.number("trust", 2.0, (0.0, 100.0))?,
                knowledge: Instinct::of(parameters)?,
            },
            turn_cost: parameters.number("turn_cost", 0.0, (0.0, 1.0))?,
            completions: parameters.number("completions", 6.0, (1.0, 100.0))? as usize,
            reserve: Duration::from_millis(100),
            playouts: parameters.take_as("playouts", "a whole number")?,
            seed: parameters.take_as("seed", "a whole number")?.unwrap_or(1),
        })
    }

    /// The time of a decision of which this much was used already: an even share of what is left.
    fn budget(&self, turn: u8, left: Duration, used: Duration) -> Budget {
        if let Some(playouts) = self.playouts {
            return Budget::playouts(playouts);
        }
        let turns = u32::from((TURNS + 1).saturating_sub(turn).max(1));
        Budget::wall((left.saturating_sub(self.reserve) / turns).saturating_sub(used))
    }

    fn decide(
        &self,
        worlds: &Worlds<'_>,
        turn: u8,
        budget: &Budget,
        clock: &dyn Clock,
    ) -> Option<Report<Action>> {
        let seed = rng::mix(self.seed ^ u64::from(turn));
        let PolicyRollouts { knowledge, horizon, .. } = self.search;
        match self.method {
            Method::Rollouts => {
                let draw = |worlds: &Worlds<'_>, rng: &mut SearchRng| worlds.determinize(&(), rng);
                self.search.search(seed).run_with_clock(worlds, draw, budget, &clock).ok()
            }
            Method::Histories(exploration) => {
                let known = (knowledge, horizon);
                trees::search_histories(worlds, known, exploration, (seed, budget), clock)
            }
            Method::Worlds(exploration) => {
                let known = (knowledge, turn.saturating_add(horizon.min(100) as u8));
                trees::search_worlds(worlds, known, exploration, (seed, budget), clock)
            }
        }
    }
}

/// Plays by a belief that grows with the game.
#[derive(Debug)]
pub struct Believer {
    parts: Parts,
    belief: Option<MazeBelief>,
    rng: SearchRng,
}

impl Believer {
    /// A player with these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Believer { belief: None, rng: rng::stream(parts.seed, 0x6D), parts }
    }

    /// The belief of `view`: the one before, grown, where the view goes on from there.
    fn catch_up(&mut self, view: &View) -> &MazeBelief {
        let earlier = self.belief.take().filter(|belief| continues(view, belief.view()));
        let belief = match earlier {
            Some(mut belief) => {
                for past in &view.past[belief.view().past.len()..] {
                    belief.update(past.action, &past.observation, &mut self.rng);
                }
                belief
            }
            None => MazeBelief::new(view, self.parts.completions, &mut self.rng),
        };
        self.belief.insert(belief)
    }
}

fn continues(view: &View, earlier: &View) -> bool {
    earlier.first == view.first
        && earlier.first_facing == view.first_facing
        && view.past.starts_with(&earlier.past)
}

impl Player<MazeClient> for Believer {
    fn decide(
        &mut self,
        client: &MazeClient,
        told: TimeTold,
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let started = clock.monotonic_nanos();
        let view = client.position();
        let parts = self.parts;
        let belief = self.catch_up(view);
        let used = Duration::from_nanos(clock.monotonic_nanos().saturating_sub(started));
        let budget = parts.budget(view.turn(), told.own.unwrap_or(BUDGET), used);
        let terrains: Vec<&Terrain> =
            belief.completions().iter().map(|completion| &completion.terrain).collect();
        let worlds = Worlds {
            source: Source::Belief(belief),
            terrains: &terrains,
            turn_cost: parts.turn_cost,
        };
        let report = parts.decide(&worlds, view.turn(), &budget, clock)?;
        tracing::debug!(actions = ?report.actions, redrawn = belief.redrawn(), "decided");
        let value = report.value().unwrap_or(0.0) / f32::from(TURNS);
        let words = format!("value={value:.4} playouts={}", report.playouts);
        Some(Decision { action: report.best, report: Some(words) })
    }
}

/// Plays with everything in sight: the bound that no bot can reach.
#[derive(Debug, Clone, Copy)]
pub struct Clairvoyant {
    /// The same parts as those of the bot.
    pub parts: Parts,
}

impl Clairvoyant {
    /// Decides in the true world, with so much time left for the whole game.
    #[must_use]
    pub fn decide(
        &self,
        terrain: &Terrain,
        judge: &Judge,
        left: Duration,
        clock: &dyn Clock,
    ) -> Option<Action> {
        let walk = truth(terrain, judge.progress(), judge.chaser());
        let budget = self.parts.budget(walk.turn, left, Duration::ZERO);
        let worlds = Worlds {
            source: Source::Truth(&walk),
            terrains: &[terrain],
            turn_cost: self.parts.turn_cost,
        };
        self.parts.decide(&worlds, walk.turn, &budget, clock).map(|report| report.best)
    }
}
