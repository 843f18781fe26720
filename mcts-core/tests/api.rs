//! Compares the public items of the crate with a listing, so that changes are visible in review.
//!
//! `unreachable_pub` is an error in this workspace, so every `pub` item of the source is public.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use quote::ToTokens;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use syn::{Attribute, Fields, ImplItem, Item, Signature, TraitItem, Type, Visibility};

/// A run with `UPDATE_API=1` rewrites the listing.
#[test]
fn the_public_surface_is_the_one_on_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = sources(&root.join("src"));
    files.sort();
    let parsed: Vec<(PathBuf, Vec<Item>)> = files
        .into_iter()
        .map(|file| {
            let text = std::fs::read_to_string(&file).unwrap();
            (file, syn::parse_file(&text).unwrap().items)
        })
        .collect();
    let public: Vec<String> =
        parsed.iter().flat_map(|(_, items)| items).filter_map(public_type).collect();
    let mut listing = String::new();
    for (file, items) in parsed {
        let mut lines = Vec::new();
        items.iter().for_each(|item| list(item, &public, &mut lines));
        if !lines.is_empty() {
            let name = file.strip_prefix(root).unwrap().display().to_string();
            writeln!(listing, "{}", name.replace('\\', "/")).unwrap();
            lines.iter().for_each(|line| writeln!(listing, "    {line}").unwrap());
        }
    }
    let path = root.join("tests/api.txt");
    if std::env::var_os("UPDATE_API").is_some() {
        std::fs::write(&path, &listing).unwrap();
    }
    let on_file = std::fs::read_to_string(&path).unwrap_or_default();
    let changed = difference(&on_file, &listing);
    assert!(
        changed.is_empty(),
        "the public surface changed; UPDATE_API=1 rewrites the file:\n{changed}"
    );
}

/// Lines that are in only one of the texts.
fn difference(old: &str, new: &str) -> String {
    let mut text = String::new();
    for line in old.lines().filter(|line| !new.lines().any(|other| other == *line)) {
        writeln!(text, "- {}", line.trim()).unwrap();
    }
    for line in new.lines().filter(|line| !old.lines().any(|other| other == *line)) {
        writeln!(text, "+ {}", line.trim()).unwrap();
    }
    if text.is_empty() && old != new { "the order of items".into() } else { text }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// Adds the public parts of an item, one on each line.
fn list(item: &Item, public: &[String], lines: &mut Vec<String>) {
    match item {
        Item::Struct(item) if is_public(&item.vis) => {
            let (name, generics) = (&item.ident, &item.generics);
            lines.push(format!("struct {name}{} {}", tokens(generics), derives(&item.attrs)));
            list_fields(&format!("{name}"), &item.fields, true, lines);
        }
        Item::Enum(item) if is_public(&item.vis) => {
            let (name, generics) = (&item.ident, &item.generics);
            lines.push(format!("enum {name}{} {}", tokens(generics), derives(&item.attrs)));
            for variant in &item.variants {
                lines.push(format!("{name}::{}", variant.ident));
                list_fields(&format!("{name}::{}", variant.ident), &variant.fields, false, lines);
            }
        }
        Item::Trait(item) if is_public(&item.vis) => {
            let (name, bounds) = (&item.ident, tokens(&item.supertraits));
            lines.push(format!("trait {name}{}: {bounds}", tokens(&item.generics)));
            for part in &item.items {
                match part {
                    TraitItem::Fn(part) => {
                        let given = if part.default.is_some() { " (provided)" } else { "" };
                        lines.push(format!("{name}::{}{given}", signature(&part.sig)));
                    }
                    TraitItem::Const(part) => {
                        let default = part.default.as_ref().map(|(_, value)| tokens(value));
                        let default =
                            default.map_or_else(String::new, |value| format!(" = {value}"));
                        let (part, of) = (&part.ident, tokens(&part.ty));
                        lines.push(format!("{name}::const {part}: {of}{default}"));
                    }
                    TraitItem::Type(part) => {
                        let mut part = part.clone();
                        part.attrs.clear();
                        lines.push(format!("{name}::{}", tokens(&part)));
                    }
                    _ => {}
                }
            }
        }
        Item::Fn(item) if is_public(&item.vis) => lines.push(signature(&item.sig)),
        Item::Const(item) if is_public(&item.vis) => {
            lines.push(format!("const {}: {}", item.ident, tokens(&item.ty)));
        }
        Item::Type(item) if is_public(&item.vis) => {
            let mut item = item.clone();
            item.attrs.clear();
            lines.push(tokens(&item));
        }
        Item::Use(item) if is_public(&item.vis) => lines.push(tokens(&item.tree)),
        Item::Mod(item) if is_public(&item.vis) => lines.push(format!("mod {}", item.ident)),
        Item::Impl(item) => list_impl(item, public, lines),
        _ => {}
    }
}

/// Adds the public methods of an `impl`, or the trait that it implements.
fn list_impl(item: &syn::ItemImpl, public: &[String], lines: &mut Vec<String>) {
    let of = tokens(&item.self_ty);
    if let Some((_, name, _)) = &item.trait_ {
        if is_listed(&item.self_ty, public) {
            lines.push(format!("impl{} {} for {of}", tokens(&item.generics), tokens(name)));
        }
        return;
    }
    for part in &item.items {
        match part {
            ImplItem::Fn(part) if is_public(&part.vis) => {
                lines.push(format!("{of}::{}", signature(&part.sig)));
            }
            ImplItem::Const(part) if is_public(&part.vis) => {
                lines.push(format!("{of}::const {}: {}", part.ident, tokens(&part.ty)));
            }
            _ => {}
        }
    }
}

/// The name of a type that is public.
fn public_type(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) if is_public(&item.vis) => Some(item.ident.to_string()),
        Item::Enum(item) if is_public(&item.vis) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// Whether a type is public, or a parameter as in a blanket implementation.
fn is_listed(of: &Type, public: &[String]) -> bool {
    let Type::Path(path) = of else { return true };
    let name = path.path.segments.last().map(|segment| segment.ident.to_string());
    name.is_some_and(|name| name.len() == 1 || public.contains(&name))
}

fn list_fields(owner: &str, fields: &Fields, check: bool, lines: &mut Vec<String>) {
    for (at, field) in
        fields.iter().enumerate().filter(|(_, field)| !check || is_public(&field.vis))
    {
        let name = field.ident.as_ref().map_or_else(|| at.to_string(), ToString::to_string);
        lines.push(format!("{owner}.{name}: {}", tokens(&field.ty)));
    }
}

fn is_public(of: &Visibility) -> bool {
    matches!(of, Visibility::Public(_))
}

/// The derives and attributes of an item.
fn derives(attributes: &[Attribute]) -> String {
    let of_interest = |name: &str| name == "derive" || name == "non_exhaustive";
    let names = attributes.iter().filter(|attribute| {
        attribute.path().get_ident().is_some_and(|name| of_interest(&name.to_string()))
    });
    names.map(|attribute| tokens(&attribute.meta)).collect::<Vec<_>>().join(" ")
}

fn signature(of: &Signature) -> String {
    tokens(of)
}

/// The source of a part, with conventional spaces.
fn tokens(part: &impl ToTokens) -> String {
    let text = part.to_token_stream().to_string();
    let mut text = text.replace(" :: ", "::").replace(" ,", ",").replace("& ", "&");
    for (found, written) in
        [(" < ", "<"), (" >", ">"), ("( ", "("), (" )", ")"), (" (", "("), (" :", ":"), ("! ", "!")]
    {
        text = text.replace(found, written);
    }
    text
}
