//! Initial memory as text.
//!
//! The bytes are a sequence of runs (bytes to skip, bytes that follow, the bytes; both numbers in LEB128), ended by an
//! empty run. Four bytes, the first one highest, are five digits to the base 85, the first one highest; a digit is the
//! character 35 plus its value, with `x` for the backslash and `y` for the question mark.

use crate::module::Segment;

/// Zeros that are cheaper to skip than to write.
const SKIP: usize = 5;

/// Characters of a line.
const LINE: usize = 250;

/// Memory as text.
#[derive(Debug, Default)]
pub(crate) struct Encoded {
    pub(crate) text: String,
}

impl Encoded {
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        let count = self.text.len().div_ceil(LINE);
        (0..count).map(|line| &self.text[line * LINE..self.text.len().min((line + 1) * LINE)])
    }
}

/// Encodes the segments that have a place; later ones overwrite earlier ones.
pub(crate) fn encode(segments: &[Segment]) -> Encoded {
    let end = |segment: &Segment| segment.address.map_or(0, |at| at as usize + segment.bytes.len());
    let active = || segments.iter().filter(|segment| !segment.bytes.is_empty());
    let start = active().filter_map(|segment| segment.address).min().unwrap_or(0) as usize;
    let mut image = vec![0; active().map(end).max().unwrap_or(0).saturating_sub(start)];
    for segment in active() {
        if let Some(address) = segment.address {
            let at = address as usize - start;
            image[at..at + segment.bytes.len()].copy_from_slice(&segment.bytes);
        }
    }
    let mut stream = Vec::new();
    let mut skipped = start;
    let mut at = 0;
    while at < image.len() {
        if image[at] == 0 {
            skipped += 1;
            at += 1;
            continue;
        }
        let run = run_length(&image[at..]);
        leb128(skipped, &mut stream);
        leb128(run, &mut stream);
        stream.extend_from_slice(&image[at..at + run]);
        skipped = 0;
        at += run;
    }
    if stream.is_empty() {
        return Encoded::default();
    }
    stream.extend([0, 0]);
    Encoded { text: base85(&stream) }
}

/// Bytes up to the next zeros that are worth skipping.
fn run_length(bytes: &[u8]) -> usize {
    let mut zeros = 0;
    for (index, byte) in bytes.iter().enumerate() {
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        if zeros == SKIP {
            return index + 1 - SKIP;
        }
    }
    bytes.len() - zeros
}

fn leb128(mut value: usize, out: &mut Vec<u8>) {
    while value >= 128 {
        out.push((value % 128 + 128) as u8);
        value /= 128;
    }
    out.push(value as u8);
}

fn base85(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        let mut word = u32::from_be_bytes(word);
        let mut digits = [' '; 5];
        for digit in digits.iter_mut().rev() {
            *digit = match (word % 85) as u8 + 35 {
                b'\\' => 'x',
                b'?' => 'y',
                c => char::from(c),
            };
            word /= 85;
        }
        text.extend(digits);
    }
    text
}
