//! `arena submit`: plays shards on this machine or a cluster.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::Ordering;

use crate::contest::{HYPERQUEUE_SCRIPT, Manifest, Submission};
use anyhow::{Context, ensure};

use crate::catalogue::Catalogue;

use super::contest::{INTERRUPTED, Running, own_program, stop_on_signals};
use super::shard::{Shards, check_bots, read_manifest};

/// What runs the shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// This machine, one shard after the other.
    Local,
    /// A job array of Slurm, by `sbatch`.
    Slurm,
    /// Tasks of `HyperQueue`: by `hq`, or by its Python package where there is no `hq`.
    Hq,
}

/// Runs all shards of a manifest, here or through a scheduler
#[derive(Debug, clap::Args)]
pub(super) struct Submit {
    /// The manifest
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// Directory of the shards, shared by all machines
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What runs the shards
    #[arg(long, default_value = "local")]
    engine: Engine,
    /// Only print what would be sent to the scheduler
    #[arg(long)]
    dry_run: bool,
    /// An additional line for the scheduler: an option of sbatch, or a line of the job file of hq
    #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
    scheduler: Vec<String>,
    /// Python interpreter with the package `hyperqueue`, used if there is no `hq`
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,
    #[command(flatten)]
    running: Running,
}

impl Submit {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let manifest = read_manifest(catalogue, &self.plan)?;
        self.check_scheduler_lines()?;
        check_bots(&manifest)?;
        std::fs::create_dir_all(&self.out).with_context(|| self.out.display().to_string())?;
        match self.engine {
            Engine::Local => self.play(catalogue, &manifest),
            Engine::Slurm => {
                let script = self.submission(&manifest)?.slurm_script();
                self.hand_over("job.sh", &script, &["sbatch"])
            }
            Engine::Hq => self.hand_to_hyperqueue(&self.submission(&manifest)?),
        }
    }

    /// Rejects lines that the scheduler would not accept.
    fn check_scheduler_lines(&self) -> anyhow::Result<()> {
        let (is_line, what): (fn(&str) -> bool, _) = match self.engine {
            Engine::Local => (|_| false, "no such line: the local engine has no scheduler"),
            Engine::Slurm => {
                (|line| line.starts_with('-'), "an option of sbatch, such as --partition=long")
            }
            Engine::Hq => (
                |line| line.contains('='),
                "a line of a HyperQueue job file, such as max_fails = 1",
            ),
        };
        for line in &self.scheduler {
            ensure!(is_line(line) && !line.contains('\n'), "--scheduler {line:?}: expected {what}");
        }
        Ok(())
    }

    fn play(&self, catalogue: &Catalogue, manifest: &Manifest) -> anyhow::Result<ExitCode> {
        let stop = stop_on_signals()?;
        let (out, running) = (&*self.out, &self.running);
        let shards = Shards { catalogue, manifest, out, stop: &stop, running };
        for index in 0..manifest.shards {
            shards.play(index)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(ExitCode::from(INTERRUPTED));
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn submission(&self, manifest: &Manifest) -> anyhow::Result<Submission> {
        let absolute =
            |path: &Path| path.canonicalize().with_context(|| path.display().to_string());
        Ok(Submission {
            name: format!("arena-{}", &manifest.plan.fingerprint()[..8]),
            arena: own_program()?,
            manifest: absolute(&self.plan)?,
            out: absolute(&self.out)?,
            shards: manifest.shards,
            jobs: self.running.jobs(),
            extra: self.scheduler.clone(),
        })
    }

    /// Submits through `hq` if it is on the path, otherwise through its Python package, and waits
    /// in both cases until all shards are played.
    fn hand_to_hyperqueue(&self, submission: &Submission) -> anyhow::Result<ExitCode> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if std::env::split_paths(&path).any(|directory| directory.join("hq").is_file()) {
            return self.hand_over(
                "job.toml",
                &submission.hyperqueue_job(),
                &["hq", "job", "submit-file"],
            );
        }
        ensure!(
            self.scheduler.is_empty(),
            "--scheduler is for the job files of `hq`, which is not on the path"
        );
        let script = self.out.join("submit_hq.py");
        std::fs::write(&script, HYPERQUEUE_SCRIPT).with_context(|| script.display().to_string())?;
        let script = script.to_string_lossy().into_owned();
        self.hand_over("job.json", &submission.hyperqueue_tasks(), &[&self.python, &script])
            .context(
                "there is no `hq` on the path; its Python package needs `pip install hyperqueue`",
            )
    }

    fn hand_over(&self, name: &str, content: &str, command: &[&str]) -> anyhow::Result<ExitCode> {
        let file = self.out.join(name);
        std::fs::write(&file, content).with_context(|| file.display().to_string())?;
        writeln!(io::stdout(), "wrote {}", file.display())?;
        if self.dry_run {
            return Ok(ExitCode::SUCCESS);
        }
        let status = Command::new(command[0]).args(&command[1..]).arg(&file).status();
        let status = status.with_context(|| format!("cannot start {}", command[0]))?;
        ensure!(status.success(), "{} failed: {status}", command[0]);
        Ok(ExitCode::SUCCESS)
    }
}
