//! Fuzz target: bytes that become a game from any valid position.
//!
//! The first two bytes choose the setup and rules, or a custom position with two more bytes per
//! piece. Each byte after them is an action of a player; invented moves take one or two more bytes.

use khet::{
    Color, Corner, Diagonal, Direction, Game, GameError, GameResult, Kind, Move, Outcome, Piece,
    Placement, Position, Record, Role, Rotation, Rules, Setup, Square, Termination,
};

use super::inspect::{inspect, play_all, play_three_ways};

/// The maximum number of actions; their cost grows with the history.
const MAX_ACTIONS: usize = 100;

/// Plays a game of legal and illegal actions. Rejected actions must not change it.
pub fn play(data: &[u8]) {
    let mut bytes = Bytes(data);
    let start = start(&mut bytes);
    inspect(&start);
    let mut game = Game::new(start);
    for _ in 0..MAX_ACTIONS {
        let Some(action) = bytes.next() else { break };
        perform(&mut game, action, &mut bytes);
        assert_eq!(*game.start(), start);
        assert_eq!(game.positions().len(), game.moves().len() + 1);
        assert_eq!(game.positions().last(), Some(game.position()));
    }
    write_down(&game);
}

/// The input, read from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// The next byte, or 0 after the last one.
    fn byte(&mut self) -> u8 {
        self.next().unwrap_or(0)
    }

    fn square(&mut self) -> Square {
        Square::from_index(usize::from(self.byte()) % Square::COUNT).expect("below the count")
    }
}

/// Chooses a position. The bits of the first byte, from the lowest: side to move, rules, two bits
/// for the edition, two for the directions of the sphinxes, custom position or official setup.
fn start(bytes: &mut Bytes) -> Position {
    let (choice, number) = (bytes.byte(), usize::from(bytes.byte()));
    let bit = |index: u8| usize::from(choice >> index & 1);
    let mut placement = if bit(6) == 1 {
        Setup::ALL[number % Setup::ALL.len()].placement()
    } else {
        let khet2 = bit(2) == 1;
        let sphinxes = (khet2 || bit(3) == 1).then_some([bit(4), bit(5)]);
        custom_placement(khet2, sphinxes, number % 32, bytes)
    };
    placement.side_to_move = Color::ALL[bit(0)];
    Position::new(&placement, Rules::ALL[bit(1)]).expect("pieces are put where they may stand")
}

/// Places two pharaohs and a number of other pieces, except those that the box does not have.
fn custom_placement(
    khet2: bool,
    sphinxes: Option<[usize; 2]>,
    pieces: usize,
    bytes: &mut Bytes,
) -> Placement {
    let mut placement = Placement::EMPTY;
    if let Some([silver, red]) = sphinxes {
        let silver = Kind::Sphinx([Direction::North, Direction::West][silver]);
        let red = Kind::Sphinx([Direction::South, Direction::East][red]);
        placement.set(Square::J1, Some(Piece::new(Color::Silver, silver)));
        placement.set(Square::A8, Some(Piece::new(Color::Red, red)));
    }
    for color in Color::ALL {
        put_near(&mut placement, bytes.square(), Piece::new(color, Kind::Pharaoh));
    }
    for _ in 0..pieces {
        let (square, piece) = (bytes.square(), piece(khet2, bytes.byte()));
        if fits_box(&placement, piece) {
            put_near(&mut placement, square, piece);
        }
    }
    placement
}

/// Puts a piece on the square, or on the next one that is free and not reserved for the other side.
fn put_near(placement: &mut Placement, square: Square, piece: Piece) {
    let onwards = (0..Square::COUNT).map(|index| (square.index() + index) % Square::COUNT);
    let free = onwards.filter_map(Square::from_index).find(|&square| {
        placement.get(square).is_none() && square.reserved_for() != Some(!piece.color())
    });
    placement.set(free.expect("a board has more squares than the boxes pieces"), Some(piece));
}

/// Chooses a piece. The bits, from the lowest: colour, two bits for the orientation, three for the
/// kind.
fn piece(khet2: bool, byte: u8) -> Piece {
    let form = usize::from(byte >> 1 & 3);
    let line = Diagonal::ALL[form & 1];
    let kind = match byte >> 3 & 7 {
        0 | 1 if khet2 => Kind::Scarab(line),
        2 | 3 if khet2 => Kind::Anubis(Direction::ALL[form]),
        0 | 1 => Kind::Djed(line),
        2 => Kind::Obelisk,
        3 => Kind::Stack,
        4 => Kind::Eye(line),
        _ => Kind::Pyramid(Corner::ALL[form]),
    };
    Piece::new(Color::ALL[usize::from(byte & 1)], kind)
}

/// Returns whether the box of its colour has this piece left.
fn fits_box(placement: &Placement, piece: Piece) -> bool {
    let uses = |piece: Piece| if piece.kind() == Kind::Stack { 2 } else { 1 };
    let alike = |other: &Piece| (other.color(), other.role()) == (piece.color(), piece.role());
    let used: u32 = placement.pieces().map(|(_, other)| other).filter(alike).map(uses).sum();
    used + uses(piece) <= piece.role().count_per_box() && piece.role() != Role::Pharaoh
}

/// Performs the action of a byte. Most of them play a legal move.
fn perform(game: &mut Game, action: u8, bytes: &mut Bytes) {
    let color = Color::ALL[usize::from(action & 1)];
    match action {
        0..160 => {
            let moves = game.position().legal_moves();
            if !moves.is_empty() {
                play_move(game, moves[usize::from(action) % moves.len()]);
            }
        }
        160..184 => play_move(game, move_nearby(bytes)),
        184..200 => play_move(game, move_anywhere(action, bytes)),
        200..216 => take_back(game),
        216..228 => offer_draw(game, color),
        228..234 => accept_draw(game, color),
        234..244 => claim_draw(game),
        244..246 => resign(game, color),
        246..252 => inspect(game.position()),
        252.. => play_all(game.position()),
    }
}

/// Chooses a move that is legal for some piece on some board, or just off the board.
fn move_nearby(bytes: &mut Bytes) -> Move {
    let (from, how) = (bytes.square(), bytes.byte() % 20);
    let step = (how % 9) as i8;
    let to = from.offset(step % 3 - 1, step / 3 - 1).unwrap_or(from);
    match how {
        0..9 => Move::Step { from, to },
        9..18 => Move::Unstack { from, to },
        18 => Move::Rotate { square: from, rotation: Rotation::Clockwise },
        _ => Move::Rotate { square: from, rotation: Rotation::Counterclockwise },
    }
}

fn move_anywhere(action: u8, bytes: &mut Bytes) -> Move {
    let (from, to) = (bytes.square(), bytes.square());
    if action & 1 == 0 { Move::Step { from, to } } else { Move::Unstack { from, to } }
}

fn play_move(game: &mut Game, mv: Move) {
    let before = game.clone();
    let position = *before.position();
    let next = play_three_ways(&position, mv);
    match (game.play(mv), before.outcome(), next) {
        (Ok(shot), None, Some((next, same_shot))) => {
            assert_eq!(shot, same_shot);
            assert_eq!(*game.position(), next);
            assert_eq!(game.moves().last().copied(), position.check(mv).ok());
            assert_eq!(game.outcome(), shot.outcome);
            let still_open = |by: &Color| *by == shot.by && shot.outcome.is_none();
            assert_eq!(game.draw_offer(), before.draw_offer().filter(still_open));
        }
        (Err(GameError::Over(outcome)), Some(over), _) => {
            assert_eq!(outcome, over);
            assert_eq!(*game, before);
        }
        (Err(GameError::Illegal(error)), None, None) => {
            assert_eq!(Err(error), position.check(mv));
            assert_eq!(*game, before);
        }
        (result, ..) => panic!("{position}, {mv}: {result:?}"),
    }
}

fn take_back(game: &mut Game) {
    let before = game.clone();
    match game.take_back() {
        Some(mv) => {
            let (last, moves) = before.moves().split_last().expect("there was a move");
            assert_eq!((&mv, game.moves()), (last, moves));
            assert_eq!(game.positions(), &before.positions()[..=moves.len()]);
            assert_eq!((game.outcome(), game.draw_offer()), (None, None));
        }
        None => {
            assert!(before.moves().is_empty());
            assert_eq!(*game, before);
        }
    }
}

fn offer_draw(game: &mut Game, by: Color) {
    let before = game.clone();
    let accepts = before.draw_offer() == Some(!by);
    match game.offer_draw(by) {
        Ok(None) => {
            assert!(before.outcome().is_none() && !accepts);
            assert_eq!((game.outcome(), game.draw_offer()), (None, Some(by)));
            assert_eq!(game.moves(), before.moves());
        }
        Ok(Some(outcome)) => {
            assert!(accepts);
            assert_ended(game, &before, outcome, None, Termination::Agreement);
        }
        Err(error) => assert_refused(game, &before, error),
    }
}

fn accept_draw(game: &mut Game, by: Color) {
    let before = game.clone();
    let offered = before.draw_offer() == Some(!by);
    match game.accept_draw(by) {
        Ok(outcome) => {
            assert!(offered);
            assert_ended(game, &before, outcome, None, Termination::Agreement);
        }
        Err(GameError::NoDrawOffer) => {
            assert!(!offered && before.outcome().is_none());
            assert_eq!(*game, before);
        }
        Err(error) => assert_refused(game, &before, error),
    }
}

fn claim_draw(game: &mut Game) {
    let before = game.clone();
    let now = game.position();
    let same = |then: &&Position| Square::all().all(|square| then.get(square) == now.get(square));
    let times = game.positions().iter().filter(same).count();
    assert_eq!(game.repetitions(), times);
    let enough = times >= now.rules().draw_claim_at();
    assert_eq!(game.can_claim_draw(), enough && game.outcome().is_none());
    match game.claim_draw() {
        Ok(outcome) => {
            assert!(enough);
            assert_ended(game, &before, outcome, None, Termination::Repetition);
        }
        Err(GameError::NoRepetition { .. }) => {
            assert!(!enough && before.outcome().is_none());
            assert_eq!(*game, before);
        }
        Err(error) => assert_refused(game, &before, error),
    }
}

fn resign(game: &mut Game, loser: Color) {
    let before = game.clone();
    match game.resign(loser) {
        Ok(outcome) => assert_ended(game, &before, outcome, Some(!loser), Termination::Resignation),
        Err(error) => assert_refused(game, &before, error),
    }
}

/// Asserts that a running game was ended without a move.
fn assert_ended(
    game: &Game,
    before: &Game,
    outcome: Outcome,
    winner: Option<Color>,
    termination: Termination,
) {
    assert_eq!(before.outcome(), None);
    assert_eq!(outcome, Outcome { winner, termination });
    assert_eq!((game.outcome(), game.draw_offer()), (Some(outcome), None));
    assert_eq!((game.positions(), game.moves()), (before.positions(), before.moves()));
}

/// Asserts that the game was over, and is unchanged.
fn assert_refused(game: &Game, before: &Game, error: GameError) {
    assert!(!error.to_string().is_empty());
    assert_eq!(before.outcome().map(GameError::Over), Some(error));
    assert_eq!(game, before);
}

/// Writes the game as a record, and reads the same game from it.
fn write_down(game: &Game) {
    let record = Record::from_game(game);
    let result = game.outcome().map_or(GameResult::Unknown, Outcome::result);
    assert_eq!(record.result(), result);
    assert_eq!(record.outcome(), game.outcome());
    let text = record.to_string();
    assert_eq!(text.parse().as_ref(), Ok(&record), "{text}");
    assert_eq!(record.game().positions(), game.positions(), "{text}");
}
