//! Memory of the searches: no allocation for a playout, never beyond the cap, and the root fits
//! under any cap.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test may panic")]

use mcts_core::{
    Bandit, Budget, Decoupled, DecoupledSearch, Game, GraphUct, HiddenInformation, InformationSets,
    IsMcts, IsMctsSearch, NoClock, OpenLoop, OpenLoopSearch, Player, Puct, Report, Search,
    SearchError, SearchRng, Simultaneous, StopReason, Turn, Uct, Utilities, rng,
};
use std::cell::Cell;
use std::rc::Rc;

/// Two players choose in turn, states store all choices, and the first player's utility is the
/// fraction of zeros chosen.
#[derive(Debug, Clone, Copy)]
struct Paths {
    width: u32,
    steps: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Path {
    steps: u32,
    zeros: u32,
    /// A key of all choices.
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

/// One of the searches over states, as a function of the playouts.
type TreeRun = Box<dyn FnMut(u64) -> Result<Report<u32>, SearchError>>;

fn tree_searches<G>(game: &G, cap: usize) -> Vec<TreeRun>
where
    G: Game<Action = u32, State: PartialEq> + Clone + 'static,
{
    let budget = |playouts| Budget::playouts(playouts).to_the_end();
    let uct = Uct { memory_cap_bytes: cap, ..<Uct>::default() };
    let graph: GraphUct = GraphUct { memory_cap_bytes: cap, ..GraphUct::default() };
    let start = game.start();
    let (mut plain, mut with_priors) =
        (uct.search(game.clone(), 1), uct.with_selection(Puct::default()).search(game.clone(), 1));
    let mut graph = graph.search(game.clone(), 1);
    let (second, third) = (start.clone(), start.clone());
    vec![
        Box::new(move |playouts| plain.run_with_clock(&start, &budget(playouts), &NoClock)),
        Box::new(move |playouts| with_priors.run_with_clock(&second, &budget(playouts), &NoClock)),
        Box::new(move |playouts| graph.run_with_clock(&third, &budget(playouts), &NoClock)),
    ]
}

#[test]
fn caps_of_any_size_hold_a_root_of_any_width() {
    let game = Paths { width: 400, steps: 3 };
    for cap in [0, 1, 1_000, 100_000, usize::MAX] {
        let views = searches(game, cap).into_iter();
        let views = views.map(|mut run| Box::new(move |playouts| Ok(run(playouts))) as TreeRun);
        for (place, mut run) in views.chain(tree_searches(&game, cap)).enumerate() {
            for playouts in [1, 1_000] {
                let report = run(playouts).unwrap();
                assert_eq!(report.actions.len(), 400, "search {place}, cap {cap}");
                assert_eq!(report.playouts, playouts);
                assert!(report.value().is_none_or(f32::is_finite));
            }
        }
        // PUCT need not try all of them
        for mut run in tree_searches(&game, cap).into_iter().step_by(2) {
            let visited = |report: &Report<u32>| report.actions.iter().all(|of| of.visits > 0);
            assert!(visited(&run(1_000).unwrap()), "every action is tried, with cap {cap}");
        }
    }
}

#[test]
fn more_actions_than_a_node_can_have_are_an_error_that_says_so() {
    for mut run in tree_searches(&Paths { width: 65_535, steps: 1 }, 64 << 20) {
        assert_eq!(run(10).unwrap().actions.len(), 65_535);
    }
    for mut run in tree_searches(&Paths { width: 65_536, steps: 1 }, 64 << 20) {
        let error = run(10).unwrap_err();
        assert_eq!(error, SearchError::TooManyActions(65_536));
        assert!(error.to_string().contains("65536 legal actions, more than the 65535"), "{error}");
    }
    // below the root the search ends, and gives the reason
    for mut run in tree_searches(&Fan { calls: Rc::default(), widths: [2, 70_000] }, 64 << 20) {
        let report = run(1_000).unwrap();
        assert_eq!(report.stopped_by, StopReason::TooManyActions);
        assert!(report.playouts < 100);
    }
}

#[test]
fn a_wide_root_costs_time_in_proportion_to_its_actions() {
    const WIDTH: u32 = 20_000;
    for place in 0..3 {
        let game = Fan { calls: Rc::default(), widths: [WIDTH, 2] };
        let mut run = tree_searches(&game, 64 << 20).swap_remove(place);
        run(1).unwrap();
        let (fresh, calls) = (game.calls.replace(0), u64::from(WIDTH));
        assert!(fresh <= 10 * calls, "search {place}: {fresh} actions listed for a fresh root");
        run(1).unwrap();
        let kept = game.calls.get();
        assert!(kept <= 10 * calls, "search {place}: {kept} actions listed for a kept root");
    }
}

/// Two choices of the given widths, then the game is over; counts the actions that are listed.
#[derive(Debug, Clone)]
struct Fan {
    calls: Rc<Cell<u64>>,
    widths: [u32; 2],
}

impl Game for Fan {
    type State = usize;
    type Action = u32;
    const PLAYERS: usize = 1;

    fn start(&self) -> usize {
        0
    }
    fn turn(&self, plies: &usize) -> Turn {
        if *plies == 2 { Turn::Over(Utilities::ZERO) } else { Turn::Player(Player::FIRST) }
    }
    fn actions(&self, plies: &usize, visit: impl FnMut(u32)) {
        let width = self.widths[*plies];
        self.calls.set(self.calls.get() + u64::from(width));
        (0..width).for_each(visit);
    }
    fn apply(&self, plies: &mut usize, _: u32) {
        *plies += 1;
    }
    fn action_index(&self, action: u32) -> Option<usize> {
        Some(action as usize)
    }
    fn action_indices(&self) -> usize {
        70_000
    }
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
        let ((few, kept), (many, kept_many)) = (count(10), count(5_000));
        // apart from the report, playouts allocate only where memory doubles
        assert!(many <= few + 12, "search {place}: {few} and {many}");
        assert_eq!(kept, kept_many, "search {place}");
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
            // more playouts than the memory holds
            assert!((1_000..30_000).contains(&nodes), "search {place}: {nodes}");
            assert_eq!(report.best, 0, "search {place}: {report:?}");
            assert_eq!(report.playouts, 60_000);
        });
        // all six searches exist at the same time, and each also stores lists for the path
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
        // 4,464 of 70,000 are beyond: none among a hundred has a probability of 0.0014, and the
        // seed is fixed
        assert!(beyond > 0, "search {place}");
        let is_own = |report: &mcts_core::ActionReport<u32>| {
            report.value.is_none_or(|value| value == if report.action == 0 { 1.0 } else { 0.0 })
        };
        assert!(report.actions.iter().all(is_own), "search {place}");
    }
}
