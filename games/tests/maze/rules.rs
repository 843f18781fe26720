//! Compares the rules and the generator with plain implementations.

use std::collections::{BTreeSet, HashSet, VecDeque};

use games::maze::chaser::{Chaser, Policy};
use games::maze::generator::{self, Lattice};
use games::maze::grid::{
    Cell, CellSet, Direction, MAX_SIZE, MIN_SIZE, shortest_steps, walking_distance,
};
use games::maze::rules::{Footsteps, Phase, Progress, candy_count};
use games::maze::vision::{ahead, around, sees, sees_around};
use games::maze::world::{Action, Maze, Walker, World};
use mcts_core::rng::{self, SearchRng, stream};
use proptest::prelude::*;

/// An arbitrary maze: random passages and the ring, not necessarily connected.
pub(crate) fn wild_maze(size: usize, seed: u64) -> Maze {
    let mut rng = stream(seed, 7);
    let share = rng::unit(&mut rng);
    let open = CellSet::inner(size).iter().filter(|_| rng::unit(&mut rng) < share);
    let passages = open.collect::<CellSet>().union(&CellSet::ring(size));
    Maze { size: size as u8, passages }
}

fn random_passage(maze: &Maze, rng: &mut SearchRng) -> Cell {
    maze.passages.nth(rng::below(rng, maze.passages.len())).expect("the ring is passage")
}

fn plain_distance(maze: &Maze, from: Cell, to: Cell) -> Option<u16> {
    let mut queue = VecDeque::from([(from, 0)]);
    let mut seen = HashSet::from([from]);
    while let Some((at, distance)) = queue.pop_front() {
        if at == to {
            return Some(distance);
        }
        for direction in Direction::ALL {
            let next = at.step(direction);
            if maze.passages.contains(next) && seen.insert(next) {
                queue.push_back((next, distance + 1));
            }
        }
    }
    None
}

type Coordinates = BTreeSet<(i32, i32)>;

/// Visible contents and terrain by the text of the rule page, on signed coordinates.
fn plain_view(maze: &Maze, from: Walker) -> (Coordinates, Coordinates) {
    let size = i32::from(maze.size);
    let on_grid =
        |(row, column): (i32, i32)| (1..=size).contains(&row) && (1..=size).contains(&column);
    let is_passage =
        |(row, column)| maze.passages.contains(Cell::new(row as usize, column as usize));
    let way = |direction| match direction {
        Direction::Up => (-1, 0),
        Direction::Right => (0, 1),
        Direction::Down => (1, 0),
        Direction::Left => (0, -1),
    };
    let (down, right) = way(from.facing);
    let start = (from.cell.row() as i32, from.cell.column() as i32);
    let (mut contents, mut terrain) = (BTreeSet::new(), BTreeSet::new());
    terrain.insert((start.0 - down, start.1 - right));
    for steps in 0.. {
        let at = (start.0 + steps * down, start.1 + steps * right);
        if !on_grid(at) {
            break;
        }
        contents.insert(at);
        if !is_passage(at) {
            break;
        }
        terrain.insert((at.0 + right, at.1 + down));
        terrain.insert((at.0 - right, at.1 - down));
    }
    terrain.extend(&contents);
    terrain.retain(|&cell| on_grid(cell));
    (contents, terrain)
}

fn coordinates(set: &CellSet, size: usize) -> Coordinates {
    let on_grid = set.intersection(&CellSet::square(size));
    on_grid.iter().map(|cell| (cell.row() as i32, cell.column() as i32)).collect()
}

proptest! {
    #[test]
    fn walking_distances_agree_with_a_plain_search(size in MIN_SIZE..=MAX_SIZE, seed: u64) {
        let maze = wild_maze(size, seed);
        let mut rng = stream(seed, 8);
        for _ in 0..8 {
            let (from, to) = (random_passage(&maze, &mut rng), random_passage(&maze, &mut rng));
            let distance = plain_distance(&maze, from, to);
            prop_assert_eq!(walking_distance(&maze.passages, from, to), distance);
            let first: Vec<_> = shortest_steps(&maze.passages, from, to).collect();
            let expected: Vec<_> = Direction::ALL
                .into_iter()
                .filter(|&way| {
                    let next = from.step(way);
                    maze.passages.contains(next)
                        && distance.is_some_and(|far| far > 0 && plain_distance(&maze, next, to) == Some(far - 1))
                })
                .collect();
            prop_assert_eq!(first, expected);
        }
    }

    #[test]
    fn the_view_is_what_the_rule_page_says(size in MIN_SIZE..=MAX_SIZE, seed: u64) {
        let maze = wild_maze(size, seed);
        let mut rng = stream(seed, 9);
        let cell = random_passage(&maze, &mut rng);
        let mut all = (BTreeSet::new(), BTreeSet::new());
        for facing in Direction::ALL {
            let walker = Walker { cell, facing };
            let sight = ahead(&maze.passages, walker);
            let (contents, terrain) = plain_view(&maze, walker);
            prop_assert_eq!(coordinates(&sight.contents, size), contents.clone());
            prop_assert_eq!(coordinates(&sight.terrain, size), terrain.clone());
            for target in maze.passages.iter() {
                let expected = contents.contains(&(target.row() as i32, target.column() as i32));
                prop_assert_eq!(sees(&maze.passages, walker, target), expected);
            }
            all.0.extend(contents);
            all.1.extend(terrain);
        }
        let sight = around(&maze.passages, cell);
        prop_assert_eq!(coordinates(&sight.contents, size), all.0.clone());
        prop_assert_eq!(coordinates(&sight.terrain, size), all.1);
        let target = random_passage(&maze, &mut rng);
        let expected = all.0.contains(&(target.row() as i32, target.column() as i32));
        prop_assert_eq!(sees_around(&maze.passages, cell, target), expected);
    }

    #[test]
    fn sets_of_cells_behave_like_sets(size in MIN_SIZE..=MAX_SIZE, seed: u64) {
        let (one, other) = (wild_maze(size, seed).passages, wild_maze(size, !seed).passages);
        let plain = |set: &CellSet| set.iter().collect::<BTreeSet<_>>();
        let (a, b) = (plain(&one), plain(&other));
        prop_assert_eq!(one.len(), a.len());
        prop_assert_eq!(plain(&one.union(&other)), &a | &b);
        prop_assert_eq!(plain(&one.intersection(&other)), &a & &b);
        prop_assert_eq!(plain(&one.difference(&other)), &a - &b);
        let beside: BTreeSet<_> =
            a.iter().flat_map(|cell| Direction::ALL.map(|way| cell.step(way))).collect();
        prop_assert_eq!(plain(&one.neighbours()), beside);
        for (n, cell) in a.iter().enumerate() {
            prop_assert_eq!(one.nth(n), Some(*cell));
        }
        prop_assert_eq!(one.nth(a.len()), None);
    }

    #[test]
    fn drawn_worlds_keep_the_promises_of_the_rule_page(size in MIN_SIZE..=MAX_SIZE, seed: u64) {
        let world = generator::world(size, &mut stream(seed, 0));
        let World { maze, candies, maki, chaser, .. } = &world;
        prop_assert_eq!(CellSet::ring(size).difference(&maze.passages), CellSet::EMPTY);
        for cell in maze.passages.iter() {
            prop_assert!(plain_distance(maze, Cell::new(1, 1), cell).is_some(), "{} is cut off", cell);
        }
        prop_assert!(maze.inner_passages().contains(maki.cell));
        prop_assert!(maze.inner_passages().contains(chaser.cell));
        prop_assert_ne!(maki.cell, chaser.cell);
        prop_assert_eq!(candies.len(), candy_count(maze.inner_passages().len()));
        prop_assert_eq!(candies.difference(&maze.passages), CellSet::EMPTY);
        prop_assert!(!candies.contains(maki.cell) && !candies.contains(chaser.cell));
        let fits = Lattice::all(size).iter().any(|lattice| {
            lattice.junctions().difference(&maze.passages).is_empty()
                && lattice.pillars().intersection(&maze.passages).is_empty()
        });
        prop_assert!(fits, "some lattice explains the maze");
        prop_assert_eq!(world, generator::world(size, &mut stream(seed, 0)));
    }

    #[test]
    fn a_game_keeps_its_invariants(size in MIN_SIZE..=MAX_SIZE, seed: u64, name in "hunter|wanderer|tracker") {
        let mut progress = Progress::new(generator::world(size, &mut stream(seed, 0)));
        let mut chaser = Chaser::new(Policy::named(&name).unwrap());
        let mut rng = stream(seed, 1);
        let candies = progress.world.candies.len();
        let mut acts = 0;
        loop {
            let world = progress.world;
            prop_assert!(!world.candies.contains(world.maki.cell) || progress.phase == Phase::Respawn);
            match progress.phase {
                Phase::Over(caught) => {
                    prop_assert_eq!(caught.is_some(), world.maki.cell == world.chaser.cell);
                    break;
                }
                Phase::Maki => {
                    prop_assert_eq!(world.candies.len(), candies);
                    prop_assert_eq!(acts, if world.turn == 1 { 0 } else { 1 + usize::from(world.turn) % 2 });
                    acts = 0;
                    let rows = progress.map().to_string();
                    let in_view = sees(&world.maze.passages, world.maki, world.chaser.cell);
                    prop_assert_eq!(rows.contains(['H', 'X']), in_view);
                    let known = progress.memory.candies.difference(&world.candies);
                    prop_assert!(known.is_empty(), "candies vanish only when she eats them");
                    progress.act(Action::ALL[rng::below(&mut rng, 6)]);
                }
                Phase::Respawn => {
                    let cells = progress.respawn_cells();
                    progress.respawn(cells.nth(rng::below(&mut rng, cells.len())).unwrap());
                }
                Phase::FirstAct | Phase::SecondAct => {
                    acts += 1;
                    let choice = chaser.draw(&world, &mut rng);
                    let before = world.chaser;
                    progress.chase(choice.action);
                    chaser.acted(choice, &progress.world);
                    if let Action::Step(_) = choice.action {
                        prop_assert_ne!(progress.world.chaser.cell, before.cell, "it never bumps");
                    }
                }
            }
        }
    }
}

#[test]
fn candies_are_a_fifth_of_the_inner_passages_rounded_within_bounds() {
    let expected = [(2, 1), (3, 1), (4, 1), (7, 1), (8, 2), (12, 2), (13, 3), (441, 88)];
    for (inner, candies) in expected {
        assert_eq!(candy_count(inner), candies, "{inner} inner passages");
    }
}

#[test]
fn footsteps_follow_the_table_and_its_direction() {
    let heard = |table: Footsteps| [1, 3, 4, 6, 7, 10, 11, 99].map(|far| table.level(Some(far)));
    assert_eq!(heard(Footsteps::ASSUMED), [3, 3, 2, 2, 1, 1, 0, 0]);
    assert_eq!(heard(Footsteps { reversed: true, ..Footsteps::ASSUMED }), [0, 0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(Footsteps::ASSUMED.level(None), 0);
}
