//! A seat made of a protocol client and a player: lines in, decisions out.

use crate::seat::{Answer, NextSlice, Seat};
use alloc::string::String;
use games::{Client, Received, TimeTold};
use mcts_core::Clock;

/// A decision with its report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision<A> {
    /// The action to play.
    pub action: A,
    /// `key=value` words about the search, see [`Seat::report`].
    pub report: Option<String>,
}

/// Chooses actions in the position of a client.
pub trait Player<C: Client> {
    /// Chooses an action; `None` only if there is none.
    fn decide(
        &mut self,
        client: &C,
        told: TimeTold,
        clock: &dyn Clock,
    ) -> Option<Decision<C::Action>>;

    /// Whether [`analyse`](Player::analyse) searches.
    fn analyses(&self) -> bool {
        false
    }

    /// Searches the position of the client in slices, see [`Seat::analyse`]; false if it does not search.
    fn analyse(&mut self, client: &C, clock: &dyn Clock, next: &mut NextSlice<'_>) -> bool {
        let _ = (client, clock, next);
        false
    }

    /// Called after each answer; the time since `started_nanos` includes the reading of the
    /// request.
    fn answered(&mut self, started_nanos: u64, clock: &dyn Clock) {
        let _ = (started_nanos, clock);
    }

    /// Called after the answer, when the opponent is to act: a player that ponders starts now.
    fn opponents_turn(&mut self, client: &C) {
        let _ = client;
    }
}

/// A seat made of a protocol client and a player.
#[derive(Debug)]
pub struct ClientSeat<C, P> {
    client: C,
    player: P,
    report: Option<String>,
}

impl<C, P> ClientSeat<C, P> {
    /// A seat where `player` decides.
    pub fn new(client: C, player: P) -> Self {
        ClientSeat { client, player, report: None }
    }
}

impl<C, P> Seat for ClientSeat<C, P>
where
    C: Client,
    C::Action: Copy,
    P: Player<C>,
{
    fn receive(&mut self, line: &str, clock: &dyn Clock) -> Answer {
        let started_nanos = clock.monotonic_nanos();
        self.report = None;
        let answer = match self.client.receive(line) {
            Received::Noted => return Answer::Nothing,
            Received::Skipped(why) => {
                tracing::warn!(line, why, "skipped a line");
                return Answer::Nothing;
            }
            Received::Finish => return Answer::Leave,
            Received::Reply(reply) => reply,
            Received::Act(told) => match self.player.decide(&self.client, told, clock) {
                None => {
                    tracing::warn!(line, "asked for an action although none is legal");
                    return Answer::Nothing;
                }
                Some(decision) => {
                    self.report = decision.report;
                    let line = self.client.act(decision.action);
                    self.player.opponents_turn(&self.client);
                    line
                }
            },
        };
        self.player.answered(started_nanos, clock);
        Answer::Line(answer)
    }

    // a submission is never asked to, so it leaves this code out
    #[cfg(feature = "std")]
    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.client.set_position(text)
    }

    #[cfg(feature = "std")]
    fn analyse(&mut self, line: &str, clock: &dyn Clock, next: &mut NextSlice<'_>) -> bool {
        // The line is left for `receive` if the player does not search.
        if !self.player.analyses() {
            return false;
        }
        match self.client.receive(line) {
            Received::Act(_) => self.player.analyse(&self.client, clock, next),
            _ => false,
        }
    }

    fn report(&self) -> Option<String> {
        self.report.clone()
    }
}
