//! The chaser's policies, and the game for the search.

use games::maze::chaser::{Chaser, Choice, Goal, Policy};
use games::maze::grid::{Cell, CellSet, Direction};
use games::maze::world::{Action, Maze, Walker, World};
use games::maze::{MazeGame, generator};
use mcts_core::rng::{SearchRng, stream};
use mcts_core::testing::{CheckOptions, check_game};
use proptest::prelude::*;

/// A world of size 11 whose second row is a corridor, with Maki and the chaser as given.
fn corridor(maki: (usize, Direction), chaser: (usize, Direction)) -> World {
    let row = |column| Cell::new(3, column);
    let mut passages = CellSet::ring(11);
    passages.insert(Cell::new(2, 3));
    (3..=9).for_each(|column| passages.insert(row(column)));
    World {
        maze: Maze { size: 11, passages },
        candies: CellSet::EMPTY,
        maki: Walker { cell: row(maki.0), facing: maki.1 },
        chaser: Walker { cell: row(chaser.0), facing: chaser.1 },
        turn: 1,
    }
}

/// Lets the chaser act in `world` and updates its internal state.
fn act(chaser: &mut Chaser, world: &World, rng: &mut SearchRng) -> Action {
    let choice = chaser.draw(world, rng);
    let mut after = *world;
    after.chaser.act(choice.action, &world.maze.passages);
    chaser.acted(choice, &after);
    choice.action
}

#[test]
fn a_hunter_that_sees_her_steps_to_her_and_one_that_lost_her_looks_around_where_she_was() {
    let mut rng = stream(1, 0);
    let mut hunter = Chaser::new(Policy::Hunter);
    let mut world = corridor((5, Direction::Left), (9, Direction::Left));
    assert_eq!(act(&mut hunter, &world, &mut rng), Action::Step(Direction::Left));
    world.maki.cell = Cell::new(1, 1);
    for column in (6..=9).rev() {
        world.chaser.cell = Cell::new(3, column);
        assert_eq!(act(&mut hunter, &world, &mut rng), Action::Step(Direction::Left), "{column}");
    }
    world.chaser.cell = Cell::new(3, 5);
    assert_eq!(act(&mut hunter, &world, &mut rng), Action::Look);
    assert!(matches!(act(&mut hunter, &world, &mut rng), Action::Step(_)), "then it roams");
}

#[test]
fn a_hunter_turns_to_whom_it_finds_by_looking_around() {
    let mut rng = stream(1, 0);
    let mut hunter = Chaser::new(Policy::Hunter);
    hunter.goal = Goal::Chase(Cell::new(3, 6));
    let world = corridor((8, Direction::Left), (6, Direction::Left));
    assert_eq!(act(&mut hunter, &world, &mut rng), Action::Look);
    assert_eq!(act(&mut hunter, &world, &mut rng), Action::Step(Direction::Right));
}

#[test]
fn a_wanderer_goes_on_without_turning_back_and_chases_only_whom_it_sees() {
    let mut rng = stream(2, 0);
    let mut wanderer = Chaser::new(Policy::Wanderer);
    let away = corridor((5, Direction::Left), (6, Direction::Right));
    assert_eq!(act(&mut wanderer, &away, &mut rng), Action::Step(Direction::Right));
    let dead_end = corridor((5, Direction::Left), (9, Direction::Right));
    assert_eq!(act(&mut wanderer, &dead_end, &mut rng), Action::Step(Direction::Left));
    let seen = corridor((9, Direction::Left), (6, Direction::Right));
    assert_eq!(act(&mut wanderer, &seen, &mut rng), Action::Step(Direction::Right));
}

#[test]
fn a_tracker_steps_to_her_unseen_with_its_probability() {
    let world = corridor((5, Direction::Left), (8, Direction::Right));
    let mut rng = stream(3, 0);
    let mut share = |probability| {
        let towards = (0..400).filter(|_| {
            let mut tracker = Chaser::new(Policy::Tracker(probability));
            act(&mut tracker, &world, &mut rng) == Action::Step(Direction::Left)
        });
        towards.count()
    };
    assert_eq!(share(1.0), 400);
    // Roaming goes left except to the passage at the dead end: 41 of 42 targets.
    assert!((380..=400).contains(&share(0.5)));
}

/// Every policy, with a goal of every kind.
fn chasers(world: &World) -> Vec<Chaser> {
    let policies = [Policy::Hunter, Policy::Wanderer, Policy::TRACKER, Policy::Tracker(1.0)];
    let here = world.chaser.cell;
    let goals = [
        Goal::Open,
        Goal::Roam(Cell::new(1, 1)),
        Goal::Roam(here),
        Goal::Chase(Cell::new(11, 11)),
        Goal::Chase(here),
    ];
    let each = |policy| goals.map(|goal| Chaser { policy, goal });
    policies.into_iter().flat_map(each).collect()
}

proptest! {
    #[test]
    fn choices_are_distinct_possible_and_add_up_to_one(size in 11_usize..=23, seed: u64) {
        let world = generator::world(size, &mut stream(seed, 0));
        for chaser in chasers(&world) {
            let mut choices: Vec<(Choice, f32)> = Vec::new();
            chaser.choices(&world, |choice, probability| choices.push((choice, probability)));
            let total: f32 = choices.iter().map(|(_, probability)| probability).sum();
            prop_assert!((total - 1.0).abs() < 1e-4, "{:?}: {}", chaser, total);
            for (at, (choice, probability)) in choices.iter().enumerate() {
                prop_assert!(*probability > 0.0);
                prop_assert!(choices[..at].iter().all(|(other, _)| other != choice), "{:?} twice", choice);
            }
            for draw in 0..20 {
                let drawn = chaser.draw(&world, &mut stream(seed, draw));
                prop_assert!(choices.iter().any(|(choice, _)| *choice == drawn), "{:?}", drawn);
            }
        }
    }
}

#[test]
fn the_game_for_the_search_keeps_its_contract() {
    for (seed, policy) in
        [Policy::Hunter, Policy::Wanderer, Policy::TRACKER].into_iter().enumerate()
    {
        let start = generator::world(11, &mut stream(seed as u64, 0));
        let options = CheckOptions { games: 4, rollouts: 200, ..CheckOptions::default() };
        let checked = check_game(&MazeGame { start, policy }, &options).unwrap();
        assert!(checked.states > 20);
    }
}
