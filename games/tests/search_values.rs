//! The values that the search proves for endings equal those of an exhaustive search, for both
//! representations of passes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use games::reversi::{Action, Position, Reversi};
use mcts_core::{Budget, Game, NoClock, Player, Search, StopReason, Turn, Uct, Utilities};

/// Reversi in which a player without a move is skipped.
#[derive(Debug, Clone, Copy)]
struct WithoutPasses(Reversi);

impl Game for WithoutPasses {
    type State = Position;
    type Action = Action;

    fn start(&self) -> Position {
        self.0.start()
    }
    fn turn(&self, position: &Position) -> Turn {
        self.0.turn(position)
    }
    fn actions(&self, position: &Position, visit: impl FnMut(Action)) {
        self.0.actions(position, visit);
    }
    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
        if position.moves() == 0 && !position.is_over() {
            position.apply(Action::PASS);
        }
    }
    fn action_index(&self, action: Action) -> Option<usize> {
        self.0.action_index(action)
    }
    fn action_indices(&self) -> usize {
        self.0.action_indices()
    }
}

/// The first player's utility under best play, by exhaustive search.
fn exhaustive<G: Game>(game: &G, state: &G::State) -> f32 {
    let player = match game.turn(state) {
        Turn::Over(utilities) => return utilities.of_player(Player::FIRST),
        Turn::Player(player) => player,
        Turn::Chance => unreachable!("there is no chance in this game"),
    };
    let sign = Utilities::win(player).of_player(Player::FIRST);
    let mut best = f32::NEG_INFINITY;
    game.actions(state, |action| {
        let mut after = state.clone();
        game.apply(&mut after, action);
        best = best.max(sign * exhaustive(game, &after));
    });
    sign * best
}

/// The first player's utility as proven by the search.
fn proven<G: Game>(game: &G, state: &G::State, seed: u64) -> f32 {
    let Turn::Player(player) = game.turn(state) else { return exhaustive(game, state) };
    let mut search = Uct::default().search(Wrapped(game), seed);
    let report = search.run_with_clock(state, &Budget::UNLIMITED.to_the_end(), &NoClock).unwrap();
    assert_eq!(report.stopped_by, StopReason::Proven);
    Utilities::win(player).of_player(Player::FIRST) * report.value().unwrap()
}

/// A game by reference.
struct Wrapped<'a, G>(&'a G);

impl<G: Game> Game for Wrapped<'_, G> {
    type State = G::State;
    type Action = G::Action;

    fn start(&self) -> G::State {
        self.0.start()
    }
    fn turn(&self, state: &G::State) -> Turn {
        self.0.turn(state)
    }
    fn actions(&self, state: &G::State, visit: impl FnMut(G::Action)) {
        self.0.actions(state, visit);
    }
    fn apply(&self, state: &mut G::State, action: G::Action) {
        self.0.apply(state, action);
    }
    fn action_index(&self, action: G::Action) -> Option<usize> {
        self.0.action_index(action)
    }
    fn action_indices(&self) -> usize {
        self.0.action_indices()
    }
}

fn leads_to_a_pass(position: &Position) -> bool {
    let mut found = position.moves() == 0 && !position.is_over();
    if !position.is_over() {
        Reversi::default().actions(position, |action| {
            let mut after = *position;
            after.apply(action);
            found = found || leads_to_a_pass(&after);
        });
    }
    found
}

#[test]
fn reversi_endings_are_proven_right_with_passes_and_without() {
    let mut passes = 0;
    for seed in 0..120 {
        let text = (games::find("reversi").unwrap().random_start)(seed, 52);
        let position: Position = text.parse().unwrap();
        passes += u32::from(leads_to_a_pass(&position));
        let game = Reversi::default();
        let expected = exhaustive(&game, &position);
        let at = format!("seed {seed}: {text}");
        assert!((proven(&game, &position, seed) - expected).abs() < 1e-6, "{at}");
        assert!((proven(&WithoutPasses(game), &position, seed) - expected).abs() < 1e-6, "{at}");
    }
    assert!(passes > 3, "some of the endings have a pass: {passes}");
}
