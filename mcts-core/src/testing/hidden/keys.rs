//! Checks the contract of [`InformationSets`].

use super::HiddenOptions;
use super::table::Table;
use crate::game::{InformationSets, Turn};
use crate::rng::{self, SearchRng};
use crate::testing::check::Violation;
use crate::testing::check::text::short;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

/// Plays seeded random games and compares the [`information_key`](InformationSets::information_key)
/// of the player to move with her view: equal for every state that looks the same to her and for
/// determinizations of her view, and different for different views.
///
/// Returns the number of different views.
///
/// # Errors
/// The first [`Violation`].
pub fn check_information_sets<G: InformationSets>(
    game: &G,
    options: &HiddenOptions,
) -> Result<u64, Violation> {
    let mut rng = rng::stream(options.seed, 0x4B_45_59_53);
    let mut views = BTreeMap::new();
    for _ in 0..options.games {
        let mut table = Table::new(game);
        for _ in 0..options.longest_game {
            let at = |what, table: &Table<G>| Violation::at(what, &table.actions());
            let action = match game.turn(&table.truth) {
                Turn::Over(_) => break,
                Turn::Chance => game.random_outcome(&table.truth, &mut rng),
                Turn::Player(_) => {
                    check(game, &table, &mut views, (options.draws, &mut rng))
                        .map_err(|what| at(what, &table))?;
                    game.random_action(&table.truth, &mut rng)
                }
            };
            table.play(game, action).map_err(|what| at(what, &table))?;
        }
    }
    Ok(views.len() as u64)
}

/// Compares the key of the player to move with those of twins, determinizations, and other views.
fn check<G: InformationSets>(
    game: &G,
    table: &Table<G>,
    views: &mut BTreeMap<(u8, u64), G::View>,
    (draws, rng): (u32, &mut SearchRng),
) -> Result<(), String> {
    let Turn::Player(player) = game.turn(&table.truth) else { return Ok(()) };
    let view = &table.views[player.index()];
    let key = game.information_key(&table.truth, player);
    if key != game.information_key(&table.truth.clone(), player) {
        return Err(
            "`information_key` gives two numbers for one state; compute it from the state \
                    alone"
                .into(),
        );
    }
    for _ in 0..draws.max(1) {
        let twin = table.twin(game, player, rng)?;
        let drawn = game.determinize(view, rng);
        let states = twin.map(|twin| (twin.truth, "")).into_iter().chain([(drawn, " (drawn)")]);
        for (state, source) in states {
            if game.information_key(&state, player) != key {
                return Err(format!(
                    "two states{source} that look the same to {player:?} have different `information_key`s; leave out \
                     what she has not seen"
                ));
            }
        }
    }
    match views.get(&(player.0, key)) {
        Some(other) if other != view => Err(format!(
            "{player:?} has one `information_key` for the views {} and {}; include all that she has seen and done",
            short(other),
            short(view)
        )),
        Some(_) => Ok(()),
        None => {
            views.insert((player.0, key), view.clone());
            Ok(())
        }
    }
}
