//! Lists every state near the start, so that the states consistent with a view are known.

use super::HiddenOptions;
use super::table::{Table, behaviour, players};
use crate::game::{HiddenInformation, Player, Turn};
use crate::rng::{self, SearchRng};
use crate::testing::check::text::list;
use crate::testing::check::{Violation, legal_actions};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Number of views that are checked.
const VIEWS: usize = 60;
/// Maximum number of different behaviours of the states consistent with a view.
const MOST_MEMBERS: usize = 300;
/// Maximum number of samples from one view: a state of probability 1/100 is missed with a
/// probability below 10^-8.
const MOST_DRAWS: u64 = 2_000;
/// Maximum number of behaviours computed in total.
const MOST_BEHAVIOURS: u64 = 10_000;

/// A position of the game with the actions that led to it.
struct Place<G: HiddenInformation> {
    state: G::State,
    views: Vec<G::View>,
    line: Vec<G::Action>,
}

/// All positions up to some number of actions.
struct Listed<G: HiddenInformation> {
    places: Vec<Place<G>>,
    /// All positions of at most this number of actions are listed; `None` if the whole game is.
    depth: Option<usize>,
}

impl<G: HiddenInformation> Listed<G> {
    fn new(game: &G, most: usize) -> Result<Self, Violation> {
        let start = Table::new(game);
        let mut places = vec![Place { state: start.truth, views: start.views, line: Vec::new() }];
        let mut layer = 0;
        loop {
            let end = places.len();
            for at in layer..end {
                for next in after(game, &places[at])? {
                    if places.len() >= most {
                        let depth = places[at].line.len();
                        places.truncate(end);
                        return Ok(Listed { places, depth: Some(depth) });
                    }
                    places.push(next);
                }
            }
            if places.len() == end {
                return Ok(Listed { places, depth: None });
            }
            layer = end;
        }
    }

    /// The listed positions consistent with the view of `player` at `place`; `None` if unlisted
    /// positions may be consistent, too.
    fn members(&self, place: &Place<G>, player: Player) -> Option<Vec<&Place<G>>> {
        let view = &place.views[player.index()];
        let agrees = |other: &&Place<G>| other.views[player.index()] == *view;
        let members: Vec<&Place<G>> = self.places.iter().filter(agrees).collect();
        // views contain the number of actions, as far as can be checked: the positions of one view
        // have equal lengths
        let is_one_length = || members.iter().all(|member| member.line.len() == place.line.len());
        let is_known = self.depth.is_none_or(|depth| place.line.len() < depth && is_one_length());
        is_known.then_some(members)
    }
}

/// The positions after one action.
fn after<G: HiddenInformation>(game: &G, place: &Place<G>) -> Result<Vec<Place<G>>, Violation> {
    if matches!(game.turn(&place.state), Turn::Over(_)) {
        return Ok(Vec::new());
    }
    let actions = legal_actions(game, &place.state).into_iter();
    let play = |action| {
        let (truth, views) = (place.state.clone(), place.views.clone());
        let mut table = Table { truth, views, steps: Vec::new() };
        table.play(game, action).map_err(|what| Violation::at(what, &place.line))?;
        let mut line = place.line.clone();
        line.push(action);
        Ok(Place { state: table.truth, views: table.views, line })
    };
    actions.map(play).collect()
}

/// Lists the positions near the start, and compares the determinizations of some of their views
/// with the consistent states; returns the number of those views.
pub(super) fn check<G: HiddenInformation>(
    game: &G,
    options: &HiddenOptions,
    rng: &mut SearchRng,
) -> Result<u64, Violation> {
    let start = Table::new(game);
    let is_dealt = players::<G>().any(|player| {
        let drawn = game.determinize(&start.views[player.index()], rng);
        behaviour(game, &drawn) != behaviour(game, &start.truth)
    });
    if is_dealt {
        // the start itself hides information, and the rules list only what chance events hide
        return Ok(0);
    }
    let listed = Listed::new(game, options.positions as usize)?;
    let mut left = MOST_BEHAVIOURS;
    let mut checked = 0;
    for number in 0..VIEWS.min(listed.places.len() * G::PLAYERS) {
        let place = &listed.places[rng::below(rng, listed.places.len())];
        let player = players::<G>().nth(number % G::PLAYERS).unwrap_or(Player::FIRST);
        let Some(members) = listed.members(place, player) else { continue };
        let compared = compare(game, (place, player), &members, (rng, &mut left));
        checked += u64::from(compared.map_err(|what| Violation::at(what, &place.line))?);
        if left == 0 {
            break;
        }
    }
    Ok(checked)
}

/// Compares samples from the view of `player` at `place` with the consistent positions; returns
/// whether that was possible.
fn compare<G: HiddenInformation>(
    game: &G,
    (place, player): (&Place<G>, Player),
    members: &[&Place<G>],
    (rng, left): (&mut SearchRng, &mut u64),
) -> Result<bool, String> {
    if members.len() > MOST_MEMBERS {
        return Ok(false);
    }
    let mut missing: BTreeMap<u64, &Place<G>> = BTreeMap::new();
    for member in members {
        missing.insert(behaviour(game, &member.state), member);
    }
    *left = left.saturating_sub(members.len() as u64);
    let known: Vec<u64> = missing.keys().copied().collect();
    let mut draws = 0;
    // a few more samples after all have occurred, to find an inconsistent state
    while draws < MOST_DRAWS && *left > 0 && (!missing.is_empty() || draws < 20) {
        draws += 1;
        *left -= 1;
        let drawn = game.determinize(&place.views[player.index()], rng);
        let found = behaviour(game, &drawn);
        if known.binary_search(&found).is_err() {
            return Err(format!(
                "`determinize` drew a state for {player:?} that no game with her view leads to (next there: {:?}, {}); draw \
                 only what agrees with all that she has seen, and nothing twice, such as a card that she holds",
                game.turn(&drawn),
                list(&legal_actions(game, &drawn))
            ));
        }
        missing.remove(&found);
    }
    match missing.values().next() {
        Some(never) if draws >= MOST_DRAWS => Err(format!(
            "{draws} draws from the view of {player:?} never gave the state after {}, which looks the same to her; every \
             state that agrees with the view must have a positive probability",
            list(&never.line)
        )),
        _ => Ok(*left > 0),
    }
}
