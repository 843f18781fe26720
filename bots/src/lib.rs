//! Contest bots: a search, chosen parts and a time plan each.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;
