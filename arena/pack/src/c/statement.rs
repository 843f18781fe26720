//! Statements in C.

use super::Printer;
use super::value::level;
use crate::ir::{BinaryOp, Expr, Label, Local, Stmt};
use crate::names;
use crate::structure::{END, labels_after};

/// What `break` and `continue` mean at a place.
#[derive(Debug, Default)]
pub(super) struct Breakable {
    continues: Option<Label>,
    breaks: Vec<Label>,
}

impl Printer<'_> {
    /// Prints a list whose end leads to the labels `fall`.
    pub(super) fn list(&mut self, list: &[Stmt], fall: &[Label]) {
        let mut copied = 0;
        for (index, statement) in list.iter().enumerate() {
            copied = if copied > 0 { copied } else { self.copied_words(&list[index..]) };
            if copied > 0 {
                copied -= 1;
                continue;
            }
            let rest = &list[index + 1..];
            let here = labels_after(rest, fall);
            self.statement(statement, &here);
            if let Stmt::Block(label, _) = statement
                && self.used_labels.contains(label)
            {
                let end = if rest.is_empty() { ":;" } else { ":" };
                self.out += &format!("{}{end}", names::short(*label as usize));
            }
        }
    }

    fn statement(&mut self, statement: &Stmt, here: &[Label]) {
        match statement {
            Stmt::Set(local, value) => self.set(*local, value),
            Stmt::SetGlobal(global, value) => {
                let name = self.names.global(*global);
                let same = |expr: &Expr| *expr == Expr::Global(*global);
                self.assign(&name, value, &same);
            }
            Stmt::Store(access, offset, address, value) => {
                let target = self.access(*access, *offset, address).text;
                let same = |expr: &Expr| match expr {
                    Expr::Load(read, at, from) => {
                        read.bytes == access.bytes
                            && !read.signed
                            && at == offset
                            && **from == *address
                            && !has_call(address)
                    }
                    _ => false,
                };
                self.assign(&target, value, &same);
            }
            Stmt::Do(value) => {
                let text = self.argument(value);
                self.out += &format!("{text};");
            }
            Stmt::Block(label, body) => {
                let mut fall = here.to_vec();
                fall.push(*label);
                self.list(body, &fall);
            }
            Stmt::Loop(..) => unreachable!("structured"),
            Stmt::Forever(label, body) => self.forever(*label, body, here),
            Stmt::DoWhile(body, condition) => {
                self.out += "do{";
                self.breakable(None, here, |printer| printer.list(body, &[]));
                let condition = self.condition(condition).text;
                self.out += &format!("}}while({condition});");
            }
            Stmt::If(condition, yes, no) => self.conditional(condition, yes, no, here),
            Stmt::Switch(index, labels) => self.switch(index, labels, here),
            Stmt::Branch(label) => self.branch(*label),
            Stmt::Return(values) => self.returns(values),
            Stmt::Trap => {
                self.need("@T");
                self.out += "@T();";
            }
            Stmt::MemoryCopy(three) if self.fixed_copy(three) => {}
            Stmt::MemoryCopy(three) => self.bulk("@Mc", three),
            Stmt::MemoryFill(three) => self.bulk("@Mf", three),
            Stmt::MemoryInit(segment, three) => {
                self.need("@Mi");
                let three: Vec<String> = three.iter().map(|e| self.argument(e)).collect();
                self.out += &format!("@Mi(@Da{segment},@Dl{segment},{});", three.join(","));
            }
            Stmt::DataDrop(segment) => self.out += &format!("@Dl{segment}=0;"),
        }
    }

    fn bulk(&mut self, helper: &str, three: &[Expr; 3]) {
        self.need(helper);
        let three: Vec<String> = three.iter().map(|e| self.argument(e)).collect();
        self.out += &format!("{helper}({});", three.join(","));
    }

    fn set(&mut self, local: Local, value: &Expr) {
        let name = self.local_name(local);
        self.assign(&name, value, &|expr| *expr == Expr::Local(local));
    }

    /// Prints an assignment, as a compound one if the value starts from the target's own; `same` recognizes that.
    fn assign(&mut self, target: &str, value: &Expr, same: &dyn Fn(&Expr) -> bool) {
        use BinaryOp as B;
        if let Expr::Binary(op, ty, left, right) = value {
            let commutes = matches!(op, B::Add | B::And | B::Or | B::Xor | B::Mul);
            let other = if same(left) {
                Some(right)
            } else if commutes && same(right) {
                Some(left)
            } else {
                None
            };
            let symbol = match op {
                B::Add => Some("+"),
                B::Sub => Some("-"),
                B::Mul => Some("*"),
                B::And => Some("&"),
                B::Or => Some("|"),
                B::Xor => Some("^"),
                _ => None,
            };
            if let (Some(other), Some(symbol)) = (other, symbol)
                && (!ty.is_float() || matches!(op, B::Add | B::Sub | B::Mul))
            {
                return self.compound(target, symbol, *ty, other);
            }
        }
        let value = self.argument(value);
        self.out += &format!("{target}={value};");
    }

    fn compound(&mut self, target: &str, symbol: &str, ty: crate::ir::Type, other: &Expr) {
        let text = self.argument(other);
        if ty.is_float() || !matches!(symbol, "+" | "-") {
            self.out += &format!("{target}{symbol}={text};");
            return;
        }
        let (symbol, text) = match (symbol, text.strip_prefix('-')) {
            ("+", Some(opposite)) if other.constant().is_some() => ("-", opposite.to_string()),
            ("-", Some(opposite)) if other.constant().is_some() => ("+", opposite.to_string()),
            _ => (symbol, text),
        };
        if text == "1" {
            self.out += &format!("{target}{symbol}{symbol};");
        } else {
            self.out += &format!("{target}{symbol}={text};");
        }
    }

    fn breakable(
        &mut self,
        continues: Option<Label>,
        breaks: &[Label],
        body: impl FnOnce(&mut Self),
    ) {
        let inner = Breakable { continues, breaks: breaks.to_vec() };
        let outer = std::mem::replace(&mut self.breakable, inner);
        body(self);
        self.breakable = outer;
    }

    fn forever(&mut self, label: Label, body: &[Stmt], here: &[Label]) {
        let before = std::mem::take(&mut self.out);
        let mut body = body;
        let mut head = "for(;;)".to_string();
        if let Some(Stmt::If(condition, yes, no)) = body.first()
            && no.is_empty()
            && let [Stmt::Branch(target)] = yes[..]
            && here.contains(&target)
        {
            let condition = self.condition(&condition.clone().negated()).text;
            head = format!("while({condition})");
            body = &body[1..];
        }
        self.breakable(Some(label), here, |printer| printer.list(body, &[label]));
        let body = std::mem::replace(&mut self.out, before);
        if self.used_labels.contains(&label) {
            self.out += &format!("{}:", names::short(label as usize));
        }
        self.out += &format!("{head}{{{body}}}");
    }

    fn conditional(&mut self, condition: &Expr, yes: &[Stmt], no: &[Stmt], here: &[Label]) {
        let text = self.condition(condition).text;
        self.out += &format!("if({text})");
        self.body(yes, here, !no.is_empty());
        if !no.is_empty() {
            self.out += "else";
            let start = self.out.len();
            self.body(no, here, false);
            if !self.out[start..].starts_with('{') {
                self.out.insert(start, ' ');
            }
        }
    }

    /// The body of an `if`, in braces if it needs them.
    fn body(&mut self, list: &[Stmt], here: &[Label], before_else: bool) {
        let plain = match list {
            [Stmt::Block(..) | Stmt::Forever(..)] => false,
            [Stmt::If(..) | Stmt::DoWhile(..) | Stmt::Switch(..)] => !before_else,
            [Stmt::Return(values)] => values.len() < 2,
            [_] => true,
            _ => false,
        };
        if plain {
            self.list(list, here);
        } else {
            self.out += "{";
            self.list(list, here);
            self.out += "}";
        }
    }

    fn switch(&mut self, index: &Expr, labels: &[Label], here: &[Label]) {
        let index = self.condition(index).text;
        let Some((default, cases)) = labels.split_last() else { return };
        self.out += &format!("switch({index}){{");
        let continues = self.breakable.continues;
        let mut done: Vec<Label> = vec![*default];
        for label in cases {
            if done.contains(label) {
                continue;
            }
            done.push(*label);
            for (number, other) in cases.iter().enumerate() {
                if other == label {
                    self.out += &format!("case {number}:");
                }
            }
            self.breakable(continues, here, |printer| printer.branch(*label));
        }
        if !here.contains(default) {
            self.out += "default:";
            self.breakable(continues, here, |printer| printer.branch(*default));
        }
        self.out += "}";
    }

    fn branch(&mut self, label: Label) {
        if label == END {
            self.out += "return;";
        } else if self.breakable.breaks.contains(&label) {
            self.out += "break;";
        } else if self.breakable.continues == Some(label) {
            self.out += "continue;";
        } else {
            self.used_labels.insert(label);
            self.out += &format!("goto {};", names::short(label as usize));
        }
    }

    fn returns(&mut self, values: &[Expr]) {
        let Some((first, further)) = values.split_first() else {
            self.out += "return;";
            return;
        };
        // a value may be the further result of an earlier call, so none is overwritten before all are read
        let plain = further.iter().all(|value| value.constant().is_some() || is_local(value));
        assert!(plain, "further results are locals or constants");
        let first = self.expr(first);
        for (index, value) in further.iter().enumerate() {
            let ty = self.type_of(value);
            let name = self.further_result(ty, index as u32 + 1);
            let value = self.argument(value);
            self.out += &format!("{name}={value};");
        }
        let first = if first.level > level::ATOM { first.text } else { first.at(0) };
        let space = if first.starts_with('(') || first.starts_with('-') || first.starts_with('!') {
            ""
        } else {
            " "
        };
        self.out += &format!("return{space}{first};");
    }
}

fn is_local(value: &Expr) -> bool {
    matches!(value, Expr::Local(_))
}

fn has_call(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found |= matches!(part, Expr::Call(..) | Expr::CallIndirect(..) | Expr::MemoryGrow(_));
    });
    found
}
