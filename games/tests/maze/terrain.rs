//! What is prepared for fast walking.

use games::maze::generator;
use games::maze::grid::{Cell, CellSet, Direction, walking_distance};
use games::maze::terrain::{FAR, NOWHERE, Place, Terrain};
use games::maze::world::Maze;
use mcts_core::rng::{below, stream};

#[test]
fn the_depth_of_a_dead_end_counts_the_steps_out_of_it() {
    // the ring is a loop; a corridor leaves it at (2, 3) and ends at (3, 9), with a side arm at (4, 6)
    let mut passages = CellSet::ring(11);
    passages.insert(Cell::new(2, 3));
    passages.insert(Cell::new(4, 6));
    (3..=9).for_each(|column| passages.insert(Cell::new(3, column)));
    let terrain = Terrain::new(Maze { size: 11, passages });
    let depth = |row, column| terrain.depth(terrain.place(Cell::new(row, column)));
    assert_eq!([depth(1, 3), depth(2, 3), depth(3, 3), depth(3, 4)], [0, 1, 2, 3]);
    assert_eq!([depth(3, 6), depth(4, 6), depth(3, 9)], [5, 6, 8]);
}

#[test]
fn outside_of_dead_ends_one_can_always_walk_on_without_turning_back() {
    for seed in 0..20 {
        let terrain = Terrain::new(generator::maze(17, &mut stream(seed, 0)));
        for place in 0..terrain.len() as Place {
            let open = Direction::ALL.map(|way| terrain.next(place)[way as usize]);
            let depths = open.into_iter().filter(|&to| to != NOWHERE).map(|to| terrain.depth(to));
            match terrain.depth(place) {
                0 => assert!(depths.filter(|&depth| depth == 0).count() >= 2, "seed {seed}"),
                depth => assert_eq!(depths.min(), Some(depth - 1), "seed {seed}"),
            }
        }
    }
}

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
