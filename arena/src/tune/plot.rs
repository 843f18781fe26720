//! Plots the response curve: strength over each parameter, with its confidence band.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::{
    ChartBuilder, DrawingArea, IntoDrawingArea, IntoFont, LineSeries, PathElement, Polygon,
    RGBColor, SVGBackend, WHITE,
};
use plotters::style::Color;

use super::{Estimate, Model, Parameter, Space};
use crate::elo::elo_of_score;

const CURVE: RGBColor = RGBColor(31, 90, 166);
const MARK: RGBColor = RGBColor(190, 60, 40);

/// Width and height of the panel of one parameter, in pixels.
const PANEL: (u32, u32) = (640, 360);

/// Points along a curve.
const POINTS: usize = 120;

/// Maximum number of values on an axis.
const MOST_TICKS: f64 = 8.0;

/// Maximum number of powers of ten on an axis with values in between.
const MOST_DECADES: usize = 4;

/// Limit of the Elo axis.
const MOST_ELO: f64 = 800.0;

/// Why the plot cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotError(pub String);

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot draw the response curve: {}", self.0)
    }
}

impl std::error::Error for PlotError {}

/// Draws an SVG with a panel for each parameter: Elo against the default with its 95 % band, the other parameters at
/// their best, and the best value with its 95 % interval.
///
/// # Errors
/// If the file cannot be written.
pub fn draw(
    file: &Path,
    space: &Space,
    model: &Model,
    best: &[f64],
    intervals: &[[f64; 2]],
) -> Result<(), PlotError> {
    let panels = space.dimensions();
    let backend = SVGBackend::new(file, (PANEL.0, PANEL.1 * panels as u32));
    let root = backend.into_drawing_area();
    let failed = |error: &dyn fmt::Display| PlotError(error.to_string());
    root.fill(&WHITE).map_err(|error| failed(&error))?;
    for (axis, area) in root.split_evenly((panels, 1)).iter().enumerate() {
        let curve = curve(model, best, axis);
        let marks = Marks { best: best[axis], interval: intervals[axis] };
        panel(area, &space.0[axis], &curve, &marks).map_err(|error| failed(&error))?;
    }
    root.present().map_err(|error| failed(&error))
}

/// Coordinates and Elo along one axis through the best point.
fn curve(model: &Model, best: &[f64], axis: usize) -> Vec<(f64, Estimate)> {
    let at = |step: usize| {
        let place = step as f64 / (POINTS - 1) as f64;
        let mut places = best.to_vec();
        places[axis] = place;
        let found = model.against_default(&places);
        let elo = |logits: f64| elo_of_score(super::logistic(logits)).clamp(-MOST_ELO, MOST_ELO);
        (place, Estimate { value: elo(found.value), interval: found.interval.map(elo) })
    };
    (0..POINTS).map(at).collect()
}

struct Marks {
    best: f64,
    interval: [f64; 2],
}

type Failure = Box<dyn std::error::Error>;

fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    parameter: &Parameter,
    curve: &[(f64, Estimate)],
    marks: &Marks,
) -> Result<(), Failure> {
    let highest = curve.iter().map(|(_, elo)| elo.interval[1]).fold(f64::MIN, f64::max);
    let lowest = curve.iter().map(|(_, elo)| elo.interval[0]).fold(f64::MAX, f64::min);
    let (low, high) = (lowest.max(highest - 600.0) - 10.0, highest + 10.0);
    let caption = format!("{}: Elo against the default, 95 % band", parameter.name);
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 15).into_font())
        .margin(10)
        .margin_right(28)
        .x_label_area_size(32)
        .y_label_area_size(52)
        .build_cartesian_2d(Axis(parameter), low..high)?;
    chart
        .configure_mesh()
        .y_label_formatter(&|elo| format!("{elo:+.0}"))
        .x_desc(&parameter.name)
        .light_line_style(WHITE)
        .draw()?;
    let inside = |elo: f64| elo.clamp(low, high);
    let upper = curve.iter().map(|(place, elo)| (*place, inside(elo.interval[1])));
    let lower = curve.iter().rev().map(|(place, elo)| (*place, inside(elo.interval[0])));
    let band: Vec<(f64, f64)> = upper.chain(lower).collect();
    chart.draw_series([Polygon::new(band, CURVE.mix(0.25))])?;
    let middle = curve.iter().filter(|(_, elo)| elo.value >= low);
    chart.draw_series(LineSeries::new(
        middle.map(|(place, elo)| (*place, inside(elo.value))),
        CURVE.stroke_width(2),
    ))?;
    let upright = |place: f64| vec![(place, low), (place, high)];
    let ends = marks.interval.map(|place| PathElement::new(upright(place), MARK.mix(0.4)));
    chart.draw_series(ends)?;
    let best = PathElement::new(upright(marks.best), MARK.stroke_width(2));
    chart.draw_series([best])?;
    Ok(())
}

/// The axis of a parameter, from 0 to 1, with round values at its ticks.
struct Axis<'a>(&'a Parameter);

impl Ranged for Axis<'_> {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, (first, last): (i32, i32)) -> i32 {
        first + (f64::from(last - first) * place).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { ticks(self.0) }
    }

    fn range(&self) -> Range<f64> {
        0.0..1.0
    }
}

impl ValueFormatter<f64> for Axis<'_> {
    fn format_ext(&self, place: &f64) -> String {
        label(self.0, *place)
    }
}

/// The coordinates of round values: one, two and five times powers of ten on a logarithmic scale,
/// multiples of one of these otherwise.
fn ticks(parameter: &Parameter) -> Vec<f64> {
    let (low, high) = (parameter.low, parameter.high);
    let power = |value: f64| value.log10().floor() as i32;
    let round = |power: i32| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power));
    let values: Vec<f64> = if parameter.is_logarithmic() {
        let all: Vec<f64> = (power(low)..=power(high)).flat_map(round).collect();
        let every = if all.len() > 3 * MOST_DECADES { 3 } else { 1 };
        all.into_iter().step_by(every).collect()
    } else {
        let least = (high - low) / MOST_TICKS;
        let steps = (power(least)..=power(least) + 1).flat_map(round);
        let steps = steps.filter(|step| *step >= least && (!parameter.whole || *step >= 1.0));
        let step = steps.fold(f64::INFINITY, f64::min);
        ((low / step).ceil() as i64..=(high / step).floor() as i64)
            .map(|at| at as f64 * step)
            .collect()
    };
    // the ends of the range, up to rounding
    let inside = -1e-9..=1.0 + 1e-9;
    values.iter().map(|value| parameter.place(*value)).filter(|at| inside.contains(at)).collect()
}

/// The value at a coordinate, without trailing zeros.
fn label(parameter: &Parameter, place: f64) -> String {
    if parameter.value(place).abs() < 1e-9 * (parameter.high - parameter.low) {
        return "0".to_owned();
    }
    let text = parameter.text(place);
    text.parse().map_or(text, |value: f64| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_shows_round_values() {
        for (range, expected) in [
            ("c=0.1..3.0", "0.1 0.2 0.5 1 2"),
            ("c=0.0..1.0", "0 0.2 0.4 0.6 0.8 1"),
            ("c=-3.0..7.5", "-2 0 2 4 6"),
            ("n=1..16", "1 2 5 10"),
            ("n=2..5", "2 3 4 5"),
            ("c=1.0..1e6", "1 10 100 1000 10000 100000 1000000"),
        ] {
            let parameter: Parameter = range.parse().expect("a range");
            let labels: Vec<String> =
                ticks(&parameter).into_iter().map(|place| label(&parameter, place)).collect();
            assert_eq!(labels.join(" "), expected, "{range}");
        }
    }
}
