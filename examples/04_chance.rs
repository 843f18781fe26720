//! How does a game roll dice? With a game about keeping a die: roll it up to three times, score
//! what it shows when you stop. Stopping at 5 or more, then at 4 or more, scores (5 + 6) / 6 + 4 /
//! 6 * 4.25 = 14 / 3.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use mcts_core::{Budget, Game, Player, Search, Turn, Uct, Utilities};

const ROLLS: u8 = 3;

#[derive(Debug, Clone, Copy)]
struct KeepADie;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Die {
    shows: u8,
    rolls: u8,
    now: Now,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Now {
    Rolling,
    Choosing,
    Kept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// An action of the player.
    Keep,
    /// An action of the player.
    RollAgain,
    /// An outcome of chance.
    Shows(u8),
}

impl Game for KeepADie {
    type State = Die;
    type Action = Action;
    const PLAYERS: usize = 1;
    const UTILITY_BOUNDS: (f32, f32) = (1.0, 6.0);

    fn start(&self) -> Die {
        Die { shows: 0, rolls: 0, now: Now::Rolling }
    }

    fn turn(&self, die: &Die) -> Turn {
        match die.now {
            Now::Rolling => Turn::Chance,
            Now::Choosing => Turn::Player(Player::FIRST),
            Now::Kept => Turn::Over(Utilities::single(f32::from(die.shows))),
        }
    }

    fn actions(&self, die: &Die, visit: impl FnMut(Action)) {
        match die.now {
            // All outcomes are equally probable unless the game overrides `outcomes`.
            Now::Rolling => (1..=6).map(Action::Shows).for_each(visit),
            _ if die.rolls == ROLLS => [Action::Keep].into_iter().for_each(visit),
            _ => [Action::Keep, Action::RollAgain].into_iter().for_each(visit),
        }
    }

    fn apply(&self, die: &mut Die, action: Action) {
        *die = match action {
            Action::Keep => Die { now: Now::Kept, ..*die },
            Action::RollAgain => Die { now: Now::Rolling, ..*die },
            Action::Shows(shows) => Die { shows, rolls: die.rolls + 1, now: Now::Choosing },
        };
    }
}

fn main() {
    for (rolls, shows, best) in [
        (1, 4, Action::RollAgain),
        (1, 5, Action::Keep),
        (2, 3, Action::RollAgain),
        (2, 4, Action::Keep),
    ] {
        let die = Die { shows, rolls, now: Now::Choosing };
        let mut search = Uct::default().search(KeepADie, 1);
        let report = search.run(&die, &Budget::playouts(20_000)).expect("a choice");
        println!("roll {rolls} shows {shows}: {:?}, worth {:.2?}", report.best, report.value());
        assert_eq!(report.best, best);
    }
}
