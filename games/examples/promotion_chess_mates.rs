//! Writes a suite of mates in 1, 2 and 3 to standard output, in JSON Lines. Half of the positions
//! come from random games, half are composed at random; half are for each side. All are verified by
//! an exhaustive solver.
//!
//! `cargo run --release -p games --example promotion_chess_mates > games/tests/data/promotion_chess_mates.jsonl`

use std::io::{self, Write};

use games::promotion_chess::{Position, PromotionChess, Rules, Side};
use mcts_core::{Game, Turn, rng};

#[path = "../tests/promotion_chess/mate_solver.rs"]
mod mate_solver;

use mate_solver::{mating_actions, shortest_mate};

/// Number of positions of each combination of length, side and source.
const EACH: usize = 20;

/// A position with more winning first actions is too easy, except for mates in one.
const MOST_WINNING: usize = 3;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut suite = Suite::default();
    for seed in 0.. {
        for (source, position) in [("self-play", self_play(seed)), ("composed", composed(seed))] {
            if let Some(position) = position {
                suite.offer(source, &position);
            }
        }
        if suite.cases.len() == EACH * 12 {
            break;
        }
    }
    suite.cases.sort_by_key(|(mate_in, _)| *mate_in);
    for (number, (mate_in, rest)) in suite.cases.iter().enumerate() {
        writeln!(out, "{{\"id\":\"mate-{mate_in}-{number:03}\",{rest}}}")?;
    }
    Ok(())
}

#[derive(Default)]
struct Suite {
    /// Length of the mate, and the other fields of the line.
    cases: Vec<(u32, String)>,
    numbers: std::collections::HashMap<(u32, Side, &'static str), usize>,
    seen: std::collections::HashSet<Position>,
}

impl Suite {
    fn offer(&mut self, source: &'static str, position: &Position) {
        let rules = Rules::default();
        let Some(mate_in) = shortest_mate(&rules, position, 3) else { return };
        let number = self.numbers.entry((mate_in, position.to_move(), source)).or_default();
        if *number == EACH {
            return;
        }
        let mut winning: Vec<String> = mating_actions(&rules, position, mate_in)
            .iter()
            .map(|action| format!("\"{action}\""))
            .collect();
        if mate_in > 1 && winning.len() > MOST_WINNING || !self.seen.insert(*position) {
            return;
        }
        *number += 1;
        winning.sort();
        let winning = winning.join(",");
        let fields = format!(
            "\"source\":\"{source}\",\"position\":\"{position}\",\"mate_in\":{mate_in},\
             \"winning\":[{winning}]"
        );
        self.cases.push((mate_in, fields));
    }
}

/// One position of a random game, after the opening.
fn self_play(seed: u64) -> Option<Position> {
    let game = PromotionChess::default();
    let mut rng = rng::stream(seed, 2);
    let mut position = game.start();
    for _ in 0..12 + rng::below(&mut rng, 60) {
        let action = game.random_action(&position, &mut rng);
        game.apply(&mut position, action);
        if matches!(game.turn(&position), Turn::Over(_)) {
            return None;
        }
    }
    Some(position)
}

/// Kings and up to nine other pieces on random squares; `None` if the position is illegal or the
/// game is over.
fn composed(seed: u64) -> Option<Position> {
    let mut rng = rng::stream(seed, 3);
    let mut cells = ['1'; 25];
    for n in 0..3 + rng::below(&mut rng, 9) {
        let letter = match n {
            0 => 'K',
            1 => 'k',
            _ => {
                let letters = b"QRRBBNNPPCCqrrbbnnppcc";
                char::from(letters[rng::below(&mut rng, letters.len())])
            }
        };
        let cell = match letter {
            'c' => rng::below(&mut rng, 5),
            'C' => 20 + rng::below(&mut rng, 5),
            _ => rng::below(&mut rng, 25),
        };
        if cells[cell] == '1' {
            cells[cell] = letter;
        }
    }
    let citizens = cells.iter().filter(|cell| cell.eq_ignore_ascii_case(&'c')).count();
    let mut levels: String =
        (0..citizens).map(|_| char::from(b'0' + rng::below(&mut rng, 10) as u8)).collect();
    if levels.is_empty() {
        levels.push('-');
    }
    let side = rng::below(&mut rng, 2);
    let ply = 10 + side + 2 * rng::below(&mut rng, 60);
    let mut ranks: Vec<String> = cells.chunks(5).map(|rank| rank.iter().collect()).collect();
    for (ones, digit) in [("11111", "5"), ("1111", "4"), ("111", "3"), ("11", "2")] {
        ranks.iter_mut().for_each(|rank| *rank = rank.replace(ones, digit));
    }
    let text = format!("{} {} {levels} {ply}", ranks.join("/"), ["w", "b"][side]);
    let position = text.parse().ok()?;
    matches!(PromotionChess::default().turn(&position), Turn::Player(_)).then_some(position)
}
