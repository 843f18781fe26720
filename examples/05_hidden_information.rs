//! How does a search decide without seeing everything? By determinizations, sampled from what its
//! player has seen. In Kuhn poker there are three cards, one for each player, and a bet of one; the
//! highest card calls a bet and the lowest folds.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use mcts_core::testing::{HiddenOptions, Kuhn, KuhnAction, KuhnView, check_hidden_information};
use mcts_core::{Budget, Game, HiddenInformation, Pimc, Player, Search};

/// The player's decision, from her view alone.
fn decide(view: &KuhnView, seed: u64) -> KuhnAction {
    let mut search = Pimc::default().search(Kuhn, seed);
    search.run(view, &Budget::playouts(2_000)).expect("it is her turn").best
}

fn main() {
    for (card, expected) in [(2, KuhnAction::Bet), (0, KuhnAction::Pass)] {
        // The second player's view grows only by what she sees of each action, never by the state.
        let mut truth = Kuhn.start();
        let mut view = Kuhn.first_view(&truth, Player::SECOND);
        for action in [KuhnAction::Deal(1), KuhnAction::Deal(card), KuhnAction::Bet] {
            Kuhn.apply(&mut truth, action);
            let seen = Kuhn.observe(&truth, action, Player::SECOND);
            Kuhn.grow(&mut view, None, &seen);
        }
        let action = decide(&view, 1);
        println!("{view:?} answers {action:?}");
        assert_eq!(action, expected);
    }

    // Two states that look the same to a player must lead to the same decision; the test kit checks
    // it.
    let options = HiddenOptions { games: 40, ..HiddenOptions::default() };
    let checked =
        check_hidden_information(&Kuhn, &options, decide).expect("the search does not peek");
    println!("{checked:?}");
    assert!(checked.decisions > 0);
}
