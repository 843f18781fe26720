//! The maze on the command line.

use alloc::boxed::Box;
use alloc::string::ToString;

use mcts_core::rng;

use super::chaser::Policy;
use super::grid::{MAX_SIZE, MIN_SIZE};
use super::protocol::{MazeJudge, Setting};
use super::rules::{Footsteps, Phase};
use super::world::{Action, World};
use super::{MazeGame, generator};
use crate::entry::{Entry, EntryError, Options};
use crate::perft::{EndedEarly, perft};

/// Maki's Candy.
pub const ENTRY: Entry = Entry {
    name: "maze",
    summary: "Maki's Candy: collect candies in an unknown maze, hunted by a chaser",
    judge: |seed, options| Ok(Box::new(MazeJudge::new(&setting(seed, options)?))),
    judge_from: |position, options| {
        let world = position.parse()?;
        Ok(Box::new(MazeJudge::of_world(world, &setting(0, options)?)))
    },
    random_start: |seed, plies| random_start(seed, plies).to_string(),
    perft: |position, depth| {
        let start = match position {
            Some(text) => text.parse()?,
            None => random_start(0, 0),
        };
        let game = MazeGame { start, policy: Policy::Hunter };
        Ok(perft(&game, &mcts_core::Game::start(&game), depth, EndedEarly::CountsNothing))
    },
    #[cfg(feature = "conformance")]
    check: super::conformance::check,
};

const OPTIONS: &[&str] = &["chaser", "footsteps", "footsteps-reversed", "size"];

/// Reads the options. Defaults: the hunter, the assumed footsteps, and a size sampled from the
/// seed.
fn setting(seed: u64, options: Options<'_>) -> Result<Setting, EntryError> {
    let size = MIN_SIZE + rng::below(&mut rng::stream(seed, 2), MAX_SIZE - MIN_SIZE + 1);
    let mut setting = Setting { size, chaser: Policy::Hunter, footsteps: Footsteps::ASSUMED, seed };
    for &(name, value) in options {
        let wrong = |expected: &str| EntryError::OptionValue {
            name: name.to_string(),
            value: value.to_string(),
            expected: expected.to_string(),
        };
        match name {
            "chaser" => {
                setting.chaser =
                    Policy::named(value).ok_or_else(|| wrong("hunter, wanderer or tracker"))?;
            }
            "footsteps" => {
                setting.footsteps.thresholds = thresholds(value)
                    .ok_or_else(|| wrong("three ascending distances such as 3,6,10"))?;
            }
            "footsteps-reversed" => {
                setting.footsteps.reversed = match value {
                    "" | "true" => true,
                    "false" => false,
                    _ => return Err(wrong("true or false")),
                };
            }
            "size" => {
                let size = value.parse().ok().filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
                setting.size = size.ok_or_else(|| wrong("a number from 11 to 23"))?;
            }
            _ => {
                return Err(EntryError::UnknownOption { name: name.to_string(), known: OPTIONS });
            }
        }
    }
    Ok(setting)
}

fn thresholds(text: &str) -> Option<[u8; 3]> {
    let mut values = text.split(',').map(|value| value.parse().ok());
    let thresholds = [values.next()??, values.next()??, values.next()??];
    (values.next().is_none() && thresholds.is_sorted_by(|a, b| a < b)).then_some(thresholds)
}

/// The world after `turns` turns of random actions, fewer if the game ends earlier.
fn random_start(seed: u64, turns: usize) -> World {
    let setting = setting(seed, &[]).expect("without options there is no invalid one");
    let mut judge =
        MazeJudge::of_world(generator::world(setting.size, &mut rng::stream(seed, 0)), &setting);
    let mut rng = rng::stream(seed, 3);
    for _ in 0..turns {
        let mut next = judge.clone();
        next.play(Action::ALL[rng::below(&mut rng, Action::ALL.len())]);
        if matches!(next.progress().phase, Phase::Over(_)) {
            break;
        }
        judge = next;
    }
    judge.progress().world
}
