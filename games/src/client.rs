//! A bot's side of a wire protocol, apart from input and output: lines in, what they mean out.

use alloc::string::String;
use core::time::Duration;

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

    /// Notes the bot's own action, applies it to the position where the protocol leaves that to the player, and
    /// returns the line that tells the judge, without its line feed.
    fn act(&mut self, action: Self::Action) -> String;
}
