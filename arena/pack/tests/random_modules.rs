//! Compares the generated sources of random modules with an interpreter.

mod support;

use support::random::{Generator, add, module};
use support::{Program, Step, Want, compile_and_run, compiler};
use wasm_to_source::Language;

/// Number of modules in one program.
const BATCH: usize = 30;

/// Compares `batches` programs of random modules; returns the numbers of calls that return and that
/// trap.
fn run(language: Language, seed: u64, batches: u64, command: &[String]) -> (usize, usize) {
    let mut generator = Generator(seed);
    let (mut returns, mut traps) = (0, 0);
    for batch in 0..batches {
        let mut program = Program::default();
        while program.modules.len() < BATCH {
            if let Some(wasm) = module(&mut generator) {
                add(&mut program, language, &wasm, &mut generator);
            }
        }
        for step in &program.steps {
            match step {
                Step::Call(case) if case.want == Want::Traps => traps += 1,
                Step::Call(_) => returns += 1,
                _ => {}
            }
        }
        let (name, source) = (format!("random_{seed}_{batch}"), program.source(language));
        if let Err(message) = compile_and_run(language, &name, &source, command) {
            panic!("{message}");
        }
    }
    (returns, traps)
}

fn check(language: Language, seed: u64) {
    let (returns, traps) = run(language, seed, 2, &compiler(language, "1"));
    assert!(returns >= 15 && traps >= 60, "{returns} calls return, {traps} trap");
}

#[test]
fn cpp_agrees_with_an_interpreter_on_random_modules() {
    check(Language::Cpp, 1);
}

#[test]
fn c_agrees_with_an_interpreter_on_random_modules() {
    check(Language::C, 2);
}

#[test]
fn rust_agrees_with_an_interpreter_on_random_modules() {
    check(Language::Rust, 3);
}

#[test]
fn random_modules_run_without_undefined_behaviour() {
    let mut command = compiler(Language::Cpp, "1");
    command.push("-fsanitize=address,undefined".into());
    command.push("-fno-sanitize-recover=all".into());
    let (returns, _) = run(Language::Cpp, 4, 1, &command);
    assert!(returns >= 10, "{returns} calls return");
}

#[test]
#[ignore = "slow: a thousand modules in each language, ten minutes of compilers"]
fn all_languages_agree_with_an_interpreter_on_many_random_modules() {
    for (language, seed) in [(Language::Cpp, 100), (Language::C, 200), (Language::Rust, 300)] {
        run(language, seed, 33, &compiler(language, "2"));
    }
}
