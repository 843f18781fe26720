//! The wire protocol: `READY N d`, then `TURN a remaining_ms` and N map lines for each turn,
//! `FINISH`.
//!
//! The layout of the lines is **assumed**; only this module reads and writes it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;

use mcts_core::rng::{self, SearchRng};

use super::chaser::{Chaser, Policy};
use super::drawing;
use super::generator;
use super::grid::{Direction, MAX_SIZE, MIN_SIZE};
use super::memory::Map;
use super::notation::is_map_row;
use super::rules::{Catch, Footsteps, Phase, Progress};
use super::view::{Observation, View, observe};
use super::world::{Action, World};
use crate::client::{Client, Received, TimeTold};
use crate::judging::{Clocks, Fault, Judging, Outcome, Status, TimeLimits};
use crate::notation::Quoted;
use crate::svg::BoardCell;

/// The budget of a whole game, wall time and processor time. **Assumed**.
pub const BUDGET: Duration = Duration::from_secs(5);

/// The parameters of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Number of rows and columns.
    pub size: usize,
    /// The chaser's policy.
    pub chaser: Policy,
    /// The footstep table.
    pub footsteps: Footsteps,
    /// Seed of the world, the reappearing candies and the chaser's choices.
    pub seed: u64,
}

/// Judges one game.
#[derive(Debug, Clone)]
pub struct MazeJudge {
    progress: Progress,
    chaser: Chaser,
    footsteps: Footsteps,
    rng: SearchRng,
    last: Option<Action>,
}

impl MazeJudge {
    /// A game in a world sampled by the generator.
    #[must_use]
    pub fn new(setting: &Setting) -> MazeJudge {
        let world = generator::world(setting.size, &mut rng::stream(setting.seed, 0));
        MazeJudge::of_world(world, setting)
    }

    /// A game from `world`, regardless of the size in `setting`.
    #[must_use]
    pub fn of_world(world: World, setting: &Setting) -> MazeJudge {
        MazeJudge {
            progress: Progress::new(world),
            chaser: Chaser::new(setting.chaser),
            footsteps: setting.footsteps,
            rng: rng::stream(setting.seed, 1),
            last: None,
        }
    }

    /// The true world; bots must not see it.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The chaser with its internal state; bots must not see it.
    #[must_use]
    pub fn chaser(&self) -> &Chaser {
        &self.chaser
    }

    /// Maki's current observation.
    #[must_use]
    pub fn observation(&self) -> Observation {
        observe(&self.progress, &self.footsteps)
    }

    /// Plays a whole turn with Maki's `action`.
    ///
    /// # Panics
    /// If the game is over.
    pub fn play(&mut self, action: Action) {
        self.last = Some(action);
        self.progress.act(action);
        loop {
            match self.progress.phase {
                Phase::Respawn => {
                    let cells = self.progress.respawn_cells();
                    let drawn = cells.nth(rng::below(&mut self.rng, cells.len()));
                    self.progress
                        .respawn(drawn.expect("a candy reappears only where there is room"));
                }
                Phase::FirstAct | Phase::SecondAct => {
                    let choice = self.chaser.draw(&self.progress.world, &mut self.rng);
                    self.progress.chase(choice.action);
                    self.chaser.acted(choice, &self.progress.world);
                }
                Phase::Maki | Phase::Over(_) => return,
            }
        }
    }
}

impl Judging for MazeJudge {
    fn seats(&self) -> usize {
        1
    }

    fn time_limits(&self) -> TimeLimits {
        TimeLimits { wall: BUDGET, cpu: Some(BUDGET) }
    }

    fn opening(&self, _seat: usize) -> Vec<String> {
        let world = &self.progress.world;
        vec![format!("READY {} {}", world.maze.size, world.maki.facing)]
    }

    fn status(&self) -> Status {
        let Phase::Over(catch) = self.progress.phase else {
            return Status::ToMove(0);
        };
        let score = self.progress.score;
        let how = match catch {
            None => "survived all turns".to_string(),
            Some(catch) => {
                let by = match catch {
                    Catch::Move => "on stepping onto the chaser",
                    Catch::FirstAct => "by its first act",
                    Catch::SecondAct => "by its second act",
                };
                format!("caught in turn {}, {by}", self.progress.world.turn)
            }
        };
        let candies = if score == 1 { "candy" } else { "candies" };
        let description = format!("{score} {candies}, {how}");
        Status::Over(Outcome { points: vec![f64::from(score)], description })
    }

    fn request(&self, clocks: &Clocks) -> Vec<String> {
        let left = clocks.wall_left.first().copied().unwrap_or_default();
        let told = self.observation();
        let mut lines = vec![format!("TURN {} {}", told.footsteps, left.as_millis())];
        lines.extend((1..=told.map.size.into()).map(|row| told.map.row(row)));
        lines
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        let action: Action = line.parse()?;
        if let Phase::Over(_) = self.progress.phase {
            return Err(Fault::Illegal("the game is over".into()));
        }
        self.play(action);
        Ok(())
    }

    fn notice(&self, _seat: usize, _used: Duration) -> Vec<String> {
        Vec::new()
    }

    fn farewell(&self) -> Option<String> {
        Some("FINISH".into())
    }

    fn position(&self) -> String {
        self.progress.world.to_string()
    }

    fn picture(&self) -> String {
        let world = &self.progress.world;
        let told = self.observation();
        let mut text = format!(
            "turn {}, score {}, footsteps {}, Maki faces {}\n",
            world.turn, self.progress.score, told.footsteps, world.maki.facing
        );
        for (truth, shown) in self.position().lines().zip(told.map.to_string().lines()) {
            text.push_str(&format!("{truth}   {shown}\n"));
        }
        text
    }

    fn drawing(&self) -> Option<String> {
        Some(drawing::draw(&self.progress, &self.observation()))
    }

    fn drawing_of_view(&self, _seat: usize) -> Option<String> {
        let world = &self.progress.world;
        Some(drawing::draw_map(world.turn, world.maki.facing, &self.observation()))
    }

    fn cells(&self, answer: &str) -> Vec<BoardCell> {
        let Ok(Action::Step(direction)) = answer.parse() else { return Vec::new() };
        let cell = self.progress.world.maki.cell.step(direction);
        let size = usize::from(self.progress.world.maze.size);
        // Nothing to click on beyond the map.
        let inside = 1..=size;
        let is_inside = inside.contains(&cell.row()) && inside.contains(&cell.column());
        is_inside.then(|| (cell.column() as u8 - 1, cell.row() as u8 - 1)).into_iter().collect()
    }

    fn last_action(&self) -> Option<String> {
        self.last.map(|action| action.to_string())
    }

    fn legal_answers(&self) -> Vec<String> {
        Action::ALL.iter().map(Action::to_string).collect()
    }

    fn score(&self) -> Option<String> {
        Some(format!("{} candies", self.progress.score))
    }

    fn view(&self, _seat: usize) -> String {
        let world = &self.progress.world;
        let told = self.observation();
        format!(
            "turn {}, footsteps {}, Maki faces {}\n{}\n",
            world.turn, told.footsteps, world.maki.facing, told.map
        )
    }
}

/// The bot's side: maintains Maki's view, including her facing, which the judge does not send
/// again.
#[derive(Debug, Clone)]
pub struct MazeClient {
    view: View,
    /// Whether the view contains anything from the judge.
    begun: bool,
    done: Option<Action>,
    message: Message,
    size: Option<usize>,
}

/// The parts of a turn's message read so far.
#[derive(Debug, Clone, Default)]
struct Message {
    numbers: Vec<u64>,
    rows: Vec<String>,
    /// Whether the first line had a number; then the time may be missing.
    has_level: bool,
}

impl MazeClient {
    /// The client before the first line.
    #[must_use]
    pub fn new() -> MazeClient {
        MazeClient {
            view: View::unseen(MIN_SIZE, Direction::Up),
            begun: false,
            done: None,
            message: Message::default(),
            size: None,
        }
    }

    /// Reads size and first facing, in any order; missing parts are taken from the first map, or
    /// assumed.
    fn ready(&mut self, tokens: &[&str]) -> Received {
        let size = tokens.iter().find_map(|token| token.parse().ok());
        self.size = size.filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
        let facing = tokens.iter().find_map(|token| token.parse().ok());
        let facing = facing.unwrap_or(Direction::Up);
        self.view = View::unseen(self.size.unwrap_or(MIN_SIZE), facing);
        self.begun = false;
        self.done = None;
        self.message = Message::default();
        Received::Reply("OK".into())
    }

    /// Reads numbers and rows of a turn, in any order; ignores everything else.
    fn parts(&mut self, tokens: &[&str]) -> Received {
        let mut used = 0;
        for token in tokens {
            if let Some(number) = whole_number(token).filter(|_| self.message.numbers.len() < 2) {
                self.message.numbers.push(number);
                used += 1;
            } else if is_map_row(token) && self.is_width(token.len()) {
                self.message.rows.push((*token).into());
                used += 1;
            }
        }
        let has_numbers = self.message.numbers.len() == 2 || self.message.has_level;
        let complete = has_numbers && self.size.is_some_and(|size| self.message.rows.len() >= size);
        match (complete, used) {
            (true, _) => self.complete(),
            (false, 0) if !tokens.is_empty() => Received::Skipped(format!(
                "not a part of a turn's message: {}",
                Quoted(&tokens.join(" "))
            )),
            (false, _) => Received::Noted,
        }
    }

    /// Whether a row of this width belongs to the maze; the first row defines a size that `READY`
    /// did not state.
    fn is_width(&mut self, width: usize) -> bool {
        if self.size.is_none() && (MIN_SIZE..=MAX_SIZE).contains(&width) {
            self.size = Some(width);
        }
        self.size == Some(width)
    }

    fn complete(&mut self) -> Received {
        let Message { numbers, rows, .. } = core::mem::take(&mut self.message);
        let size = self.size.unwrap_or(rows.len()).min(rows.len());
        let map: Map = match rows[..size].join("\n").parse() {
            Ok(map) => map,
            Err(error) => return Received::Skipped(format!("the map is invalid: {error}")),
        };
        let (level, left) = match numbers[..] {
            [left, level] if left > 3 && level <= 3 => (level, Some(left)),
            [level, ref rest @ ..] => (level, rest.first().copied()),
            [] => return Received::Skipped("a turn without the level of the footsteps".into()),
        };
        let observation = Observation { map, footsteps: level.min(3) as u8 };
        if self.begun {
            self.view.grow(self.done.take().unwrap_or(Action::Stay), observation);
        } else {
            self.view = View::new(self.view.first_facing, observation);
            self.begun = true;
        }
        Received::Act(TimeTold { own: left.map(Duration::from_millis), opponent: None })
    }
}

impl Default for MazeClient {
    fn default() -> Self {
        MazeClient::new()
    }
}

impl Client for MazeClient {
    type Game = Footsteps;
    type Position = View;
    type Action = Action;

    fn receive(&mut self, line: &str) -> Received {
        let tokens: Vec<&str> = line.split_ascii_whitespace().collect();
        match tokens.split_first() {
            None => Received::Noted,
            Some((&"READY", rest)) => self.ready(rest),
            Some((&"FINISH", _)) => Received::Finish,
            Some((&"TURN", rest)) => {
                if !self.message.numbers.is_empty() {
                    self.message = Message::default();
                }
                self.message.has_level = rest.iter().any(|token| whole_number(token).is_some());
                self.parts(rest)
            }
            Some(_) => self.parts(&tokens),
        }
    }

    fn game(&self) -> &Footsteps {
        &Footsteps::ASSUMED
    }

    fn position(&self) -> &View {
        &self.view
    }

    fn name(&self, action: &Action) -> Option<String> {
        Some(action.to_string())
    }

    fn act(&mut self, action: Action) -> String {
        self.done = Some(action);
        action.to_string()
    }
}

/// A whole number; negative numbers, such as an overdrawn clock, count as zero.
fn whole_number(token: &str) -> Option<u64> {
    let number: i128 = token.parse().ok()?;
    Some(number.clamp(0, u64::MAX.into()) as u64)
}
