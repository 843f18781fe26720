//! Options of a game: rewrites `--size 15` to `--option size=15`.

use std::ffi::OsString;

use crate::catalogue::nearest;

/// Options of a game, for the commands that set up a game.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct GameOptions {
    /// An option of the game; `--NAME VALUE` is short for it unless the arena has an option of this
    /// name
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl GameOptions {
    /// Names and values; an option without a value has the value `true`.
    pub(crate) fn pairs(&self) -> Vec<(&str, &str)> {
        self.options.iter().map(|text| text.split_once('=').unwrap_or((text, "true"))).collect()
    }
}

/// Rewrites options that are unknown to a subcommand with game options as `--option NAME=VALUE`.
pub(super) fn fold_game_options(
    cli: &clap::Command,
    arguments: impl Iterator<Item = OsString>,
) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let subcommand = arguments.get(1).and_then(|name| cli.find_subcommand(name.to_str()?));
    let Some(subcommand) = subcommand.filter(|sub| knows(sub, "option")) else { return arguments };
    let mut at = 2;
    while at < arguments.len() && arguments[at] != "--" {
        let unknown = arguments[at].to_str().and_then(|text| text.strip_prefix("--"));
        let is_of_game = |text: &&str| {
            let name = text.split('=').next().unwrap_or("");
            !knows(subcommand, name) && !is_slip(subcommand, name)
        };
        let unknown = unknown.filter(is_of_game);
        if let Some(text) = unknown {
            let mut option = text.to_owned();
            let value = arguments.get(at + 1).and_then(|next| next.to_str());
            if let (false, Some(value)) = (option.contains('='), value)
                && !value.starts_with("--")
            {
                option = format!("{option}={value}");
                arguments.remove(at + 1);
            }
            arguments[at] = format!("--option={option}").into();
        }
        at += 1;
    }
    arguments
}

/// Whether the name is probably a misspelt option of the arena; then the arena suggests the correct
/// one.
fn is_slip(subcommand: &clap::Command, name: &str) -> bool {
    let known = subcommand.get_arguments().filter_map(|argument| argument.get_long());
    nearest(name, known).is_some()
}

fn knows(subcommand: &clap::Command, name: &str) -> bool {
    ["help", "version"].contains(&name)
        || subcommand.get_arguments().any(|argument| argument.get_long() == Some(name))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn folded(line: &str) -> String {
        let arguments = line.split(' ').map(OsString::from);
        let folded = fold_game_options(&crate::command::Cli::command(), arguments);
        folded.join(std::ffi::OsStr::new(" ")).into_string().expect("it came from a string")
    }

    #[test]
    fn only_what_the_arena_does_not_know_belongs_to_the_game() {
        let line =
            "arena play maze --size 15 --seed 3 --footsteps-reversed --chaser=tracker --json x";
        let expected = "arena play maze --option=size=15 --seed 3 --option=footsteps-reversed \
                        --option=chaser=tracker --json x";
        assert_eq!(folded(line), expected);
    }

    #[test]
    fn a_misspelt_option_of_the_arena_is_left_to_it() {
        for line in ["arena match reversi --gmaes 5", "arena play maze --sed 3"] {
            assert_eq!(folded(line), line);
        }
    }

    #[test]
    fn commands_without_game_options_stay_as_they_are() {
        for line in
            ["arena check reversi --wrong x", "arena --help", "arena", "arena play reversi -- --x"]
        {
            assert_eq!(folded(line), line);
        }
    }
}
