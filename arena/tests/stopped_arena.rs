//! The effects of a stopped arena. These tests stop their own process, so they run one at a time.

#[expect(dead_code, reason = "each file of tests uses its part")]
mod support;

use std::sync::{Mutex, PoisonError};

use arena::verdict::Offence;
use support::{Counting, HONEST, play};

/// Locked by the test that may stop the process.
static TURN: Mutex<()> = Mutex::new(());

/// Stops this process and waits until all its threads have stopped, which takes some time on a busy
/// machine.
fn stop_the_arena() -> String {
    let arena = std::process::id();
    format!(
        "kill -STOP {arena}; while grep -h ^State: /proc/{arena}/task/*/status | grep -qv stopped; do :; done"
    )
}

/// A player that stops the arena, which is this process, before its first action, and continues it
/// later.
fn stops_the_arena(before: &str, after: &str) -> String {
    let (arena, stop) = (std::process::id(), stop_the_arena());
    format!(
        "while read -r word total rest; do case $word in
        READY) echo OK;;
        TURN) if [ $total -lt 2 ]; then
            {stop}; {before}; sleep 1; kill -CONT {arena}; {after}
            else echo ADD 1; fi;;
        FINISH) exit 0;; esac; done"
    )
}

#[test]
fn a_stopped_arena_takes_nothing_from_a_clock_and_adds_nothing() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for (place, seats) in [(0, [true, false]), (1, [false, true])] {
        let game = || Counting::new(500, 20_000);
        let players =
            |script: &str| seats.map(|plays| if plays { script } else { HONEST }.to_owned());

        let [first, second] = players(&stops_the_arena("echo ADD 1", ":"));
        let record = play(game(), &first, &second, false).expect("both start");
        assert_eq!((record.verdict, record.contended), (None, false), "it answered at once");

        let [first, second] = players(&stops_the_arena(":", "echo ADD 1"));
        // on a machine that is busy with other work a game may be excused; it is then played again
        let record = (0..5)
            .map(|_| play(game(), &first, &second, false).expect("both start"))
            .find(|record| !record.contended)
            .expect("one game of five is not disturbed");
        let seats = record.seats;
        let verdict = record
            .verdict
            .unwrap_or_else(|| panic!("it slept for longer than its clock: {seats:?}"));
        assert!(matches!(verdict.offence, Offence::WallTimeout { .. }), "{verdict}");
        assert_eq!((verdict.seat, record.contended), (place, false));
    }
}

#[test]
fn a_bot_that_waited_for_a_stopped_arena_to_read_its_errors_is_not_to_blame() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let writes = "head -c 200000 /dev/zero | tr \"\\\\0\" \"\\\\n\" >&2";
    let (arena, stop) = (std::process::id(), stop_the_arena());
    // The arena continues after a second; until then the bot cannot write.
    let script = format!(
        "while read -r word total rest; do case $word in
        READY) echo OK;;
        TURN) if [ $total -lt 2 ]; then
            (sleep 1; kill -CONT {arena}) >/dev/null 2>&1 & {stop}; {writes}; fi; echo ADD 1;;
        FINISH) exit 0;; esac; done"
    );
    let record = play(Counting::new(500, 20_000), &script, HONEST, false).expect("both start");
    assert!(
        record.verdict.is_none() && record.contended,
        "{:?} {:?}",
        record.verdict,
        record.seats
    );
}
