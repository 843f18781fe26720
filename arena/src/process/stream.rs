//! A bot's output: the lines of standard output, and the tail of standard error.

use std::collections::VecDeque;

/// The longest accepted line; the rule pages need less than a hundred bytes.
pub const LONGEST_LINE: usize = 4096;

/// Bytes read from a bot, but not yet taken as a line.
#[derive(Debug, Default)]
pub(crate) struct LineBuffer {
    bytes: Vec<u8>,
}

impl LineBuffer {
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Takes the first complete line, without its line feed.
    pub(crate) fn take_line(&mut self) -> Option<Vec<u8>> {
        let end = self.bytes.iter().position(|byte| *byte == b'\n')?;
        let mut line: Vec<u8> = self.bytes.drain(..=end).collect();
        line.pop();
        Some(line)
    }

    /// Whether the first line is too long, complete or not.
    pub(crate) fn is_too_long(&self) -> bool {
        let line = self.bytes.iter().take(LONGEST_LINE + 1).position(|byte| *byte == b'\n');
        line.is_none() && self.bytes.len() > LONGEST_LINE
    }

    /// All bytes received and not taken.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes
    }
}

/// Extracts the lines of a stream that start with `report `, in which bots report their searches.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    /// The current line, cut at [`LONGEST_LINE`].
    begun: Vec<u8>,
    found: Vec<String>,
}

impl Reports {
    const BEGINNING: &'static [u8] = b"report ";
    /// Maximum number of reports that are kept; further ones are dropped.
    const MOST: usize = 100;

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LONGEST_LINE.saturating_sub(self.begun.len());
            self.begun.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                if let (Some(report), true) =
                    (self.begun.strip_prefix(Self::BEGINNING), self.found.len() < Self::MOST)
                {
                    self.found.push(String::from_utf8_lossy(report).trim_end().to_owned());
                }
                self.begun.clear();
            }
        }
    }

    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.found)
    }
}

/// Keeps the last bytes of a stream.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    bytes: VecDeque<u8>,
    dropped: u64,
}

impl Tail {
    const KEPT_BYTES: usize = 8192;

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        let news = &bytes[bytes.len().saturating_sub(Self::KEPT_BYTES)..];
        let excess = (self.bytes.len() + news.len()).saturating_sub(Self::KEPT_BYTES);
        self.bytes.drain(..excess);
        self.dropped += (excess + bytes.len() - news.len()) as u64;
        self.bytes.extend(news);
    }

    /// The last lines, at most `most`; a long line is cut at the start and begins with an ellipsis.
    pub(crate) fn lines(&self, most: usize) -> Vec<String> {
        let (front, back) = self.bytes.as_slices();
        let text = String::from_utf8_lossy(&[front, back].concat()).into_owned();
        let is_cut = self.dropped > 0;
        let lines = text.lines().enumerate().map(|(at, line)| cut_line(line, is_cut && at == 0));
        let lines: Vec<String> = lines.collect();
        lines[lines.len().saturating_sub(most)..].to_vec()
    }
}

fn cut_line(line: &str, is_cut: bool) -> String {
    const LONGEST_SHOWN: usize = 300;
    let excess = line.chars().count().saturating_sub(LONGEST_SHOWN);
    let end: String = line.chars().skip(excess).collect();
    if is_cut || excess > 0 { format!("...{end}") } else { end }
}

/// Shows bytes on one line: printable ASCII unchanged, other bytes as escapes, at most `most`
/// bytes.
#[must_use]
pub fn shown(bytes: &[u8], most: usize) -> String {
    let mut text = bytes[..bytes.len().min(most)].escape_ascii().to_string();
    if bytes.len() > most {
        text += &format!("... ({} bytes)", bytes.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_one_by_one_and_half_lines_stay() {
        let mut buffer = LineBuffer::default();
        buffer.extend(b"OK\nMOVE 3");
        assert_eq!(buffer.take_line().as_deref(), Some(&b"OK"[..]));
        assert_eq!(buffer.take_line(), None);
        buffer.extend(b" 4\n");
        assert_eq!(buffer.take_line().as_deref(), Some(&b"MOVE 3 4"[..]));
        assert_eq!(buffer.rest(), b"");
    }

    #[test]
    fn only_a_first_line_beyond_the_limit_is_too_long() {
        let mut buffer = LineBuffer::default();
        buffer.extend(b"OK\n");
        buffer.extend(&[b'x'; LONGEST_LINE + 1]);
        assert!(!buffer.is_too_long());
        buffer.take_line();
        assert!(buffer.is_too_long());
    }

    #[test]
    fn a_tail_keeps_the_last_lines_of_an_endless_stream() {
        let mut tail = Tail::default();
        for number in 0..100_000 {
            tail.extend(format!("line {number}\n").as_bytes());
        }
        assert_eq!(tail.lines(2), ["line 99998", "line 99999"]);
        assert!(tail.lines(usize::MAX)[0].starts_with("..."));
        tail.extend(&[b'y'; 3 * Tail::KEPT_BYTES]);
        assert_eq!(tail.lines(9), [format!("...{}", "y".repeat(300))]);
    }

    #[test]
    fn reports_are_picked_out_of_everything_else() {
        let mut reports = Reports::default();
        for piece in ["debug x\nrep", "ort value=0.5\nreported y\n", "report a=1\r\nrepor"] {
            reports.extend(piece.as_bytes());
        }
        assert_eq!(reports.take(), ["value=0.5", "a=1"]);
        reports.extend(&[b'x'; 3 * LONGEST_LINE]);
        reports.extend(b"\nreport b=2\n");
        assert_eq!(reports.take(), ["b=2"]);
    }

    #[test]
    fn bytes_are_shown_escaped_and_cut() {
        assert_eq!(shown(b"MOVE\t\xff", 60), "MOVE\\t\\xff");
        assert_eq!(shown(b"abcdef", 3), "abc... (6 bytes)");
    }
}
