//! Maki's belief about everything that she does not see: walls, candies, the chaser, and the
//! footstep table.
//!
//! Parameters that the rules leave open start from the assumed values and are inferred. The belief
//! depends only on her view.

pub mod candies;
pub mod pursuit;
pub mod tables;
pub mod walls;

use alloc::vec::Vec;

use mcts_core::rng::{self, SearchRng};

use candies::Candies;
use pursuit::{Pursuit, SampledChaser, Sight};
use tables::{LANES, ROWS, Tables};
use walls::Walls;

use super::grid::CellSet;
use super::rules::{Footsteps, candy_count};
use super::terrain::{Place, Terrain};
use super::view::{Observation, View};
use super::vision;
use super::world::{Action, Maze, Walker};

/// One completion of the unseen walls, with the distribution of the chaser on it.
#[derive(Debug, Clone)]
pub struct Completion {
    /// The whole maze.
    pub terrain: Terrain,
    /// The distribution of the chaser.
    pub pursuit: Pursuit,
    /// Running sums of the probabilities of the chaser's states.
    sums: Vec<f32>,
    /// Number of candies in this maze.
    candies: usize,
    /// Likelihood of the recent observations, with decay.
    weight: f32,
}

/// A world consistent with the view.
#[derive(Debug, Clone, Copy)]
pub struct Determinization {
    /// The index of the completion.
    pub completion: usize,
    /// The cells of all candies.
    pub candies: CellSet,
    /// The chaser.
    pub chaser: SampledChaser,
    /// The footstep table.
    pub footsteps: Footsteps,
}

/// Maki's belief after all that she has seen, heard and done.
#[derive(Debug, Clone)]
pub struct MazeBelief {
    view: View,
    completions: Vec<Completion>,
    candies: Candies,
    tables: Tables,
    /// Number of observations that no hypothesis explained.
    redrawn: u32,
    next_renewal: usize,
}

/// Decay factor of a completion's weight for each turn.
const MEMORY_OF_WEIGHT: f32 = 0.8;

impl MazeBelief {
    /// The belief of a view, with `completions` completions (at least one) of the unseen walls.
    #[must_use]
    pub fn new(view: &View, completions: usize, rng: &mut SearchRng) -> MazeBelief {
        let mut first = view.clone();
        first.past.clear();
        let map = first.now().map;
        let size = usize::from(map.size);
        let walls = Walls::new(size, &map.memory);
        let tables = Tables::new();
        let mut belief = MazeBelief {
            completions: (0..completions.max(1))
                .map(|_| {
                    let terrain = Terrain::new(walls.draw(&map.memory, rng));
                    let inner = terrain.maze.inner_passages().without(map.maki);
                    Completion::new(Pursuit::new(&terrain, &inner, &tables.prior()), terrain)
                })
                .collect(),
            candies: Candies::new(size),
            tables,
            redrawn: 0,
            next_renewal: 0,
            view: first,
        };
        belief.look(&in_view(&belief.view, None), &CellSet::EMPTY);
        belief.perceive();
        for past in &view.past {
            belief.update(past.action, &past.observation, rng);
        }
        belief
    }

    /// What she has seen, heard and done.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The completions of the unseen walls.
    #[must_use]
    pub fn completions(&self) -> &[Completion] {
        &self.completions
    }

    /// The unseen candies.
    #[must_use]
    pub fn candies(&self) -> &Candies {
        &self.candies
    }

    /// The possible footstep tables.
    #[must_use]
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Number of observations that no hypothesis explained, after which the chaser was sampled
    /// afresh.
    #[must_use]
    pub fn redrawn(&self) -> u32 {
        self.redrawn
    }

    /// Bytes of all completions, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.completions.iter().map(Completion::bytes).sum()
    }

    /// Gives up the least probable completions until the others take at most `bytes`; the last one stays.
    pub fn shrink_to(&mut self, bytes: usize) {
        let mut total = self.bytes();
        while total > bytes && self.completions.len() > 1 {
            let by_weight = |a: &usize, b: &usize| {
                self.completions[*a].weight.total_cmp(&self.completions[*b].weight)
            };
            let Some(least) = (0..self.completions.len()).min_by(by_weight) else { return };
            total -= self.completions.remove(least).bytes();
        }
    }

    /// Updates on her `action` and the `observation` after it.
    pub fn update(&mut self, action: Action, observation: &Observation, rng: &mut SearchRng) {
        let before = *self.view.now();
        let turn = self.view.turn();
        self.view.grow(action, *observation);
        self.renew_completions(rng);
        let maki = observation.map.maki;
        if maki != before.map.maki {
            let hidden = self.hidden(&before.map.memory.candies);
            self.candies.arrive(maki, &before.map.memory, hidden);
        }
        self.look(&in_view(&self.view, Some(action)), &before.map.memory.candies);
        let acts = if turn.is_multiple_of(2) { 2 } else { 1 };
        for completion in &mut self.completions {
            let maki = completion.terrain.place(maki);
            completion.pursuit.clear_place(maki);
            for _ in 0..acts {
                completion.pursuit.act(&completion.terrain, maki);
            }
        }
        self.perceive();
    }

    /// Samples a world.
    #[must_use]
    pub fn draw(&self, rng: &mut SearchRng) -> Determinization {
        let total: f32 = self.completions.iter().map(|completion| completion.weight).sum();
        let mut left = rng::unit(rng) * total;
        let chosen = self.completions.iter().position(|completion| {
            left -= completion.weight;
            left < 0.0
        });
        let number = chosen.unwrap_or(0);
        let chaser = self.sample_chaser(number, rng);
        Determinization {
            completion: number,
            candies: self.sample_candies(number, rng),
            chaser,
            footsteps: self.tables.draw(chaser.lane, rng),
        }
    }

    /// Samples the cells of all candies on the completion of this index.
    #[must_use]
    pub fn sample_candies(&self, completion: usize, rng: &mut SearchRng) -> CellSet {
        let completion = &self.completions[completion];
        let known = &self.view.now().map.memory.candies;
        self.candies.draw(&completion.terrain.maze.passages, completion.candies, known, rng)
    }

    /// Samples a chaser on the completion of this index.
    #[must_use]
    pub fn sample_chaser(&self, completion: usize, rng: &mut SearchRng) -> SampledChaser {
        let completion = &self.completions[completion];
        completion.pursuit.draw(&completion.terrain, &completion.sums, rng)
    }

    /// Expected number of candies that are not among the `known` ones, by the completions.
    fn hidden(&self, known: &CellSet) -> f32 {
        let total: usize = self.completions.iter().map(|completion| completion.candies).sum();
        let mean = total as f32 / self.completions.len() as f32;
        (mean - known.len() as f32).max(0.0)
    }

    /// Updates on the contents of `seen`; `before` are the candies known before.
    fn look(&mut self, seen: &CellSet, before: &CellSet) {
        let memory = self.view.now().map.memory;
        let found = memory.candies.difference(before).intersection(seen);
        let hidden = self.hidden(before);
        self.candies.look(seen, &found, &memory, hidden);
    }

    /// Replaces the completions that contradict the memory, and one more.
    fn renew_completions(&mut self, rng: &mut SearchRng) {
        let map = self.view.now().map;
        let walls = Walls::new(map.size.into(), &map.memory);
        let fits = |maze: &Maze| {
            map.memory.passages.difference(&maze.passages).is_empty()
                && map.memory.walls.intersection(&maze.passages).is_empty()
        };
        self.next_renewal = (self.next_renewal + 1) % self.completions.len();
        let everything_known = self.view.unknown().is_empty();
        for (at, completion) in self.completions.iter_mut().enumerate() {
            let renew = at == self.next_renewal && !everything_known;
            if renew || !fits(&completion.terrain.maze) {
                let terrain = Terrain::new(walls.draw(&map.memory, rng));
                let pursuit = completion.pursuit.moved(&completion.terrain, &terrain);
                let weight = completion.weight;
                *completion = Completion::new(pursuit, terrain);
                completion.weight = weight;
            }
        }
    }

    /// Updates on what is seen and heard of the chaser now.
    fn perceive(&mut self) {
        let now = *self.view.now();
        let in_view = in_view(&self.view, None);
        let sight = |terrain: &Terrain| Sight {
            maki: terrain.place(now.map.maki),
            chaser: now.map.chaser,
            in_view: &in_view,
        };
        let mut distances = [[0.0; LANES]; ROWS];
        for completion in &mut self.completions {
            let left = completion.pursuit.see(&completion.terrain, &sight(&completion.terrain));
            for (all, left) in distances.as_flattened_mut().iter_mut().zip(left.as_flattened()) {
                *all += completion.weight * left;
            }
        }
        let level = (&self.tables.likelihoods(now.footsteps), &self.tables.prior());
        self.tables.hear(now.footsteps, &distances);
        let mut best = 0.0_f32;
        for completion in &mut self.completions {
            let Completion { terrain, pursuit, weight, .. } = completion;
            let expected = pursuit.hear(terrain, &sight(terrain), level);
            if expected <= 0.0 {
                self.redrawn += 1;
            }
            *weight = libm::powf(*weight, MEMORY_OF_WEIGHT) * expected.max(1e-3);
            best = best.max(*weight);
        }
        for completion in &mut self.completions {
            completion.weight = (completion.weight / best).max(0.02);
            completion.sums = completion.pursuit.running_sums();
        }
    }
}

impl Completion {
    fn new(pursuit: Pursuit, terrain: Terrain) -> Completion {
        let candies = candy_count(terrain.maze.inner_passages().len());
        Completion { terrain, pursuit, sums: Vec::new(), candies, weight: 1.0 }
    }

    /// Bytes of the completion, about.
    fn bytes(&self) -> usize {
        self.terrain.bytes() + self.pursuit.bytes() + self.sums.capacity() * size_of::<f32>()
    }

    /// The place of Maki.
    #[must_use]
    pub fn maki(&self, view: &View) -> Place {
        self.terrain.place(view.now().map.maki)
    }
}

/// The cells whose contents Maki sees at the end of a view, or saw by her last action before the
/// chaser acted.
fn in_view(view: &View, action: Option<Action>) -> CellSet {
    let map = &view.now().map;
    let passages = &map.memory.passages;
    let sight = if action == Some(Action::Look) {
        vision::around(passages, map.maki)
    } else {
        vision::ahead(passages, Walker { cell: map.maki, facing: view.facing() })
    };
    sight.contents.intersection(&CellSet::square(map.size.into()))
}
