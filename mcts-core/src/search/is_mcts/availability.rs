//! Tests availability counts against counts by hand.

use super::{IsMcts, IsMctsSearch, Observers};
use crate::budget::{Budget, NoClock};
use crate::game::{Game, HiddenInformation, InformationSets, Player, Turn, Utilities};
use crate::rng::{self, SearchRng};
use crate::search::Search;
use crate::selection::{Bandit, Ucb1};
use alloc::vec::Vec;
use core::cell::Cell;

/// The first player leads; the second follows with an action that her hidden hand allows: 1 or 2 in
/// one world, 1 or 3 in the other. Determinizations come in a fixed order.
#[derive(Debug, Default)]
struct Hands {
    drawn: Cell<u32>,
}

/// Whether it is the other world, and the actions played.
type Table = (bool, Vec<u8>);

impl Game for Hands {
    type State = Table;
    type Action = u8;

    fn start(&self) -> Table {
        (false, Vec::new())
    }
    fn turn(&self, (_, played): &Table) -> Turn {
        match played.len() {
            0 => Turn::Player(Player::FIRST),
            1 => Turn::Player(Player::SECOND),
            _ => Turn::Over(Utilities::zero_sum(0.0)),
        }
    }
    fn actions(&self, (is_other, played): &Table, visit: impl FnMut(u8)) {
        let actions: &[u8] = match (played.len(), is_other) {
            (0, _) => &[0],
            (_, false) => &[1, 2],
            (_, true) => &[1, 3],
        };
        actions.iter().copied().for_each(visit);
    }
    fn apply(&self, (_, played): &mut Table, action: u8) {
        played.push(action);
    }
    fn action_index(&self, action: u8) -> Option<usize> {
        Some(usize::from(action))
    }
    fn action_indices(&self) -> usize {
        4
    }
}

impl HiddenInformation for Hands {
    type Observation = u8;
    type View = Vec<u8>;

    fn first_view(&self, _: &Table, _: Player) -> Vec<u8> {
        Vec::new()
    }
    fn observe(&self, _: &Table, action: u8, _: Player) -> u8 {
        action
    }
    fn grow(&self, view: &mut Vec<u8>, _: Option<u8>, action: &u8) {
        view.push(*action);
    }
    /// The other world in the first of each three determinizations.
    fn determinize(&self, view: &Vec<u8>, _: &mut SearchRng) -> Table {
        let drawn = self.drawn.get();
        self.drawn.set(drawn + 1);
        (drawn.is_multiple_of(3), view.clone())
    }
}

impl InformationSets for Hands {
    fn information_key(&self, (is_other, played): &Table, player: Player) -> u64 {
        let own = u64::from(player == Player::SECOND && *is_other);
        rng::mix(1 + own + 2 * played.len() as u64)
    }
}

/// Actions of the root, and of the second player in both worlds, with their availability.
fn available(observers: Observers) -> [Vec<(u8, u32)>; 3] {
    let rule = Bandit::Ucb1(Ucb1::default());
    let parts: IsMcts = IsMcts { observers, rule, ..IsMcts::default() };
    let mut search: IsMctsSearch<Hands> = parts.search(Hands::default(), 1);
    let budget = Budget::playouts(7).to_the_end();
    search.run_with_clock(&Vec::new(), &budget, &NoClock).expect("there is an action");
    let sets = [(false, Vec::new()), (false, alloc::vec![0]), (true, alloc::vec![0])];
    sets.map(|state| {
        let player = if state.1.is_empty() { Player::FIRST } else { Player::SECOND };
        let counts = search.decisions.counts(search.key(&state, player, Player::FIRST));
        let visits: u32 = counts.iter().map(|(_, visits, _)| visits).sum();
        // every information set here has an action that is always legal
        assert_eq!(visits, counts[0].2);
        counts.into_iter().map(|(action, _, available)| (action, available)).collect()
    })
}

// The first determinization is only used for the player to move. The seven playouts then use, with
// o for the other world: - - o - - o -

#[test]
fn a_single_observer_counts_availability_over_all_worlds_in_one_set() {
    // the first playout creates the information set, and the other six choose in it: - o - - o -
    let [root, one, other] = available(Observers::Single);
    assert_eq!(root, [(0, 7)]);
    assert_eq!(one, [(1, 6), (2, 4), (3, 2)]);
    assert_eq!(one, other);
}

#[test]
fn multiple_observers_count_availability_in_the_sets_of_who_decides() {
    // playouts 1 and 3 create the information sets; 2, 4, 5 and 7 choose in one and 6 in the other
    let [root, one, other] = available(Observers::Multiple);
    assert_eq!(root, [(0, 7)]);
    assert_eq!(one, [(1, 4), (2, 4)]);
    assert_eq!(other, [(1, 1), (3, 1)]);
}
