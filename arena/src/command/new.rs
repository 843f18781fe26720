//! `arena new`: creates a package for a new game.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};

use crate::skeleton::{Crates, Kind, Skeleton, relative_path};

/// Creates a package for a new game: rules, notation, protocol, judge, tests and a bot
///
/// The package compiles and plays from the start, by placeholder rules; its tests list what is left
/// to do.
#[derive(Debug, clap::Args)]
pub(super) struct New {
    /// Name of the game and of the package, such as `ataxx`
    name: String,
    /// Kind of the game
    #[arg(long, default_value = "two-player")]
    kind: Kind,
    /// Directory of the package [default: the game's name]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Source of this project's crates: `relative`, the path to a checkout; `git=URL[#REVISION]`;
    /// or `version=VERSION`, from a registry
    #[arg(long, value_name = "SOURCE", default_value = "relative")]
    crates: String,
    /// Checkout for `relative` [default: the one that this program was built from]
    #[arg(long, value_name = "DIR")]
    checkout: Option<PathBuf>,
}

impl New {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let directory = self.dir.clone().unwrap_or_else(|| PathBuf::from(&self.name));
        let crates = self.crates(&directory)?;
        let checkout = match &crates {
            Crates::Checkout(path) => Some(directory.join(path)),
            _ => None,
        };
        Skeleton::new(&self.name, self.kind, crates)?.write(&directory)?;
        if let Some(lock) = checkout.map(|checkout| checkout.join("Cargo.lock")) {
            // The same versions of all dependencies; without the file Cargo would choose the
            // newest.
            let _ = std::fs::copy(lock, directory.join("Cargo.lock"));
        }
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

    fn crates(&self, directory: &Path) -> anyhow::Result<Crates> {
        if let Some(address) = self.crates.strip_prefix("git=") {
            let (url, revision) = match address.split_once('#') {
                Some((url, revision)) => (url, Some(revision.to_owned())),
                None => (address, None),
            };
            ensure!(!url.is_empty(), "git= needs an address, as in git=https://example.org/x.git");
            return Ok(Crates::Git { url: url.to_owned(), revision });
        }
        if let Some(version) = self.crates.strip_prefix("version=") {
            ensure!(
                !version.is_empty(),
                "expected a version after `version=`, such as version=0.1"
            );
            return Ok(Crates::Version(version.to_owned()));
        }
        ensure!(
            self.crates == "relative",
            "--crates {}: expected relative, git=URL[#REVISION] or version=VERSION",
            self.crates
        );
        let built_from = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let checkout = self.checkout.clone().unwrap_or_else(|| built_from.into());
        let checkout = checkout.canonicalize().with_context(|| {
            format!("there is no checkout {}; give its path with --checkout", checkout.display())
        })?;
        let is_checkout = checkout.join("mcts-core/Cargo.toml").is_file();
        ensure!(is_checkout, "{} is not a checkout: it has no mcts-core", checkout.display());
        let shown = directory.display();
        let absolute = std::path::absolute(directory).with_context(|| shown.to_string())?;
        let parent = absolute.parent().unwrap_or(&absolute);
        std::fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        // With symbolic links in the path, `..` would resolve elsewhere.
        let parent = parent.canonicalize().with_context(|| parent.display().to_string())?;
        let place = parent.join(absolute.file_name().unwrap_or_default());
        Ok(Crates::Checkout(relative_path(&place, &checkout)))
    }
}
