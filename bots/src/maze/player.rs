//! The bot: a belief about everything hidden, and a search on determinizations.

use alloc::vec::Vec;
use core::time::Duration;

use games::maze::belief::MazeBelief;
use games::maze::protocol::{BUDGET, MazeClient, MazeJudge};
use games::maze::rules::TURNS;
use games::maze::terrain::Terrain;
use games::maze::view::View;
use games::maze::world::Action;
use games::{Client, TimeTold};
use mcts_core::search::PolicyRollouts;
use mcts_core::{Budget, Clock, SearchRng, rng};

use super::base_policy::BasePolicy;
use super::search::WorldSearch;
use super::worlds::{Source, Worlds, truth};
use crate::client_seat::{Decision, Player};
use crate::parameters::{ParameterError, Parameters};

/// The parts of the player.
#[derive(Debug, Clone, Copy)]
pub struct Parts<S = PolicyRollouts<BasePolicy>> {
    /// The search on determinizations.
    pub search: S,
    /// Cost of each turn, in candies.
    pub turn_cost: f32,
    /// Number of completions of the unseen walls.
    pub completions: usize,
    /// Most bytes of the belief, about; the least probable completions are given up beyond it, and one always stays.
    pub memory_bytes: usize,
    /// Time that is never planned with: start-up, transport, exit.
    pub reserve: Duration,
    /// Number of playouts of every decision, instead of the time plan; makes the player
    /// deterministic.
    pub playouts: Option<u64>,
    /// With a number of playouts, equal seeds play equal games.
    pub seed: u64,
}

impl Parts {
    /// Reads the parts from the parameters; missing ones have defaults.
    ///
    /// # Errors
    /// [`ParameterError`] if a value is invalid.
    pub fn of(parameters: &mut Parameters) -> Result<Parts, ParameterError> {
        Ok(Parts {
            search: PolicyRollouts {
                horizon: parameters.number("horizon", 20.0, (1.0, 100.0))? as u32,
                least_rounds: 40,
                elimination_z: parameters.number("margin", 3.0, (0.0, 100.0))?,
                override_z: parameters.number("trust", 2.0, (0.0, 100.0))?,
                knowledge: BasePolicy::of(parameters)?,
            },
            turn_cost: parameters.number("turn_cost", 0.0, (0.0, 1.0))?,
            completions: parameters.number("completions", 6.0, (1.0, 100.0))? as usize,
            memory_bytes: parameters.memory_bytes(256 << 20)?,
            reserve: Duration::from_millis(100),
            playouts: parameters.playouts()?,
            seed: parameters.seed()?,
        })
    }
}

impl<S> Parts<S> {
    /// The same parts with another search.
    #[must_use]
    pub fn with_search<T>(self, search: T) -> Parts<T> {
        let Parts { turn_cost, completions, memory_bytes, reserve, playouts, seed, .. } = self;
        Parts { search, turn_cost, completions, memory_bytes, reserve, playouts, seed }
    }

    /// The budget of a decision of which `used` is already spent: an even share of the time left,
    /// at least half of it for the search. The belief is slowest in the first turns, so later turns
    /// compensate for it.
    fn budget(&self, turn: u8, left: Duration, used: Duration) -> Budget {
        if let Some(playouts) = self.playouts {
            return Budget::playouts(playouts);
        }
        let turns = u32::from((TURNS + 1).saturating_sub(turn).max(1));
        let share = left.saturating_sub(self.reserve) / turns;
        Budget::wall(share.saturating_sub(used).max(share / 2))
    }
}

impl<S: WorldSearch> Parts<S> {
    fn decide(
        &self,
        worlds: &Worlds<'_>,
        turn: u8,
        budget: &Budget,
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let seed = rng::mix(self.seed ^ u64::from(turn));
        self.search.decide(worlds, (seed, budget), clock)
    }
}

/// Plays by a belief that is updated during the game.
#[derive(Debug)]
pub struct BeliefPlayer<S = PolicyRollouts<BasePolicy>> {
    parts: Parts<S>,
    belief: Option<MazeBelief>,
    rng: SearchRng,
    /// Time used in this game by the bot's own measurement, for judges that do not report the time
    /// left.
    used: Duration,
}

impl<S> BeliefPlayer<S> {
    /// A player with these parts.
    #[must_use]
    pub fn new(parts: Parts<S>) -> Self {
        let rng = rng::stream(parts.seed, 0x6D);
        BeliefPlayer { belief: None, rng, used: Duration::ZERO, parts }
    }

    /// Updates the belief to `view`; starts a new one if `view` does not continue the previous
    /// view.
    fn catch_up(&mut self, view: &View) {
        let earlier = self.belief.take().filter(|belief| continues(view, belief.view()));
        let mut belief = match earlier {
            Some(mut belief) => {
                for past in &view.past[belief.view().past.len()..] {
                    belief.update(past.action, &past.observation, &mut self.rng);
                }
                belief
            }
            None => MazeBelief::new(view, self.parts.completions, &mut self.rng),
        };
        belief.shrink_to(self.parts.memory_bytes);
        self.belief = Some(belief);
    }
}

fn continues(view: &View, earlier: &View) -> bool {
    earlier.first == view.first
        && earlier.first_facing == view.first_facing
        && view.past.starts_with(&earlier.past)
}

impl<S: WorldSearch> Player<MazeClient> for BeliefPlayer<S> {
    fn decide(
        &mut self,
        client: &MazeClient,
        told: TimeTold,
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let started = clock.monotonic_nanos();
        let view = client.position();
        self.catch_up(view);
        let (parts, belief) = (&self.parts, self.belief.as_ref()?);
        let used = Duration::from_nanos(clock.monotonic_nanos().saturating_sub(started));
        let measured = || BUDGET.saturating_sub(self.used);
        let left = told.own.map_or_else(measured, |own| own.min(BUDGET));
        let budget = parts.budget(view.turn(), left, used);
        let terrains: Vec<&Terrain> =
            belief.completions().iter().map(|completion| &completion.terrain).collect();
        let worlds = Worlds {
            source: Source::Belief(belief),
            terrains: &terrains,
            turn_cost: parts.turn_cost,
        };
        let decision = parts.decide(&worlds, view.turn(), &budget, clock)?;
        tracing::debug!(?decision, redrawn = belief.redrawn(), "decided");
        Some(decision)
    }

    fn answered(&mut self, started_nanos: u64, clock: &dyn Clock) {
        if self.belief.as_ref().is_none_or(|belief| belief.view().past.is_empty()) {
            self.used = Duration::ZERO;
        }
        self.used += Duration::from_nanos(clock.monotonic_nanos().saturating_sub(started_nanos));
    }
}

/// Plays with full information: an upper bound for every bot.
#[derive(Debug, Clone, Copy)]
pub struct Clairvoyant {
    /// The same parts as those of the bot.
    pub parts: Parts,
}

impl Clairvoyant {
    /// Decides in the true world, with the time `left` for the whole game; `None` if there is no
    /// decision.
    #[must_use]
    pub fn decide(
        &self,
        terrain: &Terrain,
        judge: &MazeJudge,
        left: Duration,
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let walk = truth(terrain, judge.progress(), judge.chaser());
        let budget = self.parts.budget(walk.turn, left, Duration::ZERO);
        let worlds = Worlds {
            source: Source::Truth(&walk),
            terrains: &[terrain],
            turn_cost: self.parts.turn_cost,
        };
        self.parts.decide(&worlds, walk.turn, &budget, clock)
    }
}
