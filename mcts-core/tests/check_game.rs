//! The test kit finds every kind of broken game, and names what to change.

use mcts_core::testing::{
    CheckOptions, Kuhn, check_action_notation, check_evaluator, check_game, check_state_notation,
    check_transpositions, measure_speed,
};
use mcts_core::trace::{Recorder, TraceStep, Untraced};
use mcts_core::{Clock, Evaluator, Game, Player, Rollout, SearchRng, SystemClock, Turn, Utilities};
use std::cell::Cell;
use std::rc::Rc;

/// The fault of the game.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    Nothing,
    TurnForgets,
    UnknownPlayer,
    UtilityTooLarge,
    UtilityNotANumber,
    SumNotZero,
    NoAction,
    ActionTwice,
    OtherOrder,
    WrongCount,
    WrongNth,
    IndexTooLarge,
    IndexTwice,
    ApplyDraws,
    SharedClone,
    RewardsDiffer,
    UnsaidRewards,
    OutcomesDiffer,
    ProbabilitiesTooSmall,
    IllegalRandomAction,
    UnfairRollout,
    UnfairRollouts,
    RolloutPastTheEnd,
    Endless,
    ChangesItsMind,
    BothWin,
    SecondGetsNothing,
    ThreeUtilities,
    ApplyDoesNothing,
    ApplyDoesNothingForTwo,
    IndexChanges,
    NoOutcome,
    ProbabilityNotANumber,
    ProbabilityNegative,
    ProbabilityZero,
    UnfairAction,
    UnfairOutcome,
    HashWithoutTurn,
    HashWithoutToss,
    HashWithoutHeap,
    HashChanges,
    DiscountNotANumber,
    DiscountTooLarge,
    DiscountUnused,
}

/// Chance takes none or one of the counters, then players take one or two in turn; the player who
/// takes the last one wins.
struct Counters {
    fault: Fault,
    calls: Cell<u32>,
}

impl Counters {
    fn with(fault: Fault) -> Counters {
        Counters { fault, calls: Cell::new(0) }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// Counts calls; true in every `n`-th one.
    fn every(&self, n: u32) -> bool {
        self.calls.set(self.calls.get() + 1);
        self.calls.get().is_multiple_of(n)
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Heap {
    left: u8,
    tossed: bool,
    to_move: u8,
    shared: Rc<Cell<u8>>,
}

impl Game for Counters {
    type State = Heap;
    type Action = u8;

    fn start(&self) -> Heap {
        Heap { left: 9, tossed: false, to_move: 0, shared: Rc::new(Cell::new(0)) }
    }

    fn turn(&self, heap: &Heap) -> Turn {
        let to_move = Player(heap.to_move);
        if !heap.tossed {
            let forgets = self.has(Fault::TurnForgets) && self.every(2);
            return if forgets { Turn::Player(to_move) } else { Turn::Chance };
        }
        if heap.left == 0 {
            let counts = self.has(Fault::ChangesItsMind);
            // more ends than the random games visit, and fewer than the searches do
            let odd = counts && self.every(2) && self.calls.get() > 2_500;
            return Turn::Over(match self.fault {
                Fault::UtilityTooLarge => Utilities::zero_sum(2.0),
                Fault::UtilityNotANumber => Utilities::zero_sum(f32::NAN),
                Fault::SumNotZero => Utilities::of(&[1.0, -0.5]),
                Fault::BothWin => Utilities::of(&[1.0, 1.0]),
                Fault::SecondGetsNothing => Utilities::single(1.0),
                Fault::ThreeUtilities => Utilities::of(&[1.0, -1.0, 0.5]),
                _ if odd => Utilities::win(to_move),
                _ => Utilities::win(to_move.opponent()),
            });
        }
        match self.fault {
            Fault::UnknownPlayer => Turn::Player(Player(2)),
            _ => Turn::Player(to_move),
        }
    }

    fn actions(&self, heap: &Heap, mut visit: impl FnMut(u8)) {
        if !heap.tossed {
            let outcomes = if self.has(Fault::NoOutcome) { 0 } else { 2 };
            return [10, 11].into_iter().take(outcomes).for_each(visit);
        }
        match self.fault {
            Fault::NoAction if heap.left < 4 => {}
            Fault::ActionTwice => [1, 1].into_iter().for_each(visit),
            Fault::OtherOrder if heap.left > 1 && self.every(2) => {
                [2, 1].into_iter().for_each(visit)
            }
            Fault::SharedClone if heap.shared.get() > 8 => visit(1),
            _ => (1..=heap.left.min(2)).for_each(&mut visit),
        }
    }

    fn apply(&self, heap: &mut Heap, action: u8) {
        let mut taken = action % 10;
        let is_idle = self.has(Fault::ApplyDoesNothingForTwo) && action == 2;
        if self.has(Fault::ApplyDoesNothing) || is_idle {
            return;
        }
        if self.has(Fault::ApplyDraws) && taken == 2 && self.every(2) {
            taken = 1;
        }
        if self.has(Fault::SharedClone) {
            heap.shared.set(heap.shared.get() + 1);
        }
        if heap.tossed {
            heap.to_move = 1 - heap.to_move;
        }
        heap.tossed = true;
        let endless = self.has(Fault::Endless) && heap.left <= 2;
        heap.left = if endless { 9 } else { heap.left - taken };
    }

    fn apply_with_rewards(&self, heap: &mut Heap, action: u8) -> Utilities {
        let half = self.has(Fault::RewardsDiffer) && action == 2;
        self.apply(heap, if half { 1 } else { action });
        let reward = f32::from(u8::from(self.has(Fault::UnsaidRewards)));
        Utilities::single(reward)
    }

    fn action_index(&self, action: u8) -> Option<usize> {
        match action {
            10.. => None,
            _ if self.has(Fault::IndexChanges) => Some(usize::from(self.every(2))),
            _ if self.has(Fault::IndexTwice) => Some(0),
            _ => Some(usize::from(action) - 1),
        }
    }

    fn action_indices(&self) -> usize {
        if self.has(Fault::IndexTooLarge) { 1 } else { 2 }
    }

    fn outcomes(&self, _: &Heap, mut visit: impl FnMut(u8, f32)) {
        let second = if self.has(Fault::OutcomesDiffer) { 12 } else { 11 };
        let probabilities = match self.fault {
            Fault::ProbabilitiesTooSmall => [0.5, 0.25],
            Fault::ProbabilityNotANumber => [0.5, f32::NAN],
            Fault::ProbabilityNegative => [-0.5, 1.5],
            Fault::ProbabilityZero => [1.0, 0.0],
            _ => [0.5, 0.5],
        };
        visit(10, probabilities[0]);
        visit(second, probabilities[1]);
    }

    fn random_outcome(&self, _: &Heap, rng: &mut SearchRng) -> u8 {
        let last = if self.has(Fault::UnfairOutcome) { 3 } else { 2 };
        10 + u8::from(mcts_core::rng::below(rng, last) > 0)
    }

    fn discount(&self) -> f32 {
        match self.fault {
            Fault::DiscountNotANumber => f32::NAN,
            Fault::DiscountTooLarge => 1.5,
            Fault::DiscountUnused => 0.9,
            _ => 1.0,
        }
    }

    fn hash(&self, heap: &Heap) -> Option<u64> {
        let all = [heap.left, heap.to_move, u8::from(heap.tossed)].map(u64::from);
        let hash = |parts: [u64; 3]| Some(parts.iter().fold(1, |sum, part| sum * 100 + part));
        let [left, to_move, tossed] = all;
        match self.fault {
            Fault::HashWithoutTurn => hash([left, 0, tossed]),
            Fault::HashWithoutToss => hash([left, to_move, 0]),
            Fault::HashWithoutHeap => hash([left / 2, to_move, tossed]),
            Fault::ChangesItsMind => None,
            Fault::HashChanges => hash([left, to_move, u64::from(self.every(3))]),
            _ => hash(all),
        }
    }

    fn count_actions(&self, heap: &Heap) -> usize {
        let mut count = usize::from(self.has(Fault::WrongCount));
        self.actions(heap, |_| count += 1);
        count
    }

    fn nth_action(&self, heap: &Heap, n: usize) -> u8 {
        let mut actions = Vec::new();
        self.actions(heap, |action| actions.push(action));
        let n = if self.has(Fault::WrongNth) { actions.len() - 1 - n } else { n };
        actions[n]
    }

    fn random_action(&self, heap: &Heap, rng: &mut SearchRng) -> u8 {
        let is_unfair = self.has(Fault::UnfairAction) && self.every(4);
        let n = if is_unfair { 0 } else { mcts_core::rng::below(rng, self.count_actions(heap)) };
        if self.has(Fault::IllegalRandomAction) { 3 } else { self.nth_action(heap, n) }
    }

    fn rollout(
        &self,
        mut heap: Heap,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        if self.has(Fault::UnfairRollout) && heap.left > 0 {
            return Utilities::win(Player::FIRST);
        }
        loop {
            let action = match self.turn(&heap) {
                Turn::Over(_) if self.has(Fault::RolloutPastTheEnd) => return Utilities::ZERO,
                Turn::Over(utilities) => return utilities,
                Turn::Chance => {
                    recorder.record(|| TraceStep::CHANCE);
                    self.random_outcome(&heap, rng)
                }
                Turn::Player(player) => {
                    let action = self.random_action(&heap, rng);
                    recorder.record(|| TraceStep::new(player, self.action_index(action)));
                    action
                }
            };
            self.apply(&mut heap, action);
        }
    }

    fn rollouts(&self, heaps: &mut [Heap], rng: &mut SearchRng, results: &mut [Utilities]) {
        for (heap, result) in heaps.iter().zip(results) {
            let is_over = heap.left == 0;
            let unfair = self.has(Fault::UnfairRollouts) && !is_over;
            *result = if unfair {
                Utilities::win(Player::FIRST)
            } else {
                self.rollout(heap.clone(), &mut Untraced, rng)
            };
        }
    }
}

#[test]
fn a_correct_game_passes_and_its_endings_are_solved() {
    let checked = check_game(&Counters::with(Fault::Nothing), &CheckOptions::default()).unwrap();
    assert_eq!((checked.most_actions, checked.endings), (2, 20));
    assert!(checked.mean_length > 5.0 && checked.states > 600);
}

#[test]
fn every_kind_of_fault_is_found_and_explained() {
    let faults = [
        (Fault::TurnForgets, "`turn` says two different things"),
        (Fault::UnknownPlayer, "set `PLAYERS`"),
        (Fault::UtilityTooLarge, "outside `UTILITY_BOUNDS`"),
        (Fault::UtilityNotANumber, "gives player 0 NaN, which is not a number"),
        (Fault::SumNotZero, "do not add up to zero"),
        (Fault::BothWin, "both players get 1; give the loser -1"),
        (Fault::SecondGetsNothing, "the first player gets 1 and the second nothing"),
        (Fault::ThreeUtilities, "values for 3 players, but there are 2; set `PLAYERS`"),
        (Fault::NoAction, "the pass is an action"),
        (Fault::ActionTwice, "`actions` gives 1 twice"),
        (Fault::OtherOrder, "another list or order"),
        (Fault::WrongCount, "`count_actions` says 3"),
        (Fault::WrongNth, "`nth_action` says"),
        (Fault::IndexTooLarge, "not below `action_indices` 1"),
        (Fault::IndexTwice, "have the `action_index` 0"),
        (Fault::ApplyDraws, "gives two results"),
        (Fault::SharedClone, "`clone` must copy everything"),
        (Fault::RewardsDiffer, "`apply` and `apply_with_rewards` must do the same"),
        (Fault::UnsaidRewards, "set `HAS_REWARDS` to true"),
        (Fault::OutcomesDiffer, "`outcomes` lists [10, 12]"),
        (Fault::ProbabilitiesTooSmall, "add up to 0.75"),
        (Fault::IllegalRandomAction, "a random action, 3,"),
        (Fault::UnfairRollout, "`rollout` gives Player(0) another mean"),
        (Fault::UnfairRollouts, "`rollouts` gives Player(0) another mean"),
        (Fault::RolloutPastTheEnd, "a rollout from there gives"),
        (Fault::Endless, "end it by a rule"),
        (Fault::ChangesItsMind, "with best play, but a search proves"),
        (Fault::ApplyDoesNothing, "`apply` does nothing"),
        (Fault::ApplyDoesNothingForTwo, "`apply` of 2 leaves the state as it was"),
        (Fault::IndexChanges, "`action_index` of 1 is Some(0), then Some(1)"),
        (Fault::NoOutcome, "`turn` is chance, but `actions` gives no outcome"),
        (Fault::ProbabilityNotANumber, "the probability of 11, NaN, is not a number"),
        (Fault::ProbabilityNegative, "the probability of 10, -0.5, is negative"),
        (Fault::ProbabilityZero, "the probability of 11, 0, is zero"),
        (Fault::UnfairAction, "`random_action` gives 1 in"),
        (Fault::UnfairOutcome, "`random_outcome` gives 10 in"),
        (Fault::HashWithoutTurn, "but different turns"),
        (Fault::HashWithoutToss, "but different turns"),
        (Fault::HashWithoutHeap, "`hash` must cover everything"),
        (Fault::HashChanges, "`hash` gives two numbers for the same state"),
        (Fault::DiscountNotANumber, "`discount` is NaN"),
        (Fault::DiscountTooLarge, "`discount` is 1.5"),
        (Fault::DiscountUnused, "but `HAS_REWARDS` is false"),
    ];
    let options = CheckOptions { longest_game: 500, ..CheckOptions::default() };
    let mut missed = Vec::new();
    for (fault, expected) in faults {
        let found = check_game(&Counters::with(fault), &options);
        let text = found.map_or_else(|violation| violation.to_string(), |_| "nothing".to_string());
        if !text.contains(expected) || text.len() > 1_000 {
            missed.push(format!("{fault:?} ({} characters): {text:.500}", text.len()));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// A walk of ten steps right or up; a grid point is reached by many paths.
struct Walk {
    hash: fn(&Steps) -> u64,
}

#[derive(Debug, Clone, Copy)]
struct Steps {
    right: u32,
    up: u32,
    /// A hash that is updated at each step.
    kept: u64,
}

impl PartialEq for Steps {
    fn eq(&self, other: &Steps) -> bool {
        (self.right, self.up) == (other.right, other.up)
    }
}

impl Game for Walk {
    type State = Steps;
    type Action = bool;
    const PLAYERS: usize = 1;

    fn start(&self) -> Steps {
        Steps { right: 0, up: 0, kept: 1 }
    }
    fn turn(&self, steps: &Steps) -> Turn {
        if steps.right + steps.up < 10 {
            return Turn::Player(Player::FIRST);
        }
        Turn::Over(Utilities::single(steps.up as f32 / 10.0))
    }
    fn actions(&self, _: &Steps, visit: impl FnMut(bool)) {
        [false, true].into_iter().for_each(visit);
    }
    fn apply(&self, steps: &mut Steps, up: bool) {
        *(if up { &mut steps.up } else { &mut steps.right }) += 1;
        steps.kept = 3 * steps.kept + u64::from(up);
    }
    fn action_index(&self, up: bool) -> Option<usize> {
        Some(up.into())
    }
    fn action_indices(&self) -> usize {
        2
    }
    fn hash(&self, steps: &Steps) -> Option<u64> {
        Some((self.hash)(steps))
    }
}

#[test]
fn equal_states_of_different_hashes_are_found() {
    let options = CheckOptions::default();
    let walk = Walk { hash: |steps| u64::from(steps.right) << 32 | u64::from(steps.up) };
    assert!(check_game(&walk, &options).unwrap().hashes_met_again > 1_000);
    assert!(check_transpositions(&walk, &options).unwrap() > 500);
    let by_path = Walk { hash: |steps| steps.kept };
    let violation = check_transpositions(&by_path, &options).unwrap_err();
    assert!(violation.what.contains("two equal states have the hashes"), "{violation}");
    assert_eq!(check_game(&by_path, &options).unwrap_err().what, violation.what);
}

/// An evaluator with one constant value, or one constant prior.
struct Fixed {
    value: Utilities,
    prior: f32,
}

impl Evaluator<Counters> for Fixed {
    fn evaluate(
        &mut self,
        game: &Counters,
        heap: &Heap,
        _: &mut impl Recorder,
        _: &mut SearchRng,
    ) -> Utilities {
        match game.turn(heap) {
            Turn::Over(utilities) if self.value != Utilities::ZERO => utilities,
            _ => self.value,
        }
    }
    fn priors(&mut self, _: &Counters, _: &Heap, actions: &[u8], priors: &mut [f32]) {
        assert_eq!(actions.len(), priors.len());
        priors[0] = self.prior;
        priors[1..].fill(0.0);
    }
}

#[test]
fn an_evaluator_whose_values_or_priors_are_no_numbers_is_found() {
    let game = Counters::with(Fault::Nothing);
    let options = CheckOptions { games: 10, ..CheckOptions::default() };
    let found = |value, prior| check_evaluator(&game, &mut Fixed { value, prior }, &options);
    assert!(found(Utilities::zero_sum(0.5), 1.0).unwrap() > 50);
    assert!(check_evaluator(&game, &mut <Rollout>::default(), &options).is_ok());
    let expected = [
        (Utilities::zero_sum(f32::NAN), 1.0, "`evaluate` gives player 0 NaN"),
        (Utilities::zero_sum(f32::INFINITY), 1.0, "`evaluate` gives player 0 inf"),
        (Utilities::zero_sum(3.0), 1.0, "`evaluate` gives player 0 3, outside `UTILITY_BOUNDS`"),
        (Utilities::of(&[0.5, 0.5]), 1.0, "both players get 0.5"),
        (Utilities::of(&[0.5, -0.5, 1.0]), 1.0, "values for 3 players, but there are 2"),
        (Utilities::ZERO, 1.0, "where the game is over with"),
        (Utilities::zero_sum(0.5), f32::NAN, "`priors` gives 1 NaN"),
        (Utilities::zero_sum(0.5), f32::NEG_INFINITY, "`priors` gives 1 -inf"),
        (Utilities::zero_sum(0.5), 0.0, "`priors` gives 0 to each of [1, 2]"),
    ];
    for (value, prior, text) in expected {
        let violation = found(value, prior).unwrap_err();
        assert!(violation.what.contains(text), "{violation}");
    }
}

/// Rewards of one player for ten steps.
struct Rewards {
    reward: f32,
}

impl Game for Rewards {
    type State = u32;
    type Action = ();
    const PLAYERS: usize = 1;
    const HAS_REWARDS: bool = true;

    fn start(&self) -> u32 {
        10
    }
    fn turn(&self, left: &u32) -> Turn {
        if *left > 0 { Turn::Player(Player::FIRST) } else { Turn::Over(Utilities::ZERO) }
    }
    fn actions(&self, _: &u32, mut visit: impl FnMut(())) {
        visit(());
    }
    fn apply(&self, left: &mut u32, (): ()) {
        *left -= 1;
    }
    fn action_index(&self, (): ()) -> Option<usize> {
        Some(0)
    }
    fn action_indices(&self) -> usize {
        1
    }
    fn apply_with_rewards(&self, left: &mut u32, action: ()) -> Utilities {
        self.apply(left, action);
        Utilities::single(self.reward)
    }
}

#[test]
fn rewards_that_leave_the_bounds_are_found() {
    let check = |reward| check_game(&Rewards { reward }, &CheckOptions::default());
    assert!(check(0.1).is_ok());
    let violation = check(0.2).unwrap_err();
    assert!(violation.what.contains("from here on, rewards included, outside"), "{violation}");
    let violation = check(f32::INFINITY).unwrap_err();
    assert!(violation.what.contains("`apply_with_rewards` gives player 0 inf"), "{violation}");
}

#[test]
fn a_state_that_is_not_read_back_whole_is_found() {
    let game = Counters::with(Fault::Nothing);
    let options = CheckOptions { games: 20, ..CheckOptions::default() };
    let read = |text: &str| -> Result<Heap, String> {
        let mut words = text.split(' ');
        let mut number = || words.next().and_then(|word| word.parse::<u8>().ok());
        let (Some(left), Some(to_move), Some(tossed)) = (number(), number(), number()) else {
            return Err("expected three numbers".to_string());
        };
        Ok(Heap { left, to_move, tossed: tossed == 1, ..game.start() })
    };
    let write = |heap: &Heap| format!("{} {} {}", heap.left, heap.to_move, u8::from(heap.tossed));
    assert!(check_state_notation(&game, &options, write, read).unwrap() > 100);

    let forgets = |heap: &Heap| format!("{} 0 {}", heap.left, u8::from(heap.tossed));
    let violation = check_state_notation(&game, &options, forgets, read).unwrap_err();
    assert!(violation.what.contains("reads as another state (their turns differ"), "{violation}");

    let refused = |heap: &Heap| format!("{} counters", heap.left);
    let violation = check_state_notation(&game, &options, refused, read).unwrap_err();
    assert!(violation.what.contains("is not read back: expected three numbers"), "{violation}");

    let blank = |heap: &Heap| format!("{} ", write(heap));
    let other = check_state_notation(&game, &options, blank, |text| read(text.trim_end()));
    assert!(other.is_ok(), "what is written in one way is read");
    let wobbly = |text: &str| {
        read(text.trim_end()).map(|heap| Heap { shared: Rc::new(Cell::new(1)), ..heap })
    };
    let shows = |heap: &Heap| format!("{}{}", write(heap), " ".repeat(heap.shared.get().into()));
    let violation = check_state_notation(&game, &options, shows, wobbly).unwrap_err();
    assert!(violation.what.contains("reads as a state that is written"), "{violation}");
}

#[test]
fn an_action_that_is_not_read_back_is_found() {
    let options = CheckOptions { games: 20, ..CheckOptions::default() };
    let game = Counters::with(Fault::Nothing);
    let read = |_: &Heap, text: &str| text.parse::<u8>().map_err(|error| error.to_string());
    let number = |_: &Heap, action: u8| action.to_string();
    assert!(check_action_notation(&game, &options, number, read).unwrap() > 100);
    let same = |_: &Heap, _: u8| "1".to_string();
    let violation = check_action_notation(&game, &options, same, read).unwrap_err();
    assert!(violation.what.contains("\"1\" is written for 2 and reads as 1"), "{violation}");
    let word = |_: &Heap, action: u8| format!("take {action}");
    let violation = check_action_notation(&game, &options, word, read).unwrap_err();
    assert!(violation.what.contains("is not read back: invalid digit"), "{violation}");
}

/// Advances by a microsecond at each read.
struct Ticks(Cell<u64>);

impl Clock for Ticks {
    fn monotonic_nanos(&self) -> u64 {
        self.0.set(self.0.get() + 1_000);
        self.0.get()
    }
}

#[test]
fn speed_is_actions_over_the_time_of_the_callers_clock() {
    let speed = measure_speed(&Kuhn, 100, &Ticks(Cell::new(0)));
    assert_eq!((speed.games, speed.stepped.as_nanos()), (100, 1_000));
    assert!((400..=500).contains(&speed.actions), "two deals and two or three bets: {speed}");
    assert!((speed.actions_per_second() - speed.actions as f64 * 1e6).abs() < 1.0);
    let real = measure_speed(&Kuhn, 1_000, &SystemClock);
    assert!(real.rollouts_per_second() > 0.0);
}
