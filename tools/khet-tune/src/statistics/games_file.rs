//! The file of games: a header, and a line for each game.
//!
//! ```text
//! khet-statistics 1 nodes 1500 seed 1 network 26dec45c96d4bb62 signature 50601
//! classic 17 pharaoh-hit h2+ a5b5 … | 12:e4:35:-80 12:d1^:35:#-3 …
//! ```
//!
//! A line has the setup, the number of the game, why it ended, its moves, and after the bar the
//! pieces that were removed from positions: the number of moves before the position, the square
//! (`^` for the top of a stack only), and the evaluations with and without the piece.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::{self, Write as _};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use khet::{MoverEval, Setup};

use super::self_player::{Removal, SelfPlayGame};

/// The options on which the games depend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GamesHeader {
    pub(super) nodes: u64,
    pub(super) seed: u64,
    /// The hash of the network.
    pub(super) network: u64,
    /// The signature of the search.
    pub(super) signature: u64,
}

impl fmt::Display for GamesHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GamesHeader { nodes, seed, network, signature } = self;
        write!(f, "khet-statistics 1 nodes {nodes} seed {seed} ")?;
        write!(f, "network {network:016x} signature {signature}")
    }
}

/// The games that were played, with the file to which they are appended.
pub(super) struct GamesFile {
    file: File,
    games: Vec<SelfPlayGame>,
    numbers: HashSet<(Setup, u32)>,
}

impl GamesFile {
    /// Opens a file, or creates it. A line that was cut off at its end is removed. A file of games
    /// with other options is refused.
    pub(super) fn open(path: &Path, header: GamesHeader) -> Result<GamesFile, Box<dyn Error>> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let mut games = Vec::new();
        if text.is_empty() {
            writeln!(file, "{header}")?;
        } else {
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            let mut lines = text[..whole].lines().enumerate();
            match lines.next() {
                Some((_, line)) if line == header.to_string() => {}
                Some((_, line)) if line.starts_with("khet-statistics ") => {
                    let problem = format!("has games of \"{line}\", not of \"{header}\"");
                    return Err(format!("{problem}; remove it, or name another file").into());
                }
                _ => return Err("not a file of games".into()),
            }
            for (index, line) in lines {
                let game =
                    read_game(line).ok_or_else(|| format!("line {}: not a game", index + 1))?;
                games.push(game);
            }
            file.set_len(whole as u64)?;
        }
        let numbers = games.iter().map(|game: &SelfPlayGame| (game.setup, game.number)).collect();
        Ok(GamesFile { file, games, numbers })
    }

    /// Returns whether the file has a game.
    pub(super) fn has_game(&self, game: (Setup, u32)) -> bool {
        self.numbers.contains(&game)
    }

    /// Appends a game.
    pub(super) fn append(&mut self, game: SelfPlayGame) -> io::Result<()> {
        self.file.write_all(game_line(&game).as_bytes())?;
        self.numbers.insert((game.setup, game.number));
        self.games.push(game);
        Ok(())
    }

    /// Returns the games in the order of the file.
    pub(super) fn into_games(self) -> Vec<SelfPlayGame> {
        self.games
    }
}

/// Returns the line of a game.
fn game_line(game: &SelfPlayGame) -> String {
    let SelfPlayGame { setup, number, moves, termination, removals } = game;
    let mut line = format!("{setup} {number} {termination}");
    // Writing to a string cannot fail.
    for mv in moves {
        let _ = write!(line, " {mv}");
    }
    line.push_str(" |");
    for Removal { ply, square, top_only, with, without } in removals {
        let top = if *top_only { "^" } else { "" };
        let (with, without) = (eval_text(*with), eval_text(*without));
        let _ = write!(line, " {ply}:{square}{top}:{with}:{without}");
    }
    line.push('\n');
    line
}

/// Reads the line of a game.
fn read_game(line: &str) -> Option<SelfPlayGame> {
    let (game, removals) = line.split_once(" |")?;
    let mut words = game.split(' ');
    let (setup, number) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let termination = words.next()?.parse().ok()?;
    let moves = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let removals = removals.split_whitespace().map(read_removal).collect::<Option<_>>()?;
    Some(SelfPlayGame { setup, number, moves, termination, removals })
}

fn read_removal(text: &str) -> Option<Removal> {
    let mut parts = text.split(':');
    let ply = parts.next()?.parse().ok()?;
    let square = parts.next()?;
    let (square, top_only) = match square.strip_suffix('^') {
        Some(square) => (square, true),
        None => (square, false),
    };
    let (with, without) = (read_eval(parts.next()?)?, read_eval(parts.next()?)?);
    let square = square.parse().ok()?;
    parts.next().is_none().then_some(Removal { ply, square, top_only, with, without })
}

/// Returns the short form of an evaluation: `-35`, or `#3` for a forced win.
fn eval_text(eval: MoverEval) -> String {
    match eval {
        MoverEval::Cp(cp) => cp.to_string(),
        MoverEval::MateIn(moves) => format!("#{moves}"),
    }
}

fn read_eval(text: &str) -> Option<MoverEval> {
    match text.strip_prefix('#') {
        Some(moves) => moves.parse().ok().map(MoverEval::MateIn),
        None => text.parse().ok().map(MoverEval::Cp),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use khet::{Square, Termination};

    use super::*;

    const HEADER: GamesHeader = GamesHeader { nodes: 5, seed: 6, network: 7, signature: 8 };

    fn game(setup: Setup, number: u32) -> SelfPlayGame {
        let removal = Removal {
            ply: 1,
            square: Square::D1,
            top_only: number == 0,
            with: MoverEval::Cp(-35),
            without: MoverEval::MateIn(-2),
        };
        SelfPlayGame {
            setup,
            number,
            moves: ["h2+", "a5b5"].map(|mv| mv.parse().expect(mv)).to_vec(),
            termination: Termination::MoveLimit,
            removals: vec![removal; number as usize + 1],
        }
    }

    #[test]
    fn games_are_read_as_they_were_written_up_to_a_cut_off_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.games");
        let mut file = GamesFile::open(&path, HEADER).expect("a new file");
        let written = [game(Setup::Classic, 1), game(Setup::Isis, 0)];
        for game in &written {
            file.append(game.clone()).expect("written");
        }
        drop(file);
        let whole = fs::read(&path).expect("the file");
        assert_eq!(GamesFile::open(&path, HEADER).expect("the file").into_games(), written);
        assert_eq!(fs::read(&path).expect("the file"), whole);

        fs::write(&path, &whole[..whole.len() - 2]).expect("written");
        let mut file = GamesFile::open(&path, HEADER).expect("the file");
        assert!(file.has_game((Setup::Classic, 1)) && !file.has_game((Setup::Isis, 0)));
        file.append(written[1].clone()).expect("written");
        assert_eq!(fs::read(&path).expect("the file"), whole);
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.games");
        let other = GamesHeader { seed: 9, ..HEADER };
        let line = game_line(&game(Setup::Classic, 0));
        for text in [
            "A letter to the pharaoh.\n".to_owned(),
            "no line".to_owned(),
            format!("{other}\n{line}"),
            format!("{HEADER}\n{line}classic 5 nothing\n"),
            format!("{HEADER}\n{}", line.replace("h2+", "h22")),
        ] {
            fs::write(&path, &text).expect("written");
            assert!(GamesFile::open(&path, HEADER).is_err(), "{text}");
            assert_eq!(fs::read_to_string(&path).expect("the file"), text);
        }
    }
}
