//! Checks the declared bounds and constants of a game against its values.

use super::text::short;
use crate::game::{Game, MAX_PLAYERS, Player, Utilities};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Checks constants and the discount.
pub(super) fn check<G: Game>(game: &G) -> Result<(), String> {
    if !(1..=MAX_PLAYERS).contains(&G::PLAYERS) {
        return Err(format!("`PLAYERS` is {}; 1 to {MAX_PLAYERS} can play", G::PLAYERS));
    }
    let (lowest, highest) = G::UTILITY_BOUNDS;
    if !(lowest.is_finite() && highest.is_finite() && lowest < highest) {
        return Err(format!(
            "`UTILITY_BOUNDS` are {lowest} to {highest}; give two finite numbers, the lower one first"
        ));
    }
    let discount = game.discount();
    if !(discount > 0.0 && discount <= 1.0) {
        return Err(format!(
            "`discount` is {discount}; it must be above 0 and at most 1 (1: later rewards count as much)"
        ));
    }
    if !G::HAS_REWARDS && discount < 1.0 {
        return Err(format!(
            "`discount` is {discount}, but `HAS_REWARDS` is false, so nothing is discounted; set `HAS_REWARDS` to true, \
             or leave `discount` at 1"
        ));
    }
    Ok(())
}

/// Checks the utilities or rewards of one state; `source` names where they come from.
pub(in crate::testing) fn check_numbers<G: Game>(
    utilities: &Utilities,
    source: &str,
) -> Result<(), String> {
    let players = G::PLAYERS.min(MAX_PLAYERS);
    if let Some(player) = utilities.0.iter().position(|value| !value.is_finite()) {
        return Err(format!(
            "{source} gives player {player} {}, which is not a number inside `UTILITY_BOUNDS` (is a sum divided by zero?)",
            utilities.0[player]
        ));
    }
    if let Some(last) = utilities.0.iter().rposition(|value| *value != 0.0)
        && last >= players
    {
        return Err(format!(
            "{source} gives {utilities:?}, values for {} players, but there are {players}; set `PLAYERS`, or give one \
             value per player",
            last + 1
        ));
    }
    Ok(())
}

/// Checks that one player's gain is the other's loss.
pub(in crate::testing) fn check_sum<G: Game>(
    utilities: &Utilities,
    source: &str,
) -> Result<(), String> {
    let [first, second, ..] = utilities.0;
    let tolerance = 1e-6 * first.abs().max(second.abs()).max(1.0);
    if G::PLAYERS != 2 || !G::ZERO_SUM || (first + second).abs() <= tolerance {
        return Ok(());
    }
    let cause = if first.total_cmp(&second).is_eq() {
        format!(
            "both players get {first}; give the loser {} (`Utilities::win` and `Utilities::zero_sum` do)",
            -first
        )
    } else if second == 0.0 {
        format!(
            "the first player gets {first} and the second nothing; give the second {} (`Utilities::zero_sum` does), or \
             set `PLAYERS` to 1 if only one plays",
            -first
        )
    } else {
        format!("{source} gives {utilities:?}, which do not add up to zero; correct the values")
    };
    Err(format!("{cause}; if the players do not have opposite interests, set `ZERO_SUM` to false"))
}

/// The utilities of each player over all games, to find a player without any.
#[derive(Debug, Default)]
pub(super) struct Shares {
    has_any: [bool; MAX_PLAYERS],
    games: u32,
}

impl Shares {
    pub(super) fn add(&mut self, utilities: &Utilities) {
        self.has_any.iter_mut().zip(utilities.0).for_each(|(any, value)| *any |= value != 0.0);
    }

    pub(super) fn check<G: Game>(&self) -> Result<(), String> {
        let players = G::PLAYERS.min(MAX_PLAYERS);
        let nobody = (0..players).find(|player| !self.has_any[*player]);
        match nobody.filter(|_| self.games >= 20 && self.has_any.contains(&true)) {
            None => Ok(()),
            Some(player) => Err(format!(
                "{:?} got 0 in each of {} games although the others did not; give a utility for each of {players} \
                 players (`Utilities::of`), or set `PLAYERS`",
                Player(player as u8),
                self.games
            )),
        }
    }
}

/// Replays a game with its rewards: the return from each state must be within the bounds.
pub(super) fn check_returns<G: Game>(
    game: &G,
    played: &[G::Action],
    shares: &mut Shares,
) -> Result<(), (String, usize)> {
    shares.games += 1;
    let mut state = game.start();
    let mut rewards = Vec::new();
    for action in played {
        rewards.push(game.apply_with_rewards(&mut state, *action));
    }
    let crate::game::Turn::Over(mut rest) = game.turn(&state) else { return Ok(()) };
    shares.add(&rest);
    rewards.iter().for_each(|reward| shares.add(reward));
    let (lowest, highest) = G::UTILITY_BOUNDS;
    let slack = 1e-3 * (highest - lowest);
    for (at, reward) in rewards.iter().enumerate().rev().filter(|_| G::HAS_REWARDS) {
        rest = reward.plus(&rest, game.discount());
        for (player, value) in rest.0.iter().enumerate().take(G::PLAYERS) {
            if !(lowest - slack..=highest + slack).contains(value) {
                let what = format!(
                    "player {player} gets {value} from here on, rewards included, outside `UTILITY_BOUNDS` {lowest} to \
                     {highest} (next {}); widen them or scale the rewards",
                    short(&played[at])
                );
                return Err((what, at));
            }
        }
    }
    Ok(())
}
