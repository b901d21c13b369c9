//! Proves a sample of the forced hits of the set again by a slow search that shares nothing with the engine or with
//! `MateSearch`: plain minimax over `Position::legal_moves` and `Position::play`.

use khet::{Color, Move, Position};
use khet_puzzles::{Puzzle, PuzzleTheme, read_puzzles};

/// The published set.
const PUZZLES: &str = include_str!("../../../data/puzzles.txt");
/// Puzzles in the sample.
const SAMPLE: usize = 200;
/// Of these, the most that are forced hits in three, which take a second each.
const MAX_IN_THREE: usize = 12;

/// Returns the winner if the game is over; `Some(None)` is a draw.
fn result(position: &Position) -> Option<Option<Color>> {
    position.outcome().map(|outcome| outcome.winner)
}

/// Returns the position after a move.
fn after(position: &Position, mv: Move) -> Position {
    let mut next = *position;
    next.play(mv).expect("a legal move");
    next
}

/// The slow search, with the reply that refuted the last move, which is tried first.
#[derive(Default)]
struct Reference {
    refutations: [Option<Move>; 4],
}

impl Reference {
    /// Returns whether the side to move has a move that wins within this number of its moves.
    fn wins(&mut self, position: &Position, moves: usize) -> bool {
        let legal = position.legal_moves();
        legal.iter().any(|&mv| self.move_wins(position, mv, moves))
    }

    /// Returns whether a move wins against every reply within this number of moves.
    fn move_wins(&mut self, position: &Position, mv: Move, moves: usize) -> bool {
        let solver = position.side_to_move();
        let next = after(position, mv);
        if let Some(winner) = result(&next) {
            return winner == Some(solver);
        }
        let mut replies = next.legal_moves().to_vec();
        if let Some(known) = replies.iter().position(|mv| Some(*mv) == self.refutations[moves]) {
            replies.swap(0, known);
        }
        for reply in replies {
            let answered = after(&next, reply);
            let wins = match result(&answered) {
                Some(winner) => winner == Some(solver),
                None => moves > 1 && self.wins(&answered, moves - 1),
            };
            if !wins {
                self.refutations[moves] = Some(reply);
                return false;
            }
        }
        true
    }

    /// Returns all moves that win within this number of moves.
    fn winning_moves(&mut self, position: &Position, moves: usize) -> Vec<Move> {
        let legal = position.legal_moves();
        legal.iter().copied().filter(|&mv| self.move_wins(position, mv, moves)).collect()
    }
}

/// Returns the number of moves in which the puzzle claims to hit the pharaoh.
fn claimed_moves(puzzle: &Puzzle) -> Option<usize> {
    puzzle.themes.iter().find_map(PuzzleTheme::moves_to_pharaoh).map(|moves| moves as usize)
}

/// Proves that each move of the solution is the only one that wins in time.
fn prove_forced(puzzle: &Puzzle, moves: usize) {
    let (mut reference, id) = (Reference::default(), puzzle.id());
    assert_eq!(puzzle.line.solver_moves(), moves, "{id}");
    for (index, (ply, _)) in puzzle.line.solver_plies().enumerate() {
        let left = moves - index;
        assert_eq!(reference.winning_moves(&ply.before, left), [ply.mv], "{id}, move {index}");
        assert!(left == 1 || !reference.wins(&ply.before, left - 1), "{id}, move {index}");
    }
}

#[test]
fn a_sample_of_the_set_is_proved_by_a_slow_search() {
    let puzzles: Result<Vec<Puzzle>, _> = read_puzzles(PUZZLES).collect();
    let mut puzzles = puzzles.expect("a valid file");
    // The names are hashes, so that their order is random and always the same.
    puzzles.sort_by_key(Puzzle::id);
    // Puzzles without a forced hit have no proof but the engine's.
    let forced = puzzles.iter().filter_map(|puzzle| Some((puzzle, claimed_moves(puzzle)?)));
    let (mut proved, mut in_three) = (0, 0);
    for (puzzle, moves) in forced {
        if moves == 3 && in_three == MAX_IN_THREE {
            continue;
        }
        in_three += usize::from(moves == 3);
        prove_forced(puzzle, moves);
        proved += 1;
        if proved == SAMPLE {
            break;
        }
    }
    assert_eq!(proved, SAMPLE);
    assert!(in_three > 0);
}

#[test]
fn the_slow_search_knows_wins_and_their_absence() {
    let position: Position = "4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s".parse().expect("a position");
    let mut reference = Reference::default();
    assert_eq!(reference.winning_moves(&position, 1), ["j8+".parse().expect("a move")]);
    assert!(!reference.wins(&after(&position, "e1d1".parse().expect("a move")), 1));
}
