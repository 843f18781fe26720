//! A game with the views of all players, and twins that look the same to one player.

use crate::game::{Game, HiddenInformation, Player, Turn};
use crate::rng::{self, SearchRng};
use crate::testing::check::behaviour::{TextHash, signature};
use crate::testing::check::legal_actions;
use crate::testing::check::text::{list, short};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A game in progress: the true state, and the view of each player.
#[derive(Debug)]
pub(super) struct Table<G: HiddenInformation> {
    pub(super) truth: G::State,
    pub(super) views: Vec<G::View>,
    pub(super) steps: Vec<Step<G>>,
}

/// One action with each player's observation of it.
#[derive(Debug)]
pub(super) struct Step<G: HiddenInformation> {
    pub(super) mover: Option<Player>,
    pub(super) action: G::Action,
    pub(super) seen: Vec<G::Observation>,
}

/// All players.
pub(super) fn players<G: Game>() -> impl Iterator<Item = Player> {
    (0..G::PLAYERS).map(|player| Player(player as u8))
}

/// The player to move, if it is not chance.
fn mover<G: Game>(game: &G, state: &G::State) -> Option<Player> {
    match game.turn(state) {
        Turn::Player(player) => Some(player),
        _ => None,
    }
}

/// A hash of the behaviour of a state and of what the players see of it.
pub(super) fn behaviour<G: HiddenInformation>(game: &G, state: &G::State) -> u64 {
    signature(game, state, |hash: &mut TextHash, after, action| {
        players::<G>().for_each(|player| hash.add(&game.observe(after, action, player)));
    })
}

impl<G: HiddenInformation> Table<G> {
    pub(super) fn new(game: &G) -> Self {
        let truth = game.start();
        let views = players::<G>().map(|player| game.first_view(&truth, player)).collect();
        Table { truth, views, steps: Vec::new() }
    }

    pub(super) fn play(&mut self, game: &G, action: G::Action) -> Result<(), String> {
        let mover = mover(game, &self.truth);
        game.apply(&mut self.truth, action);
        let mut seen = Vec::new();
        for (player, view) in players::<G>().zip(&mut self.views) {
            let observation = game.observe(&self.truth, action, player);
            if observation != game.observe(&self.truth, action, player) {
                return Err(format!(
                    "`observe` gives {player:?} two observations of one action; draw nothing there, and let chance \
                     actions decide what is seen"
                ));
            }
            let likelihood = game.likelihood(&self.truth, action, player, &observation);
            if !(likelihood > 0.0 && likelihood.is_finite()) {
                return Err(format!(
                    "{} was made with likelihood {likelihood}; `likelihood` must be positive for every result of `observe` \
                     can give",
                    short(&observation)
                ));
            }
            game.grow(view, Some(action).filter(|_| mover == Some(player)), &observation);
            seen.push(observation);
        }
        self.steps.push(Step { mover, action, seen });
        Ok(())
    }

    /// The actions so far.
    pub(super) fn actions(&self) -> Vec<G::Action> {
        self.steps.iter().map(|step| step.action).collect()
    }

    /// Another game in which `player` does and sees the same, with random other actions: her own
    /// actions are kept, and each other action is any that she cannot distinguish. `None` if none
    /// is found.
    pub(super) fn twin(
        &self,
        game: &G,
        player: Player,
        rng: &mut SearchRng,
    ) -> Result<Option<Table<G>>, String> {
        const TRIES: usize = 24;
        let mut twin = Table::new(game);
        for step in &self.steps {
            let legal = legal_actions(game, &twin.truth);
            let is_own = mover(game, &twin.truth) == Some(player);
            if is_own != (step.mover == Some(player)) || legal.is_empty() {
                return Ok(None);
            }
            let shows_the_same = |action: &G::Action| {
                let mut after = twin.truth.clone();
                game.apply(&mut after, *action);
                game.observe(&after, *action, player) == step.seen[player.index()]
            };
            let found = if is_own {
                Some(step.action).filter(|action| legal.contains(action) && shows_the_same(action))
            } else {
                let first = rng::below(rng, legal.len());
                let mut from_there = legal.iter().cycle().skip(first).take(legal.len().min(TRIES));
                from_there.find(|action| shows_the_same(action)).copied()
            };
            let Some(action) = found else { return Ok(None) };
            twin.play(game, action)?;
        }
        if twin.views[player.index()] != self.views[player.index()] {
            return Err(format!(
                "equal observations gave {player:?} different views; `first_view` and `grow` must use nothing that the \
                 player has not seen"
            ));
        }
        let over = |table: &Table<G>| matches!(game.turn(&table.truth), Turn::Over(_));
        Ok(Some(twin).filter(|twin| over(twin) == over(self)))
    }

    /// Replays the whole game with the methods of `game`, so that rules that illegally store the
    /// last true state store this one.
    pub(super) fn show(&self, game: &G, player: Player) {
        let mut state = game.start();
        let mut view = game.first_view(&state, player);
        for step in &self.steps {
            let _ = game.turn(&state);
            game.apply(&mut state, step.action);
            players::<G>().filter(|other| *other != player).for_each(|other| {
                let _ = game.observe(&state, step.action, other);
            });
            let observation = game.observe(&state, step.action, player);
            let own = Some(step.action).filter(|_| step.mover == Some(player));
            game.grow(&mut view, own, &observation);
        }
        let _ = game.turn(&self.truth);
        let _ = game.hash(&self.truth);
        let _ = legal_actions(game, &self.truth);
    }

    /// Samples from the view of `player` and compares the state with what she has seen; returns its
    /// behaviour.
    pub(super) fn check_draw(
        &self,
        game: &G,
        player: Player,
        rng: &mut SearchRng,
    ) -> Result<(), String> {
        let view = &self.views[player.index()];
        let seed = rng::below(rng, 1 << 30) as u64;
        let drawn = game.determinize(view, &mut rng::stream(seed, 0));
        let again = game.determinize(view, &mut rng::stream(seed, 0));
        if sketch(game, drawn.clone(), seed) != sketch(game, again, seed) {
            return Err("equal views and seeds gave different states; draw in `determinize` from its generator alone, \
                        and from no hash map"
                .into());
        }
        let Some(last) = self.steps.last() else { return Ok(()) };
        let observation = game.observe(&drawn, last.action, player);
        let seen = &last.seen[player.index()];
        if observation != *seen {
            return Err(format!(
                "a state drawn from the view shows {}, not {}; `determinize` must give states that agree with all that \
                 the player has seen",
                short(&observation),
                short(seen)
            ));
        }
        self.compare_turns(game, player, &drawn)
    }

    /// Compares turn and legal actions of the owner of a view with a sampled state.
    fn compare_turns(&self, game: &G, player: Player, drawn: &G::State) -> Result<(), String> {
        match (game.turn(&self.truth), game.turn(drawn)) {
            (Turn::Over(_), Turn::Over(_)) => Ok(()),
            (Turn::Over(_), _) | (_, Turn::Over(_)) => {
                Err("a state drawn from the view is over, or the truth is, but not both; players see the end of a \
                     game, so let the view hold it"
                    .into())
            }
            (Turn::Player(mover), of_drawn) if mover == player => {
                if of_drawn != Turn::Player(mover) {
                    return Err(format!(
                        "it is {player:?}'s turn, but {of_drawn:?} in a determinization; store the player to move in the view"
                    ));
                }
                let (legal, of_drawn) =
                    (legal_actions(game, &self.truth), legal_actions(game, drawn));
                if legal == of_drawn {
                    return Ok(());
                }
                Err(format!(
                    "{} are legal, but {} where drawn from the view; legal actions must follow from what their player \
                     has seen, in one order",
                    list(&legal),
                    list(&of_drawn)
                ))
            }
            (_, Turn::Player(of_drawn)) if of_drawn == player => Err(format!(
                "it is not {player:?}'s turn, but it is in a determinization of her view; store the player to move in the view"
            )),
            _ => Ok(()),
        }
    }
}

/// The course of a random game of a few actions from `state`.
fn sketch<G: Game>(game: &G, mut state: G::State, seed: u64) -> Vec<u64> {
    let mut rng = rng::stream(seed, 1);
    let mut actions = vec![];
    for _ in 0..20 {
        let action = match game.turn(&state) {
            Turn::Over(_) => break,
            Turn::Chance => game.random_outcome(&state, &mut rng),
            Turn::Player(_) => game.random_action(&state, &mut rng),
        };
        game.apply(&mut state, action);
        actions.push(TextHash::of(&action));
    }
    actions
}
