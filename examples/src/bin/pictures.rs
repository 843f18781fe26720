//! Draws the picture of the README: a position of Reversi, the visits and values of each action,
//! and the top of the tree.
//! `cargo run --release -p examples --bin pictures > docs/images/search.svg`
#![allow(clippy::print_stdout, reason = "the picture goes to standard output")]

use std::fmt::Write;

use games::reversi::{Action, Position, Reversi};
use mcts_core::search::{Branch, NodeRef};
use mcts_core::{ActionReport, Budget, Rollout, Search, Uct, UctSearch, Uniform};

/// Ten plies into a game between two bots of this project.
const POSITION: &str = "..................BWW.....BBWW....BBBW......BB.................. W";

const CELL: usize = 44;

fn search() -> UctSearch<Reversi> {
    let parts = Uct { evaluator: Rollout { policy: Uniform, lanes: 8 }, ..Uct::default() };
    parts.search(Reversi::default(), 1)
}

fn board(
    svg: &mut String,
    position: &Position,
    actions: &[ActionReport<Action>],
) -> std::fmt::Result {
    let (black, white) = match position.side() {
        games::reversi::Side::Black => (position.own(), position.opponent()),
        games::reversi::Side::White => (position.opponent(), position.own()),
    };
    let most = actions.iter().map(|action| action.visits).max().unwrap_or(1);
    for cell in 0..64 {
        let (x, y) = (cell % 8 * CELL + 10, cell / 8 * CELL + 10);
        writeln!(
            svg,
            r##"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#2f7d4f" stroke="#1f5a38"/>"##
        )?;
        let (middle_x, middle_y) = (x + CELL / 2, y + CELL / 2);
        for (discs, fill) in [(black, "#111"), (white, "#f4f4f4")] {
            if discs >> cell & 1 == 1 {
                writeln!(svg, r#"<circle cx="{middle_x}" cy="{middle_y}" r="18" fill="{fill}"/>"#)?;
            }
        }
        let here = actions.iter().find(|action| action.action.cell() == Some(cell as u32));
        if let Some((action, value)) = here.and_then(|action| Some((action, action.value?))) {
            let radius = 4.0 + 14.0 * (f64::from(action.visits) / f64::from(most)).sqrt();
            writeln!(
                svg,
                r##"<circle cx="{middle_x}" cy="{middle_y}" r="{radius:.1}" fill="#ffd24d" fill-opacity="0.55"/>"##
            )?;
            writeln!(
                svg,
                r#"<text x="{middle_x}" y="{}" class="value">{value:+.2}</text>"#,
                middle_y + 4
            )?;
        }
    }
    Ok(())
}

/// A node of the tree and up to three of its children, `levels` deep; `x` is its middle.
fn tree(
    svg: &mut String,
    (search, node): (&UctSearch<Reversi>, NodeRef),
    (x, y): (f64, f64),
    levels: u32,
) -> std::fmt::Result {
    let mut branches = search.branches(node);
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.visits));
    let all: u32 = branches.iter().map(|branch| branch.visits).sum();
    let width = 150.0 * 3_f64.powi(levels as i32 - 2);
    for (place, branch) in branches.iter().take(3).enumerate() {
        let share = f64::from(branch.visits) / f64::from(all.max(1));
        let (to_x, to_y) = (x + width * (place as f64 - 1.0), y + 110.0);
        writeln!(
            svg,
            r##"<line x1="{x:.0}" y1="{y:.0}" x2="{to_x:.0}" y2="{to_y:.0}" stroke="#888" stroke-width="{:.1}"/>"##,
            0.5 + 9.0 * share
        )?;
        if let Some(node) = branch.node.filter(|_| levels > 1) {
            tree(svg, (search, node), (to_x, to_y), levels - 1)?;
        }
        let text = match branch.branch {
            Branch::Action(action) => action.to_string().replace("MOVE ", ""),
            Branch::Observation(_) | Branch::World(_) => String::new(),
        };
        writeln!(
            svg,
            r##"<circle cx="{to_x:.0}" cy="{to_y:.0}" r="17" fill="#fff" stroke="#555"/>"##
        )?;
        writeln!(svg, r#"<text x="{to_x:.0}" y="{:.0}" class="node">{text}</text>"#, to_y + 4.0)?;
        writeln!(
            svg,
            r#"<text x="{to_x:.0}" y="{:.0}" class="share">{:.0} %</text>"#,
            to_y + 31.0,
            100.0 * share
        )?;
    }
    writeln!(svg, r##"<circle cx="{x:.0}" cy="{y:.0}" r="6" fill="#555"/>"##)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position: Position = POSITION.parse()?;
    let mut svg = String::new();
    writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 372" font-family="sans-serif">
<style>text {{ text-anchor: middle; fill: #222 }} .value {{ font-size: 11px }} .node {{ font-size: 12px }} .share {{ font-size: 11px; fill: #666 }}</style>
<rect width="880" height="372" fill="#fff"/>"##
    )?;
    let mut search = search();
    let report = search.run(&position, &Budget::playouts(100_000).to_the_end())?;
    board(&mut svg, &position, &report.actions)?;
    tree(&mut svg, (&search, NodeRef::ROOT), (625.0, 40.0), 2)?;
    writeln!(svg, "</svg>")?;
    print!("{svg}");
    Ok(())
}
