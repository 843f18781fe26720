//! Printed expressions of C with their precedence and their C type.
//!
//! An `i32` of WebAssembly may be printed as any C integer that is congruent to it modulo 2^32, and an `i64` as any
//! C integer whose conversion to `uint64_t` gives it. Most casts are superfluous under this rule: assignments,
//! arguments and operands of the other type's arithmetic convert by themselves. Where the exact type matters
//! (division, right shifts, comparisons, addresses), [`Text::exact`] and [`Text::signed`] add the cast.

use crate::ir::{Constant, Type};

/// The C type of a printed expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CType {
    /// `int` that is not negative.
    Small,
    /// `int`.
    Int,
    /// `uint32_t`.
    Unsigned,
    /// `int64_t`.
    Long,
    /// `uint64_t`.
    UnsignedLong,
    /// `float` or `double`.
    Float,
}

/// Binding strength of an operator, the strongest highest.
pub(super) mod level {
    pub(crate) const ATOM: u8 = 16;
    pub(crate) const UNARY: u8 = 14;
    pub(crate) const MULTIPLY: u8 = 13;
    pub(crate) const ADD: u8 = 12;
    pub(crate) const SHIFT: u8 = 11;
    pub(crate) const ORDER: u8 = 10;
    pub(crate) const EQUAL: u8 = 9;
    pub(crate) const AND: u8 = 8;
    pub(crate) const XOR: u8 = 7;
    pub(crate) const OR: u8 = 6;
    pub(crate) const BOTH: u8 = 5;
    pub(crate) const EITHER: u8 = 4;
    pub(crate) const CONDITIONAL: u8 = 3;
}

/// A printed expression.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) level: u8,
    pub(super) ty: CType,
}

impl Text {
    pub(super) fn new(text: impl Into<String>, level: u8, ty: CType) -> Text {
        Text { text: text.into(), level, ty }
    }

    pub(super) fn atom(text: impl Into<String>, ty: CType) -> Text {
        Text::new(text, level::ATOM, ty)
    }

    /// The text, in parentheses if it binds weaker than `level`.
    pub(super) fn at(&self, level: u8) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }

    fn cast(&self, to: &str, ty: CType) -> Text {
        Text::new(format!("({to}){}", self.at(level::UNARY)), level::UNARY, ty)
    }

    /// As `uint32_t` or `uint64_t`.
    pub(super) fn exact(self, wasm: Type) -> Text {
        match (wasm, self.ty) {
            (Type::I32, CType::Unsigned) | (Type::I64, CType::UnsignedLong) => self,
            (Type::I32, _) => self.cast("u", CType::Unsigned),
            (Type::I64, _) => self.cast("U", CType::UnsignedLong),
            _ => self,
        }
    }

    /// As an integer type that converts to the exact type's value when it is extended with zeros.
    pub(super) fn zero_extended(self, wasm: Type) -> Text {
        match (wasm, self.ty) {
            (_, CType::Small | CType::Unsigned) => self,
            _ => self.exact(wasm),
        }
    }

    /// As `int` or `int64_t`.
    pub(super) fn signed(self, wasm: Type) -> Text {
        match (wasm, self.ty) {
            (_, CType::Small | CType::Int) => self,
            (Type::I64, CType::Long) => self,
            (Type::I32, _) => self.cast("i", CType::Int),
            (Type::I64, _) => self.cast("L", CType::Long),
            _ => self,
        }
    }

    /// As something that C compares with zero as WebAssembly does.
    pub(super) fn truth(self, wasm: Type) -> Text {
        match (wasm, self.ty) {
            (Type::I32, CType::Long | CType::UnsignedLong) => self.exact(wasm),
            _ => self,
        }
    }
}

/// The C type of a variable of a WebAssembly type.
pub(super) fn variable(ty: Type) -> CType {
    match ty {
        Type::I32 => CType::Unsigned,
        Type::I64 => CType::UnsignedLong,
        Type::F32 | Type::F64 => CType::Float,
    }
}

/// A literal.
pub(super) fn literal(constant: Constant) -> Text {
    match constant.ty {
        Type::I32 => integer(i64::from(constant.bits as u32 as i32), Type::I32),
        Type::I64 => integer(constant.bits as i64, Type::I64),
        Type::F32 => {
            let value = f32::from_bits(constant.bits as u32);
            float(
                value.is_finite().then(|| shortest(&format!("{value:?}"), &format!("{value:e}"))),
                constant,
            )
        }
        Type::F64 => {
            let value = f64::from_bits(constant.bits);
            float(
                value.is_finite().then(|| shortest(&format!("{value:?}"), &format!("{value:e}"))),
                constant,
            )
        }
    }
}

fn integer(value: i64, ty: Type) -> Text {
    let level = |value: i64| if value < 0 { level::UNARY } else { level::ATOM };
    if i32::try_from(value).is_ok_and(|value| value > i32::MIN) {
        let ty = if value < 0 { CType::Int } else { CType::Small };
        return Text::new(value.to_string(), level(value), ty);
    }
    if ty == Type::I32 {
        return Text::atom("0x80000000", CType::Unsigned);
    }
    let decimal = value.to_string();
    let hex = format!("{:#x}", value);
    if u32::try_from(value).is_ok() {
        return Text::atom(hex, CType::Unsigned);
    }
    if value == i64::MIN || hex.len() < decimal.len() {
        let ty = if value < 0 { CType::UnsignedLong } else { CType::Long };
        return Text::atom(hex, ty);
    }
    Text::new(decimal, level(value), CType::Long)
}

/// The shorter spelling of a finite float, without superfluous zeros.
fn shortest(plain: &str, scientific: &str) -> String {
    let plain = match plain.split_once('.') {
        Some((whole, "0")) => format!("{whole}."),
        Some(("0", fraction)) => format!(".{fraction}"),
        Some(("-0", fraction)) => format!("-.{fraction}"),
        _ => plain.to_string(),
    };
    if scientific.len() < plain.len() { scientific.to_string() } else { plain }
}

fn float(finite: Option<String>, constant: Constant) -> Text {
    let suffix = if constant.ty == Type::F32 { "f" } else { "" };
    match finite {
        Some(text) => {
            let level = if text.starts_with('-') { level::UNARY } else { level::ATOM };
            Text::new(format!("{text}{suffix}"), level, CType::Float)
        }
        None => {
            let (helper, bits) = match constant.ty {
                Type::F32 => ("@If", format!("{:#x}", constant.bits)),
                _ => ("@Ud", format!("{:#x}", constant.bits)),
            };
            Text::atom(format!("{helper}({bits})"), CType::Float)
        }
    }
}
