//! The user as whom PostgreSQL runs, which refuses to run as root.

use std::io;
use std::path::Path;
use std::process::Command;

/// The user that Debian's package creates.
const NAME: &str = "postgres";

/// A user without privileges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnprivilegedUser {
    user: u32,
    group: u32,
}

impl UnprivilegedUser {
    /// Returns the user `postgres` if this process is root, otherwise `None`: then the process's own
    /// user is good enough.
    pub(crate) fn needed() -> io::Result<Option<UnprivilegedUser>> {
        if id(&["-u"])? != 0 {
            return Ok(None);
        }
        Ok(Some(UnprivilegedUser { user: id(&["-u", NAME])?, group: id(&["-g", NAME])? }))
    }

    /// Has a command run as this user.
    #[cfg(unix)]
    pub(crate) fn run(self, command: &mut Command) {
        use std::os::unix::process::CommandExt;
        command.uid(self.user).gid(self.group);
    }

    /// Gives a file or folder to this user.
    #[cfg(unix)]
    pub(crate) fn own(self, path: &Path) -> io::Result<()> {
        std::os::unix::fs::chown(path, Some(self.user), Some(self.group))
    }

    /// Does nothing: only Unix has root.
    #[cfg(not(unix))]
    pub(crate) fn run(self, _: &mut Command) {}

    /// Does nothing: only Unix has root.
    #[cfg(not(unix))]
    pub(crate) fn own(self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Fails if the user can't reach a folder, because one of its parents is private.
    pub(crate) fn check_access(self, folder: &Path) -> io::Result<()> {
        let mut test = Command::new("test");
        test.arg("-w").arg(folder).current_dir("/");
        self.run(&mut test);
        if test.status()?.success() {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!(
                "the user {NAME}, as whom PostgreSQL runs, can't reach {}. Set CARGO_TARGET_DIR to a folder \
                 that every user may enter, or run this as another user than root",
                folder.display()
            ),
        ))
    }
}

/// Returns what `id` prints.
fn id(arguments: &[&str]) -> io::Result<u32> {
    let output = Command::new("id").args(arguments).output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    printed.trim().parse().map_err(|_| {
        let error = String::from_utf8_lossy(&output.stderr);
        io::Error::other(format!("id {}: {}", arguments.join(" "), error.trim()))
    })
}
