//! Sandboxes for bots by namespaces, through bubblewrap (`bwrap`).

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Options of every sandbox: separate user, process, network and other namespaces, a read-only
/// host, no sockets of its services, and an end with its parent.
const APART: [&str; 24] = [
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--ro-bind",
    "/",
    "/",
    "--tmpfs",
    "/run",
    "--size",
    "268435456",
    "--tmpfs",
    "/tmp",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--",
];

/// Whether bots can run in a sandbox on this machine; tested once.
///
/// # Errors
/// Why not, and what to do.
pub fn check_sandbox() -> Result<(), String> {
    static CHECKED: OnceLock<Result<(), String>> = OnceLock::new();
    CHECKED.get_or_init(try_sandbox).clone()
}

fn try_sandbox() -> Result<(), String> {
    match Command::new("bwrap").args(APART).arg("true").output() {
        Ok(tried) if tried.status.success() => Ok(()),
        Ok(tried) => Err(format!(
            "this machine permits no sandbox (bwrap: {}): allow user namespaces, or omit --sandbox",
            String::from_utf8_lossy(&tried.stderr).trim()
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(
            "a sandbox needs the program bwrap: install the package bubblewrap, or omit --sandbox"
                .to_owned(),
        ),
        Err(error) => Err(format!("cannot run bwrap: {error}")),
    }
}

/// The command line that runs a program in a sandbox. Paths below `/tmp` and `/run`, which the
/// sandbox hides, are mounted again: the working directory, and the directories of the program and
/// of arguments that name files.
pub(super) fn sandboxed(command: &[String], executable: Option<&Path>) -> Vec<String> {
    let (last, options) = APART.split_last().expect("it is not empty");
    let mut words: Vec<String> =
        ["bwrap"].iter().chain(options).map(|word| (*word).to_owned()).collect();
    let mut show = |option: &str, from: &Path, to: &Path| {
        let paths = [from, to].map(|path| path.to_string_lossy().into_owned());
        words.push(option.to_owned());
        words.extend(paths);
    };
    let mut shown: Vec<PathBuf> = command.iter().filter_map(|word| directory_of(word)).collect();
    shown.extend(std::env::current_dir());
    shown.sort();
    shown.dedup();
    let hidden =
        shown.iter().filter(|path| ["/tmp", "/run"].iter().any(|root| path.starts_with(root)));
    hidden.for_each(|directory| show("--ro-bind", directory, directory));
    if let (Some(image), Some(program)) = (executable, command.first()) {
        show("--ro-bind", image, Path::new(program));
    }
    words.push((*last).to_owned());
    words.extend_from_slice(command);
    words
}

/// The directory of the file that a word of a command line names.
fn directory_of(word: &str) -> Option<PathBuf> {
    let file = Path::new(word);
    file.is_file().then(|| file.canonicalize().ok()?.parent().map(Path::to_owned)).flatten()
}
