//! The list of all bots, by game and name.

use crate::parameters::{ParameterError, ParameterInfo, Parameters};
use crate::seat::Seat;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A bot that can be built by name.
#[derive(Debug, Clone, Copy)]
pub struct BotEntry {
    /// The game's name on the command line.
    pub game: &'static str,
    /// The bot's name among those of its game.
    pub name: &'static str,
    /// One line of description.
    pub summary: &'static str,
    /// Builds the bot and reads its parameters from the given ones.
    pub build: fn(&mut Parameters) -> Result<Box<dyn Seat>, ParameterError>,
}

/// All bots, game by game.
pub const BOTS: &[&[BotEntry]] = &[
    crate::icebreaking::BOTS,
    crate::icebreaking::SEARCHES,
    crate::maze::BOTS,
    crate::promotion_chess::BOTS,
    crate::promotion_chess::SEARCHES,
    crate::reversi::BOTS,
    crate::reversi::SEARCHES,
    crate::small::BOTS,
    crate::small::CONNECT_FOUR_BOTS,
    crate::small::TIC_TAC_TOE_BOTS,
];

impl BotEntry {
    /// The parameters that the bot takes, as its constructor reads them.
    #[must_use]
    pub fn parameters(&self) -> Vec<ParameterInfo> {
        let mut parameters = Parameters::default();
        // A bot that needs a parameter fails to build here, after it has described those that it read.
        let _ = (self.build)(&mut parameters);
        parameters.described().to_vec()
    }
}

/// Why a bot cannot be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildError {
    /// The game has no bot of this name.
    Unknown {
        /// The game as given.
        game: String,
        /// The bot as given.
        bot: String,
        /// The bots of the game.
        known: Vec<&'static str>,
    },
    /// A parameter is invalid.
    Parameter {
        /// The bot.
        bot: String,
        /// The invalid parameter.
        error: ParameterError,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Unknown { game, known, .. } if known.is_empty() => {
                write!(f, "there are no bots for the game `{game}`")
            }
            BuildError::Unknown { game, bot, known } => {
                write!(f, "{game} has no bot `{bot}`; it has {}", known.join(", "))
            }
            BuildError::Parameter { bot, error } => write!(f, "bot `{bot}`: {error}"),
        }
    }
}

impl core::error::Error for BuildError {}

/// Builds the bot that `specification` names, such as `greedy` or `mcts:exploration=0.5,seed=7`.
///
/// # Errors
/// [`BuildError`] if there is no such bot, or one of its parameters is invalid.
pub fn build(game: &str, specification: &str) -> Result<Box<dyn Seat>, BuildError> {
    build_from(BOTS, game, specification)
}

/// As [`build`], with the bots of another crate.
///
/// # Errors
/// [`BuildError`] if there is no such bot, or one of its parameters is invalid.
pub fn build_from(
    bots: &[&[BotEntry]],
    game: &str,
    specification: &str,
) -> Result<Box<dyn Seat>, BuildError> {
    let (name, parameters) = specification.split_once(':').unwrap_or((specification, ""));
    let of_game = || bots.iter().copied().flatten().filter(|entry| entry.game == game);
    let entry = of_game().find(|entry| entry.name == name).ok_or_else(|| BuildError::Unknown {
        game: game.to_string(),
        bot: name.to_string(),
        known: of_game().map(|entry| entry.name).collect(),
    })?;
    let built = Parameters::parse(parameters).and_then(|mut parameters| {
        let seat = (entry.build)(&mut parameters)?;
        parameters.finish().map(|()| seat)
    });
    built.map_err(|error| BuildError::Parameter { bot: name.to_string(), error })
}
