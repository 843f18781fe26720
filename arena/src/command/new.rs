//! `arena new`: a package for a new game.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};

use crate::skeleton::{Kind, Skeleton};

/// Writes a package for a new game: rules to fill in, notation, protocol, referee, tests and a bot
///
/// It compiles and plays at once, by the rules of a placeholder; its tests list what is left to do.
#[derive(Debug, clap::Args)]
pub(super) struct New {
    /// Name of the game and of the package, such as `ataxx`
    name: String,
    /// What kind of game it is
    #[arg(long, default_value = "two-player")]
    kind: Kind,
    /// Where the package goes [default: a directory of the game's name]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The checkout whose crates it is built with [default: the one that this program was built from]
    #[arg(long, value_name = "DIR")]
    checkout: Option<PathBuf>,
}

impl New {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let built_from = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let checkout = self.checkout.unwrap_or_else(|| built_from.into());
        let checkout = checkout.canonicalize().with_context(|| {
            format!("there is no checkout {}; name one by --checkout", checkout.display())
        })?;
        let is_checkout = checkout.join("mcts-core/Cargo.toml").is_file();
        ensure!(is_checkout, "{} is no checkout: it has no mcts-core", checkout.display());
        let directory = self.dir.unwrap_or_else(|| PathBuf::from(&self.name));
        Skeleton::new(&self.name, self.kind, &checkout)?.write(&directory)?;
        let (name, directory) = (&self.name, directory.display());
        writeln!(
            io::stdout(),
            "wrote {directory}; now\n\
             \u{20} cd {directory}\n\
             \u{20} cargo arena play {name}  # the placeholder's game\n\
             \u{20} cargo test --release  # what is left to do"
        )?;
        Ok(ExitCode::SUCCESS)
    }
}
