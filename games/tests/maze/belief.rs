//! Inference of the footstep table.

use games::maze::belief::MazeBelief;
use games::maze::belief::tables::{ASSUMED, DEAF, LANES, ROWS, Tables};
use games::maze::chaser::Policy;
use games::maze::protocol::{MazeJudge, Setting};
use games::maze::rules::Footsteps;
use games::maze::view::{Observation, View};
use games::maze::world::Action;
use games::{Judging, Status};
use mcts_core::rng::{below, stream};

#[test]
fn a_table_heard_at_every_distance_is_the_one_that_is_drawn_from_its_class() {
    for (thresholds, reversed) in [([1, 2, 3], false), ([5, 9, 14], true), ([13, 14, 15], false)] {
        let truth = Footsteps { thresholds, reversed };
        let mut tables = Tables::new();
        for distance in (0..3).flat_map(|_| 0..ROWS) {
            let mut rows = [[0.0; LANES]; ROWS];
            rows[distance] = [1.0; LANES];
            tables.hear(truth.level(Some(distance as u16)), &rows);
        }
        let mut rng = stream(7, 0);
        let drawn = |lane| tables.draw(lane, &mut rng);
        assert_eq!((0..LANES).map(drawn).filter(|table| *table == truth).count(), 1, "{truth:?}");
    }
}

#[test]
fn a_level_at_an_unknown_distance_is_as_likely_as_all_tables_of_a_class_make_it() {
    // with a uniform distance, the posterior of a table is proportional to its number of fitting
    // distances
    let mut tables = Tables::new();
    let rows = [[1.0; LANES]; ROWS];
    let likely = |tables: &Tables, level| -> f32 {
        tables.likelihoods(level).iter().map(|row| row[2]).sum::<f32>() / ROWS as f32
    };
    let before = likely(&tables, 3);
    for _ in 0..40 {
        tables.hear(3, &rows);
    }
    // of the first class, the tables that are loudest at distances 0, 1 and 2 are left
    let fits = (3.0 * 0.97 + 14.0 * 0.01) / ROWS as f32;
    assert!(before < likely(&tables, 3), "{before}");
    assert!((likely(&tables, 3) - fits).abs() < 1e-3, "{} {fits}", likely(&tables, 3));
}

/// Maki stands still and looks around; `heard` maps the level of the footsteps that she hears.
/// `visit` receives the belief of each turn.
fn stand_still(mut heard: impl FnMut(u8) -> u8, mut visit: impl FnMut(&MazeBelief)) {
    for seed in 0..10 {
        let (footsteps, chaser) = (Footsteps::ASSUMED, Policy::Wanderer);
        let mut judge = MazeJudge::new(&Setting { size: 17, chaser, footsteps, seed });
        let mut rng = stream(seed, 1);
        let facing = judge.progress().world.maki.facing;
        let mut belief = MazeBelief::new(&View::new(facing, judge.observation()), 2, &mut rng);
        while belief.view().turn() <= 60 {
            judge.play(Action::Look);
            if matches!(judge.status(), Status::Over(_)) {
                break;
            }
            let told = judge.observation();
            let told = Observation { footsteps: heard(told.footsteps), ..told };
            belief.update(Action::Look, &told, &mut rng);
            visit(&belief);
        }
    }
}

#[test]
fn a_belief_is_shrunk_to_its_most_probable_completions() {
    let mut turns = 0;
    stand_still(
        |level| level,
        |belief| {
            let mut sizes = belief.completions().iter().map(|one| one.pursuit.bytes());
            assert!(sizes.all(|bytes| bytes > 100_000 && bytes < 40 << 20));
            let mut all = belief.clone();
            all.shrink_to(belief.bytes());
            assert_eq!(all.completions().len(), 2);
            all.shrink_to(belief.bytes() - 1);
            assert!(all.bytes() < belief.bytes());
            all.shrink_to(0);
            assert_eq!(all.completions().len(), 1);
            turns += 1;
        },
    );
    assert!(turns > 200, "{turns}");
}

#[test]
fn footsteps_without_meaning_leave_most_of_the_belief_to_sight() {
    let mut noise = stream(3, 0);
    let (mut completions, mut deaf) = (0.0, 0.0);
    stand_still(
        |_| below(&mut noise, 4) as u8,
        |belief| {
            for completion in belief.completions() {
                completions += 1.0;
                deaf += completion.pursuit.lanes()[DEAF];
            }
        },
    );
    assert!(completions > 200.0 && deaf > 0.5 * completions, "{deaf} of {completions}");
}

#[test]
fn no_class_of_tables_dies_while_one_explains_everything() {
    let (mut turns, mut assumed) = (0.0, 0.0);
    stand_still(
        |level| level,
        |belief| {
            for completion in belief.completions() {
                let lanes = completion.pursuit.lanes();
                assert!(lanes.iter().all(|lane| *lane > 5e-5), "{lanes:?}");
                turns += 1.0;
                assumed += lanes[ASSUMED];
            }
        },
    );
    assert!(assumed > 0.5 * turns, "{assumed} of {turns}");
}
