//! `arena plan`: computes numbers of games, and writes manifests for many machines.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::contest::{Form, Manifest};
use crate::elo::Wanted;
use crate::player::BotSpec;
use crate::sprt::{EloModel, Sprt};
use anyhow::{Context, bail, ensure};

use crate::catalogue::Catalogue;

use super::contest::{LineUp, Terms, check_games};

/// Computes how many games a difference needs, or writes the manifest of a match for many machines
///
/// `arena plan --see 20` prints the number of games;
/// `arena plan GAME --bot A --bot B --games N --shards K --write FILE` writes the manifest that
/// `arena shard`, `arena merge` and `arena submit` read.
#[derive(Debug, clap::Args)]
pub(super) struct Plan {
    /// Name of the game
    game: Option<String>,
    /// A bot; two for a match, more for a tournament
    #[arg(long = "bot", value_name = "BOT")]
    bots: Vec<BotSpec>,
    /// Form of the tournament: which bots play each other
    #[arg(long, default_value = "round-robin")]
    form: Form,
    /// Number of games of each pairing, two for each pair
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Number of shards
    #[arg(long, default_value_t = 1)]
    shards: u64,
    /// A sequential test, which `arena merge --partial` looks at while shards are played
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA[,BETA]]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// What the differences of the test mean
    #[arg(long, value_name = "MODEL", default_value = "logistic")]
    elo_model: EloModel,
    /// File to write the manifest to
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Difference of Elo that a match should detect
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    see: Option<f64>,
    /// Expected fraction of draws
    #[arg(long, default_value_t = 0.0)]
    draws: f64,
    /// Probability of detecting a difference although there is none
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability of detecting the difference if it exists
    #[arg(long, default_value_t = 0.95)]
    power: f64,
    #[command(flatten)]
    terms: Terms,
}

/// A difference beyond which there is nothing to measure.
const MOST_ELO: f64 = 2000.0;

impl Plan {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        if let Some(elo) = self.see {
            self.answer(elo)?;
        }
        match (&self.game, &self.write) {
            (Some(game), Some(_)) => self.write_manifest(catalogue, game)?,
            (None, None) if self.see.is_some() => {}
            _ => bail!("expected --see ELO, or a game with --bot twice and --write FILE"),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn answer(&self, elo: f64) -> anyhow::Result<()> {
        ensure!(
            elo.is_finite() && elo != 0.0,
            "a difference of {elo} Elo cannot be detected: expected a number other than 0"
        );
        ensure!(elo.abs() <= MOST_ELO, "a difference is at most {MOST_ELO} Elo, not {elo:e}");
        ensure!((0.0..1.0).contains(&self.draws), "--draws: expected a fraction from 0 to below 1");
        for probability in [self.alpha, 1.0 - self.power] {
            ensure!(
                probability > 0.0 && probability < 0.5,
                "expected alpha and 1 - power between 0 and 0.5"
            );
        }
        let most = Wanted::most_elo(self.draws);
        ensure!(
            elo.abs() < most,
            "with {} % draws no difference is above {most:.1} Elo, even if all other games are won: {elo:+} Elo cannot be",
            100.0 * self.draws
        );
        let pair_variance = Wanted::pair_variance(self.draws);
        let wanted = Wanted { elo, pair_variance, alpha: self.alpha, power: self.power };
        let games = |pairs: f64| 2.0 * pairs.ceil();
        let [if_equal, if_better] = wanted.sprt_pairs();
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "to detect {elo:+} Elo (alpha {}, power {}, {:.0} % draws, independent games in a pair):",
            self.alpha,
            self.power,
            100.0 * self.draws
        )?;
        writeln!(out, "match of fixed length: {} games", games(wanted.pairs()))?;
        writeln!(
            out,
            "SPRT of 0 against {elo}: {} games on average if there is no difference, {} if there is",
            games(if_equal),
            games(if_better)
        )?;
        Ok(())
    }

    fn write_manifest(&self, catalogue: &Catalogue, game: &str) -> anyhow::Result<()> {
        check_games(self.games)?;
        let plan = self.terms.plan(
            catalogue,
            LineUp {
                game: game.to_owned(),
                form: self.form,
                bots: self.bots.clone(),
                rounds: self.games / 2,
                sprt: self.sprt.map(|sprt| Sprt { model: self.elo_model, ..sprt }),
            },
        )?;
        let manifest = Manifest::new(plan, self.shards)?;
        let file = self.write.as_deref().context("there is a file")?;
        manifest.write(file)?;
        let pairs = manifest.plan.len();
        writeln!(io::stdout(), "{pairs} pairs in {} shards: {}", self.shards, file.display())?;
        Ok(())
    }
}
