//! A bot's side of a wire protocol, apart from input and output: lines in, what they mean out.

use alloc::string::String;
use core::time::Duration;

use mcts_core::game::MAX_PLAYERS;
use mcts_core::{Game, Player, Turn};

/// Time left as the judge told it; `None` where it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeTold {
    /// Left of the bot's own clock.
    pub own: Option<Duration>,
    /// Left of the opponent's clock.
    pub opponent: Option<Duration>,
}

/// What a line from the judge means for the bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// Noted; more lines may belong to the same message.
    Noted,
    /// The judge waits for this answer, which needs no thought (`OK`).
    Reply(String),
    /// The bot has to choose an action in the position that the client now holds.
    Act(TimeTold),
    /// The game is over.
    Finish,
    /// Skipped, with a warning for the log: an unknown keyword, or a line that makes no sense.
    Skipped(String),
}

/// Follows a game through the lines of its judge and writes the bot's answers.
///
/// Reads every unambiguous variant of the protocol and never fails: `\r`, trailing blanks and unknown further
/// tokens are ignored, unknown lines are skipped. Before [`Received::Act`] its position is complete.
pub trait Client {
    /// The rules value, as far as the judge has told it.
    type Game;
    /// What the bot knows: the state of the game, or its view where information is hidden.
    type Position;
    /// An action of the game.
    type Action;

    /// Takes one line, without or with its line ending.
    fn receive(&mut self, line: &str) -> Received;

    /// The rules of the game being played.
    fn game(&self) -> &Self::Game;

    /// The position as the bot knows it now.
    fn position(&self) -> &Self::Position;

    /// The player of this seat, where the protocol says it: in games with moves at the same time the player who is asked is
    /// not always the one to move in [`position`](Client::position).
    fn player(&self) -> Option<Player> {
        None
    }

    /// The position in which the bot's own player decides: what others choose at the same time must not matter there.
    /// The default is [`position`](Client::position); see [`own_position`] for games with moves at the same time.
    fn decision_position(&self) -> Self::Position
    where
        Self::Position: Clone,
    {
        self.position().clone()
    }

    /// Goes to a position in the game's text form, where the protocol has no message for it: for a program that studies a
    /// position or takes an action back, never for a judge.
    ///
    /// # Errors
    /// Why it cannot, in words; nothing changes then.
    fn set_position(&mut self, text: &str) -> Result<(), String> {
        let _ = text;
        Err("this game is only followed from its start".into())
    }

    /// How people write an action, such as `4,3`; without blanks. `None` where the client has no words for it.
    fn name(&self, action: &Self::Action) -> Option<String> {
        let _ = action;
        None
    }

    /// Notes the bot's own action, applies it to the position where the protocol leaves that to the player, and
    /// returns the line that tells the judge, without its line feed.
    fn act(&mut self, action: Self::Action) -> String;
}

/// The position of a client as its own player meets it: where others choose at the same time and are first in the rules,
/// after any choices of theirs, on which neither the own actions nor their gain may depend.
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
