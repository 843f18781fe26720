//! The maze: plain second implementations of its rules, the chaser's policies, notation and protocol.

mod belief;
mod capture;
mod chaser;
mod notation;
mod protocol;
mod rules;
mod terrain;
