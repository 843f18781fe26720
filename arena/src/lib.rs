//! The judge, and everything that plays many games: knows no single game beyond its entry in the list.
