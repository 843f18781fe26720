//! The judge, and everything that plays many games: knows no single game beyond its entry in the list.
//!
//! One game, from below: [`process`] runs a bot and reads what the kernel knows of it, [`clock`] keeps a seat's
//! time, [`referee`] judges one game between processes, [`verdict`] says why a bot lost other than by the
//! rules, and [`record`] is what remains. Around it: [`player`] is who plays, [`view`] shows a game to a person.
//!
//! Many games: [`contest`] plans, plays and keeps them, [`score`] counts pairs, [`elo`], [`sprt`] and [`ratings`] say what
//! they mean, and [`report`] puts it into words.
//!
//! [`pack`] writes a bot as one source file and compares it with the native one.
//!
//! [`vectors`] checks a game's rules. [`command`] is the command line over a [`catalogue`] of games and bots.
//!
//! The referee needs Linux: it reads the processor time, the stalls and the processes of bots from `/proc` and from control
//! groups. The crates below (`mcts-core`, `games`, `bots`) run elsewhere too.

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
