//! Plays duels between settings of a bot.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use games::Entry;
use mcts_core::rng::mix;

use super::{Duel, Played, Side, Space};
use crate::catalogue::Catalogue;
use crate::contest::{Bench, Cores, Plan, PlannedBot, RoundSummary, Seals};
use crate::player::BotSpec;
use crate::referee::PlayError;

/// The bot of one side of a duel; the parameters of a point replace those in its specification.
#[must_use]
pub fn setting(bot: &BotSpec, space: &Space, side: &Side) -> BotSpec {
    let Side::Point(point) = side else { return bot.clone() };
    let assignments = space.assignments(point);
    match bot {
        BotSpec::BuiltIn(name) => {
            let (name, given) = name.split_once(':').unwrap_or((name, ""));
            let is_tuned = |word: &str| {
                let name = word.split('=').next().unwrap_or("").trim();
                assignments.iter().any(|(tuned, _)| *tuned == name)
            };
            let kept = given.split(',').filter(|word| !word.is_empty() && !is_tuned(word));
            let tuned = assignments.iter().map(|(name, value)| format!("{name}={value}"));
            let words: Vec<String> = kept.map(str::to_owned).chain(tuned).collect();
            BotSpec::BuiltIn(format!("{name}:{}", words.join(",")))
        }
        BotSpec::Command(words) => {
            let mut words = words.clone();
            for (name, value) in assignments {
                let option = format!("--{name}");
                match words.iter().position(|word| *word == option) {
                    Some(at) if at + 1 < words.len() => words[at + 1] = value,
                    _ => words.extend([option, value]),
                }
            }
            BotSpec::Command(words)
        }
    }
}

/// Plays the duels of a tuning.
#[derive(Debug)]
pub struct Duels<'a> {
    /// Games and bots.
    pub catalogue: Catalogue,
    /// The game.
    pub game: &'static Entry,
    /// The program that runs built-in bots.
    pub arena: PathBuf,
    /// The files of the bot.
    pub seals: Seals,
    /// Whether each bot runs in a sandbox.
    pub sandbox: bool,
    /// How games are played; its first bot is the default.
    pub plan: &'a Plan,
    /// What is tuned.
    pub space: &'a Space,
    /// The default, without the tuned parameters.
    pub bot: &'a BotSpec,
    /// Set to stop the tuning.
    pub stop: &'a AtomicBool,
}

impl Duels<'_> {
    /// A match between two settings with the same arguments.
    #[must_use]
    pub fn plan_of(&self, bots: [&BotSpec; 2], seed: u64, rounds: u64) -> Plan {
        let content = &self.plan.bots[0].content;
        let planned = |bot: &BotSpec| PlannedBot { bot: bot.to_string(), content: content.clone() };
        Plan { bots: bots.map(planned).to_vec(), seed, rounds, ..self.plan.clone() }
    }

    /// Plays a duel; its seed is derived from its index in the tuning.
    ///
    /// # Errors
    /// If a game could not be played.
    pub fn play(&self, job: usize, index: u64, duel: &Duel) -> Result<Played, PlayError> {
        let specs = [&duel.a, &duel.b].map(|side| setting(self.bot, self.space, side));
        let plan = self.plan_of([&specs[0], &specs[1]], mix(self.plan.seed ^ mix(index + 1)), 1);
        let bench = Bench {
            plan: &plan,
            game: self.game,
            catalogue: self.catalogue,
            specs: &specs,
            seals: &self.seals,
            arena: self.arena.clone(),
            cores: (!plan.in_process).then(|| Cores::available().of_job(job)),
            sandbox: self.sandbox,
            keeps_messages: false,
            stop: self.stop,
        };
        let pair = bench.play(&plan.round(0))?;
        let score = RoundSummary::of(&pair).score(0, 1).unwrap_or(0.5);
        let verdicts = pair.games.iter().filter(|game| game.record.verdict.is_some());
        let faults = verdicts.count() as u32;
        Ok(Played { index, duel: duel.clone(), score: pair.counts().then_some(score), faults })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(bot: &str, parameters: &[&str], places: &[f64]) -> String {
        let parse = |text: &&str| text.parse().expect("a parameter");
        let space = Space(parameters.iter().map(parse).collect());
        let side = Side::Point(space.point(places));
        setting(&bot.parse().expect("a bot"), &space, &side).to_string()
    }

    #[test]
    fn built_in_bots_get_the_parameters_in_place_of_their_own() {
        let ranges = &["exploration=0.0..1.0", "lanes=1..9"];
        assert_eq!(set("mcts", ranges, &[0.5, 0.5]), "mcts:exploration=0.5000,lanes=5");
        let own = "mcts:playouts=50,exploration=9,seed=3";
        let expected = "mcts:playouts=50,seed=3,exploration=0.2500,lanes=1";
        assert_eq!(set(own, ranges, &[0.25, 0.0]), expected);
    }

    #[test]
    fn programs_get_options_in_place_of_their_own() {
        let ranges = &["exploration=0.0..1.0"];
        let expected = "cmd:./bot --exploration 0.5000";
        assert_eq!(set("cmd:./bot", ranges, &[0.5]), expected);
        assert_eq!(set("cmd:./bot --exploration 7", ranges, &[0.5]), expected);
    }

    #[test]
    fn the_default_is_the_bot_as_it_is() {
        let bot: BotSpec = "mcts:exploration=9".parse().expect("a bot");
        assert_eq!(setting(&bot, &Space(Vec::new()), &Side::Default), bot);
    }
}
