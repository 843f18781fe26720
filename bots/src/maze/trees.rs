//! Searches of drawn worlds that build trees, beside the rollouts that the bot plays by.

use games::maze::rules::TURNS;
use games::maze::world::Action;
use mcts_core::belief::FromView;
use mcts_core::evaluation::Knowledge;
use mcts_core::search::{Exploration, Pimc, Pomcp};
use mcts_core::{
    Budget, Clock, Evaluator, FinalAction, Game, Model, Player, Report, SearchRng, Turn, Ucb1, Uct,
    Utilities, rng,
};

use super::instinct::Instinct;
use super::walk::Walk;
use super::worlds::Worlds;
use crate::parameters::{ParameterError, Parameters};

/// How drawn worlds are searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Each action once, then a fixed policy, all on the same worlds.
    Rollouts,
    /// A tree of actions and what Maki notices, with a world for each playout (POMCP); exploration in candies.
    Histories(f32),
    /// UCT in each of twenty worlds as if all of it were seen (PIMC); exploration on values in [0, 1].
    Worlds(f32),
}

impl Method {
    /// Takes `search` and, for the trees, `exploration` from the parameters.
    ///
    /// # Errors
    /// [`ParameterError`] if one of them cannot be read.
    pub fn of(parameters: &mut Parameters) -> Result<Method, ParameterError> {
        let name = parameters.take_as::<Name>("search", "rollouts, pomcp or pimc")?;
        Ok(match name.unwrap_or(Name::Rollouts) {
            Name::Rollouts => Method::Rollouts,
            Name::Pomcp => {
                Method::Histories(parameters.number("exploration", 2.0, (0.0, 100.0))?)
            }
            Name::Pimc => Method::Worlds(parameters.number("exploration", 0.1, (0.0, 10.0))?),
        })
    }
}

/// A method as it is written.
#[derive(Debug, Clone, Copy)]
enum Name {
    Rollouts,
    Pomcp,
    Pimc,
}

impl core::str::FromStr for Name {
    type Err = ();

    fn from_str(text: &str) -> Result<Name, ()> {
        match text {
            "rollouts" => Ok(Name::Rollouts),
            "pomcp" => Ok(Name::Pomcp),
            "pimc" => Ok(Name::Pimc),
            _ => Err(()),
        }
    }
}

/// Searches the tree of what Maki does and notices; `None` if there is nothing to decide.
pub(super) fn search_histories(
    worlds: &Worlds<'_>,
    (knowledge, horizon): (Instinct, u32),
    exploration: f32,
    (seed, budget): (u64, &Budget),
    clock: &dyn Clock,
) -> Option<Report<Action>> {
    let parts = Pomcp {
        exploration: Exploration::Returns(exploration),
        knowledge,
        horizon,
        memory_cap_bytes: MEMORY,
        least_weight: 0.01,
        final_action: FinalAction::Robust,
    };
    parts.search(*worlds, FromView::new(()), seed).run_with_clock(budget, &clock).ok()
}

/// Most bytes of a tree.
const MEMORY: usize = 64 << 20;

/// Searches each world as if it were seen; `None` if there is nothing to decide.
pub(super) fn search_worlds(
    worlds: &Worlds<'_>,
    (knowledge, until): (Instinct, u8),
    exploration: f32,
    (seed, budget): (u64, &Budget),
    clock: &dyn Clock,
) -> Option<Report<Action>> {
    let selection = Ucb1 { exploration, ..Ucb1::default() };
    let uct: Uct = Uct { memory_cap_bytes: MEMORY, solver: false, ..Uct::default() };
    let uct = uct.with_selection(selection).with_evaluator(Guided(knowledge));
    let parts = Pimc { uct, worlds: 20, final_action: FinalAction::Max };
    let draw = |game: &Drawn<'_>, rng: &mut SearchRng| Fate {
        walk: game.worlds.determinize(&(), rng),
        rng: rng::stream(rng::below(rng, 1 << 30) as u64, 0),
    };
    let game = Drawn { worlds: *worlds, knowledge, until };
    parts.search(game, seed).run_with_clock(draw, budget, &clock).ok()
}

/// A drawn world as a game for one player: whatever chance will do is drawn with it.
#[derive(Debug, Clone, Copy)]
struct Drawn<'a> {
    worlds: Worlds<'a>,
    /// Values what is beyond the horizon.
    knowledge: Instinct,
    /// The turn at which playouts end.
    until: u8,
}

/// A world and what chance will do in it.
#[derive(Debug, Clone)]
struct Fate {
    walk: Walk,
    rng: SearchRng,
}

impl Game for Drawn<'_> {
    type State = Fate;
    type Action = Action;

    const PLAYERS: usize = 1;
    const UTILITY_BOUNDS: (f32, f32) = (0.0, TURNS as f32);
    const HAS_REWARDS: bool = true;

    fn start(&self) -> Fate {
        let mut rng = rng::stream(0, 0);
        Fate { walk: self.worlds.determinize(&(), &mut rng), rng }
    }

    fn turn(&self, fate: &Fate) -> Turn {
        match fate.walk.turn {
            _ if self.worlds.is_over(&fate.walk) => Turn::Over(Utilities::ZERO),
            turn if turn >= self.until => {
                let beyond = { self.knowledge }.beyond(&self.worlds, &fate.walk);
                Turn::Over(Utilities::single(beyond))
            }
            _ => Turn::Player(Player::FIRST),
        }
    }

    fn actions(&self, fate: &Fate, visit: impl FnMut(Action)) {
        self.worlds.actions(&fate.walk, visit);
    }

    fn apply(&self, fate: &mut Fate, action: Action) {
        self.apply_with_rewards(fate, action);
    }

    fn apply_with_rewards(&self, fate: &mut Fate, action: Action) -> Utilities {
        Utilities::single(self.worlds.step(&mut fate.walk, action, &mut fate.rng))
    }

    fn action_index(&self, _: Action) -> Option<usize> {
        None
    }

    fn action_indices(&self) -> usize {
        0
    }
}

/// Rollouts by instinct.
#[derive(Debug, Clone, Copy)]
struct Guided(Instinct);

impl Evaluator<Drawn<'_>> for Guided {
    fn evaluate(&mut self, game: &Drawn<'_>, fate: &Fate, rng: &mut SearchRng) -> Utilities {
        let (mut fate, mut total) = (fate.clone(), Utilities::ZERO);
        loop {
            if let Turn::Over(rest) = game.turn(&fate) {
                return total.plus(&rest, 1.0);
            }
            let action = self.0.choose(&game.worlds, &fate.walk, rng);
            let rewards = game.apply_with_rewards(&mut fate, action);
            total = total.plus(&rewards, 1.0);
        }
    }
}
