//! Shows a game to a person while it is played.

use std::io::{self, Write};

use games::TimeLimits;

use crate::clock::TimeUsed;
use crate::referee::{Moment, Watcher};

/// Draws the position, the clocks and what the bots think of it.
#[derive(Debug)]
pub struct BoardView<W> {
    out: W,
    names: Vec<String>,
    limits: TimeLimits,
    /// Whether to draw over the last picture, as on a terminal.
    redraws: bool,
    actions: usize,
    error: Option<io::Error>,
}

impl<W: Write> BoardView<W> {
    /// A view of one game; with `redraws` it begins by clearing the screen each time.
    pub fn new(out: W, names: Vec<String>, limits: TimeLimits, redraws: bool) -> BoardView<W> {
        BoardView { out, names, limits, redraws, actions: 0, error: None }
    }

    /// The first error in writing, if there was one.
    ///
    /// # Errors
    /// If the game could not be shown.
    pub fn finish(self) -> io::Result<()> {
        self.error.map_or(Ok(()), Err)
    }

    fn draw(&mut self, moment: &Moment<'_>) -> io::Result<()> {
        let mut text = String::new();
        if self.redraws {
            // Cursor to the top left, clear from there on.
            text += "\x1b[H\x1b[J";
        }
        if let Some(seat) = moment.seat {
            self.actions += 1;
            let action = moment.judging.last_action().unwrap_or_default();
            text +=
                &format!("{}. {} {}: {action}\n", self.actions, ordinal(seat), self.names[seat]);
        }
        text += moment.judging.picture().trim_end_matches('\n');
        text.push('\n');
        for (seat, used) in moment.used.iter().enumerate() {
            text += &self.seat_line(seat, used, moment.last_errors[seat].as_deref());
        }
        if !self.redraws {
            text.push('\n');
        }
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn seat_line(&self, seat: usize, used: &TimeUsed, last_error: Option<&str>) -> String {
        let wall_left = self.limits.wall.saturating_sub(used.wall);
        let mut line = format!(
            "{:6} {:24} {:7.3} s left, CPU {:7.3} s",
            ordinal(seat),
            self.names[seat],
            wall_left.as_secs_f64(),
            used.cpu.as_secs_f64(),
        );
        if let Some(value) = last_error.and_then(reported_value) {
            line += &format!(", value {value:+.3}");
        }
        line + "\n"
    }
}

impl<W: Write> Watcher for BoardView<W> {
    fn see(&mut self, moment: &Moment<'_>) {
        if let Err(error) = self.draw(moment) {
            self.error.get_or_insert(error);
        }
    }
}

/// What a seat is called where people read.
#[must_use]
pub fn ordinal(seat: usize) -> String {
    match seat {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        _ => format!("seat {}", seat + 1),
    }
}

/// The value that a bot reports in a line of its standard error, as `value=0.25` or `value 0.25`.
fn reported_value(line: &str) -> Option<f64> {
    let after = line.rsplit_once("value")?.1;
    let number = after.trim_start_matches(['=', ':', ' ']).split([' ', ',', ';']).next()?;
    number.parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bots_value_is_found_in_its_last_line() {
        assert_eq!(reported_value("playouts=10 value=-0.25 depth=3"), Some(-0.25));
        assert_eq!(reported_value("value 0.5, 12 playouts"), Some(0.5));
        assert_eq!(reported_value("value unknown"), None);
        assert_eq!(reported_value("nothing of the kind"), None);
    }
}
