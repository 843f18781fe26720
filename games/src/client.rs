//! The bot's side of a wire protocol without I/O: reads the judge's lines, writes the bot's
//! answers.

use alloc::string::String;
use core::time::Duration;

use mcts_core::game::MAX_PLAYERS;
use mcts_core::{Game, Player, Turn};

/// Time left as the judge sent it; `None` where the protocol does not send it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeTold {
    /// Time left on the bot's own clock.
    pub own: Option<Duration>,
    /// Time left on the opponent's clock.
    pub opponent: Option<Duration>,
}

/// What a line from the judge means for the bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// Stored; the message may continue on further lines.
    Noted,
    /// The judge waits for this answer, which needs no search (`OK`).
    Reply(String),
    /// The bot has to choose an action in the current position of the client.
    Act(TimeTold),
    /// The game is over.
    Finish,
    /// Ignored, with a warning for the log: an unknown keyword or an invalid line.
    Skipped(String),
}

/// Follows a game by the lines of its judge and writes the bot's answers.
///
/// Accepts every unambiguous variant of the protocol and never fails: `\r`, trailing blanks and
/// extra tokens are ignored, unknown lines are skipped. When [`Received::Act`] is returned, the
/// position is complete.
pub trait Client {
    /// The rules value, as far as the judge has sent it.
    type Game;
    /// The bot's information: the state of the game, or its view where information is hidden.
    type Position;
    /// An action of the game.
    type Action;

    /// Reads one line, with or without its line ending.
    fn receive(&mut self, line: &str) -> Received;

    /// The rules of the game being played.
    fn game(&self) -> &Self::Game;

    /// The current position.
    fn position(&self) -> &Self::Position;

    /// The player of this seat, if the protocol names it. With simultaneous moves the player who is
    /// asked is not always the one to move in [`position`](Client::position).
    fn player(&self) -> Option<Player> {
        None
    }

    /// The position in which the bot's player decides; it must not depend on simultaneous choices
    /// of others. The default is [`position`](Client::position); see [`own_position`] for games
    /// with simultaneous moves.
    fn decision_position(&self) -> Self::Position
    where
        Self::Position: Clone,
    {
        self.position().clone()
    }

    /// Sets the position from the game's text form, for programs that analyse a position or take
    /// back an action. No judge uses it.
    ///
    /// # Errors
    /// The reason as text; the position is unchanged.
    fn set_position(&mut self, text: &str) -> Result<(), String> {
        let _ = text;
        Err("this client cannot start from a given position".into())
    }

    /// An action as people write it, such as `4,3`, without blanks; `None` if the client has no
    /// such form.
    fn name(&self, action: &Self::Action) -> Option<String> {
        let _ = action;
        None
    }

    /// Applies the bot's own action, unless the protocol sends it back, and returns the line for
    /// the judge without its line feed.
    fn act(&mut self, action: Self::Action) -> String;
}

/// The position of a client in which its own player decides. Where other players choose
/// simultaneously and come first in the rules, arbitrary choices are applied for them; neither the
/// actions nor the gains of the bot's player may depend on these.
pub fn own_position<G, C>(client: &C) -> G::State
where
    G: Game,
    C: Client<Game = G, Position = G::State, Action = G::Action>,
{
    let (game, mut state) = (client.game(), client.position().clone());
    let Some(own) = client.player() else { return state };
    for _ in 0..MAX_PLAYERS {
        match game.turn(&state) {
            Turn::Player(player) if player != own => {
                let action = game.nth_action(&state, 0);
                game.apply(&mut state, action);
            }
            Turn::Player(_) => return state,
            Turn::Chance | Turn::Over(_) => break,
        }
    }
    client.position().clone()
}
