//! Checks that the programs that play still have the hashes of the plan.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{PlanError, PlannedBot, RunError};
use crate::player::BotSpec;
use crate::process;

/// The files of some bots when they were sealed.
#[derive(Debug)]
pub struct Seals(Mutex<Vec<Sealed>>);

#[derive(Debug)]
struct Sealed {
    /// The bot of the file.
    bot: String,
    file: PathBuf,
    content: blake3::Hash,
    identity: Identity,
}

/// Changes with every change of a file, without reading its content: device and number, size, and
/// the times of the last changes of content and status in nanoseconds.
type Identity = (u64, u64, u64, [i64; 4]);

fn identity(data: &Metadata) -> Identity {
    let times = [data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec()];
    (data.dev(), data.ino(), data.size(), times)
}

/// A program that was changed since the start of the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The bot, as on the command line.
    pub bot: String,
    /// The file.
    pub file: PathBuf,
}

impl Seals {
    /// Seals the current files of these bots. `arena` is the program that runs built-in bots.
    ///
    /// # Errors
    /// If a program cannot be found or read.
    pub fn take<'a>(
        bots: impl IntoIterator<Item = &'a BotSpec>,
        arena: &Path,
    ) -> Result<Seals, PlanError> {
        let mut sealed = Vec::new();
        for spec in bots {
            for file in files(spec, arena)? {
                let unreadable = |source| PlanError::Unreadable { file: file.clone(), source };
                let (content, identity) = read(&file).map_err(unreadable)?;
                sealed.push(Sealed { bot: spec.to_string(), file, content, identity });
            }
        }
        Ok(Seals(Mutex::new(sealed)))
    }

    /// Seals the files of the bots of a plan, which must be unchanged since the plan was made.
    ///
    /// # Errors
    /// If a program cannot be found or read, or was changed since.
    pub fn of_plan(
        bots: &[PlannedBot],
        specs: &[BotSpec],
        arena: &Path,
    ) -> Result<Seals, RunError> {
        let seals = Seals::take(specs, arena).map_err(RunError::Program)?;
        for (planned, spec) in bots.iter().zip(specs) {
            // Built-in bots run from the image of the running arena.
            if let BotSpec::Command(_) = spec
                && PlannedBot::new(spec, arena).map_err(RunError::Program)?.content
                    != planned.content
            {
                let file = files(spec, arena).map_err(RunError::Program)?.swap_remove(0);
                let changed = Changed { bot: spec.to_string(), file };
                return Err(RunError::Play(changed.into()));
            }
        }
        Ok(seals)
    }

    /// Compares all files with the sealed ones. A file rewritten with the same content is
    /// unchanged.
    ///
    /// # Errors
    /// The first file that differs.
    pub fn check(&self) -> Result<(), Changed> {
        let mut sealed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for one in sealed.iter_mut() {
            let now = std::fs::metadata(&one.file).map(|data| identity(&data));
            if now.as_ref().is_ok_and(|now| *now == one.identity) {
                continue;
            }
            match read(&one.file) {
                Ok((content, identity)) if content == one.content => one.identity = identity,
                _ => return Err(Changed { bot: one.bot.clone(), file: one.file.clone() }),
            }
        }
        Ok(())
    }
}

/// The content of a file, with its identity at that time.
fn read(file: &Path) -> io::Result<(blake3::Hash, Identity)> {
    let open = File::open(file)?;
    let before = identity(&open.metadata()?);
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(&open)?;
    if identity(&open.metadata()?) != before {
        return Err(io::Error::other("it is being written"));
    }
    Ok((hasher.finalize(), before))
}

/// The program of a bot and the arguments that name files.
pub(super) fn files(spec: &BotSpec, arena: &Path) -> Result<Vec<PathBuf>, PlanError> {
    match spec {
        // The running image itself cannot change; its file can be replaced.
        BotSpec::BuiltIn(_) => {
            let image = process::own_image(&arena.to_string_lossy());
            Ok(vec![image.unwrap_or_else(|| arena.to_owned())])
        }
        BotSpec::Command(words) => {
            // `weights.bin`, or `--weights=weights.bin`
            let named = |word: &String| {
                let value = word.split_once('=').map(|(_, value)| PathBuf::from(value));
                [PathBuf::from(word)].into_iter().chain(value).find(|file| file.is_file())
            };
            let arguments = words[1..].iter().filter_map(named);
            Ok([find_program(&words[0])?].into_iter().chain(arguments).collect())
        }
    }
}

/// The file of a program, searched for as the system does.
fn find_program(name: &str) -> Result<PathBuf, PlanError> {
    if name.contains('/') {
        return Ok(PathBuf::from(name));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&path).map(|directory| directory.join(name));
    files.find(|file| file.is_file()).ok_or_else(|| PlanError::NoProgram(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_changed_after_its_plan_was_made_is_noticed_before_the_first_game() {
        let directory = std::env::temp_dir().join(format!("arena-planned-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("there is room");
        let file = directory.join("weights");
        std::fs::write(&file, "1").expect("there is room");
        let spec: BotSpec = format!("cmd:sh --weights={}", file.display()).parse().expect("one");
        let arena = Path::new("arena");
        let planned = [PlannedBot::new(&spec, arena).expect("both files are there")];
        let specs = [spec];
        assert!(Seals::of_plan(&planned, &specs, arena).is_ok());
        std::fs::write(&file, "2").expect("there is room");
        let error = Seals::of_plan(&planned, &specs, arena).expect_err("it has changed");
        assert!(error.to_string().contains("no longer the program"), "{error}");
        std::fs::remove_dir_all(&directory).expect("it is ours");
    }

    #[test]
    fn a_file_is_the_same_program_until_its_content_changes() {
        let directory = std::env::temp_dir().join(format!("arena-seal-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("there is room");
        let file = directory.join("bot.sh");
        std::fs::write(&file, "echo 1").expect("there is room");
        let spec: BotSpec = format!("cmd:sh {}", file.display()).parse().expect("a command");
        let seals = Seals::take([&spec], Path::new("arena")).expect("both files are there");
        assert_eq!(seals.check(), Ok(()));
        let other = directory.join("other");
        std::fs::write(&other, "echo 1").expect("there is room");
        std::fs::rename(&other, &file).expect("it is ours");
        assert_eq!(seals.check(), Ok(()), "another file with the same content");
        std::fs::write(&file, "echo 2").expect("there is room");
        let changed = Changed { bot: spec.to_string(), file: file.clone() };
        assert_eq!(seals.check(), Err(changed.clone()));
        std::fs::remove_file(&file).expect("it is ours");
        assert_eq!(seals.check(), Err(changed));
        std::fs::remove_dir_all(&directory).expect("it is ours");
    }
}
