//! New packages for games of each kind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use arena::skeleton::{Crates, Kind, Skeleton, SkeletonError, relative_path};

const KINDS: [(&str, Kind); 5] = [
    ("two-player", Kind::TwoPlayer),
    ("single", Kind::Single),
    ("hidden", Kind::Hidden),
    ("n-player", Kind::NPlayer),
    ("simultaneous", Kind::Simultaneous),
];

fn checkout(path: &str) -> Crates {
    Crates::Checkout(PathBuf::from(path))
}

/// A directory that is not there yet.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("skeletons").join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn arena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).output().expect("the arena starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All files below a directory.
fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).expect("it was written").flatten() {
        let path = entry.path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

#[test]
fn every_kind_is_written_whole_with_its_name_filled_in() {
    for (kind, _) in KINDS {
        let path = directory(&format!("written-{kind}"));
        let dir = path.to_str().expect("a plain path");
        let output = arena(&["new", "ant-hill", "--kind", kind, "--dir", dir]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("cargo arena play ant-hill"));
        let files = files_below(&path);
        assert!(files.len() >= 14, "{files:?}");
        for file in files {
            let content = fs::read_to_string(&file).expect("text");
            for left in ["{{", "}}\n\n{{", "skeleton"] {
                assert!(!content.contains(left), "{left} in {}", file.display());
            }
        }
        let main = fs::read_to_string(path.join("src/main.rs")).expect("it is there");
        assert!(main.contains("use ant_hill::{BOTS, ENTRY};"));
    }
}

#[test]
fn a_package_names_no_directory_of_its_author() {
    for (source, line) in [
        ("relative", "arena = { path = \"../"),
        (
            "git=https://example.org/arena.git#abc",
            "git = \"https://example.org/arena.git\", rev = \"abc\"",
        ),
        ("version=0.1", "mcts-core = { version = \"0.1\", features"),
    ] {
        let path = directory(&format!("from-{}", source.split('=').next().unwrap_or("")));
        let dir = path.to_str().expect("a plain path");
        let output = arena(&["new", "ant-hill", "--crates", source, "--dir", dir]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let manifest = fs::read_to_string(path.join("Cargo.toml")).expect("it is there");
        assert!(manifest.contains(line), "{manifest}");
        for file in files_below(&path) {
            let content = fs::read_to_string(&file).expect("text");
            assert!(!content.contains(env!("CARGO_MANIFEST_DIR")), "{}", file.display());
            let is_path = |rest: &str| rest.starts_with(char::is_alphanumeric);
            let has_path = content.split("\"/").skip(1).any(is_path);
            assert!(!has_path, "an absolute path in {}", file.display());
        }
    }
    let output = arena(&["new", "ant-hill", "--crates", "cvs=x", "--dir", "/no/such"]);
    assert!(text(&output.stderr).contains("expected relative, git="));
}

#[test]
fn nothing_that_is_there_is_overwritten() {
    let path = directory("there");
    fs::create_dir_all(&path).expect("it can be made");
    fs::write(path.join("notes"), "mine").expect("it can be written");
    let skeleton = Skeleton::new("ataxx", Kind::TwoPlayer, checkout("/nowhere")).expect("a name");
    assert!(matches!(skeleton.write(&path), Err(SkeletonError::NotEmpty(_))));
    assert_eq!(files_below(&path), [path.join("notes")]);
}

#[test]
fn names_that_no_package_can_have_are_refused_with_the_reason() {
    for name in ["", "Ataxx", "7up", "a b", "a--b", "a-", "../x", "a/b", "\u{e4}", "match", "games"]
    {
        let error = Skeleton::new(name, Kind::Single, checkout(".")).expect_err(name);
        assert!(error.to_string().starts_with(&format!("{name:?} cannot be a name: ")), "{error}");
    }
    assert!(Skeleton::new(&"x".repeat(41), Kind::Single, checkout(".")).is_err());
}

#[test]
fn a_directory_that_is_no_checkout_is_refused() {
    let path = directory("no-checkout");
    fs::create_dir_all(&path).expect("it can be made");
    let dir = path.to_str().expect("a plain path");
    let output = arena(&["new", "x", "--dir", dir, "--checkout", dir]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("is not a checkout"), "{}", text(&output.stderr));
}

/// Cargo in a package, which shares the build directory of this one: flags of its own would build the crates again.
fn cargo(directory: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is below the target");
    Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(directory)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo starts")
}

#[test]
#[ignore = "slow: compiles five packages; run with `cargo test -p arena --release --test skeletons -- --ignored`"]
fn every_kind_compiles_plays_and_says_what_is_left_to_do() {
    for (kind, of_kind) in KINDS {
        let path = directory(&format!("played-{kind}"));
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let name = format!("game-{kind}");
        let crates = Crates::Checkout(relative_path(&path, checkout));
        Skeleton::new(&name, of_kind, crates).expect("a name").write(&path).expect("written");

        let play = cargo(&path, &["run", "-q", "--release", "--bin", &name, "--", "play", &name]);
        let (shown, errors) = (text(&play.stdout), text(&play.stderr));
        assert!(play.status.success() && !errors.contains("warning"), "{errors}");
        assert!(shown.contains("verdict: by the rules"), "{shown}");
        if of_kind == Kind::Hidden {
            let bots = ["--a", "is-mcts:playouts=50", "--b", "pomcp:playouts=50"];
            let run = ["run", "-q", "--release", "--bin", &name, "--", "match", &name];
            let few = ["--games", "2", "--in-process"];
            let played = cargo(&path, &[&run[..], &bots, &few].concat());
            assert!(played.status.success(), "{}", text(&played.stderr));
        }

        let format = cargo(&path, &["fmt", "--check"]);
        assert!(format.status.success(), "{}", text(&format.stdout));

        let test = cargo(&path, &["test", "-q", "--release", "--no-fail-fast"]);
        let shown = text(&test.stdout);
        assert!(shown.contains("left to do:\n") && shown.contains("src/rules.rs:3"), "{shown}");
        assert!(shown.contains("1 failed"), "only what is left to do fails: {shown}");

        // with everything done, all tests pass
        for file in files_below(&path.join("src")) {
            let done = fs::read_to_string(&file).expect("text").replace("TODO", "Done");
            fs::write(&file, done).expect("it can be written");
        }
        let test = cargo(&path, &["test", "-q", "--release"]);
        assert!(test.status.success(), "{}", text(&test.stdout));
        assert!(!text(&test.stderr).contains("warning"), "{}", text(&test.stderr));
    }
}
