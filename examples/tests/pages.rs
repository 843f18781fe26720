//! Checks the pages: the arena accepts their commands, their links resolve, their code compiles.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

/// The README and all pages of the book.
fn pages() -> Vec<PathBuf> {
    let root = root();
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

/// The targets of the links of a page, outside code blocks.
fn links(page: &str) -> Vec<&str> {
    let text = page.split("```").step_by(2);
    text.flat_map(|text| {
        let inline = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        let named = text.lines().filter(|line| line.starts_with('['));
        inline.chain(named.filter_map(|line| line.split_once("]: ").map(|(_, target)| target)))
    })
    .collect()
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    kept.chars().filter(plain).collect::<String>().replace(' ', "-")
}

#[test]
fn every_link_between_the_pages_leads_somewhere() {
    let mut checked = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        let local = links(&text).into_iter().filter(|link| !link.contains("://"));
        for link in local {
            let (file, part) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            assert!(target.exists(), "{}: {link} is not there", page.display());
            let found = part.is_empty()
                || fs::read_to_string(&target)
                    .expect("a page")
                    .lines()
                    .any(|line| line.starts_with('#') && anchor(line) == part);
            assert!(found, "{}: {link} has no such heading", page.display());
            checked += 1;
        }
    }
    assert!(checked >= 40, "only {checked} links were found");
}

#[test]
fn the_book_holds_every_page() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("the list of pages");
    for page in pages() {
        let Ok(name) = page.strip_prefix(&docs) else { continue };
        let listed = summary.contains(&format!("]({})", name.display()));
        assert!(listed || name == Path::new("SUMMARY.md"), "{} is in no list", name.display());
    }
}

#[test]
fn every_page_with_code_is_compiled() {
    let compiled = include_str!("../src/lib.rs");
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        let has_code = text.lines().any(|line| line.starts_with("```rust"));
        let name = page.strip_prefix(root()).expect("a page of the project").display().to_string();
        assert!(!has_code || compiled.contains(&format!("\"{name}\"")), "{name} is not compiled");
    }
}
