//! The back end for C11 and C++20: one text that both accept, except for its first lines.

mod copies;
mod expression;
mod runtime;
mod statement;
mod value;

use crate::ir::{Body, Expr, Label, Local, Signature, Stmt, Type, walk, walk_expressions};
use crate::module::{Module, PAGE_BYTES};
use crate::names;
use crate::program::{Names, Program};
use crate::structure::END;
use crate::text::wrapped;
use crate::{Checks, Cpu, Function, Language, Options, Parts, Translation};
use expression::c_name;
use statement::Breakable;
use std::collections::{BTreeMap, BTreeSet};

/// Prints one function after the other.
pub(crate) struct Printer<'p> {
    module: &'p Module<'p>,
    options: &'p Options,
    names: &'p Names,
    /// The function being printed.
    body: &'p Body,
    locals: Vec<String>,
    out: String,
    breakable: Breakable,
    used_labels: BTreeSet<Label>,
    helpers: BTreeSet<String>,
    /// Further results that some call returns.
    further: BTreeSet<(Type, u32)>,
    /// Signatures of indirect calls with their macros.
    indirect: BTreeMap<u32, String>,
}

impl Printer<'_> {
    fn need(&mut self, helper: &str) {
        if !self.helpers.contains(helper) {
            self.helpers.insert(helper.to_string());
        }
    }

    fn local_name(&self, local: Local) -> String {
        self.locals[local as usize].clone()
    }

    fn further_result(&mut self, ty: Type, index: u32) -> String {
        self.further.insert((ty, index));
        format!("@R{index}{}", c_name(ty))
    }

    fn indirect_name(&mut self, signature: u32) -> String {
        let signature = self.names.canonical(signature);
        self.indirect.entry(signature).or_insert_with(|| format!("@J{signature}")).clone()
    }

    fn type_of(&self, expr: &Expr) -> Type {
        crate::program::type_of(self.module, &self.body.locals, expr)
    }
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
        out: String::new(),
        breakable: Breakable::default(),
        used_labels: BTreeSet::new(),
        helpers: BTreeSet::new(),
        further: BTreeSet::new(),
        indirect: BTreeMap::new(),
    };
    let prefixed = |text: &str| text.replace('@', &options.prefix);
    let (mut code, mut functions) = (String::new(), Vec::new());
    for (function, body) in &program.functions {
        printer.body = body;
        let text = prefixed(&printer.function(*function, body));
        functions.push((program.symbol(*function), text.len()));
        code += &text;
    }
    printer.body = &empty;
    let (data, start) = printer.start(program);
    let before = prefixed(&(preamble(options) + &printer.declarations(program)));
    let after =
        printer.aliases().concat() + &start + if is_modern(options) { CLANG_POP } else { "" };
    let after = prefixed(&after).replace('\u{1}', &data);
    let source = before + &code + &after;
    let function = |name: String, function: u32, symbol: &str| Function {
        name,
        symbol: prefixed(symbol),
        prototype: prefixed(&printer.prototype(function, symbol)),
    };
    let exports = program.names.exports.iter();
    let exports = exports.map(|(name, f, symbol)| function(name.clone(), *f, symbol)).collect();
    let imports = module.imports.iter().enumerate().map(|(index, import)| {
        let symbol = program.names.function(index as u32);
        function(format!("{}.{}", import.module, import.name), index as u32, &symbol)
    });
    let imports = imports.collect();
    let (code, data) = (code.len(), data.len());
    let parts = Parts { code, data, runtime: source.len() - code - data };
    Translation { source, exports, imports, parts, functions }
}

/// Clang asks for instruction sets function by function.
const CLANG_PUSH: &str = "#if defined(__x86_64__)&&defined(__clang__)\n\
    #pragma clang attribute push(__attribute__((target(\"popcnt,lzcnt,bmi,bmi2,avx2\"))),apply_to=function)\n#endif\n";
const CLANG_POP: &str =
    "#if defined(__x86_64__)&&defined(__clang__)\n#pragma clang attribute pop\n#endif\n";

fn is_modern(options: &Options) -> bool {
    options.cpu == Cpu::Modern
}

fn preamble(options: &Options) -> String {
    let mut out = String::new();
    if is_modern(options) {
        out += "#if defined(__x86_64__)&&defined(__GNUC__)&&!defined(__clang__)\n#pragma GCC target(\"popcnt,lzcnt,bmi,bmi2,avx2\")\n#endif\n";
    }
    out += "#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n#elif defined(__GNUC__)\n\
            #pragma GCC optimize(\"fp-contract=off\")\n#endif\n";
    for warning in [
        "parentheses",
        "sign-compare",
        "misleading-indentation",
        "dangling-else",
        "unused-parameter",
        "bool-operation",
    ] {
        out += &format!("#pragma GCC diagnostic ignored \"-W{warning}\"\n");
    }
    out += match options.language {
        Language::Cpp => "#include <cstdint>\n#include <cstring>\n",
        _ => "#include <stdint.h>\n#include <string.h>\n",
    };
    out += "#if __BYTE_ORDER__!=__ORDER_LITTLE_ENDIAN__||__FLT_EVAL_METHOD__||defined(__FAST_MATH__)\n\
            #error \"needs a little-endian machine and exact float arithmetic: no -ffast-math; on 32-bit x86 -msse2 -mfpmath=sse\"\n\
            #endif\n\
            typedef uint32_t u;typedef uint64_t U;typedef int32_t i;typedef int64_t L;typedef float f;typedef double d;\n";
    if is_modern(options) {
        out += CLANG_PUSH;
    }
    out
}

impl<'p> Printer<'p> {
    /// The definition of a function.
    fn function(&mut self, function: u32, body: &'p Body) -> String {
        let signature = self.module.signature(function);
        let params = signature.params.len();
        self.locals = names::of_locals(body);
        self.used_labels.clear();
        let header = self.header(function, true);
        self.list(&body.statements, &[END]);
        let code = std::mem::take(&mut self.out);
        let mut by_type: BTreeMap<Type, Vec<&str>> = BTreeMap::new();
        for (index, ty) in body.locals.iter().enumerate().skip(params) {
            if !self.locals[index].is_empty() {
                by_type.entry(*ty).or_default().push(&self.locals[index]);
            }
        }
        let mut locals = String::new();
        for (ty, names) in by_type {
            // the compiler sees that these are set before they are read
            let set = first_sets(body);
            let list = names.iter().map(|name| {
                let set = set.iter().any(|local| self.locals[*local as usize] == **name);
                if set { (*name).to_string() } else { format!("{name}=0") }
            });
            let list: Vec<String> = list.collect();
            locals += &format!("{} {};", c_name(ty), list.join(","));
        }
        format!("{}\n", wrapped(&format!("{header}{{{locals}{code}}}")))
    }

    fn header(&self, function: u32, with_names: bool) -> String {
        let signature = self.module.signature(function);
        let params: Vec<String> = signature
            .params
            .iter()
            .enumerate()
            .map(|(index, ty)| match with_names {
                true => format!("{} {}", c_name(*ty), self.locals[index]),
                false => c_name(*ty).to_string(),
            })
            .collect();
        let params =
            if params.is_empty() { self.no_params().to_string() } else { params.join(",") };
        format!("@R {} {}({params})", result_name(signature), self.names.function(function))
    }

    fn prototype(&self, function: u32, symbol: &str) -> String {
        let name = self.names.function(function);
        self.header(function, false).replacen("@R ", "static ", 1).replacen(
            &format!("{name}("),
            &format!("{symbol}("),
            1,
        )
    }

    /// Further export names of functions that have one already.
    fn aliases(&self) -> Vec<String> {
        let exports = self.names.exports.iter();
        let exports = exports.map(|(_, function, symbol)| (symbol, self.names.function(*function)));
        let further = exports.filter(|(symbol, name)| *symbol != name);
        further.map(|(symbol, name)| format!("#define {symbol} {name}\n")).collect()
    }

    fn no_params(&self) -> &'static str {
        if self.options.language == Language::C { "void" } else { "" }
    }

    /// Memory, globals, helpers, and the functions that are used before their definition.
    fn declarations(&mut self, program: &Program<'_>) -> String {
        let module = self.module;
        let full = self.options.checks == Checks::Full;
        let mut out = String::new();
        if full && module.memory.is_some() {
            self.need("@P");
        }
        runtime::close(&mut self.helpers, full);
        if self.helpers.contains("@T") || full {
            let trap = self.options.trap.clone().unwrap_or_else(|| "__builtin_trap()".into());
            out += &format!("#define @T() {trap}\n");
        }
        out += "#define @R static\n";
        let (pages, cap) = program.pages;
        if module.memory.is_some() {
            let bytes = (cap * PAGE_BYTES).max(1);
            out += &format!("static unsigned char @M[{bytes}];\n");
        }
        if self.helpers.contains("@P") {
            out += &format!("static u @P={pages};\n#define @X {cap}u\n");
        }
        for (index, global) in module.globals.iter().enumerate() {
            if program.globals[index] {
                let initial = value::literal(global.initial);
                let name = self.names.global(index as u32);
                let ty = c_name(global.initial.ty);
                // helpers cannot initialize a static in C
                if initial.text.starts_with('@') {
                    out += &format!("static {ty} {name};\n");
                } else {
                    out += &format!("static {ty} {name}={};\n", initial.text);
                }
            }
        }
        for (ty, index) in &self.further {
            out += &format!("static {} @R{index}{};\n", c_name(*ty), c_name(*ty));
        }
        if !program.table.is_empty() {
            out += &self.table_declarations(program, full);
        }
        for (index, segment) in module.data.iter().enumerate() {
            if program.passive[index] {
                let length = if segment.address.is_none() { segment.bytes.len() } else { 0 };
                let bytes: Vec<String> = segment.bytes.iter().map(u8::to_string).collect();
                let list = if bytes.is_empty() { "0".to_string() } else { bytes.join(",") };
                out += &format!(
                    "static const unsigned char @Da{index}[]={{{}}};\nstatic u @Dl{index}={length};\n",
                    wrapped(&list)
                );
            }
        }
        out += &runtime::print(&self.helpers, full);
        for (signature, name) in self.indirect.clone() {
            out += &self.indirect_macro(signature, &name, full);
        }
        for function in &program.forward {
            out += &format!("{};\n", self.header(*function, false));
        }
        out
    }

    fn table_declarations(&self, program: &Program<'_>, full: bool) -> String {
        let length = program.table.len();
        let mut out = format!("typedef void(*@V)({});static @V @Tb[{length}];\n", self.no_params());
        if full {
            let kinds: Vec<String> = program
                .table
                .iter()
                .map(|entry| {
                    entry
                        .map_or(-1, |f| {
                            i64::from(self.names.canonical(self.module.functions[f as usize]))
                        })
                        .to_string()
                })
                .collect();
            out += &format!("static const short @Tk[]={{{}}};\n", kinds.join(","));
            out += &format!(
                "static @V @K(u a,int b){{if(a>={length}||@Tk[a]!=b)@T();return @Tb[a];}}\n"
            );
        }
        out
    }

    /// The macro that makes a table entry callable with a signature.
    fn indirect_macro(&self, signature: u32, name: &str, full: bool) -> String {
        let types = &self.module.signatures[signature as usize];
        let params: Vec<&str> = types.params.iter().map(|ty| c_name(*ty)).collect();
        let params =
            if params.is_empty() { self.no_params().to_string() } else { params.join(",") };
        let entry = match full {
            true => format!("@K(a,{signature})"),
            false => "@Tb[a]".to_string(),
        };
        format!("#define {name}(a) (({}(*)({params})){entry})\n", result_name(types))
    }

    /// The function that fills memory and table; returns the data's literal and the function with a placeholder.
    fn start(&mut self, program: &Program<'_>) -> (String, String) {
        let mut code = String::new();
        let mut data = String::new();
        let encoded = crate::data::encode(&self.module.data);
        if !encoded.text.is_empty() {
            self.need("@Dc");
            code += "@Dc(\n\u{1});";
            let lines: Vec<String> = encoded.lines().map(|line| format!("\"{line}\"")).collect();
            data = lines.join("\n");
        }
        let entries = program.table.iter();
        let entries: Vec<String> = entries
            .map(|entry| match entry {
                Some(function) => format!("(@V){}", self.names.function(*function)),
                None => "0".into(),
            })
            .collect();
        if entries.iter().any(|entry| entry != "0") {
            let list = wrapped(&entries.join(","));
            code += &format!("static const @V t[]={{{list}}};memcpy(@Tb,t,sizeof t);");
        }
        for (index, global) in self.module.globals.iter().enumerate() {
            let initial = value::literal(global.initial);
            if program.globals[index] && initial.text.starts_with('@') {
                let initial = self.note(initial);
                code += &format!("{}={};", self.names.global(index as u32), initial.text);
            }
        }
        if let Some(start) = self.module.start {
            code += &format!("{}();", self.names.function(start));
        }
        (data, format!("static void @initialize({}){{{code}}}\n", self.no_params()))
    }
}

/// Locals whose first mention in the text is an assignment in the function's outermost list.
fn first_sets(body: &Body) -> Vec<Local> {
    let mut mentioned: BTreeSet<Local> = (0..body.params).collect();
    let mut first = Vec::new();
    for statement in &body.statements {
        walk_expressions(std::slice::from_ref(statement), &mut |expr| {
            if let Expr::Local(local) = expr {
                mentioned.insert(*local);
            }
        });
        if let Stmt::Set(local, _) = statement {
            if mentioned.insert(*local) {
                first.push(*local);
            }
            continue;
        }
        walk(std::slice::from_ref(statement), &mut |inner| {
            if let Stmt::Set(local, _) = inner {
                mentioned.insert(*local);
            }
        });
    }
    first
}

fn result_name(signature: &Signature) -> &'static str {
    signature.results.first().map_or("void", |ty| c_name(*ty))
}
