//! The back end for Rust 2021.
//!
//! The module keeps its state in `static mut` variables and is for one thread. Every function is `unsafe`, so that a
//! memory access costs one instruction.

mod expression;
mod runtime;
mod statement;

use crate::ir::{Body, Expr, Label, Signature, Stmt, Type, walk};
use crate::module::{Module, PAGE_BYTES};
use crate::names;
use crate::program::{Names, Program};
use crate::structure::never_ends;
use crate::text::wrapped;
use crate::{Checks, Function, Options, Parts, Translation};
use expression::{literal, rust_name};
use std::collections::BTreeSet;

/// Prints one function after the other.
struct Printer<'p> {
    module: &'p Module<'p>,
    options: &'p Options,
    names: &'p Names,
    /// The function being printed.
    body: &'p Body,
    locals: Vec<String>,
    loops: BTreeSet<Label>,
    out: String,
    /// Further results that some call returns.
    further: BTreeSet<(Type, u32)>,
    /// Signatures of indirect calls.
    indirect: BTreeSet<u32>,
}

/// Prints a program.
pub(crate) fn print(program: &Program<'_>, options: &Options) -> Translation {
    let module = &program.module;
    let empty = Body::default();
    let mut printer = Printer {
        module,
        options,
        names: &program.names,
        body: &empty,
        locals: Vec::new(),
        loops: BTreeSet::new(),
        out: String::new(),
        further: BTreeSet::new(),
        indirect: BTreeSet::new(),
    };
    let (mut code, mut functions) = (String::new(), Vec::new());
    for (function, body) in &program.functions {
        printer.body = body;
        let text = printer.function(*function, body);
        functions.push((program.symbol(*function), text.len()));
        code += &text;
    }
    let declarations = printer.declarations(program);
    let indirect = printer.indirect_calls(program);
    let aliases = printer.aliases();
    let (data, start) = printer.start(program);
    let name = if options.prefix.is_empty() { "module" } else { &options.prefix };
    let source = format!(
        "#[allow(warnings,clippy::all)]\nmod {name}{{{declarations}{code}{indirect}{aliases}{start}}}\n"
    );
    let function = |name: String, function: u32, symbol: &str| Function {
        name,
        symbol: symbol.replace('@', ""),
        prototype: format!("fn {}{}", symbol.replace('@', ""), printer.types(function)),
    };
    let exports = program.names.exports.iter();
    let exports = exports.map(|(name, f, symbol)| function(name.clone(), *f, symbol)).collect();
    let imports = module.imports.iter().enumerate().map(|(index, import)| {
        let symbol = program.names.function(index as u32).replace('@', &options.prefix);
        function(format!("{}.{}", import.module, import.name), index as u32, &symbol)
    });
    let imports = imports.collect();
    let (code, data) = (code.len(), data.len());
    let parts = Parts { code, data, runtime: source.len() - code - data };
    Translation { source, exports, imports, parts, functions }
}

impl<'p> Printer<'p> {
    fn type_of(&self, expr: &Expr) -> Type {
        crate::program::type_of(self.module, &self.body.locals, expr)
    }

    /// A name of the module itself.
    fn plain(&self, name: &str) -> String {
        name.replace('@', "")
    }

    fn function_name(&self, function: u32) -> String {
        let name = self.names.function(function);
        if function < self.module.first_defined() {
            return format!("super::{}", name.replace('@', &self.options.prefix));
        }
        self.plain(&name)
    }

    /// Parameters and result of an import or export.
    fn types(&self, function: u32) -> String {
        let full = |ty: &Type| match ty {
            Type::I32 => "u32",
            Type::I64 => "u64",
            Type::F32 => "f32",
            Type::F64 => "f64",
        };
        let signature = self.module.signature(function);
        let params = signature.params.iter().enumerate();
        let params: Vec<String> = params.map(|(n, ty)| format!("a{n}: {}", full(ty))).collect();
        let result = signature.results.first().map(|ty| format!(" -> {}", full(ty)));
        format!("({}){}", params.join(", "), result.unwrap_or_default())
    }

    fn function(&mut self, function: u32, body: &'p Body) -> String {
        let signature = self.module.signature(function);
        self.locals = names::of_locals(body);
        self.loops.clear();
        walk(&body.statements, &mut |statement| {
            if let Stmt::Forever(label, _) = statement {
                self.loops.insert(*label);
            }
        });
        self.list(&body.statements);
        let mut code = std::mem::take(&mut self.out);
        if !signature.results.is_empty() && !matches!(body.statements.last(), Some(Stmt::Return(_)))
        {
            // the end is not reached, which rustc does not always see
            code += if body.statements.last().is_some_and(never_ends) { "T()" } else { ";T()" };
        }
        let params = signature.params.iter().zip(&self.locals);
        let params: Vec<String> =
            params.map(|(ty, name)| format!("mut {name}:{}", rust_name(*ty))).collect();
        let mut locals = String::new();
        for (index, ty) in body.locals.iter().enumerate().skip(signature.params.len()) {
            if !self.locals[index].is_empty() {
                let zero = if ty.is_float() { "0." } else { "0" };
                locals += &format!("let mut {}:{}={zero};", self.locals[index], rust_name(*ty));
            }
        }
        let name = self.function_name(function);
        let visible = if name.starts_with("m_") { "pub " } else { "" };
        let (params, result) = (params.join(","), result_name(signature));
        wrapped(&format!("{visible}unsafe fn {name}({params}){result}{{{locals}{code}}}\n"))
    }

    /// Runtime, globals and data.
    fn declarations(&self, program: &Program<'_>) -> String {
        let (pages, cap) = program.pages;
        let check = match self.options.checks {
            Checks::Full => "if a as u64+o as u64+n as u64>(P as u64)<<16{T()}",
            Checks::Trusted => "",
        };
        let trap = self.options.trap.as_deref().unwrap_or("std::process::abort()");
        let mut out = runtime::RUNTIME
            .replace("<pages>", &pages.to_string())
            .replace("<cap>", &cap.to_string())
            .replace("<check>", check)
            .replace("<trap>", trap)
            .replace("<big>", "\"big\"")
            .replace("<endian>", "\"needs a little-endian machine\"");
        out += &runtime::accesses();
        out += &runtime::numeric();
        for (index, global) in self.module.globals.iter().enumerate() {
            if program.globals[index] {
                let name = self.plain(&self.names.global(index as u32));
                let (ty, bits) = (global.initial.ty, global.initial.bits);
                // `from_bits` of a NaN is not a constant in older compilers
                let initial = match ty.is_float() {
                    true => format!(
                        "unsafe{{std::mem::transmute({bits}{})}}",
                        if ty == Type::F32 { "u32" } else { "u64" }
                    ),
                    false => literal(global.initial),
                };
                out += &format!("static mut {name}:{}={initial};\n", rust_name(ty));
            }
        }
        for (ty, index) in &self.further {
            let (ty, zero) = (rust_name(*ty), if ty.is_float() { "0." } else { "0" });
            out += &format!("pub static mut R{index}{ty}:{ty}={zero};\n");
        }
        for (index, segment) in self.module.data.iter().enumerate() {
            if program.passive[index] {
                let length = if segment.address.is_none() { segment.bytes.len() } else { 0 };
                let bytes: Vec<String> = segment.bytes.iter().map(u8::to_string).collect();
                out += &wrapped(&format!(
                    "static Da{index}:[u8;{}]=[{}];",
                    segment.bytes.len(),
                    bytes.join(",")
                ));
                out += &format!(
                    "\nstatic mut Dl{index}:u={length};\nunsafe fn Mi{index}(a:u,b:u,n:u){{if b as u64+n as u64>Dl{index} as u64{{T()}}\
                     let c=C(a,0,n);std::ptr::copy(Da{index}.as_ptr().add(b as usize),c,n as usize)}}\n"
                );
            }
        }
        out
    }

    /// A function for each signature of indirect calls.
    fn indirect_calls(&self, program: &Program<'_>) -> String {
        let mut out = String::new();
        for signature in &self.indirect {
            let types = &self.module.signatures[*signature as usize];
            let params = types.params.iter().enumerate();
            let params: Vec<String> =
                params.map(|(index, ty)| format!("a{index}:{},", rust_name(*ty))).collect();
            let arguments: Vec<String> =
                (0..types.params.len()).map(|index| format!("a{index}")).collect();
            let mut arms = String::new();
            for (index, entry) in program.table.iter().enumerate() {
                if let Some(function) = entry
                    && self.names.canonical(self.module.functions[*function as usize]) == *signature
                {
                    let name = self.function_name(*function);
                    arms += &format!("{index}=>{name}({}),", arguments.join(","));
                }
            }
            let result = result_name(types);
            out += &wrapped(&format!(
                "unsafe fn J{signature}({}i:u){result}{{match i{{{arms}_=>T()}}}}\n",
                params.concat()
            ));
        }
        out
    }

    /// Further export names of functions that have one already.
    fn aliases(&self) -> String {
        let mut out = String::new();
        for (_, function, symbol) in &self.names.exports {
            let (symbol, name) = (self.plain(symbol), self.function_name(*function));
            if symbol != name {
                let types = self.types(*function);
                let count = self.module.signature(*function).params.len();
                let arguments: Vec<String> = (0..count).map(|index| format!("a{index}")).collect();
                out +=
                    &format!("pub unsafe fn {symbol}{types}{{{name}({})}}\n", arguments.join(","));
            }
        }
        out
    }

    /// The function that fills memory, and the text of its data.
    fn start(&self, program: &Program<'_>) -> (String, String) {
        let bytes = program.pages.1 * PAGE_BYTES;
        let mut code = String::new();
        if self.module.memory.is_some() && bytes > 0 {
            code += &format!(
                "M=std::alloc::alloc_zeroed(std::alloc::Layout::from_size_align_unchecked({bytes},16));if M.is_null(){{T()}}"
            );
        }
        let encoded = crate::data::encode(&self.module.data);
        let lines: Vec<&str> = encoded.lines().collect();
        let data = lines.join("\n");
        let mut decoder = "";
        if !data.is_empty() {
            decoder = runtime::DECODER;
            code += &format!("Dc(\"\n{data}\");");
        }
        if let Some(start) = self.module.start {
            code += &format!("{}();", self.function_name(start));
        }
        (data, format!("{decoder}pub unsafe fn initialize(){{{code}}}\n"))
    }
}

fn result_name(signature: &Signature) -> String {
    signature.results.first().map_or_else(String::new, |ty| format!("->{}", rust_name(*ty)))
}
