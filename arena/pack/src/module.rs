//! A module as read from its binary form; function bodies are still bytes.

use crate::error::{Error, unsupported};
use crate::ir::{Constant, Signature, Type};
use std::collections::BTreeMap;
use wasmparser::{
    ConstExpr, CustomSectionReader, Data, DataKind, Element, ElementItems, ElementKind,
    ExternalKind, FunctionBody, KnownCustom, Name, Operator, Parser, Payload, TableInit, TypeRef,
    ValType, Validator, WasmFeatures,
};

/// Bytes of a page of linear memory.
pub(crate) const PAGE_BYTES: u64 = 1 << 16;

/// Longest table that is accepted: its entries become text.
const MAX_TABLE_ENTRIES: u64 = 1 << 16;

/// An imported function.
#[derive(Debug, Clone)]
pub(crate) struct Import {
    pub(crate) module: String,
    pub(crate) name: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Global {
    pub(crate) mutable: bool,
    pub(crate) initial: Constant,
}

#[derive(Debug, Clone)]
pub(crate) struct Segment {
    /// Where it is copied at the start; passive segments have no place.
    pub(crate) address: Option<u32>,
    pub(crate) bytes: Vec<u8>,
}

/// A validated module that uses nothing unsupported outside its function bodies.
#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    pub(crate) signatures: Vec<Signature>,
    pub(crate) imports: Vec<Import>,
    /// The signature of each function, imports first.
    pub(crate) functions: Vec<u32>,
    /// Bodies of the functions that are not imported.
    pub(crate) bodies: Vec<FunctionBody<'a>>,
    /// Initial and maximum size in pages.
    pub(crate) memory: Option<(u64, Option<u64>)>,
    pub(crate) globals: Vec<Global>,
    pub(crate) table: Vec<Option<u32>>,
    pub(crate) exports: BTreeMap<String, u32>,
    pub(crate) start: Option<u32>,
    pub(crate) data: Vec<Segment>,
    /// Names of functions as the compiler wrote them, if it did.
    pub(crate) symbols: BTreeMap<u32, &'a str>,
}

/// The supported value type.
pub(crate) fn value_type(ty: ValType, offset: u64) -> Result<Type, Error> {
    Ok(match ty {
        ValType::I32 => Type::I32,
        ValType::I64 => Type::I64,
        ValType::F32 => Type::F32,
        ValType::F64 => Type::F64,
        other => return Err(unsupported(format!("type {other}"), offset)),
    })
}

impl<'a> Module<'a> {
    /// Validates and reads a module.
    pub(crate) fn read(wasm: &'a [u8]) -> Result<Self, Error> {
        Validator::new_with_features(WasmFeatures::all()).validate_all(wasm)?;
        let mut module = Module::default();
        for payload in Parser::new(0).parse_all(wasm) {
            module.read_payload(payload?)?;
        }
        Ok(module)
    }

    /// The signature of a function.
    pub(crate) fn signature(&self, function: u32) -> &Signature {
        &self.signatures[self.functions[function as usize] as usize]
    }

    /// Index of the first function that is not imported.
    pub(crate) fn first_defined(&self) -> u32 {
        self.imports.len() as u32
    }

    fn read_payload(&mut self, payload: Payload<'a>) -> Result<(), Error> {
        match payload {
            Payload::TypeSection(section) => {
                let offset = section.range().start;
                for ty in section.into_iter_err_on_gc_types() {
                    self.signatures.push(signature(&ty?, offset)?);
                }
            }
            Payload::ImportSection(section) => self.read_imports(section)?,
            Payload::FunctionSection(section) => {
                for ty in section {
                    self.functions.push(ty?);
                }
            }
            Payload::TableSection(section) => self.read_tables(section)?,
            Payload::MemorySection(section) => self.read_memories(section)?,
            Payload::GlobalSection(section) => {
                for item in section.into_iter_with_offsets() {
                    let (offset, global) = item?;
                    let initial = self.evaluate(&global.init_expr, offset)?;
                    self.globals.push(Global { mutable: global.ty.mutable, initial });
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    if export.kind == ExternalKind::Func {
                        self.exports.insert(export.name.to_string(), export.index);
                    }
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(section) => {
                for item in section.into_iter_with_offsets() {
                    let (offset, element) = item?;
                    self.read_element(element, offset)?;
                }
            }
            Payload::DataSection(section) => {
                for item in section.into_iter_with_offsets() {
                    let (offset, data) = item?;
                    self.read_data(&data, offset)?;
                }
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::CustomSection(section) => self.read_symbols(&section),
            Payload::TagSection(section) => {
                return Err(unsupported("exception tags", section.range().start));
            }
            _ => {}
        }
        Ok(())
    }

    /// Names change nothing that is computed, so damaged ones are passed over.
    fn read_symbols(&mut self, section: &CustomSectionReader<'a>) {
        let KnownCustom::Name(subsections) = section.as_known() else { return };
        for subsection in subsections.into_iter().map_while(Result::ok) {
            if let Name::Function(names) = subsection {
                let names = names.into_iter().map_while(Result::ok);
                self.symbols.extend(names.map(|naming| (naming.index, naming.name)));
            }
        }
    }

    fn read_imports(&mut self, section: wasmparser::ImportSectionReader<'a>) -> Result<(), Error> {
        let offset = section.range().start;
        for import in section.into_imports() {
            let import = import?;
            match import.ty {
                TypeRef::Func(ty) | TypeRef::FuncExact(ty) => {
                    self.functions.push(ty);
                    self.imports.push(Import {
                        module: import.module.to_string(),
                        name: import.name.to_string(),
                    });
                }
                _ => {
                    let what =
                        format!("import of `{}.{}`, not a function", import.module, import.name);
                    return Err(unsupported(what, offset));
                }
            }
        }
        Ok(())
    }

    fn read_tables(&mut self, section: wasmparser::TableSectionReader<'a>) -> Result<(), Error> {
        for item in section.into_iter_with_offsets() {
            let (offset, table) = item?;
            let plain = matches!(table.init, TableInit::RefNull) && !table.ty.table64;
            if !plain || !self.table.is_empty() {
                return Err(unsupported("more than one table, or an initialized one", offset));
            }
            if table.ty.initial > MAX_TABLE_ENTRIES {
                return Err(unsupported(format!("table of {} entries", table.ty.initial), offset));
            }
            self.table = vec![None; table.ty.initial as usize];
        }
        Ok(())
    }

    fn read_memories(&mut self, section: wasmparser::MemorySectionReader<'a>) -> Result<(), Error> {
        for item in section.into_iter_with_offsets() {
            let (offset, memory) = item?;
            if memory.memory64 || memory.shared || memory.page_size_log2.is_some() {
                return Err(unsupported("64-bit, shared or custom-page memory", offset));
            }
            if self.memory.is_some() {
                return Err(unsupported("more than one memory", offset));
            }
            self.memory = Some((memory.initial, memory.maximum));
        }
        Ok(())
    }

    fn read_element(&mut self, element: Element<'a>, offset: u64) -> Result<(), Error> {
        let offset_expr = match element.kind {
            ElementKind::Active { offset_expr, .. } => offset_expr,
            // without `table.init`, what they hold cannot be reached
            ElementKind::Passive | ElementKind::Declared => return Ok(()),
        };
        let start = self.evaluate(&offset_expr, offset)?.bits as usize;
        let ElementItems::Functions(items) = element.items else {
            return Err(unsupported("element segment of expressions", offset));
        };
        for (index, function) in items.into_iter().enumerate() {
            let entry = start.checked_add(index).and_then(|at| self.table.get_mut(at));
            *entry.ok_or_else(|| out_of_bounds("an element segment", offset))? = Some(function?);
        }
        if start > self.table.len() {
            return Err(out_of_bounds("an element segment", offset));
        }
        Ok(())
    }

    fn read_data(&mut self, data: &Data<'a>, offset: u64) -> Result<(), Error> {
        let address = match &data.kind {
            DataKind::Passive => None,
            DataKind::Active { offset_expr, .. } => {
                Some(self.evaluate(offset_expr, offset)?.bits as u32)
            }
        };
        let memory_bytes = self.memory.map_or(0, |(pages, _)| pages * PAGE_BYTES);
        if address.is_some_and(|at| u64::from(at) + data.data.len() as u64 > memory_bytes) {
            return Err(out_of_bounds("a data segment", offset));
        }
        self.data.push(Segment { address, bytes: data.data.to_vec() });
        Ok(())
    }

    /// The value of a constant expression.
    fn evaluate(&self, expression: &ConstExpr<'a>, offset: u64) -> Result<Constant, Error> {
        let mut operators = expression.get_operators_reader();
        let operator = operators.read()?;
        let value = match operator {
            Operator::I32Const { value } => {
                Constant { ty: Type::I32, bits: u64::from(value.cast_unsigned()) }
            }
            Operator::I64Const { value } => Constant { ty: Type::I64, bits: value.cast_unsigned() },
            Operator::F32Const { value } => Constant { ty: Type::F32, bits: value.bits().into() },
            Operator::F64Const { value } => Constant { ty: Type::F64, bits: value.bits() },
            Operator::GlobalGet { global_index } => self.globals[global_index as usize].initial,
            other => return Err(unsupported(format!("constant expression {other:?}"), offset)),
        };
        match operators.read()? {
            Operator::End => Ok(value),
            other => Err(unsupported(format!("constant expression {other:?}"), offset)),
        }
    }
}

fn out_of_bounds(what: &str, offset: u64) -> Error {
    Error::Invalid { message: format!("{what} is out of bounds"), offset }
}

fn signature(ty: &wasmparser::FuncType, offset: u64) -> Result<Signature, Error> {
    let types = |list: &[ValType]| -> Result<Vec<Type>, Error> {
        list.iter().map(|ty| value_type(*ty, offset)).collect()
    };
    Ok(Signature { params: types(ty.params())?, results: types(ty.results())? })
}
