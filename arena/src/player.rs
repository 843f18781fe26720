//! The bot of a seat, as written on the command line.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::catalogue::{Catalogue, UnknownName};
use crate::referee::Player;

/// A bot: a built-in one by name, or a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotSpec {
    /// A bot of the `bots` crate: `name`, or `name:key=value,...`.
    BuiltIn(String),
    /// A program with its arguments, in which `{seed}` stands for the bot's seed: `cmd:...`.
    Command(Vec<String>),
}

/// Why a text does not name a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotSpecError {
    /// The text, or what follows `cmd:`, is empty.
    Empty,
    /// A quotation mark in the command line is not closed.
    OpenQuote(String),
}

impl fmt::Display for BotSpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotSpecError::Empty => {
                f.write_str("expected a bot's name or cmd:PROGRAM, found nothing")
            }
            BotSpecError::OpenQuote(text) => {
                write!(f, "a quotation mark in `{text}` is not closed")
            }
        }
    }
}

impl std::error::Error for BotSpecError {}

impl FromStr for BotSpec {
    type Err = BotSpecError;

    fn from_str(text: &str) -> Result<BotSpec, BotSpecError> {
        let Some(line) = text.strip_prefix("cmd:") else {
            let name = text.trim();
            return if name.is_empty() {
                Err(BotSpecError::Empty)
            } else {
                Ok(BotSpec::BuiltIn(name.to_owned()))
            };
        };
        let words = shlex::split(line).ok_or_else(|| BotSpecError::OpenQuote(line.to_owned()))?;
        if words.is_empty() { Err(BotSpecError::Empty) } else { Ok(BotSpec::Command(words)) }
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotSpec::BuiltIn(name) => f.write_str(name),
            BotSpec::Command(words) => {
                let quoted = words.iter().map(|word| shlex::try_quote(word).unwrap_or(word.into()));
                write!(f, "cmd:{}", quoted.collect::<Vec<_>>().join(" "))
            }
        }
    }
}

impl BotSpec {
    /// Checks that a built-in bot exists and accepts its parameters.
    ///
    /// # Errors
    /// What is wrong with the name or a parameter.
    pub fn check(&self, catalogue: &Catalogue, game: &str) -> Result<(), UnknownName> {
        match self {
            BotSpec::BuiltIn(name) => catalogue.check_bot(game, name),
            BotSpec::Command(_) => Ok(()),
        }
    }

    /// Whether it is a built-in bot with a time plan: it has the parameter `playouts`, but it is
    /// not set.
    #[must_use]
    pub fn thinks_by_time(&self, catalogue: &Catalogue, game: &str) -> bool {
        let BotSpec::BuiltIn(text) = self else { return false };
        let (name, given) = text.split_once(':').unwrap_or((text, ""));
        let is_given = given.split(',').any(|word| word.trim_start().starts_with("playouts="));
        let entry = catalogue.bots_of(game).find(|entry| entry.name == name);
        let takes = |entry: &bots::BotEntry| {
            entry.parameters().iter().any(|parameter| parameter.name == "playouts")
        };
        !is_given && entry.is_some_and(takes)
    }

    /// The program for a game. `arena` is the program that runs built-in bots by its command `bot`.
    #[must_use]
    pub fn player(&self, game: &str, seed: u64, arena: &Path) -> Player {
        let seed_text = seed.to_string();
        let command = match self {
            BotSpec::BuiltIn(name) => {
                let arena = arena.to_string_lossy().into_owned();
                vec![arena, "bot".to_owned(), game.to_owned(), seeded(name, seed)]
            }
            BotSpec::Command(words) => {
                words.iter().map(|word| word.replace("{seed}", &seed_text)).collect()
            }
        };
        Player { name: self.to_string(), command, seed }
    }
}

/// The specification of a built-in bot with a seed, unless it already has one.
#[must_use]
pub fn seeded(specification: &str, seed: u64) -> String {
    let parameters = specification.split_once(':').map_or("", |(_, parameters)| parameters);
    if parameters.split(',').any(|word| word.trim_start().starts_with("seed=")) {
        return specification.to_owned();
    }
    let separator = if specification.contains(':') { ',' } else { ':' };
    format!("{specification}{separator}seed={seed}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_built_in_bot_run_by_the_arena() {
        let spec: BotSpec = "mcts:exploration=0.7,rollout=mast".parse().expect("a name");
        let player = spec.player("reversi", 7, Path::new("/bin/arena"));
        let bot = "mcts:exploration=0.7,rollout=mast,seed=7";
        assert_eq!(player.command, ["/bin/arena", "bot", "reversi", bot]);
        assert_eq!(player.name, "mcts:exploration=0.7,rollout=mast");
    }

    #[test]
    fn a_bot_that_names_its_seed_keeps_it() {
        assert_eq!(seeded("random", 5), "random:seed=5");
        assert_eq!(seeded("mcts:seed=3,playouts=9", 5), "mcts:seed=3,playouts=9");
    }

    #[test]
    fn a_command_is_split_like_a_shell_would_and_gets_its_seed() {
        let spec: BotSpec = "cmd:python3 'my bot.py' --seed {seed}".parse().expect("a command");
        let player = spec.player("reversi", 7, Path::new("/bin/arena"));
        assert_eq!(player.command, ["python3", "my bot.py", "--seed", "7"]);
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }

    #[test]
    fn what_names_no_bot_is_refused() {
        assert_eq!("".parse::<BotSpec>(), Err(BotSpecError::Empty));
        assert_eq!("cmd: ".parse::<BotSpec>(), Err(BotSpecError::Empty));
        assert_eq!("cmd:a 'b".parse::<BotSpec>(), Err(BotSpecError::OpenQuote("a 'b".to_owned())));
    }
}
