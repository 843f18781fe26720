//! Every bot plays whole games by the rules, and ignores invalid lines.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bots::{Answer, Seat, build, registry::BOTS};
use core::time::Duration;
use games::{Clocks, Judging, Status};
use mcts_core::{NoClock, rng};
use rand::Rng;

fn bots_of(game: &str) -> Vec<String> {
    let of_game = BOTS.iter().copied().flatten().filter(|entry| entry.game == game);
    of_game.map(|entry| quick(entry.name)).collect()
}

/// The bot with few playouts, if it searches.
fn quick(name: &str) -> String {
    let searches = !matches!(name, "greedy" | "random");
    let playouts = if searches { "playouts=60," } else { "" };
    format!("{name}:{playouts}seed=5")
}

fn tell(seat: &mut dyn Seat, lines: &[String]) -> Answer {
    let mut last = Answer::Nothing;
    for line in lines {
        assert_eq!(last, Answer::Nothing, "answered before the request was complete");
        last = seat.receive(line, &NoClock);
    }
    last
}

/// Plays to the end; returns the answers in order.
fn play(judge: &mut dyn Judging, seats: &mut [Box<dyn Seat>]) -> Vec<String> {
    let clocks = Clocks { wall_left: vec![Duration::from_secs(5); seats.len()] };
    for (at, seat) in seats.iter_mut().enumerate() {
        assert_eq!(tell(&mut **seat, &judge.opening(at)), Answer::Line("OK".into()));
    }
    let mut answers = Vec::new();
    while let Status::ToMove(mover) = judge.status() {
        let request = judge.request(&clocks);
        let Answer::Line(answer) = tell(&mut *seats[mover], &request) else {
            panic!("no answer to {request:?}");
        };
        judge.answer(&answer).unwrap_or_else(|fault| panic!("{answer}: {fault}"));
        for (at, seat) in seats.iter_mut().enumerate() {
            for notice in judge.notice(at, Duration::from_millis(3)) {
                assert_eq!(seat.receive(&notice, &NoClock), Answer::Nothing);
            }
        }
        answers.push(answer);
    }
    if let Some(farewell) = judge.farewell() {
        for seat in seats {
            assert_eq!(seat.receive(&farewell, &NoClock), Answer::Leave);
        }
    }
    answers
}

fn game_of(entry: &games::Entry, bots: &[&str], seed: u64) -> Vec<String> {
    let mut judge = (entry.judge)(seed, &[]).unwrap();
    let seats = judge.seats();
    let mut seats: Vec<_> =
        (0..seats).map(|at| build(entry.name, bots[at % bots.len()]).unwrap()).collect();
    play(&mut *judge, &mut seats)
}

/// Whether it is a search with default parts, which every game of perfect information has.
fn is_plain(bot: &str) -> bool {
    let name = bot.split(':').next().unwrap();
    ["uct", "graph", "pipeline", "tree-parallel", "root-parallel"].contains(&name)
}

#[test]
fn every_pair_of_bots_plays_whole_games_without_a_fault() {
    for entry in games::GAMES {
        let bots: Vec<_> = bots_of(entry.name).into_iter().filter(|bot| !is_plain(bot)).collect();
        for first in &bots {
            for second in &bots {
                for seed in 0..3 {
                    game_of(entry, &[first, second], seed);
                }
            }
        }
    }
}

#[test]
fn every_search_plays_a_whole_game_of_every_game_of_perfect_information() {
    for entry in games::GAMES {
        let bots: Vec<_> = bots_of(entry.name).into_iter().filter(|bot| is_plain(bot)).collect();
        assert_eq!(bots.len(), if entry.name == "maze" { 0 } else { 5 }, "{}", entry.name);
        for bot in bots {
            game_of(entry, &[&bot.replace("playouts=60", "playouts=20"), "random"], 1);
        }
    }
}

#[test]
fn a_bot_thinks_on_the_opponents_time_and_plays_by_the_rules() {
    for entry in games::GAMES {
        let of_game = BOTS.iter().copied().flatten().filter(|bot| bot.game == entry.name);
        for bot in
            of_game.filter(|bot| matches!(bot.name, "uct" | "graph" | "pipeline" | "root-parallel"))
        {
            let bot = format!("{}:playouts=60,ponder=true,memory=16", bot.name);
            game_of(entry, &[&bot], 3);
        }
    }
}

#[test]
fn equal_seeds_and_playouts_play_equal_games() {
    for entry in games::GAMES {
        // the result of threads that share a tree depends on their schedule
        for bot in bots_of(entry.name).iter().filter(|bot| !bot.starts_with("tree-parallel")) {
            let game = || game_of(entry, &[bot], 7);
            assert_eq!(game(), game(), "{} {bot}", entry.name);
        }
    }
}

#[test]
fn every_bot_plays_on_after_lines_that_make_no_sense() {
    const ODD: &[&str] = &[
        "",
        " ",
        "\r\n",
        "HELLO 1 2",
        "TURN",
        "TURN x y",
        "OPP",
        "OPP -1 99999999999999999999",
        "READY READY",
        "\u{fffd}\u{0}\u{7f}",
        "TURN 18446744073709551616 -5",
        "MOVE 3 4",
        "OPP MOVE",
        "turn 1 1",
        "PASS",
        "TURN 1 BW.",
    ];
    for entry in games::GAMES {
        for bot in bots_of(entry.name) {
            let mut rng = rng::stream(11, 0);
            let mut seat = build(entry.name, &bot).unwrap();
            for _ in 0..200 {
                let mut line: String = ODD[rng::below(&mut rng, ODD.len())].into();
                for _ in 0..rng::below(&mut rng, 4) {
                    let at = rng::below(&mut rng, line.chars().count() + 1);
                    let at = line.char_indices().nth(at).map_or(line.len(), |(at, _)| at);
                    line.insert(at, char::from((rng.next_u64() % 128) as u8));
                }
                // any result is accepted, but no panic
                let _ = seat.receive(&line, &NoClock);
            }
        }
    }
}

#[test]
fn line_endings_and_trailing_blanks_change_nothing() {
    for entry in games::GAMES {
        for bot in bots_of(entry.name) {
            let mut judge = (entry.judge)(3, &[]).unwrap();
            let clocks = Clocks { wall_left: vec![Duration::from_secs(5); judge.seats()] };
            let mut seat = build(entry.name, &bot).unwrap();
            let dressed = |lines: Vec<String>| -> Vec<String> {
                lines.into_iter().map(|line| line + "  \r\n").collect()
            };
            assert_eq!(tell(&mut *seat, &dressed(judge.opening(0))), Answer::Line("OK".into()));
            let Answer::Line(answer) = tell(&mut *seat, &dressed(judge.request(&clocks))) else {
                panic!("{} {bot} did not answer", entry.name);
            };
            judge.answer(&answer).unwrap();
        }
    }
}

#[test]
fn unknown_bots_and_parameters_are_refused_by_name() {
    let error = |game, bot| build(game, bot).err().unwrap().to_string();
    assert_eq!(error("go", "mcts"), "there are no bots for the game `go`");
    assert_eq!(
        error("reversi", "alpha"),
        "reversi has no bot `alpha`; it has mcts, mcts-rollouts, alphabeta, greedy, \
         random, uct, graph, pipeline, tree-parallel, root-parallel"
    );
    assert_eq!(
        error("reversi", "mcts:x=1"),
        "bot `mcts`: there is no parameter `x`; there are: exploration, weight, endings, \
         memory, playouts, seed, share, ponder"
    );
    assert_eq!(
        error("reversi", "mcts:exploration=-1"),
        "bot `mcts`: parameter `exploration`: `-1` is not a number from 0 to 10"
    );
    assert_eq!(
        error("reversi", "random:seed"),
        "bot `mcts`: `seed` is not name=value".replace("mcts", "random")
    );
}

#[test]
fn every_bot_that_searches_takes_its_memory_in_mib() {
    for entry in BOTS.iter().copied().flatten() {
        let parameters = entry.parameters();
        let takes = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
        assert_eq!(takes("playouts"), takes("memory"), "{} of {}", entry.name, entry.game);
        if takes("memory") {
            assert!(build(entry.game, &format!("{}:memory=16", entry.name)).is_ok());
            assert!(build(entry.game, &format!("{}:memory=0", entry.name)).is_err());
        }
    }
}
