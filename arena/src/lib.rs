//! The referee, matches and tournaments, and tuning; independent of any single game.
//!
//! One game, bottom up: [`process`] runs a bot and reads its usage from the kernel, [`clock`]
//! measures a seat's time, [`referee`] runs one game between processes, [`verdict`] states why a
//! bot lost other than by the rules, and [`record`] is the stored game. [`player`] names the bot of
//! a seat, [`view`] shows a game to a person.
//!
//! Many games: [`contest`] plans, plays and stores them, [`score`] counts pairs, [`elo`], [`sprt`]
//! and [`ratings`] are the statistics, and [`report`] prints them.
//!
//! [`pack`] writes a bot as one source file and compares it with the native one.
//!
//! [`vectors`] checks a game's rules. [`command`] is the command line over a [`catalogue`] of games
//! and bots.
//!
//! The referee needs Linux: it reads the processor time, the stalls and the processes of bots from
//! `/proc` and from control groups. The crates below (`mcts-core`, `games`, `bots`) run on other
//! systems too.

#[cfg(not(target_os = "linux"))]
compile_error!(
    "the arena runs on Linux only; `mcts-core`, `games` and `bots` compile for this target"
);

pub mod analysis;
pub mod catalogue;
pub mod clock;
pub mod command;
pub mod contest;
pub mod elo;
mod matrix;
mod opponent;
pub mod pack;
pub mod page;
pub mod player;
pub mod process;
pub mod ratings;
pub mod record;
pub mod referee;
pub mod replay;
pub mod report;
pub mod score;
pub mod sitting;
pub mod skeleton;
pub mod sprt;
pub mod tune;
pub mod vectors;
pub mod verdict;
pub mod view;
