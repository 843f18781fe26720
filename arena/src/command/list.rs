//! `arena list`: lists games, bots and parameters.

use std::io::{self, Write};
use std::process::ExitCode;

use bots::BotEntry;
use games::{Entry, EntryError};

use crate::catalogue::Catalogue;

/// Lists the games with their options and bots, and the range and default of each parameter
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// Show only this game
    game: Option<String>,
}

impl List {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let mut out = io::stdout().lock();
        match &self.game {
            Some(name) => show(catalogue, catalogue.find_game(name)?, &mut out)?,
            None => {
                for game in catalogue.games {
                    show(catalogue, game, &mut out)?;
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn show(catalogue: &Catalogue, game: &Entry, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}: {}", game.name, game.summary)?;
    let seats = (game.judge)(0, &[]).map_or(0, |judge| judge.seats());
    let options = option_names(game);
    let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
    writeln!(out, "  seats: {seats}; options: {options}")?;
    for bot in catalogue.bots_of(game.name) {
        writeln!(out, "  bot {}: {}", bot.name, bot.summary)?;
        show_parameters(bot, out)?;
    }
    writeln!(out)
}

fn show_parameters(bot: &BotEntry, out: &mut impl Write) -> io::Result<()> {
    let parameters = bot.parameters();
    let width = parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0);
    for parameter in parameters {
        let default = parameter.default.as_deref().unwrap_or("not set");
        writeln!(out, "    {:width$} = {default:<8} {}", parameter.name, parameter.expected)?;
    }
    Ok(())
}

/// The names of the options of a game, taken from its error for an unknown option.
pub(super) fn option_names(game: &Entry) -> &'static [&'static str] {
    match (game.judge)(0, &[("", "")]) {
        Err(EntryError::UnknownOption { known, .. }) => known,
        _ => &[],
    }
}
