//! Compilers that turn a packed file into a program.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::source::Language;
use super::{PackError, run};

/// A compiler with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// The program.
    pub program: &'static str,
    /// Its options, without the files.
    pub options: &'static [&'static str],
    /// The command that installs it on Debian and Ubuntu.
    pub install: &'static str,
}

const CPP: &[Compiler] = &[
    compiler("g++", &["-std=gnu++20", "-O2", "-Wall", "-Wextra"], "sudo apt-get install g++"),
    compiler(
        "g++",
        &["-std=gnu++20", "-O2", "-march=native", "-Wall", "-Wextra"],
        "sudo apt-get install g++",
    ),
    compiler("clang++", &["-std=gnu++20", "-O2", "-Wall", "-Wextra"], "sudo apt-get install clang"),
];

const C: &[Compiler] = &[
    compiler("gcc", &["-std=c11", "-O2", "-Wall", "-Wextra"], "sudo apt-get install gcc"),
    compiler("clang", &["-std=c11", "-O2", "-Wall", "-Wextra"], "sudo apt-get install clang"),
];

const RUST: &[Compiler] =
    &[compiler("rustc", &["-O", "--edition", "2021"], "rustup toolchain install stable")];

const fn compiler(
    program: &'static str,
    options: &'static [&'static str],
    install: &'static str,
) -> Compiler {
    Compiler { program, options, install }
}

impl Compiler {
    /// The compilers that a file of this language is tested with: the first one is required, the
    /// others are used if installed.
    #[must_use]
    pub fn of(language: Language) -> &'static [Compiler] {
        match language {
            Language::Cpp => CPP,
            Language::C => C,
            Language::Rs => RUST,
        }
    }

    /// The installed compilers of [`Compiler::of`].
    ///
    /// # Errors
    /// If the first one is missing.
    pub fn available(language: Language) -> Result<Vec<&'static Compiler>, PackError> {
        let all = Compiler::of(language);
        if !all[0].is_there() {
            let Compiler { program, install, .. } = all[0];
            let what = format!("`{program}`, which compiles the file,");
            return Err(PackError::Missing { what, install: install.to_owned() });
        }
        Ok(all.iter().filter(|compiler| compiler.is_there()).collect())
    }

    /// Whether it can be started.
    #[must_use]
    pub fn is_there(&self) -> bool {
        Command::new(self.program).arg("--version").output().is_ok_and(|said| said.status.success())
    }

    /// Its command line without the files and without the options for warnings.
    #[must_use]
    pub fn label(&self) -> String {
        let options = self.options.iter().filter(|option| !option.starts_with("-W"));
        options.fold(self.program.to_owned(), |label, option| format!("{label} {option}"))
    }

    /// Compiles a file and returns the duration.
    ///
    /// # Errors
    /// If the compiler fails or warns.
    pub fn compile(&self, source: &Path, program: &Path) -> Result<Duration, PackError> {
        let started = Instant::now();
        let mut command = Command::new(self.program);
        command.args(self.options).arg("-o").arg(program).arg(source);
        let output = command.output().map_err(PackError::file(Path::new(self.program)))?;
        let took = started.elapsed();
        if output.status.success() && output.stderr.is_empty() {
            return Ok(took);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(PackError::Failed {
            what: format!("compile {} by `{}` without a warning", source.display(), self.label()),
            said: said.lines().take(super::SHOWN_LINES).collect::<Vec<_>>().join("\n"),
        })
    }

    /// Compiles a small program and runs it, for `arena doctor`.
    ///
    /// # Errors
    /// If either fails.
    pub fn try_out(&self, language: Language, folder: &Path) -> Result<(), PackError> {
        let text = match language {
            Language::Cpp => "#include <iostream>\nint main(){std::cout<<\"ok\\n\";}\n",
            Language::C => "#include <stdio.h>\nint main(void){puts(\"ok\");}\n",
            Language::Rs => "fn main(){println!(\"ok\");}\n",
        };
        let source = folder.join(format!("try.{}", language.name()));
        std::fs::write(&source, text).map_err(PackError::file(&source))?;
        let program = folder.join(format!("try-{}-{}", self.program, language.name()));
        self.compile(&source, &program)?;
        let said = run(&mut Command::new(&program), "run a compiled program", false)?;
        if said == "ok\n" {
            return Ok(());
        }
        let what = format!("run the program compiled by `{}`: expected ok", self.label());
        Err(PackError::Failed { what, said })
    }
}
