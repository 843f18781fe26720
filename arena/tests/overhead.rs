//! What the referee itself costs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::catalogue::Catalogue;
use arena::contest::{Form, Journal, Machine, Plan, PlannedBot, Work, read_pairs, run};
use arena::player::BotSpec;
use arena::record::Writer;
use rustix::time::{ClockId, clock_gettime};

/// The figures are those of this process, so one test is measured at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Processor time of this process alone.
fn own_cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("a clock does not run backwards")
}

/// Most memory that this process has had, in MiB.
fn peak_mib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("it is there");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") >> 10
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").expect("Linux has /proc").count()
}

/// Plays `pairs` pairs between processes as `arena match --out` does; the plan and the file of the pairs.
fn play(bots: [&str; 2], pairs: u64) -> (Plan, PathBuf) {
    let arena = Path::new(env!("CARGO_BIN_EXE_arena"));
    let specs = bots.map(|bot| bot.parse::<BotSpec>().expect("a bot"));
    let planned = specs.iter().map(|spec| PlannedBot::new(spec, arena).expect("it is there"));
    let mut plan = Plan {
        arena: String::new(),
        game: "reversi".to_owned(),
        options: Vec::new(),
        seats: 2,
        form: Form::RoundRobin,
        bots: planned.collect(),
        seed: 1,
        opening_plies: 6,
        rounds: pairs,
        sprt: None,
        in_process: false,
        strict: false,
        memory_mib: None,
    };
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("overhead-{pairs}"));
    let _ = fs::remove_dir_all(&directory);
    let mut journal = Journal::open(&directory, &mut plan, drop).expect("a new directory");
    let catalogue = Catalogue::BUILT_IN;
    let game = catalogue.game("reversi").expect("it is on the list");
    let stop = AtomicBool::new(false);
    let machine = Machine {
        jobs: 1,
        pins: true,
        sandbox: false,
        keeps_messages: true,
        arena: arena.to_owned(),
        stop: &stop,
    };
    let work = Work { plan: &plan, game, catalogue, specs: &specs };
    arena::process::adopt_orphans().expect("Linux lets a process adopt orphans");
    run(&work, 0..pairs, &machine, Some(&mut journal), |_| true).expect("all are played");
    (plan, directory.join("pairs.jsonl"))
}

#[test]
#[ignore = "slow: plays 200 games between processes; cargo test -p arena --release --test overhead -- --ignored --nocapture"]
fn a_message_costs_the_referee_less_than_90_microseconds_of_processor_time() {
    let _alone = ALONE.lock();
    let before = own_cpu();
    let (plan, file) = play(["mcts:playouts=20", "mcts:playouts=30"], 100);
    let used = own_cpu() - before;
    let (mut messages, mut reports, mut candidates) = (0, 0, 0);
    read_pairs(&file, &plan, |pair| {
        for game in pair.games {
            let record = game.into_record().expect("its own messages");
            messages += record.messages.len();
            for message in record.messages.iter().filter(|one| one.from == Writer::Report) {
                reports += 1;
                candidates += message.text.matches("top").count();
            }
        }
    })
    .expect("its own file");
    // Reports come with the answers and are no messages of the protocol.
    let messages = u32::try_from(messages - reports).expect("a few thousand");
    let (each, each_report) = (used / messages, candidates as f64 / reports as f64);
    println!(
        "{messages} messages and {reports} reports of {each_report:.1} candidates, kept on the disk: \
         {each:?} a message, start and end of 400 processes included"
    );
    assert!(each < Duration::from_micros(90), "{each:?}");
}

#[test]
#[ignore = "slow: plays 1,000 games between processes; cargo test -p arena --release --test overhead -- --ignored --nocapture"]
fn a_thousand_games_leave_nothing_behind() {
    let _alone = ALONE.lock();
    let (begun, before) = (Instant::now(), descriptors());
    play(["random", "random:seed=5"], 500);
    println!(
        "1,000 games one after the other: {:.1} s, {} MiB at most, {} descriptors more than before",
        begun.elapsed().as_secs_f64(),
        peak_mib(),
        descriptors() - before
    );
    arena::process::end_supervisors();
    let own = std::process::id();
    let children = fs::read_to_string(format!("/proc/self/task/{own}/children"));
    println!("processes left: {:?}", children.expect("Linux has /proc").trim());
    assert!(descriptors() <= before && peak_mib() < 50);
}
