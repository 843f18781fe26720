//! Plays and records one round of a plan: the games on one seed.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use bots::Seat;
use games::Entry;
use mcts_core::rng::mix;
use serde::{Deserialize, Serialize};

use super::{CoreUse, PackedMessages, Plan, Round, Seals};
use crate::catalogue::Catalogue;
use crate::player::{BotSpec, seeded};
use crate::record::GameRecord;
use crate::referee::{self, Conduct, Occasion, PlayError, Player};

/// How often a game spoilt by the machine is repeated before its round is given up.
const REPLAYS: u32 = 4;

/// The machine that played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Load average of the last minute.
    pub load: f64,
}

impl Host {
    /// This machine, now.
    #[must_use]
    pub fn now() -> Host {
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        Host {
            name: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            load: load.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0.0),
        }
    }
}

/// One game of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The bot of each seat, as indices of the plan's bots.
    pub bots: Vec<usize>,
    /// The record without its messages.
    pub record: GameRecord,
    /// Every line and every search report, if they are stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<PackedMessages>,
}

impl PlayedGame {
    /// The record with its messages.
    ///
    /// # Errors
    /// If the messages are damaged.
    pub fn into_record(self) -> Result<GameRecord, String> {
        let messages = self.messages.map_or(Ok(Vec::new()), |messages| messages.unpack())?;
        Ok(GameRecord { messages, ..self.record })
    }
}

/// One round of a plan: a pair of games, or one game of each bot in games of one seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Its index in the plan.
    pub index: u64,
    /// Fingerprint of the plan.
    pub plan: String,
    /// Seed of the board and the bots.
    pub seed: u64,
    /// The games.
    pub games: Vec<PlayedGame>,
    /// Games that were repeated because the machine was too busy.
    pub replays: u32,
    /// The machine that played it.
    pub host: Host,
}

impl PairRecord {
    /// Whether it counts: every game was finally played without being spoilt by the machine.
    #[must_use]
    pub fn counts(&self) -> bool {
        !self.games.iter().any(|game| game.record.contended)
    }

    /// Checks that it is a round of the plan.
    ///
    /// # Errors
    /// What differs.
    pub fn check(&self, plan: &Plan) -> Result<(), String> {
        if self.index >= plan.len() {
            return Err(format!("pair {} of {}", self.index, plan.len()));
        }
        let round = plan.round(self.index);
        if self.seed != round.seed {
            return Err(format!("pair {} has seed {}, not {}", self.index, self.seed, round.seed));
        }
        if !self.games.iter().map(|game| &game.bots).eq(&round.games) {
            return Err(format!("pair {} has other games", self.index));
        }
        for (at, game) in self.games.iter().enumerate() {
            let at = format!("game {} of pair {}", at + 1, self.index);
            game.record.check().map_err(|reason| format!("{at}: {reason}"))?;
            let seats = game.record.seats.len();
            if seats != plan.seats {
                return Err(format!("{at} has {seats} seats, not {}", plan.seats));
            }
            let points: Vec<f64> = game.record.seats.iter().map(|seat| seat.points).collect();
            let is_shared = points.iter().all(|points| (0.0..=1.0).contains(points))
                && points.iter().sum::<f64>() <= 1.0 + 1e-9;
            if seats > 1 && !is_shared {
                return Err(format!("{at} gives {points:?} points; a game has one to share"));
            }
        }
        Ok(())
    }
}

/// Settings for playing the rounds of a plan.
#[derive(Debug)]
pub(crate) struct Bench<'a> {
    pub plan: &'a Plan,
    pub game: &'static Entry,
    pub catalogue: Catalogue,
    pub specs: &'a [BotSpec],
    pub seals: &'a Seals,
    pub arena: PathBuf,
    pub cores: Option<CoreUse>,
    pub sandbox: bool,
    pub keeps_messages: bool,
    pub stop: &'a AtomicBool,
}

impl Bench<'_> {
    /// Plays a round, and repeats games that the machine spoilt.
    pub(crate) fn play(&self, round: &Round) -> Result<PairRecord, PlayError> {
        let mut games = Vec::with_capacity(round.games.len());
        let mut replays = 0;
        for bots in &round.games {
            let mut record = self.play_game(round.seed, bots)?;
            let mut tries = 0;
            while record.contended && tries < REPLAYS {
                tries += 1;
                record = self.play_game(round.seed, bots)?;
            }
            replays += tries;
            let messages = std::mem::take(&mut record.messages);
            let messages = self.keeps_messages.then(|| PackedMessages::of(&messages));
            games.push(PlayedGame { bots: bots.clone(), record, messages });
        }
        let plan = self.plan.fingerprint();
        Ok(PairRecord {
            index: round.index,
            plan,
            seed: round.seed,
            games,
            replays,
            host: Host::now(),
        })
    }

    fn play_game(&self, seed: u64, bots: &[usize]) -> Result<GameRecord, PlayError> {
        let plan = self.plan;
        let mut judging = plan.judge(self.game, seed).expect("the game took its options before");
        // A bot's random stream depends on the bot and its seat, not on its opponent.
        let seed_of = |(seat, bot): (usize, &usize)| {
            mix(seed ^ mix((*bot as u64 + 1) << 8 | (seat as u64 + 1)))
        };
        let player = |(seat, bot): (usize, &usize)| {
            self.specs[*bot].player(&plan.game, seed_of((seat, bot)), &self.arena)
        };
        let players: Vec<Player> = bots.iter().enumerate().map(player).collect();
        let occasion = Occasion { game: &plan.game, seed };
        if plan.in_process {
            let mut seats: Vec<Box<dyn Seat>> = bots
                .iter()
                .enumerate()
                .map(|(seat, bot)| {
                    let name = seeded(&plan.bots[*bot].bot, seed_of((seat, bot)));
                    self.catalogue.bot(&plan.game, &name).expect("the bot was built before")
                })
                .collect();
            let keeps = self.keeps_messages;
            let play = if keeps { referee::record_in_process } else { referee::play_in_process };
            return Ok(play(judging.as_mut(), &mut seats, &players, occasion));
        }
        let conduct = Conduct {
            strict: plan.strict,
            memory_limit_bytes: plan.memory_mib.map(|mib| mib << 20),
            sandbox: self.sandbox,
            keep_messages: self.keeps_messages,
            longest_game: None,
            cores: self.cores,
            stop: self.stop,
        };
        self.seals.check()?;
        let record = referee::play(judging.as_mut(), &players, occasion, &conduct, &mut ())?;
        // A program that was replaced during the game may have played it.
        self.seals.check()?;
        Ok(record)
    }
}
