//! Displays a game while it is played.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::{AnsiColor, Effects, Style};
use games::{Judging, Status, TimeLimits};

use crate::clock::TimeUsed;
use crate::referee::{Moment, Watcher};

/// The properties of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Whether to redraw in place, as on a terminal.
    pub redraws: bool,
    /// Whether to use colours.
    pub colours: bool,
    /// Columns of the terminal; longer lines are cut.
    pub columns: usize,
}

/// Changes since the last picture.
const CHANGED: Style = AnsiColor::Yellow.on_default().effects(Effects::BOLD);

/// The seat to move.
const TO_MOVE: Style = AnsiColor::Green.on_default().effects(Effects::BOLD);

/// A clock with less than a tenth left.
const SHORT_OF_TIME: Style = AnsiColor::Red.on_default();

/// Less important text.
const DIM: Style = Style::new().effects(Effects::DIMMED);

impl Screen {
    /// Plain text, line after line.
    pub const PLAIN: Screen = Screen { redraws: false, colours: false, columns: usize::MAX };

    /// The screen of standard output: redraws in place on a terminal, with colours unless
    /// `NO_COLOR` or a similar variable forbids them.
    #[must_use]
    pub fn of_stdout() -> Screen {
        let out = io::stdout();
        let colours = anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never;
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let size = rustix::termios::tcgetwinsize(&out).ok().filter(|size| size.ws_col > 0);
        Screen {
            redraws: size.is_some() && !is_dumb,
            colours,
            columns: size.map_or(usize::MAX, |size| size.ws_col.into()),
        }
    }

    /// The text in a style, if this screen has colours, cut at the width of the screen.
    #[must_use]
    pub fn styled(&self, style: Style, text: &str) -> String {
        let text: String = text.chars().take(self.columns).collect();
        if self.colours { format!("{style}{text}{style:#}") } else { text }
    }

    /// A picture in which the characters that changed since the previous picture are marked.
    #[must_use]
    pub fn marked(&self, picture: &str, before: Option<&str>) -> String {
        let mut text = String::new();
        let mut old_lines = before.unwrap_or(picture).lines();
        for line in picture.lines() {
            let old: Vec<char> = old_lines.next().unwrap_or("").chars().collect();
            for (at, character) in line.chars().take(self.columns).enumerate() {
                let is_new = old.get(at) != Some(&character) && !character.is_whitespace();
                if is_new && self.colours {
                    let _ = write!(text, "{CHANGED}{character}{CHANGED:#}");
                } else {
                    text.push(character);
                }
            }
            text.push('\n');
        }
        text
    }
}

/// Draws the position, the clocks and the bots' reports.
#[derive(Debug)]
pub struct BoardView<W> {
    out: W,
    names: Vec<String>,
    limits: TimeLimits,
    screen: Screen,
    actions: usize,
    /// The last picture, and the number of lines of the last frame.
    last: Option<(String, usize)>,
    error: Option<io::Error>,
}

impl<W: Write> BoardView<W> {
    /// A view of one game.
    pub fn new(out: W, names: Vec<String>, limits: TimeLimits, screen: Screen) -> BoardView<W> {
        BoardView { out, names, limits, screen, actions: 0, last: None, error: None }
    }

    /// The first error in writing, if any.
    ///
    /// # Errors
    /// If the game could not be shown.
    pub fn finish(self) -> io::Result<()> {
        self.error.map_or(Ok(()), Err)
    }

    fn draw(&mut self, moment: &Moment<'_>) -> io::Result<()> {
        let screen = self.screen;
        let mut frame = String::new();
        if let Some(seat) = moment.seat {
            self.actions += 1;
            let action = moment.judging.last_action().unwrap_or_default();
            let line =
                format!("{}. {} {}: {action}", self.actions, ordinal(seat), self.names[seat]);
            frame += &(screen.styled(Style::new(), &line) + "\n");
        } else {
            frame += &(screen.styled(DIM, "start") + "\n");
        }
        let picture = moment.judging.picture();
        let before = self.last.as_ref().map(|(picture, _)| picture.as_str());
        frame += &screen.marked(&picture, before);
        if let Some(score) = moment.judging.score() {
            frame += &(screen.styled(Style::new(), &format!("score  {score}")) + "\n");
        }
        for (seat, used) in moment.used.iter().enumerate() {
            frame += &self.seat_line(seat, used, moment);
        }
        let lines = frame.lines().count();
        let drawn = self.last.replace((picture, lines)).map(|(_, lines)| lines);
        if !screen.redraws {
            frame.push('\n');
        } else if let Some(drawn) = drawn {
            // To the first line of the last frame, and clear the rest.
            frame = format!("\x1b[{drawn}A\x1b[J{frame}");
        }
        self.out.write_all(frame.as_bytes())?;
        self.out.flush()
    }

    fn seat_line(&self, seat: usize, used: &TimeUsed, moment: &Moment<'_>) -> String {
        let left = self.limits.wall.saturating_sub(used.wall);
        let is_to_move = is_to_move(moment.judging, seat);
        let mut line = format!(
            "{} {:6} {:24} {:7.3} s left, CPU {:7.3} s",
            if is_to_move { '>' } else { ' ' },
            ordinal(seat),
            self.names[seat],
            left.as_secs_f64(),
            used.cpu.as_secs_f64(),
        );
        if let Some(value) = moment.last_errors[seat].as_deref().and_then(reported_value) {
            let _ = write!(line, ", value {value:+.3}");
        }
        let style = match () {
            () if left < self.limits.wall / 10 => SHORT_OF_TIME,
            () if is_to_move => TO_MOVE,
            () => Style::new(),
        };
        self.screen.styled(style, &line) + "\n"
    }
}

impl<W: Write> Watcher for BoardView<W> {
    fn see(&mut self, moment: &Moment<'_>) {
        if let Err(error) = self.draw(moment) {
            self.error.get_or_insert(error);
        }
    }
}

fn is_to_move(judging: &dyn Judging, seat: usize) -> bool {
    judging.status() == Status::ToMove(seat)
}

/// The name of a seat for people.
#[must_use]
pub fn ordinal(seat: usize) -> String {
    match seat {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        _ => format!("seat {}", seat.saturating_add(1)),
    }
}

/// The value that a bot reports in a line of its standard error, as `value=0.25` or `value 0.25`.
fn reported_value(line: &str) -> Option<f64> {
    let word = line.split_whitespace().find_map(|word| word.strip_prefix("value="));
    let number = match word {
        Some(number) => number,
        None => {
            let after = line.split_once("value")?.1;
            after.trim_start_matches(['=', ':', ' ']).split([' ', ',', ';']).next()?
        }
    };
    number.parse().ok().filter(|value: &f64| value.is_finite())
}

/// A search report for people: its `key=value` words on one line, and each candidate
/// (`topN=ACTION;...`) on its own line.
#[must_use]
pub fn report_lines(report: &str) -> Vec<String> {
    let is_candidate = |word: &&str| {
        let number = word.strip_prefix("top").and_then(|rest| rest.split_once('='));
        number.is_some_and(|(number, _)| number.parse::<u8>().is_ok())
    };
    let (candidates, words): (Vec<&str>, Vec<&str>) =
        report.split_whitespace().partition(is_candidate);
    let candidates = candidates.iter().filter_map(|word| Some(candidate(word.split_once('=')?.1)));
    let mut lines = Vec::new();
    if !words.is_empty() {
        lines.push(words.join("  "));
    }
    lines.extend(candidates);
    lines
}

/// One candidate, with its fields in columns.
fn candidate(text: &str) -> String {
    let mut fields = text.split(';');
    let action = fields.next().unwrap_or_default();
    let fields: Vec<(&str, &str)> = fields.filter_map(|field| field.split_once(':')).collect();
    let of =
        |name: &str| fields.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| *value);
    let proof = match of("proof").split_once('/') {
        Some((utility, plies)) => format!("proven {utility} in {plies}"),
        None => String::new(),
    };
    let line = of("line").replace('>', " ");
    let text =
        format!("{action:>10} {:>9} visits {:>8} {proof:>20}  {line}", of("visits"), of("value"));
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bots_value_is_found_in_its_last_line() {
        assert_eq!(reported_value("playouts=10 value=-0.25 depth=3"), Some(-0.25));
        assert_eq!(reported_value("value 0.5, 12 playouts"), Some(0.5));
        assert_eq!(reported_value("report value=0.5 top1=a;visits:9;value:+0.1000"), Some(0.5));
        assert_eq!(reported_value("value unknown"), None);
        assert_eq!(reported_value("nothing of the kind"), None);
    }

    #[test]
    fn candidates_are_shown_in_columns() {
        let report = "value=0.5 playouts=9 top1=3,4;visits:7;value:+0.5000;proof:+1.0000/3;line:3,4>2,2 top2=1,1;visits:2;line:1,1";
        let lines = report_lines(report);
        assert_eq!(lines[0], "value=0.5  playouts=9");
        assert_eq!(lines[1], "       3,4         7 visits  +0.5000  proven +1.0000 in 3  3,4 2,2");
        assert_eq!(lines[2], "       1,1         2 visits                                1,1");
    }

    #[test]
    fn what_changed_is_marked_in_colour_only() {
        let colours = Screen { colours: true, ..Screen::PLAIN };
        assert_eq!(
            colours.marked("ab\ncd\n", Some("ab\nce\n")),
            "ab\nc\u{1b}[1m\u{1b}[33md\u{1b}[0m\n"
        );
        assert_eq!(Screen::PLAIN.marked("ab\ncd\n", Some("ab\nce\n")), "ab\ncd\n");
        assert_eq!(Screen { columns: 1, ..Screen::PLAIN }.marked("ab\n", None), "a\n");
    }
}
