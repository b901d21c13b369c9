//! Finds setups with a tower: makes symmetrical drafts, rejects the dull ones, and lets the engine
//! play each of the others against itself.

use std::error::Error;

use clap::Args;
use khet::tower::{BoardLevel, Placement, Position, Square, TowerColumn};
use khet::{BoardSquare, Color, Game, PieceBox, Role, Rules, Shot};
use khet_engine::tower::Engine;
use khet_engine::{Limits, Options, SearchRoot};

use crate::random::Random;
use crate::self_play::random_opening;

/// Looks for setups with a tower.
///
/// Each draft is a random setup of the standard game, of which some pieces are lifted to the tower
/// in the middle of the board. Drafts whose first shots are harmless and lively are played, and
/// printed with what happened in their games, the liveliest first. Example:
///
/// khet-tune tower-setups --drafts 2000 --eye
#[derive(Args, Debug)]
pub(crate) struct TowerSetupsArgs {
    /// Number of drafts
    #[arg(long, default_value_t = 1_000)]
    drafts: u64,
    /// Replace one djed of each side by the Eye of Horus
    #[arg(long)]
    eye: bool,
    /// Games per draft that is good enough to be played
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 300)]
    nodes: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Random moves at the start of each game.
const OPENING_PLIES: usize = 4;
/// A game that lasts longer is a draw.
const MAX_PLIES: usize = 300;
/// Hash size of the engine in MB: games of few nodes need little, and it is cleared for each game.
const HASH: usize = 1;

/// Least number of legal moves in a good setup.
const MIN_MOVES: usize = 60;
/// Least number of mirrors that the first beam meets in a good setup.
const MIN_MIRRORS: usize = 2;
/// Least number of first moves in a good setup whose shot changes levels.
const MIN_LEVEL_CHANGING_MOVES: usize = 4;
/// Largest number of first moves in a good setup that hit something.
const MAX_HITTING_MOVES: usize = 2;
/// Largest share of drawn games in a good setup.
const MAX_DRAWS: f64 = 0.35;

pub(crate) fn run(args: &TowerSetupsArgs) -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new(Options { hash: HASH, ..Options::default() });
    let mut good: Vec<(Position, FirstMoves, SelfPlayFigures)> = Vec::new();
    for number in 0..args.drafts {
        let mut random = Random::new(args.seed, number);
        let Some(placement) = draft(args.eye, &mut random) else { continue };
        let Ok(position) = Position::new(&placement, Rules::Standard) else { continue };
        let Some(first_moves) = FirstMoves::of(&position).filter(FirstMoves::are_good) else {
            continue;
        };
        let mut figures = SelfPlayFigures::default();
        for _ in 0..args.games {
            figures.add(&play(&mut engine, position, args.nodes, &mut random)?);
        }
        if figures.draw_rate() <= MAX_DRAWS {
            good.push((position, first_moves, figures));
        }
    }
    good.sort_by(|(.., a), (.., b)| b.level_change_rate().total_cmp(&a.level_change_rate()));
    for (position, first_moves, figures) in &good {
        println!("{position}\n  {first_moves}\n  {figures}");
    }
    println!("{} of {} drafts are good", good.len(), args.drafts);
    Ok(())
}

/// Makes a symmetrical draft: a random setup of the standard game, of which the pieces on the
/// column's squares and some others stand on the tower. `None` if a piece finds no square there.
fn draft(eye: bool, random: &mut Random) -> Option<Placement> {
    let ground = khet::random_setup(PieceBox::Standard, eye, random.next());
    let column = TowerColumn::new(khet::Square::E4)?;
    let mut placement = Placement::new(khet::Placement::EMPTY, column);
    let mut silver: Vec<_> =
        ground.pieces().filter(|(_, piece)| piece.color() == Color::Silver).collect();
    for end in (1..silver.len()).rev() {
        silver.swap(end, random.below(end + 1));
    }
    // The pieces that can't stay come first.
    silver.sort_by_key(|(square, _)| !column.squares().has(*square));
    let lifted = 1 + random.below(6);
    for (index, (square, piece)) in silver.into_iter().enumerate() {
        let square = if index < lifted || column.squares().has(square) {
            let upper = column.upper_level().into_iter();
            let free: Vec<Square> = upper
                .map(|square| Square::new(BoardLevel::Upper, square))
                .filter(|&square| placement.get(square).is_none())
                .filter(|square| {
                    piece.role() != Role::Pharaoh || !column.corners().has(square.ground())
                })
                .collect();
            *free.get(random.below(free.len().max(1)))?
        } else {
            Square::from(square)
        };
        placement.set(square, Some(piece));
        placement.set(square.flipped(), Some(piece.rotated(2).other_color()));
    }
    Some(placement)
}

/// What the first moves of a setup do.
#[derive(Debug)]
struct FirstMoves {
    count: usize,
    /// Mirrors that the beam meets before the first move.
    mirrors: usize,
    /// Level changes of the beam before the first move.
    level_changes: usize,
    /// Moves that hit something.
    hitting: usize,
    /// Moves whose shot changes levels.
    level_changing: usize,
}

impl FirstMoves {
    /// Returns the figures of a symmetrical position; `None` if the beam hits something without a
    /// move, or a move hits a pharaoh.
    fn of(position: &Position) -> Option<FirstMoves> {
        let shot = position.fire(Color::Silver);
        if !shot.hits.is_empty() {
            return None;
        }
        let steps = shot.beams.iter().flat_map(|beam| &beam.steps);
        let moves = position.legal_moves();
        let mut first_moves = FirstMoves {
            count: moves.len(),
            mirrors: steps.filter(|step| step.leaves != Some(step.arrives)).count(),
            level_changes: level_changes(&shot),
            hitting: 0,
            level_changing: 0,
        };
        for &mv in &moves {
            let shot = position.before_shot(mv).fire(Color::Silver);
            if shot.hits.iter().any(|hit| hit.piece.role() == Role::Pharaoh) {
                return None;
            }
            first_moves.hitting += usize::from(!shot.hits.is_empty());
            first_moves.level_changing += usize::from(level_changes(&shot) > 0);
        }
        Some(first_moves)
    }

    fn are_good(&self) -> bool {
        self.count >= MIN_MOVES
            && self.mirrors >= MIN_MIRRORS
            && self.hitting <= MAX_HITTING_MOVES
            && self.level_changing >= MIN_LEVEL_CHANGING_MOVES
    }
}

impl std::fmt::Display for FirstMoves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let FirstMoves { count, mirrors, level_changes, hitting, level_changing } = self;
        write!(f, "{count} moves, {hitting} hit, {level_changing} change levels; ")?;
        write!(f, "the beam meets {mirrors} mirrors and changes levels {level_changes} times")
    }
}

/// Returns how often the beams of a shot change levels.
fn level_changes(shot: &Shot<Square>) -> usize {
    let steps = shot.beams.iter().flat_map(|beam| beam.steps.windows(2));
    steps.filter(|pair| pair[0].square.level() != pair[1].square.level()).count()
}

/// Plays a game of the engine against itself after random moves.
fn play(
    engine: &mut Engine,
    start: Position,
    nodes: u64,
    random: &mut Random,
) -> Result<Game<Position>, Box<dyn Error>> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut game = random_opening(|_| start, |_| OPENING_PLIES, random);
    engine.clear();
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        if game.claim_draw().is_ok() {
            break;
        }
        let best = engine.search_to_limits(&SearchRoot::new(&game), limits);
        game.play(best.mv.ok_or("a running game has a legal move")?)?;
    }
    Ok(game)
}

/// What happened in the games of a setup.
#[derive(Default, Debug)]
struct SelfPlayFigures {
    games: usize,
    first_mover_wins: usize,
    draws: usize,
    moves: usize,
    tower_moves: usize,
    level_changing_shots: usize,
    legal_moves: usize,
}

impl SelfPlayFigures {
    fn add(&mut self, game: &Game<Position>) {
        self.games += 1;
        match game.outcome().and_then(|outcome| outcome.winner) {
            Some(Color::Silver) => self.first_mover_wins += 1,
            Some(Color::Red) => {}
            None => self.draws += 1,
        }
        for (position, &mv) in game.positions().iter().zip(game.moves()) {
            let shot = position.before_shot(mv).fire(position.side_to_move());
            self.moves += 1;
            self.tower_moves += usize::from(mv.squares().is_none());
            self.level_changing_shots += usize::from(level_changes(&shot) > 0);
            self.legal_moves += position.legal_moves().len();
        }
    }

    fn per_game(&self, count: usize) -> f64 {
        count as f64 / self.games.max(1) as f64
    }

    fn per_move(&self, count: usize) -> f64 {
        count as f64 / self.moves.max(1) as f64
    }

    fn draw_rate(&self) -> f64 {
        self.per_game(self.draws)
    }

    /// Returns the share of shots that change levels.
    fn level_change_rate(&self) -> f64 {
        self.per_move(self.level_changing_shots)
    }
}

impl std::fmt::Display for SelfPlayFigures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} games: first mover {:.0} %, draws {:.0} %, {:.0} plies, {:.0} legal moves; \
             {:.0} % of moves are the tower's, {:.0} % of shots change levels",
            self.games,
            100.0 * (self.per_game(self.first_mover_wins) + self.draw_rate() / 2.0),
            100.0 * self.draw_rate(),
            self.per_game(self.moves),
            self.per_move(self.legal_moves),
            100.0 * self.per_move(self.tower_moves),
            100.0 * self.level_change_rate(),
        )
    }
}
