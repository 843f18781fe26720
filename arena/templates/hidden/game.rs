//! The rules as the search sees them.

use games::Outcome;
use mcts_core::{
    Game, HiddenInformation, InformationSets, Player, SearchRng, Turn, Utilities, rng,
};

use crate::rules::{Action, Next, Position};
use crate::view::{Observation, View, observe};

/// The game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules;

impl Game for Rules {
    type State = Position;
    type Action = Action;
    const UTILITY_BOUNDS: (f32, f32) =
        (-(Position::MOST_COINS as f32), Position::MOST_COINS as f32);

    fn start(&self) -> Position {
        Position::default()
    }

    fn turn(&self, position: &Position) -> Turn {
        match position.next() {
            Next::Chance => Turn::Chance,
            Next::Player(number) => Turn::Player(Player(number)),
            Next::Over(coins) => Turn::Over(Utilities::zero_sum(f32::from(coins))),
        }
    }

    fn actions(&self, position: &Position, visit: impl FnMut(Action)) {
        position.actions().into_iter().for_each(visit);
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
    }
}

impl HiddenInformation for Rules {
    type Observation = Observation;
    type View = View;

    fn first_view(&self, _: &Position, observer: Player) -> View {
        View::first(observer.0)
    }

    fn observe(&self, position: &Position, action: Action, observer: Player) -> Observation {
        observe(position, action, observer.0)
    }

    fn grow(&self, view: &mut View, _: Option<Action>, observation: &Observation) {
        view.add(*observation);
    }

    fn determinize(&self, view: &View, rng: &mut SearchRng) -> Position {
        view.fill(|n| rng::below(rng, n))
    }
}

/// For searches by what players know, such as `is-mcts` and `pomcp`.
impl InformationSets for Rules {
    fn information_key(&self, position: &Position, player: Player) -> u64 {
        View::of(position, player.0).key()
    }
}

/// What the players get in a match; `None` if the game goes on.
pub(crate) fn outcome(position: &Position) -> Option<Outcome> {
    match position.next() {
        Next::Over(coins) => {
            let description = format!("{coins:+} for the first player");
            Some(Outcome::of_two(coins.cmp(&0), description))
        }
        _ => None,
    }
}
