//! The messages of a game in compressed form: JSON, deflated, as text on one line of a journal.

use std::io::{Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use crate::record::Message;

/// Limit of the unpacked size of messages, in bytes.
const MOST_BYTES: u64 = 1 << 28;

/// Every line of a game, packed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PackedMessages(String);

impl PackedMessages {
    /// Packs messages.
    ///
    /// # Panics
    /// Never: plain data is JSON, and memory takes every byte.
    #[must_use]
    pub fn of(messages: &[Message]) -> PackedMessages {
        let json = serde_json::to_vec(messages).expect("plain data is JSON");
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&json).expect("memory takes every byte");
        let bytes = encoder.finish().expect("memory takes every byte");
        PackedMessages(STANDARD_NO_PAD.encode(bytes))
    }

    /// The messages.
    ///
    /// # Errors
    /// If the text is damaged, or unpacks to more than 256 MiB.
    pub fn unpack(&self) -> Result<Vec<Message>, String> {
        let damaged = |what: String| format!("the packed messages are damaged: {what}");
        let bytes = STANDARD_NO_PAD.decode(&self.0).map_err(|error| damaged(error.to_string()))?;
        let mut json = Vec::new();
        let read = DeflateDecoder::new(&bytes[..]).take(MOST_BYTES + 1).read_to_end(&mut json);
        read.map_err(|error| damaged(error.to_string()))?;
        if json.len() as u64 > MOST_BYTES {
            return Err(damaged(format!("they unpack to more than {MOST_BYTES} bytes")));
        }
        serde_json::from_slice(&json).map_err(|error| damaged(error.to_string()))
    }

    /// Their size in a journal, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::record::Writer;

    #[test]
    fn messages_come_out_as_they_went_in_and_damage_is_noticed() {
        let message = |at: u64| Message {
            at: Duration::from_micros(at),
            seat: (at % 2) as usize,
            from: Writer::Bot,
            text: format!("MOVE {at}"),
        };
        let messages: Vec<Message> = (0..100).map(message).collect();
        let packed = PackedMessages::of(&messages);
        assert_eq!(packed.unpack().as_ref(), Ok(&messages));
        let plain = serde_json::to_vec(&messages).expect("plain data").len() as u64;
        assert!(packed.bytes() < plain / 3, "{} of {plain}", packed.bytes());
        for text in ["", "=", "AAAA", &packed.0[..packed.0.len() / 2]] {
            assert!(PackedMessages(text.to_owned()).unpack().is_err(), "{text:.10}");
        }
    }
}
