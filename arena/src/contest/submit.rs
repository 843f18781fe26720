//! Job descriptions of a manifest's shards for cluster schedulers.

use std::path::PathBuf;

/// The shards of a manifest as jobs of a scheduler.
#[derive(Debug, Clone)]
pub struct Submission {
    /// Name of the job.
    pub name: String,
    /// The arena's program, at the same path on every machine.
    pub arena: PathBuf,
    /// The manifest.
    pub manifest: PathBuf,
    /// The directory of the shards.
    pub out: PathBuf,
    /// Number of shards.
    pub shards: u64,
    /// Number of concurrent games of a shard, which is the number of cores of a task.
    pub jobs: usize,
    /// Additional lines for the scheduler, such as a partition.
    pub extra: Vec<String>,
}

impl Submission {
    fn command(&self, index: &str) -> Vec<String> {
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        let words =
            ["shard", "--plan", &path(&self.manifest), "--index", index, "--out", &path(&self.out)];
        let mut command = vec![path(&self.arena)];
        command.extend(words.map(str::to_owned));
        command.extend(["--jobs".to_owned(), self.jobs.to_string()]);
        command
    }

    /// A batch script for Slurm's `sbatch`: a job array with one task for each shard, requeued if
    /// its node fails.
    #[must_use]
    pub fn slurm_script(&self) -> String {
        const INDEX: &str = "$SLURM_ARRAY_TASK_ID";
        let quoted = |word: &String| match word.as_str() {
            INDEX => format!("\"{INDEX}\""),
            word => shlex::try_quote(word).unwrap_or(word.into()).into_owned(),
        };
        let command: Vec<String> = self.command(INDEX).iter().map(quoted).collect();
        let mut options = vec![
            format!("--job-name={}", self.name),
            format!("--array=0-{}", self.shards.saturating_sub(1)),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", self.jobs),
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            format!(
                "--output={}",
                quoted(&self.out.join("log-%a.txt").to_string_lossy().into_owned())
            ),
        ];
        options.extend(self.extra.iter().cloned());
        let lines: String = options.iter().map(|option| format!("#SBATCH {option}\n")).collect();
        format!("#!/bin/sh\n{lines}exec {}\n", command.join(" "))
    }

    /// The same tasks as JSON, for [`HYPERQUEUE_SCRIPT`], used if there is no `hq` but its Python
    /// package.
    #[must_use]
    pub fn hyperqueue_tasks(&self) -> String {
        let task = |shard: u64| {
            let log = self.out.join(format!("log-{shard}.txt"));
            serde_json::json!({
                "shard": shard,
                "command": self.command(&shard.to_string()),
                "log": log.to_string_lossy(),
                "cpus": self.jobs,
            })
        };
        let tasks: Vec<_> = (0..self.shards).map(task).collect();
        serde_json::json!({ "name": self.name, "tasks": tasks }).to_string() + "\n"
    }

    /// A job definition for HyperQueue's `hq job submit-file`: a task for each shard.
    #[must_use]
    pub fn hyperqueue_job(&self) -> String {
        // A JSON string is also a TOML string.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let mut job = format!("name = {}\n", quoted(&self.name));
        for line in &self.extra {
            job += &format!("{line}\n");
        }
        for shard in 0..self.shards {
            let command: Vec<String> =
                self.command(&shard.to_string()).iter().map(|word| quoted(word)).collect();
            let log = self.out.join(format!("log-{shard}.txt")).to_string_lossy().into_owned();
            job += &format!(
                "\n[[task]]\nid = {shard}\nstdout = {log}\nstderr = {log}\ncrash_limit = 5\ncommand = [{}]\n\
                 \n[[task.request]]\nresources = {{ \"cpus\" = {} }}\n",
                command.join(", "),
                self.jobs,
                log = quoted(&log),
            );
        }
        job
    }
}

/// A Python program that runs the tasks of [`Submission::hyperqueue_tasks`] through the API of
/// `HyperQueue`.
pub const HYPERQUEUE_SCRIPT: &str = include_str!("submit_hq.py");

#[cfg(test)]
mod tests {
    use super::*;

    fn submission() -> Submission {
        Submission {
            name: "arena-0123".to_owned(),
            arena: PathBuf::from("/opt/my arena/arena"),
            manifest: PathBuf::from("/data/plan.json"),
            out: PathBuf::from("/data/out"),
            shards: 2,
            jobs: 3,
            extra: vec![],
        }
    }

    #[test]
    fn slurm_is_told_an_array_that_requeues() {
        let extra = vec!["--partition=long".to_owned()];
        let expected = "#!/bin/sh\n#SBATCH --job-name=arena-0123\n#SBATCH --array=0-1\n#SBATCH --ntasks=1\n\
            #SBATCH --cpus-per-task=3\n#SBATCH --requeue\n#SBATCH --open-mode=append\n\
            #SBATCH --output='/data/out/log-%a.txt'\n#SBATCH --partition=long\n\
            exec '/opt/my arena/arena' shard --plan /data/plan.json --index \"$SLURM_ARRAY_TASK_ID\" \
            --out /data/out --jobs 3\n";
        assert_eq!(Submission { extra, ..submission() }.slurm_script(), expected);
    }

    #[test]
    fn the_python_program_is_given_the_same_tasks() {
        let tasks: serde_json::Value =
            serde_json::from_str(&submission().hyperqueue_tasks()).expect("it is JSON");
        assert_eq!(tasks["name"], "arena-0123");
        let task = &tasks["tasks"][1];
        assert_eq!((&task["shard"], &task["cpus"]), (&1.into(), &3.into()));
        assert_eq!(task["log"], "/data/out/log-1.txt");
        let command: Vec<&str> =
            task["command"].as_array().expect("words").iter().filter_map(|w| w.as_str()).collect();
        assert_eq!(command.join(" "), submission().command("1").join(" "));
    }

    #[test]
    fn hyperqueue_is_told_a_task_for_each_shard() {
        let task = |shard: u32| {
            format!(
                "\n[[task]]\nid = {shard}\nstdout = \"/data/out/log-{shard}.txt\"\n\
                 stderr = \"/data/out/log-{shard}.txt\"\ncrash_limit = 5\n\
                 command = [\"/opt/my arena/arena\", \"shard\", \"--plan\", \"/data/plan.json\", \"--index\", \
                 \"{shard}\", \"--out\", \"/data/out\", \"--jobs\", \"3\"]\n\
                 \n[[task.request]]\nresources = {{ \"cpus\" = 3 }}\n"
            )
        };
        let expected = format!("name = \"arena-0123\"\n{}{}", task(0), task(1));
        assert_eq!(submission().hyperqueue_job(), expected);
    }
}
