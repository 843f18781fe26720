//! The judge's side.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::time::Duration;

use mcts_core::{Game, Player, Turn};

use super::{action_of, expect_numbers, number_of};
use crate::judging::{Clocks, Fault, Judging, Outcome, Status, TimeLimits};
use crate::svg::BoardCell;
use crate::wire::{FINISH, READY, legal_answers, numbers_after};

/// Judges one game; the seat of a player is the player's index.
#[derive(Debug, Clone)]
pub struct NumberedJudge<G: Game> {
    game: G,
    first_state: G::State,
    state: G::State,
    last: Option<(Player, G::Action)>,
    drawing: Option<Drawing<G::State>>,
}

/// How a game is drawn whose actions are numbers.
#[derive(Debug, Clone, Copy)]
pub struct Drawing<S> {
    /// The position as SVG, with the number of the last action.
    pub draw: fn(&S, Option<usize>) -> String,
    /// The cells of an action's number.
    pub cells: fn(usize) -> Vec<BoardCell>,
}

impl<G: Game> NumberedJudge<G> {
    /// A game from `state`.
    ///
    /// # Panics
    /// If [`Game::action_indices`] is 0.
    #[must_use]
    pub fn new(game: G, state: G::State) -> Self {
        expect_numbers(&game);
        NumberedJudge { game, first_state: state.clone(), state, last: None, drawing: None }
    }

    /// The same with pictures.
    #[must_use]
    pub fn with_drawing(mut self, drawing: Drawing<G::State>) -> Self {
        self.drawing = Some(drawing);
        self
    }

    fn player_to_move(&self) -> Option<Player> {
        match self.game.turn(&self.state) {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over(_) => None,
        }
    }
}

impl<G> Judging for NumberedJudge<G>
where
    G: Game<State: fmt::Display + fmt::Debug> + fmt::Debug,
{
    fn seats(&self) -> usize {
        2
    }

    fn time_limits(&self) -> TimeLimits {
        let whole_game = Duration::from_millis(5_000);
        TimeLimits { wall: whole_game, cpu: Some(whole_game) }
    }

    fn opening(&self, _seat: usize) -> Vec<String> {
        vec![format!("BOARD {}", self.first_state), READY.to_string()]
    }

    fn status(&self) -> Status {
        let utilities = match self.game.turn(&self.state) {
            Turn::Player(player) => return Status::ToMove(player.index()),
            Turn::Over(utilities) => utilities,
            Turn::Chance => unreachable!("games of perfect information have no chance"),
        };
        let of = |player| utilities.of_player(player);
        let first = of(Player::FIRST).partial_cmp(&of(Player::SECOND)).unwrap_or(Ordering::Equal);
        let description = match first {
            Ordering::Greater => "the first player wins",
            Ordering::Equal => "a draw",
            Ordering::Less => "the second player wins",
        };
        Status::Over(Outcome::of_two(first, description.to_string()))
    }

    fn request(&self, clocks: &Clocks) -> Vec<String> {
        let seat = self.player_to_move().map_or(0, Player::index);
        let left =
            |seat: usize| clocks.wall_left.get(seat).copied().unwrap_or_default().as_millis();
        vec![format!("TURN {} {}", left(seat), left(1 - seat))]
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        let [number] = numbers_after("MOVE", line).map_err(|e| e.of("\"MOVE number\""))?;
        let player = self.player_to_move();
        let action = player.and_then(|_| action_of(&self.game, &self.state, number));
        let (Some(player), Some(action)) = (player, action) else {
            let most = self.game.action_indices();
            let why = format!(
                "MOVE {number} is not legal now; expected the number of a legal action, 1 to {most}"
            );
            return Err(Fault::Illegal(why));
        };
        self.game.apply(&mut self.state, action);
        self.last = Some((player, action));
        Ok(())
    }

    fn notice(&self, seat: usize, used: Duration) -> Vec<String> {
        let told = self.last.filter(|(player, _)| player.index() != seat);
        let line = |action| format!("OPP {} {}", number_of(&self.game, action), used.as_millis());
        told.map(|(_, action)| line(action)).into_iter().collect()
    }

    fn farewell(&self) -> Option<String> {
        Some(FINISH.to_string())
    }

    fn position(&self) -> String {
        self.state.to_string()
    }

    fn picture(&self) -> String {
        self.state.to_string().replace('/', "\n") + "\n"
    }

    fn drawing(&self) -> Option<String> {
        let last = self.last.map(|(_, action)| number_of(&self.game, action));
        self.drawing.as_ref().map(|drawing| (drawing.draw)(&self.state, last))
    }

    fn cells(&self, answer: &str) -> Vec<BoardCell> {
        let number = numbers_after("MOVE", answer).ok();
        let number = number.and_then(|[number]| usize::try_from(number).ok());
        let drawing = self.drawing.as_ref().zip(number);
        drawing.map(|(drawing, number)| (drawing.cells)(number)).unwrap_or_default()
    }

    fn last_action(&self) -> Option<String> {
        self.last.map(|(_, action)| format!("MOVE {}", number_of(&self.game, action)))
    }

    fn legal_answers(&self) -> Vec<String> {
        let line = |action| format!("MOVE {}", number_of(&self.game, action));
        legal_answers(&self.game, &self.state, line)
    }
}
