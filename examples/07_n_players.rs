//! How are three players searched? Each maximises their own utility. The game is a heap of counters, of which one takes
//! one or two: the player who takes the last one is first, the player before is second, and the third pays.
#![allow(clippy::print_stdout, reason = "a lesson shows what it found")]

use mcts_core::{Budget, Game, Player, Search, Turn, Uct, Utilities};

#[derive(Debug, Clone, Copy)]
struct LastOneWins;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Heap {
    counters: u8,
    to_move: u8,
}

impl Game for LastOneWins {
    type State = Heap;
    type Action = u8;
    const PLAYERS: usize = 3;

    fn start(&self) -> Heap {
        Heap { counters: 4, to_move: 0 }
    }

    fn turn(&self, heap: &Heap) -> Turn {
        if heap.counters > 0 {
            return Turn::Player(Player(heap.to_move));
        }
        // The player to move would be next: the one before took the last counter.
        let mut utilities = [-1.0; 3];
        utilities[usize::from(heap.to_move + 2) % 3] = 1.0;
        utilities[usize::from(heap.to_move + 1) % 3] = 0.0;
        Turn::Over(Utilities::of(&utilities))
    }

    fn actions(&self, heap: &Heap, visit: impl FnMut(u8)) {
        (1..=heap.counters.min(2)).for_each(visit);
    }

    fn apply(&self, heap: &mut Heap, taken: u8) {
        heap.counters -= taken;
        heap.to_move = (heap.to_move + 1) % 3;
    }
}

fn main() {
    // Of four counters take two: the next player takes the last two, and the one before comes second. A player who
    // takes one leaves three, of which the next player cannot take all: the third player does, and the first pays.
    let mut search = Uct::default().search(LastOneWins, 1);
    let report = search.run(&LastOneWins.start(), &Budget::playouts(5_000)).expect("a choice");
    for action in &report.actions {
        println!("take {}: {} visits, value {:+.2?}", action.action, action.visits, action.value);
    }
    assert_eq!(report.best, 2);
    assert!(report.value() > Some(-0.2), "second, not third");
}
