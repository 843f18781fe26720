//! What is printed: the functions that can be reached, in an order that needs few declarations, with their names.

use crate::error::Error;
use crate::ir::{Body, Expr, Stmt, Type, walk, walk_expressions, walk_mut};
use crate::module::{Module, PAGE_BYTES};
use crate::{Checks, Options, builtins, decode, locals, names, structure, traps};
use std::collections::{BTreeMap, BTreeSet};

/// A module ready to be printed.
pub(crate) struct Program<'a> {
    pub(crate) module: Module<'a>,
    pub(crate) names: Names,
    /// In the order of their definitions.
    pub(crate) functions: Vec<(u32, Body)>,
    /// Functions that are called before their definition.
    pub(crate) forward: Vec<u32>,
    /// The table without the entries that no indirect call can reach.
    pub(crate) table: Vec<Option<u32>>,
    /// Which globals are variables.
    pub(crate) globals: Vec<bool>,
    /// Which data segments are read while the module runs.
    pub(crate) passive: Vec<bool>,
    /// Pages of memory at the start and at most.
    pub(crate) pages: (u64, u64),
}

/// File-scope names; `@` stands for the prefix.
#[derive(Debug, Default)]
pub(crate) struct Names {
    functions: BTreeMap<u32, String>,
    /// Export names with their functions and symbols.
    pub(crate) exports: Vec<(String, u32, String)>,
    globals: Vec<String>,
    signatures: Vec<u32>,
}

impl Names {
    pub(crate) fn function(&self, function: u32) -> String {
        self.functions.get(&function).cloned().unwrap_or_default()
    }

    pub(crate) fn global(&self, global: u32) -> String {
        self.globals[global as usize].clone()
    }

    /// The first signature equal to this one.
    pub(crate) fn canonical(&self, signature: u32) -> u32 {
        self.signatures[signature as usize]
    }
}

/// The type of an expression in a function with these locals.
pub(crate) fn type_of(module: &Module<'_>, locals: &[Type], expr: &Expr) -> Type {
    match expr {
        Expr::Const(constant) => constant.ty,
        Expr::Local(local) => locals[*local as usize],
        Expr::Global(global) => module.globals[*global as usize].initial.ty,
        Expr::Unary(_, _, to, _) => *to,
        Expr::Binary(op, ty, ..) if !op.is_comparison() => *ty,
        Expr::Binary(..) | Expr::MemorySize | Expr::MemoryGrow(_) => Type::I32,
        Expr::Load(access, ..) => access.ty,
        Expr::Select(three) => type_of(module, locals, &three[1]),
        Expr::Call(function, _) => module.signature(*function).results[0],
        Expr::CallIndirect(signature, ..) => module.signatures[*signature as usize].results[0],
        Expr::Result(ty, _) => *ty,
    }
}

impl<'a> Program<'a> {
    /// Decodes and simplifies everything that the exports reach.
    pub(crate) fn new(wasm: &'a [u8], options: &Options) -> Result<Self, Error> {
        let module = Module::read(wasm)?;
        let signatures = (0..module.signatures.len())
            .map(|index| {
                let same = |other: &usize| module.signatures[*other] == module.signatures[index];
                (0..index).find(same).unwrap_or(index) as u32
            })
            .collect();
        let mut names = Names { signatures, ..Names::default() };
        let pages = pages(&module, options)?;
        let mut reached = Reached::default();
        reached.run(&module, &names, options)?;
        let mut bodies = reached.bodies;
        fold_constant_globals(&module, &mut bodies);
        bodies.values_mut().for_each(structure::structure);
        let mut table = reached.table;
        if options.checks == Checks::Trusted {
            traps::shorten(&mut bodies);
            table = retain_reachable(&module, &names, &mut bodies, &table);
        }
        bodies.values_mut().for_each(locals::tidy);
        let order = order(&module, &bodies, &table);
        names.choose(&module, &bodies);
        let (globals, passive) = used(&module, &bodies);
        let functions = order.functions;
        let functions = functions
            .into_iter()
            .filter_map(|function| bodies.remove(&function).map(|body| (function, body)))
            .collect();
        let forward = order.forward;
        Ok(Program { module, names, functions, forward, table, globals, passive, pages })
    }
}

impl Program<'_> {
    /// The compiler's name of a function; empty if there is none.
    pub(crate) fn symbol(&self, function: u32) -> String {
        self.module.symbols.get(&function).map_or_else(String::new, |name| (*name).to_owned())
    }
}

fn pages(module: &Module<'_>, options: &Options) -> Result<(u64, u64), Error> {
    let Some((initial, maximum)) = module.memory else { return Ok((0, 0)) };
    // a 32-bit index reaches 65536 pages
    let cap = (options.memory_cap_bytes / PAGE_BYTES).min(65536).min(maximum.unwrap_or(65536));
    if initial > cap {
        return Err(Error::Memory {
            needed_bytes: initial * PAGE_BYTES,
            cap_bytes: options.memory_cap_bytes,
        });
    }
    Ok((initial, cap))
}

/// Functions that exports, the start function and indirect calls reach.
#[derive(Default)]
struct Reached {
    bodies: BTreeMap<u32, Body>,
    signatures: BTreeSet<u32>,
    table: Vec<Option<u32>>,
}

impl Reached {
    fn run(&mut self, module: &Module<'_>, names: &Names, options: &Options) -> Result<(), Error> {
        let mut todo: Vec<u32> = module.exports.values().copied().collect();
        todo.extend(module.start);
        loop {
            while let Some(function) = todo.pop() {
                if function < module.first_defined() || self.bodies.contains_key(&function) {
                    continue;
                }
                let body = &module.bodies[(function - module.first_defined()) as usize];
                let body = match builtins::body(module, function) {
                    Some(body) if options.checks == Checks::Trusted => body,
                    _ => decode::decode(module, function, body, options.checks)?,
                };
                walk_expressions(&body.statements, &mut |expr| match expr {
                    Expr::Call(callee, _) => todo.push(*callee),
                    Expr::CallIndirect(signature, ..) => {
                        self.signatures.insert(names.canonical(*signature));
                    }
                    _ => {}
                });
                self.bodies.insert(function, body);
            }
            let callable = |function: &u32| {
                let signature = module.functions[*function as usize];
                self.signatures.contains(&names.canonical(signature))
            };
            let entry = |entry: &Option<u32>| entry.filter(callable);
            self.table = match self.signatures.is_empty() {
                true => Vec::new(),
                false => module.table.iter().map(entry).collect(),
            };
            let missing = |function: &u32| {
                *function >= module.first_defined() && !self.bodies.contains_key(function)
            };
            todo = self.table.iter().copied().flatten().filter(missing).collect();
            if todo.is_empty() {
                return Ok(());
            }
        }
    }
}

/// Drops functions that simplification has made unreachable; returns the table without them.
fn retain_reachable(
    module: &Module<'_>,
    names: &Names,
    bodies: &mut BTreeMap<u32, Body>,
    table: &[Option<u32>],
) -> Vec<Option<u32>> {
    let mut todo: Vec<u32> = module.exports.values().copied().chain(module.start).collect();
    let mut reached = BTreeSet::new();
    let mut signatures = BTreeSet::new();
    let signature = |function: u32| names.canonical(module.functions[function as usize]);
    loop {
        while let Some(function) = todo.pop() {
            if !reached.insert(function) {
                continue;
            }
            let Some(body) = bodies.get(&function) else { continue };
            walk_expressions(&body.statements, &mut |expr| match expr {
                Expr::Call(callee, _) => todo.push(*callee),
                Expr::CallIndirect(signature, ..) => {
                    signatures.insert(names.canonical(*signature));
                }
                _ => {}
            });
        }
        let callable = |function: &u32| signatures.contains(&signature(*function));
        let entries = table.iter().copied().flatten().filter(callable);
        todo.extend(entries.filter(|function| !reached.contains(function)));
        if todo.is_empty() {
            break;
        }
    }
    bodies.retain(|function, _| reached.contains(function));
    if signatures.is_empty() {
        return Vec::new();
    }
    let kept = |function: &u32| signatures.contains(&signature(*function));
    table.iter().map(|entry| entry.filter(kept)).collect()
}

/// Globals that nothing sets are constants.
fn fold_constant_globals(module: &Module<'_>, bodies: &mut BTreeMap<u32, Body>) {
    let mut set = vec![false; module.globals.len()];
    for body in bodies.values() {
        walk(&body.statements, &mut |statement| {
            if let Stmt::SetGlobal(global, _) = statement {
                set[*global as usize] = true;
            }
        });
    }
    for body in bodies.values_mut() {
        walk_mut(&mut body.statements, &mut |statement| {
            statement.expressions_mut(&mut |expr| fold_globals(module, &set, expr));
        });
    }
}

fn fold_globals(module: &Module<'_>, set: &[bool], expr: &mut Expr) {
    if let Expr::Global(global) = expr
        && !set[*global as usize]
    {
        *expr = Expr::Const(module.globals[*global as usize].initial);
    }
    expr.operands_mut(&mut |operand| fold_globals(module, set, operand));
}

/// Which globals, and which data segments by `memory.init`, the functions use.
fn used(module: &Module<'_>, bodies: &BTreeMap<u32, Body>) -> (Vec<bool>, Vec<bool>) {
    let mut globals = vec![false; module.globals.len()];
    let mut passive = vec![false; module.data.len()];
    for body in bodies.values() {
        walk_expressions(&body.statements, &mut |expr| {
            if let Expr::Global(global) = expr {
                globals[*global as usize] = true;
            }
        });
        walk(&body.statements, &mut |statement| match statement {
            Stmt::SetGlobal(global, _) => globals[*global as usize] = true,
            Stmt::MemoryInit(segment, _) | Stmt::DataDrop(segment) => {
                passive[*segment as usize] = true;
            }
            _ => {}
        });
    }
    (globals, passive)
}

struct Order {
    functions: Vec<u32>,
    forward: Vec<u32>,
}

/// Callees before callers; where calls are recursive, some functions are declared before.
fn order(module: &Module<'_>, bodies: &BTreeMap<u32, Body>, table: &[Option<u32>]) -> Order {
    let mut callees: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (function, body) in bodies {
        let list = callees.entry(*function).or_default();
        walk_expressions(&body.statements, &mut |expr| {
            if let Expr::Call(callee, _) = expr {
                list.push(*callee);
            }
        });
    }
    let mut order = Order { functions: Vec::new(), forward: Vec::new() };
    let mut state: BTreeMap<u32, bool> = BTreeMap::new();
    let roots = module.exports.values().copied().chain(module.start);
    let roots = roots.chain(table.iter().copied().flatten());
    for root in roots {
        // depth first, without recursion: a function and how many of its callees are done
        let mut stack = vec![(root, 0)];
        while let Some((function, next)) = stack.pop() {
            let Some(list) = callees.get(&function) else {
                if !order.forward.contains(&function) {
                    order.forward.push(function);
                }
                continue;
            };
            if next == 0 && state.contains_key(&function) {
                continue;
            }
            state.entry(function).or_insert(false);
            match list.get(next) {
                Some(callee) => {
                    stack.push((function, next + 1));
                    match state.get(callee) {
                        None => stack.push((*callee, 0)),
                        Some(false) if !order.forward.contains(callee) => {
                            order.forward.push(*callee);
                        }
                        _ => {}
                    }
                }
                None => {
                    state.insert(function, true);
                    order.functions.push(function);
                }
            }
        }
    }
    order
}

impl Names {
    /// Gives the shortest names to what is used most.
    fn choose(&mut self, module: &Module<'_>, bodies: &BTreeMap<u32, Body>) {
        let mut calls: BTreeMap<u32, u32> = bodies.keys().map(|function| (*function, 0)).collect();
        let mut globals = vec![0; module.globals.len()];
        for body in bodies.values() {
            walk_expressions(&body.statements, &mut |expr| match expr {
                Expr::Call(callee, _) => *calls.entry(*callee).or_default() += 1,
                Expr::Global(global) => globals[*global as usize] += 1,
                _ => {}
            });
            walk(&body.statements, &mut |statement| {
                if let Stmt::SetGlobal(global, _) = statement {
                    globals[*global as usize] += 1;
                }
            });
        }
        for (index, import) in module.imports.iter().enumerate() {
            let module = names::sanitized(&import.module);
            let name = format!("@i_{module}_{}", names::sanitized(&import.name));
            self.functions.insert(index as u32, name);
        }
        let functions: Vec<u32> =
            calls.keys().copied().filter(|f| *f >= module.first_defined()).collect();
        let uses: Vec<u32> = functions.iter().map(|function| calls[function]).collect();
        for (rank, index) in names::by_use(&uses).into_iter().enumerate() {
            self.functions.insert(functions[index], format!("@{}", names::function(rank)));
        }
        let mut symbols = BTreeSet::new();
        for (name, function) in &module.exports {
            let mut symbol = format!("@m_{}", names::sanitized(name));
            while !symbols.insert(symbol.clone()) {
                symbol.push('_');
            }
            let first = !self.exports.iter().any(|(_, other, _)| other == function);
            if first && *function >= module.first_defined() {
                self.functions.insert(*function, symbol.clone());
            }
            self.exports.push((name.clone(), *function, symbol));
        }
        self.globals = vec![String::new(); globals.len()];
        for (rank, global) in names::by_use(&globals).into_iter().enumerate() {
            self.globals[global] = format!("@{}", names::global(rank));
        }
    }
}
