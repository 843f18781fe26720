//! Compares the solved pursuit with plain value iteration.

use games::maze::capture::LONG;
use games::maze::generator;
use games::maze::grid::{Cell, CellSet};
use games::maze::terrain::{NOWHERE, Place, Terrain};
use games::maze::world::Maze;
use mcts_core::rng::stream;

/// Turns until the capture, by parity of the turn, place of the chaser and place of Maki.
type Values = [Vec<Vec<u8>>; 2];

/// The places that a walker can reach by one act.
fn acts(terrain: &Terrain, from: Place) -> impl Iterator<Item = Place> {
    terrain.next(from).iter().copied().filter(|&to| to != NOWHERE).chain([from])
}

/// The fewest turns that the chaser can reach with `left` acts before the next turn, whose value is
/// `next`.
fn chased(terrain: &Terrain, (chaser, maki): (Place, Place), left: u8, next: &[Vec<u8>]) -> u8 {
    if chaser == maki {
        return 1;
    }
    if left == 0 {
        return (1 + next[usize::from(chaser)][usize::from(maki)]).min(LONG);
    }
    let after = acts(terrain, chaser).map(|to| chased(terrain, (to, maki), left - 1, next));
    after.min().expect("it can stay")
}

/// The values after Maki's step, by one sweep for each turn up to `LONG`.
fn iterated(terrain: &Terrain) -> Values {
    let places = 0..terrain.len() as Place;
    let table = |value: &dyn Fn(Place, Place) -> u8| -> Vec<Vec<u8>> {
        places
            .clone()
            .map(|chaser| places.clone().map(|maki| value(chaser, maki)).collect())
            .collect()
    };
    let mut after: Values = [(); 2].map(|()| table(&|_, _| LONG));
    for _ in 0..LONG {
        let before = [0, 1].map(|parity: usize| {
            table(&|chaser, maki| {
                let step = |to| after[parity][usize::from(chaser)][usize::from(to)];
                acts(terrain, maki).map(step).max().expect("she can stay")
            })
        });
        after = [(2, &before[1]), (1, &before[0])].map(|(left, next)| {
            table(&|chaser, maki| match chaser == maki {
                true => 0,
                false => chased(terrain, (chaser, maki), left, next),
            })
        });
    }
    after
}

#[test]
fn the_turns_until_the_catch_are_those_of_value_iteration() {
    for (size, seed) in [(11, 1), (11, 2), (12, 3), (15, 4)] {
        let terrain = Terrain::new(generator::maze(size, &mut stream(seed, 0)));
        let values = iterated(&terrain);
        for (parity, values) in (0..).zip(&values) {
            for (chaser, values) in (0..).zip(values) {
                for (maki, &value) in (0..).zip(values) {
                    let solved = terrain.captures().turns(2 + parity, maki, chaser);
                    assert_eq!(solved, value, "size {size}, {parity}, {maki}, {chaser}");
                }
            }
        }
    }
}

#[test]
fn at_the_end_of_a_corridor_she_is_caught_when_the_chaser_has_walked_through_it() {
    // eight steps from (1, 3) on the ring to (3, 9)
    let mut passages = CellSet::ring(11);
    passages.insert(Cell::new(2, 3));
    (3..=9).for_each(|column| passages.insert(Cell::new(3, column)));
    let terrain = Terrain::new(Maze { size: 11, passages });
    let [mouth, end] = [Cell::new(1, 3), Cell::new(3, 9)].map(|cell| terrain.place(cell));
    let turns = |turn| terrain.captures().turns(turn, end, mouth);
    // 1, 3, 4, 6, 7, 9 acts or 2, 3, 5, 6, 8
    assert_eq!([turns(1), turns(2)], [6, 5]);
}
