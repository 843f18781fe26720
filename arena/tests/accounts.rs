//! All processor time is charged to the bot that used it, however it is hidden, and no process
//! outlives the arena.

mod support;

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use arena::process::{CGROUPS_VARIABLE, Exit};
use arena::record::GameRecord;
use arena::verdict::Offence;
use support::{Counting, HONEST, on_turn, play};

/// A player in Perl that runs `work` before its first action. `burn` uses the given number of seconds of processor time. Each process
/// adds to a file what getrusage(2) says that it has used: children when they `leave`, the player before its last action.
fn perl(work: &str, file: &Path) -> String {
    let file = file.display();
    format!(
        "exec perl -MTime::HiRes=clock -MPOSIX=setsid -e 'BEGIN {{ $^F = 99; }} $| = 1; pipe(R, W); $own = $$;
        $file = q({file});
        sub burn {{ my $until = clock() + $_[0]; 1 while clock() < $until; }}
        $note = q(open(F, q(>>), $file); $b = chr(0) x 144; syscall(98, 0, $b); @t = unpack(q(q4), $b);
            syswrite(F, 1000000 * ($t[0] + $t[2]) + $t[1] + $t[3] . chr(10)););
        sub leave {{ eval $note; POSIX::_exit(0) }}
        sub all_have_ended {{ close W; while (sysread(R, $x, 9)) {{ }} }}
        while (<STDIN>) {{
            print \"OK\\n\" if /^READY/;
            if (/^TURN/) {{ if (!$turns++) {{ {work} }} eval $note if $turns == 5; print \"ADD 1\\n\"; }}
            exit 0 if /^FINISH/;
        }}'"
    )
}

/// Processor time of the first player in milliseconds: what is charged to it, and what getrusage(2) says in each process.
fn charged_and_used(work: &str) -> (f64, f64) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("used-{}-{count}", std::process::id());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let record = play(Counting::new(60_000, 60_000), &perl(work, &file), HONEST, false);
    let record = record.expect("both start");
    assert_eq!(record.verdict, None);
    let used = fs::read_to_string(&file).expect("each process has written to it");
    fs::remove_file(&file).expect("it is ours");
    let used: u64 = used.lines().map(|line| line.parse::<u64>().expect("microseconds")).sum();
    (record.seats[0].used.cpu.as_secs_f64() * 1e3, used as f64 / 1e3)
}

/// Uses more than 800 ms in each case; what processes use to end is not in their own figures.
fn assert_all_is_charged(work: &str) {
    let (charged, used) = charged_and_used(work);
    let ratio = charged / used;
    assert!(used > 800.0, "{used:.1} ms: {work}");
    assert!((0.97..=1.03).contains(&ratio), "{charged:.1} of {used:.1} ms are charged: {work}");
}

/// Ways to use 800 ms.
const NOBODY_WAITS: &str = "$SIG{CHLD} = q(IGNORE);
    for (1..4) { if (!fork) { burn(0.2); leave(); } } 1 while wait != -1;";
const WAITED_FOR: &str = "for (1..4) { if (!fork) { burn(0.2); leave() } } 1 while wait != -1;";
const CHILDREN_OF_CHILDREN: &str =
    "if (!fork) { for (1..4) { if (!fork) { burn(0.2); leave() } } 1 while wait != -1;
    leave() } wait;";
const OWN_SESSION: &str =
    "for (1..8) { if (!fork) { setsid(); burn(0.1) if !fork; leave() } } all_have_ended();";
const NO_ENVIRONMENT: &str = "for (1..4) { if (!fork) { setsid(); %ENV = (); if (!fork) {
    exec(\"/usr/bin/perl\", \"-MTime::HiRes=clock\", \"-e\",
    q($until = clock() + 0.2; 1 while clock() < $until;) . qq(\\$file = q($file); $note)) } leave() } } all_have_ended();";
/// By `clone(CLONE_PARENT | SIGCHLD)`.
#[cfg(target_arch = "x86_64")]
const SIBLINGS: &str =
    "for (1..4) { if (!syscall(56, 0x8000 | 17, 0, 0, 0, 0)) { burn(0.2); leave() } }
    all_have_ended();";

#[test]
fn children_of_a_bot_that_waits_for_them_are_charged() {
    assert_all_is_charged(WAITED_FOR);
}

#[test]
fn children_of_children_are_charged() {
    assert_all_is_charged(CHILDREN_OF_CHILDREN);
}

#[test]
fn orphans_in_a_session_of_their_own_are_charged() {
    assert_all_is_charged(OWN_SESSION);
}

#[test]
fn orphans_that_shed_their_environment_are_charged() {
    assert_all_is_charged(NO_ENVIRONMENT);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn children_made_as_siblings_are_charged_and_ended() {
    assert_all_is_charged(SIBLINGS);
}

/// Moves the player to the control group above its own.
const LEAVES_ITS_GROUP: &str = "open(M, q(</proc/self/mountinfo));
    my ($point) = map { (split)[4] } grep { index($_, q( - cgroup2 )) > 0 } <M>;
    open(G, q(</proc/self/cgroup)); my ($above) = map { /^0::(.*)\\/arena-/ } <G>;
    open(P, q(>), $point . $above . q(/cgroup.procs)); syswrite(P, $$); close P;
    burn(0.4); if (!fork) { burn(0.4); leave() } wait;";

#[test]
fn a_bot_that_leaves_its_control_group_is_charged() {
    if !has_cgroups() {
        writeln!(io::stderr(), "SKIPPED: no control group can be made here").expect("it is open");
        return;
    }
    assert_all_is_charged(LEAVES_ITS_GROUP);
}

#[test]
fn children_that_nobody_waits_for_are_charged_where_there_are_control_groups() {
    if !has_cgroups() {
        writeln!(io::stderr(), "SKIPPED: no control group can be made here").expect("it is open");
        return;
    }
    assert_all_is_charged(NOBODY_WAITS);
}

#[test]
#[cfg(target_arch = "x86_64")]
#[ignore = "slow: a table; cargo test -p arena --release --test accounts -- --ignored --nocapture"]
fn processor_time_charged_against_used() {
    println!("control groups: {}", has_cgroups());
    println!("| case | charged, ms | by getrusage, ms | ratio |\n|---|---:|---:|---:|");
    for (name, work) in [
        ("children that are waited for", WAITED_FOR),
        ("children of children", CHILDREN_OF_CHILDREN),
        ("orphans in sessions of their own", OWN_SESSION),
        ("orphans without environment", NO_ENVIRONMENT),
        ("siblings by CLONE_PARENT", SIBLINGS),
        ("children of a bot that ignores SIGCHLD", NOBODY_WAITS),
    ] {
        let mut all: Vec<_> = (0..5).map(|_| charged_and_used(work)).collect();
        all.sort_by(|one, other| (one.0 / one.1).total_cmp(&(other.0 / other.1)));
        let (charged, used) = all[2];
        println!("| {name} | {charged:.1} | {used:.1} | {:.3} |", charged / used);
    }
}

/// Whether supervisors can make control groups here: a bot sees the one that it is in.
fn has_cgroups() -> bool {
    let in_one = on_turn("grep -q /arena- /proc/self/cgroup && echo ADD 1 || echo ADD 2");
    let record = play(Counting::new(60_000, 60_000), &in_one, HONEST, false).expect("both start");
    record.actions[0] == "ADD 1"
}

#[test]
fn the_same_holds_without_control_groups() {
    if std::env::var_os(CGROUPS_VARIABLE).is_some() {
        return;
    }
    let own = std::env::current_exe().expect("this program has a file");
    let tests = Command::new(own).env(CGROUPS_VARIABLE, "0").output().expect("it runs");
    assert!(tests.status.success(), "{}", String::from_utf8_lossy(&tests.stdout));
}

/// Plays a script that must end with a verdict; returns its offence.
fn offence_of(script: &str) -> (GameRecord, Offence) {
    let record = play(Counting::new(2_000, 60_000), script, HONEST, false).expect("both start");
    let verdict = record.verdict.clone().expect("it is at fault");
    assert_eq!(verdict.seat, 0, "{verdict}");
    (record, verdict.offence)
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_bot_that_somebody_traces_is_ended_all_the_same() {
    // ptrace(PTRACE_SEIZE): the tracer never waits, so the bot cannot be reaped while the tracer lives.
    let traced = perl(
        "if (!fork) { syscall(101, 0x4206, $own, 0, 0); syswrite(W, q(x)); sleep 9999; }
        sysread(R, $x, 1); POSIX::_exit(7);",
        Path::new("/dev/null"),
    );
    let (_, offence) = offence_of(&traced);
    // Its end is unknown, since it cannot be reaped while it is traced.
    assert!(matches!(offence, Offence::WallTimeout { .. }), "{offence}");
}

#[test]
fn a_bot_that_kills_its_supervisor_has_killed_itself() {
    let (_, offence) = offence_of(&on_turn("kill -KILL $PPID; sleep 71093"));
    assert_eq!(offence, Offence::Crash { exit: Exit::Signal(9) });
    let left = Command::new("pgrep").args(["-f", "^sleep 71093"]).output().expect("pgrep runs");
    assert!(left.stdout.is_empty(), "{}", String::from_utf8_lossy(&left.stdout));
}

#[test]
fn two_thousand_threads_are_too_many_and_no_burden_to_the_other_player() {
    if Command::new("python3").arg("--version").output().is_err() {
        writeln!(io::stderr(), "SKIPPED: there is no python3 to start threads with")
            .expect("it is open");
        return;
    }
    let many = "exec python3 -c 'if 1:
        import sys, threading, time
        threading.stack_size(65536)
        for line in sys.stdin:
            if line.startswith(\"READY\"): print(\"OK\", flush=True)
            if line.startswith(\"TURN\"):
                for _ in range(2000): threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
                time.sleep(9)'";
    let (record, offence) = offence_of(many);
    assert_eq!(offence, Offence::TooManyProcesses);
    assert!(record.seats[1].points > 0.5);
}
