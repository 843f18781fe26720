//! Finds forced mates exhaustively: depth first, all actions of the attacker and all of the
//! defender.

use games::promotion_chess::{Action, Ending, Position, Rules};

/// The actions by which the side to move forces mate within `moves` of its actions.
pub(crate) fn mating_actions(rules: &Rules, position: &Position, moves: u32) -> Vec<Action> {
    let mut mating = Vec::new();
    rules.legal_actions(position, |action| mating.push(action));
    mating.retain(|action| is_forced(rules, position, *action, moves));
    mating
}

/// The fewest actions, up to `most`, in which the side to move forces mate.
pub(crate) fn shortest_mate(rules: &Rules, position: &Position, most: u32) -> Option<u32> {
    (1..=most).find(|moves| can_force(rules, position, *moves))
}

fn can_force(rules: &Rules, position: &Position, moves: u32) -> bool {
    let mut forced = false;
    rules.legal_actions(position, |action| {
        forced = forced || is_forced(rules, position, action, moves);
    });
    forced
}

/// Whether `action` mates, or every answer of the defender still loses within the other `moves - 1`
/// actions.
fn is_forced(rules: &Rules, position: &Position, action: Action, moves: u32) -> bool {
    let mut after = *position;
    rules.apply(&mut after, action);
    match rules.ending(&after) {
        Some(Ending::Checkmate(_)) => true,
        Some(Ending::Stalemate | Ending::PlyLimit) => false,
        None => moves > 1 && every_reply_loses(rules, &after, moves - 1),
    }
}

fn every_reply_loses(rules: &Rules, position: &Position, moves: u32) -> bool {
    let mut loses = true;
    rules.legal_actions(position, |reply| {
        if loses {
            let mut after = *position;
            rules.apply(&mut after, reply);
            loses = rules.ending(&after).is_none() && can_force(rules, &after, moves);
        }
    });
    loses
}
