//! Memory of the searches whose nodes are not states: nothing per playout, never beyond the cap.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic")]

use mcts_core::{
    Bandit, Budget, Decoupled, DecoupledSearch, Game, HiddenInformation, InformationSets, IsMcts,
    IsMctsSearch, NoClock, OpenLoop, OpenLoopSearch, Player, Report, Search, SearchRng,
    Simultaneous, Turn, Utilities, rng,
};

/// Two players choose in turn, nothing is forgotten, and the first one gets the share of zeros that were chosen.
#[derive(Debug, Clone, Copy)]
struct Paths {
    width: u32,
    steps: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Path {
    steps: u32,
    zeros: u32,
    /// Stands for all choices.
    key: u64,
}

impl Game for Paths {
    type State = Path;
    type Action = u32;

    fn start(&self) -> Path {
        Path { steps: 0, zeros: 0, key: 1 }
    }
    fn turn(&self, path: &Path) -> Turn {
        if path.steps == self.steps {
            Turn::Over(Utilities::zero_sum(path.zeros as f32 / self.steps as f32))
        } else {
            Turn::Player(Player((path.steps % 2) as u8))
        }
    }
    fn actions(&self, _: &Path, visit: impl FnMut(u32)) {
        (0..self.width).for_each(visit);
    }
    fn apply(&self, path: &mut Path, action: u32) {
        path.steps += 1;
        path.zeros += u32::from(action == 0);
        path.key = rng::mix(path.key.wrapping_add(u64::from(action) + 1));
    }
    fn action_index(&self, action: u32) -> Option<usize> {
        Some(action as usize)
    }
    fn action_indices(&self) -> usize {
        self.width as usize
    }
}

impl Simultaneous for Paths {
    fn is_same_moment(&self, path: &Path) -> bool {
        path.steps % 2 == 1
    }
}

impl HiddenInformation for Paths {
    type Observation = u32;
    type View = Path;

    fn first_view(&self, start: &Path, _: Player) -> Path {
        *start
    }
    fn observe(&self, _: &Path, action: u32, _: Player) -> u32 {
        action
    }
    fn grow(&self, view: &mut Path, _: Option<u32>, action: &u32) {
        self.apply(view, *action);
    }
    fn determinize(&self, view: &Path, _: &mut SearchRng) -> Path {
        *view
    }
}

impl InformationSets for Paths {
    fn information_key(&self, path: &Path, _: Player) -> u64 {
        path.key
    }
}

/// One of the searches, as a function of the playouts.
type Run = Box<dyn FnMut(u64) -> Report<u32>>;

fn searches(game: Paths, cap: usize) -> Vec<Run> {
    let budget = |playouts| Budget::playouts(playouts).to_the_end();
    let mut runs: Vec<Run> = Vec::new();
    for rule in [Bandit::REGRET_MATCHING, Bandit::Ucb1(mcts_core::Ucb1::default())] {
        let memory_cap_bytes = cap;
        let mut decoupled: DecoupledSearch<_> =
            Decoupled { rule, memory_cap_bytes, ..Decoupled::default() }.search(game, 1);
        runs.push(Box::new(move |playouts| {
            decoupled.run_with_clock(&game.start(), &budget(playouts), &NoClock).unwrap()
        }));
        let mut is_mcts: IsMctsSearch<_> =
            IsMcts { rule, memory_cap_bytes, ..IsMcts::default() }.search(game, 1);
        runs.push(Box::new(move |playouts| {
            is_mcts.run_with_clock(&game.start(), &budget(playouts), &NoClock).unwrap()
        }));
        let mut open_loop: OpenLoopSearch<_> =
            OpenLoop { rule, memory_cap_bytes, ..OpenLoop::default() }.search(game, 1);
        runs.push(Box::new(move |playouts| {
            open_loop.run_with_clock(&game.start(), &budget(playouts), &NoClock).unwrap()
        }));
    }
    runs
}

#[test]
fn a_playout_allocates_and_frees_nothing() {
    let runs = || searches(Paths { width: 3, steps: 12 }, 32 << 20);
    for place in 0..runs().len() {
        let count = |playouts| {
            let mut run = runs().swap_remove(place);
            run(5_000);
            let counted = allocation_counter::measure(|| {
                run(playouts);
            });
            (counted.count_total, counted.count_current)
        };
        // whatever a report allocates, playouts do not add to it
        assert_eq!(count(10), count(5_000), "search {place}");
    }
}

#[test]
fn the_cap_holds_and_the_search_goes_on() {
    let cap = 1 << 20;
    for place in 0..searches(Paths { width: 3, steps: 40 }, cap).len() {
        let mut nodes = 0;
        let counted = allocation_counter::measure(|| {
            let mut run = searches(Paths { width: 3, steps: 40 }, cap).swap_remove(place);
            let report = run(60_000);
            assert!(report.memory_bytes <= cap, "search {place}: {}", report.memory_bytes);
            nodes = report.tree_nodes;
            // more playouts than there is room for
            assert!((1_000..30_000).contains(&nodes), "search {place}: {nodes}");
            assert_eq!(report.best, 0, "search {place}: {report:?}");
            assert_eq!(report.playouts, 60_000);
        });
        // all six searches are made, and each keeps lists of the path besides
        assert!(counted.bytes_max as usize <= 6 * (cap + (8 << 10)), "{counted:?}");
    }
}

#[test]
fn a_small_cap_still_decides() {
    for (place, mut run) in searches(Paths { width: 3, steps: 4 }, 0).into_iter().enumerate() {
        assert_eq!(run(3_000).best, 0, "search {place}");
    }
}

#[test]
fn actions_beyond_sixteen_bits_are_themselves() {
    let game = Paths { width: 70_000, steps: 1 };
    for (place, mut run) in searches(game, 32 << 20).into_iter().enumerate() {
        let report = run(100);
        assert_eq!(report.actions.len(), 70_000);
        let visits: u32 = report.actions.iter().map(|action| action.visits).sum();
        assert_eq!(visits, 100, "search {place}");
        let tried = report.actions.iter().filter(|action| action.visits > 0);
        let beyond = tried.filter(|action| action.action > u32::from(u16::MAX)).count();
        // 4,464 of 70,000 lie beyond: none among a hundred has a chance of 0.0014, and the seed is fixed
        assert!(beyond > 0, "search {place}");
        let is_own = |report: &mcts_core::ActionReport<u32>| {
            report.value.is_none_or(|value| value == if report.action == 0 { 1.0 } else { 0.0 })
        };
        assert!(report.actions.iter().all(is_own), "search {place}");
    }
}
