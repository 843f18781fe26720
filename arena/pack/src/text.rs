//! Line breaks.

/// Longest line before a break.
const LINE: usize = 400;

/// Breaks a text without string literals into lines.
pub(crate) fn wrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / LINE);
    let mut line = 0;
    for c in text.chars() {
        out.push(c);
        line += 1;
        if c == '\n' {
            line = 0;
        } else if line >= LINE && matches!(c, ';' | '{' | '}' | ',') {
            out.push('\n');
            line = 0;
        }
    }
    out
}
