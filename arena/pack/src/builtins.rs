//! Library functions that are one instruction.
//!
//! `core` has no square root, so code without the standard library computes it by `libm`, in a hundred instructions. Both
//! results are the correctly rounded one, so the instruction takes its place. Functions are recognized by the names that the
//! compiler left in the module; in a module without names no function is replaced.

use crate::ir::{Body, Expr, Signature, Stmt, Type, UnaryOp};
use crate::module::Module;

/// Functions of `libm` with their instructions; those of one letter more work on `f32`.
const FUNCTIONS: [(&str, UnaryOp); 6] = [
    ("sqrt", UnaryOp::Sqrt),
    ("floor", UnaryOp::Floor),
    ("ceil", UnaryOp::Ceil),
    ("trunc", UnaryOp::Trunc),
    ("fabs", UnaryOp::Abs),
    ("rint", UnaryOp::Nearest),
];

/// The body of a function that is one instruction.
pub(crate) fn body(module: &Module<'_>, function: u32) -> Option<Body> {
    let (op, ty) = instruction(module.symbols.get(&function)?)?;
    if *module.signature(function) != (Signature { params: vec![ty], results: vec![ty] }) {
        return None;
    }
    let statements = vec![Stmt::Return(vec![op.of(ty, Expr::Local(0))])];
    Some(Body { params: 1, locals: vec![ty], first_temporary: 1, statements, ..Body::default() })
}

/// The instruction of the function with this symbol: `libm`, modules, and the function, each after its length; in one of the
/// two manglings a hash follows.
fn instruction(symbol: &str) -> Option<(UnaryOp, Type)> {
    let (_, path) = symbol.split_once("4libm4math")?;
    let name = path.rsplit_once("17h").map_or(path, |(name, _)| name);
    FUNCTIONS.iter().find_map(|(function, op)| {
        let ends =
            |name: &str, function: &str| name.ends_with(&format!("{}{function}", function.len()));
        if ends(name, function) {
            return Some((*op, Type::F64));
        }
        ends(name, &format!("{function}f")).then_some((*op, Type::F32))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_their_whole_name() {
        let of = |symbol: &str| instruction(symbol);
        let hash = "17h0123456789abcdefE";
        let root = (UnaryOp::Sqrt, Type::F32);
        assert_eq!(of(&format!("_ZN4libm4math4sqrt5sqrtf{hash}")), Some(root));
        let floor = (UnaryOp::Floor, Type::F64);
        assert_eq!(of(&format!("_ZN4libm4math5floor5floor{hash}")), Some(floor));
        assert_eq!(of("_RNvNtNtCs7Yx_4libm4math4sqrt5sqrtf"), Some(root));
        for other in ["_ZN4libm4math4rsqrt6rsqrtf", "_ZN5games4math4sqrt5sqrtf", "sqrtf", ""] {
            assert_eq!(of(&format!("{other}{hash}")), None, "{other}");
        }
    }
}
