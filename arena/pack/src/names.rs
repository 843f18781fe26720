//! Short names; the most used names are the shortest.

use crate::ir::{Body, Expr, Stmt, walk, walk_expressions};

/// Local variables and labels: a letter, then digits; never a keyword, a type or a helper.
pub(crate) fn short(index: usize) -> String {
    // u, i, f and d are types
    const LETTERS: &[u8] = b"abceghjklmnopqrstvwxyz";
    let letter = char::from(LETTERS[index % LETTERS.len()]);
    match index / LETTERS.len() {
        0 => letter.to_string(),
        further => format!("{letter}{}", further - 1),
    }
}

/// Functions: a small letter and a capital one, then digits.
pub(crate) fn function(index: usize) -> String {
    let small = char::from(b'a' + (index % 26) as u8);
    let capital = char::from(b'A' + (index / 26 % 26) as u8);
    match index / 676 {
        0 => format!("{small}{capital}"),
        further => format!("{small}{capital}{}", further - 1),
    }
}

/// Globals: a capital letter that no helper has.
pub(crate) fn global(index: usize) -> String {
    const LETTERS: &[u8] = b"GZYONI";
    match LETTERS.get(index) {
        Some(letter) => char::from(*letter).to_string(),
        None => format!("G{}", index - LETTERS.len()),
    }
}

/// The indices `0..uses.len()` in the order of their use, most used first.
pub(crate) fn by_use(uses: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..uses.len()).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(uses[*index]), *index));
    order
}

/// A name made of letters, digits and underscores.
pub(crate) fn sanitized(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The names of a function's locals, the shortest for those used most; unused ones that are not parameters have none.
pub(crate) fn of_locals(body: &Body) -> Vec<String> {
    let mut uses = vec![0_u32; body.locals.len()];
    walk(&body.statements, &mut |statement| {
        if let Stmt::Set(local, _) = statement {
            uses[*local as usize] += 1;
        }
    });
    walk_expressions(&body.statements, &mut |expr| {
        if let Expr::Local(local) = expr {
            uses[*local as usize] += 1;
        }
    });
    let mut names = vec![String::new(); body.locals.len()];
    let mut next = 0;
    for local in by_use(&uses) {
        if uses[local] > 0 || local < body.params as usize {
            names[local] = short(next);
            next += 1;
        }
    }
    names
}
