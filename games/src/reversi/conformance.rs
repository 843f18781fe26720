//! Golden vectors of Reversi.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use mcts_core::Game;
use serde_json::Value;

use super::{Action, Position, Reversi, Side};
use crate::conformance::{Check, Difference, Field};
use crate::perft::{EndedEarly, perft};

/// The check for a kind of file of Reversi, if `stem` names one.
#[must_use]
pub fn check(stem: &str) -> Option<Check> {
    match stem {
        "reversi_games" => Some(check_game),
        "reversi_passes" => Some(check_passes),
        "reversi_perft" => Some(check_perft),
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
    }
    let result = case.get("result")?;
    if !position.is_over() {
        return Err(result.differs("the game goes on"));
    }
    check_discs(&case, &position)?;
    result.is(winner(&position))
}

fn check_passes(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let position: Position = case.get("position")?.parse()?;
    let is_over = position.is_over();
    case.get("over")?.is(is_over)?;
    check_discs(&case, &position)?;
    case.get("result")?.is(result(&position))?;
    case.get("legal")?.is(legal(&position))?;
    for (action, expected) in case.get("after")?.members()? {
        let action: Action =
            action.parse().map_err(|error| expected.differs(&format!("{action:?} ({error})")))?;
        let mut next = position;
        next.try_apply(action).map_err(|why| expected.differs(&why.to_string()))?;
        expected.get("position")?.is(next.to_string())?;
        expected.get("over")?.is(next.is_over())?;
        expected.get("result")?.is(result(&next))?;
        expected.get("must_pass")?.is(!next.is_over() && next.moves() == 0)?;
    }
    Ok(())
}

fn check_perft(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let position: Position = case.get("position")?.parse()?;
    let depth = case.get("depth")?;
    let plies = u32::try_from(depth.number()?).map_err(|_| depth.differs("no depth"))?;
    let nodes = perft(&Reversi::default(), &position, plies, EndedEarly::CountsNothing);
    case.get("nodes")?.is(nodes)
}

fn apply(position: &mut Position, action: &Field<'_>) -> Result<(), Difference> {
    position.try_apply(action.parse()?).map_err(|why| action.differs(&why.to_string()))
}

fn check_discs(case: &Field<'_>, position: &Position) -> Result<(), Difference> {
    case.get("black")?.is(position.discs(Side::Black).count_ones())?;
    case.get("white")?.is(position.discs(Side::White).count_ones())
}

fn legal(position: &Position) -> Vec<String> {
    let mut legal = Vec::new();
    if !position.is_over() {
        Reversi::default().actions(position, |action| legal.push(action.to_string()));
    }
    legal
}

fn winner(position: &Position) -> &'static str {
    match position.margin().signum() {
        1 => "B",
        -1 => "W",
        _ => "draw",
    }
}

fn result(position: &Position) -> Option<&'static str> {
    position.is_over().then(|| winner(position))
}
