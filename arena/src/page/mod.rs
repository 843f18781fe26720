//! A recorded game as one HTML page that needs nothing else: boards, values, clocks, candidates and messages.
//!
//! Everything that a bot wrote reaches the page as JSON and is shown as text; the only markup from data are the boards,
//! which the games draw.

mod game;
mod html;
mod report;

pub use game::{GamePage, PageCandidate, PageSeat, PageStep};
pub use html::game_page;
pub use report::candidates;
