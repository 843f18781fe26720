//! Expressions in Rust: every value has its exact type, comparisons are `bool` until they are used as numbers.

use super::Printer;
use crate::ir::{Access, BinaryOp, Constant, Expr, Type, UnaryOp};

/// Binding strength, the strongest highest.
mod level {
    pub(super) const ATOM: u8 = 16;
    pub(super) const UNARY: u8 = 14;
    pub(super) const MULTIPLY: u8 = 13;
    pub(super) const ADD: u8 = 12;
    pub(super) const SHIFT: u8 = 11;
    pub(super) const AND: u8 = 10;
    pub(super) const XOR: u8 = 9;
    pub(super) const OR: u8 = 8;
    pub(super) const ORDER: u8 = 7;
    pub(super) const BOTH: u8 = 6;
    pub(super) const EITHER: u8 = 5;
    /// Casts and conditionals are put into parentheses wherever they are operands.
    pub(super) const LOOSE: u8 = 1;
}

/// A printed expression.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) text: String,
    level: u8,
    truth: bool,
}

impl Text {
    fn new(text: impl Into<String>, level: u8) -> Text {
        Text { text: text.into(), level, truth: false }
    }

    fn at(&self, level: u8) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }

    fn cast(&self, to: &str) -> Text {
        Text::new(format!("{} as {to}", self.at(level::UNARY)), level::LOOSE)
    }
}

/// The name of a type in the generated source.
pub(super) fn rust_name(ty: Type) -> &'static str {
    match ty {
        Type::I32 => "u",
        Type::I64 => "U",
        Type::F32 => "f",
        Type::F64 => "d",
    }
}

fn signed_name(ty: Type) -> &'static str {
    if ty == Type::I32 { "i" } else { "L" }
}

pub(super) fn literal(constant: Constant) -> String {
    match constant.ty {
        Type::I32 | Type::I64 => constant.bits.to_string(),
        Type::F32 => {
            let value = f32::from_bits(constant.bits as u32);
            if value.is_finite() {
                format!("{value:?}")
            } else {
                format!("f::from_bits({})", constant.bits)
            }
        }
        Type::F64 => {
            let value = f64::from_bits(constant.bits);
            if value.is_finite() {
                format!("{value:?}")
            } else {
                format!("d::from_bits({})", constant.bits)
            }
        }
    }
}

impl Printer<'_> {
    /// An expression of its exact type.
    pub(super) fn value(&mut self, expr: &Expr) -> Text {
        let text = self.expr(expr);
        if text.truth { text.cast("u") } else { text }
    }

    pub(super) fn argument(&mut self, expr: &Expr) -> String {
        self.value(expr).text
    }

    /// An `i32` as a `bool`.
    pub(super) fn condition(&mut self, expr: &Expr) -> String {
        self.truth(expr).text
    }

    fn truth(&mut self, expr: &Expr) -> Text {
        let text = match expr {
            Expr::Const(_) => self.receiver(expr),
            _ => self.expr(expr),
        };
        match text.truth {
            true => text,
            false => Text {
                truth: true,
                ..Text::new(format!("{}!=0", text.at(level::ORDER + 1)), level::ORDER)
            },
        }
    }

    /// An operand on the left, where a literal needs its type.
    pub(super) fn receiver(&mut self, expr: &Expr) -> Text {
        match expr {
            Expr::Const(constant) if !constant.ty.is_float() => Text::new(
                format!(
                    "{}{}",
                    constant.bits,
                    if constant.ty == Type::I32 { "u32" } else { "u64" }
                ),
                level::ATOM,
            ),
            Expr::Const(constant) => {
                let ty = if constant.ty == Type::F32 { "f32" } else { "f64" };
                let text = literal(*constant);
                match text.contains("from_bits") {
                    true => Text::new(text, level::ATOM),
                    false => Text::new(format!("({text}{ty})"), level::ATOM),
                }
            }
            _ => self.value(expr),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Text {
        match expr {
            Expr::Const(constant) => {
                let text = literal(*constant);
                let level = if text.starts_with('-') { level::LOOSE } else { level::ATOM };
                Text::new(text, level)
            }
            Expr::Local(local) => Text::new(self.locals[*local as usize].clone(), level::ATOM),
            Expr::Global(global) => Text::new(self.plain(&self.names.global(*global)), level::ATOM),
            Expr::Unary(op, from, to, operand) => self.unary(*op, *from, *to, operand),
            Expr::Binary(op, ty, left, right) => self.binary(*op, *ty, left, right),
            Expr::Load(access, offset, address) => {
                let name = access_name(*access);
                let address = self.argument(address);
                let text = Text::new(format!("{name}({address},{offset})"), level::ATOM);
                let full = access.bytes == if access.ty.bits() == 32 { 4 } else { 8 };
                if full { text } else { text.cast(rust_name(access.ty)) }
            }
            Expr::Select(three) => {
                let condition = self.condition(&three[0]);
                let (yes, no) = (self.receiver(&three[1]).text, self.argument(&three[2]));
                Text::new(format!("if {condition}{{{yes}}}else{{{no}}}"), level::LOOSE)
            }
            Expr::Call(function, arguments) => {
                let arguments = self.arguments(arguments);
                Text::new(format!("{}({arguments})", self.function_name(*function)), level::ATOM)
            }
            Expr::CallIndirect(signature, arguments, index) => {
                let signature = self.names.canonical(*signature);
                self.indirect.insert(signature);
                let arguments = self.arguments(arguments);
                let index = self.argument(index);
                let comma = if arguments.is_empty() { "" } else { "," };
                Text::new(format!("J{signature}({arguments}{comma}{index})"), level::ATOM)
            }
            Expr::Result(ty, index) => {
                self.further.insert((*ty, *index));
                Text::new(format!("R{index}{}", rust_name(*ty)), level::ATOM)
            }
            Expr::MemorySize => Text::new("P", level::ATOM),
            Expr::MemoryGrow(pages) => {
                let pages = self.argument(pages);
                Text::new(format!("Mg({pages})"), level::ATOM)
            }
        }
    }

    fn arguments(&mut self, arguments: &[Expr]) -> String {
        let list: Vec<String> = arguments.iter().map(|a| self.argument(a)).collect();
        list.join(",")
    }

    fn unary(&mut self, op: UnaryOp, from: Type, to: Type, operand: &Expr) -> Text {
        use UnaryOp as U;
        if op == U::Eqz {
            let inner = match operand {
                Expr::Const(_) => self.receiver(operand),
                _ => self.expr(operand),
            };
            let text = match inner.truth {
                true => Text::new(format!("!{}", inner.at(level::UNARY)), level::UNARY),
                false => Text::new(format!("{}==0", inner.at(level::ORDER + 1)), level::ORDER),
            };
            return Text { truth: true, ..text };
        }
        let text = self.receiver(operand);
        let method =
            |name: &str| Text::new(format!("{}.{name}()", text.at(level::ATOM)), level::ATOM);
        let count = |name: &str| {
            let text = method(name);
            if from == Type::I64 { text.cast("U") } else { text }
        };
        match op {
            U::Clz => count("leading_zeros"),
            U::Ctz => count("trailing_zeros"),
            U::Popcnt => count("count_ones"),
            U::Extend8 => text.cast(&format!("i8 as {}", rust_name(to))),
            U::Extend16 => text.cast(&format!("i16 as {}", rust_name(to))),
            U::Extend32 | U::ExtendS => text.cast("i as U"),
            U::Abs => method("abs"),
            U::Ceil => method("ceil"),
            U::Floor => method("floor"),
            U::Trunc => method("trunc"),
            U::Sqrt => method("sqrt"),
            U::Nearest => Text::new(format!("Ne{}({})", rust_name(to), text.text), level::ATOM),
            U::Neg => Text::new(format!("-{}", text.at(level::ATOM)), level::UNARY),
            U::Wrap | U::ExtendU | U::ConvertU | U::Demote | U::Promote | U::SaturateU => {
                text.cast(rust_name(to))
            }
            U::ConvertS => text.cast(&format!("{} as {}", signed_name(from), rust_name(to))),
            U::SaturateS => text.cast(&format!("{} as {}", signed_name(to), rust_name(to))),
            U::TruncS | U::TruncU => {
                let sign = if op == U::TruncS { 's' } else { 'u' };
                let name = format!("T{sign}{}{}", rust_name(from), rust_name(to));
                Text::new(format!("{name}({})", text.text), level::ATOM)
            }
            _ if to.is_float() => {
                Text::new(format!("{}::from_bits({})", rust_name(to), text.text), level::ATOM)
            }
            _ => method("to_bits"),
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> Text {
        use BinaryOp as B;
        match op {
            B::Both | B::Either => {
                let (left, right) = (self.truth(left), self.truth(right));
                let (symbol, level) =
                    if op == B::Both { ("&&", level::BOTH) } else { ("||", level::EITHER) };
                Text { truth: true, ..infix(symbol, level, &left, &right) }
            }
            _ if op.is_comparison() => self.comparison(op, ty, left, right),
            B::And | B::Or | B::Xor => {
                let (symbol, level) = match op {
                    B::And => ("&", level::AND),
                    B::Or => ("|", level::OR),
                    _ => ("^", level::XOR),
                };
                let (left, right) = (self.receiver(left), self.value(right));
                infix(symbol, level, &left, &right)
            }
            B::Shl | B::Shr | B::ShrS => self.shift(op, ty, left, right),
            _ if ty.is_float() && !matches!(op, B::Min | B::Max | B::Copysign) => {
                let (symbol, level) = match op {
                    B::Add => ("+", level::ADD),
                    B::Sub => ("-", level::ADD),
                    B::Mul => ("*", level::MULTIPLY),
                    _ => ("/", level::MULTIPLY),
                };
                let (left, right) = (self.receiver(left), self.value(right));
                infix(symbol, level, &left, &right)
            }
            _ => {
                let (left, right) = (self.receiver(left), self.receiver(right));
                let (a, b) = (left.at(level::ATOM), right.text.clone());
                let name = rust_name(ty);
                let text = match op {
                    B::Add => format!("{a}.wrapping_add({b})"),
                    B::Sub => format!("{a}.wrapping_sub({b})"),
                    B::Mul => format!("{a}.wrapping_mul({b})"),
                    B::Rotl | B::Rotr => {
                        let way = if op == B::Rotl { "left" } else { "right" };
                        let count = if ty == Type::I64 { right.cast("u").text } else { b };
                        format!("{a}.rotate_{way}({count})")
                    }
                    B::Copysign => format!("{a}.copysign({b})"),
                    B::Min => format!("Mi{name}({},{b})", left.text),
                    B::Max => format!("Ma{name}({},{b})", left.text),
                    B::MulHigh => format!("Mh({},{b})", left.text),
                    B::MulHighS => format!("Ms({},{b})", left.text),
                    B::Div => format!("Dv{name}({},{b})", left.text),
                    B::DivS => format!("Ds{name}({},{b})", left.text),
                    B::Rem => format!("Rm{name}({},{b})", left.text),
                    _ => format!("Rs{name}({},{b})", left.text),
                };
                Text::new(text, level::ATOM)
            }
        }
    }

    fn comparison(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> Text {
        use BinaryOp as B;
        let symbol = match op {
            B::Eq => "==",
            B::Ne => "!=",
            B::LtS | B::Lt => "<",
            B::GtS | B::Gt => ">",
            B::LeS | B::Le => "<=",
            _ => ">=",
        };
        let (mut left, mut right) = (self.receiver(left), self.receiver(right));
        if matches!(op, B::LtS | B::GtS | B::LeS | B::GeS) {
            left = left.cast(signed_name(ty));
            right = right.cast(signed_name(ty));
        }
        Text { truth: true, ..infix(symbol, level::ORDER, &left, &right) }
    }

    fn shift(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> Text {
        use BinaryOp as B;
        let left = self.receiver(left);
        let left = if op == B::ShrS { left.cast(signed_name(ty)) } else { left };
        let way = if op == B::Shl { "l" } else { "r" };
        let text = match right.constant() {
            Some(count) => {
                let count = count as u32 & (ty.bits() - 1);
                let symbol = if op == B::Shl { "<<" } else { ">>" };
                Text::new(format!("{}{symbol}{count}", left.at(level::SHIFT)), level::SHIFT)
            }
            None => {
                let count = self.receiver(right);
                let count = if ty == Type::I64 { count.cast("u").text } else { count.text };
                Text::new(
                    format!("{}.wrapping_sh{way}({count})", left.at(level::ATOM)),
                    level::ATOM,
                )
            }
        };
        if op == B::ShrS { text.cast(rust_name(ty)) } else { text }
    }
}

fn infix(symbol: &str, level: u8, left: &Text, right: &Text) -> Text {
    // comparisons do not chain in Rust
    let left_level = if level == level::ORDER { level + 1 } else { level };
    Text::new(format!("{}{symbol}{}", left.at(left_level), right.at(level + 1)), level)
}

/// The function that reads memory; with an `s` the one that writes it.
pub(super) fn access_name(access: Access) -> &'static str {
    match (access.ty, access.bytes, access.signed) {
        (Type::F32, ..) => "F",
        (Type::F64, ..) => "D",
        (_, 8, _) => "Q",
        (Type::I64, 4, true) => "S",
        (_, 4, _) => "W",
        (_, 2, false) => "H",
        (_, 2, true) => "E",
        (_, _, false) => "B",
        (_, _, true) => "A",
    }
}
