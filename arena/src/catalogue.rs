//! The games and bots known by name to a command line.

use std::fmt;

use bots::{BotEntry, BuildError, ParameterError, Seat};
use games::Entry;

/// Games and bots by name: those of this project, or of a program with its own.
#[derive(Debug, Clone, Copy)]
pub struct Catalogue {
    /// The games.
    pub games: &'static [Entry],
    /// The bots, one list for each game.
    pub bots: &'static [&'static [BotEntry]],
}

/// An unknown name, or an invalid value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// What is wrong.
    pub reason: String,
    /// The nearest known name, if one is near.
    pub nearest: Option<String>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        self.nearest.as_ref().map_or(Ok(()), |name| write!(f, "; did you mean `{name}`?"))
    }
}

impl std::error::Error for UnknownName {}

impl Catalogue {
    /// The games and bots of this project.
    pub const BUILT_IN: Catalogue = Catalogue { games: games::GAMES, bots: bots::registry::BOTS };

    /// The game of this name.
    #[must_use]
    pub fn game(&self, name: &str) -> Option<&'static Entry> {
        self.games.iter().find(|game| game.name == name)
    }

    /// The game of this name, or an error that lists all games and suggests the nearest name.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn find_game(&self, name: &str) -> Result<&'static Entry, UnknownName> {
        self.game(name).ok_or_else(|| {
            let known: Vec<&str> = self.games.iter().map(|game| game.name).collect();
            let reason = format!("there is no game {name:?}; there are: {}", known.join(", "));
            UnknownName { reason, nearest: nearest(name, known) }
        })
    }

    /// The bots of a game.
    pub fn bots_of(&self, game: &str) -> impl Iterator<Item = &'static BotEntry> {
        self.bots.iter().copied().flatten().filter(move |entry| entry.game == game)
    }

    /// The bot of a game that plays where none is named: the first in its list, which is the strongest.
    #[must_use]
    pub fn default_bot(&self, game: &str) -> Option<&'static str> {
        self.bots_of(game).next().map(|entry| entry.name)
    }

    /// Builds a bot for a game from `NAME` or `NAME:KEY=VALUE,...`.
    ///
    /// # Errors
    /// If there is no such bot, or one of its parameters is invalid.
    pub fn bot(&self, game: &str, specification: &str) -> Result<Box<dyn Seat>, BuildError> {
        bots::registry::build_from(self.bots, game, specification)
    }

    /// Checks that a bot can be built; the error suggests the nearest name.
    ///
    /// # Errors
    /// What is wrong with the bot or one of its parameters.
    pub fn check_bot(&self, game: &str, specification: &str) -> Result<(), UnknownName> {
        self.bot(game, specification).map(drop).map_err(|error| {
            let nearest = match &error {
                BuildError::Unknown { bot, known, .. } => nearest(bot, known.iter().copied()),
                BuildError::Parameter {
                    error: ParameterError::Unknown { name, known }, ..
                } => nearest(name, known.iter().map(String::as_str)),
                BuildError::Parameter { .. } => None,
            };
            UnknownName { reason: error.to_string(), nearest }
        })
    }
}

/// The candidate that is nearest to a misspelt name, if one is near (Damerau, 1964; Levenshtein,
/// 1966).
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let distance = |candidate: &str| strsim::damerau_levenshtein(name, candidate);
    let near = candidates.into_iter().map(|candidate| (distance(candidate), candidate));
    let (distance, candidate) = near.min()?;
    let most = (candidate.chars().count().max(name.chars().count()) / 3).max(1);
    (distance > 0 && distance <= most).then(|| candidate.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        let near = |name| nearest(name, ["games", "seed", "opening-plies"]);
        assert_eq!(near("gmaes"), Some("games".to_owned()));
        assert_eq!(near("opening-ply"), Some("opening-plies".to_owned()));
        assert_eq!(near("size"), None);
        assert_eq!(near("x"), None);
    }
}
