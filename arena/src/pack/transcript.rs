//! The lines that a bot read and wrote in a game, and the comparison of a program with them.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::rc::Rc;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bots::{Answer, Seat};
use mcts_core::Clock;

use super::{PackError, Target};
use crate::catalogue::Catalogue;
use crate::referee::{self, Occasion, Player};

/// Time limit for an answer; a program that takes longer hangs.
const LONGEST_ANSWER: Duration = Duration::from_secs(120);

/// Time limit for the end of a program.
const LEAVING: Duration = Duration::from_secs(5);

/// An answer, and the line that it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    /// The index of the line that it answers.
    after: usize,
    text: String,
    report: Option<String>,
}

/// One seat of one game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The bot's seed and number of playouts, as parameters.
    parameters: Vec<(String, String)>,
    lines: Vec<String>,
    answers: Vec<Said>,
}

/// A program that plays the bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its file.
    pub file: PathBuf,
    /// Whether it takes parameters as `--name value`, instead of one word `name=value,...`.
    pub is_native: bool,
    /// Parameters on its command line: those of the specification, unless they are built in.
    pub parameters: Vec<(String, String)>,
}

/// The resources that a program used for a transcript.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Total processor time.
    pub cpu: Duration,
    /// Processor time until the first answer.
    pub start: Duration,
    /// Peak memory.
    pub peak_bytes: u64,
}

/// A bot that records what it reads and answers.
struct Recorder {
    seat: Box<dyn Seat>,
    heard: Rc<RefCell<Transcript>>,
}

impl Seat for Recorder {
    fn receive(&mut self, line: &str, clock: &dyn Clock) -> Answer {
        let answer = self.seat.receive(line, clock);
        let mut heard = self.heard.borrow_mut();
        let after = heard.lines.len();
        heard.lines.push(line.to_owned());
        if let Answer::Line(text) = &answer {
            let report = self.seat.report();
            heard.answers.push(Said { after, text: text.clone(), report });
        }
        answer
    }

    fn report(&self) -> Option<String> {
        self.seat.report()
    }
}

impl Transcript {
    /// Plays a game in this process, in which the bot on `seat` has a budget of playouts if it has
    /// such a parameter.
    ///
    /// # Errors
    /// If the bot cannot be built, or loses by a fault.
    pub fn record(
        catalogue: &Catalogue,
        target: &Target,
        (seed, seat, playouts): (u64, usize, u64),
    ) -> Result<Transcript, PackError> {
        let refused = |why: String| PackError::NotComparable(why);
        let game = catalogue.game(&target.game).ok_or_else(|| refused("no such game".into()))?;
        let mut judging = (game.judge)(seed, &[]).map_err(|error| refused(error.to_string()))?;
        let seed = (seed + 1).to_string();
        let owned = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let with_playouts = vec![owned("seed", &seed), owned("playouts", &playouts.to_string())];
        let attempts = [with_playouts, vec![owned("seed", &seed)], Vec::new()];
        let mut built = attempts.into_iter().filter_map(|parameters| {
            let bot = catalogue.bot(&target.game, &target.with(&joined(&parameters))).ok()?;
            Some((parameters, bot))
        });
        let (parameters, bot) = built
            .next()
            .ok_or_else(|| refused(format!("{} has no bot `{}`", target.game, target.with(""))))?;
        let heard = Rc::new(RefCell::new(Transcript { parameters, ..Transcript::default() }));
        let mut bots: Vec<Box<dyn Seat>> = Vec::new();
        let mut recorder = Some(Recorder { seat: bot, heard: Rc::clone(&heard) });
        for place in 0..judging.seats() {
            bots.push(match recorder.take_if(|_| place == seat) {
                Some(recorder) => Box::new(recorder),
                None => opponent(catalogue, &target.game, playouts).1,
            });
        }
        let players: Vec<Player> = (0..bots.len())
            .map(|_| Player { name: String::new(), command: Vec::new(), seed: 0 })
            .collect();
        let occasion = Occasion { game: game.name, seed: 0 };
        let record = referee::play_in_process(judging.as_mut(), &mut bots, &players, occasion);
        drop(bots);
        if let Some(verdict) = record.verdict {
            return Err(refused(format!("the native bot does not play by the rules: {verdict}")));
        }
        Ok(heard.take())
    }

    /// Whether the answers depend only on the lines: the bot has a budget of playouts, or does not
    /// search.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.has_playouts() || self.answers.iter().all(|said| said.report.is_none())
    }

    fn has_playouts(&self) -> bool {
        self.parameters.iter().any(|(name, _)| name == "playouts")
    }

    /// Number of answers.
    #[must_use]
    pub fn answers(&self) -> usize {
        self.answers.len()
    }

    /// Total playouts of all searches, by their reports.
    #[must_use]
    pub fn playouts(&self) -> u64 {
        let reports = self.answers.iter().filter_map(|said| said.report.as_deref());
        let words = reports.flat_map(|report| report.split(' '));
        let numbers = words.filter_map(|word| word.strip_prefix("playouts=")?.parse::<u64>().ok());
        numbers.sum()
    }

    /// Runs a program on the transcript.
    ///
    /// # Errors
    /// If it answers or reports anything else, or does not exit with code 0.
    pub fn play(&self, program: &Program) -> Result<Used, PackError> {
        let mut running = Running::start(program, &self.parameters)?;
        let (Some(first), Some(last)) = (self.answers.first(), self.answers.last()) else {
            return Err(PackError::NotComparable(
                "the bot was never asked for an answer".to_owned(),
            ));
        };
        running.write(&self.lines[..=first.after]);
        self.compare(&mut running, 0)?;
        let start = running.used().cpu;
        // the bot reads while it answers, so writing and reading are concurrent
        let rest = self.lines[first.after + 1..=last.after].to_vec();
        let writing = running.write_aside(rest);
        let answers =
            (1..self.answers.len()).try_for_each(|place| self.compare(&mut running, place));
        if let Err(error) = answers {
            running.kill();
            let _ = writing.join();
            return Err(error);
        }
        running.input = writing.join().ok().flatten();
        let used = running.used();
        running.write(&self.lines[last.after + 1..]);
        let reports = running.leave()?;
        self.compare_reports(program, &reports)?;
        Ok(Used { start, ..used })
    }

    fn compare(&self, running: &mut Running, place: usize) -> Result<(), PackError> {
        let said = &self.answers[place];
        let found = running.answer();
        if found.as_deref() == Some(&said.text) {
            return Ok(());
        }
        let found = found.map_or_else(|| "nothing".to_owned(), |text| format!("{text:?}"));
        let asked = &self.lines[said.after];
        Err(running.differs(format!(
            "answer {} to {asked:?}: expected {:?}, found {found}",
            place + 1,
            said.text
        )))
    }

    fn compare_reports(&self, program: &Program, found: &str) -> Result<(), PackError> {
        let expected: Vec<String> = self
            .answers
            .iter()
            .zip(1..)
            .filter_map(|(said, answer)| {
                Some(format!("report answer={answer} {}", said.report.as_ref()?))
            })
            .collect();
        let found: Vec<&str> = found.lines().collect();
        if expected == found {
            return Ok(());
        }
        let at = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
        let shown = |line: Option<&str>| line.unwrap_or("nothing").to_owned();
        Err(PackError::Differs {
            program: program.file.display().to_string(),
            how: format!(
                "report {}: expected `{}`, found `{}`",
                at + 1,
                shown(expected.get(at).map(String::as_str)),
                shown(found.get(at).copied())
            ),
        })
    }
}

/// The opponent: the first of these bots that the game has.
#[must_use]
pub fn opponent(catalogue: &Catalogue, game: &str, playouts: u64) -> (String, Box<dyn Seat>) {
    let names = ["greedy".to_owned(), "random".to_owned(), format!("mcts:playouts={playouts}")];
    let mut built = names.into_iter().filter_map(|name| {
        let bot = catalogue.bot(game, &name).ok()?;
        Some((name, bot))
    });
    built.next().unwrap_or_else(|| (String::new(), Box::new(Silent)))
}

/// A seat of a game without bots; never answers.
struct Silent;

impl Seat for Silent {
    fn receive(&mut self, _: &str, _: &dyn Clock) -> Answer {
        Answer::Nothing
    }
}

fn joined(parameters: &[(String, String)]) -> String {
    let words: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    words.join(",")
}

/// A running program.
struct Running {
    file: PathBuf,
    child: Child,
    input: Option<ChildStdin>,
    answers: mpsc::Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

impl Running {
    fn start(program: &Program, further: &[(String, String)]) -> Result<Running, PackError> {
        let parameters: Vec<(String, String)> =
            program.parameters.iter().chain(further).cloned().collect();
        let mut command = Command::new(&program.file);
        if program.is_native {
            command.args(
                parameters.iter().flat_map(|(name, value)| [format!("--{name}"), value.clone()]),
            );
        } else if !parameters.is_empty() {
            command.arg(joined(&parameters));
        }
        let mut child = command
            .env(bots::stdio::REPORT_VARIABLE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(PackError::file(&program.file))?;
        let (sender, answers) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
                for line in lines {
                    let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
                }
            });
        }
        let errors = child.stderr.take().map(|mut errors| {
            thread::spawn(move || {
                let mut text = Vec::new();
                let _ = errors.read_to_end(&mut text);
                String::from_utf8_lossy(&text).into_owned()
            })
        });
        let input = child.stdin.take();
        Ok(Running { file: program.file.clone(), child, input, answers, errors })
    }

    fn write(&mut self, lines: &[String]) {
        if let Some(input) = &mut self.input {
            // a program that has ended is detected by its missing answer
            let _ = input.write_all(text(lines).as_bytes()).and_then(|()| input.flush());
        }
    }

    fn write_aside(&mut self, lines: Vec<String>) -> JoinHandle<Option<ChildStdin>> {
        let input = self.input.take();
        thread::spawn(move || {
            let mut input = input?;
            let _ = input.write_all(text(&lines).as_bytes()).and_then(|()| input.flush());
            Some(input)
        })
    }

    fn answer(&mut self) -> Option<String> {
        self.answers.recv_timeout(LONGEST_ANSWER).ok()
    }

    /// The resources used so far; exact while the program waits for a line.
    fn used(&self) -> Used {
        let of_process = |name: &str| {
            std::fs::read_to_string(Path::new("/proc").join(self.child.id().to_string()).join(name))
                .unwrap_or_default()
        };
        let nanos = of_process("schedstat").split(' ').next().and_then(|text| text.parse().ok());
        let status = of_process("status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
        Used {
            cpu: Duration::from_nanos(nanos.unwrap_or_default()),
            start: Duration::ZERO,
            peak_bytes: kib.unwrap_or_default() << 10,
        }
    }

    /// Closes its input and waits for its end; returns its standard error.
    fn leave(&mut self) -> Result<String, PackError> {
        self.input = None;
        let until = Instant::now() + LEAVING;
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => break None,
            }
        };
        if !status.is_some_and(|status| status.success()) {
            self.kill();
            let how = status.map_or_else(
                || "it does not exit at the end of its input".to_owned(),
                |status| format!("expected exit code 0 at the end of the input, found {status}"),
            );
            return Err(self.differs(how));
        }
        if let Some(more) = self.answer() {
            return Err(self.differs(format!("expected no further answer, found {more:?}")));
        }
        let errors = self.errors.take().and_then(|errors| errors.join().ok());
        Ok(errors.unwrap_or_default())
    }

    fn differs(&self, how: String) -> PackError {
        PackError::Differs { program: self.file.display().to_string(), how }
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}
