//! The results as a table in Markdown.

use std::fmt;
use std::time::Duration;

use crate::competitor::{Board, Competitor};
use crate::measure::Cost;

/// The costs of each competitor, round by round; `ours` comes first.
pub(crate) struct Table<'a> {
    pub(crate) board: Board,
    pub(crate) playouts: u64,
    pub(crate) results: &'a [(Competitor, Vec<Cost>)],
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Table { board, playouts, results } = self;
        writeln!(f, "{board:?}, {playouts} playouts\n")?;
        writeln!(
            f,
            "| search | playouts/s | spread | of ours | wall, playouts/s | of ours | bytes/playout | rollouts | plays |"
        )?;
        writeln!(f, "|---|---:|---:|---:|---:|---:|---:|---:|---|")?;
        let ours = &results[0].1;
        for (competitor, costs) in *results {
            let rates: Vec<f64> = costs.iter().map(|cost| self.rate(cost.cpu)).collect();
            let on_wall = costs.iter().map(|cost| self.rate(cost.wall)).collect();
            let pairs = || costs.iter().zip(ours);
            let ratios = pairs().map(|(cost, our)| seconds(our.cpu) / seconds(cost.cpu));
            let wall_ratios = pairs().map(|(cost, our)| seconds(our.wall) / seconds(cost.wall));
            let bytes = costs.iter().map(|cost| cost.bytes as f64 / *playouts as f64);
            let rollouts = costs.iter().map(|cost| cost.rollouts as f64 / *playouts as f64);
            let (slowest, fastest) =
                (lowest(&rates), -lowest(&rates.iter().map(|r| -r).collect::<Vec<_>>()));
            let middle = median(rates);
            writeln!(
                f,
                "| {} | {:.0} | {:+.0} % {:+.0} % | {:.2} | {:.0} | {:.2} | {:.1} | {:.1} % | {} |",
                competitor.name(),
                middle,
                100.0 * (slowest / middle - 1.0),
                100.0 * (fastest / middle - 1.0),
                median(ratios.collect()),
                median(on_wall),
                median(wall_ratios.collect()),
                median(bytes.collect()),
                100.0 * median(rollouts.collect()),
                costs[0].best,
            )?;
        }
        Ok(())
    }
}

impl Table<'_> {
    /// Playouts per second.
    fn rate(&self, time: Duration) -> f64 {
        self.playouts as f64 / seconds(time)
    }
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

fn lowest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { 0.5 * (values[middle - 1] + values[middle]) }
}
