//! Random modules with the results of an interpreter.
#![allow(unreachable_pub, reason = "a part of the test support")]

use super::{Case, Program, Step, Value, Want};
use arbitrary::Unstructured;
use wasm_smith::{Config, InstructionKind, InstructionKinds};
use wasm_to_source::{Error, Language};
use wasmi::{Engine, Instance, Linker, Module, Store, Val, ValType};

/// Bytes of randomness for a module.
const CHOICES: usize = 6_000;

/// Limit of calls and loop iterations of a module.
const FUEL: u32 = 900;

/// Number of calls of each exported function.
const CALLS: usize = 2;

/// `splitmix64`, whose numbers are the same everywhere.
#[derive(Debug, Clone)]
pub struct Generator(pub u64);

impl Generator {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A value of the type, often an extreme one.
    fn value(&mut self, ty: ValType) -> Value {
        let bits = match self.next() % 6 {
            0 => 0,
            1 => 1,
            2 => u64::MAX,
            3 => 1 << 63 | 1 << 31,
            4 => self.next() % 100,
            _ => self.next(),
        };
        let float = match self.next() % 4 {
            0 => bits as f64,
            1 => bits.cast_signed() as f64 / 7.0,
            2 => 0.5 - (bits % 9) as f64,
            _ => f64::INFINITY,
        };
        match ty {
            ValType::I32 => Value::I32(bits as u32),
            ValType::I64 => Value::I64(bits),
            ValType::F32 => Value::F32((float as f32).to_bits()),
            _ => Value::F64(float.to_bits()),
        }
    }
}

fn config(may_trap: bool) -> Config {
    Config {
        allow_start_export: true,
        allowed_instructions: InstructionKinds::new(&[
            InstructionKind::Numeric,
            InstructionKind::Parametric,
            InstructionKind::Variable,
            InstructionKind::Memory,
            InstructionKind::Control,
        ]),
        bulk_memory_enabled: true,
        canonicalize_nans: true,
        disallow_traps: !may_trap,
        exceptions_enabled: false,
        export_everything: true,
        extended_const_enabled: false,
        gc_enabled: false,
        max_data_segments: 4,
        max_funcs: 12,
        max_imports: 0,
        max_instructions: 250,
        max_memory32_bytes: 32 << 16,
        memory_max_size_required: true,
        memory64_enabled: false,
        max_memories: 1,
        max_tables: 1,
        max_table_elements: 100,
        min_funcs: 3,
        reference_types_enabled: false,
        relaxed_simd_enabled: false,
        simd_enabled: false,
        tail_call_enabled: false,
        threads_enabled: false,
        compact_imports_enabled: false,
        wide_arithmetic_enabled: true,
        ..Config::default()
    }
}

/// A random module of the supported subset that terminates.
pub fn module(generator: &mut Generator) -> Option<Vec<u8>> {
    let bytes: Vec<u8> = (0..CHOICES / 8).flat_map(|_| generator.next().to_le_bytes()).collect();
    let may_trap = generator.next().is_multiple_of(3);
    let mut module =
        wasm_smith::Module::new(config(may_trap), &mut Unstructured::new(&bytes)).ok()?;
    module.ensure_termination(FUEL).ok()?;
    Some(module.to_bytes())
}

/// Adds a module with calls whose results come from the interpreter; false if the translator does not support it.
pub fn add(
    program: &mut Program,
    language: Language,
    wasm: &[u8],
    generator: &mut Generator,
) -> bool {
    let mut config = wasmi::Config::default();
    config.wasm_wide_arithmetic(true);
    let engine = Engine::new(&config);
    let parsed = Module::new(&engine, wasm).expect("a valid module");
    let mut store = Store::new(&engine, ());
    let instance = <Linker<()>>::new(&engine).instantiate_and_start(&mut store, &parsed);
    let number = match program.add(language, wasm) {
        Ok(number) => number,
        Err(Error::Invalid { message, .. }) => {
            assert!(instance.is_err() && message.contains("out of bounds"), "{message}");
            return false;
        }
        Err(_) => return false,
    };
    let Ok(instance) = instance else {
        program.steps.push(Step::Start(number, Want::Traps));
        return true;
    };
    program.steps.push(Step::Start(number, Want::Returns(Vec::new())));
    for _ in 0..CALLS {
        let exports = program.modules[number].exports.clone();
        for export in exports {
            let case =
                call(&mut store, &instance, (&export.name, &export.symbol, number), generator);
            program.steps.push(Step::Call(case));
        }
    }
    let memory = instance.exports(&store).find_map(wasmi::Export::into_memory);
    if let Some(memory) = memory {
        let hash = memory.data(&store).iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        program.steps.push(Step::Memory(number, hash));
    }
    true
}

fn call(
    store: &mut Store<()>,
    instance: &Instance,
    (name, symbol, module): (&str, &str, usize),
    generator: &mut Generator,
) -> Case {
    let function = instance.get_func(&*store, name).expect("an export of the module");
    let ty = function.ty(&*store);
    let arguments: Vec<Value> = ty.params().iter().map(|ty| generator.value(*ty)).collect();
    let inputs: Vec<Val> = arguments.iter().map(to_interpreter).collect();
    let mut outputs: Vec<Val> = ty.results().iter().map(|ty| Val::default_for_ty(*ty)).collect();
    let want = match function.call(store, &inputs, &mut outputs) {
        Ok(()) => Want::Returns(outputs.iter().map(from_interpreter).collect()),
        Err(_) => Want::Traps,
    };
    let place = format!("module {module} {symbol} {arguments:?}");
    Case { place, module, symbol: symbol.to_string(), arguments, want }
}

fn to_interpreter(value: &Value) -> Val {
    match *value {
        Value::I32(bits) => Val::I32(bits.cast_signed()),
        Value::I64(bits) => Val::I64(bits.cast_signed()),
        Value::F32(bits) => Val::F32(f32::from_bits(bits).into()),
        Value::F64(bits) => Val::F64(f64::from_bits(bits).into()),
        other => panic!("{other:?} is not an argument"),
    }
}

fn from_interpreter(value: &Val) -> Value {
    match value {
        Val::I32(value) => Value::I32(value.cast_unsigned()),
        Val::I64(value) => Value::I64(value.cast_unsigned()),
        Val::F32(value) => Value::F32(value.to_bits()),
        Val::F64(value) => Value::F64(value.to_bits()),
        other => panic!("{other:?} is outside the subset"),
    }
}
