//! Random games with exact values, by max^n (Luckhardt and Irani, 1986) and expectimax in plain code.

use mcts_core::game::Exact;
use mcts_core::rng::{below, unit};
use mcts_core::{Game, Player, SearchRng, Turn, Utilities};

/// The shape of a random game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Maximum number of plies of a game.
    pub(crate) depth: u32,
    /// Minimum and maximum number of actions or outcomes of a position.
    pub(crate) width: (usize, usize),
    /// Number of positions of ten where chance is to move.
    pub(crate) chance: usize,
    /// Number of positions of ten where the game ends early.
    pub(crate) early: usize,
    /// Utilities are multiples of 1 / `steps`; 0 for arbitrary ones.
    pub(crate) steps: usize,
    /// Whether positions of the same ply are reached by several lines.
    pub(crate) transpositions: bool,
}

/// A game for `PLAYERS` players, generated position by position; utilities are in [-1, 1] for any
/// `BOUND`.
#[derive(Debug, Clone)]
pub(crate) struct RandomGame<const PLAYERS: usize, const BOUND: i32 = 1> {
    positions: Vec<Position>,
}

#[derive(Debug, Clone)]
struct Position {
    turn: Turn,
    /// Indices of the following positions, all of them greater.
    next: Vec<u32>,
    /// One for each of them, if chance is to move.
    probabilities: Vec<f32>,
}

impl<const PLAYERS: usize, const BOUND: i32> RandomGame<PLAYERS, BOUND> {
    /// Generated ply by ply, so that every position has a greater index than those that lead to it.
    /// A player moves at the root.
    pub(crate) fn new(rng: &mut SearchRng, shape: &Shape) -> Self {
        let root = Turn::Player(Player(below(rng, PLAYERS) as u8));
        let mut positions = vec![Position { turn: root, next: vec![], probabilities: vec![] }];
        let mut ply = 0..1;
        for depth in 1..=shape.depth {
            let first = positions.len();
            for at in ply {
                if matches!(positions[at].turn, Turn::Over(_)) {
                    continue;
                }
                let count = shape.width.0 + below(rng, shape.width.1 - shape.width.0 + 1);
                for _ in 0..count {
                    let known = positions.len() - first;
                    let next = if shape.transpositions && known > 4 && below(rng, 2) == 0 {
                        (first + below(rng, known)) as u32
                    } else {
                        let turn = random_turn(rng, shape, depth, PLAYERS);
                        positions.push(Position { turn, next: vec![], probabilities: vec![] });
                        positions.len() as u32 - 1
                    };
                    positions[at].next.push(next);
                }
                if positions[at].turn == Turn::Chance {
                    let weights: Vec<f32> = (0..count).map(|_| 0.2 + unit(rng)).collect();
                    let total: f32 = weights.iter().sum();
                    positions[at].probabilities = weights.iter().map(|of| of / total).collect();
                }
            }
            ply = first..positions.len();
        }
        RandomGame { positions }
    }

    /// Utilities and plies under best play, by position; of actions of equal utility a player takes
    /// the quickest win or draw, or the slowest loss.
    pub(crate) fn solve(&self) -> Vec<Exact> {
        let nothing = Exact { utilities: Utilities::ZERO, plies: 0 };
        let mut solved = vec![nothing; self.positions.len()];
        for (at, position) in self.positions.iter().enumerate().rev() {
            let next: Vec<Exact> = position.next.iter().map(|at| solved[*at as usize]).collect();
            solved[at] = match position.turn {
                Turn::Over(utilities) => Exact { utilities, plies: 0 },
                Turn::Player(player) => best(&next, player),
                Turn::Chance => mean(&next, &position.probabilities),
            };
        }
        solved
    }

    /// Exact values of the root's actions, in their order.
    pub(crate) fn solve_actions(&self) -> Vec<Exact> {
        let solved = self.solve();
        self.positions[0].next.iter().map(|at| solved[*at as usize]).collect()
    }

    /// The player to move at the root.
    pub(crate) fn mover(&self) -> Player {
        match self.positions[0].turn {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over(_) => unreachable!("a player moves at the root"),
        }
    }
}

fn random_turn(rng: &mut SearchRng, shape: &Shape, depth: u32, players: usize) -> Turn {
    let is_over = depth == shape.depth || below(rng, 10) < shape.early;
    if is_over {
        let mut utility = || match shape.steps {
            0 => 2.0 * unit(rng) - 1.0,
            steps => below(rng, 2 * steps + 1) as f32 / steps as f32 - 1.0,
        };
        return Turn::Over(match players {
            1 => Utilities::single(utility()),
            2 => Utilities::zero_sum(utility()),
            _ => Utilities::of(&[utility(), utility(), utility()]),
        });
    }
    if below(rng, 10) < shape.chance {
        return Turn::Chance;
    }
    Turn::Player(Player(below(rng, players) as u8))
}

/// The choice of `player`, written out.
fn best(next: &[Exact], player: Player) -> Exact {
    let most = next.iter().map(|of| of.utilities.of_player(player)).fold(f32::MIN, f32::max);
    let equal = next.iter().filter(|of| of.utilities.of_player(player) >= most);
    let plies = equal.clone().map(|of| of.plies);
    let plies = if most < 0.0 { plies.max() } else { plies.min() };
    let found = equal.clone().find(|of| Some(of.plies) == plies);
    let found = found.expect("a position where a player is to move has an action");
    Exact { plies: found.plies + 1, ..*found }
}

fn mean(next: &[Exact], probabilities: &[f32]) -> Exact {
    let mut utilities = Utilities::ZERO;
    for player in 0..utilities.0.len() {
        let products = next.iter().zip(probabilities);
        let products = products.map(|(of, p)| f64::from(*p) * f64::from(of.utilities.0[player]));
        utilities.0[player] = products.sum::<f64>() as f32;
    }
    let plies = next.iter().map(|of| of.plies).max().unwrap_or(0) + 1;
    Exact { utilities, plies }
}

impl<const PLAYERS: usize, const BOUND: i32> Game for RandomGame<PLAYERS, BOUND> {
    type State = u32;
    type Action = u16;
    const PLAYERS: usize = PLAYERS;
    const UTILITY_BOUNDS: (f32, f32) = (-BOUND as f32, BOUND as f32);

    fn start(&self) -> u32 {
        0
    }
    fn turn(&self, at: &u32) -> Turn {
        self.positions[*at as usize].turn
    }
    fn actions(&self, at: &u32, visit: impl FnMut(u16)) {
        (0..self.positions[*at as usize].next.len() as u16).for_each(visit);
    }
    fn apply(&self, at: &mut u32, action: u16) {
        *at = self.positions[*at as usize].next[usize::from(action)];
    }
    fn action_index(&self, action: u16) -> Option<usize> {
        Some(usize::from(action))
    }
    fn action_indices(&self) -> usize {
        64
    }
    fn count_actions(&self, at: &u32) -> usize {
        self.positions[*at as usize].next.len()
    }
    fn nth_action(&self, _: &u32, n: usize) -> u16 {
        n as u16
    }
    fn outcomes(&self, at: &u32, mut visit: impl FnMut(u16, f32)) {
        for (place, probability) in self.positions[*at as usize].probabilities.iter().enumerate() {
            visit(place as u16, *probability);
        }
    }
    fn hash(&self, at: &u32) -> Option<u64> {
        Some(mcts_core::rng::mix(u64::from(*at) + 1))
    }
}
