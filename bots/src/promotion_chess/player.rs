//! From the game as it is played to the game as it is searched.

use alloc::string::String;

use games::promotion_chess::protocol::PromotionChessClient;
use games::promotion_chess::{Action, Position, PromotionChess};
use games::{Client, Received, TimeTold};
use mcts_core::Clock;

use super::decisive::{Decisive, mate_in_one};
use crate::client_seat::{Decision, Player};

/// The client of the game as it is played, for a player who searches [`Decisive`].
#[derive(Debug)]
pub(super) struct DecisiveClient {
    client: PromotionChessClient,
    game: Decisive,
}

impl DecisiveClient {
    pub(super) fn new(game: PromotionChess) -> Self {
        DecisiveClient { client: PromotionChessClient::new(game), game: Decisive { game } }
    }
}

impl Client for DecisiveClient {
    type Game = Decisive;
    type Position = Position;
    type Action = Action;

    fn receive(&mut self, line: &str) -> Received {
        self.client.receive(line)
    }

    fn game(&self) -> &Decisive {
        &self.game
    }

    fn position(&self) -> &Position {
        self.client.position()
    }

    fn act(&mut self, action: Action) -> String {
        self.client.act(action)
    }
}

/// Plays a mate in one at sight and leaves everything else to another player.
#[derive(Debug)]
pub(super) struct Mating<P>(pub(super) P);

impl<P: Player<DecisiveClient>> Player<DecisiveClient> for Mating<P> {
    fn decide(
        &mut self,
        client: &DecisiveClient,
        told: TimeTold,
        clock: &dyn Clock,
    ) -> Option<Decision<Action>> {
        match mate_in_one(&client.game().game.rules, client.position()) {
            Some(action) => Some(Decision { action, report: Some("value=1 plies=1".into()) }),
            None => self.0.decide(client, told, clock),
        }
    }

    fn answered(&mut self, started_nanos: u64, clock: &dyn Clock) {
        self.0.answered(started_nanos, clock);
    }
}
