//! A bot's module (see the crate `bot-abi`) as one source file: its translation, and glue code for
//! the operating system.
//!
//! The glue reads lines from standard input and passes them to the bot, writes and flushes its
//! answers, provides the monotonic clock and the processor clock of the process, and exits with
//! code 0 at the end of input. The first argument of the program, if any, has further parameters,
//! `name=value,...`.

mod parts;

use std::fmt;

use wasm_to_source::{Cpu, Function, Language, Options, translate};

/// The code around the translation in C and C++.
const C_BEFORE: &str = include_str!("glue/before.c");
const C_AFTER: &str = include_str!("glue/after.c");
/// The code around the translation in Rust.
const RUST_AFTER: &str = include_str!("glue/after.rs");

/// The name of the Rust module that holds the translation.
const RUST_MODULE: &str = "bot";

/// The options of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its language.
    pub language: Language,
    /// Instruction sets for C and C++.
    pub cpu: Cpu,
    /// Memory limit of the bot, in bytes.
    pub memory_bytes: u64,
    /// The text of the comment at the top.
    pub about: String,
}

/// A source file with the sizes of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The whole text.
    pub text: String,
    /// Bytes by part; they sum up to the whole.
    pub parts: Vec<(&'static str, usize)>,
}

/// Why a module cannot be written as a bot.
#[derive(Debug)]
pub enum SourceError {
    /// It cannot be translated.
    Translation(wasm_to_source::Error),
    /// It is not a bot's module: it has other exports or imports.
    NotABot(String),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Translation(error) => write!(f, "cannot translate the module: {error}"),
            SourceError::NotABot(why) => write!(f, "not the module of a bot: {why}"),
        }
    }
}

impl std::error::Error for SourceError {}

/// Functions that a bot must export, and functions that it may import.
const EXPORTS: [&str; 6] = ["input", "line", "output", "report", "report_length", "start"];
const CLOCKS: [&str; 2] = ["host.cpu_nanos", "host.monotonic_nanos"];

/// Writes the source file of a bot's module.
///
/// # Errors
/// If the module cannot be translated, or is not a bot's module.
pub fn source_file(module: &[u8], choice: &Choice) -> Result<SourceFile, SourceError> {
    let is_rust = choice.language == Language::Rust;
    let options = Options {
        cpu: choice.cpu,
        memory_cap_bytes: choice.memory_bytes,
        prefix: if is_rust { RUST_MODULE.to_owned() } else { String::new() },
        ..Options::new(choice.language)
    };
    let translation = translate(module, &options).map_err(SourceError::Translation)?;
    check(&translation.exports, &translation.imports)?;
    let about = comment(&choice.about);
    let clocks = translation.imports.iter().map(if is_rust { rust_clock } else { c_clock });
    let clocks: String = clocks.collect();
    let (before, after) = if is_rust { ("", RUST_AFTER) } else { (C_BEFORE, C_AFTER) };
    let text = [&about, before, &translation.source, &clocks, after].concat();
    let mut parts = parts::of_functions(&translation.functions);
    parts.push(("data", translation.parts.data));
    let glue = about.len() + before.len() + clocks.len() + after.len();
    parts.push(("glue", glue + translation.parts.runtime));
    Ok(SourceFile { text, parts })
}

fn check(exports: &[Function], imports: &[Function]) -> Result<(), SourceError> {
    let is_there = |name: &&&str| exports.iter().any(|export| export.name == **name);
    if let Some(missing) = EXPORTS.iter().find(|name| !is_there(name)) {
        return Err(SourceError::NotABot(format!("it does not export `{missing}`")));
    }
    match imports.iter().find(|import| !CLOCKS.contains(&import.name.as_str())) {
        Some(Function { name, .. }) => Err(SourceError::NotABot(format!(
            "it imports `{name}`, which a submission cannot have"
        ))),
        None => Ok(()),
    }
}

fn comment(about: &str) -> String {
    about.trim_end().lines().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect()
}

/// An imported clock.
fn rust_clock(import: &Function) -> String {
    let body = match import.name.as_str() {
        "host.cpu_nanos" => "cpu_nanos_()",
        _ => "monotonic_nanos_()",
    };
    format!("{}{{{body}}}\n", import.prototype)
}

/// An imported clock.
fn c_clock(import: &Function) -> String {
    let body = match import.name.as_str() {
        "host.cpu_nanos" => "now_(CLOCK_PROCESS_CPUTIME_ID)",
        _ => "now_(CLOCK_MONOTONIC)",
    };
    format!("{}{{return {body};}}\n", import.prototype)
}
