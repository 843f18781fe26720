//! The preprocessed tables of a maze.

use games::maze::generator;
use games::maze::grid::walking_distance;
use games::maze::terrain::{FAR, Place, Terrain};
use mcts_core::rng::{below, stream};

#[test]
fn all_distances_are_walking_distances() {
    for seed in 0..6 {
        let mut rng = stream(seed, 3);
        let mut maze = generator::maze([11, 18, 23][seed as usize % 3], &mut rng);
        for cell in maze.inner_passages().iter().filter(|_| below(&mut rng, 10) == 0) {
            maze.passages.remove(cell);
        }
        let terrain = Terrain::new(maze);
        for from in 0..terrain.len() as Place {
            for to in 0..terrain.len() as Place {
                let walked = walking_distance(&maze.passages, terrain.cell(from), terrain.cell(to));
                let known = terrain.distance(from, to);
                assert_eq!(walked.unwrap_or(u16::from(FAR)), u16::from(known), "{from} {to}");
            }
        }
    }
}
