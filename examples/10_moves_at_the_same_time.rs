//! How does a search decide when both players move simultaneously? Each player has her own
//! statistics, and the result is a mixed strategy, here in matching pennies with a higher payoff
//! for heads.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use mcts_core::testing::check_simultaneous;
use mcts_core::{Budget, Decoupled, Game, Player, Search, Simultaneous, Turn, Utilities, rng};

/// Two coins are shown simultaneously. The first player wins 1 for two heads, 1/2 for two tails,
/// and loses 1/2 if they differ.
struct Pennies;

impl Game for Pennies {
    /// The coins so far: whether each shows heads.
    type State = Vec<bool>;
    type Action = bool;

    fn start(&self) -> Vec<bool> {
        Vec::new()
    }
    fn turn(&self, coins: &Vec<bool>) -> Turn {
        match coins[..] {
            [] => Turn::Player(Player::FIRST),
            [_] => Turn::Player(Player::SECOND),
            [true, true, ..] => Turn::Over(Utilities::zero_sum(1.0)),
            [false, false, ..] => Turn::Over(Utilities::zero_sum(0.5)),
            _ => Turn::Over(Utilities::zero_sum(-0.5)),
        }
    }
    fn actions(&self, _: &Vec<bool>, visit: impl FnMut(bool)) {
        [true, false].into_iter().for_each(visit);
    }
    fn apply(&self, coins: &mut Vec<bool>, heads: bool) {
        coins.push(heads);
    }
}

impl Simultaneous for Pennies {
    /// The rules let one player act after the other; the second must not see what the first one
    /// shows.
    fn is_same_moment(&self, coins: &Vec<bool>) -> bool {
        coins.len() == 1
    }
}

fn main() {
    check_simultaneous(&Pennies, 100, 1).expect("nothing shows what was chosen");

    let mut search = Decoupled::default().search(Pennies, 1);
    search.run(&Pennies.start(), &Budget::playouts(300_000)).expect("a game");

    // With payoffs a, b, c, d (row by row) both show heads with (d - c) / (a - b - c + d) = 0.4 in equilibrium.
    for player in [Player::FIRST, Player::SECOND] {
        let strategy = search.strategy(player).expect("both players choose");
        println!("{player:?} shows heads with probability {:.3}", strategy.probability(true));
        assert!((strategy.probability(true) - 0.4).abs() < 0.05);

        // In a real game the action is sampled from the strategy, so that it cannot be predicted.
        let mut dice = rng::stream(1, u64::from(player.0));
        let heads = (0..1_000).filter(|_| strategy.draw(&mut dice) == Some(true)).count();
        assert!((300..500).contains(&heads));
    }
}
