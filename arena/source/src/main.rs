//! `bot-source`: writes the source file of a bot's module, and the sizes of its parts to standard
//! output.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use bot_source::{Choice, source_file};
use clap::{Parser, ValueEnum};
use wasm_to_source::{Cpu, Language};

/// Writes a bot's WebAssembly module as one source file; `arena pack` calls it
#[derive(Debug, Parser)]
struct Arguments {
    /// The module
    module: PathBuf,
    /// Language of the file
    #[arg(long)]
    to: To,
    /// Processor that the file is compiled for
    #[arg(long, default_value = "modern")]
    cpu: Processor,
    /// Memory limit of the bot, in MiB
    #[arg(long, default_value_t = 512)]
    memory: u64,
    /// File with a text for the comment at the top
    #[arg(long, value_name = "FILE")]
    about: Option<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum To {
    /// C++20
    Cpp,
    /// C11
    C,
    /// Rust, edition 2021
    Rs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Processor {
    /// x86-64 with popcnt, BMI and AVX2
    Modern,
    /// As the compiler's command line specifies
    Generic,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let about = match &arguments.about {
        Some(file) => {
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?
        }
        None => String::new(),
    };
    let choice = Choice {
        language: match arguments.to {
            To::Cpp => Language::Cpp,
            To::C => Language::C,
            To::Rs => Language::Rust,
        },
        cpu: match arguments.cpu {
            Processor::Modern => Cpu::Modern,
            Processor::Generic => Cpu::Generic,
        },
        memory_bytes: arguments.memory << 20,
        about,
    };
    let module = fs::read(&arguments.module)
        .with_context(|| format!("cannot read {}", arguments.module.display()))?;
    let file = source_file(&module, &choice)?;
    fs::write(&arguments.out, file.text)
        .with_context(|| format!("cannot write {}", arguments.out.display()))?;
    let mut out = io::stdout();
    for (part, bytes) in file.parts {
        writeln!(out, "{part} {bytes}")?;
    }
    Ok(())
}
