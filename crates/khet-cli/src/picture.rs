//! `khet picture`: a board as a file, in SVG or PNG.

use std::fs;
use std::path::{Path, PathBuf};

use khet::{Color, Position, Record, Rules};
use khet_picture::{Picture, Theme};

use crate::games::{self, Games};
use crate::input::PositionArgs;
use crate::output::{Output, Problem};
use crate::whose::Whose;

/// How wide a picture is unless something else is said.
const WIDTH: u32 = 1080;

/// Draw a position, or a moment of a game, as a picture
///
/// Example: khet picture osiris --beam -o osiris.png
///
/// Of a record, the last move is shown at the moment of its shot: the beam shines, and what it hits still stands. The file's ending says
/// whether it becomes SVG or PNG; without a file, SVG is written to standard output. A picture needs nothing else: no font, no style sheet.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A setup's name, a position in notation, a file of game records, or - to read either from standard input
    #[arg(value_name = "POSITION|FILE.kgn", allow_hyphen_values = true)]
    input: String,
    /// The file to write: .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also draw the beam of a laser, as if it were fired now: the mover's, or silver or red
    #[arg(long, value_name = "WHOSE", num_args = 0..=1, require_equals = true,
          default_missing_value = "mover", value_parser = Whose::parse)]
    beam: Option<Whose>,
    /// Of a record: the position behind so many moves of both players, 0 for the start [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Of a file with several records: which one
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// Whose side is at the bottom: silver or red
    #[arg(long, default_value_t = Color::Silver)]
    side: Color,
    /// The temple by day, on limestone
    #[arg(long)]
    light: bool,
    /// How many pixels wide
    #[arg(long, value_name = "N", default_value_t = WIDTH, value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: u32,
    /// The edition of the rules, for positions and for games that name none: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    // Whoever asks for a file that can't be had is told before anything is drawn.
    let format = args.output.as_deref().map_or(Ok(Format::Svg), Format::of)?;
    if games::are_named_by(&args.input)? {
        let picture = args.of_record(&record(args)?)?;
        return args.write(picture, format, output);
    }
    if args.ply.is_some() || args.game != 1 {
        let message = "--ply and --game are for records, not for positions";
        return Err(Problem::Input(message.to_string()));
    }
    let positions = PositionArgs::new(args.input.clone(), args.rules, false);
    let mut drawn = false;
    positions.each_position(output, |position, output| {
        if std::mem::replace(&mut drawn, true) {
            return Err(Problem::Input("a picture is of one position".to_string()));
        }
        let picture = Picture::new(&position);
        let picture = match args.beam {
            Some(whose) => picture.beam(whose.player(&position)),
            None => picture,
        };
        args.write(picture, format, output)
    })?;
    if drawn { Ok(()) } else { Err(Problem::Input("there is no position".to_string())) }
}

/// The record that is meant.
fn record(args: &Args) -> Result<Record, Problem> {
    let mut games = Games::open(Path::new(&args.input), args.rules)?;
    let mut number = 0;
    while let Some(game) = games.next()? {
        number += 1;
        if number == args.game {
            return game.map_err(|fault| Problem::Input(format!("{}: {fault}", games.name())));
        }
    }
    let name = games.name();
    Err(Problem::Input(match number {
        0 => format!("{name}: there is no game in it"),
        1 => format!("{name}: there is one game in it, and no game {}", args.game),
        _ => format!("{name}: there are {number} games in it, and no game {}", args.game),
    }))
}

impl Args {
    fn of_record(&self, record: &Record) -> Result<Picture, Problem> {
        let moves: Vec<_> = record.line().plies.iter().map(|ply| ply.mv).collect();
        let ply = self.ply.unwrap_or(moves.len());
        let Some(played) = moves.get(..ply) else {
            let count = moves.len();
            let s = if count == 1 { "" } else { "s" };
            return Err(Problem::Input(format!(
                "the game has {count} move{s}, and no position behind move {ply}"
            )));
        };
        let (mut before, mut position): (Position, Position) = (*record.start(), *record.start());
        for &mv in played {
            before = position;
            position.play_unchecked(mv);
        }
        Ok(match (self.beam, played.last()) {
            (Some(whose), last) => {
                let picture = Picture::new(&position).beam(whose.player(&position));
                last.map_or(picture.clone(), |&mv| picture.last(mv))
            }
            (None, Some(&mv)) => Picture::of_move(&before, mv),
            (None, None) => Picture::new(&position),
        })
    }

    fn write(&self, picture: Picture, format: Format, output: &mut Output) -> Result<(), Problem> {
        let theme = if self.light { Theme::Light } else { Theme::Dark };
        let picture = picture.bottom(self.side).theme(theme).width(self.width);
        let Some(path) = &self.output else { return output.line(picture.to_svg()) };
        let bytes = match format {
            Format::Svg => picture.to_svg().into_bytes(),
            Format::Png => {
                picture.to_png(self.width).map_err(|error| Problem::Input(error.to_string()))?
            }
        };
        let unwritable = |error| Problem::Input(format!("{}: {error}", path.display()));
        fs::write(path, bytes).map_err(unwritable)
    }
}

#[derive(Clone, Copy)]
enum Format {
    Svg,
    Png,
}

impl Format {
    /// What the ending of a file's name says.
    fn of(path: &Path) -> Result<Format, Problem> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(Problem::Input(format!(
                "{}: the name of a picture ends with .svg or .png",
                path.display()
            ))),
        }
    }
}
