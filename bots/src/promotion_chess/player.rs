//! Adapts the real game to the game that is searched.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

use games::promotion_chess::protocol::PromotionChessClient;
use games::promotion_chess::{Action, Position, PromotionChess};
use games::{Client, Received, TimeTold};
use mcts_core::Clock;

use super::decisive::{Decisive, History};
use super::mate_search::MateSearch;
use crate::client_seat::{Decision, Player};
use crate::seat::NextSlice;

/// The client of the real game, for a player that searches [`Decisive`].
#[derive(Debug)]
pub(super) struct DecisiveClient {
    client: PromotionChessClient,
    game: Decisive,
    history: History,
}

impl DecisiveClient {
    pub(super) fn new(game: PromotionChess) -> Self {
        DecisiveClient {
            client: PromotionChessClient::new(game),
            game: Decisive { game, ..Decisive::default() },
            history: History::default(),
        }
    }
}

impl Client for DecisiveClient {
    type Game = Decisive;
    type Position = Position;
    type Action = Action;

    fn receive(&mut self, line: &str) -> Received {
        let received = self.client.receive(line);
        if self.position().ply() == 0 {
            self.history = History::default();
            self.game.repeated = self.history.repeated();
        }
        received
    }

    fn game(&self) -> &Decisive {
        &self.game
    }

    fn position(&self) -> &Position {
        self.client.position()
    }

    fn player(&self) -> Option<mcts_core::Player> {
        self.client.player()
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.client.set_position(text)?;
        self.history = History::default();
        self.game.repeated = self.history.repeated();
        Ok(())
    }

    fn name(&self, action: &Action) -> Option<String> {
        self.client.name(action)
    }

    fn act(&mut self, action: Action) -> String {
        let line = self.client.act(action);
        self.history.note(self.client.position());
        self.game.repeated = self.history.repeated();
        line
    }
}

/// Plays short mates found by the mate search, and leaves all other decisions to another player.
#[derive(Debug)]
pub(super) struct Mating<P>(pub(super) P);

/// The longest mate searched for, in actions of the attacker.
const LONGEST_MATE: u32 = 3;

/// Node limit of the mate search: about 10 ms.
const LOOKS: u32 = 30_000;

/// With less time on the clock, the node limit is a tenth.
const HURRIED_BELOW: Duration = Duration::from_millis(500);

impl<P: Player<DecisiveClient>> Player<DecisiveClient> for Mating<P> {
    fn decide(
        &mut self,
        client: &DecisiveClient,
        told: TimeTold,
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        let rules = &client.game().game.rules;
        let is_hurried = told.own.is_some_and(|left| left < HURRIED_BELOW);
        let looks = if is_hurried { LOOKS / 10 } else { LOOKS };
        match MateSearch::new(rules, looks).shortest(client.position(), LONGEST_MATE) {
            Some((action, moves)) => {
                let report = format!("value=1.0000 proven=1.0000 plies={}", 2 * moves - 1);
                Some(Decision { action, report: Some(report) })
            }
            None => self.0.decide(client, told, clock),
        }
    }

    fn analyses(&self) -> bool {
        true
    }

    fn analyse(
        &mut self,
        client: &DecisiveClient,
        clock: &dyn Clock,
        next: &mut NextSlice<'_>,
    ) -> bool {
        self.0.analyse(client, clock, next)
    }

    fn answered(&mut self, started_nanos: u64, clock: &dyn Clock) {
        self.0.answered(started_nanos, clock);
    }

    fn opponents_turn(&mut self, client: &DecisiveClient) {
        self.0.opponents_turn(client);
    }
}
