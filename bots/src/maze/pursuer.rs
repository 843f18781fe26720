//! The chaser of a drawn world.

use games::maze::grid::Direction;
use games::maze::terrain::{NOWHERE, Place, Terrain};
use mcts_core::rng::{self, SearchRng};

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

/// A chaser on a terrain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pursuer {
    /// Where it is.
    pub place: Place,
    /// The way that it faces.
    pub facing: Direction,
    /// What it is up to.
    pub aim: Aim,
    /// How it chooses.
    pub habit: Habit,
}

impl Pursuer {
    /// It acts once, while Maki is on this place.
    pub fn act(&mut self, terrain: &Terrain, maki: Place, rng: &mut SearchRng) {
        match self.habit {
            Habit::Wanderer if self.sees(terrain, maki) => self.walk(terrain, self.facing),
            Habit::Wanderer => self.wander(terrain, rng),
            Habit::Tracker(share) => {
                if rng::below(rng, 16) < usize::from(share) {
                    self.aim = Aim::Open;
                    self.step_to(terrain, maki, rng);
                } else {
                    self.roam(terrain, rng);
                }
            }
            Habit::Hunter => self.hunt(terrain, maki, rng),
        }
    }

    fn hunt(&mut self, terrain: &Terrain, maki: Place, rng: &mut SearchRng) {
        if self.sees(terrain, maki) {
            self.aim = Aim::Chase(maki);
            self.walk(terrain, self.facing);
            return;
        }
        match self.aim {
            Aim::Chase(place) if place == self.place => {
                let sees = |way| terrain.sees(self.place, way, maki);
                let found = Direction::ALL.into_iter().any(sees);
                self.aim = if found { Aim::Chase(maki) } else { Aim::Open };
                return;
            }
            Aim::Chase(place) => self.step_to(terrain, place, rng),
            Aim::Open | Aim::Roam(_) => self.roam(terrain, rng),
        }
        if self.sees(terrain, maki) {
            self.aim = Aim::Chase(maki);
        }
    }

    #[inline]
    fn sees(&self, terrain: &Terrain, maki: Place) -> bool {
        terrain.sees(self.place, self.facing, maki)
    }

    fn roam(&mut self, terrain: &Terrain, rng: &mut SearchRng) {
        let place = match self.aim {
            Aim::Roam(place) if place != self.place => place,
            _ => rng::below(rng, terrain.len()) as Place,
        };
        self.aim = Aim::Roam(place);
        self.step_to(terrain, place, rng);
    }

    fn wander(&mut self, terrain: &Terrain, rng: &mut SearchRng) {
        let next = terrain.next(self.place);
        let back = self.facing.back();
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
            self.walk(terrain, chosen);
        }
    }

    /// A step along a shortest walk, ties at random.
    #[inline]
    fn step_to(&mut self, terrain: &Terrain, target: Place, rng: &mut SearchRng) {
        let distances = terrain.distances(target);
        let here = distances[usize::from(self.place)];
        let mut chosen = None;
        let mut ways = 0;
        for way in Direction::ALL {
            let to = terrain.next(self.place)[way as usize];
            if to != NOWHERE && distances[usize::from(to)] < here {
                ways += 1;
                if ways == 1 || rng::below(rng, ways) == 0 {
                    chosen = Some(way);
                }
            }
        }
        if let Some(way) = chosen {
            self.walk(terrain, way);
        }
    }

    #[inline]
    fn walk(&mut self, terrain: &Terrain, way: Direction) {
        self.facing = way;
        self.place = terrain.step(self.place, way);
    }
}
