//! Embeds the app that `cargo xtask run` built, or a page that says how to build it, and the app's
//! language files.

#[allow(dead_code, reason = "the app's build uses all of it")]
#[path = "../khet-web/build/language_list.rs"]
mod language_list;

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
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("files.rs"), app_files(&app)?)?;
    let languages = here.join("../khet-web/languages").canonicalize()?;
    fs::write(out.join("language_files.rs"), language_files(&languages)?)?;
    Ok(())
}

/// Generates the table of the app's languages: code and language file.
fn language_files(folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut table = String::from("const FILES: &[(&str, &str)] = &[\n");
    for language in language_list::languages() {
        let path = folder.join(language.code).with_extension("txt");
        writeln!(table, "    ({:?}, include_str!({path:?})),", language.code)?;
    }
    table.push_str("];\n");
    Ok(table)
}

/// Generates the table of the app's files: name, content and the compressed copies.
fn app_files(app: &Path) -> Result<String, Box<dyn Error>> {
    let app = app.canonicalize()?;
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(&app)? {
        let entry = entry?;
        println!("cargo::rerun-if-changed={}", entry.path().display());
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    // The server finds files by binary search.
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
