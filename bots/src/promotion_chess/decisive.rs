//! Promotion Chess as the bot searches it: a side that can mate in one has won.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use games::promotion_chess::attacks::{self, Board, Squares};
use games::promotion_chess::rules::Group;
use games::promotion_chess::{Action, Ending, Kind, Position, PromotionChess, Rules, Side};
use mcts_core::{Game, Turn, Utilities, rng};

/// Promotion Chess that ends one action early: a side to move that can mate has won (decisive
/// moves; Teytaud and Teytaud, 2010). Values are the same, and every proof is one ply shorter.
///
/// A position with a mate in one must not be searched; see [`mate_in_one`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decisive {
    /// The original game.
    pub game: PromotionChess,
    /// Positions that count as draws, so that the side that is ahead avoids them.
    pub repeated: Repeated,
}

/// Positions that occurred too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repeated {
    keys: [u64; Repeated::MOST],
    count: usize,
}

impl Repeated {
    /// Capacity; the oldest position is evicted.
    pub const MOST: usize = 16;

    /// Adds the position of a [`key`](Repeated::key).
    pub fn add(&mut self, key: u64) {
        self.keys[self.count % Self::MOST] = key;
        self.count += 1;
    }

    /// Whether the set contains a position.
    #[inline]
    #[must_use]
    pub fn holds(&self, position: &Position) -> bool {
        let keys = &self.keys[..self.count.min(Self::MOST)];
        !keys.is_empty() && keys.contains(&Repeated::key(position))
    }

    /// Equal for positions that differ only in the ply and the levels of the side to move: the side
    /// that has just moved has made no progress.
    #[must_use]
    pub fn key(position: &Position) -> u64 {
        let side = position.to_move().opponent();
        let levels = (0..5).fold(0, |all, file| all << 4 | u64::from(position.level(side, file)));
        Kind::ALL.into_iter().fold(rng::mix(levels << 1 | side as u64), |hash, kind| {
            let [white, black] = Side::BOTH.map(|side| u64::from(position.pieces(side, kind)));
            rng::mix(hash ^ (white | black << 32))
        })
    }
}

/// The positions after a side's actions in a game.
#[derive(Debug, Clone, Default)]
pub struct History {
    keys: Vec<u64>,
    repeated: Repeated,
}

impl History {
    /// Adds a position after an action of the side; a position that occurs twice is
    /// [`repeated`](History::repeated).
    pub fn note(&mut self, position: &Position) {
        let key = Repeated::key(position);
        if self.keys.contains(&key) && !self.repeated.holds(position) {
            self.repeated.add(key);
        }
        self.keys.push(key);
    }

    /// The positions to avoid.
    #[must_use]
    pub fn repeated(&self) -> Repeated {
        self.repeated
    }
}

impl Game for Decisive {
    type State = Position;
    type Action = Action;

    fn start(&self) -> Position {
        self.game.start()
    }

    fn turn(&self, position: &Position) -> Turn {
        match self.game.turn(position) {
            Turn::Player(player) if mate_in_one(&self.game.rules, position).is_some() => {
                Turn::Over(Utilities::win(player))
            }
            Turn::Player(_) if self.repeated.holds(position) => Turn::Over(Utilities::ZERO),
            turn => turn,
        }
    }

    fn actions(&self, position: &Position, visit: impl FnMut(Action)) {
        self.game.actions(position, visit);
    }

    fn apply(&self, position: &mut Position, action: Action) {
        self.game.apply(position, action);
    }

    fn action_index(&self, action: Action) -> Option<usize> {
        self.game.action_index(action)
    }

    fn action_indices(&self) -> usize {
        self.game.action_indices()
    }

    fn count_actions(&self, position: &Position) -> usize {
        self.game.count_actions(position)
    }

    fn nth_action(&self, position: &Position, n: usize) -> Action {
        self.game.nth_action(position, n)
    }

    fn hash(&self, position: &Position) -> Option<u64> {
        self.game.hash(position)
    }
}

/// An action that mates, if there is one.
#[must_use]
pub fn mate_in_one(rules: &Rules, position: &Position) -> Option<Action> {
    let checks = Checks::of(position);
    let mate = rules.groups(position, |group| checks.mate_among(rules, position, group));
    match mate {
        ControlFlow::Break(action) => Some(action),
        ControlFlow::Continue(()) => None,
    }
}

/// The squares from which each kind of piece attacks the opponent's king, and the pieces that can
/// discover an attack.
#[derive(Debug, Clone, Copy)]
pub struct Checks {
    from: [Board; Kind::COUNT],
    /// Pieces of the side to move that alone stand between a slider of theirs and the king.
    uncovering: Board,
}

impl Checks {
    /// For the side to move.
    #[must_use]
    pub fn of(position: &Position) -> Checks {
        let us = position.to_move();
        let them = us.opponent();
        let king = position.king(them);
        let occupied = position.occupied();
        let straight = attacks::rook(king, occupied);
        let diagonal = attacks::bishop(king, occupied);
        let mut from = [0; Kind::COUNT];
        from[Kind::Queen.index()] = straight | diagonal;
        from[Kind::Rook.index()] = straight;
        from[Kind::Bishop.index()] = diagonal;
        from[Kind::Knight.index()] = attacks::knight(king);
        from[Kind::Pawn.index()] = attacks::pawn(them.index(), king);
        let snipers = (attacks::rook(king, 0) & position.straight_sliders(us))
            | (attacks::bishop(king, 0) & position.diagonal_sliders(us));
        let mut uncovering = 0;
        for sniper in Squares(snipers) {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers & blockers.wrapping_sub(1) == 0 {
                uncovering |= blockers & position.of_side(us);
            }
        }
        Checks { from, uncovering }
    }

    /// Whether an action of the side to move may give check; if false, it does not.
    #[inline]
    #[must_use]
    pub fn may_check(&self, position: &Position, action: Action) -> bool {
        match action {
            Action::Place(_) => false,
            Action::Promote(square, kind) => self.from[kind.index()] & square.bit() != 0,
            // a promoted pawn also attacks back over the square that it left
            Action::Move { promotion: Some(_), .. } => true,
            Action::Move { from, to, promotion: None } => {
                let kind = position.kind_at(from).unwrap_or(Kind::King);
                self.uncovering & from.bit() != 0 || self.from[kind.index()] & to.bit() != 0
            }
        }
    }

    fn mate_among(&self, rules: &Rules, position: &Position, group: Group) -> ControlFlow<Action> {
        let candidates = match group {
            Group::Places(_) => return ControlFlow::Continue(()),
            Group::Promotions(square, level) => {
                for kind in rules.minimum_levels.reached(level) {
                    try_mate(rules, position, self, Action::Promote(square, kind))?;
                }
                return ControlFlow::Continue(());
            }
            Group::PawnPromotions(from, targets) => {
                for to in Squares(targets) {
                    for kind in Kind::PAWN_PROMOTIONS {
                        let promotion = Some(kind);
                        try_mate(rules, position, self, Action::Move { from, to, promotion })?;
                    }
                }
                return ControlFlow::Continue(());
            }
            Group::Moves(from, targets) => {
                let kind = position.kind_at(from).unwrap_or(Kind::King);
                let uncovers = self.uncovering & from.bit() != 0;
                let checking = if uncovers { targets } else { targets & self.from[kind.index()] };
                Squares(checking).map(move |to| Action::Move { from, to, promotion: None })
            }
        };
        for action in candidates {
            try_mate(rules, position, self, action)?;
        }
        ControlFlow::Continue(())
    }
}

/// Breaks with the action if it mates.
fn try_mate(
    rules: &Rules,
    position: &Position,
    checks: &Checks,
    action: Action,
) -> ControlFlow<Action> {
    if !checks.may_check(position, action) {
        return ControlFlow::Continue(());
    }
    let mut after = *position;
    rules.apply(&mut after, action);
    if after.is_check() && matches!(rules.ending(&after), Some(Ending::Checkmate(_))) {
        return ControlFlow::Break(action);
    }
    ControlFlow::Continue(())
}
