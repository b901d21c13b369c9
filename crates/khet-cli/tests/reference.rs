//! `docs/cli.md` contains the `--help` of every command. `KHET_UPDATE=1 cargo test -p khet-cli
//! --test reference` writes it again.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Runs `khet COMMAND --help` as in a terminal of 100 columns.
fn help(command: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_khet"))
        .args(command)
        .arg("--help")
        .env("COLUMNS", "100")
        .output()
        .expect("khet starts");
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the names in the section "Commands:" of a help text, without `help`.
fn subcommands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Writes the section of a command and those of its subcommands.
fn write_section(reference: &mut String, command: &[String]) {
    let text = help(command);
    let depth = "#".repeat(2 + command.len().saturating_sub(1));
    let name = ["khet"].into_iter().chain(command.iter().map(String::as_str));
    let name = name.collect::<Vec<_>>().join(" ");
    // The program's path must not differ between machines.
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let _ =
        write!(reference, "\n{depth} {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
    for subcommand in subcommands(&text) {
        let mut command = command.to_vec();
        command.push(subcommand);
        write_section(reference, &command);
    }
}

#[test]
fn reference_contains_the_help_of_every_command() {
    let mut reference = String::from(
        "# Commands\n\n\
         Wherever a position is asked for, a setup's name or the [notation](notation.md) will do, and `-` reads one from\n\
         each line of standard input. `--json` writes JSON for programs; `--rules czech` chooses the edition. Invalid input gets\n\
         one line on standard error that says what is wrong and where, and exit code 2.\n\n\
         This page is generated: `KHET_UPDATE=1 cargo test -p khet-cli --test reference`.\n",
    );
    write_section(&mut reference, &[]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    if env::var_os("KHET_UPDATE").is_some() {
        fs::write(&path, &reference).expect("docs/cli.md can be written");
    }
    let written = fs::read_to_string(&path).expect("docs/cli.md can be read");
    assert!(
        written == reference,
        "docs/cli.md differs from --help; `KHET_UPDATE=1 cargo test -p khet-cli --test reference` writes it again"
    );
}
