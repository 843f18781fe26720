//! What Maki reckons with while she plays drawn worlds on.

use bots::maze::pursuer::{Aim, Habit, Pursuer};
use bots::maze::walk::{OTHERS, Places, Walk};
use games::maze::generator;
use games::maze::grid::Direction;
use games::maze::rules::Footsteps;
use games::maze::terrain::{NOWHERE, Place, Terrain};
use games::maze::world::Action;
use mcts_core::SearchRng;
use mcts_core::rng::{below, stream};

fn pursuer(terrain: &Terrain, rng: &mut SearchRng) -> Pursuer {
    let habits = [Habit::Hunter, Habit::Wanderer, Habit::Tracker(8)];
    Pursuer {
        place: below(rng, terrain.len()) as Place,
        facing: Direction::ALL[below(rng, 4)],
        aim: Aim::Open,
        habit: habits[below(rng, habits.len())],
    }
}

/// Maki and all chasers anywhere, candies anywhere else, of which she knows none.
fn walk(terrain: &Terrain, rng: &mut SearchRng) -> Walk {
    let chaser = pursuer(terrain, rng);
    let others = [(); OTHERS].map(|()| pursuer(terrain, rng));
    let maki = (chaser.place + 1) % terrain.len() as Place;
    let mut candies = Places::NONE;
    (0..20).for_each(|_| candies.insert(below(rng, terrain.len()) as Place));
    candies.remove(maki);
    Walk {
        terrain: 0,
        maki,
        facing: Direction::Up,
        chaser,
        others,
        footsteps: Footsteps::ASSUMED,
        all_seen: false,
        turn: 1,
        caught: false,
        candies,
        known: Places::NONE,
        hoped: candies,
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

/// Plays random games and shows each turn: the walk after it, what was played, whether she ate.
fn play(all_seen: bool, mut visit: impl FnMut(&Terrain, &Walk, Action, bool)) {
    for seed in 0..30 {
        let mut rng = stream(seed, 0);
        let terrain = Terrain::new(generator::maze(11, &mut rng));
        let mut walk = Walk { all_seen, ..walk(&terrain, &mut rng) };
        if all_seen {
            (walk.known, walk.hoped, walk.unseen) = (walk.candies, Places::NONE, Places::NONE);
        }
        while !walk.is_over() {
            let action = random_action(&terrain, &walk, &mut rng);
            let ate = walk.play(&terrain, action, &mut rng);
            visit(&terrain, &walk, action, ate);
        }
    }
}

#[test]
fn every_chaser_that_she_reckons_with_is_seen_and_heard_like_the_true_one() {
    let mut apart = 0;
    play(false, |terrain, walk, _, _| {
        let truth = walk.perceives(terrain, walk.chaser.place);
        for other in walk.others.iter().filter(|_| !walk.caught) {
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
                assert!(ahead == NOWHERE || !walk.hoped.has(ahead));
            }
        }
    });
    assert!(eaten > 10, "{eaten}");
}

#[test]
fn who_sees_everything_knows_all_candies_and_one_chaser() {
    play(true, |_, walk, _, _| {
        assert_eq!((walk.known, walk.hoped), (walk.candies, Places::NONE));
        assert_eq!(walk.suspects().collect::<Vec<_>>(), [&walk.chaser]);
    });
}
