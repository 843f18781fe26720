//! A package for a new game: placeholder rules to replace, with everything else ready to play.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The kind of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Two players, perfect information.
    TwoPlayer,
    /// One player with perfect information, who maximizes points.
    Single,
    /// Two players, hidden information.
    Hidden,
    /// Three players, or up to eight, perfect information.
    NPlayer,
    /// Two players who move simultaneously.
    Simultaneous,
}

/// The source of the crates that a package is built with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Crates {
    /// A checkout, by a relative path, so that both can be moved or committed together. The package
    /// shares the checkout's build directory.
    Checkout(PathBuf),
    /// A repository and, if given, a revision: for any machine.
    Git {
        /// Its address.
        url: String,
        /// A commit or tag.
        revision: Option<String>,
    },
    /// A registry, by version.
    Version(String),
}

impl Crates {
    /// The `Cargo.toml` value of a crate, without features.
    fn dependency(&self, name: &str) -> String {
        match self {
            Crates::Checkout(path) => format!("path = {:?}", path.join(name).display().to_string()),
            Crates::Git { url, revision: None } => format!("git = {url:?}"),
            Crates::Git { url, revision: Some(revision) } => {
                format!("git = {url:?}, rev = {revision:?}")
            }
            Crates::Version(version) => format!("version = {version:?}"),
        }
    }

    /// Lines of `.cargo/config.toml`: the build directory, if it is shared.
    fn target_directory(&self) -> String {
        match self {
            Crates::Checkout(path) => {
                let target = path.join("target").display().to_string();
                format!(
                    "# The checkout's own build directory: what is compiled there is not compiled again.\ntarget-dir = {target:?}\n"
                )
            }
            _ => String::new(),
        }
    }
}

/// The relative path from one absolute directory to another.
#[must_use]
pub fn relative_path(from: &Path, to: &Path) -> PathBuf {
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from[common..].iter().map(|_| std::path::Component::ParentDir);
    up.chain(to[common..].iter().copied()).collect()
}

/// A package to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skeleton {
    name: String,
    kind: Kind,
    crates: Crates,
}

/// Why the package cannot be created.
#[derive(Debug)]
pub enum SkeletonError {
    /// The text is not a valid name of a package and a game.
    Name {
        /// The text.
        name: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// The directory exists and is not empty.
    NotEmpty(PathBuf),
    /// A file cannot be written.
    File {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkeletonError::Name { name, reason } => {
                write!(f, "{name:?} cannot be a name: {reason}")
            }
            SkeletonError::NotEmpty(directory) => {
                write!(f, "{} is not empty", directory.display())
            }
            SkeletonError::File { file, source } => {
                write!(f, "cannot write {}: {source}", file.display())
            }
        }
    }
}

impl std::error::Error for SkeletonError {}

/// Names that are reserved by the compiler or used by the package.
const TAKEN: &str = "\
    abstract alloc arena as async await become bot bots box break const continue core crate do dyn \
    else enum extern false final fn for games gen if impl in let loop macro match mcts-core mod \
    move mut override priv proc-macro pub ref return self static std struct super test trait true \
    try type typeof unsafe unsized use virtual where while yield";

/// A file of the package: its path, its text, and the list of open tasks.
type Template = (&'static str, &'static str, &'static str);

macro_rules! template {
    ($path:literal, $from:literal, $what:literal) => {
        ($path, include_str!(concat!("../templates/", $from)), $what)
    };
}

const SHARED: &[Template] = &[
    template!("Cargo.toml", "shared/Cargo.toml.txt", ""),
    template!(".gitignore", "shared/gitignore.txt", ""),
    template!(".cargo/config.toml", "shared/config.toml.txt", ""),
    template!("rustfmt.toml", "../../rustfmt.toml", ""),
    template!("src/main.rs", "shared/main.rs", "the arena with this game | nothing"),
    template!("src/bin/bot.rs", "shared/bot_main.rs", "the contest bot | nothing"),
];

const OPEN: &[Template] = &[
    template!("src/lib.rs", "open/lib.rs", ""),
    template!("src/entry.rs", "open/entry.rs", "the game on the command line | its summary"),
    template!(
        "src/judge.rs",
        "open/judge.rs",
        "the referee's side | picture, times, your contest's lines"
    ),
    template!("src/client.rs", "open/client.rs", "the player's side | your contest's lines"),
    template!(
        "src/bot.rs",
        "open/bot.rs",
        "bots: search, parts, time plan | constants, a greedy player"
    ),
    template!(
        "tests/rules.rs",
        "open/tests_rules.rs",
        "what holds for every game | known values of yours"
    ),
];

const TWO_PLAYER: &[Template] = &[
    template!("src/rules.rs", "two-player/rules.rs", "the rules alone | all of it"),
    template!("src/notation.rs", "two-player/notation.rs", "text forms, both ways | all of it"),
    template!(
        "src/game.rs",
        "two-player/game.rs",
        "the rules for the search | nothing, if a game is won or drawn"
    ),
];

const SINGLE: &[Template] = &[
    template!("src/rules.rs", "single/rules.rs", "the rules alone | all of it"),
    template!("src/notation.rs", "single/notation.rs", "text forms, both ways | all of it"),
    template!(
        "src/game.rs",
        "single/game.rs",
        "the rules for the search | nothing, if points count"
    ),
];

const HIDDEN: &[Template] = &[
    template!("src/lib.rs", "hidden/lib.rs", ""),
    template!("src/rules.rs", "hidden/rules.rs", "the rules alone, of the whole truth | all of it"),
    template!("src/view.rs", "hidden/view.rs", "what a player sees | all of it"),
    template!("src/notation.rs", "hidden/notation.rs", "text forms, both ways | all of it"),
    template!(
        "src/game.rs",
        "hidden/game.rs",
        "rules and views for the search | nothing, if coins count"
    ),
    template!("src/entry.rs", "hidden/entry.rs", "the game on the command line | its summary"),
    template!(
        "src/judge.rs",
        "hidden/judge.rs",
        "the referee's side | what is sent to which player"
    ),
    template!(
        "src/client.rs",
        "hidden/client.rs",
        "the player's side: a view from lines | the same"
    ),
    template!(
        "src/bot.rs",
        "hidden/bot.rs",
        "bots: search of determinizations, time plan | constants"
    ),
    template!(
        "tests/rules.rs",
        "hidden/tests_rules.rs",
        "what holds for every game | known values of yours"
    ),
];

const N_PLAYER: &[Template] = &[
    template!("src/rules.rs", "n-player/rules.rs", "the rules alone | all of it"),
    template!("src/notation.rs", "n-player/notation.rs", "text forms, both ways | all of it"),
    template!(
        "src/game.rs",
        "n-player/game.rs",
        "the rules for the search | nothing, if one player wins"
    ),
];

const SIMULTANEOUS: &[Template] = &[
    template!("src/lib.rs", "open/lib.rs", ""),
    template!("src/rules.rs", "simultaneous/rules.rs", "the rules alone | all of it"),
    template!("src/notation.rs", "simultaneous/notation.rs", "text forms, both ways | all of it"),
    template!(
        "src/game.rs",
        "simultaneous/game.rs",
        "the rules for the search | who chooses when, if it is not both in each round"
    ),
    template!("src/entry.rs", "open/entry.rs", "the game on the command line | its summary"),
    template!(
        "src/judge.rs",
        "simultaneous/judge.rs",
        "the referee's side | picture, times, your contest's lines"
    ),
    template!(
        "src/client.rs",
        "simultaneous/client.rs",
        "the player's side | your contest's lines"
    ),
    template!(
        "src/bot.rs",
        "simultaneous/bot.rs",
        "bots: search for a mixed strategy, time plan | constants, a greedy player"
    ),
    template!(
        "tests/rules.rs",
        "simultaneous/tests_rules.rs",
        "what holds for every game | known values of yours"
    ),
];

impl Skeleton {
    /// A package of this name for a game of this kind, built with these crates.
    ///
    /// # Errors
    /// If the name is not valid.
    pub fn new(name: &str, kind: Kind, crates: Crates) -> Result<Skeleton, SkeletonError> {
        let wrong = |reason| Err(SkeletonError::Name { name: name.to_owned(), reason });
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            return wrong("a name begins with a small letter");
        }
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !name.chars().all(is_plain) || name.ends_with('-') || name.contains("--") {
            return wrong("a name has small letters and digits, with single hyphens in between");
        }
        if name.len() > 40 {
            return wrong("a name has at most 40 letters");
        }
        if TAKEN.split(' ').any(|word| word == name) {
            return wrong("the word means something else already");
        }
        Ok(Skeleton { name: name.to_owned(), kind, crates })
    }

    /// The files of the package and their texts.
    #[must_use]
    pub fn files(&self) -> Vec<(PathBuf, String)> {
        let of_kind: &[&[Template]] = match self.kind {
            Kind::TwoPlayer => &[TWO_PLAYER, OPEN],
            Kind::Single => &[SINGLE, OPEN],
            Kind::Hidden => &[HIDDEN],
            Kind::NPlayer => &[N_PLAYER, OPEN],
            Kind::Simultaneous => &[SIMULTANEOUS],
        };
        let all = || of_kind.iter().copied().flatten().chain(SHARED);
        let row = |(path, _, what): &Template| match what.split_once(" | ") {
            Some((is, left)) => format!("| `{path}` | {is} | {left} |\n"),
            None => String::new(),
        };
        let table: String = all().map(row).collect();
        let fill = |text: &str| {
            let mut text = text.to_owned();
            for name in ["mcts-core", "games", "bots", "arena"] {
                text = text.replace(&format!("{{{{{name}}}}}"), &self.crates.dependency(name));
            }
            text.replace("{{target-dir}}\n", &self.crates.target_directory())
                .replace("{{files}}", &table)
                .replace("skeleton_game", &self.name.replace('-', "_"))
                .replace("skeleton-game", &self.name)
        };
        let readme = ("README.md", include_str!("../templates/shared/README.md"), "");
        all().chain([&readme]).map(|(path, text, _)| (PathBuf::from(path), fill(text))).collect()
    }

    /// Writes the package to a directory that does not exist or is empty.
    ///
    /// # Errors
    /// If the directory is not empty, or a file cannot be written.
    pub fn write(&self, directory: &Path) -> Result<(), SkeletonError> {
        if std::fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(SkeletonError::NotEmpty(directory.to_owned()));
        }
        for (path, text) in self.files() {
            let file = directory.join(path);
            let parent = file.parent().unwrap_or(directory);
            let written =
                std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&file, text));
            written.map_err(|source| SkeletonError::File { file, source })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_between_directories_go_up_and_down() {
        for (from, to, path) in [
            ("/a/b/game", "/a/b", ".."),
            ("/a/game", "/a/b", "../b"),
            ("/x/y", "/a/b/c", "../../a/b/c"),
        ] {
            assert_eq!(relative_path(Path::new(from), Path::new(to)), Path::new(path));
        }
    }

    #[test]
    fn a_package_has_the_release_profile_of_the_checkout() {
        let profile = |text: &str| {
            let begin = text.find("[profile.release]").expect("there is a profile");
            let lines = text[begin..].lines().take_while(|line| !line.is_empty());
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let ours = profile(include_str!("../../Cargo.toml"));
        assert_eq!(profile(include_str!("../templates/shared/Cargo.toml.txt")), ours);
    }
}
