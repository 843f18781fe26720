//! Exhaustive search for short mates, which the mean of playouts hides in positions that are won
//! anyway.

use games::promotion_chess::{Action, Ending, MAX_ACTIONS, Position, Rules};

use arrayvec::ArrayVec;

use super::decisive::mate_in_one;

/// A depth-first search for forced mates of one side over all actions of both sides, with a node
/// limit.
#[derive(Debug, Clone, Copy)]
pub struct MateSearch<'a> {
    rules: &'a Rules,
    looks_left: u32,
}

impl<'a> MateSearch<'a> {
    /// A search of at most `looks` positions with the attacker to move; each takes a few tenths of
    /// a microsecond.
    #[must_use]
    pub fn new(rules: &'a Rules, looks: u32) -> Self {
        MateSearch { rules, looks_left: looks }
    }

    /// The shortest forced mate in up to `most` actions of the attacker: its first action and its
    /// length; `None` also if the node limit is reached.
    pub fn shortest(&mut self, position: &Position, most: u32) -> Option<(Action, u32)> {
        (1..=most).find_map(|moves| Some((self.forced(position, moves)?, moves)))
    }

    /// An action that forces mate within `moves` actions of the attacker.
    fn forced(&mut self, position: &Position, moves: u32) -> Option<Action> {
        self.looks_left = self.looks_left.checked_sub(1)?;
        if moves == 1 {
            return mate_in_one(self.rules, position);
        }
        let actions = legal_actions(self.rules, position);
        actions.into_iter().find(|action| self.leaves_no_escape(position, *action, moves - 1))
    }

    /// Whether `action` mates, or forces a mate within `moves` after every reply.
    fn leaves_no_escape(&mut self, position: &Position, action: Action, moves: u32) -> bool {
        let mut after = *position;
        self.rules.apply(&mut after, action);
        match self.rules.ending(&after) {
            Some(Ending::Checkmate(_)) => true,
            Some(Ending::Stalemate | Ending::PlyLimit) => false,
            None => legal_actions(self.rules, &after).into_iter().all(|reply| {
                let mut next = after;
                self.rules.apply(&mut next, reply);
                self.rules.ending(&next).is_none() && self.forced(&next, moves).is_some()
            }),
        }
    }
}

fn legal_actions(rules: &Rules, position: &Position) -> ArrayVec<Action, MAX_ACTIONS> {
    let mut actions = ArrayVec::new();
    rules.legal_actions(position, |action| actions.push(action));
    actions
}
