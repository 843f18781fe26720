//! Translates a module to a source file, with the program `bot-source`.

use std::fs;
use std::path::Path;

use super::build::{Origin, cargo};
use super::{PackError, Target, run};

/// The language of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// C++20.
    Cpp,
    /// C11.
    C,
    /// Rust, edition 2021.
    Rs,
}

impl Language {
    /// Its name, which is also the extension of its files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Cpp => "cpp",
            Language::C => "c",
            Language::Rs => "rs",
        }
    }
}

/// The processor that the file is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Processor {
    /// x86-64 with popcnt, BMI and AVX2 (2013 and later), by a pragma.
    Modern,
    /// As the compiler's command line specifies.
    Generic,
}

impl Processor {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Processor::Modern => "modern",
            Processor::Generic => "generic",
        }
    }
}

/// The options of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its language.
    pub language: Language,
    /// The processor that it is compiled for.
    pub processor: Processor,
    /// Memory limit of the bot, in MiB.
    pub memory_mib: u64,
}

/// Bytes of each part of a file, as counted by the translator.
pub type Parts = Vec<(String, usize)>;

/// Writes the source file of a module.
///
/// # Errors
/// If the translator cannot be built, rejects the module, or the file cannot be written.
pub fn write(
    origin: &Origin,
    target: &Target,
    choice: &Choice,
    (module, out): (&[u8], &Path),
) -> Result<Parts, PackError> {
    let folder = origin.folder();
    let wasm = folder.join(format!("{}-{}.wasm", target.game, target.bot));
    fs::write(&wasm, module).map_err(PackError::file(&wasm))?;
    let about = folder.join(format!("{}-{}.txt", target.game, target.bot));
    fs::write(&about, header(origin, target, choice)).map_err(PackError::file(&about))?;
    let mut translator = cargo();
    translator
        .args(["run", "--quiet", "--release", "--package", "bot-source", "--manifest-path"])
        .arg(origin.checkout.join("Cargo.toml"))
        .current_dir(&origin.checkout)
        .arg("--")
        .args(["--to", choice.language.name(), "--cpu", choice.processor.name()])
        .args(["--memory", &choice.memory_mib.to_string()])
        .arg("--about")
        .arg(&about)
        .arg("--out")
        .arg(std::path::absolute(out).map_err(PackError::file(out))?)
        .arg(&wasm);
    let said = run(&mut translator, "translate the module", false)?;
    let part = |line: &str| {
        let (name, bytes) = line.split_once(' ')?;
        Some((name.to_owned(), bytes.parse().ok()?))
    };
    Ok(said.lines().filter_map(part).collect())
}

/// The comment at the start of the file, for its readers.
fn header(origin: &Origin, target: &Target, choice: &Choice) -> String {
    let Target { game, bot, parameters } = target;
    let parameters = if parameters.is_empty() { "defaults" } else { parameters };
    let commit = origin.commit().unwrap_or_else(|| "not in a repository".to_owned());
    let (language, cpu) = (choice.language.name(), choice.processor.name());
    let licence = match &origin.package {
        None => "MIT OR Apache-2.0".to_owned(),
        Some(package) => format!("as package {}; library code MIT OR Apache-2.0", package.name),
    };
    format!(
        "A bot for {game}: lines on standard input and output.\n\
         Generated from Rust; this text is not meant to be edited.\n\
         Bot:        {bot}\n\
         Parameters: {parameters}\n\
         Commit:     {commit}\n\
         Licence:    {licence}\n\
         Rebuild:    cargo arena pack {game} --bot {} --to {language} --cpu {cpu}\n\
         Arguments:  further parameters as name=value,... (seed=7,playouts=1000)\n",
        target.with("")
    )
}
