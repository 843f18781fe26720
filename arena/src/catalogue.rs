//! The games and bots that a command line knows by name.

use bots::{BotEntry, BuildError, Seat};
use games::Entry;

/// Games and bots by name: those of this project, or of a program that brings its own.
#[derive(Debug, Clone, Copy)]
pub struct Catalogue {
    /// The games.
    pub games: &'static [Entry],
    /// The bots, in lists as each game has one.
    pub bots: &'static [&'static [BotEntry]],
}

impl Catalogue {
    /// The games and bots of this project.
    pub const BUILT_IN: Catalogue = Catalogue { games: games::GAMES, bots: bots::registry::BOTS };

    /// The game of this name.
    #[must_use]
    pub fn game(&self, name: &str) -> Option<&'static Entry> {
        self.games.iter().find(|game| game.name == name)
    }

    /// Builds a bot for a game from `NAME` or `NAME:KEY=VALUE,...`.
    ///
    /// # Errors
    /// If there is no such bot, or one of its parameters is at fault.
    pub fn bot(&self, game: &str, specification: &str) -> Result<Box<dyn Seat>, BuildError> {
        bots::registry::build_from(self.bots, game, specification)
    }
}
