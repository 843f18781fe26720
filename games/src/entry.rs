//! The interface of a game to the command line: reads texts, returns texts and judges.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use mcts_core::{Game, Turn, rng};

use crate::judging::Judging;
use crate::notation::NotationError;
use crate::perft::{EndedEarly, perft};

/// A game's options as written by a user: names and values.
pub type Options<'a> = &'a [(&'a str, &'a str)];

/// A judge for one game, or an error.
pub type NewJudge = Result<Box<dyn Judging>, EntryError>;

/// A game, by its name on the command line.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// What the game is, in one line.
    pub summary: &'static str,
    /// A judge for one game from the start position of a seed.
    pub judge: fn(seed: u64, options: Options<'_>) -> NewJudge,
    /// A judge for one game from a position in text form.
    pub judge_from: fn(position: &str, options: Options<'_>) -> NewJudge,
    /// The text of the position after `plies` uniformly random actions, all sampled from `seed`;
    /// fewer if the game ends earlier.
    pub random_start: fn(seed: u64, plies: usize) -> String,
    /// The number of sequences of `depth` actions, see [`perft`], with [`EndedEarly`] as in
    /// published counts of the game; without a position, from the start of seed 0.
    pub perft: fn(position: Option<&str>, depth: u32) -> Result<u64, EntryError>,
    /// The check for a kind of golden vectors, given by the stem of the file's name; `None` if it
    /// belongs to another game.
    #[cfg(feature = "conformance")]
    pub check: fn(stem: &str) -> Option<crate::conformance::Check>,
}

/// An invalid position or option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryError {
    /// The text is not a position of the game.
    Position(NotationError),
    /// The game has no option of this name.
    UnknownOption {
        /// The name as given.
        name: String,
        /// The options of the game.
        known: &'static [&'static str],
    },
    /// The option does not accept the value.
    OptionValue {
        /// The option.
        name: String,
        /// The value as given.
        value: String,
        /// The accepted values.
        expected: String,
    },
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryError::Position(error) => write!(f, "not a position: {error}"),
            EntryError::UnknownOption { name, known: [] } => {
                write!(f, "option {name:?}: this game has no options")
            }
            EntryError::UnknownOption { name, known } => {
                write!(f, "option {name:?}: this game has {}", known.join(", "))
            }
            EntryError::OptionValue { name, value, expected } => {
                write!(f, "option {name}: expected {expected}, found {value:?}")
            }
        }
    }
}

impl core::error::Error for EntryError {}

impl From<NotationError> for EntryError {
    fn from(error: NotationError) -> EntryError {
        EntryError::Position(error)
    }
}

/// Rejects every option, for games without options.
///
/// # Errors
/// If there is an option.
pub fn no_options(options: Options<'_>) -> Result<(), EntryError> {
    match options.first() {
        None => Ok(()),
        Some((name, _)) => Err(EntryError::UnknownOption { name: name.to_string(), known: &[] }),
    }
}

/// [`Entry::perft`] of a game whose text form of a position is complete.
///
/// # Errors
/// If the text is not a position.
pub fn perft_of<G>(
    game: &G,
    position: Option<&str>,
    depth: u32,
    ended: EndedEarly,
) -> Result<u64, EntryError>
where
    G: Game<State: FromStr<Err = NotationError>>,
{
    let state = match position {
        Some(text) => text.parse()?,
        None => game.start(),
    };
    Ok(perft(game, &state, depth, ended))
}

/// The state after `plies` random actions from the start, fewer if the game ends earlier.
pub fn random_start_of<G: Game>(game: &G, seed: u64, plies: usize) -> G::State {
    let mut rng = rng::stream(seed, RANDOM_START);
    let mut state = game.start();
    for _ in 0..plies {
        let mut next = state.clone();
        let action = match game.turn(&state) {
            Turn::Player(_) => game.random_action(&state, &mut rng),
            Turn::Chance => game.random_outcome(&state, &mut rng),
            Turn::Over(_) => break,
        };
        game.apply(&mut next, action);
        if matches!(game.turn(&next), Turn::Over(_)) {
            break;
        }
        state = next;
    }
    state
}

/// The random stream that random starts are sampled from.
const RANDOM_START: u64 = 1;
