//! Copies of a fixed size.
//!
//! Compilers call a function for a `memmove` of more than a few words, although its size is known; here all is loaded into
//! vectors before anything is stored. Copies that the module makes word by word stay as they are, in less text.

use super::Printer;
use super::expression::accessor;
use crate::ir::{Access, Expr, Local, Stmt};

/// Sizes that are copied by vectors.
const VECTORS: std::ops::RangeInclusive<u64> = 16..=160;

/// Most words of a macro.
const MOST_WORDS: usize = 8;

/// One word that is copied: its access, and the two places.
#[derive(Clone, Copy)]
struct Word {
    access: Access,
    to: (Local, u32),
    from: (Local, u32),
}

impl Word {
    fn of(statement: &Stmt) -> Option<Word> {
        let Stmt::Store(to, at, address, value) = statement else { return None };
        let Expr::Load(from, from_at, from_address) = value else { return None };
        match (address, &**from_address) {
            (Expr::Local(a), Expr::Local(b)) if to.bytes == from.bytes && !from.signed => {
                Some(Word { access: *from, to: (*a, *at), from: (*b, *from_at) })
            }
            _ => None,
        }
    }

    /// Whether `next` copies the bytes directly below or above, as `down` says.
    fn leads_to(&self, next: &Word, down: bool) -> bool {
        let (low, high) = if down { (next, self) } else { (self, next) };
        let bytes = u32::from(low.access.bytes);
        let follows = |low: (Local, u32), high: (Local, u32)| {
            low.0 == high.0 && low.1.checked_add(bytes) == Some(high.1)
        };
        follows(low.to, high.to) && follows(low.from, high.from)
    }
}

impl Printer<'_> {
    /// Prints the words that are copied at the start of a list, if there are several; how many statements that were.
    pub(super) fn copied_words(&mut self, list: &[Stmt]) -> usize {
        let words: Vec<Word> = list.iter().take(MOST_WORDS).map_while(Word::of).collect();
        let count = |down: bool| {
            let pairs = words.iter().zip(words.iter().skip(1));
            1 + pairs.take_while(|(word, next)| word.leads_to(next, down)).count()
        };
        let (down, up) = (count(true), count(false));
        let count = down.max(up);
        if words.is_empty() || count < 2 {
            return 0;
        }
        let letters = words[..count].iter().map(|word| accessor(word.access).0);
        let letters: String = letters.map(|name| name.trim_start_matches('@')).collect();
        let name = format!("@K{}{letters}", if down == count { 'd' } else { 'u' });
        self.need(&name);
        let lowest = if down == count { words[count - 1] } else { words[0] };
        let place = |(local, at): (Local, u32)| match at {
            0 => self.local_name(local),
            at => format!("{}+{at}", self.local_name(local)),
        };
        let (to, from) = (place(lowest.to), place(lowest.from));
        self.out += &format!("{name}({to},{from});");
        count
    }

    /// Prints a copy of a fixed size; false if it is to be printed as any other.
    pub(super) fn fixed_copy(&mut self, [to, from, bytes]: &[Expr; 3]) -> bool {
        let Some(size) = bytes.constant().filter(|size| VECTORS.contains(size)) else {
            return false;
        };
        let name = format!("@Mk{size}");
        self.need(&name);
        let (to, from) = (self.argument(to), self.argument(from));
        self.out += &format!("{name}({to},{from});");
        true
    }
}

/// The macro that copies words in the order of their letters, downwards (`d`) or upwards (`u`) in memory.
pub(super) fn word_macro(name: &str, letters: &str) -> String {
    let down = letters.starts_with('d');
    let mut at = 0;
    let mut steps: Vec<String> = Vec::new();
    let ordered: Vec<char> = letters.chars().skip(1).collect();
    let upwards: Vec<char> = if down { ordered.into_iter().rev().collect() } else { ordered };
    for letter in upwards {
        let place = if at == 0 { String::new() } else { format!("+{at}") };
        steps.push(format!("@{letter}(a{place})=@{letter}(b{place})"));
        at += match letter {
            'Q' | 'D' => 8,
            'W' | 'F' => 4,
            'H' => 2,
            _ => 1,
        };
    }
    if down {
        steps.reverse();
    }
    format!("#define {name}(a,b) {}", steps.join(","))
}

/// The function that copies this many bytes: vectors side by side, the last one up to the end.
pub(super) fn vector_function(name: &str, size: u64, full: bool) -> String {
    let (vector, width) = if size < 32 { ("@Vs", 16) } else { ("@Vl", 32) };
    let mut offsets: Vec<u64> = (0..size - width + 1).step_by(width as usize).collect();
    if offsets.last().is_some_and(|last| last + width < size) {
        offsets.push(size - width);
    }
    let loads = offsets.iter().enumerate().map(|(n, at)| format!("x{n}={vector}(b+{at})"));
    let loads: Vec<String> = loads.collect();
    let stores = offsets.iter().enumerate().map(|(n, at)| format!("{vector}(a+{at})=x{n};"));
    let stores: String = stores.collect();
    let place = |at: &str| match full {
        true => format!("@C({at},{size})"),
        false => format!("@M+{at}"),
    };
    let (to, from) = (place("c"), place("e"));
    format!(
        "static inline void {name}(u c,u e){{unsigned char*a={to},*b={from};{vector}_ {};{stores}}}",
        loads.join(",")
    )
}

/// The type of 16 or 32 bytes at any address, and the macro that reaches them.
pub(super) fn vector_type(name: &str, bytes: u32) -> String {
    format!(
        "typedef U {name}_ __attribute__((vector_size({bytes}),aligned(1),may_alias));\n\
         #define {name}(p) (*({name}_*)(p))"
    )
}
