//! What the functions of a bot are for, by the names that the compiler gave them.
//!
//! A function that was inlined counts where it ended up.

/// Marks of the parts in symbols, the most telling first: text is made by any crate; a generic function belongs to the
/// crate that is named first.
const CRATES: [(&str, &str); 4] =
    [("mcts_core", "search"), ("games", "game"), ("bot_abi", "library"), ("bots", "bot")];

/// What formats and reads numbers and text.
const FORMATTING: [&str; 7] =
    ["3fmt", "..fmt", "Display", "Debug", "8decimals", "10parameters", "in_words"];

/// Bytes of the functions by part: search, game, bot, formatting, and the libraries below them.
pub(crate) fn of_functions(functions: &[(String, usize)]) -> Vec<(&'static str, usize)> {
    let names = ["search", "game", "bot", "formatting", "library"];
    let mut parts = names.map(|name| (name, 0));
    for (symbol, bytes) in functions {
        let part = part_of(symbol);
        let place = names.iter().position(|name| *name == part).unwrap_or(names.len() - 1);
        parts[place].1 += bytes;
    }
    parts.to_vec()
}

fn part_of(symbol: &str) -> &'static str {
    if FORMATTING.iter().any(|mark| symbol.contains(mark)) {
        return "formatting";
    }
    let found = CRATES.iter().filter_map(|(name, part)| Some((symbol.find(name)?, *part)));
    match found.min() {
        Some((_, part)) => part,
        None if is_library(symbol) => "library",
        // the crate of a package
        None => "bot",
    }
}

fn is_library(symbol: &str) -> bool {
    const CRATES: [&str; 11] = [
        "3std",
        "4core",
        "5alloc",
        "core..",
        "alloc..",
        "4libm",
        "8arrayvec",
        "rand_core",
        "rand_xoshiro",
        "compiler_builtins",
        "__rust",
    ];
    // the exports, and what the compiler itself calls, have plain names
    CRATES.iter().any(|name| symbol.contains(name)) || !symbol.starts_with('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_belong_to_the_crate_that_they_name_first() {
        for (symbol, part) in [
            ("_ZN9mcts_core6search3uct7playout17h00E", "search"),
            ("_ZN5games7reversi5rules8Position5apply17h00E", "game"),
            (
                "_ZN84_$LT$bots..client_seat..ClientSeat$LT$games..X$GT$$u20$as$u20$bots..seat..Seat$GT$7receive17h00E",
                "bot",
            ),
            ("_ZN4core3fmt9Formatter3pad17h00E", "formatting"),
            ("_ZN4bots13search_player15report_in_words17h00E", "formatting"),
            ("_ZN5alloc7raw_vec12handle_error17h00E", "library"),
            ("_ZN3ant5rules4step17h00E", "bot"),
            ("memcmp", "library"),
        ] {
            assert_eq!(part_of(symbol), part, "{symbol}");
        }
        let functions = [("memcmp".to_owned(), 7), ("_ZN5games1f17h00E".to_owned(), 3)];
        let sum: usize = of_functions(&functions).iter().map(|(_, bytes)| bytes).sum();
        assert_eq!(sum, 10);
    }
}
