//! How does a search learn to bluff? By searching the whole game with statistics for each
//! information set. From a single position all hidden cards look equally likely; the information in
//! a bet depends on the strategies of both players.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use mcts_core::testing::{Kuhn, KuhnAction, KuhnState};
use mcts_core::{Budget, Game, IsMcts, NoClock};

/// The cards dealt, 0 to 2, and the actions since.
fn after(cards: [u8; 2], actions: &[KuhnAction]) -> KuhnState {
    let mut state = Kuhn.start();
    cards.into_iter().for_each(|card| Kuhn.apply(&mut state, KuhnAction::Deal(card)));
    actions.iter().for_each(|action| Kuhn.apply(&mut state, *action));
    state
}

fn main() {
    let mut search = IsMcts::default().search(Kuhn, 1);
    search.run_from_start(&Budget::playouts(500_000), &NoClock);

    // The second player's best strategy is known (Kuhn, 1950): how often she bets, or calls a bet,
    // with each card.
    let [passed, bet] = [KuhnAction::Pass, KuhnAction::Bet];
    for (name, card, before, expected) in [
        ("bluffs with the lowest card after a pass", 0, passed, 1.0 / 3.0),
        ("calls a bet with the middle card", 1, bet, 1.0 / 3.0),
        ("calls a bet with the lowest card", 0, bet, 0.0),
        ("bets the highest card after a pass", 2, passed, 1.0),
    ] {
        // The second player's information set does not depend on the first player's card.
        let state = after([(card + 1) % 3, card], &[before]);
        let strategy = search.strategy(&state).expect("the search came here");
        let probability = strategy.probability(KuhnAction::Bet);
        println!("{name}: {probability:.3}, best {expected:.3}");
        assert!((probability - expected).abs() < 0.1);
    }
}
