//! Programs that call translated modules and compare the results.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of this")]

pub mod random;
pub mod scripts;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_to_source::{Checks, Cpu, Language, Options, Translation, translate};

/// A value to pass or to expect, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    I32(u32),
    I64(u64),
    F32(u32),
    F64(u64),
    /// A NaN that an arithmetic instruction returns: any quiet one.
    Nan32,
    Nan64,
}

/// The expected result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    Returns(Vec<Value>),
    Traps,
}

/// A call of a translated function.
#[derive(Debug, Clone)]
pub struct Case {
    /// Source of the call, for messages.
    pub place: String,
    pub module: usize,
    pub symbol: String,
    pub arguments: Vec<Value>,
    pub want: Want,
}

/// Modules and calls of one program.
#[derive(Debug)]
pub struct Program {
    pub modules: Vec<Translation>,
    pub steps: Vec<Step>,
    /// Memory limit of each module from here on.
    pub memory_cap_bytes: u64,
}

#[derive(Debug, Clone)]
pub enum Step {
    /// Initializes a module; a trap may be expected.
    Start(usize, Want),
    Call(Case),
    /// The bytes of a module's memory must have this FNV-1a hash.
    Memory(usize, u64),
}

/// Options of the tests' modules: all checks, with reported traps.
pub fn options(language: Language, module: usize) -> Options {
    let trap = match language {
        Language::Rust => "panic!()",
        _ => "trap()",
    };
    Options {
        cpu: Cpu::Generic,
        checks: Checks::Full,
        prefix: format!("k{module}_"),
        memory_cap_bytes: 4 << 20,
        trap: Some(trap.into()),
        ..Options::new(language)
    }
}

impl Default for Program {
    fn default() -> Self {
        Program { modules: Vec::new(), steps: Vec::new(), memory_cap_bytes: 4 << 20 }
    }
}

impl Program {
    /// Translates a module; returns its number, or why it is not supported.
    pub fn add(&mut self, language: Language, wasm: &[u8]) -> Result<usize, wasm_to_source::Error> {
        let number = self.modules.len();
        let options =
            Options { memory_cap_bytes: self.memory_cap_bytes, ..options(language, number) };
        self.modules.push(translate(wasm, &options)?);
        Ok(number)
    }

    pub fn symbol(&self, module: usize, name: &str) -> Option<String> {
        let exports = self.modules[module].exports.iter();
        exports.into_iter().find(|export| export.name == name).map(|export| export.symbol.clone())
    }

    /// The source of the program, which prints each failure and exits with 1 if there was one.
    pub fn source(&self, language: Language) -> String {
        match language {
            Language::Rust => self.rust(),
            _ => self.c(),
        }
    }

    fn c(&self) -> String {
        let mut out = String::from(C_PROLOGUE);
        for module in &self.modules {
            out += &module.source;
            for import in &module.imports {
                let names = ["a", "b", "c", "d", "e", "f0", "g", "h"];
                let (head, params) = import.prototype.split_once('(').expect("a prototype");
                let params = params.trim_end_matches(')');
                let named: Vec<String> = match params {
                    "" | "void" => vec![params.to_string()],
                    _ => params
                        .split(',')
                        .zip(names)
                        .map(|(ty, name)| format!("{ty} {name}"))
                        .collect(),
                };
                let value = if head.starts_with("static void") { "" } else { " 0" };
                writeln!(out, "{head}({}){{return{value};}}", named.join(",")).expect("a string");
            }
        }
        let mut main = String::new();
        for (index, step) in self.steps.iter().enumerate() {
            let (place, traps, body) = match step {
                Step::Start(module, want) => (
                    format!("start {module}"),
                    *want == Want::Traps,
                    format!("k{module}_initialize();"),
                ),
                Step::Call(case) => (case.place.clone(), case.want == Want::Traps, c_call(case)),
                Step::Memory(module, hash) => (
                    format!("memory {module}"),
                    false,
                    format!("same(1,hash(k{module}_M,k{module}_P),{hash:#x}ull);"),
                ),
            };
            writeln!(out, "static void c{index}(void){{{body}}}").expect("a string");
            writeln!(main, "run(c{index},{place:?},{});", u8::from(traps)).expect("a string");
        }
        format!(
            "{out}int main(void){{\n{main}printf(\"%d failures\\n\",failures);return failures!=0;}}\n"
        )
    }

    fn rust(&self) -> String {
        let mut out = String::from(RUST_PROLOGUE);
        for module in &self.modules {
            out += &module.source;
            for import in &module.imports {
                writeln!(out, "{} {{ Default::default() }}", import.prototype).expect("a string");
            }
        }
        let mut main = String::new();
        for (index, step) in self.steps.iter().enumerate() {
            let (place, traps, body) = match step {
                Step::Start(module, want) => (
                    format!("start {module}"),
                    *want == Want::Traps,
                    format!("k{module}_::initialize()"),
                ),
                Step::Call(case) => (case.place.clone(), case.want == Want::Traps, rust_call(case)),
                Step::Memory(module, hash) => (
                    format!("memory {module}"),
                    false,
                    format!("same(1,hash(k{module}_::memory()),{hash:#x})"),
                ),
            };
            writeln!(out, "fn c{index}(){{unsafe{{{body}}}}}").expect("a string");
            writeln!(main, "    run(c{index},{place:?},{traps});").expect("a string");
        }
        format!(
            "{out}fn main() {{\n    std::panic::set_hook(Box::new(|_| ()));\n{main}    finish();\n}}\n"
        )
    }
}

const C_PROLOGUE: &str = r#"
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static jmp_buf environment;
static int failures;
static const char*where;
static __attribute__((noreturn,unused)) void trap(void){longjmp(environment,1);}
static void fail(const char*what){failures++;printf("%s: %s\n",where,what);}
static void run(void(*f)(void),const char*place,int traps){
where=place;
if(setjmp(environment)){if(!traps)fail("trapped");}else{f();if(traps)fail("did not trap");}}
static inline void same(int result,uint64_t have,uint64_t want){
if(have!=want){fail("wrong result");printf("  result %d: %#llx instead of %#llx\n",result,(unsigned long long)have,(unsigned long long)want);}}
static inline uint64_t b32(float a){uint32_t b;memcpy(&b,&a,4);return b;}
static inline uint64_t b64(double a){uint64_t b;memcpy(&b,&a,8);return b;}
static inline float f32(uint32_t a){float b;memcpy(&b,&a,4);return b;}
static inline double f64(uint64_t a){double b;memcpy(&b,&a,8);return b;}
static inline uint64_t hash(const unsigned char*m,uint32_t pages){uint64_t h=0xcbf29ce484222325u;size_t n;
for(n=0;n<(size_t)pages<<16;n++)h=(h^m[n])*0x100000001b3u;return h;}
"#;

const RUST_PROLOGUE: &str = r#"
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
static FAILURES: AtomicUsize = AtomicUsize::new(0);
static PLACE: std::sync::Mutex<&'static str> = std::sync::Mutex::new("");
fn fail(what: &str) { FAILURES.fetch_add(1, Relaxed); println!("{}: {what}", *PLACE.lock().unwrap()); }
fn run(f: fn(), place: &'static str, traps: bool) {
    *PLACE.lock().unwrap() = place;
    match (std::panic::catch_unwind(f).is_err(), traps) {
        (true, false) => fail("trapped"),
        (false, true) => fail("did not trap"),
        _ => {}
    }
}
#[allow(unused)]
fn same(result: usize, have: u64, want: u64) {
    if have != want { fail("wrong result"); println!("  result {result}: {have:#x} instead of {want:#x}"); }
}
#[allow(unused)]
fn hash(memory: &[u8]) -> u64 {
    memory.iter().fold(0xcbf29ce484222325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100000001b3))
}
fn finish() {
    let failures = FAILURES.load(Relaxed);
    println!("{failures} failures");
    std::process::exit(i32::from(failures != 0));
}
"#;

fn check(out: &mut String, number: usize, have: &str, want: Value, bits: [&str; 2]) {
    let text = match want {
        Value::I32(bits) => format!("same({number},{have},{bits:#x});"),
        Value::I64(bits) => format!("same({number},{have},{bits:#x});"),
        Value::F32(value) => format!("same({number},{},{value:#x});", bits[0].replace('#', have)),
        Value::F64(value) => format!("same({number},{},{value:#x});", bits[1].replace('#', have)),
        Value::Nan32 => {
            format!("same({number},{}&0x7fc00000,0x7fc00000);", bits[0].replace('#', have))
        }
        Value::Nan64 => format!(
            "same({number},{}&0x7ff8000000000000,0x7ff8000000000000);",
            bits[1].replace('#', have)
        ),
    };
    *out += &text;
}

fn c_call(case: &Case) -> String {
    let arguments: Vec<String> = case
        .arguments
        .iter()
        .map(|value| match value {
            Value::I32(bits) => format!("{bits}u"),
            Value::I64(bits) => format!("{bits}ull"),
            Value::F32(bits) => format!("f32({bits}u)"),
            Value::F64(bits) => format!("f64({bits}ull)"),
            other => panic!("{other:?} is not an argument"),
        })
        .collect();
    let call = format!("{}({})", case.symbol, arguments.join(","));
    let Want::Returns(results) = &case.want else { return format!("{call};") };
    let bits = ["b32(#)", "b64(#)"];
    let mut out = String::new();
    match results[..] {
        [] => out += &format!("{call};"),
        [want, ..] => {
            let ty = match want {
                Value::I32(_) => "uint32_t",
                Value::I64(_) => "uint64_t",
                Value::F32(_) | Value::Nan32 => "float",
                Value::F64(_) | Value::Nan64 => "double",
            };
            out += &format!("{ty} r={call};");
            check(&mut out, 0, "r", want, bits);
        }
    }
    for (index, want) in results.iter().enumerate().skip(1) {
        let letter = match want {
            Value::I32(_) => 'u',
            Value::I64(_) => 'U',
            Value::F32(_) | Value::Nan32 => 'f',
            Value::F64(_) | Value::Nan64 => 'd',
        };
        let have = format!("k{}_R{index}{letter}", case.module);
        check(&mut out, index, &have, *want, bits);
    }
    out
}

fn rust_call(case: &Case) -> String {
    let arguments: Vec<String> = case
        .arguments
        .iter()
        .map(|value| match value {
            Value::I32(bits) => format!("{bits}"),
            Value::I64(bits) => format!("{bits}"),
            Value::F32(bits) => format!("f32::from_bits({bits})"),
            Value::F64(bits) => format!("f64::from_bits({bits})"),
            other => panic!("{other:?} is not an argument"),
        })
        .collect();
    let call = format!("k{}_::{}({})", case.module, case.symbol, arguments.join(","));
    let Want::Returns(results) = &case.want else { return format!("{call};") };
    let bits = ["u64::from(#.to_bits())", "#.to_bits()"];
    let mut out = format!("let r={call};");
    for (index, want) in results.iter().enumerate() {
        let letter = match want {
            Value::I32(_) => 'u',
            Value::I64(_) => 'U',
            Value::F32(_) | Value::Nan32 => 'f',
            Value::F64(_) | Value::Nan64 => 'd',
        };
        let have = match index {
            0 => "r".to_string(),
            _ => format!("k{}_::R{index}{letter}", case.module),
        };
        let have = if matches!(want, Value::I32(_)) { format!("u64::from({have})") } else { have };
        check(&mut out, index, &have, *want, bits);
    }
    out
}

/// A compiler's command line up to the names of the files.
pub fn compiler(language: Language, optimization: &str) -> Vec<String> {
    let command = match language {
        Language::Cpp => "g++ -std=gnu++20 -w",
        Language::C => "gcc -std=c11 -w",
        Language::Rust => "rustc --edition 2021 -Cdebuginfo=0 -Awarnings",
    };
    let optimization = match language {
        Language::Rust => format!("-Copt-level={optimization}"),
        _ => format!("-O{optimization}"),
    };
    command.split(' ').map(str::to_string).chain([optimization]).collect()
}

/// Compiles a program and runs it. A missing compiler fails the test.
///
/// # Errors
/// The output of the compiler or the program, if it failed.
pub fn compile_and_run(
    language: Language,
    name: &str,
    source: &str,
    command: &[String],
) -> Result<(), String> {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let extension = match language {
        Language::Cpp => "cpp",
        Language::C => "c",
        Language::Rust => "rs",
    };
    let file = directory.join(format!("{name}.{extension}"));
    let program = directory.join(format!("{name}_{extension}"));
    std::fs::write(&file, source).expect("the target directory is writable");
    run_compiler(command, &file, &program)?;
    let output = Command::new(&program).output().expect("a program that was just compiled");
    if output.status.success() && output.stderr.is_empty() {
        return Ok(());
    }
    let (text, errors) = (first_lines(&output.stdout), first_lines(&output.stderr));
    Err(format!("{}: {}\n{text}\n{errors}", file.display(), output.status))
}

fn run_compiler(command: &[String], file: &Path, program: &Path) -> Result<(), String> {
    let (compiler, flags) = command.split_first().expect("a command");
    let mut command = Command::new(compiler);
    command.args(flags).arg("-o").arg(program).arg(file);
    if compiler != "rustc" {
        command.arg("-lm");
    }
    let output = command.output().unwrap_or_else(|error| {
        panic!("{compiler}: {error}; these tests need it (Debian: apt-get install g++ clang)")
    });
    if output.status.success() && output.stderr.is_empty() {
        return Ok(());
    }
    Err(format!("{compiler}, {}: {}", file.display(), first_lines(&output.stderr)))
}

fn first_lines(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().take(12).collect::<Vec<_>>().join("\n")
}
