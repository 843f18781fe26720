//! Icebreaking: a plain second implementation, notation and protocol.

mod notation;
mod oracle;
mod protocol;
mod rules;
