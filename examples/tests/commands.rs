//! The commands that the pages show are commands that the arena understands.

use std::fs;
use std::path::{Path, PathBuf};

/// The README and all pages of the book.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut pages = vec![root.join("README.md")];
    for directory in ["docs", "docs/games"] {
        let entries = fs::read_dir(root.join(directory)).expect("it is there").flatten();
        pages.extend(entries.map(|entry| entry.path()));
    }
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages
}

/// Command lines in blocks of shell code, continued lines joined.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for block in page.split("```sh\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default().replace("\\\n", " ");
        commands.extend(block.lines().map(|line| line.trim().to_owned()));
    }
    commands
}

/// The arguments of the arena in a command line, if it is one of the arena.
fn arguments(command: &str) -> Option<&str> {
    let starts = ["cargo arena ", "arena ", "cargo run --release -- "];
    let ablation = "cargo run --release -p examples --bin ablation -- ";
    starts.into_iter().chain([ablation]).find_map(|start| command.strip_prefix(start))
}

#[test]
fn every_command_of_the_arena_in_the_pages_is_understood() {
    let mut checked = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for command in commands(&text) {
            let Some(arguments) = arguments(&command) else { continue };
            let words = shlex::split(&format!("arena {arguments}")).expect("words");
            let words: Vec<String> = words.into_iter().take_while(|word| word != "&&").collect();
            let understood = arena::command::check_words(&words);
            assert!(
                understood.is_ok(),
                "{}: {command}\n{}",
                page.display(),
                understood.unwrap_err()
            );
            checked += 1;
        }
    }
    assert!(checked >= 15, "only {checked} commands were found");
}
