//! Shortens long lists, so that every violation fits on a few lines.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{Debug, Write};

/// Number of items of a list that are written.
const ITEMS: usize = 12;
/// Number of characters of an item that are written.
const CHARACTERS: usize = 160;

/// Replaces the middle of a long text by its length.
pub(in crate::testing) fn shorten(text: &str) -> String {
    let length = text.chars().count();
    if length <= CHARACTERS {
        return text.to_string();
    }
    let head: String = text.chars().take(CHARACTERS * 3 / 4).collect();
    let tail: String = text.chars().skip(length - CHARACTERS / 4).collect();
    format!("{head} ... ({length} characters) ... {tail}")
}

/// The debug text of a value, shortened.
pub(in crate::testing) fn short(value: &impl Debug) -> String {
    shorten(&format!("{value:?}"))
}

/// The first items of a list and the number of the others.
pub(in crate::testing) fn list<T: Debug>(items: &[T]) -> String {
    let mut text = String::from("[");
    for (at, item) in items.iter().take(ITEMS).enumerate() {
        let _ = write!(text, "{}{}", if at == 0 { "" } else { ", " }, short(item));
    }
    if items.len() > ITEMS {
        let _ = write!(text, ", ... and {} more", items.len() - ITEMS);
    }
    text + "]"
}

/// The first and the last of the actions of a game.
pub(in crate::testing) fn line(actions: &[String]) -> String {
    if actions.len() <= 2 * ITEMS {
        return actions
            .iter()
            .map(|action| shorten(action))
            .collect::<alloc::vec::Vec<_>>()
            .join(", ");
    }
    let (first, last) = (&actions[..ITEMS], &actions[actions.len() - ITEMS..]);
    format!("{}, ..., {}", line(first), line(last))
}
