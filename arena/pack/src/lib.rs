//! Translates a WebAssembly module, as rustc emits for `wasm32-unknown-unknown`, into one source text in C++20, C11
//! or Rust 2021.
//!
//! To read: `module` (what is read from the binary), `ir` (functions as statements and expressions), `decode` (from
//! the stack machine to trees), `structure` (jumps to `if` and loops), then one back end, `c` or `rust`. Everything
//! between parsing and printing is independent of the target language.
//!
//! # Semantics
//! Integer and IEEE float results are those of the WebAssembly specification, bit for bit; only the payload of a NaN
//! that an arithmetic instruction returns is left open, as in the specification. [`Checks::Trusted`] omits the bounds
//! checks of memory accesses and indirect calls: it is meant for modules that a safe-language compiler emitted.

mod builtins;
mod c;
mod data;
mod decode;
mod error;
mod ir;
mod locals;
mod module;
mod names;
mod operators;
mod program;
mod rust;
mod structure;
mod text;
mod traps;

pub use error::Error;

/// The language of the generated source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// C++20 with the builtins that g++ and clang++ share.
    Cpp,
    /// C11 with the builtins that gcc and clang share.
    C,
    /// Rust 2021, `std` only; the generated module uses `unsafe` for its linear memory.
    Rust,
}

/// The processor that generated C and C++ asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cpu {
    /// x86-64 with POPCNT, BMI and AVX2, by pragma; other architectures are unaffected.
    Modern,
    /// What the compiler's command line says.
    Generic,
}

/// What the generated code verifies at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Checks {
    /// Divisions and float conversions trap as specified; memory accesses and indirect calls are not checked. Code that
    /// inevitably traps, as the making of a panic's message does, is replaced by the trap.
    Trusted,
    /// Every trap of the specification except call-stack exhaustion.
    Full,
}

/// How a module is translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Target language.
    pub language: Language,
    /// Instruction set extensions that C and C++ ask for.
    pub cpu: Cpu,
    /// Run-time checks.
    pub checks: Checks,
    /// Prefix of every file-scope name in C and C++, so that several modules share a translation unit; the name of the
    /// Rust module. Exports are called `{prefix}m_{name}` in C and C++.
    pub prefix: String,
    /// Most bytes of linear memory; `memory.grow` fails beyond. Rounded down to pages of 64 KiB. The region is
    /// reserved in zero-initialized storage, so untouched pages cost no physical memory.
    pub memory_cap_bytes: u64,
    /// Statement that ends the program when an instruction traps, without its semicolon; it must not return.
    /// `None`: `__builtin_trap()` or `std::process::abort()`.
    pub trap: Option<String>,
}

impl Options {
    /// Trusted code for this language, for a modern processor, with a gigabyte of memory at most.
    #[must_use]
    pub fn new(language: Language) -> Self {
        Options {
            language,
            cpu: Cpu::Modern,
            checks: Checks::Trusted,
            prefix: String::new(),
            memory_cap_bytes: 1 << 30,
            trap: None,
        }
    }
}

/// A function that the surrounding code calls or provides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The export's name, or `module.name` of an import.
    pub name: String,
    /// Its name in the generated source.
    pub symbol: String,
    /// Its prototype in the generated language, without a body.
    pub prototype: String,
}

/// Bytes of the parts of a translation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parts {
    /// Functions.
    pub code: usize,
    /// Initial memory.
    pub data: usize,
    /// Everything else: pragmas, helpers, declarations.
    pub runtime: usize,
}

/// A translated module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    /// The source text of the module, without a `main`.
    pub source: String,
    /// Functions to call, in the order of their names; `{prefix}initialize()` comes before all of them, once.
    pub exports: Vec<Function>,
    /// Functions that the surrounding code defines.
    pub imports: Vec<Function>,
    /// Bytes of the source by part.
    pub parts: Parts,
    /// The compiler's name of each function, empty if the module has none, and the bytes of its text.
    pub functions: Vec<(String, usize)>,
}

/// Translates a module.
///
/// # Errors
/// [`Error`] if the module is not valid, uses something that is not supported, or needs more memory than allowed.
pub fn translate(wasm: &[u8], options: &Options) -> Result<Translation, Error> {
    let program = program::Program::new(wasm, options)?;
    match options.language {
        Language::Cpp | Language::C => Ok(c::print(&program, options)),
        Language::Rust => Ok(rust::print(&program, options)),
    }
}
