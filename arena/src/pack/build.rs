//! Builds a bot with cargo: as a module, and as a native program to compare it with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{PackError, Target, run};

/// The location of a bot's sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The checkout with the crates of this project.
    pub checkout: PathBuf,
    /// The package of the bot; none for a bot of this project.
    pub package: Option<Package>,
}

/// Optimization of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Optimize {
    /// Speed: more inlining and unrolling.
    Speed,
    /// Speed where it costs little size.
    Both,
    /// Size.
    Size,
}

impl Optimize {
    fn level(self) -> &'static str {
        match self {
            Optimize::Speed => "3",
            Optimize::Both => "2",
            Optimize::Size => "\"s\"",
        }
    }
}

/// A package with a library that exports `BOTS`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its directory.
    pub directory: PathBuf,
    /// Its name.
    pub name: String,
    /// Whether its library uses the standard library on WebAssembly.
    pub has_std: bool,
}

impl Package {
    /// Reads the manifest of a package.
    ///
    /// # Errors
    /// If there is no package with a library.
    pub fn read(directory: &Path) -> Result<Package, PackError> {
        let manifest = directory.join("Cargo.toml");
        let mut cargo = cargo();
        cargo.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]);
        let metadata = run(cargo.arg(&manifest), "read the package", false)?;
        let unreadable = |why: &str| PackError::Failed {
            what: format!("read {}", manifest.display()),
            said: why.to_owned(),
        };
        let metadata: serde_json::Value =
            serde_json::from_str(&metadata).map_err(|error| unreadable(&error.to_string()))?;
        let named = metadata["packages"][0]["name"].as_str();
        let library = metadata["packages"][0]["targets"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|target| target["kind"][0] == "lib")
            .and_then(|target| target["src_path"].as_str());
        let (Some(name), Some(library)) = (named, library) else {
            return Err(unreadable("expected a package with a library that exports `BOTS`"));
        };
        let text = fs::read_to_string(library).map_err(PackError::file(Path::new(library)))?;
        let directory = fs::canonicalize(directory).map_err(PackError::file(directory))?;
        Ok(Package { directory, name: name.to_owned(), has_std: !text.contains("no_std") })
    }

    /// The name of its library in code.
    #[must_use]
    pub fn library(&self) -> String {
        self.name.replace('-', "_")
    }
}

impl Origin {
    /// The directory of the bot's own sources.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.package.as_ref().map_or(&self.checkout, |package| &package.directory)
    }

    /// The commit of the sources, with a note if they were changed since; none outside of a
    /// repository.
    #[must_use]
    pub fn commit(&self) -> Option<String> {
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(self.directory()).args(arguments);
            run(&mut command, "ask git", false).ok()
        };
        let commit = git(&["rev-parse", "--short=12", "HEAD"])?.trim().to_owned();
        let is_clean = git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
        Some(if is_clean { commit } else { format!("{commit} with changes") })
    }

    /// The folder of generated crates and their builds.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        target.unwrap_or_else(|| self.directory().join("target")).join("pack")
    }

    /// Builds the module and returns its bytes.
    ///
    /// # Errors
    /// If the standard library for WebAssembly is missing, or the build fails.
    pub fn module(&self, target: &Target, optimize: Optimize) -> Result<Vec<u8>, PackError> {
        check_wasm_target()?;
        let name = format!("module-{}", crate_name(target));
        let folder = self.folder().join(&name);
        let has_std = self.package.as_ref().is_some_and(|package| package.has_std);
        write(&folder, "src/lib.rs", &self.module_source(target, has_std))?;
        let manifest = MODULE_MANIFEST.replace("{optimize}", optimize.level());
        self.write_manifest(&folder, &name, &manifest)?;
        let mut cargo = self.cargo_in(&folder, "module");
        cargo.args(["--target", WASM]).env("RUSTFLAGS", "-Ctarget-feature=+bulk-memory");
        run(&mut cargo, "build the bot for WebAssembly", true).map_err(|error| self.hint(error))?;
        let file = format!("module/{WASM}/release/{}.wasm", name.replace('-', "_"));
        let file = self.folder().join(file);
        fs::read(&file).map_err(PackError::file(&file))
    }

    /// Builds the native program and returns its path.
    ///
    /// # Errors
    /// If the build fails.
    pub fn native(&self, target: &Target) -> Result<PathBuf, PackError> {
        let name = format!("native-{}", crate_name(target));
        let folder = self.folder().join(&name);
        let Target { game, bot, .. } = target;
        let source = format!(
            "fn main() -> std::process::ExitCode {{\n    bots::stdio::main_of({}, {game:?}, {bot:?})\n}}\n",
            self.bots()
        );
        write(&folder, "src/main.rs", &source)?;
        self.write_manifest(&folder, &name, NATIVE_MANIFEST)?;
        run(&mut self.cargo_in(&folder, "native"), "build the native bot", true)?;
        Ok(self.folder().join("native/release").join(name))
    }

    fn bots(&self) -> String {
        match &self.package {
            Some(package) => format!("&[{}::BOTS]", package.library()),
            None => "bots::registry::BOTS".to_owned(),
        }
    }

    fn module_source(&self, target: &Target, has_std: bool) -> String {
        let Target { game, bot, parameters } = target;
        let program =
            format!("bot_abi::program!({}, {game:?}, {bot:?}, {parameters:?});\n", self.bots());
        let (before, after) = match has_std {
            true => ("", ""),
            false => ("#![no_std]\n\n", "bot_abi::panic_ends_the_module!();\n"),
        };
        format!("//! Generated by `arena pack`.\n{before}{program}{after}")
    }

    fn write_manifest(&self, folder: &Path, name: &str, template: &str) -> Result<(), PackError> {
        let package = match &self.package {
            Some(Package { name, directory, .. }) => {
                format!("{name} = {{ path = {:?} }}", directory.display().to_string())
            }
            None => String::new(),
        };
        let checkout = self.checkout.display().to_string();
        let manifest = template
            .replace("{name}", name)
            .replace("{checkout}", &checkout)
            .replace("{package}", &package);
        write(folder, "Cargo.toml", &manifest)?;
        // the same versions as in the checkout, without a query of the registry
        for lock in [self.directory(), &self.checkout].map(|from| from.join("Cargo.lock")) {
            if lock.is_file() {
                let text = fs::read_to_string(&lock).map_err(PackError::file(&lock))?;
                let to = folder.join("Cargo.lock");
                if !to.is_file() {
                    return fs::write(&to, text).map_err(PackError::file(&to));
                }
            }
        }
        Ok(())
    }

    fn cargo_in(&self, folder: &Path, target: &str) -> Command {
        let mut cargo = cargo();
        cargo
            .args(["build", "--release", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            .current_dir(self.directory())
            .env("CARGO_TARGET_DIR", self.folder().join(target))
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        cargo
    }

    fn hint(&self, error: PackError) -> PackError {
        match error {
            PackError::Failed { what, said } if self.package.is_some() => {
                let hint = "the library of a package must compile for wasm32-unknown-unknown: the arena and \
                            everything else that needs an operating system belong under \
                            [target.'cfg(not(target_arch = \"wasm32\"))'.dependencies], as `arena new` writes it";
                PackError::Failed { what, said: format!("{said}\n{hint}") }
            }
            other => other,
        }
    }
}

/// The cargo that started this process, or the one on the path.
pub(super) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

const WASM: &str = "wasm32-unknown-unknown";

/// Whether the standard library for WebAssembly is installed.
///
/// # Errors
/// If it is not, with the command that installs it.
pub fn check_wasm_target() -> Result<(), PackError> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut rustc = Command::new(rustc);
    let directory =
        run(rustc.args(["--print", "target-libdir", "--target", WASM]), "ask rustc", false)?;
    if Path::new(directory.trim()).is_dir() {
        return Ok(());
    }
    Err(PackError::Missing {
        what: format!("the standard library for {WASM}"),
        install: format!("rustup target add {WASM}"),
    })
}

fn crate_name(target: &Target) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    format!("{}-{}", target.game, target.bot).chars().map(plain).collect()
}

/// Writes a file unless it already has this text, so that cargo sees no change.
fn write(folder: &Path, name: &str, text: &str) -> Result<(), PackError> {
    let file = folder.join(name);
    if fs::read_to_string(&file).is_ok_and(|found| found == text) {
        return Ok(());
    }
    let parent = file.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(PackError::file(parent))?;
    fs::write(&file, text).map_err(PackError::file(&file))
}

const MODULE_MANIFEST: &str = r#"# Generated by `arena pack`.
[package]
name = "{name}"
version = "0.0.0"
edition = "2024"

[workspace]

[lib]
crate-type = ["cdylib"]

[dependencies]
bots = { path = "{checkout}/bots", default-features = false }
bot-abi = { path = "{checkout}/arena/abi" }
# the log of a submission is not read, and its messages are a third of the file
tracing = { version = "0.1", default-features = false, features = ["max_level_off", "release_max_level_off"] }
{package}

[profile.release]
opt-level = {optimize}
lto = "fat"
codegen-units = 1
panic = "abort"
debug = false
# the names of functions say what a file is made of
strip = "none"
"#;

const NATIVE_MANIFEST: &str = r#"# Generated by `arena pack`.
[package]
name = "{name}"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
bots = { path = "{checkout}/bots" }
{package}

# as the profile `contest` of the workspace
[profile.release]
lto = "fat"
codegen-units = 1
"#;
