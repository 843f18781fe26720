//! Bots as one source file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use arena::catalogue::Catalogue;
use arena::pack::build::{Optimize, Origin};
use arena::pack::transcript::{Program, Transcript};
use arena::pack::{PackError, Target};
use arena::skeleton::{Crates, Kind, Skeleton};

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// An empty directory.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("packing").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("it can be made");
    path
}

fn arena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).output().expect("the arena starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A program that runs these shell commands.
fn script(name: &str, commands: &str) -> Program {
    let file = directory(name).join("program");
    fs::write(&file, format!("#!/bin/sh\n{commands}\n")).expect("it can be written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is ours");
    Program { file, is_native: false, parameters: Vec::new() }
}

fn transcript(game: &str, bot: &str) -> Transcript {
    let target = Target::new(game, bot);
    Transcript::record(&Catalogue::BUILT_IN, &target, (3, 0, 60)).expect("a game")
}

fn difference(transcript: &Transcript, program: &Program) -> String {
    match transcript.play(program) {
        Err(PackError::Differs { how, .. }) => how,
        other => panic!("expected a difference, found {other:?}"),
    }
}

#[test]
fn equal_seeds_and_playouts_give_equal_transcripts() {
    let first = transcript("connect-four", "mcts");
    assert!(first.answers() >= 4 && first.playouts() > 100, "{first:?}");
    assert!(first.is_repeatable());
    assert_eq!(first, transcript("connect-four", "mcts"));
    assert_ne!(first, transcript("connect-four", "mcts:exploration=0.1"));
}

#[test]
fn a_program_that_answers_otherwise_is_found_out() {
    let game = transcript("tic-tac-toe", "mcts");
    let wrong = script("wrong", "while read line; do echo NO; done");
    let how = difference(&game, &wrong);
    assert!(how.contains("expected \"OK\", found \"NO\""), "{how}");
    let leaves = script("leaves", "read board; read ready; echo OK; exit 0");
    let how = difference(&game, &leaves);
    assert!(how.contains("answer 2") && how.contains("found nothing"), "{how}");
}

#[test]
fn what_cannot_be_packed_is_refused_before_anything_is_built() {
    for (arguments, said) in [
        (&["pack", "reversi", "--bot", "mtcs"][..], "mcts"),
        (&["pack", "reversi", "--bot", "mcts:weight=7"], "from 0 to 1"),
        (&["pack", "reverse"], "reversi"),
        (&["pack", "reversi", "--limit", "1GB"], "expected B, kB, KiB, MB or MiB"),
        (&["pack"], "--package"),
    ] {
        let output = arena(arguments);
        let errors = text(&output.stderr);
        assert!(!output.status.success() && errors.contains(said), "{arguments:?}: {errors}");
    }
}

#[test]
fn the_doctor_looks_at_clocks_compilers_and_tools() {
    let output = arena(&["doctor"]);
    let shown = text(&output.stdout);
    for what in ["wall clock", "processor clock", "memory", "WebAssembly", "g++", "rustc", "Slurm"]
    {
        assert!(shown.lines().any(|line| line[9..].starts_with(what)), "{what}: {shown}");
    }
    let needs = shown.lines().any(|line| line.starts_with("MISSING"));
    assert_eq!(output.status.success(), !needs, "{shown}");
}

/// Packs with this arena; all tests share the folders of its builds.
fn pack(arguments: &[&str], out: &Path) -> Output {
    let out = out.to_str().expect("a plain path");
    arena(&[&["pack"], arguments, &["--out", out, "--no-clock", "--playouts", "200"]].concat())
}

#[test]
#[ignore = "slow: builds modules and native bots; run with `cargo test -p arena --release --test packing -- --ignored`"]
fn every_game_packs_to_every_language_and_plays_the_same_moves() {
    let folder = directory("all");
    for game in games::GAMES {
        for language in ["cpp", "c", "rs"] {
            let out = folder.join(format!("{}.{language}", game.name));
            let packed = pack(&[game.name, "--to", language], &out);
            let (shown, errors) = (text(&packed.stdout), text(&packed.stderr));
            assert!(shown.contains("verdict: plays the same moves\n"), "{shown}{errors}");
        }
    }
}

#[test]
#[ignore = "slow: builds a module; needs Node.js"]
fn a_module_plays_the_same_moves_under_node() {
    let origin = Origin { checkout: checkout(), package: None };
    let target = Target::new("connect-four", "mcts");
    let module = origin.module(&target, Optimize::Both).expect("it is built");
    let file = directory("node").join("bot.wasm");
    fs::write(&file, module).expect("it can be written");
    let host = checkout().join("arena/abi/host.mjs");
    let command = format!("exec node {} {} \"$@\"", host.display(), file.display());
    let used = transcript("connect-four", "mcts").play(&script("node-host", &command));
    assert!(used.expect("equal lines").cpu.as_nanos() > 0);
}

#[test]
#[ignore = "slow: builds a package"]
fn a_new_package_packs_to_cpp_and_plays_the_same_moves() {
    let folder = directory("package");
    let package = folder.join("ant-hill");
    let crates = Crates::Checkout(checkout());
    let skeleton = Skeleton::new("ant-hill", Kind::TwoPlayer, crates).expect("a name");
    skeleton.write(&package).expect("written");
    let package = package.to_str().expect("a plain path");
    let packed = pack(&["--package", package], &folder.join("main.cpp"));
    let (shown, errors) = (text(&packed.stdout), text(&packed.stderr));
    assert!(shown.contains("verdict: plays the same moves\n"), "{shown}{errors}");
}
