//! A determinization in motion: the state of playouts.

use games::maze::grid::Direction;
use games::maze::rules::{Footsteps, TURNS};
use games::maze::terrain::{NOWHERE, Place, Terrain};
use games::maze::world::Action;
use mcts_core::rng::{self, SearchRng};

use super::chaser::CompactChaser;

/// Number of chasers that Maki considers in addition to the sampled one.
pub const PARTICLES: usize = 3;

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

/// A determinization at the start of a turn, on one of the terrains of
/// [`Worlds`](super::worlds::Worlds).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The index of the terrain.
    pub terrain: u16,
    /// Maki's place.
    pub maki: Place,
    /// Her facing.
    pub facing: Direction,
    /// The chaser.
    pub chaser: CompactChaser,
    /// Particles: other chasers consistent with Maki's observations; unused if she sees everything.
    pub particles: [CompactChaser; PARTICLES],
    /// The footstep table.
    pub footsteps: Footsteps,
    /// Whether she sees everything.
    pub all_seen: bool,
    /// The next turn, counted from 1.
    pub turn: u8,
    /// Whether Maki was caught.
    pub caught: bool,
    /// The seed of all future chance: the chasers' random numbers in each turn and the cells of
    /// reappearing candies are functions of it, so that all actions face the same chance events as
    /// long as they do not change the situation (Ng and Jordan, 2000).
    pub chance: u64,
    /// Candies that Maki ate.
    pub eaten: u8,
    /// Places with a candy.
    pub candies: Places,
    /// Candies that Maki has seen.
    pub known: Places,
    /// Places with a hypothetical candy.
    pub hypothetical: Places,
    /// Places whose contents Maki has not seen in a long time.
    pub unseen: Places,
}

impl Walk {
    /// Whether the game is over.
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.caught || self.turn > TURNS
    }

    /// Plays one turn; returns whether Maki ate a candy.
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
            self.move_particles(terrain, acts, &mut rng);
        }
        self.turn += 1;
        ate
    }

    /// The chasers that Maki considers, with equal probabilities.
    #[inline]
    pub fn chasers(&self) -> impl Iterator<Item = &CompactChaser> {
        let particles = if self.all_seen { &[] } else { &self.particles[..] };
        particles.iter().chain([&self.chaser])
    }

    /// The other chasers act; one that is inconsistent with Maki's observation is then replaced by
    /// a consistent one.
    fn move_particles(&mut self, terrain: &Terrain, acts: u8, rng: &mut SearchRng) {
        let perceived = self.perceives(terrain, self.chaser.place);
        let mut fits = [false; PARTICLES];
        for (at, fits) in fits.iter_mut().enumerate() {
            let other = &mut self.particles[at];
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
        for at in (0..PARTICLES).filter(|&at| !fits[at]) {
            let model = rng::below(rng, PARTICLES + 1);
            let fitting = model < PARTICLES && fits[model];
            self.particles[at] = if fitting { self.particles[model] } else { self.chaser };
        }
    }

    /// Maki's observation of a chaser on the place `chaser`: where she sees it ([`NOWHERE`] if she
    /// does not), and the level of its footsteps.
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
            self.hypothetical.insert(rng::below(&mut rng, terrain.len()) as Place);
        }
    }

    /// Maki sees the contents ahead.
    #[inline]
    fn look(&mut self, terrain: &Terrain, way: Direction) {
        let mut at = self.maki;
        while at != NOWHERE {
            self.unseen.remove(at);
            self.hypothetical.remove(at);
            if self.candies.has(at) {
                self.known.insert(at);
            }
            at = terrain.next(at)[way as usize];
        }
    }
}
