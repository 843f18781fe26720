//! Statements in Rust.

use super::Printer;
use super::expression::{access_name, rust_name};
use crate::ir::{Expr, Label, Stmt};
use crate::names;
use crate::structure::{END, mentions};

impl Printer<'_> {
    pub(super) fn list(&mut self, list: &[Stmt]) {
        for statement in list {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Set(local, value) => {
                let value = self.argument(value);
                self.out += &format!("{}={value};", self.locals[*local as usize]);
            }
            Stmt::SetGlobal(global, value) => {
                let value = self.argument(value);
                let name = self.plain(&self.names.global(*global));
                self.out += &format!("{name}={value};");
            }
            Stmt::Store(..) => self.store(statement),
            Stmt::Do(value) => {
                let text = self.argument(value);
                self.out += &format!("{text};");
            }
            Stmt::Block(label, body) => {
                self.out += &format!("{}{{", name(*label));
                self.list(body);
                self.out += "}";
            }
            Stmt::Loop(..) => unreachable!("structured"),
            Stmt::Forever(label, body) => {
                let name = if mentions(body, *label) { name(*label) } else { String::new() };
                self.out += &format!("{name}loop{{");
                self.list(body);
                self.out += "}";
            }
            Stmt::DoWhile(body, condition) => {
                self.out += "loop{";
                self.list(body);
                let condition = self.condition(condition);
                self.out += &format!("if !({condition}){{break;}}}}");
            }
            Stmt::If(condition, yes, no) => {
                let condition = self.condition(condition);
                self.out += &format!("if {condition}{{");
                self.list(yes);
                self.out += "}";
                if !no.is_empty() {
                    self.out += "else{";
                    self.list(no);
                    self.out += "}";
                }
            }
            Stmt::Switch(index, labels) => self.switch(index, labels),
            Stmt::Branch(label) => {
                let text = self.branch(*label);
                self.out += &format!("{text};");
            }
            Stmt::Return(values) => self.returns(values),
            Stmt::Trap => self.out += "T();",
            Stmt::MemoryCopy(three) => self.bulk("Mc", three),
            Stmt::MemoryFill(three) => self.bulk("Mf", three),
            Stmt::MemoryInit(segment, three) => self.bulk(&format!("Mi{segment}"), three),
            Stmt::DataDrop(segment) => self.out += &format!("Dl{segment}=0;"),
        }
    }

    fn store(&mut self, statement: &Stmt) {
        let Stmt::Store(access, offset, address, value) = statement else { return };
        let name = access_name(*access);
        let (address, value) = (self.argument(address), self.receiver(value).text);
        let narrow = match (access.ty.bits(), access.bytes) {
            (64, 4) => " as u",
            (_, 2) => " as u16",
            (_, 1) => " as u8",
            _ => "",
        };
        let value = if narrow.is_empty() { value } else { format!("({value}){narrow}") };
        self.out += &format!("{name}s({address},{offset},{value});");
    }

    fn bulk(&mut self, helper: &str, three: &[Expr; 3]) {
        let three: Vec<String> = three.iter().map(|e| self.argument(e)).collect();
        self.out += &format!("{helper}({});", three.join(","));
    }

    fn switch(&mut self, index: &Expr, labels: &[Label]) {
        let index = self.receiver(index).text;
        let Some((default, cases)) = labels.split_last() else { return };
        self.out += &format!("match {index}{{");
        let mut done: Vec<Label> = vec![*default];
        for label in cases {
            if done.contains(label) {
                continue;
            }
            done.push(*label);
            let same = cases.iter().enumerate().filter(|(_, other)| *other == label);
            let numbers: Vec<String> = same.map(|(number, _)| number.to_string()).collect();
            let branch = self.branch(*label);
            self.out += &format!("{}=>{branch},", numbers.join("|"));
        }
        let branch = self.branch(*default);
        self.out += &format!("_=>{branch}}}");
    }

    fn branch(&self, label: Label) -> String {
        let word = if self.loops.contains(&label) { "continue" } else { "break" };
        match label {
            END => "return".into(),
            _ => format!("{word} '{}", names::short(label as usize)),
        }
    }

    fn returns(&mut self, values: &[Expr]) {
        let Some((first, further)) = values.split_first() else {
            self.out += "return;";
            return;
        };
        let first = self.argument(first);
        for (index, value) in further.iter().enumerate() {
            let ty = self.type_of(value);
            let index = index as u32 + 1;
            self.further.insert((ty, index));
            let value = self.argument(value);
            self.out += &format!("R{index}{}={value};", rust_name(ty));
        }
        self.out += &format!("return {first};");
    }
}

fn name(label: Label) -> String {
    format!("'{}:", names::short(label as usize))
}
