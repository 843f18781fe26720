//! Golden vectors of the maze: visible cells, whole games, numbers of candies.

use alloc::format;
use alloc::string::ToString;

use serde_json::{Value, json};

use super::grid::{Cell, MAX_SIZE};
use super::memory::Map;
use super::rules::{Catch, Footsteps, Phase, Progress, candy_count};
use super::world::{Action, World};
use crate::conformance::{Check, Difference, Field};

/// The check for a kind of file of the maze, if `stem` names one.
#[must_use]
pub fn check(stem: &str) -> Option<Check> {
    match stem {
        "maze_candy_count" => Some(check_candy_count),
        "maze_games" => Some(check_game),
        "maze_vision" => Some(check_vision),
        _ => None,
    }
}

fn check_candy_count(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let inner = case.get("f")?;
    let inner =
        usize::try_from(inner.number()?).map_err(|_| inner.differs("not a number of cells"))?;
    case.get("candies")?.is(candy_count(inner))
}

fn check_vision(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let mut progress = start(&case)?;
    for step in case.get("steps")?.items()? {
        act(&mut progress, &step)?;
        while is_chasers(&progress) {
            progress.chase(Action::Stay);
        }
        step.get("score")?.is(progress.score)?;
        check_shown(&progress, &step)?;
    }
    Ok(())
}

fn check_game(case: &Value) -> Result<(), Difference> {
    let case = Field::case(case);
    let mut progress = start(&case)?;
    for turn in case.get("turns")?.items()? {
        turn.get("turn")?.is(progress.world.turn)?;
        act(&mut progress, &turn)?;
        chase(&mut progress, &turn.get("chaser")?)?;
        let World { maki, chaser, .. } = &progress.world;
        turn.get("caught")?.is(match progress.phase {
            Phase::Over(Some(Catch::Move)) => Some("move"),
            Phase::Over(Some(Catch::FirstAct)) => Some("act1"),
            Phase::Over(Some(Catch::SecondAct)) => Some("act2"),
            _ => None,
        })?;
        turn.get("score")?.is(progress.score)?;
        turn.get("maki_at")?.is(coordinates(maki.cell))?;
        turn.get("facing")?.is(maki.facing.to_string())?;
        turn.get("chaser_at")?.is(coordinates(chaser.cell))?;
        turn.get("chaser_facing")?.is(chaser.facing.to_string())?;
        check_shown(&progress, &turn)?;
    }
    case.get("score")?.is(progress.score)?;
    case.get("end")?.is(match progress.phase {
        Phase::Over(Some(_)) => Some("caught"),
        Phase::Over(None) => Some("turn100"),
        _ => None,
    })
}

/// Reads the world, parts of which other fields repeat, and checks the first observation.
fn start(case: &Field<'_>) -> Result<Progress, Difference> {
    let world: World = case.get("world")?.parse()?;
    case.get("n")?.is(world.maze.size)?;
    case.get("facing")?.is(world.maki.facing.to_string())?;
    case.get("turn")?.is(world.turn)?;
    case.get("chaser_facing")?.is(world.chaser.facing.to_string())?;
    let progress = Progress::new(world);
    check_shown(&progress, &case.get("first")?)?;
    Ok(progress)
}

/// Maki's part of a turn, with the cell where the eaten candy reappears.
fn act(progress: &mut Progress, turn: &Field<'_>) -> Result<(), Difference> {
    let action = turn.get("action")?;
    if progress.phase != Phase::Maki {
        return Err(action.differs("the game is over"));
    }
    progress.act(action.parse()?);
    let respawn = turn.get("respawn")?;
    if progress.phase != Phase::Respawn {
        return respawn.is(Value::Null);
    }
    let cell = cell(&respawn)?;
    if !progress.respawn_cells().contains(cell) {
        return Err(respawn.differs("not a free passage"));
    }
    progress.respawn(cell);
    Ok(())
}

/// The chaser's part of a turn: exactly the number of acts that it has.
fn chase(progress: &mut Progress, acts: &Field<'_>) -> Result<(), Difference> {
    for letter in acts.text()?.chars() {
        let action = letter.encode_utf8(&mut [0; 4]).parse();
        let action = action.map_err(|error| acts.differs(&format!("{letter:?} ({error})")))?;
        if !is_chasers(progress) {
            return Err(acts.differs("fewer acts"));
        }
        progress.chase(action);
    }
    if is_chasers(progress) { Err(acts.differs("more acts")) } else { Ok(()) }
}

fn is_chasers(progress: &Progress) -> bool {
    matches!(progress.phase, Phase::FirstAct | Phase::SecondAct)
}

/// Maki's observation at the start of the next turn; none once the game is over.
fn check_shown(progress: &Progress, expected: &Field<'_>) -> Result<(), Difference> {
    let goes_on = !matches!(progress.phase, Phase::Over(_));
    let told = |value: Value| if goes_on { value } else { Value::Null };
    let distance = progress.distance();
    expected.get("map")?.is(told(json!(rows(&progress.map()))))?;
    expected.get("footsteps")?.is(told(json!(Footsteps::ASSUMED.level(distance))))?;
    expected.get("distance")?.is(told(json!(distance)))
}

fn rows(map: &Map) -> alloc::string::String {
    map.to_string().replace('\n', "/")
}

fn cell(field: &Field<'_>) -> Result<Cell, Difference> {
    let coordinates = field.items()?;
    let [row, column] = &coordinates[..] else {
        return Err(field.differs("not a row and a column"));
    };
    let coordinate = |field: &Field<'_>| {
        let at = usize::try_from(field.number()?).ok().filter(|at| (1..=MAX_SIZE).contains(at));
        at.ok_or_else(|| field.differs("outside the maze"))
    };
    Ok(Cell::new(coordinate(row)?, coordinate(column)?))
}

fn coordinates(cell: Cell) -> Value {
    json!([cell.row(), cell.column()])
}
