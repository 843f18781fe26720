//! What Maki's policy uses during playouts on determinizations.

use bots::Parameters;
use bots::maze::base_policy::BasePolicy;
use bots::maze::chaser::{CompactChaser, CompactGoal, CompactPolicy};
use bots::maze::walk::{PARTICLES, Places, Walk};
use games::maze::generator;
use games::maze::grid::{Cell, CellSet, Direction};
use games::maze::rules::Footsteps;
use games::maze::terrain::{NOWHERE, Place, Terrain};
use games::maze::world::{Action, Maze};
use mcts_core::SearchRng;
use mcts_core::rng::{below, stream};

fn pursuer(terrain: &Terrain, rng: &mut SearchRng) -> CompactChaser {
    let policies = [CompactPolicy::Hunter, CompactPolicy::Wanderer, CompactPolicy::Tracker(8)];
    CompactChaser {
        place: below(rng, terrain.len()) as Place,
        facing: Direction::ALL[below(rng, 4)],
        goal: CompactGoal::Open,
        policy: policies[below(rng, policies.len())],
    }
}

/// Maki and all chasers on random places, candies on others; Maki has seen no candy.
fn walk(terrain: &Terrain, rng: &mut SearchRng) -> Walk {
    let chaser = pursuer(terrain, rng);
    let particles = [(); PARTICLES].map(|()| pursuer(terrain, rng));
    let maki = (chaser.place + 1) % terrain.len() as Place;
    let mut candies = Places::NONE;
    (0..20).for_each(|_| candies.insert(below(rng, terrain.len()) as Place));
    candies.remove(maki);
    Walk {
        terrain: 0,
        maki,
        facing: Direction::Up,
        chaser,
        particles,
        footsteps: Footsteps::ASSUMED,
        all_seen: false,
        turn: 1,
        caught: false,
        chance: below(rng, 1 << 32) as u64,
        eaten: 0,
        candies,
        known: Places::NONE,
        hypothetical: candies,
        unseen: candies,
    }
}

fn random_action(terrain: &Terrain, walk: &Walk, rng: &mut SearchRng) -> Action {
    let action = Action::ALL[below(rng, Action::ALL.len())];
    match action {
        Action::Step(way) if terrain.next(walk.maki)[way as usize] == NOWHERE => Action::Look,
        action => action,
    }
}

/// Plays random games and calls `visit` after each turn with the walk, the action, and whether she
/// ate.
fn play(all_seen: bool, mut visit: impl FnMut(&Terrain, &Walk, Action, bool)) {
    for seed in 0..30 {
        let mut rng = stream(seed, 0);
        let terrain = Terrain::new(generator::maze(11, &mut rng));
        let mut walk = Walk { all_seen, ..walk(&terrain, &mut rng) };
        if all_seen {
            (walk.known, walk.hypothetical, walk.unseen) =
                (walk.candies, Places::NONE, Places::NONE);
        }
        while !walk.is_over() {
            let action = random_action(&terrain, &walk, &mut rng);
            let ate = walk.play(&terrain, action);
            visit(&terrain, &walk, action, ate);
        }
    }
}

#[test]
fn every_chaser_that_she_reckons_with_is_seen_and_heard_like_the_true_one() {
    let mut apart = 0;
    play(false, |terrain, walk, _, _| {
        let truth = walk.perceives(terrain, walk.chaser.place);
        for other in walk.particles.iter().filter(|_| !walk.caught) {
            assert_eq!(walk.perceives(terrain, other.place), truth);
            assert!(other.place != walk.maki);
            apart += u32::from(other.place != walk.chaser.place);
        }
    });
    assert!(apart > 100, "they are not just the true one: {apart}");
}

#[test]
fn she_knows_only_candies_that_are_there_and_imagines_none_where_she_looks() {
    let mut eaten = 0;
    play(false, |terrain, walk, action, ate| {
        assert!(walk.known.iter().all(|place| walk.candies.has(place)));
        eaten += u32::from(ate);
        if !ate && action == Action::Look {
            for way in Direction::ALL {
                let ahead = terrain.next(walk.maki)[way as usize];
                assert!(ahead == NOWHERE || !walk.hypothetical.has(ahead));
            }
        }
    });
    assert!(eaten > 10, "{eaten}");
}

#[test]
fn who_sees_everything_knows_all_candies_and_one_chaser() {
    play(true, |_, walk, _, _| {
        assert_eq!((walk.known, walk.hypothetical), (walk.candies, Places::NONE));
        assert_eq!(walk.chasers().collect::<Vec<_>>(), [&walk.chaser]);
    });
}

#[test]
fn chance_to_come_is_the_same_whatever_she_does() {
    for seed in 0..30 {
        let mut rng = stream(seed, 1);
        let terrain = Terrain::new(generator::maze(11, &mut rng));
        let start = walk(&terrain, &mut rng);
        // ignores her position
        let chaser = CompactChaser { policy: CompactPolicy::Tracker(0), ..start.chaser };
        let mut walks = [Walk { chaser, ..start }; 2];
        for _ in 0..20 {
            for walk in &mut walks {
                let action = random_action(&terrain, walk, &mut rng);
                walk.play(&terrain, action);
            }
            if walks.iter().any(Walk::is_over) {
                break;
            }
            assert_eq!(walks[0].chaser, walks[1].chaser);
        }
    }
}

#[test]
fn other_chance_moves_the_chaser_elsewhere() {
    let mut rng = stream(1, 1);
    let terrain = Terrain::new(generator::maze(11, &mut rng));
    let start = walk(&terrain, &mut rng);
    let chaser = CompactChaser { policy: CompactPolicy::Tracker(0), ..start.chaser };
    let mut ends = Vec::new();
    for chance in 1..6 {
        let mut walk = Walk { chaser, chance, ..start };
        (0..6).for_each(|_| _ = walk.play(&terrain, Action::Stay));
        ends.push(walk.chaser.place);
    }
    assert!(ends.iter().any(|end| *end != ends[0]), "{ends:?}");
}

#[test]
fn she_flees_along_the_loop_rather_than_into_the_dead_end() {
    let mut passages = CellSet::ring(11);
    passages.insert(Cell::new(2, 3));
    let terrain = Terrain::new(Maze { size: 11, passages });
    let [maki, place] = [3, 6].map(|column| terrain.place(Cell::new(1, column)));
    let chaser = CompactChaser {
        place,
        facing: Direction::Left,
        goal: CompactGoal::Open,
        policy: CompactPolicy::Hunter,
    };
    let any = walk(&terrain, &mut stream(1, 0));
    let (particles, facing) = ([chaser; PARTICLES], Direction::Left);
    let none = Places::NONE;
    let walk = Walk {
        maki,
        facing,
        chaser,
        particles,
        known: none,
        hypothetical: none,
        unseen: none,
        ..any
    };
    let base_policy = BasePolicy::of(&mut Parameters::default()).expect("all weights are given");
    let scores = base_policy.scores(&terrain, &walk);
    let [left, down, right] =
        [Direction::Left, Direction::Down, Direction::Right].map(|way| scores[way as usize]);
    assert!(left > down && down > right, "{scores:?}");
}
