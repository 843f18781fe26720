//! Copies of a fixed size, which C and C++ make by vectors, between all kinds of overlapping places.

mod support;

use support::{Program, compile_and_run, compiler, scripts};
use wasm_to_source::Language;

/// Memory holds 1, 2, 3, ...; copies of each size up, down and onto themselves leave what byte by byte copies through a
/// buffer would.
fn script() -> String {
    let sizes = [16_usize, 17, 32, 33, 64, 65, 159, 160, 161];
    let cases = sizes.iter().flat_map(|size| {
        let distances = [0, 1, 7, 8, 16, 24, 32, size / 2, *size];
        distances.into_iter().flat_map(|by| [(*size, 400 + by, 400), (*size, 400, 400 + by)])
    });
    let mut functions = String::new();
    let mut calls = String::new();
    for (number, (size, to, from)) in cases.enumerate() {
        functions += &format!(
            "(func (export \"c{number}\") (result i64) (call $fill) \
             (memory.copy (i32.const {to}) (i32.const {from}) (i32.const {size})) (call $sum))"
        );
        let mut memory: Vec<u8> = (0..1024_u32).map(byte).collect();
        memory.copy_within(from..from + size, to);
        calls += &format!("(assert_return (invoke \"c{number}\") (i64.const {}))", hash(&memory));
    }
    format!(
        "(module (memory 1) \
         (func $fill (local i32) (loop (i32.store8 (local.get 0) \
           (i32.add (i32.mul (local.get 0) (i32.const 7)) (i32.shr_u (local.get 0) (i32.const 5)))) \
           (br_if 0 (i32.lt_u (local.tee 0 (i32.add (local.get 0) (i32.const 1))) (i32.const 1024))))) \
         (func $sum (result i64) (local i32 i64) (loop \
           (local.set 1 (i64.add (i64.mul (local.get 1) (i64.const 1099511628211)) (i64.load8_u (local.get 0)))) \
           (br_if 0 (i32.lt_u (local.tee 0 (i32.add (local.get 0) (i32.const 1))) (i32.const 1024)))) \
           (local.get 1)) \
         {functions})\n{calls}"
    )
}

fn byte(at: u32) -> u8 {
    (at * 7 + (at >> 5)) as u8
}

fn hash(memory: &[u8]) -> i64 {
    memory.iter().fold(0_u64, |hash, byte| {
        hash.wrapping_mul(1_099_511_628_211).wrapping_add(u64::from(*byte))
    }) as i64
}

#[test]
fn copies_of_a_fixed_size_may_overlap() {
    let text = script();
    let buffer = wast::parser::ParseBuffer::new(&text).expect("a script");
    let parsed: wast::Wast<'_> = wast::parser::parse(&buffer).expect("a script");
    let mut program = Program::default();
    let text = scripts::Text { name: "copies", text: &text };
    let outcome = scripts::add(&mut program, Language::Cpp, text, parsed.directives);
    assert!(outcome.calls > 150, "{outcome:?}");
    let mut command = compiler(Language::Cpp, "1");
    command.push("-fsanitize=address,undefined".into());
    let source = program.source(Language::Cpp);
    assert!(source.contains("Mk160(") && !source.contains("Mk161("), "vectors up to 160 bytes");
    compile_and_run(Language::Cpp, "copies", &source, &command).expect("equal results");
}
