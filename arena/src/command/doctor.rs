//! `arena doctor`: checks whether this machine has the tools for a contest.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::Context;
use mcts_core::{Clock, SystemClock};
use rustix::process::{PidfdFlags, getpid, pidfd_open};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use crate::pack::build::check_wasm_target;
use crate::pack::compile::Compiler;
use crate::pack::source::Language;

/// Checks this machine for a contest: compilers, clocks, cores, memory, and external tools
///
/// Each compiler is tested by compiling and running a program. Each line states what was found, or
/// what is missing, which command needs it and how to install it. The exit status is 1 if a tool is
/// missing that games or `arena pack --to cpp` need.
#[derive(Debug, clap::Args)]
pub(super) struct Doctor {}

/// The result of one check.
struct Finding {
    what: &'static str,
    purpose: &'static str,
    /// Whether games, or packing for C++, are impossible without it.
    is_needed: bool,
    /// What was found, or what is wrong and what to do.
    found: Result<String, String>,
}

impl Doctor {
    #[allow(clippy::unused_self, reason = "every command runs by its own value")]
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let folder = std::env::temp_dir().join(format!("arena-doctor-{}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let mut findings = machine();
        findings.extend(compilers(&folder));
        findings.extend(tools());
        let _ = std::fs::remove_dir_all(&folder);
        let mut out = io::stdout().lock();
        for Finding { what, purpose, found, is_needed } in &findings {
            match found {
                Ok(found) => writeln!(out, "ok       {what}: {found}")?,
                Err(wrong) => {
                    let sign = if *is_needed { "MISSING" } else { "missing" };
                    writeln!(out, "{sign}  {what} (for {purpose}): {wrong}")?;
                }
            }
        }
        let missing = findings.iter().filter(|finding| finding.found.is_err());
        let needed = missing.clone().filter(|finding| finding.is_needed).count();
        writeln!(
            out,
            "{} checks, {} missing, {needed} of them needed",
            findings.len(),
            missing.count()
        )?;
        Ok(ExitCode::from(u8::from(needed > 0)))
    }
}

fn machine() -> Vec<Finding> {
    let needed = |what, purpose, found| Finding { what, purpose, is_needed: true, found };
    let optional = |what, purpose, found| Finding { what, purpose, is_needed: false, found };
    vec![
        needed("wall clock", "games", step_of(|| Some(SystemClock.monotonic_nanos()))),
        needed("processor clock", "games", step_of(|| SystemClock.cpu_nanos())),
        needed("process handles (pidfd)", "games", process_handles()),
        needed("memory", "games", memory()),
        optional("cores", "concurrent games", cores()),
        optional("pinning", "games on separate cores", pinning()),
    ]
}

fn compilers(folder: &Path) -> Vec<Finding> {
    let mut findings = vec![Finding {
        what: "WebAssembly",
        purpose: "arena pack",
        is_needed: true,
        found: check_wasm_target()
            .map(|()| "its standard library is installed".to_owned())
            .map_err(one_line),
    }];
    for language in [Language::Cpp, Language::C, Language::Rs] {
        let mut tried: Vec<&str> = Vec::new();
        for (place, compiler) in Compiler::of(language).iter().enumerate() {
            if tried.contains(&compiler.program) {
                continue;
            }
            tried.push(compiler.program);
            let found = if compiler.is_there() {
                let started = Instant::now();
                compiler.try_out(language, folder).map_err(one_line).map(|()| {
                    format!("compiles and runs, {:.1} s", started.elapsed().as_secs_f64())
                })
            } else {
                Err(format!("install it with `{}`", compiler.install))
            };
            findings.push(Finding {
                what: compiler.program,
                purpose: match language {
                    Language::Cpp => "arena pack --to cpp",
                    Language::C => "arena pack --to c",
                    Language::Rs => "arena pack --to rs",
                },
                is_needed: language == Language::Cpp && place == 0,
                found,
            });
        }
    }
    findings
}

fn one_line(error: impl std::fmt::Display) -> String {
    error.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

fn tools() -> Vec<Finding> {
    let tool = |what, purpose, programs: &[&str], install: &str| Finding {
        what,
        purpose,
        is_needed: false,
        found: version(programs).ok_or_else(|| format!("install it with `{install}`")),
    };
    vec![
        tool("git", "the commit in packed files", &["git"], "sudo apt-get install git"),
        tool("Node.js", "the test of modules", &["node"], "sudo apt-get install nodejs"),
        tool(
            "Chromium",
            "the viewer's tests",
            &["chromium", "chromium-browser", "google-chrome"],
            "sudo apt-get install chromium",
        ),
        tool("Slurm", "arena submit", &["sbatch"], "sudo apt-get install slurm-client"),
    ]
}

/// The version line of the first of these programs that can be started.
fn version(programs: &[&str]) -> Option<String> {
    programs.iter().find_map(|program| {
        let said = Command::new(program).arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&said.stdout);
        said.status.success().then(|| text.lines().next().unwrap_or_default().to_owned())
    })
}

/// The smallest observed step of a clock.
fn step_of(now: impl Fn() -> Option<u64>) -> Result<String, String> {
    let started = Instant::now();
    let mut smallest = u64::MAX;
    let mut last = now().ok_or("the system has no such clock")?;
    while started.elapsed() < Duration::from_millis(20) {
        let next = now().ok_or("the system has no such clock")?;
        if next < last {
            return Err("the clock goes backwards".to_owned());
        }
        if next > last {
            smallest = smallest.min(next - last);
        }
        last = next;
    }
    match smallest {
        u64::MAX => Err("the clock does not advance for 20 ms".to_owned()),
        1_000_000.. => Err(format!("steps of {smallest} ns are too coarse for a contest clock")),
        _ => Ok(format!("steps of {smallest} ns")),
    }
}

fn process_handles() -> Result<String, String> {
    let opened = pidfd_open(getpid(), PidfdFlags::empty());
    opened.map(|_| "can be opened".to_owned()).map_err(|error| {
        format!(
            "{error}; the referee needs Linux 5.3 or later, and a sandbox that allows pidfd_open"
        )
    })
}

fn memory() -> Result<String, String> {
    const LEAST_MIB: u64 = 1_024;
    let text = std::fs::read_to_string("/proc/meminfo")
        .map_err(|error| format!("/proc/meminfo: {error}"))?;
    let kib = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = kib.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    let mib = kib.ok_or("/proc/meminfo: expected a line `MemAvailable: N kB`")? >> 10;
    let text = format!("{mib} MiB available");
    if mib < LEAST_MIB { Err(format!("{text}; two bots need {LEAST_MIB}")) } else { Ok(text) }
}

fn cores() -> Result<String, String> {
    let cores = std::thread::available_parallelism().map_err(|error| error.to_string())?;
    match cores.get() {
        1 => Err("one core, shared by games and referee: use --concurrency 1".to_owned()),
        cores => Ok(format!("{cores}")),
    }
}

fn pinning() -> Result<String, String> {
    let allowed = sched_getaffinity(None)
        .map_err(|error| format!("cannot read the allowed cores: {error}"))?;
    sched_setaffinity(None, &allowed).map_err(|error| format!("not allowed here: {error}"))?;
    Ok(format!("allowed on {} cores", allowed.count()))
}
