//! The baseline: goes to the nearest candy.

use games::Client;
use games::TimeTold;
use games::maze::Direction;
use games::maze::grid::{Cell, CellSet, flood, shortest_steps, walking_distance};
use games::maze::memory::Map;
use games::maze::protocol::MazeClient;
use games::maze::rules::Footsteps;
use games::maze::view::View;
use games::maze::world::Action;
use mcts_core::{Clock, SearchRng, rng};

use crate::client_seat::{Decision, Player};

/// Goes to the nearest known candy, otherwise to the nearest place next to an unknown cell; steps
/// away from the chaser when its footsteps are loud by the assumed table.
#[derive(Debug, Clone)]
pub struct Greedy {
    rng: SearchRng,
}

impl Greedy {
    /// Equal seeds play equal games.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Greedy { rng: rng::stream(seed, 0x6B) }
    }

    fn choose(&mut self, view: &View) -> Action {
        let told = view.now();
        let map = &told.map;
        let loudest = Footsteps::ASSUMED.level(Some(0));
        if told.footsteps == loudest
            && let Some(way) = self.away(map, view)
        {
            return Action::Step(way);
        }
        let candies = map.memory.candies.without(map.maki);
        let goal = nearest(map, &candies).or_else(|| nearest(map, &edge_of_the_known(view)));
        let Some(goal) = goal else { return Action::Look };
        let ways = shortest_steps(&map.memory.passages, map.maki, goal);
        self.one_of(ways).map_or(Action::Look, Action::Step)
    }

    /// A step away from the chaser if it is in view, otherwise back to where she came from.
    fn away(&mut self, map: &Map, view: &View) -> Option<Direction> {
        let open = |way: &Direction| map.memory.passages.contains(map.maki.step(*way));
        let Some(chaser) = map.chaser else {
            return Some(view.facing().back()).filter(open);
        };
        let rank = |way: &Direction| {
            let to = map.maki.step(*way);
            walking_distance(&map.memory.passages, chaser, to)
        };
        let most = Direction::ALL.into_iter().filter(open).map(|way| rank(&way)).max()?;
        let best = Direction::ALL.into_iter().filter(|way| open(way) && rank(way) == most);
        self.one_of(best)
    }

    fn one_of(&mut self, ways: impl Iterator<Item = Direction>) -> Option<Direction> {
        let mut chosen = None;
        for (before, way) in ways.enumerate() {
            if rng::below(&mut self.rng, before + 1) == 0 {
                chosen = Some(way);
            }
        }
        chosen
    }
}

/// Known passages next to an unknown cell.
fn edge_of_the_known(view: &View) -> CellSet {
    let memory = &view.now().map.memory;
    view.unknown().neighbours().intersection(&memory.passages)
}

/// The nearest of `goals` through known passages.
fn nearest(map: &Map, goals: &CellSet) -> Option<Cell> {
    let mut found = None;
    flood(&map.memory.passages, map.maki, |_, layer| {
        found = layer.intersection(goals).iter().next();
        found.is_none()
    });
    found
}

impl Player<MazeClient> for Greedy {
    fn decide(
        &mut self,
        client: &MazeClient,
        _: TimeTold,
        _: &dyn Clock,
    ) -> Option<Decision<Action>> {
        Some(Decision { action: self.choose(client.position()), report: None })
    }
}

/// Plays a uniformly random action.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    rng: SearchRng,
}

impl RandomPlayer {
    /// Equal seeds play equal games.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        RandomPlayer { rng: rng::stream(seed, 0x7A) }
    }
}

impl Player<MazeClient> for RandomPlayer {
    fn decide(&mut self, _: &MazeClient, _: TimeTold, _: &dyn Clock) -> Option<Decision<Action>> {
        let action = Action::ALL[rng::below(&mut self.rng, Action::ALL.len())];
        Some(Decision { action, report: None })
    }
}
