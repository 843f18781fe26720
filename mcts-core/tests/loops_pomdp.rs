//! Standard problems for searches on beliefs: the models against published values, and searches on
//! them.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic")]

use mcts_core::belief::{Belief, FromView, Particles, Update};
use mcts_core::search::Exploration;
use mcts_core::testing::{
    RockAction, RockObservation, RockPlanner, RockSample, RockState, Tag, TagAction,
    TagObservation, TagPlanner, TagState, Tiger, TigerAction, TigerDoor,
};
use mcts_core::{Budget, Knowledge, Model, Pomcp, Report, Search, SearchRng, rng};
use std::collections::HashMap;

/// The discounted return of a policy from `state`, truncated after 200 steps.
fn play<M: Model>(
    model: &M,
    mut state: M::State,
    seed: u64,
    mut policy: impl FnMut(&M::State) -> M::Action,
) -> f64 {
    let mut rng = rng::stream(seed, 7);
    let (mut total, mut weight) = (0.0, 1.0);
    for _ in 0..200 {
        if model.is_over(&state) {
            break;
        }
        let action = policy(&state);
        total += weight * f64::from(model.step(&mut state, action, &mut rng));
        weight *= f64::from(model.discount());
    }
    total
}

#[test]
fn leaving_at_once_is_worth_the_published_anchor() {
    // 10 * 0.95^(n - 1), for n = 7 and 11
    for (model, exact) in
        [(RockSample::size_7_rocks_8(), 7.3509), (RockSample::size_11_rocks_11(), 5.9874)]
    {
        let value = play(&model, model.state_with(0), 1, |_| RockAction::East);
        assert!((value - exact).abs() < 1e-4, "{value}");
    }
}

/// Mean value of the start if the player saw which rocks are good: value iteration over the steps
/// of the model.
fn value_with_everything_seen(model: &RockSample, rocks: u32) -> f64 {
    let key = |state: &RockState| (state.known.position(), state.good());
    let mut places = HashMap::new();
    let mut states: Vec<RockState> = (0..1 << rocks).map(|good| model.state_with(good)).collect();
    for (place, state) in states.iter().enumerate() {
        places.insert(key(state), place);
    }
    let starts = states.len();
    let mut steps: Vec<Vec<(f64, Option<usize>)>> = Vec::new();
    let mut rng = rng::stream(1, 1);
    while steps.len() < states.len() {
        let state = states[steps.len()].clone();
        let mut of_state = Vec::new();
        model.actions(&state, |action| {
            let mut after = state.clone();
            if matches!(action, RockAction::Check(_)) {
                return;
            }
            let reward = f64::from(model.step(&mut after, action, &mut rng));
            let place = (!model.is_over(&after)).then(|| {
                *places.entry(key(&after)).or_insert_with(|| {
                    states.push(after.clone());
                    states.len() - 1
                })
            });
            of_state.push((reward, place));
        });
        steps.push(of_state);
    }
    let mut values = vec![0.0f64; states.len()];
    loop {
        let mut change = 0.0f64;
        for (at, of_state) in steps.iter().enumerate() {
            let value = of_state
                .iter()
                .map(|(reward, place)| reward + 0.95 * place.map_or(0.0, |place| values[place]));
            let best = value.fold(0.0, f64::max);
            change = change.max((best - values[at]).abs());
            values[at] = best;
        }
        if change < 1e-9 {
            return values[..starts].iter().sum::<f64>() / starts as f64;
        }
    }
}

#[test]
fn rocks_lie_where_the_bound_for_full_observation_says() {
    let small = value_with_everything_seen(&RockSample::size_7_rocks_8(), 8);
    assert!((small - 28.5048).abs() < 1e-4, "{small}");
    let large = value_with_everything_seen(&RockSample::size_11_rocks_11(), 11);
    assert!((large - 31.7579).abs() < 1e-4, "{large}");
}

#[test]
fn a_check_tells_the_truth_as_often_as_the_distance_says() {
    let model = RockSample::size_7_rocks_8();
    // from (0, 3), rock 1 lies on (0, 1) and rock 6 on (5, 5)
    for (rock, distance) in [(1, 2.0f64), (6, 29f64.sqrt())] {
        let accuracy = (1.0 + 2f64.powf(-distance / 20.0)) / 2.0;
        let mut rng = rng::stream(2, u64::from(rock));
        let mut right = 0;
        for _ in 0..20_000 {
            let mut state = model.state_with(1 << rock);
            model.step(&mut state, RockAction::Check(rock), &mut rng);
            let seen = model.observe(&state, RockAction::Check(rock), &mut rng);
            right += i32::from(seen == RockObservation::Good);
        }
        // a correct model deviates this far with a probability below one in a million
        assert!((f64::from(right) / 20_000.0 - accuracy).abs() < 0.01);
    }
}

#[test]
fn rocks_are_what_all_checks_together_say() {
    let model = RockSample::size_7_rocks_8();
    let mut view = model.start();
    let accuracy = (1.0 + 2f64.powf(-0.1)) / 2.0;
    for seen in [RockObservation::Good, RockObservation::Good, RockObservation::Bad] {
        model.grow(&mut view, RockAction::Check(1), &seen);
    }
    let mut rng = rng::stream(3, 3);
    let good = (0..20_000).filter(|_| model.determinize(&view, &mut rng).good() >> 1 & 1 == 1);
    let share = good.count() as f64 / 20_000.0;
    // one good and one bad answer cancel; for the probability of a false alarm see the test above
    assert!((share - accuracy).abs() < 0.01, "{share}");
}

/// The cells of the field of Tag.
fn field() -> Vec<(i32, i32)> {
    let wide = (0..10).flat_map(|x| [(x, 0), (x, 1)]);
    wide.chain((5..8).flat_map(|x| [(x, 2), (x, 3), (x, 4)])).collect()
}

/// The opponent's moves, implemented a second time.
fn flight(robot: (i32, i32), from: (i32, i32)) -> HashMap<(i32, i32), f64> {
    let cells = field();
    let mut chances = HashMap::from([(from, 0.2)]);
    let mut add = |dx: i32, dy: i32, chance: f64| {
        let to = (from.0 + dx, from.1 + dy);
        let to = if cells.contains(&to) { to } else { from };
        *chances.entry(to).or_insert(0.0) += chance;
    };
    match (from.0 - robot.0).signum() {
        0 => {
            add(1, 0, 0.2);
            add(-1, 0, 0.2);
        }
        away => add(away, 0, 0.4),
    }
    match (from.1 - robot.1).signum() {
        0 => {
            add(0, 1, 0.2);
            add(0, -1, 0.2);
        }
        away => add(0, away, 0.4),
    }
    chances
}

const WAYS: [(TagAction, (i32, i32)); 4] = [
    (TagAction::North, (0, 1)),
    (TagAction::East, (1, 0)),
    (TagAction::South, (0, -1)),
    (TagAction::West, (-1, 0)),
];

fn walk(from: (i32, i32), (dx, dy): (i32, i32)) -> (i32, i32) {
    let to = (from.0 + dx, from.1 + dy);
    if field().contains(&to) { to } else { from }
}

#[test]
fn an_opponent_that_is_seen_is_worth_the_published_bound() {
    let cells = field();
    let mut values: HashMap<_, f64> = HashMap::new();
    let flights: HashMap<_, _> = cells
        .iter()
        .flat_map(|robot| cells.iter().map(move |at| ((*robot, *at), flight(*robot, *at))))
        .collect();
    for _ in 0..400 {
        let mut next = HashMap::new();
        for (&(robot, at), flight) in &flights {
            let after = |robot: (i32, i32)| -> f64 {
                let value = |to: &(i32, i32)| values.get(&(robot, *to)).copied().unwrap_or(0.0);
                flight.iter().map(|(to, chance)| chance * value(to)).sum()
            };
            let moves = WAYS.map(|(_, way)| -1.0 + 0.95 * after(walk(robot, way)));
            let tag = if robot == at { 10.0 } else { -10.0 + 0.95 * after(robot) };
            next.insert((robot, at), moves.into_iter().fold(tag, f64::max));
        }
        values = next;
    }
    let mean = values.values().sum::<f64>() / values.len() as f64;
    assert!((mean - 2.1543).abs() < 1e-3, "{mean}");
}

#[test]
fn opponents_run_as_written_down_and_robots_know_it() {
    let model = Tag::new();
    let small = |(x, y): (i32, i32)| (x as u8, y as u8);
    let mut rng = rng::stream(4, 4);
    for (robot, opponent) in
        [((6, 3), (6, 1)), ((0, 0), (9, 1)), ((5, 2), (5, 2)), ((7, 4), (7, 3))]
    {
        let flight = flight(robot, opponent);
        for (action, way) in WAYS {
            let mut counts: HashMap<_, f64> = HashMap::new();
            for _ in 0..4_000 {
                let mut state = TagState::new(small(robot), small(opponent));
                assert_eq!(model.step(&mut state, action, &mut rng), -1.0);
                let [new_robot, at] = state.positions();
                assert_eq!(new_robot, small(walk(robot, way)));
                *counts.entry(at).or_insert(0.0) += 1.0 / 4_000.0;
            }
            for (to, chance) in &flight {
                // six standard errors are at most 0.05
                assert!((counts.get(&small(*to)).unwrap_or(&0.0) - chance).abs() < 0.05);
            }
            assert!(counts.keys().all(|at| flight.keys().any(|to| small(*to) == *at)));
        }
    }
    // two steps east and south from the left end of the lower row, the opponent never met: Bayes'
    // rule
    let mut view = model.start();
    model.grow(&mut view, TagAction::West, &TagObservation::Alone(10));
    model.grow(&mut view, TagAction::East, &TagObservation::Alone(11));
    let mut belief: HashMap<(i32, i32), f64> = HashMap::new();
    for at in field() {
        // a robot that moved west and is now on (0, 0) was there or on (1, 0)
        for robot in [(0, 0), (1, 0)] {
            for (to, chance) in flight(robot, at) {
                *belief.entry(to).or_insert(0.0) += if to == (0, 0) { 0.0 } else { chance };
            }
        }
    }
    let mut after: HashMap<(i32, i32), f64> = HashMap::new();
    for (at, weight) in belief {
        for (to, chance) in flight((0, 0), at) {
            *after.entry(to).or_insert(0.0) += if to == (1, 0) { 0.0 } else { weight * chance };
        }
    }
    let total: f64 = after.values().sum();
    for (at, weight) in after {
        assert!((f64::from(view.chance(small(at))) - weight / total).abs() < 1e-5, "{at:?}");
    }
}

/// Values of the tiger problem by the difference of left and right noises, -12 to 12, after this
/// number of steps of value iteration.
fn tiger_values(horizon: u32) -> [f64; 25] {
    let mut values = [0.0; 25];
    for _ in 0..horizon {
        let before = values;
        for at in 0..25 {
            let odds = (0.85f64 / 0.15).powi(at as i32 - 12);
            let left = odds / (1.0 + odds);
            let again = 0.95 * before[12];
            let open = |tiger: f64| 10.0 * (1.0 - tiger) - 100.0 * tiger + again;
            let hears_left = 0.85 * left + 0.15 * (1.0 - left);
            let (more, less) = (before[(at + 1).min(24)], before[at.saturating_sub(1)]);
            let listen = -1.0 + 0.95 * (hears_left * more + (1.0 - hears_left) * less);
            values[at] = listen.max(open(left)).max(open(1.0 - left));
        }
    }
    values
}

#[test]
fn value_iteration_gives_the_published_values_of_the_tiger_problem() {
    for (horizon, value) in [
        (1, -1.0),
        (2, -1.95),
        (3, 2.3098),
        (5, 2.7631),
        (10, 6.6934),
        (20, 11.8796),
        (50, 17.7598),
        (90, 19.1643),
        (1000, 19.3714),
    ] {
        let found = tiger_values(horizon)[12];
        assert!((found - value).abs() < 1e-4, "horizon {horizon}: {found}");
    }
}

#[test]
fn pomcp_listens_until_two_more_on_one_side_and_opens_the_other_door() {
    let again = 0.95 * tiger_values(1000)[12];
    // the exact policy opens at a difference of two: then opening has a higher value than listening
    let odds = (0.85f64 / 0.15).powi(2);
    let opened = (10.0 * odds - 100.0) / (1.0 + odds) + again;
    assert!((tiger_values(1000)[14] - opened).abs() < 1e-6);
    for (view, best) in [
        (-1, TigerAction::Listen),
        (0, TigerAction::Listen),
        (1, TigerAction::Listen),
        (2, TigerAction::Open(TigerDoor::Right)),
        (-2, TigerAction::Open(TigerDoor::Left)),
    ] {
        let parts = Pomcp {
            exploration: Exploration::Returns(60.0),
            knowledge: Listener,
            horizon: 90,
            least_weight: 0.01,
            final_action: Default::default(),
            memory_cap_bytes: 64 << 20,
        };
        let mut search = parts.search(Tiger, FromView::new(view), 1);
        let report = search.run(&(), &Budget::playouts(50_000).to_the_end()).unwrap();
        assert_eq!(report.best, best, "{view}");
    }
}

/// Only listens; uniform rollouts would soon open a door, with a large negative return.
struct Listener;

impl Knowledge<Tiger> for Listener {
    fn choose(&mut self, _: &Tiger, _: &TigerDoor, _: &mut SearchRng) -> TigerAction {
        TigerAction::Listen
    }
}

/// Mean discounted return over runs of a search; each run must end, and no belief may be sampled
/// afresh.
fn mean_return<M, B, K>(
    model: &M,
    runs: u64,
    playouts: u64,
    parts: (Pomcp<K>, impl Fn(u64) -> B),
) -> f64
where
    M: Model + Clone,
    B: Belief<M>,
    K: Knowledge<M> + Clone,
{
    let budget = Budget::playouts(playouts);
    let mut sum = 0.0;
    for seed in 0..runs {
        let mut rng = rng::stream(seed, 9);
        let belief = parts.1(seed);
        let mut state = model.determinize(belief.view(), &mut rng);
        let mut search = parts.0.clone().search(model.clone(), belief, seed);
        let mut weight = 1.0;
        for step in 0.. {
            assert!(step < 90, "run {seed} never ends");
            let report: Report<M::Action> = search.run(&(), &budget).unwrap();
            sum += weight * f64::from(model.step(&mut state, report.best, &mut rng));
            weight *= f64::from(model.discount());
            if model.is_over(&state) {
                break;
            }
            let seen = model.observe(&state, report.best, &mut rng);
            assert!(matches!(search.advance(report.best, &seen), Update::Filtered { .. }));
        }
    }
    sum / runs as f64
}

#[test]
fn pomcp_collects_good_rocks_with_exact_beliefs_and_with_particles() {
    let model = RockSample::size_7_rocks_8();
    let parts = || Pomcp {
        exploration: Exploration::Returns(5.0),
        knowledge: RockPlanner::new(&model),
        horizon: 90,
        least_weight: 0.01,
        final_action: Default::default(),
        memory_cap_bytes: 64 << 20,
    };
    let exact = mean_return(&model, 25, 400, (parts(), |_| FromView::new(model.start())));
    // runs have a standard deviation of 6, and their mean is near 20: six standard errors below it
    assert!(exact > 12.5, "{exact}");
    let particles =
        |seed| Particles::new(&model, model.start(), 2_000, 50, &mut rng::stream(seed, 1));
    let drawn = mean_return(&model, 25, 400, (parts(), particles));
    assert!(drawn > 12.5, "{drawn}");
}

#[test]
fn pomcp_tags_the_opponent() {
    let model = Tag::new();
    let parts = Pomcp {
        exploration: Exploration::Returns(20.0),
        knowledge: TagPlanner::new(&model, 0.6),
        horizon: 90,
        least_weight: 0.01,
        final_action: Default::default(),
        memory_cap_bytes: 64 << 20,
    };
    let mean = mean_return(&model, 40, 400, (parts, |_| FromView::new(model.start())));
    // runs have a standard deviation of 6.5, and their mean is near -6.6: six standard errors below it
    assert!(mean > -12.8, "{mean}");
}
