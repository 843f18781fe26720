//! The test kit finds a broken game of each kind, and says what to mend.

use mcts_core::testing::{
    CheckOptions, Kuhn, check_action_notation, check_game, check_state_notation, measure_speed,
};
use mcts_core::{Clock, Game, Player, SearchRng, SystemClock, Turn, Utilities};
use std::cell::Cell;
use std::rc::Rc;

/// What is wrong with the game.
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
}

/// Chance takes none or one of the counters, then players take one or two in turn, and whoever takes the last wins.
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

    /// Counts up to a number and begins again; true in every `n`-th call.
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
            let odd = counts && self.every(2) && self.calls.get() > 60;
            return Turn::Over(match self.fault {
                Fault::UtilityTooLarge => Utilities::zero_sum(2.0),
                Fault::UtilityNotANumber => Utilities::zero_sum(f32::NAN),
                Fault::SumNotZero => Utilities::of(&[1.0, 1.0]),
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
            return [10, 11].into_iter().for_each(visit);
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
            _ if self.has(Fault::IndexTwice) => Some(0),
            _ => Some(usize::from(action) - 1),
        }
    }

    fn action_indices(&self) -> usize {
        if self.has(Fault::IndexTooLarge) { 1 } else { 2 }
    }

    fn outcomes(&self, _: &Heap, mut visit: impl FnMut(u8, f32)) {
        let second = if self.has(Fault::OutcomesDiffer) { 12 } else { 11 };
        visit(10, 0.5);
        visit(second, if self.has(Fault::ProbabilitiesTooSmall) { 0.25 } else { 0.5 });
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
        let n = mcts_core::rng::below(rng, self.count_actions(heap));
        if self.has(Fault::IllegalRandomAction) { 3 } else { self.nth_action(heap, n) }
    }

    fn rollout(&self, mut heap: Heap, rng: &mut SearchRng) -> Utilities {
        if self.has(Fault::UnfairRollout) && heap.left > 0 {
            return Utilities::win(Player::FIRST);
        }
        loop {
            let action = match self.turn(&heap) {
                Turn::Over(_) if self.has(Fault::RolloutPastTheEnd) => return Utilities::ZERO,
                Turn::Over(utilities) => return utilities,
                Turn::Chance => self.random_outcome(&heap, rng),
                Turn::Player(_) => self.random_action(&heap, rng),
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
                self.rollout(heap.clone(), rng)
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
        (Fault::UtilityNotANumber, "outside `UTILITY_BOUNDS`"),
        (Fault::SumNotZero, "set `ZERO_SUM` to false"),
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
    ];
    let options = CheckOptions { longest_game: 500, ..CheckOptions::default() };
    for (fault, expected) in faults {
        let found = check_game(&Counters::with(fault), &options);
        let text = found.map_or_else(|violation| violation.to_string(), |_| "nothing".to_string());
        assert!(text.contains(expected), "{fault:?}: {text}");
    }
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
    assert!(violation.what.contains("reads as another state (their turns differ)"), "{violation}");

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

/// Goes on by a microsecond at each look.
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
