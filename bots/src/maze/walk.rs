//! A drawn world in motion: what the search plays its playouts on.

use games::maze::grid::Direction;
use games::maze::rules::TURNS;
use games::maze::terrain::{NOWHERE, Place, Terrain};
use games::maze::world::Action;
use mcts_core::rng::{self, SearchRng};

/// A set of places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Places([u64; 9]);

impl Places {
    /// No place.
    pub const NONE: Places = Places([0; 9]);

    /// Whether `place` is in the set.
    #[inline]
    #[must_use]
    pub fn has(&self, place: Place) -> bool {
        self.0[usize::from(place) >> 6] >> (place & 63) & 1 == 1
    }

    /// Puts `place` into the set.
    #[inline]
    pub fn insert(&mut self, place: Place) {
        self.0[usize::from(place) >> 6] |= 1 << (place & 63);
    }

    /// Takes `place` out of the set.
    #[inline]
    pub fn remove(&mut self, place: Place) {
        self.0[usize::from(place) >> 6] &= !(1 << (place & 63));
    }

    /// Number of places in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 9]
    }

    /// The places of the set, ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Place> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            core::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    (at as u32 * 64 + bit) as Place
                })
            })
        })
    }
}

/// How the chaser of a drawn world chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// As the policy `hunter`.
    Hunter,
    /// As the policy `wanderer`.
    Wanderer,
    /// As the policy `tracker`, with this many steps of 16 towards Maki.
    Tracker(u8),
}

/// What the chaser of a drawn world is up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Nothing yet.
    Open,
    /// Going to this place.
    Roam(Place),
    /// Going to where it last saw Maki, and looking around there.
    Chase(Place),
}

/// A drawn world at the start of a turn, on the terrain of the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// Which terrain it is on.
    pub terrain: u16,
    /// Where Maki is.
    pub maki: Place,
    /// Where the chaser is.
    pub chaser: Place,
    /// What the chaser is up to.
    pub aim: Aim,
    /// How it chooses.
    pub habit: Habit,
    /// The way that Maki faces.
    pub facing: Direction,
    /// The way that the chaser faces.
    pub chaser_facing: Direction,
    /// The turn that is played next, from 1.
    pub turn: u8,
    /// Whether Maki was caught.
    pub caught: bool,
    /// Where candies are.
    pub candies: Places,
    /// Candies that Maki knows of.
    pub known: Places,
    /// Places whose contents Maki has not seen in a long time.
    pub unseen: Places,
}

impl Walk {
    /// Whether nothing can happen any more.
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.caught || self.turn > TURNS
    }

    /// Plays one turn; whether Maki ate a candy.
    pub fn play(&mut self, terrain: &Terrain, action: Action, rng: &mut SearchRng) -> bool {
        let mut ate = false;
        match action {
            Action::Step(way) => {
                self.facing = way;
                let to = terrain.step(self.maki, way);
                if to != self.maki {
                    self.maki = to;
                    ate = self.candies.has(to);
                    if ate {
                        self.eat(terrain, rng);
                    }
                }
                self.look(terrain, way);
            }
            Action::Look => Direction::ALL.into_iter().for_each(|way| self.look(terrain, way)),
            Action::Stay => self.look(terrain, self.facing),
        }
        self.caught = self.maki == self.chaser;
        let acts = if self.turn.is_multiple_of(2) { 2 } else { 1 };
        for _ in 0..acts {
            if !self.caught {
                self.chase(terrain, rng);
                self.caught = self.maki == self.chaser;
            }
        }
        self.turn += 1;
        ate
    }

    fn eat(&mut self, terrain: &Terrain, rng: &mut SearchRng) {
        self.candies.remove(self.maki);
        self.known.remove(self.maki);
        for _ in 0..8 {
            let place = rng::below(rng, terrain.len()) as Place;
            let free = place != self.maki && place != self.chaser && !self.candies.has(place);
            if free {
                self.candies.insert(place);
                return;
            }
        }
    }

    /// Maki sees the contents ahead.
    #[inline]
    fn look(&mut self, terrain: &Terrain, way: Direction) {
        let mut at = self.maki;
        while at != NOWHERE {
            self.unseen.remove(at);
            if self.candies.has(at) {
                self.known.insert(at);
            }
            at = terrain.next(at)[way as usize];
        }
    }

    /// The chaser acts once.
    fn chase(&mut self, terrain: &Terrain, rng: &mut SearchRng) {
        match self.habit {
            Habit::Wanderer if self.sees_maki(terrain) => {
                self.move_chaser(terrain, self.chaser_facing)
            }
            Habit::Wanderer => self.wander(terrain, rng),
            Habit::Tracker(share) => {
                if rng::below(rng, 16) < usize::from(share) {
                    self.aim = Aim::Open;
                    self.step_to(terrain, self.maki, rng);
                } else {
                    self.roam(terrain, rng);
                }
            }
            Habit::Hunter => self.hunt(terrain, rng),
        }
    }

    fn hunt(&mut self, terrain: &Terrain, rng: &mut SearchRng) {
        if self.sees_maki(terrain) {
            self.aim = Aim::Chase(self.maki);
            self.move_chaser(terrain, self.chaser_facing);
            return;
        }
        match self.aim {
            Aim::Chase(place) if place == self.chaser => {
                let sees = |way| terrain.sees(self.chaser, way, self.maki);
                let found = Direction::ALL.into_iter().any(sees);
                self.aim = if found { Aim::Chase(self.maki) } else { Aim::Open };
                return;
            }
            Aim::Chase(place) => self.step_to(terrain, place, rng),
            Aim::Open | Aim::Roam(_) => self.roam(terrain, rng),
        }
        if self.sees_maki(terrain) {
            self.aim = Aim::Chase(self.maki);
        }
    }

    #[inline]
    fn sees_maki(&self, terrain: &Terrain) -> bool {
        terrain.sees(self.chaser, self.chaser_facing, self.maki)
    }

    fn roam(&mut self, terrain: &Terrain, rng: &mut SearchRng) {
        let place = match self.aim {
            Aim::Roam(place) if place != self.chaser => place,
            _ => rng::below(rng, terrain.len()) as Place,
        };
        self.aim = Aim::Roam(place);
        self.step_to(terrain, place, rng);
    }

    fn wander(&mut self, terrain: &Terrain, rng: &mut SearchRng) {
        let next = terrain.next(self.chaser);
        let back = self.chaser_facing.back();
        let mut chosen = back;
        let mut ways = 0;
        for way in Direction::ALL {
            if way != back && next[way as usize] != NOWHERE {
                ways += 1;
                if rng::below(rng, ways) == 0 {
                    chosen = way;
                }
            }
        }
        if next[chosen as usize] != NOWHERE {
            self.move_chaser(terrain, chosen);
        }
    }

    /// A step along a shortest walk, ties at random.
    #[inline]
    fn step_to(&mut self, terrain: &Terrain, target: Place, rng: &mut SearchRng) {
        let distances = terrain.distances(target);
        let here = distances[usize::from(self.chaser)];
        let mut chosen = None;
        let mut ways = 0;
        for way in Direction::ALL {
            let to = terrain.next(self.chaser)[way as usize];
            if to != NOWHERE && distances[usize::from(to)] < here {
                ways += 1;
                if ways == 1 || rng::below(rng, ways) == 0 {
                    chosen = Some(way);
                }
            }
        }
        if let Some(way) = chosen {
            self.move_chaser(terrain, way);
        }
    }

    #[inline]
    fn move_chaser(&mut self, terrain: &Terrain, way: Direction) {
        self.chaser_facing = way;
        self.chaser = terrain.step(self.chaser, way);
    }
}
