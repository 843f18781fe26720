//! Every hostile player gets its own verdict, soon, and leaves no process behind.

mod support;

use std::fs;
use std::time::Duration;

use arena::process::Exit;
use arena::record::{GameRecord, Writer};
use arena::verdict::{Offence, Verdict};
use support::{Counting, HONEST, on_turn, play};

/// Plays the script against an honest player, from both seats, and returns the verdict.
fn verdict_on(script: &str) -> Verdict {
    verdict_within(script, 5_000)
}

/// The same for a script that runs out of time.
fn timeout_of(script: &str) -> Offence {
    verdict_within(script, 400).offence
}

fn verdict_within(script: &str, wall_ms: u64) -> Verdict {
    let mut verdicts = [(script, HONEST), (HONEST, script)].map(|(first, second)| {
        let record =
            play(Counting::new(wall_ms, 20_000), first, second, false).expect("both start");
        let culprit = usize::from(first == HONEST);
        let points: Vec<f64> = record.seats.iter().map(|seat| seat.points).collect();
        assert_eq!(points, if culprit == 0 { [0.0, 1.0] } else { [1.0, 0.0] });
        let verdict = record.verdict.clone().expect("it is at fault");
        assert_eq!(verdict.seat, culprit, "{verdict}");
        let used = record.seats.iter().map(|seat| seat.used.wall).sum::<Duration>();
        assert!(used <= Duration::from_millis(2 * wall_ms + 200), "{used:?}: {verdict}");
        verdict
    });
    assert_eq!(verdicts[0].offence.name(), verdicts[1].offence.name());
    verdicts[0].seat = 0;
    verdicts[0].clone()
}

fn offence_of(script: &str) -> Offence {
    verdict_on(script).offence
}

/// Processes whose command line contains the text.
fn running(text: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("Linux has /proc").flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.starts_with("sleep") && line.contains(text))
        .collect()
}

#[test]
fn two_honest_players_finish_by_the_rules() {
    let record = play(Counting::new(5_000, 5_000), HONEST, HONEST, true).expect("both start");
    assert_eq!(record.verdict, None);
    assert_eq!((record.seats[0].points, record.seats[1].points), (0.0, 1.0));
    assert_eq!(record.actions, vec!["ADD 1"; 10]);
    assert_eq!((record.start.as_str(), record.end.as_str()), ("0", "10"));
    assert!(record.seats.iter().all(|seat| seat.exit == Some(Exit::Code(0))));
    assert!(record.seats.iter().all(|seat| seat.used.cpu > Duration::ZERO));
    let answers = record.messages.iter().filter(|message| message.from == Writer::Bot);
    assert_eq!(answers.count(), 12);
    assert!(record.messages.is_sorted_by_key(|message| message.at));
}

#[test]
fn a_record_survives_json() {
    let record =
        play(Counting::new(5_000, 5_000), HONEST, &on_turn("echo x"), false).expect("both start");
    let text = serde_json::to_string(&record).expect("plain data");
    let back: GameRecord = serde_json::from_str(&text).expect("its own text");
    assert_eq!(serde_json::to_string(&back).expect("plain data"), text);
}

#[test]
fn a_silent_player_runs_out_of_wall_time() {
    assert_eq!(
        timeout_of("exec sleep 100"),
        Offence::WallTimeout { late_by_us: None, stopped: false }
    );
}

#[test]
fn a_late_answer_is_a_timeout_that_says_how_late() {
    let offence = timeout_of(&on_turn("sleep 0.42; echo ADD 1"));
    assert!(matches!(offence, Offence::WallTimeout { late_by_us: Some(_), .. }), "{offence}");
}

#[test]
fn an_illegal_action_is_shown_with_what_is_wrong_and_is_not_applied() {
    let verdict = verdict_on(&on_turn("echo ADD 7"));
    assert_eq!(verdict.offence, Offence::IllegalAction);
    assert_eq!(verdict.explanation.as_deref(), Some("7 is not 1, 2 or 3"));
    assert_eq!((verdict.bytes.as_deref(), verdict.position.as_str()), (Some("ADD 7"), "0"));
    assert!(verdict.asked.is_some_and(|asked| asked.starts_with("TURN 0 ")));
}

#[test]
fn a_malformed_answer_is_shown() {
    let verdict = verdict_on(&on_turn("echo pardon"));
    assert_eq!(verdict.offence, Offence::MalformedAnswer);
    assert_eq!(verdict.bytes.as_deref(), Some("pardon"));
}

#[test]
fn anything_but_ok_to_ready_is_malformed() {
    let verdict = verdict_on("read a; read b; echo okay; exec sleep 100");
    assert_eq!(verdict.offence, Offence::MalformedAnswer);
    assert_eq!(verdict.explanation.as_deref(), Some("expected OK"));
}

#[test]
fn bytes_that_are_no_text_are_shown_as_escapes() {
    let verdict = verdict_on(&on_turn(r"printf 'ADD \377\n'"));
    assert_eq!(verdict.offence, Offence::MalformedAnswer);
    assert_eq!(verdict.bytes.as_deref(), Some("ADD \\xff"));
}

#[test]
fn half_a_line_is_an_answer_without_a_line_feed_whatever_follows() {
    for (then, wall_ms) in [("sleep 100", 400), ("exit 0", 5_000), ("exec >&-; sleep 100", 5_000)] {
        let verdict = verdict_within(&on_turn(&format!("printf 'ADD 1'; {then}")), wall_ms);
        assert_eq!(
            (verdict.offence, verdict.bytes.as_deref()),
            (Offence::NoNewline, Some("ADD 1")),
            "{then}"
        );
    }
}

#[test]
fn a_megabyte_without_a_line_feed_is_too_long() {
    let verdict = verdict_on(&on_turn("head -c 1000000 /dev/zero; sleep 100"));
    assert_eq!(verdict.offence, Offence::LineTooLong);
    assert!(verdict.bytes.is_some_and(|bytes| bytes.len() < 1000 && bytes.ends_with("bytes)")));
}

#[test]
fn endless_standard_error_blocks_nobody() {
    assert!(matches!(timeout_of("yes flood >&2"), Offence::WallTimeout { .. }));
    let noisy = on_turn("head -c 300000 /dev/zero >&2; printf '\nthe end\n' >&2; echo ADD 1");
    let record = play(Counting::new(5_000, 5_000), &noisy, HONEST, false).expect("both start");
    assert_eq!(record.verdict, None);
    assert_eq!(record.seats[0].last_errors.last().map(String::as_str), Some("the end"));
}

#[test]
fn a_crash_shows_exit_code_or_signal_and_the_last_words() {
    let verdict = verdict_on(&on_turn("echo 'out of ideas' >&2; exit 3"));
    assert_eq!(verdict.offence, Offence::Crash { exit: Exit::Code(3) });
    assert_eq!(verdict.last_errors, ["out of ideas"]);
    let verdict = verdict_on(&on_turn("kill -SEGV $$"));
    assert_eq!(verdict.offence, Offence::Crash { exit: Exit::Signal(11) });
    assert_eq!(verdict.offence.to_string(), "ended by signal 11 (SIGSEGV)");
}

#[test]
fn dying_at_any_message_is_a_crash() {
    let at_start = "exit 4";
    let at_ready = "read a; read b; exit 4";
    let after_ready = "read a; read b; echo OK; exit 4";
    let at_notice = "while read -r word rest; do
        case $word in READY) echo OK;; TURN) echo ADD 1;; OPP) exit 4;; esac; done";
    for script in [at_start, at_ready, after_ready, at_notice, &on_turn("exit 4")] {
        assert_eq!(offence_of(script), Offence::Crash { exit: Exit::Code(4) }, "{script}");
    }
}

#[test]
fn writing_before_the_first_request_is_early() {
    assert_eq!(
        offence_of(r"read a; read b; printf 'OK\nADD 1\n'; exec sleep 100"),
        Offence::EarlyAnswer
    );
    let slow_first = "sleep 0.2; echo OK; exec sleep 100";
    let record = play(Counting::new(2_000, 5_000), slow_first, "echo OK; exec sleep 100", false)
        .expect("both start");
    let verdict = record.verdict.expect("a seat is at fault");
    assert_eq!((verdict.seat, verdict.offence), (1, Offence::EarlyAnswer));
}

#[test]
fn a_second_answer_in_the_same_or_a_later_breath_is_answering_twice() {
    assert_eq!(offence_of(&on_turn(r"printf 'ADD 1\nADD 1\n'")), Offence::AnsweredTwice);
    let slow = "while read -r word rest; do
        case $word in READY) echo OK;; TURN) sleep 0.15; echo ADD 1;; esac; done";
    let twice = on_turn("echo ADD 1; sleep 0.05; echo ADD 1");
    let record = play(Counting::new(5_000, 5_000), &twice, slow, false).expect("both start");
    let verdict = record.verdict.expect("it is at fault");
    assert_eq!((verdict.seat, verdict.offence), (0, Offence::AnsweredTwice));
}

#[test]
fn words_after_the_last_answer_change_nothing() {
    let talkative = "while read -r word total rest; do
        case $word in READY) echo OK;; TURN) echo ADD 1; [ $total = 9 ] && echo bye;; esac; done";
    let quiet = &on_turn("echo ADD 1");
    let record = play(Counting::new(5_000, 5_000), quiet, talkative, false).expect("both start");
    assert_eq!((record.verdict, record.seats[1].points), (None, 1.0));
}

#[test]
fn closing_the_output_is_told_from_ending() {
    assert_eq!(offence_of(&on_turn("exec >&-; sleep 100")), Offence::ClosedOutput);
}

#[test]
fn a_player_that_stops_itself_runs_out_of_wall_time() {
    let offence = timeout_of(&on_turn("kill -STOP $$"));
    assert_eq!(offence, Offence::WallTimeout { late_by_us: None, stopped: true });
}

#[test]
fn a_player_that_never_reads_cannot_block_the_referee() {
    let offence = timeout_of("exec <&-; sleep 100");
    assert!(matches!(offence, Offence::WallTimeout { .. }));
}

#[test]
fn processor_time_is_charged_in_both_players_time_and_for_children() {
    let burn = "while :; do :; done";
    for script in
        [on_turn(burn), on_turn(&format!("sh -c '{burn}'")), on_turn(&format!("({burn}) & wait"))]
    {
        let record = play(Counting::new(10_000, 150), &script, HONEST, false).expect("both start");
        let verdict = record.verdict.expect("it is at fault");
        assert_eq!((verdict.seat, verdict.offence), (0, Offence::CpuTimeout), "{script}");
    }
    let ponder = "while read -r word rest; do
        case $word in READY) echo OK;; TURN) echo ADD 1; while :; do :; done;; esac; done";
    let slow = &on_turn("sleep 5; echo ADD 1");
    let record = play(Counting::new(10_000, 150), ponder, slow, false).expect("both start");
    let verdict = record.verdict.expect("it is at fault");
    assert_eq!((verdict.seat, verdict.offence), (0, Offence::CpuTimeout));
}

#[test]
fn an_orphan_is_charged_to_the_bot_that_left_it() {
    let orphan = "setsid sh -c 'sh -c \"while :; do :; done\" &' ; echo ADD 1; sleep 9";
    let record = play(Counting::new(10_000, 150), &on_turn(orphan), &on_turn("sleep 9"), false);
    let verdict = record.expect("both start").verdict.expect("it is at fault");
    assert_eq!((verdict.seat, verdict.offence), (0, Offence::CpuTimeout));
}

#[test]
fn children_that_outlive_their_parent_are_ended_with_it() {
    let forks = "sleep 71077 & (sleep 71077 & sleep 71077) & setsid sleep 71077 & \
                 setsid sh -c 'sleep 71077 & sleep 71077 &'; exit 5";
    assert_eq!(offence_of(&on_turn(forks)), Offence::Crash { exit: Exit::Code(5) });
    assert_eq!(running("71077"), Vec::<String>::new());
    let stays = "trap '' TERM HUP INT; sleep 71078 & while read -r word rest; do
        case $word in READY) echo OK;; TURN) echo ADD 1;; esac; done; sleep 71078";
    let record = play(Counting::new(5_000, 5_000), stays, stays, false).expect("both start");
    assert_eq!((record.verdict, record.seats[0].exit), (None, None));
    assert_eq!(running("71078"), Vec::<String>::new());
}

#[test]
fn a_player_that_leaves_its_group_is_ended_with_its_children() {
    let leaves =
        "exec perl -e '$| = 1; $c = fork; if (!$c) { setpgrp(0, 0); exec \"sleep\", \"71080\" }
        setpgrp($c, $c); setpgrp(0, $c); print \"no answer\\n\"; exec \"sleep\", \"71080\"'";
    assert_eq!(offence_of(&on_turn(leaves)), Offence::MalformedAnswer);
    assert_eq!(running("71080"), Vec::<String>::new());
}

#[test]
fn an_orphan_without_session_and_environment_of_its_bot_is_ended() {
    let hides = "env -i setsid sh -c 'sleep 71081 &'; exit 5";
    assert_eq!(offence_of(&on_turn(hides)), Offence::Crash { exit: Exit::Code(5) });
    assert_eq!(running("71081"), Vec::<String>::new());
}

#[test]
fn more_processes_than_anybody_needs_are_too_many() {
    let many = "n=0; while [ $n -lt 300 ]; do sleep 71082 & n=$((n+1)); done; wait";
    assert_eq!(offence_of(&on_turn(many)), Offence::TooManyProcesses);
    assert_eq!(running("71082"), Vec::<String>::new());
}

#[test]
fn a_fork_bomb_of_the_slow_kind_is_ended() {
    let bomb = "n=0; while [ $n -lt 50 ]; do setsid sleep 71079 & n=$((n+1)); done; wait";
    assert!(matches!(timeout_of(&on_turn(bomb)), Offence::WallTimeout { .. }));
    assert_eq!(running("71079"), Vec::<String>::new());
}

#[test]
fn eating_memory_is_stopped_at_the_limit() {
    // The shell's own variable grows by doubling, beyond any limit.
    let eats = on_turn("x=0123456789; while :; do x=$x$x; done");
    let record = play(Counting::new(20_000, 20_000), &eats, HONEST, false).expect("both start");
    let verdict = record.verdict.expect("it is at fault");
    assert!(matches!(verdict.offence, Offence::OutOfMemory { .. }), "{verdict}");
}

#[test]
fn blanks_after_an_answer_are_a_warning_or_lose_if_strict() {
    let sloppy = "while read -r word rest; do
        case $word in READY) printf 'OK\\r\\n';; TURN) printf 'ADD 1 \\n';; esac; done";
    let record = play(Counting::new(5_000, 5_000), sloppy, HONEST, false).expect("both start");
    assert_eq!(record.verdict, None);
    assert_eq!(record.seats[0].warnings, ["blanks at the end of a line"]);
    let record = play(Counting::new(5_000, 5_000), sloppy, HONEST, true).expect("both start");
    let verdict = record.verdict.expect("it is at fault");
    assert_eq!(
        (verdict.offence, verdict.bytes.as_deref()),
        (Offence::MalformedAnswer, Some("OK\\r"))
    );
}

#[test]
fn a_program_that_does_not_exist_is_no_verdict_but_an_error() {
    let missing = arena::referee::Player {
        name: "missing".to_owned(),
        command: vec!["./no-such-program".to_owned()],
        seed: 0,
    };
    let stop = std::sync::atomic::AtomicBool::new(false);
    let conduct = arena::referee::Conduct {
        strict: false,
        memory_limit_bytes: None,
        sandbox: false,
        keep_messages: false,
        longest_game: None,
        cores: None,
        stop: &stop,
    };
    let players = [support::shell("honest", HONEST), missing];
    let occasion = arena::referee::Occasion { game: "counting", seed: 0 };
    let result =
        arena::referee::play(&mut Counting::new(99, 99), &players, occasion, &conduct, &mut ());
    let error = result.expect_err("it cannot be started");
    assert_eq!(error.to_string(), "cannot start `./no-such-program`");
}

#[test]
fn a_game_that_takes_longer_than_it_may_ends_by_itself_and_does_not_count() {
    let stop = std::sync::atomic::AtomicBool::new(false);
    let conduct = arena::referee::Conduct {
        strict: false,
        memory_limit_bytes: None,
        sandbox: false,
        keep_messages: false,
        longest_game: Some(Duration::from_millis(300)),
        cores: None,
        stop: &stop,
    };
    // Each action is soon enough for a clock of a minute.
    let slow = on_turn("sleep 0.1; echo ADD 1");
    let players = ["first", "second"].map(|name| support::shell(name, &slow));
    let occasion = arena::referee::Occasion { game: "counting", seed: 0 };
    let mut game = Counting::new(60_000, 60_000);
    let record = arena::referee::play(&mut game, &players, occasion, &conduct, &mut ());
    let record = record.expect("both start");
    let verdict = record.verdict.expect("it is not over by the rules");
    assert_eq!(verdict.offence, Offence::EndlessGame { limit_us: 300_000 });
    assert_eq!(verdict.offence.name(), "endless_game");
    assert!(record.contended && game.total > 0);
}

#[test]
fn a_thousand_games_leak_no_descriptor() {
    let descriptors = || fs::read_dir("/proc/self/fd").expect("Linux has /proc").count();
    let before = descriptors();
    for _ in 0..1_000 {
        play(Counting::new(5_000, 5_000), "exit 1", HONEST, false).expect("both start");
    }
    assert!(descriptors() <= before + 64, "others run beside this one, but none keeps its own");
}
