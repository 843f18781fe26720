//! A bot that plays against a person: no verdict for its faults, but every wait has a limit.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use bots::{Answer, Seat};
use mcts_core::SystemClock;

/// Time limit for the start of a program.
const START: Duration = Duration::from_secs(30);

/// A built-in bot in this process, or a program behind pipes.
#[derive(Debug)]
pub(crate) enum Opponent {
    Inside(Inside),
    Program(Program),
}

/// A built-in bot.
pub(crate) struct Inside(pub(crate) Box<dyn Seat>);

impl std::fmt::Debug for Inside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Inside")
    }
}

/// A program; killed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    /// Starts a program.
    pub(crate) fn start(command: &[String]) -> std::io::Result<Program> {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (sender, lines) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Program { input: child.stdin.take(), child, lines })
    }

    fn write(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            // A program that has ended does not answer; that is noticed at the next request.
            let _ = writeln!(input, "{line}");
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Opponent {
    /// Starts a game.
    pub(crate) fn open(&mut self, lines: &[String]) -> Result<(), String> {
        let answer = self.ask(lines, START)?;
        if answer.trim_end() == "OK" { Ok(()) } else { Err(format!("answered {answer:?}, not OK")) }
    }

    /// Sends a line that needs no answer.
    pub(crate) fn inform(&mut self, line: &str) {
        match self {
            Opponent::Inside(Inside(bot)) => drop(bot.receive(line, &SystemClock)),
            Opponent::Program(program) => program.write(line),
        }
    }

    /// Sends a request and waits for the answer, at most `most`.
    pub(crate) fn ask(&mut self, lines: &[String], most: Duration) -> Result<String, String> {
        match self {
            Opponent::Inside(Inside(bot)) => {
                let answers = lines.iter().map(|line| bot.receive(line, &SystemClock));
                let lines = answers.filter_map(|answer| match answer {
                    Answer::Line(line) => Some(line),
                    Answer::Nothing | Answer::Leave => None,
                });
                lines.last().ok_or_else(|| "gave no answer".to_owned())
            }
            Opponent::Program(program) => {
                lines.iter().for_each(|line| program.write(line));
                program.lines.recv_timeout(most).map_err(|error| match error {
                    RecvTimeoutError::Timeout => "did not answer in time".to_owned(),
                    RecvTimeoutError::Disconnected => "has ended".to_owned(),
                })
            }
        }
    }

    /// The report of a built-in bot on the search behind its last answer.
    pub(crate) fn report(&self) -> Option<String> {
        match self {
            Opponent::Inside(Inside(bot)) => bot.report(),
            Opponent::Program(_) => None,
        }
    }
}
