//! Embeds the web app built by `cargo xtask run`, or a page that explains how to build it.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=KHET_APP");
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let app = env::var_os("KHET_APP").map_or_else(|| here.join("../../target/app"), PathBuf::from);
    println!("cargo::rerun-if-changed={}", app.display());
    let app = if app.join("index.html").is_file() { app } else { here.join("unbuilt") };
    let table = table(&app)?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("files.rs"), table)?;
    Ok(())
}

/// Returns the table of files: name, content, and compressed copies.
fn table(app: &Path) -> Result<String, Box<dyn Error>> {
    let app = app.canonicalize()?;
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(&app)? {
        let entry = entry?;
        println!("cargo::rerun-if-changed={}", entry.path().display());
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    // Sorted for binary search.
    names.sort();
    let mut table = String::from("&[\n");
    for name in &names {
        if name.ends_with(".br") || name.ends_with(".gz") {
            continue;
        }
        let include = |name: &str| format!("include_bytes!({:?})", app.join(name));
        let copy = |extension: &str| {
            let name = format!("{name}.{extension}");
            if names.contains(&name) { format!("Some({})", include(&name)) } else { "None".into() }
        };
        writeln!(
            table,
            "    File {{ name: {name:?}, plain: {}, brotli: {}, gzip: {} }},",
            include(name),
            copy("br"),
            copy("gz"),
        )?;
    }
    table.push_str("]\n");
    Ok(table)
}
