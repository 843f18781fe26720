//! A match uses one version of each program: a change during the match stops it or has no effect.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory of this test.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("changed-{name}"));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("there is room");
    directory
}

/// A bot that plays at random, and runs `change` at its third start.
fn bot(directory: &Path, change: &str) -> String {
    let arena = env!("CARGO_BIN_EXE_arena");
    let script = directory.join("bot.sh");
    let count = directory.join("count");
    let text = format!(
        "echo x >> {count}\n\
         if [ $(wc -l < {count}) = 3 ]; then cd {directory}; {change}; fi\n\
         exec {arena} bot reversi random:seed=1\n",
        count = count.display(),
        directory = directory.display(),
    );
    fs::write(&script, text).expect("there is room");
    format!("cmd:sh {}", script.display())
}

fn play(arena: &Path, bot: &str, out: &Path) -> Output {
    let out = out.join("out");
    let arguments =
        ["match", "reversi", "--games", "8", "--jobs", "1", "--a", bot, "--b", "random", "--out"];
    Command::new(arena).args(arguments).arg(out).output().expect("the arena starts")
}

/// Games in the directory of results.
fn games_in(out: &Path) -> usize {
    2 * fs::read_to_string(out.join("out/pairs.jsonl")).expect("it is there").lines().count()
}

#[test]
fn a_match_stops_when_a_program_changes() {
    let arena = Path::new(env!("CARGO_BIN_EXE_arena"));
    for (name, change) in [
        ("edited", "echo '# new' >> bot.sh"),
        ("moved", "cp bot.sh new; echo '# new' >> new; mv new bot.sh"),
        ("removed", "cp bot.sh kept; rm bot.sh"),
    ] {
        let directory = directory(name);
        let output = play(arena, &bot(&directory, change), &directory);
        let shown = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {shown}");
        assert!(shown.contains("is no longer the program that the match began with"), "{shown}");
        assert!(shown.contains("bot.sh was changed"), "{shown}");
        assert_eq!(games_in(&directory), 2, "{name}: the pair before the change is kept");
    }
}

#[test]
fn a_program_written_anew_with_the_same_content_is_the_same() {
    let directory = directory("rewritten");
    let bot = bot(&directory, "cp bot.sh new; mv new bot.sh; touch bot.sh");
    let output = play(Path::new(env!("CARGO_BIN_EXE_arena")), &bot, &directory);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(games_in(&directory), 8);
}

#[test]
fn built_in_bots_are_those_of_the_running_arena_whatever_happens_to_its_file() {
    let directory = directory("rebuilt");
    let arena = directory.join("arena");
    fs::copy(env!("CARGO_BIN_EXE_arena"), &arena).expect("there is room");
    let bot = bot(&directory, "echo exit 1 > new; chmod +x new; mv new arena");
    let output = play(&arena, &bot, &directory);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(games_in(&directory), 8);
    let pairs = fs::read_to_string(directory.join("out/pairs.jsonl")).expect("it is there");
    assert!(!pairs.contains("\"offence\""), "no bot is at fault: {pairs}");
}
