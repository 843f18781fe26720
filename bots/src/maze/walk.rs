//! A drawn world in motion: what the search plays its playouts on.

use games::maze::grid::Direction;
use games::maze::rules::{Footsteps, TURNS};
use games::maze::terrain::{NOWHERE, Place, Terrain};
use games::maze::world::Action;
use mcts_core::rng::{self, SearchRng};

use super::pursuer::Pursuer;

/// Chasers that Maki reckons with besides the true one.
pub const OTHERS: usize = 3;

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

/// A drawn world at the start of a turn, on the terrain of the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// Which terrain it is on.
    pub terrain: u16,
    /// Where Maki is.
    pub maki: Place,
    /// The way that she faces.
    pub facing: Direction,
    /// The chaser.
    pub chaser: Pursuer,
    /// Chasers that, for all that Maki perceives, might be there instead; without meaning where she sees everything.
    pub others: [Pursuer; OTHERS],
    /// How she hears the chaser.
    pub footsteps: Footsteps,
    /// Whether she sees everything.
    pub all_seen: bool,
    /// The turn that is played next, from 1.
    pub turn: u8,
    /// Whether Maki was caught.
    pub caught: bool,
    /// All chance that is still to come: what the chasers draw in each turn and where each eaten candy reappears are
    /// functions of it, so that actions meet the same chance until they change what it is about (Ng and Jordan, 2000).
    pub chance: u64,
    /// Candies that Maki ate.
    pub eaten: u8,
    /// Where candies are.
    pub candies: Places,
    /// Candies that Maki knows of.
    pub known: Places,
    /// Places where she imagines a candy.
    pub hoped: Places,
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
    pub fn play(&mut self, terrain: &Terrain, action: Action) -> bool {
        let mut ate = false;
        match action {
            Action::Step(way) => {
                self.facing = way;
                let to = terrain.step(self.maki, way);
                if to != self.maki {
                    self.maki = to;
                    ate = self.candies.has(to);
                    if ate {
                        self.eat(terrain);
                    }
                }
                self.look(terrain, way);
            }
            Action::Look => Direction::ALL.into_iter().for_each(|way| self.look(terrain, way)),
            Action::Stay => self.look(terrain, self.facing),
        }
        self.caught = self.maki == self.chaser.place;
        let acts = if self.turn.is_multiple_of(2) { 2 } else { 1 };
        let mut rng = rng::stream(self.chance, self.turn.into());
        for _ in 0..acts {
            if !self.caught {
                self.chaser.act(terrain, self.maki, &mut rng);
                self.caught = self.maki == self.chaser.place;
            }
        }
        if !self.caught && !self.all_seen {
            self.reckon(terrain, acts, &mut rng);
        }
        self.turn += 1;
        ate
    }

    /// The chasers that Maki reckons with, each as likely as the others.
    #[inline]
    pub fn suspects(&self) -> impl Iterator<Item = &Pursuer> {
        let others = if self.all_seen { &[] } else { &self.others[..] };
        others.iter().chain([&self.chaser])
    }

    /// The other chasers act; one that does not fit what Maki perceives then gives way to one that does.
    fn reckon(&mut self, terrain: &Terrain, acts: u8, rng: &mut SearchRng) {
        let perceived = self.perceives(terrain, self.chaser.place);
        let mut fits = [false; OTHERS];
        for (at, fits) in fits.iter_mut().enumerate() {
            let other = &mut self.others[at];
            let mut met = other.place == self.maki;
            for _ in 0..acts {
                if !met {
                    other.act(terrain, self.maki, rng);
                    met = other.place == self.maki;
                }
            }
            let place = other.place;
            *fits = !met && self.perceives(terrain, place) == perceived;
        }
        for at in (0..OTHERS).filter(|&at| !fits[at]) {
            let model = rng::below(rng, OTHERS + 1);
            let fitting = model < OTHERS && fits[model];
            self.others[at] = if fitting { self.others[model] } else { self.chaser };
        }
    }

    /// Where Maki sees a chaser that is there ([`NOWHERE`] if she does not), and how loud she hears it.
    #[inline]
    #[must_use]
    pub fn perceives(&self, terrain: &Terrain, chaser: Place) -> (Place, u8) {
        let in_view = terrain.sees(self.maki, self.facing, chaser);
        let level = self.footsteps.level(Some(terrain.distance(self.maki, chaser).into()));
        (if in_view { chaser } else { NOWHERE }, level)
    }

    fn eat(&mut self, terrain: &Terrain) {
        let mut rng = rng::stream(!self.chance, self.eaten.into());
        self.eaten += 1;
        self.candies.remove(self.maki);
        self.known.remove(self.maki);
        for _ in 0..8 {
            let place = rng::below(&mut rng, terrain.len()) as Place;
            let free = place != self.maki && place != self.chaser.place && !self.candies.has(place);
            if free {
                self.candies.insert(place);
                if self.all_seen {
                    self.known.insert(place);
                }
                break;
            }
        }
        if !self.all_seen {
            self.hoped.insert(rng::below(&mut rng, terrain.len()) as Place);
        }
    }

    /// Maki sees the contents ahead.
    #[inline]
    fn look(&mut self, terrain: &Terrain, way: Direction) {
        let mut at = self.maki;
        while at != NOWHERE {
            self.unseen.remove(at);
            self.hoped.remove(at);
            if self.candies.has(at) {
                self.known.insert(at);
            }
            at = terrain.next(at)[way as usize];
        }
    }
}
