//! Does a game keep the contract of [`HiddenInformation`], and does a bot keep to what it sees?

use super::check::{Violation, legal_actions, texts};
use crate::game::{Game, HiddenInformation, Player, Turn};
use crate::rng::{self, SearchRng};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

/// How thoroughly [`check_hidden_information`] looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenOptions {
    /// Random games to play.
    pub games: u32,
    /// Actions after which a game is left.
    pub longest_game: u32,
    /// States to draw from each view.
    pub draws: u32,
    /// Seed of the random games.
    pub seed: u64,
}

impl Default for HiddenOptions {
    /// A second or so for a small game.
    fn default() -> Self {
        HiddenOptions { games: 50, longest_game: 10_000, draws: 3, seed: 1 }
    }
}

/// What was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HiddenChecked {
    /// States drawn from views.
    pub drawn: u64,
    /// Pairs of equal views of different truths on which decisions were compared.
    pub decisions: u64,
}

/// Plays seeded random games and compares what players see with what is drawn from their views.
///
/// - The observation that was made has a positive likelihood.
/// - A state drawn from a view shows the last observation, is over exactly if the truth is, has the same player to
///   move if that is the owner of the view, and then the same legal actions.
/// - Equal views and seeds give equal draws.
/// - A second truth, drawn from a view and played on alongside, gives an equal view as long as it shows the same;
///   `decide` then decides equally for both, bit for bit, given equal seeds.
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
    let mut rng = rng::stream(options.seed, 0x48_49_44_45);
    for _ in 0..options.games {
        let mut table = Table::new(game);
        let mut played = Vec::new();
        for _ in 0..options.longest_game {
            let here = |what| Violation { what, actions: texts(&played) };
            let action = match game.turn(&table.truth) {
                Turn::Over(_) => break,
                Turn::Chance => game.random_outcome(&table.truth, &mut rng),
                Turn::Player(player) => {
                    table.compare_decisions(&mut decide, player, &mut checked).map_err(here)?;
                    table.draw_second_truth(game, player, &mut rng);
                    game.random_action(&table.truth, &mut rng)
                }
            };
            table.play(game, action).map_err(here)?;
            played.push(action);
            let here = |what| Violation { what, actions: texts(&played) };
            for player in 0..G::PLAYERS {
                let player = Player(player as u8);
                for _ in 0..options.draws {
                    table.check_draw(game, action, player, &mut rng).map_err(here)?;
                    checked.drawn += 1;
                }
            }
        }
    }
    Ok(checked)
}

/// One truth, everybody's view of it, and for each player another truth that looks the same to her.
struct Table<G: HiddenInformation> {
    truth: G::State,
    views: Vec<G::View>,
    seen: Vec<Option<G::Observation>>,
    seconds: Vec<Option<(G::State, G::View)>>,
}

impl<G: HiddenInformation> Table<G> {
    fn new(game: &G) -> Self {
        let truth = game.start();
        let players = (0..G::PLAYERS).map(|player| Player(player as u8));
        let views = players.map(|player| game.first_view(&truth, player)).collect();
        let seen = alloc::vec![None; G::PLAYERS];
        let seconds = (0..G::PLAYERS).map(|_| None).collect();
        Table { truth, views, seen, seconds }
    }

    fn play(&mut self, game: &G, action: G::Action) -> Result<(), String> {
        let mover = match game.turn(&self.truth) {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        game.apply(&mut self.truth, action);
        for (at, view) in self.views.iter_mut().enumerate() {
            let player = Player(at as u8);
            let observation = game.observe(&self.truth, action, player);
            let likelihood = game.likelihood(&self.truth, action, player, &observation);
            if likelihood.is_nan() || likelihood <= 0.0 {
                return Err(format!(
                    "{observation:?} was made with likelihood {likelihood}; `likelihood` must be positive for whatever \
                     `observe` can give"
                ));
            }
            game.grow(view, Some(action).filter(|_| mover == Some(player)), &observation);
            self.seen[at] = Some(observation);
        }
        (0..G::PLAYERS).try_for_each(|player| self.play_second(game, action, mover, player))
    }

    /// Plays the second truth of a player on, as long as she sees the same there.
    fn play_second(
        &mut self,
        game: &G,
        action: G::Action,
        mover: Option<Player>,
        player: usize,
    ) -> Result<(), String> {
        let Some((mut state, mut view)) = self.seconds[player].take() else { return Ok(()) };
        if !legal_actions(game, &state).contains(&action) {
            return Ok(());
        }
        game.apply(&mut state, action);
        let owner = Player(player as u8);
        let observation = game.observe(&state, action, owner);
        if self.seen[player].as_ref() == Some(&observation) {
            game.grow(&mut view, Some(action).filter(|_| mover == Some(owner)), &observation);
            if view != self.views[player] {
                return Err(format!(
                    "equal observations gave {owner:?} different views; `first_view` and `grow` must use nothing \
                     that the player has not seen"
                ));
            }
            self.seconds[player] = Some((state, view));
        }
        Ok(())
    }

    fn draw_second_truth(&mut self, game: &G, player: Player, rng: &mut SearchRng) {
        let view = &self.views[player.index()];
        self.seconds[player.index()] = Some((game.determinize(view, rng), view.clone()));
    }

    fn compare_decisions<D: PartialEq + Debug>(
        &self,
        decide: &mut impl FnMut(&G::View, u64) -> D,
        player: Player,
        checked: &mut HiddenChecked,
    ) -> Result<(), String> {
        let Some((_, view)) = &self.seconds[player.index()] else { return Ok(()) };
        checked.decisions += 1;
        let (one, other) = (decide(&self.views[player.index()], 7), decide(view, 7));
        if one == other {
            return Ok(());
        }
        Err(format!(
            "equal views and seeds led to the decisions {one:?} and {other:?}; decide by the view and the seed \
             alone, with a new search each time"
        ))
    }

    fn check_draw(
        &self,
        game: &G,
        last: G::Action,
        player: Player,
        rng: &mut SearchRng,
    ) -> Result<(), String> {
        let view = &self.views[player.index()];
        let seed = rng::below(rng, 1 << 30) as u64;
        let drawn = game.determinize(view, &mut rng::stream(seed, 0));
        let again = game.determinize(view, &mut rng::stream(seed, 0));
        if fingerprint(game, drawn.clone(), seed) != fingerprint(game, again, seed) {
            return Err("equal views and seeds gave different states; draw in `determinize` from its generator alone, \
                        and from no hash map"
                .into());
        }
        let observation = Some(game.observe(&drawn, last, player));
        let seen = &self.seen[player.index()];
        if observation != *seen {
            return Err(format!(
                "a state drawn from the view shows {observation:?}, not {seen:?}; `determinize` must give states \
                 that agree with all that the player has seen"
            ));
        }
        match (game.turn(&self.truth), game.turn(&drawn)) {
            (Turn::Over(_), Turn::Over(_)) => Ok(()),
            (Turn::Over(_), _) | (_, Turn::Over(_)) => {
                Err("a state drawn from the view is over, or the truth is, but not both; players see the end of a \
                     game, so let the view hold it"
                    .into())
            }
            (Turn::Player(mover), of_drawn) if mover == player => {
                if of_drawn != Turn::Player(mover) {
                    return Err(format!(
                        "it is {player:?}'s turn, but {of_drawn:?} where drawn; let the view hold whose turn it is"
                    ));
                }
                let (legal, of_drawn) =
                    (legal_actions(game, &self.truth), legal_actions(game, &drawn));
                if legal == of_drawn {
                    return Ok(());
                }
                Err(format!(
                    "{legal:?} are legal, but {of_drawn:?} where drawn from the view; legal actions must follow from \
                     what their player has seen, in one order"
                ))
            }
            _ => Ok(()),
        }
    }
}

/// What happens in a random game of a few actions from `state`.
fn fingerprint<G: Game>(game: &G, mut state: G::State, seed: u64) -> Vec<String> {
    let mut rng = rng::stream(seed, 1);
    let mut actions = Vec::new();
    for _ in 0..20 {
        let action = match game.turn(&state) {
            Turn::Over(_) => break,
            Turn::Chance => game.random_outcome(&state, &mut rng),
            Turn::Player(_) => game.random_action(&state, &mut rng),
        };
        game.apply(&mut state, action);
        actions.push(format!("{action:?}"));
    }
    actions
}
