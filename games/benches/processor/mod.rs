//! Describes the processor of a bench run; a rate is meaningful only for a named processor.

use std::fs;

/// Name, caches, and the vector extensions that this program was compiled for, in one line; unknown
/// parts are omitted.
pub(crate) fn describe() -> String {
    let mut parts = vec![name()];
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    parts.push(format!("{processors} of its processors"));
    parts.extend([2, 3].into_iter().filter_map(cache));
    parts.push(format!("compiled for {}", vectors()));
    parts.join(", ")
}

fn name() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().map(str::trim) == Some(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let model =
        field("model name").unwrap_or_else(|| format!("{} processor", std::env::consts::ARCH));
    match (field("cpu family"), field("model")) {
        (Some(family), Some(number)) => format!("{model} (family {family}, model {number})"),
        _ => model,
    }
}

/// The size of the cache of this level.
fn cache(level: u32) -> Option<String> {
    (0..8).find_map(|index| {
        let folder = format!("/sys/devices/system/cpu/cpu0/cache/index{index}");
        let found = fs::read_to_string(format!("{folder}/level")).ok()?;
        let size = fs::read_to_string(format!("{folder}/size")).ok()?;
        (found.trim() == level.to_string()).then(|| format!("L{level} {}iB", size.trim()))
    })
}

/// The widest vectors in use.
fn vectors() -> &'static str {
    if cfg!(target_feature = "avx512f") {
        "AVX-512"
    } else if cfg!(target_feature = "avx2") {
        "AVX2"
    } else {
        "the baseline of its architecture"
    }
}
