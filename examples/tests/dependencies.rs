//! The rules of `deny.toml` on licenses and bans, where `cargo deny` is not installed: each dependency, however indirect, has
//! an allowed license, and no requirement of ours is a wildcard.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// The packages of the workspace and everything that they depend on.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

fn allowed() -> Vec<Licensee> {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml is there");
    let rules: toml::Table = text.parse().expect("deny.toml is TOML");
    let names = rules["licenses"]["allow"].as_array().expect("a list of licenses");
    let names = names.iter().map(|name| name.as_str().expect("the name of a license"));
    names.map(|name| Licensee::parse(name).expect("a license of the SPDX list")).collect()
}

/// Whether the terms of a package can be met with these licenses alone.
fn is_allowed(license: &str, allowed: &[Licensee]) -> Result<bool, String> {
    let expression =
        Expression::parse_mode(license, ParseMode::LAX).map_err(|error| error.to_string())?;
    Ok(expression.evaluate(|term| allowed.iter().any(|licensee| licensee.satisfies(term))))
}

#[test]
fn every_dependency_has_an_allowed_license() {
    let allowed = allowed();
    let packages = packages();
    assert!(packages.len() > 50, "{} packages", packages.len());
    let mut refused = Vec::new();
    for package in &packages {
        let license = package["license"].as_str().unwrap_or("none");
        match is_allowed(license, &allowed) {
            Ok(true) => {}
            Ok(false) => refused.push(format!("{}: {license} is not in deny.toml", package["id"])),
            Err(error) => refused.push(format!("{}: {license:?}: {error}", package["id"])),
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn licenses_that_are_not_listed_are_refused() {
    let allowed = allowed();
    for (license, expected) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0-only OR MIT", true),
        ("GPL-3.0-only AND MIT", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
    ] {
        assert_eq!(is_allowed(license, &allowed), Ok(expected), "{license}");
    }
    assert!(is_allowed("none", &allowed).is_err());
}

#[test]
fn no_requirement_is_a_wildcard() {
    for package in packages().iter().filter(|package| package["source"].is_null()) {
        for dependency in package["dependencies"].as_array().expect("a list of dependencies") {
            let is_ours = !dependency["path"].is_null();
            let requirement = dependency["req"].as_str().expect("a requirement");
            assert!(is_ours || requirement != "*", "{}: {dependency}", package["name"]);
        }
    }
}
