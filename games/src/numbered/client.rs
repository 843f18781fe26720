//! The player's side.

use alloc::format;
use alloc::string::{String, ToString};
use core::str::{FromStr, SplitAsciiWhitespace};

use mcts_core::{Game, Turn};

use super::{action_of, expect_numbers, number_of};
use crate::client::{Client, Received, TimeTold};
use crate::notation::{NotationError, Quoted};
use crate::wire::{OK, told_millis};

/// Follows a game and applies the actions of both sides by itself.
#[derive(Debug, Clone)]
pub struct NumberedClient<G: Game> {
    game: G,
    state: G::State,
}

impl<G: Game> NumberedClient<G> {
    /// At the start of a game, until a `BOARD` says otherwise.
    ///
    /// # Panics
    /// If [`Game::action_indices`] is 0.
    #[must_use]
    pub fn new(game: G) -> Self {
        expect_numbers(&game);
        let state = game.start();
        NumberedClient { game, state }
    }

    fn is_over(&self) -> bool {
        !matches!(self.game.turn(&self.state), Turn::Player(_))
    }

    fn read_turn(&self, mut words: SplitAsciiWhitespace<'_>) -> Result<Received, String> {
        if self.is_over() {
            return Err("TURN although the game is over".to_string());
        }
        let own = words.next().and_then(told_millis);
        Ok(Received::Act(TimeTold { own, opponent: words.next().and_then(told_millis) }))
    }

    fn read_opponent(&mut self, number: Option<&str>) -> Result<Received, String> {
        let number = number.and_then(|number| number.parse().ok()).ok_or("OPP without a number")?;
        if self.is_over() {
            return Err("OPP although the game is over".to_string());
        }
        let action = action_of(&self.game, &self.state, number)
            .ok_or_else(|| format!("OPP {number} is not possible now"))?;
        self.game.apply(&mut self.state, action);
        Ok(Received::Noted)
    }
}

impl<G: Game<State: FromStr<Err = NotationError>>> NumberedClient<G> {
    fn read_board(&mut self, text: Option<&str>) -> Result<Received, String> {
        let text = text.ok_or("BOARD without a position")?;
        self.state = text.parse().map_err(|error| format!("BOARD {text}: {error}"))?;
        Ok(Received::Noted)
    }
}

impl<G: Game<State: FromStr<Err = NotationError>>> Client for NumberedClient<G> {
    type Game = G;
    type Position = G::State;
    type Action = G::Action;

    fn receive(&mut self, line: &str) -> Received {
        let mut words = line.split_ascii_whitespace();
        let received = match words.next() {
            None => Ok(Received::Noted),
            Some("BOARD") => self.read_board(words.next()),
            Some("READY") => Ok(Received::Reply(OK.to_string())),
            Some("TURN") => self.read_turn(words),
            Some("OPP") => self.read_opponent(words.next()),
            Some("FINISH") => Ok(Received::Finish),
            Some(word) => Err(format!("unknown keyword {}", Quoted(word))),
        };
        received.unwrap_or_else(Received::Skipped)
    }

    fn game(&self) -> &G {
        &self.game
    }

    fn position(&self) -> &G::State {
        &self.state
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.state = text.parse().map_err(|error: NotationError| error.to_string())?;
        Ok(())
    }

    fn name(&self, action: &G::Action) -> Option<String> {
        Some(number_of(&self.game, *action).to_string())
    }

    fn act(&mut self, action: G::Action) -> String {
        self.game.apply(&mut self.state, action);
        format!("MOVE {}", number_of(&self.game, action))
    }
}
