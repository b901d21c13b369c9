//! The file format of training positions.
//!
//! A file starts with [`MAGIC`]. Blocks follow, one per game: the number of the game (`u32`), the
//! number of its positions (`u16`), and the positions, each [`POSITION_SIZE`] bytes long. Numbers
//! are little-endian. A block that was cut off by an interruption is removed when the file is
//! opened for writing.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use khet::{Color, GameResult, Piece, Placement, Position, Rules, Square};

/// The first bytes of a file, which name the format and its version.
const MAGIC: &[u8; 8] = b"KHETPOS1";
/// Bytes of the number of the game and the number of its positions.
const BLOCK_HEADER_SIZE: usize = 6;
/// Bytes of a position: occupied squares (10), pieces (32), flags, the ply, the score.
const POSITION_SIZE: usize = 10 + MAX_PIECES + 1 + 2 + 2;
/// Largest number of pieces of a position that can be stored.
const MAX_PIECES: usize = 32;

/// A position of a training game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TrainingPosition {
    pub(crate) position: Position,
    /// The number of moves before the position.
    pub(crate) ply: u16,
    /// The score of a search for the side to move, in hundredths of a pyramid.
    pub(crate) score: i16,
    /// The result of the game.
    pub(crate) result: GameResult,
}

impl TrainingPosition {
    /// Returns the bytes of the position, or `None` if it has too many pieces.
    fn to_bytes(self) -> Option<[u8; POSITION_SIZE]> {
        let mut bytes = [0; POSITION_SIZE];
        for (index, (square, piece)) in self.position.pieces().enumerate() {
            bytes[square.index() / 8] |= 1 << (square.index() % 8);
            *bytes[10..10 + MAX_PIECES].get_mut(index)? = piece.index() as u8;
        }
        let result = match self.result {
            GameResult::SilverWins => 1,
            GameResult::RedWins => 2,
            GameResult::Draw => 3,
            GameResult::Unknown => 0,
        };
        let side = self.position.side_to_move() as u8;
        bytes[42] = side | (self.position.rules() as u8) << 1 | result << 2;
        bytes[43..45].copy_from_slice(&self.ply.to_le_bytes());
        bytes[45..47].copy_from_slice(&self.score.to_le_bytes());
        Some(bytes)
    }

    /// Reads the bytes of a position. Returns `None` if they are not a playable position.
    fn from_bytes(bytes: &[u8; POSITION_SIZE]) -> Option<TrainingPosition> {
        let flags = bytes[42];
        let mut placement = Placement::EMPTY;
        placement.side_to_move = *Color::ALL.get(usize::from(flags & 1))?;
        let mut pieces = bytes[10..10 + MAX_PIECES].iter();
        for square in Square::all() {
            if bytes[square.index() / 8] >> (square.index() % 8) & 1 == 1 {
                let index = usize::from(*pieces.next()?);
                placement.set(square, Some(Piece::all().find(|piece| piece.index() == index)?));
            }
        }
        let rules = *Rules::ALL.get(usize::from(flags >> 1 & 1))?;
        let result = match flags >> 2 & 3 {
            1 => GameResult::SilverWins,
            2 => GameResult::RedWins,
            3 => GameResult::Draw,
            _ => GameResult::Unknown,
        };
        Some(TrainingPosition {
            position: Position::new(&placement, rules).ok()?,
            ply: u16::from_le_bytes([bytes[43], bytes[44]]),
            score: i16::from_le_bytes([bytes[45], bytes[46]]),
            result,
        })
    }
}

/// Appends games to a file of training positions.
pub(crate) struct TrainingFileWriter {
    file: File,
    /// The numbers of the games in the file.
    games: HashSet<u32>,
    /// The number of positions in the file.
    positions: u64,
}

impl TrainingFileWriter {
    /// Opens a file, or creates it. A block that was cut off at its end is removed.
    pub(crate) fn open(path: &Path) -> io::Result<TrainingFileWriter> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let length = file.metadata()?.len();
        if length == 0 {
            file.write_all(MAGIC)?;
            return Ok(TrainingFileWriter { file, games: HashSet::new(), positions: 0 });
        }
        check_magic(&mut file)?;
        let (mut games, mut positions) = (HashSet::new(), 0);
        let mut end = MAGIC.len() as u64;
        let mut header = [0; BLOCK_HEADER_SIZE];
        while end + header.len() as u64 <= length {
            file.seek(SeekFrom::Start(end))?;
            file.read_exact(&mut header)?;
            let (game, count) = parse_header(header);
            let next = end + (header.len() + usize::from(count) * POSITION_SIZE) as u64;
            if next > length {
                break;
            }
            games.insert(game);
            positions += u64::from(count);
            end = next;
        }
        file.set_len(end)?;
        Ok(TrainingFileWriter { file, games, positions })
    }

    /// Returns whether the file has the game of this number.
    pub(crate) fn has_game(&self, game: u32) -> bool {
        self.games.contains(&game)
    }

    /// Returns the number of positions in the file.
    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    /// Appends a game. Positions with too many pieces are left out.
    pub(crate) fn append(&mut self, game: u32, positions: &[TrainingPosition]) -> io::Result<()> {
        let positions: Vec<_> = positions.iter().filter_map(|each| each.to_bytes()).collect();
        let mut block = Vec::with_capacity(BLOCK_HEADER_SIZE + positions.len() * POSITION_SIZE);
        block.extend(game.to_le_bytes());
        block.extend((positions.len() as u16).to_le_bytes());
        block.extend(positions.as_flattened());
        self.file.write_all(&block)?;
        self.games.insert(game);
        self.positions += positions.len() as u64;
        Ok(())
    }
}

/// Reads all positions of a file, in the order of its games. A block that was cut off is ignored.
pub(crate) fn read(path: &Path) -> io::Result<Vec<(u32, TrainingPosition)>> {
    let mut file = BufReader::new(File::open(path)?);
    check_magic(&mut file)?;
    let mut games: Vec<(u32, Vec<u8>)> = Vec::new();
    let mut header = [0; BLOCK_HEADER_SIZE];
    while read_fully(&mut file, &mut header)? {
        let (game, count) = parse_header(header);
        let mut bytes = vec![0; usize::from(count) * POSITION_SIZE];
        if !read_fully(&mut file, &mut bytes)? {
            break;
        }
        games.push((game, bytes));
    }
    // Games are written in the order in which they ended.
    games.sort_unstable_by_key(|&(game, _)| game);
    let mut positions = Vec::new();
    for (game, bytes) in games {
        for bytes in bytes.as_chunks::<POSITION_SIZE>().0 {
            let position = TrainingPosition::from_bytes(bytes).ok_or_else(|| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("game {game} has an unreadable position"),
                )
            })?;
            positions.push((game, position));
        }
    }
    Ok(positions)
}

/// Fills a buffer. Returns false at the end of the file.
fn read_fully(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Reads the first bytes of a file and refuses other formats.
fn check_magic(file: &mut impl Read) -> io::Result<()> {
    let mut magic = [0; MAGIC.len()];
    if read_fully(file, &mut magic)? && magic == *MAGIC {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "not a file of training positions"))
}

/// Returns the number of the game and the number of its positions.
fn parse_header([a, b, c, d, e, f]: [u8; BLOCK_HEADER_SIZE]) -> (u32, u16) {
    (u32::from_le_bytes([a, b, c, d]), u16::from_le_bytes([e, f]))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use khet::Setup;

    use super::*;

    /// Returns a position of a setup after a few moves.
    fn position(setup: Setup, plies: usize) -> TrainingPosition {
        let mut position = setup.position();
        for _ in 0..plies {
            let mv = position.legal_moves()[plies];
            position.play(mv).expect("legal");
        }
        let result = GameResult::RedWins;
        TrainingPosition { position, ply: plies as u16, score: -(plies as i16), result }
    }

    #[test]
    fn positions_of_all_setups_are_read_as_they_were_written() {
        for setup in Setup::ALL {
            for plies in 0..3 {
                let written = position(setup, plies);
                let bytes = written.to_bytes().expect("few pieces");
                assert_eq!(TrainingPosition::from_bytes(&bytes), Some(written));
            }
        }
    }

    #[test]
    fn a_file_goes_on_after_the_last_whole_game() {
        let path = std::env::temp_dir().join(format!("khet-tune-{}.bin", std::process::id()));
        let _ = fs::remove_file(&path);
        let [first, second] = [Setup::Classic, Setup::Imhotep].map(|setup| position(setup, 1));
        let mut writer = TrainingFileWriter::open(&path).expect("a new file");
        writer.append(4, &[first, second]).expect("written");
        writer.append(2, &[second]).expect("written");
        drop(writer);
        // The last block loses a byte.
        let bytes = fs::read(&path).expect("the file");
        fs::write(&path, &bytes[..bytes.len() - 1]).expect("written");

        let mut writer = TrainingFileWriter::open(&path).expect("the file");
        assert!(writer.has_game(4) && !writer.has_game(2));
        assert_eq!(writer.positions(), 2);
        writer.append(2, &[first]).expect("written");
        let read = read(&path).expect("the file");
        fs::remove_file(&path).expect("removed");
        assert_eq!(read, [(2, first), (4, first), (4, second)]);
    }

    #[test]
    fn other_files_are_refused() {
        let path = std::env::temp_dir().join(format!("khet-tune-other-{}", std::process::id()));
        fs::write(&path, "Not positions.").expect("written");
        assert!(TrainingFileWriter::open(&path).is_err() && read(&path).is_err());
        assert_eq!(fs::read(&path).expect("unchanged"), b"Not positions.");
        fs::remove_file(&path).expect("removed");
    }
}
