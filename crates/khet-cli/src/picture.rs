//! `khet picture`: draws a board as SVG or PNG.

use std::fs;
use std::path::{Path, PathBuf};

use khet::{AnyPosition, Color, GamePosition, Record, Rules};
use khet_picture::{Picture, Theme};

use crate::input::PositionArgs;
use crate::laser_owner::LaserOwner;
use crate::output::{Output, Problem};
use crate::record_reader::{self, RecordReader};

/// Default width in pixels.
const DEFAULT_WIDTH: u32 = 1080;

/// Draw a position, or a move of a game, as an SVG or PNG picture
///
/// Example: khet picture osiris --beam -o osiris.png
///
/// For a game record, shows the last move with its shot; pieces that are hit are still on the
/// board. The file extension selects SVG or PNG; without --output, SVG is written to standard
/// output. The picture is self-contained: it needs no fonts and no style sheet.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Setup name, position in notation, game record file, or - for standard input
    #[arg(value_name = "POSITION|FILE.kgn", allow_hyphen_values = true)]
    input: String,
    /// Output file, .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also draw a shot from this position: mover (the side to move), silver or red
    #[arg(long, value_name = "SIDE", num_args = 0..=1, require_equals = true,
          default_missing_value = "mover", value_parser = LaserOwner::parse)]
    beam: Option<LaserOwner>,
    /// For a game record: show the position after this ply, 0 for the start [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// For a file with several game records: number of the game
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// Side at the bottom: silver or red
    #[arg(long, default_value_t = Color::Silver)]
    side: Color,
    /// Use the light theme
    #[arg(long)]
    light: bool,
    /// Width in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = DEFAULT_WIDTH,
          value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: u32,
    /// Rules for positions and for records without a Rules tag: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    // Rejects an unknown file extension before anything is read or drawn.
    let format = args.output.as_deref().map_or(Ok(Format::Svg), Format::from_extension)?;
    if record_reader::is_record_input(&args.input)? {
        return args.draw_record(&read_record(args)?, format, output);
    }
    if args.ply.is_some() || args.game != 1 {
        let message = "--ply and --game need a game record, not a position";
        return Err(Problem::Input(message.to_string()));
    }
    let positions = PositionArgs::new(args.input.clone(), args.rules, false);
    let mut drawn = false;
    positions.each_position(output, |position, output| {
        if std::mem::replace(&mut drawn, true) {
            let message = "more than one position in standard input; a picture shows one";
            return Err(Problem::Input(message.to_string()));
        }
        args.draw_position(&position, format, output)
    })?;
    if drawn { Ok(()) } else { Err(Problem::Input("no position in standard input".to_string())) }
}

/// Reads the record that `--game` selects.
fn read_record(args: &Args) -> Result<Record<AnyPosition>, Problem> {
    let mut reader = RecordReader::open(Path::new(&args.input), args.rules)?;
    let mut number = 0;
    while let Some(game) = reader.next()? {
        number += 1;
        if number == args.game {
            return game.map_err(|fault| Problem::Input(format!("{}: {fault}", reader.name())));
        }
    }
    let (name, game) = (reader.name(), args.game);
    Err(Problem::Input(match number {
        0 => format!("{name}: the file contains no game"),
        1 => format!("{name}: no game {game}; the file contains one game"),
        _ => format!("{name}: no game {game}; the file contains {number} games"),
    }))
}

impl Args {
    /// Draws a position and, with `--beam`, a shot.
    fn draw_position(
        &self,
        position: &AnyPosition,
        format: Format,
        output: &mut Output,
    ) -> Result<(), Problem> {
        let picture = Picture::new(position);
        let picture = match self.beam {
            Some(owner) => picture.beam(owner.color(position)),
            None => picture,
        };
        self.write_picture(picture, format, output)
    }

    /// Draws the move of a record that `--ply` selects.
    fn draw_record(
        &self,
        record: &Record<AnyPosition>,
        format: Format,
        output: &mut Output,
    ) -> Result<(), Problem> {
        let moves: Vec<_> = record.main_line().plies.iter().map(|ply| ply.mv).collect();
        let ply = self.ply.unwrap_or(moves.len());
        let Some(played) = moves.get(..ply) else {
            let count = moves.len();
            let s = if count == 1 { "" } else { "s" };
            return Err(Problem::Input(format!("no ply {ply}; the game has {count} move{s}")));
        };
        let (mut before, mut position) = (*record.start(), *record.start());
        for &mv in played {
            before = position;
            position.play_unchecked(mv);
        }
        let picture = match (self.beam, played.last()) {
            (Some(owner), last) => {
                let picture = Picture::new(&position).beam(owner.color(&position));
                last.map_or(picture.clone(), |&mv| picture.last(mv))
            }
            (None, Some(&mv)) => Picture::of_move(&before, mv),
            (None, None) => Picture::new(&position),
        };
        self.write_picture(picture, format, output)
    }

    /// Writes the picture to the file, or as SVG to standard output.
    fn write_picture(
        &self,
        picture: Picture<AnyPosition>,
        format: Format,
        output: &mut Output,
    ) -> Result<(), Problem> {
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
    fn from_extension(path: &Path) -> Result<Format, Problem> {
        let extension = path.extension().map(|text| text.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(Problem::Input(format!(
                "{}: the file name must end with .svg or .png",
                path.display()
            ))),
        }
    }
}
