//! Golden vectors of Promotion Chess.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::PromotionChess;
use super::position::{Position, Side};
use super::rules::{Action, Ending, Rules};
use crate::conformance::{Check, Difference, Field};
use crate::perft::{EndedEarly, perft};

/// The check for a kind of file of Promotion Chess, if `stem` names one.
#[must_use]
pub fn check(stem: &str) -> Option<Check> {
    match stem {
        "chess_games" => Some(check_game),
        "chess_actions" => Some(check_actions),
        "chess_endings" => Some(check_ending),
        "chess_perft" => Some(check_perft),
        _ => None,
    }
}

fn check_game(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let mut position: Position = case.get("start")?.parse()?;
    let actions = case.get("actions")?.items()?;
    let after = case.get("positions")?;
    let positions = after.items()?;
    if actions.len() != positions.len() {
        return Err(after.differs(&format!("{} actions", actions.len())));
    }
    for (action, expected) in actions.iter().zip(positions) {
        apply(&mut position, action)?;
        expected.is(position.to_string())?;
        expected.parse::<Position>()?;
    }
    check_end(&case, &position)
}

/// An illegal action may be one that cannot be read; the reasons in the file are for people.
fn check_actions(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let rules = Rules::default();
    let position: Position = case.get("position")?.parse()?;
    case.get("in_check")?.is(position.is_check())?;
    let mut legal = Vec::new();
    rules.legal_actions(&position, |action| legal.push(action.to_string()));
    legal.sort();
    case.get("legal")?.is(legal)?;
    for illegal in case.get("illegal")?.items()? {
        let action = illegal.get("action")?;
        let read = action.text()?.parse();
        if read.is_ok_and(|action| rules.check(&position, action).is_ok()) {
            return Err(action.differs("legal"));
        }
    }
    for (action, expected) in case.get("after")?.members()? {
        let action: Action =
            action.parse().map_err(|error| expected.differs(&format!("{action:?} ({error})")))?;
        let mut next = position;
        let applied = rules.try_apply(&mut next, action);
        applied.map_err(|why| expected.differs(&why.to_string()))?;
        expected.is(next.to_string())?;
    }
    Ok(())
}

fn check_ending(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let mut position: Position = case.get("position")?.parse()?;
    apply(&mut position, &case.get("action")?)?;
    case.get("after")?.is(position.to_string())?;
    check_end(&case, &position)
}

fn check_perft(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let position: Position = case.get("position")?.parse()?;
    let depth = case.get("depth")?;
    let plies = u32::try_from(depth.number()?).map_err(|_| depth.differs("no depth"))?;
    let nodes = perft(&PromotionChess::ENDLESS, &position, plies, EndedEarly::CountsNothing);
    case.get("nodes")?.is(nodes)
}

fn apply(position: &mut Position, action: &Field<'_>) -> Result<(), Difference> {
    let applied = Rules::default().try_apply(position, action.parse()?);
    applied.map_err(|why| action.differs(&why.to_string()))
}

/// Compares the fields `ending` and `winner` with the position.
fn check_end(case: &Field<'_>, position: &Position) -> Result<(), Difference> {
    let ending = Rules::default().ending(position);
    case.get("ending")?.is(ending.map(|ending| match ending {
        Ending::Checkmate(_) => "checkmate",
        Ending::Stalemate => "stalemate",
        Ending::PlyLimit => "ply200",
    }))?;
    case.get("winner")?.is(ending.and_then(|ending| match ending {
        Ending::Checkmate(winner) => Some(Side::to_string(&winner)),
        Ending::Stalemate | Ending::PlyLimit => None::<String>,
    }))
}
