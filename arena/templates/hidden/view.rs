//! A player's view, of another type than the state.

use mcts_core::rng;

use crate::rules::{Action, CARDS, Position};

/// What a player sees of one action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observation {
    // TODO: what a player sees of one action
    OwnCard(u8),
    /// The other player was dealt a card.
    OtherCard,
    /// The choice of a player.
    Choice(Action),
}

/// All that a player has seen and done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View {
    // TODO: all that a player has seen and done
    /// Number of the player, from 0.
    pub player: u8,
    /// Her card; 0 before it is dealt.
    pub card: u8,
    /// Whether the other player has a card.
    pub other_has_card: bool,
    /// The public part.
    pub public: Position,
}

impl View {
    /// The view of the player of this number at the start.
    pub fn first(player: u8) -> View {
        View { player, ..View::default() }
    }

    /// The view of the player of this number in the state `position`.
    pub fn of(position: &Position, player: u8) -> View {
        // TODO: her view, computed from the state; equal to her view after the same game
        let (own, other) = (usize::from(player), usize::from(1 - player));
        View {
            player,
            card: position.cards[own],
            other_has_card: position.cards[other] != 0,
            public: Position { cards: [0; 2], ..*position },
        }
    }

    /// A well-mixed hash of all of it.
    pub fn key(&self) -> u64 {
        // TODO: every field of the view
        let Position { bets, choices, .. } = self.public;
        let bets = bets.iter().fold(0, |bits, bet| 2 * bits + u64::from(*bet));
        let known = [self.player, self.card, u8::from(self.other_has_card), choices];
        rng::mix(known.iter().fold(bets, |key, part| 256 * key + u64::from(*part)))
    }

    /// Adds an observation.
    pub fn add(&mut self, seen: Observation) {
        // TODO: how an observation changes the view
        match seen {
            Observation::OwnCard(card) => self.card = card,
            Observation::OtherCard => self.other_has_card = true,
            Observation::Choice(action) => self.public.apply(action),
        }
    }

    /// Samples a state consistent with the view; `draw` returns a random number below its argument.
    pub fn fill(&self, mut draw: impl FnMut(usize) -> usize) -> Position {
        // TODO: every state consistent with the view, ideally with its probability given the view
        let mut position = self.public;
        let (own, other) = (usize::from(self.player), usize::from(1 - self.player));
        position.cards[own] = self.card;
        if self.other_has_card {
            let others: Vec<u8> = (1..=CARDS).filter(|card| *card != self.card).collect();
            position.cards[other] = others[draw(others.len())];
        }
        position
    }
}

/// The observation of the player of this number after `action` has led to `position`.
pub fn observe(position: &Position, action: Action, player: u8) -> Observation {
    // TODO: what a player sees of an action
    match action {
        Action::Deal(card) => {
            let receiver = u8::from(position.cards[1] != 0);
            if receiver == player { Observation::OwnCard(card) } else { Observation::OtherCard }
        }
        choice => Observation::Choice(choice),
    }
}
