//! What the referee itself costs.

use std::path::Path;
use std::time::Duration;

use arena::contest::Cores;
use arena::player::BotSpec;
use arena::referee::{Conduct, Occasion, play};
use rustix::time::{ClockId, clock_gettime};

/// Processor time of this process alone.
fn own_cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("a clock does not run backwards")
}

#[test]
#[ignore = "slow: plays 200 games between processes; cargo test -p arena --release --test overhead -- --ignored --nocapture"]
fn a_message_costs_the_referee_less_than_90_microseconds_of_processor_time() {
    let random: BotSpec = "random".parse().expect("a bot");
    let game = games::find("reversi").expect("it is on the list");
    let stop = std::sync::atomic::AtomicBool::new(false);
    let conduct = Conduct {
        strict: false,
        memory_limit_bytes: None,
        sandbox: false,
        keep_messages: true,
        cores: Some(Cores::available().of_job(0)),
        stop: &stop,
    };
    arena::process::adopt_orphans().expect("Linux lets a process adopt orphans");
    let before = own_cpu();
    let mut messages = 0;
    for seed in 0..200 {
        let arena = Path::new(env!("CARGO_BIN_EXE_arena"));
        let players = [1, 2].map(|seat| random.player("reversi", 2 * seed + seat, arena));
        let mut judging = (game.judge)(seed, &[]).expect("it has no options");
        let occasion = Occasion { game: "reversi", seed };
        let record = play(judging.as_mut(), &players, occasion, &conduct, &mut ());
        messages += record.expect("both start").messages.len();
    }
    let each = (own_cpu() - before) / u32::try_from(messages).expect("a few thousand");
    println!("{messages} messages, {each:?} each, start and end of 400 processes included");
    assert!(each < Duration::from_micros(90), "{each:?}");
}
