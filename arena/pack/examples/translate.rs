//! Translates a module: `translate FILE.wasm cpp|c|rs > FILE`.
#![allow(clippy::print_stdout, reason = "the output is what the program is for")]

use std::error::Error;
use wasm_to_source::{Checks, Language, Options, translate};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, language, further @ ..] = &arguments[..] else {
        return Err("usage: translate FILE.wasm cpp|c|rs [checked]".into());
    };
    let language = match language.as_str() {
        "cpp" => Language::Cpp,
        "c" => Language::C,
        "rs" => Language::Rust,
        other => return Err(format!("`{other}` is not cpp, c or rs").into()),
    };
    let mut options = Options::new(language);
    if further.iter().any(|word| word == "checked") {
        options.checks = Checks::Full;
    }
    let wasm = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    print!("{}", translate(&wasm, &options)?.source);
    Ok(())
}
