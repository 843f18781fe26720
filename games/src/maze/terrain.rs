//! One complete maze, preprocessed: numbered passages, neighbours, all distances, the pursuit.

use alloc::vec;
use alloc::vec::Vec;

use super::capture::Captures;
use super::grid::{CELL_INDICES, Cell, Direction, MAX_SIZE};
use super::world::Maze;

/// The number of a passage in its [`Terrain`].
pub type Place = u16;

/// Not a passage.
pub const NOWHERE: Place = Place::MAX;

/// Distances of this length or more are not distinguished.
pub const FAR: u8 = u8::MAX;

/// A set of places, as bits.
type Bits = [u64; (MAX_SIZE * MAX_SIZE).div_ceil(64)];

/// A maze with the tables that a search uses often.
#[derive(Debug, Clone)]
pub struct Terrain {
    /// The walls.
    pub maze: Maze,
    cells: Vec<Cell>,
    places: Vec<Place>,
    next: Vec<[Place; 4]>,
    distances: Vec<u8>,
    rays: Vec<[u8; 4]>,
    captures: Captures,
}

impl Terrain {
    /// Preprocesses a maze; all its passages should be connected.
    #[must_use]
    pub fn new(maze: Maze) -> Terrain {
        let cells: Vec<Cell> = maze.passages.iter().collect();
        let mut places = vec![NOWHERE; CELL_INDICES];
        for (place, cell) in (0..).zip(&cells) {
            places[cell.index()] = place;
        }
        let next: Vec<[Place; 4]> = cells
            .iter()
            .map(|cell| Direction::ALL.map(|way| places[cell.step(way).index()]))
            .collect();
        let distances = all_distances(&next);
        let rays = (0..cells.len()).map(|place| rays_from(&next, place)).collect();
        let captures = Captures::new(&maze.passages, &places, &next);
        Terrain { maze, cells, places, next, distances, rays, captures }
    }

    /// Bytes of everything that is prepared, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Terrain>()
            + self.cells.capacity() * size_of::<Cell>()
            + self.places.capacity() * size_of::<Place>()
            + self.next.capacity() * size_of::<[Place; 4]>()
            + self.distances.capacity()
            + self.rays.capacity() * size_of::<[u8; 4]>()
            + self.captures.bytes()
    }

    /// Number of passages.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no passage.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cell of a place.
    #[inline]
    #[must_use]
    pub fn cell(&self, place: Place) -> Cell {
        self.cells[usize::from(place)]
    }

    /// The place of a cell, [`NOWHERE`] for a wall.
    #[inline]
    #[must_use]
    pub fn place(&self, cell: Cell) -> Place {
        self.places[cell.index()]
    }

    /// The places next to one, by direction; [`NOWHERE`] where there is a wall or the edge.
    #[inline]
    #[must_use]
    pub fn next(&self, place: Place) -> &[Place; 4] {
        &self.next[usize::from(place)]
    }

    /// The place after a step: the same place if there is a wall or the edge.
    #[inline]
    #[must_use]
    pub fn step(&self, from: Place, way: Direction) -> Place {
        match self.next(from)[way as usize] {
            NOWHERE => from,
            to => to,
        }
    }

    /// Length of the shortest path; [`FAR`] if it is at least that, or if there is none.
    #[inline]
    #[must_use]
    pub fn distance(&self, from: Place, to: Place) -> u8 {
        self.distances[usize::from(from) * self.cells.len() + usize::from(to)]
    }

    /// The distances from one place to all places.
    #[inline]
    #[must_use]
    pub fn distances(&self, from: Place) -> &[u8] {
        let count = self.cells.len();
        &self.distances[usize::from(from) * count..][..count]
    }

    /// Number of places straight ahead of a place before a wall, by direction.
    #[inline]
    #[must_use]
    pub fn ray(&self, place: Place, way: Direction) -> u8 {
        self.rays[usize::from(place)][way as usize]
    }

    /// The solution of the pursuit.
    #[inline]
    #[must_use]
    pub fn captures(&self) -> &Captures {
        &self.captures
    }

    /// Whether a walker on `from` facing `way` sees `target`.
    #[inline]
    #[must_use]
    pub fn sees(&self, from: Place, way: Direction, target: Place) -> bool {
        let (from_cell, to) = (self.cell(from), self.cell(target));
        let (down, right) = (
            to.row() as i32 - from_cell.row() as i32,
            to.column() as i32 - from_cell.column() as i32,
        );
        let ahead = match way {
            Direction::Up if right == 0 => -down,
            Direction::Down if right == 0 => down,
            Direction::Right if down == 0 => right,
            Direction::Left if down == 0 => -right,
            _ => return false,
        };
        (0..=i32::from(self.ray(from, way))).contains(&ahead)
    }
}

fn rays_from(next: &[[Place; 4]], place: usize) -> [u8; 4] {
    let mut rays = [0; 4];
    for (way, ray) in rays.iter_mut().enumerate() {
        let mut at = next[place][way];
        while at != NOWHERE {
            *ray += 1;
            at = next[usize::from(at)][way];
        }
    }
    rays
}

/// Distances between all places, row by row: a breadth-first search from all places in parallel,
/// with a bit set of newly reached places for each.
fn all_distances(next: &[[Place; 4]]) -> Vec<u8> {
    let count = next.len();
    let mut distances = vec![FAR; count * count];
    let mut reached = vec![Bits::default(); count];
    for (at, (reached, row)) in
        reached.iter_mut().zip(distances.chunks_exact_mut(count.max(1))).enumerate()
    {
        reached[at / 64] = 1 << (at % 64);
        row[at] = 0;
    }
    let mut frontier = reached.clone();
    let mut ahead = frontier.clone();
    for steps in 1..FAR {
        let mut any = 0;
        for (at, row) in distances.chunks_exact_mut(count.max(1)).enumerate() {
            let mut new = Bits::default();
            for &from in next[at].iter().filter(|from| **from != NOWHERE) {
                new.iter_mut()
                    .zip(frontier[usize::from(from)])
                    .for_each(|(new, word)| *new |= word);
            }
            for (word, (new, reached)) in new.iter_mut().zip(&mut reached[at]).enumerate() {
                *new &= !*reached;
                *reached |= *new;
                any |= *new;
                let mut left = *new;
                while left != 0 {
                    row[word * 64 + left.trailing_zeros() as usize] = steps;
                    left &= left - 1;
                }
            }
            ahead[at] = new;
        }
        if any == 0 {
            break;
        }
        core::mem::swap(&mut frontier, &mut ahead);
    }
    distances
}
