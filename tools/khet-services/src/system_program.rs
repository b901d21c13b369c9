//! Programs that Debian installs where only root looks for them.

use std::path::{Path, PathBuf};

/// The folder of programs for root.
const SYSTEM_PROGRAMS: &str = "/usr/sbin";

/// Returns the path of a program: in the folder of programs for root, or its name alone, to be looked
/// for in the path.
pub(crate) fn system_program(name: &str) -> PathBuf {
    let system = Path::new(SYSTEM_PROGRAMS).join(name);
    if system.exists() { system } else { PathBuf::from(name) }
}
