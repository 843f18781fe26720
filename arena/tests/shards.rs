//! A plan in shards, on any number of machines, gives what one machine gives.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

fn arena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).output().expect("the arena starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the arena writes UTF-8")
}

fn succeeds(arguments: &[&str]) -> String {
    let output = arena(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn fails(arguments: &[&str]) -> String {
    let output = arena(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", text(&output.stdout));
    text(&output.stderr)
}

/// A manifest of 24 games in 4 shards, and a directory for them.
struct Trial {
    directory: PathBuf,
}

const BOTS: [&str; 2] = ["mcts:playouts=50", "greedy"];

impl Trial {
    fn new(more: &[&str]) -> Trial {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("shards-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("the build's own directory");
        let trial = Trial { directory };
        let command = ["plan", "reversi", "--bot", BOTS[0], "--bot", BOTS[1], "--games", "24"];
        succeeds(
            &[&command[..], &["--shards", "4", "--write", &trial.path("plan.json")], more].concat(),
        );
        trial
    }

    fn path(&self, name: &str) -> String {
        self.directory.join(name).to_str().expect("a plain path").to_owned()
    }

    fn shard(&self, index: &str) -> [String; 7] {
        let words = [
            "shard",
            "--plan",
            &self.path("plan.json"),
            "--index",
            index,
            "--out",
            &self.path("out"),
        ];
        words.map(str::to_owned)
    }

    fn play(&self, index: &str) -> String {
        let command = self.shard(index);
        succeeds(&command.each_ref().map(String::as_str))
    }

    fn merge(&self) -> String {
        succeeds(&["merge", "--plan", &self.path("plan.json"), &self.path("out")])
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("out")).expect("it was played").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

const IN_PROCESS: &[&str] = &["--in-process"];

fn one_machine(more: &[&str]) -> String {
    succeeds(
        &[&["match", "reversi", "--a", BOTS[0], "--b", BOTS[1], "--games", "24"], more].concat(),
    )
}

#[test]
fn merged_shards_give_the_result_of_one_machine_to_the_last_digit() {
    let trial = Trial::new(IN_PROCESS);
    for index in ["2", "0", "3", "1"] {
        trial.play(index);
    }
    assert_eq!(trial.merge(), one_machine(IN_PROCESS));
}

#[test]
fn the_local_engine_plays_all_shards_and_playing_again_changes_nothing() {
    let trial = Trial::new(IN_PROCESS);
    let submit = ["submit", "--plan", &trial.path("plan.json"), "--out", &trial.path("out")];
    succeeds(&submit);
    let before = fs::read(trial.directory.join("out/shard-00001.jsonl")).expect("it is whole");
    succeeds(&submit);
    trial.play("1");
    let after = fs::read(trial.directory.join("out/shard-00001.jsonl")).expect("it is whole");
    assert_eq!(before, after);
    assert_eq!(trial.merge(), one_machine(IN_PROCESS));
}

#[test]
fn a_shard_that_is_killed_half_way_keeps_what_it_had() {
    let trial = Trial::new(&[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args([&trial.shard("0")[..], &["--jobs".to_owned(), "1".to_owned()]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the arena starts");
    let first_pair = || {
        let entries = fs::read_dir(trial.path("out")).into_iter().flatten().flatten();
        let mut attempts =
            entries.filter(|entry| entry.path().extension().is_some_and(|e| e == "tmp"));
        let text = fs::read_to_string(attempts.next()?.path()).ok()?;
        text.split_once('\n').map(|(first, _)| first.to_owned())
    };
    let pair = loop {
        if let Some(pair) = first_pair() {
            break pair;
        }
        std::thread::yield_now();
    };
    child.kill().expect("it is ours");
    child.wait().expect("it is ours");
    for index in ["0", "1", "2", "3"] {
        trial.play(index);
    }
    let shard =
        fs::read_to_string(trial.directory.join("out/shard-00000.jsonl")).expect("it is whole");
    assert!(shard.lines().any(|line| line == pair));
    assert!(trial.files().iter().all(|name| !name.contains("tmp")), "{:?}", trial.files());
    let percent = |shown: &str| {
        shown.lines().filter(|line| line.contains('%')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(percent(&trial.merge()), percent(&one_machine(IN_PROCESS)));
}

#[test]
fn missing_shards_are_named_and_what_is_there_can_be_shown() {
    let trial = Trial::new(IN_PROCESS);
    trial.play("0");
    trial.play("2");
    let merge = ["merge", "--plan", &trial.path("plan.json"), &trial.path("out")];
    assert!(fails(&merge).contains("shards are missing or incomplete: 1, 3"));
    assert!(succeeds(&[&merge[..], &["--partial"]].concat()).contains("in 6 pairs"));
}

#[test]
fn a_test_is_decided_by_the_first_shards_while_each_is_played_to_its_end() {
    let trial = Trial::new(&[IN_PROCESS, &["--sprt", "0,300,0.4,0.4"]].concat());
    trial.play("0");
    let shard = fs::read_to_string(trial.directory.join("out/shard-00000.jsonl"));
    assert_eq!(shard.expect("it is whole").lines().count(), 3);
    let merged = trial.merge();
    assert!(merged.contains("H1 accepted") && !merged.contains("in 12 pairs"), "{merged}");
    trial.play("3");
    assert_eq!(trial.merge(), merged, "what comes later does not matter");
}

#[test]
fn a_damaged_shard_is_made_whole_and_one_of_another_plan_is_refused() {
    let trial = Trial::new(IN_PROCESS);
    (0..4).for_each(|index| drop(trial.play(&index.to_string())));
    let merged = trial.merge();
    let file = trial.directory.join("out/shard-00002.jsonl");
    let shard = fs::read_to_string(&file).expect("it is whole");
    fs::write(&file, &shard[..shard.len() - 20]).expect("it is ours");
    let merge = ["merge", "--plan", &trial.path("plan.json"), &trial.path("out")];
    assert!(fails(&merge).contains("shard-00002.jsonl:3: not a pair"));
    trial.play("2");
    assert_eq!(trial.merge(), merged);
    let again = fs::read_to_string(&file).expect("it is whole");
    assert!(shard.lines().take(2).all(|line| again.contains(line)));
    let plan = shard.split("\"plan\":\"").nth(1).and_then(|rest| rest.get(..16));
    fs::write(&file, shard.replace(plan.expect("a fingerprint"), "0123456789abcdef"))
        .expect("it is ours");
    for command in [&trial.shard("2").each_ref().map(String::as_str)[..], &merge] {
        let said = fails(command);
        assert!(
            said.contains("00002.jsonl:1: a pair of plan 0123456789abcdef, expected one of plan "),
            "{said}"
        );
    }
}

#[test]
fn the_same_pair_twice_counts_once_and_another_game_in_its_place_is_refused() {
    let trial = Trial::new(IN_PROCESS);
    (0..4).for_each(|index| drop(trial.play(&index.to_string())));
    let copy = trial.path("copy");
    fs::create_dir_all(&copy).expect("the build's own directory");
    let shard =
        fs::read_to_string(trial.directory.join("out/shard-00003.jsonl")).expect("it is whole");
    let copied = Path::new(&copy).join("shard-00003.jsonl");
    fs::write(&copied, &shard).expect("the build's own directory");
    let merge = ["merge", "--plan", &trial.path("plan.json"), &trial.path("out"), &copy];
    let output = arena(&merge);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), trial.merge()));
    assert!(text(&output.stderr).contains("3 pairs were found more than once"));
    fs::write(&copied, shard.replacen("\"points\":1.0", "\"points\":0.5", 1)).expect("it is ours");
    assert!(fails(&merge).contains("has different games in"));
}

#[test]
fn manifests_that_do_not_fit_are_refused() {
    let trial = Trial::new(IN_PROCESS);
    let plan = fs::read_to_string(trial.path("plan.json")).expect("it was written");
    let shard = trial.shard("0");
    let shard = shard.each_ref().map(String::as_str);
    let content = plan
        .split("\"content\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("it is there");
    for (from, to, why) in [
        (content, "0000", "the bots of the manifest differ from those of this machine"),
        ("\"seeds\":[", "\"seeds\":[1,", "seeds differ from those of its plan"),
        ("\"shards\":4", "\"shards\":0", "no games or no shards"),
        ("\"shards\"", "\"shreds\"", "not a manifest"),
    ] {
        fs::write(trial.path("plan.json"), plan.replacen(from, to, 1)).expect("it is ours");
        let said = fails(&shard);
        assert!(said.contains(why), "{said}");
    }
    fs::write(trial.path("plan.json"), &plan).expect("it is ours");
    let beyond = trial.shard("4");
    assert!(fails(&beyond.each_ref().map(String::as_str)).contains("there is no shard 4"));
}

#[test]
fn schedulers_are_told_what_they_need() {
    let trial = Trial::new(IN_PROCESS);
    let submit =
        ["submit", "--plan", &trial.path("plan.json"), "--out", &trial.path("out"), "--dry-run"];
    succeeds(
        &[&submit[..], &["--engine", "slurm", "--jobs", "2", "--scheduler", "--time=10"]].concat(),
    );
    let script = fs::read_to_string(trial.directory.join("out/job.sh")).expect("it was written");
    assert!(
        script.contains("#SBATCH --array=0-3\n") && script.contains("#SBATCH --time=10\n"),
        "{script}"
    );
    succeeds(&[&submit[..], &["--engine", "hq", "--jobs", "2"]].concat());
    // a job file for `hq` where it is on the path, otherwise the tasks for its Python package
    let written = ["out/job.toml", "out/job.json"].map(|file| trial.directory.join(file));
    let jobs: Vec<String> =
        written.iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    let [job] = &jobs[..] else { panic!("one file with the tasks: {jobs:?}") };
    let tasks = job.matches("[[task]]").count() + job.matches("\"shard\":").count();
    assert_eq!(tasks, 4, "{job}");
}

#[test]
fn the_number_of_games_for_a_difference_is_told() {
    let shown = succeeds(&["plan", "--see", "10", "--draws", "0.5"]);
    assert!(shown.contains("match of fixed length: "), "{shown}");
    let games = |elo: &str| {
        let shown = succeeds(&["plan", "--see", elo]);
        let line =
            shown.lines().nth(1).and_then(|line| line.split(' ').nth(4)?.parse::<f64>().ok());
        line.expect("a number")
    };
    // Half the difference needs four times the games.
    let ratio = games("5") / games("10");
    assert!((3.98..4.02).contains(&ratio), "{ratio}");
}
