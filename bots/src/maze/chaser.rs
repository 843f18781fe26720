//! The chaser of a determinization.

use games::maze::grid::Direction;
use games::maze::terrain::{NOWHERE, Place, Terrain};
use mcts_core::rng::{self, SearchRng};

/// The policy of the chaser of a determinization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompactPolicy {
    /// As the policy `hunter`.
    Hunter,
    /// As the policy `wanderer`.
    Wanderer,
    /// As the policy `tracker`; steps towards Maki with this probability, in sixteenths.
    Tracker(u8),
}

/// The internal state of the chaser of a determinization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompactGoal {
    /// No goal yet.
    Open,
    /// On the path to this place.
    Roam(Place),
    /// On the path to where it last saw Maki, or looking around there.
    Chase(Place),
}

/// A chaser on a terrain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactChaser {
    /// Its place.
    pub place: Place,
    /// Its facing.
    pub facing: Direction,
    /// Its internal state.
    pub goal: CompactGoal,
    /// Its policy.
    pub policy: CompactPolicy,
}

impl CompactChaser {
    /// Acts once, with Maki on the place `maki`.
    pub fn act(&mut self, terrain: &Terrain, maki: Place, rng: &mut SearchRng) {
        match self.policy {
            CompactPolicy::Wanderer if self.sees(terrain, maki) => self.walk(terrain, self.facing),
            CompactPolicy::Wanderer => self.wander(terrain, rng),
            CompactPolicy::Tracker(share) => {
                if rng::below(rng, 16) < usize::from(share) {
                    self.goal = CompactGoal::Open;
                    self.step_to(terrain, maki, rng);
                } else {
                    self.roam(terrain, rng);
                }
            }
            CompactPolicy::Hunter => self.hunt(terrain, maki, rng),
        }
    }

    fn hunt(&mut self, terrain: &Terrain, maki: Place, rng: &mut SearchRng) {
        if self.sees(terrain, maki) {
            self.goal = CompactGoal::Chase(maki);
            self.walk(terrain, self.facing);
            return;
        }
        match self.goal {
            CompactGoal::Chase(place) if place == self.place => {
                let sees = |way| terrain.sees(self.place, way, maki);
                let found = Direction::ALL.into_iter().any(sees);
                self.goal = if found { CompactGoal::Chase(maki) } else { CompactGoal::Open };
                return;
            }
            CompactGoal::Chase(place) => self.step_to(terrain, place, rng),
            CompactGoal::Open | CompactGoal::Roam(_) => self.roam(terrain, rng),
        }
        if self.sees(terrain, maki) {
            self.goal = CompactGoal::Chase(maki);
        }
    }

    #[inline]
    fn sees(&self, terrain: &Terrain, maki: Place) -> bool {
        terrain.sees(self.place, self.facing, maki)
    }

    fn roam(&mut self, terrain: &Terrain, rng: &mut SearchRng) {
        let place = match self.goal {
            CompactGoal::Roam(place) if place != self.place => place,
            _ => rng::below(rng, terrain.len()) as Place,
        };
        self.goal = CompactGoal::Roam(place);
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

    /// A step along a shortest path, ties broken at random.
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
