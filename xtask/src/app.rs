//! Builds the app for the browser: compiles it, generates its JavaScript bindings, adds content
//! hashes to file names, and compresses the files.
//!
//! Sources refer to an asset by its plain path in quotes, such as `"/khet.wasm"`. Each asset gets a
//! name with a hash of its content, which replaces the plain path in all later assets. Files with a
//! hash never change, so browsers can cache them forever.

mod bind;
mod bundle;
mod engine;
mod puzzles;
mod shell;
mod words;

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::bundle::Bundle;
use self::engine::ENGINE_BUILDS;
use crate::step::{TaskError, cargo, step, target, workspace};
use crate::wasm_target::{self, WASM};

/// The environment variable that passes the path of the app to the server's build.
pub(crate) const VARIABLE: &str = "KHET_APP";

/// The style sheets of all pages, in the order in which they are joined: paths from the app's style
/// folder. The drawing of boards belongs to `khet-picture`, which uses it for files too.
const STYLES: [&str; 6] =
    ["tokens", "shell", "../../khet-picture/src/art", "board", "home", "play"];

/// The limit of the first load, before the first move can be played, in compressed bytes.
const FIRST_LOAD: usize = 300_000;
/// The limit of the first load of each other program. The largest is online play.
const OTHER_LOAD: usize = 472_000;
/// Limit in bytes by which the first load of puzzles may exceed that of the home program: that of a
/// link to a puzzle, which needs the index of the set and the file with the names.
const PUZZLES_MORE_THAN_HOME: usize = 20_000;
/// The limit of a slice of the puzzles.
const MAX_SLICE_SIZE: usize = 30_000;
/// The limit of the engine with its network, for each of its builds.
const MAX_ENGINE_SIZE: usize = 400_000;

/// A built app.
pub(crate) struct BuiltApp {
    folder: PathBuf,
    sizes: Vec<(String, usize, usize)>,
}

impl BuiltApp {
    /// Returns its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Fails if a size exceeds its limit.
    pub(crate) fn check_sizes(&self) -> Result<(), TaskError> {
        for (what, size, limit) in [
            ("the first load", self.first_load("khet"), FIRST_LOAD),
            ("the first load of online play", self.first_load("online"), OTHER_LOAD),
            ("the first load of setups", self.first_load("setups"), OTHER_LOAD),
            ("the first load of analysis", self.first_load("analysis"), OTHER_LOAD),
            ("the first load of learn", self.first_load("learn"), OTHER_LOAD),
            ("the first load of local games with a tower", self.first_load("tower"), OTHER_LOAD),
            (
                "the first load of puzzles",
                self.first_load(PUZZLES)
                    + self.longest(|name| name.starts_with("puzzle-index-"))
                    + self.longest(|name| name.starts_with("puzzle-names-")),
                self.first_load(HOME) + PUZZLES_MORE_THAN_HOME,
            ),
            (
                "the largest slice of the puzzles",
                self.longest(|name| name.starts_with("puzzle-slice-")),
                MAX_SLICE_SIZE,
            ),
            (
                "the file with the names of the puzzles",
                self.longest(|name| name.starts_with("puzzle-names-")),
                MAX_SLICE_SIZE,
            ),
            ("the engine with SIMD", self.engine_load("engine-simd"), MAX_ENGINE_SIZE),
            ("the engine without SIMD", self.engine_load("engine-plain"), MAX_ENGINE_SIZE),
        ] {
            if size > limit {
                return Err(TaskError(format!(
                    "{what} has {size} bytes, more than the limit of {limit}"
                )));
            }
        }
        Ok(())
    }

    /// Returns the compressed size of what a page of a program loads first, with the words of the
    /// languages that have the longest.
    fn first_load(&self, program: &str) -> usize {
        let own = |name: &str, program| is_words_of_program(name, program);
        let shared =
            |name: &str| is_words(name) && !PROGRAMS.iter().any(|program| own(name, program));
        let mut words = self.longest(shared) + self.longest(|name| own(name, program));
        if has_tower(program) && program != TOWER {
            words += self.longest(|name| own(name, TOWER));
        }
        let others = PROGRAMS.iter().filter(|&&other| other != program);
        let others = others.map(|other| self.size(|name| is_of_program(name, other)));
        self.size(is_first_load) - others.sum::<usize>() + words
    }

    /// Returns the compressed size of what a browser loads for the engine, in one of its builds.
    fn engine_load(&self, build: &str) -> usize {
        self.size(|name| name.starts_with(build) || name.starts_with("worker-"))
    }

    /// Returns the compressed size of the largest of some files.
    fn longest(&self, counts: impl Fn(&str) -> bool) -> usize {
        let files = self.sizes.iter().filter(|(name, ..)| counts(name));
        files.map(|(_, _, size)| *size).max().unwrap_or(0)
    }

    /// Returns the sum of the compressed sizes of some files.
    fn size(&self, counts: impl Fn(&str) -> bool) -> usize {
        self.sizes.iter().filter(|(name, ..)| counts(name)).map(|(_, _, size)| size).sum()
    }
}

fn is_engine(name: &str) -> bool {
    name.starts_with("engine-") || name.starts_with("worker-")
}

/// The programs of the app, by the names of their files.
const PROGRAMS: [&str; 7] = [HOME, "online", "setups", "analysis", "learn", TOWER, PUZZLES];

/// The home program.
const HOME: &str = "khet";
/// The program of the puzzles.
const PUZZLES: &str = "puzzles";
/// The program of local games with a tower. All others with such games use its texts and styles.
const TOWER: &str = "tower";

/// Returns whether a program has games with a tower.
fn has_tower(program: &str) -> bool {
    program != HOME && program != PUZZLES
}

/// Returns whether only this program needs a file. All programs use the first one's style sheet.
fn is_of_program(name: &str, program: &str) -> bool {
    let of = name.strip_prefix(program).is_some_and(|rest| rest.starts_with('-'));
    of && !(program == HOME && name.ends_with(".css"))
}

fn is_words(name: &str) -> bool {
    name.starts_with("words-")
}

/// Returns whether a file holds texts that only this program shows.
fn is_words_of_program(name: &str, program: &str) -> bool {
    let rest = name.strip_prefix("words-").and_then(|rest| rest.strip_prefix(program));
    rest.is_some_and(|rest| rest.starts_with('-'))
}

/// Returns whether a file is loaded at first: not the engine, words or files for later.
fn is_first_load(name: &str) -> bool {
    let later = name == "service-worker.js" || name.starts_with("icon-maskable-");
    let later = later || name.ends_with(".png") || name.starts_with("puzzle-");
    !is_engine(name) && !is_words(name) && !later
}

impl fmt::Display for BuiltApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{:>9}  {:>10}", "bytes", "compressed")?;
        for (name, plain, compressed) in &self.sizes {
            writeln!(f, "{plain:>9}  {compressed:>10}  {name}")?;
        }
        for program in PROGRAMS {
            writeln!(f, "{:>21}  first load of {program}", self.first_load(program))?;
        }
        for build in ENGINE_BUILDS {
            writeln!(f, "{:>21}  load of {}", self.engine_load(build.name), build.name)?;
        }
        Ok(())
    }
}

/// Builds the app into `app` in the target folder.
pub(crate) fn build() -> Result<BuiltApp, TaskError> {
    wasm_target::add()?;
    let (with_tower, without): (Vec<&str>, Vec<&str>) =
        PROGRAMS.iter().partition(|name| has_tower(name));
    step("app", compile(&with_tower))?;
    let mut without = compile(&without);
    without.arg("--no-default-features");
    step("programs of the app without a tower", without)?;

    let built = target().join(WASM);
    let web = workspace().join("crates/khet-web");
    let folder = target().join("app");
    let mut bundle = Bundle::new(&folder)?;
    for build in ENGINE_BUILDS {
        let program = engine::build(&build)?;
        bundle.add_hashed(&format!("{}.wasm", build.name), &program.wasm)?;
        bundle.add_hashed(&format!("{}.js", build.name), program.js.as_bytes())?;
    }
    let worker = read(&workspace().join("crates/khet-web-engine/worker.js"))?;
    bundle.add_hashed_text("worker.js", &engine::put_simd_check(&worker))?;
    let style = web.join("style");
    bundle.add_hashed("khet.css", join_styles(&style, &STYLES)?.as_bytes())?;
    for name in PROGRAMS {
        let program = bind::bind(name, &built.join(format!("web/{}.wasm", binary(name))))?;
        bundle.add_hashed(&format!("{name}.wasm"), &program.wasm)?;
        bundle.add_hashed(&format!("{name}.js"), program.js.as_bytes())?;
        if name != HOME {
            let sheets: &[&str] = match name {
                TOWER => &[TOWER],
                "online" => &[TOWER, "rating_graph", name],
                PUZZLES => &["rating_graph", name],
                _ => &[TOWER, name],
            };
            let style = join_styles(&style, sheets)?;
            bundle.add_hashed(&format!("{name}.css"), style.as_bytes())?;
        }
    }
    let texts = words::all(&web.join("languages"))?;
    for file in &texts {
        bundle.add_hashed(&file.name, file.content().as_bytes())?;
    }
    puzzles::add(&mut bundle)?;
    bundle.add_hashed_text("start.js", &read(&web.join("start.js"))?)?;
    for icon in icons(&web.join("icons"))? {
        let name = icon.file_name().unwrap_or_default().to_string_lossy();
        bundle.add_hashed(&name, &read_bytes(&icon)?)?;
    }
    bundle.add_text("manifest.webmanifest", &read(&web.join("manifest.webmanifest"))?)?;
    let page = words::repeat_lines(&read(&web.join("index.html"))?);
    let page = shell::fill(&page, &read(&web.join("shell.html"))?, &texts)?;
    bundle.add_text("index.html", &page)?;
    let addresses = read(&web.join("addresses.txt"))?;
    let service_worker =
        words::put_alternations(&read(&web.join("service-worker.js"))?, &addresses);
    let service_worker = engine::put_simd_check(&service_worker);
    bundle.add_service_worker("service-worker.js", &service_worker)?;
    let sizes = bundle.finish()?;
    Ok(BuiltApp { folder, sizes })
}

/// Returns the name of a program's binary.
fn binary(program: &str) -> String {
    if program == HOME { "khet-web".to_owned() } else { format!("khet-{program}") }
}

/// Returns the command that compiles programs of the app.
fn compile(programs: &[&str]) -> Command {
    let mut compile = cargo(["build", "--package", "khet-web", "--target", WASM]);
    compile.args(["--profile", "web"]);
    for program in programs {
        compile.args(["--bin", &binary(program)]);
    }
    // Erasing the types of views avoids code for each of them, and makes the app a tenth smaller.
    compile.env("CARGO_ENCODED_RUSTFLAGS", flags(Some("--cfg=erase_components")));
    compile
}

/// Joins style sheets without comments and indentation.
fn join_styles(folder: &Path, names: &[&str]) -> Result<String, TaskError> {
    let mut joined = String::new();
    for name in names {
        let sheet = read(&folder.join(name).with_extension("css"))?;
        let mut rest = sheet.as_str();
        let mut code = String::new();
        while let Some((before, comment)) = rest.split_once("/*") {
            code.push_str(before);
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        }
        code.push_str(rest);
        for line in code.lines().map(str::trim).filter(|line| !line.is_empty()) {
            joined.push_str(line);
            joined.push('\n');
        }
    }
    Ok(joined)
}

/// Returns the compiler's flags in Cargo's encoding: an optional one, and those that shorten the
/// paths in panic messages.
fn flags(first: Option<&str>) -> String {
    let remap = sources().map(|folder| format!("--remap-path-prefix={}/=", folder.display()));
    first.map(str::to_owned).into_iter().chain(remap).collect::<Vec<_>>().join("\u{1f}")
}

/// Returns the folders with the sources of all crates.
fn sources() -> impl Iterator<Item = PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let registries = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    let registries = registries.into_iter().flatten().flatten().map(|entry| entry.path());
    registries.chain([workspace().to_owned()])
}

/// Returns the files of the folder with the icons, sorted.
fn icons(folder: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let entries = fs::read_dir(folder).map_err(|error| failure(folder, &error))?;
    let mut icons: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    icons.sort();
    Ok(icons)
}

fn read(path: &Path) -> Result<String, TaskError> {
    fs::read_to_string(path).map_err(|error| failure(path, &error))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, TaskError> {
    fs::read(path).map_err(|error| failure(path, &error))
}

fn failure(path: &Path, error: &dyn fmt::Display) -> TaskError {
    TaskError(format!("{}: {error}", path.display()))
}
