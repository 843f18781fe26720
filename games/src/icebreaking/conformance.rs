//! Golden vectors of Icebreaking.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::{Cell, Content, Diagram, Side};
use crate::conformance::{Check, Difference, Field};

/// The check of a kind of file, if it is one of Icebreaking.
#[must_use]
pub fn check(stem: &str) -> Option<Check> {
    match stem {
        "icebreaking_games" => Some(check_game),
        "icebreaking_captures" => Some(check_capture),
        _ => None,
    }
}

fn check_game(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let mut diagram: Diagram = case.get("start")?.parse()?;
    let [moves, scores, ice] = [case.get("moves")?, case.get("scores")?, case.get("ice")?];
    let (scores_after, ice_after) = (scores.items()?, ice.items()?);
    let cells = moves.items()?;
    for list in [&scores, &ice] {
        if list.items()?.len() != cells.len() {
            return Err(list.differs(&format!("{} moves", cells.len())));
        }
    }
    for ((cell, scores), ice) in cells.iter().zip(scores_after).zip(ice_after) {
        apply(&mut diagram, cell)?;
        scores.is(json!([diagram.position.total(Side::A), diagram.position.total(Side::B)]))?;
        ice.is(diagram.position.ice_left())?;
    }
    case.get("end")?.is(diagram.to_string())?;
    case.get("result")?.is(result(&diagram))
}

fn check_capture(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let before: Diagram = case.get("position")?.parse()?;
    let mut after = before;
    let action = case.get("move")?;
    let cell = apply(&mut after, &action)?;
    let now_taken = |other: &Cell| {
        *other != cell
            && before.position.content(&before.board, *other) == Content::Ice
            && after.position.content(&after.board, *other) != Content::Ice
    };
    let captured: Vec<_> =
        Cell::all().filter(now_taken).map(|cell| json!([cell.row(), cell.column()])).collect();
    case.get("captured")?.is(captured)?;
    case.get("components")?.is(before.position.component_sizes(cell).as_slice())?;
    case.get("gained")?.is(before.position.gain(&before.board, cell))?;
    case.get("after")?.is(after.to_string())?;
    case.get("ice")?.is(after.position.ice_left())?;
    case.get("result")?.is(result(&after))
}

fn apply(diagram: &mut Diagram, action: &Field<'_>) -> Result<Cell, Difference> {
    let numbers = action.items()?.iter().map(Field::number).collect::<Result<Vec<i64>, _>>()?;
    let cell = match numbers[..] {
        [row, column] => Cell::at(row as i32, column as i32),
        _ => None,
    };
    let cell = cell.ok_or_else(|| action.differs("not a cell of the board"))?;
    diagram
        .position
        .try_apply(&diagram.board, cell)
        .map_err(|why| action.differs(&why.to_string()))?;
    Ok(cell)
}

fn result(diagram: &Diagram) -> Option<&'static str> {
    diagram.position.is_over().then(|| match diagram.position.margin().signum() {
        1 => "a",
        -1 => "b",
        _ => "draw",
    })
}
