//! Rollouts that reuse replies of won playouts.

use super::Uniform;
use super::rollout::{RolloutPolicy, Situation};
use crate::game::{Game, Utilities};
use crate::rng::SearchRng;
use crate::trace::{ActionTable, Trace, TraceStep};

/// The last-good-reply policy: a player repeats the reply to an action from the last playout won
/// with a reply to it (Drake, 2009, LGR-1), and forgets replies that lost (Baier and Drake, 2010,
/// LGRF-1).
///
/// If there is no reply, or it is not legal, another policy chooses. Replies to passes and to
/// chance are not stored. A result above the middle of the game's utility bounds is a win, one
/// below it a loss.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Rollout, Search, Uct};
/// use mcts_core::evaluation::LastGoodReply;
///
/// let parts = Uct::default().with_evaluator(Rollout::with_policy(LastGoodReply::default()));
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LastGoodReply<P = Uniform> {
    /// The policy where no good reply is stored.
    pub policy: P,
    /// Whether a reply is forgotten when a playout with it is lost.
    pub forgetting: Forgetting,
    /// The reply to each action; empty at first.
    pub replies: ActionTable<Option<TraceStep>>,
}

impl Default for LastGoodReply {
    /// Uniform where no good reply is stored; replies are forgotten after a loss.
    fn default() -> Self {
        LastGoodReply::with_policy(Uniform)
    }
}

impl<P> LastGoodReply<P> {
    /// Uses `policy` where no good reply is stored.
    pub fn with_policy(policy: P) -> Self {
        LastGoodReply { policy, forgetting: Forgetting::default(), replies: ActionTable::default() }
    }
}

/// Whether replies are forgotten.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Forgetting {
    /// When a playout with the reply is lost; Baier and Drake (2010) find it much stronger.
    #[default]
    AfterLoss,
    /// Only when another reply replaces it.
    Never,
}

impl<G: Game, P: RolloutPolicy<G>> RolloutPolicy<G> for LastGoodReply<P> {
    const LEARNS: bool = true;
    const NEEDS_ACTION_INDICES: bool = true;

    fn choose(
        &mut self,
        game: &G,
        at: &Situation<'_, G::State>,
        rng: &mut SearchRng,
    ) -> Option<G::Action> {
        let reply = at.played.last().and_then(|last| {
            let reply = self.replies.of(last.player(), last.index()?)?;
            (reply.player() == at.player).then_some(reply.index())?
        });
        let mut found = None;
        if reply.is_some() {
            game.actions(at.state, |action| {
                if game.action_index(action) == reply {
                    found = Some(action);
                }
            });
        }
        found.or_else(|| self.policy.choose(game, at, rng))
    }

    fn learn(&mut self, trace: &Trace, utilities: &Utilities) {
        self.policy.learn(trace, utilities);
        let (lowest, highest) = G::UTILITY_BOUNDS;
        let middle = f32::midpoint(lowest, highest);
        for pair in trace.steps().windows(2) {
            let [before, reply] = [pair[0], pair[1]];
            let (Some(answered), Some(_)) = (before.index(), reply.index()) else { continue };
            let result = utilities.of_player(reply.player());
            let known = self.replies.entry(before.player(), answered);
            if result > middle {
                *known = Some(reply);
            } else if result < middle
                && self.forgetting == Forgetting::AfterLoss
                && *known == Some(reply)
            {
                *known = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;
    use crate::rng;
    use crate::testing::{Position, TreeGame};
    use alloc::vec;

    fn step(player: Player, index: usize) -> TraceStep {
        TraceStep::new(player, Some(index))
    }

    fn trace(steps: &[TraceStep]) -> Trace {
        let mut trace = Trace::default();
        steps.iter().for_each(|step| trace.push(*step));
        trace
    }

    /// The second player has answered 3 by 2 and won.
    fn taught() -> LastGoodReply {
        let mut policy = LastGoodReply::default();
        let won = trace(&[step(Player::FIRST, 3), step(Player::SECOND, 2)]);
        RolloutPolicy::<TreeGame>::learn(&mut policy, &won, &Utilities::zero_sum(-1.0));
        policy
    }

    fn replies(policy: &mut LastGoodReply, to: TraceStep, actions: usize) -> vec::Vec<u16> {
        let game = TreeGame::<2>::new(Position::second(vec![Position::over(0.0); actions]));
        let before = trace(&[to]);
        let at = Situation { state: &game.start(), player: Player::SECOND, played: before.steps() };
        let mut rng = rng::stream(1, 0);
        (0..20).map(|_| policy.choose(&game, &at, &mut rng).unwrap()).collect()
    }

    #[test]
    fn a_reply_that_won_is_played_again_where_it_is_legal() {
        let mut policy = taught();
        assert_eq!(replies(&mut policy, step(Player::FIRST, 3), 4), [2; 20]);
        assert_eq!(replies(&mut policy, step(Player::FIRST, 3), 2).iter().max(), Some(&1));
        let others = replies(&mut policy, step(Player::FIRST, 1), 4);
        assert!(others.iter().any(|reply| *reply != 2));
    }

    #[test]
    fn a_reply_that_lost_is_forgotten() {
        let lost = trace(&[step(Player::FIRST, 3), step(Player::SECOND, 2)]);
        let other = trace(&[step(Player::FIRST, 3), step(Player::SECOND, 1)]);
        let mut policy = taught();
        RolloutPolicy::<TreeGame>::learn(&mut policy, &other, &Utilities::zero_sum(1.0));
        assert_eq!(policy.replies.of(Player::FIRST, 3), Some(step(Player::SECOND, 2)));
        RolloutPolicy::<TreeGame>::learn(&mut policy, &lost, &Utilities::ZERO);
        assert_eq!(policy.replies.of(Player::FIRST, 3), Some(step(Player::SECOND, 2)));
        RolloutPolicy::<TreeGame>::learn(&mut policy, &lost, &Utilities::zero_sum(1.0));
        assert_eq!(policy.replies.of(Player::FIRST, 3), None);
        let mut stubborn = LastGoodReply { forgetting: Forgetting::Never, ..taught() };
        RolloutPolicy::<TreeGame>::learn(&mut stubborn, &lost, &Utilities::zero_sum(1.0));
        assert_eq!(stubborn.replies.of(Player::FIRST, 3), Some(step(Player::SECOND, 2)));
    }
}
