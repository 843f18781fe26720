//! Checks the contract of [`HiddenInformation`], and that a bot uses only what it sees.

mod every;
mod keys;
mod table;

pub use keys::check_information_sets;

use super::check::Violation;
use super::check::text::short;
use crate::game::{HiddenInformation, MAX_PLAYERS, Player, Turn};
use crate::rng::{self, SearchRng};
use alloc::format;
use alloc::string::String;
use core::fmt::Debug;
use table::{Table, behaviour, players};

/// The extent of [`check_hidden_information`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenOptions {
    /// Number of random games.
    pub games: u32,
    /// Maximum number of actions of a game.
    pub longest_game: u32,
    /// Number of determinizations of each view.
    pub draws: u32,
    /// Number of positions near the start that are listed, to know the states consistent with a
    /// view.
    pub positions: u32,
    /// Seed of the random games.
    pub seed: u64,
}

impl Default for HiddenOptions {
    /// About a second for a small game.
    fn default() -> Self {
        HiddenOptions { games: 50, longest_game: 10_000, draws: 3, positions: 5_000, seed: 1 }
    }
}

/// What was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HiddenChecked {
    /// Number of determinizations.
    pub drawn: u64,
    /// Pairs of equal views of different states on which determinizations and decisions were
    /// compared.
    pub decisions: u64,
    /// Decisions at which something was hidden: another state with an equal view, or a
    /// determinization, has another future than the true state.
    pub hidden: u64,
    /// Views of which every consistent state was listed and compared with the determinizations.
    pub listed_views: u64,
}

/// Plays seeded random games and compares what players see with the determinizations of their
/// views.
///
/// - The observation that was made has a positive likelihood.
/// - A determinization produces the last observation, is over exactly if the true state is, has the
///   same player to move if that is the owner of the view, and then the same legal actions.
/// - Equal views and seeds give equal determinizations.
/// - Another game in which a player does and sees the same gives her an equal view; from both
///   views, after either game was shown to the value that holds the rules, `determinize` samples
///   equal states and `decide` returns equal decisions, bit for bit, given equal seeds.
/// - Near the start, where every state can be listed, a view samples only states that some game
///   with that view leads to, and each of them.
/// - Something is hidden somewhere, and determinizations differ there.
///
/// # Errors
/// The first [`Violation`].
pub fn check_hidden_information<G, D>(
    game: &G,
    options: &HiddenOptions,
    mut decide: impl FnMut(&G::View, u64) -> D,
) -> Result<HiddenChecked, Violation>
where
    G: HiddenInformation,
    D: PartialEq + Debug,
{
    let mut checked = HiddenChecked::default();
    let mut seen = Seen::default();
    let mut rng = rng::stream(options.seed, 0x48_49_44_45);
    for _ in 0..options.games {
        let mut table = Table::new(game);
        for decision in 0..options.longest_game {
            let at = |what, table: &Table<G>| Violation::at(what, &table.actions());
            let action = match game.turn(&table.truth) {
                Turn::Over(_) => break,
                Turn::Chance => game.random_outcome(&table.truth, &mut rng),
                Turn::Player(player) => {
                    // a twin costs a whole game: checked only sometimes late in long games
                    if decision < 20 || rng::below(&mut rng, decision as usize) < 20 {
                        seen.compare(game, &table, (player, &mut decide), &mut rng)
                            .map_err(|what| at(what, &table))?;
                    }
                    game.random_action(&table.truth, &mut rng)
                }
            };
            table.play(game, action).map_err(|what| at(what, &table))?;
            for player in players::<G>() {
                for _ in 0..options.draws {
                    table.check_draw(game, player, &mut rng).map_err(|what| at(what, &table))?;
                    checked.drawn += 1;
                }
            }
        }
    }
    checked.listed_views = every::check(game, options, &mut rng)?;
    seen.check().map_err(|what| Violation::at::<G::Action>(what, &[]))?;
    checked.decisions = seen.pairs;
    checked.hidden = seen.hidden.iter().sum();
    Ok(checked)
}

/// Samples from a view at one decision.
const DRAWS: u64 = 6;

/// What was hidden at the decisions so far, by player.
#[derive(Debug, Default)]
struct Seen {
    decisions: u64,
    pairs: u64,
    hidden: [u64; MAX_PLAYERS],
    /// Decisions at which the samples differed from each other.
    varied: [u64; MAX_PLAYERS],
}

impl Seen {
    /// Compares a game with a twin in which the player to move has seen the same.
    fn compare<G: HiddenInformation, D: PartialEq + Debug>(
        &mut self,
        game: &G,
        table: &Table<G>,
        (player, decide): (Player, &mut impl FnMut(&G::View, u64) -> D),
        rng: &mut SearchRng,
    ) -> Result<(), String> {
        self.decisions += 1;
        let truth = behaviour(game, &table.truth);
        let mut is_hidden = false;
        let mut found = None;
        for _ in 0..3 {
            let Some(twin) = table.twin(game, player, rng)? else { continue };
            let differs = behaviour(game, &twin.truth) != truth;
            found = Some(twin);
            if differs {
                is_hidden = true;
                break;
            }
        }
        let view = &table.views[player.index()];
        let draws = (0..DRAWS).map(|seed| {
            table.show(game, player);
            behaviour(game, &game.determinize(view, &mut rng::stream(seed, 0)))
        });
        let draws: [u64; DRAWS as usize] = collect(draws);
        self.varied[player.index()] += u64::from(draws.iter().any(|drawn| *drawn != draws[0]));
        is_hidden |= draws.iter().any(|drawn| *drawn != truth);
        self.hidden[player.index()] += u64::from(is_hidden);
        let Some(twin) = found else { return Ok(()) };
        let other_view = &twin.views[player.index()];
        for (seed, drawn) in (0..DRAWS).zip(draws) {
            twin.show(game, player);
            let other = game.determinize(other_view, &mut rng::stream(seed, 0));
            if behaviour(game, &other) != drawn {
                return Err(format!(
                    "two truths that look the same to {player:?} gave different draws for equal views and seeds; \
                     `determinize` must read the view and its generator alone, and the rules must not keep the truth"
                ));
            }
        }
        self.pairs += 1;
        table.show(game, player);
        let one = decide(view, 7);
        twin.show(game, player);
        let other = decide(other_view, 7);
        if one == other {
            return Ok(());
        }
        Err(format!(
            "equal views and seeds led {player:?} to the decisions {} and {}; decide by the view and the seed alone, with \
             a new search each time, and keep the truth out of reach",
            short(&one),
            short(&other)
        ))
    }

    /// Something must be hidden somewhere, and then samples must differ.
    fn check(&self) -> Result<(), String> {
        let hidden: u64 = self.hidden.iter().sum();
        if self.decisions > 0 && hidden == 0 {
            return Err(format!(
                "nothing was hidden at any of {} decisions: each state drawn from a view, and each truth with an equal \
                 view, is like the truth; keep out of `observe` and `first_view` what a player does not see, and draw \
                 the rest in `determinize`",
                self.decisions
            ));
        }
        // samples equal by coincidence: six of two equally likely states at five decisions, one in
        // 2^25
        let mut all = self.hidden.iter().zip(self.varied).enumerate();
        match all.find(|(_, (hidden, varied))| **hidden >= 5 && *varied == 0) {
            None => Ok(()),
            Some((player, (hidden, _))) => Err(format!(
                "`determinize` always gave the same state for a view of {:?}, at {hidden} decisions with several possible \
                 truths; draw what she does not see from the generator",
                Player(player as u8)
            )),
        }
    }
}

fn collect(mut numbers: impl Iterator<Item = u64>) -> [u64; DRAWS as usize] {
    core::array::from_fn(|_| numbers.next().unwrap_or_default())
}
