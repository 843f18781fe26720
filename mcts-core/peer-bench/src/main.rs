//! Compares this crate's search with those of other crates on the same board code; see the README.

mod competitor;
mod contest;
mod hand;
mod measure;
mod ours;
mod peers;
#[path = "../../../games/benches/processor/mod.rs"]
mod processor;
mod table;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::process::Command;

use competitor::{Board, Competitor};
use measure::Cost;

/// Compares playouts per processor second and bytes per playout, on the same board code.
#[derive(Debug, Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Options {
    #[command(subcommand)]
    one: Option<One>,
    #[command(flatten)]
    comparison: Comparison,
}

#[derive(Debug, Args)]
struct Comparison {
    /// Boards; all by default
    #[arg(long, value_delimiter = ',')]
    boards: Vec<Board>,
    /// Numbers of playouts of each run
    #[arg(long, value_delimiter = ',', default_values_t = [100_000, 1_000_000])]
    playouts: Vec<u64>,
    /// Number of rounds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Competitors in addition to `ours`; all by default
    #[arg(long, value_delimiter = ',')]
    with: Vec<Competitor>,
}

#[derive(Debug, Subcommand)]
enum One {
    /// One run in this process, for a profiler
    One {
        /// Competitor
        competitor: Competitor,
        /// Board
        board: Board,
        /// Number of playouts
        playouts: u64,
        /// Seed of the rollouts
        #[arg(default_value_t = 0)]
        seed: u64,
    },
}

fn main() -> Result<()> {
    let options = Options::parse();
    if let Some(One::One { competitor, board, playouts, seed }) = options.one {
        contest::set_seed(seed);
        println!("{}", competitor.run(board, playouts)?);
        return Ok(());
    }
    let all = |chosen: &[Competitor]| match chosen {
        [] => Competitor::value_variants().to_vec(),
        some => [&[Competitor::Ours], some].concat(),
    };
    let Comparison { boards, playouts, rounds, with } = options.comparison;
    println!("{}\n", processor::describe());
    let boards = if boards.is_empty() { Board::value_variants().to_vec() } else { boards };
    for board in boards {
        for playouts in &playouts {
            let results = compare(&all(&with), board, *playouts, rounds)?;
            println!("{}", table::Table { board, playouts: *playouts, results: &results });
        }
    }
    Ok(())
}

/// Runs every competitor in each round; returns the costs of each.
fn compare(
    competitors: &[Competitor],
    board: Board,
    playouts: u64,
    rounds: u32,
) -> Result<Vec<(Competitor, Vec<Cost>)>> {
    let mut results: Vec<_> = competitors.iter().map(|who| (*who, Vec::new())).collect();
    for round in 0..rounds {
        for (competitor, costs) in &mut results {
            let cost = run_apart(*competitor, board, playouts, round)
                .with_context(|| format!("{} on {board:?}", competitor.name()))?;
            costs.push(cost);
        }
    }
    Ok(results)
}

/// One run in its own process, so that no competitor inherits another's heap.
fn run_apart(competitor: Competitor, board: Board, playouts: u64, seed: u32) -> Result<Cost> {
    let board = board.to_possible_value().context("every board has a name")?;
    let output = Command::new(std::env::current_exe()?)
        .args([
            "one",
            &competitor.name(),
            board.get_name(),
            &playouts.to_string(),
            &seed.to_string(),
        ])
        .output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout)?.parse()
}
