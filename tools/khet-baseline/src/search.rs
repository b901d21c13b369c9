//! The search: iterative deepening, alpha-beta, quiescence.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use khet::{Bitboard, Color, Game, Move, Position};

use crate::limits::Limits;
use crate::material::material;
use crate::ordering::{Candidate, Gains};
use crate::table::{Bound, Table};

/// Largest depth of an iteration.
pub(crate) const MAX_DEPTH: u8 = 64;

/// Number of quiescence plies after the last ply of the search.
const QUIESCENCE_PLIES: u8 = 2;

/// Largest distance from the root.
const MAX_PLY: usize = (MAX_DEPTH + QUIESCENCE_PLIES) as usize;

/// Number of nodes between two checks of the clock.
const NODES_PER_CLOCK_CHECK: u64 = 1024;

/// Larger than every score.
const INFINITE_SCORE: i32 = 32_000;

/// The score of an immediate win. Each ply until a win takes one off.
const WIN: i32 = 30_000;

/// The bound beyond which scores are forced wins.
const MIN_WIN: i32 = WIN - 1000;

/// The score of the side to move, as UKI writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Score {
    /// Hundredths of a pyramid.
    Cents(i32),
    /// A forced win in this number of moves of the winner; a forced loss if negative.
    Mate(i32),
}

impl Score {
    fn of(score: i32) -> Score {
        if score > MIN_WIN {
            Score::Mate((WIN - score + 1) / 2)
        } else if score < -MIN_WIN {
            Score::Mate(-(WIN + score + 1) / 2)
        } else {
            Score::Cents(score)
        }
    }
}

/// The report on an iteration.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) depth: u8,
    /// The largest depth reached, quiescence included.
    pub(crate) longest: usize,
    pub(crate) score: Score,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    pub(crate) hash_per_mille: usize,
    pub(crate) line: Vec<Move>,
}

/// The search was stopped, so the result is incomplete.
struct Halted;

/// A node of the search tree with incrementally updated data.
struct Node {
    position: Position,
    /// The material advantage of the side to move.
    ahead: i32,
    /// Index in the path of the first position that this one can repeat. A removed piece never
    /// comes back, so earlier ones can't.
    since: usize,
}

/// One search of one position.
pub(crate) struct Search<'a> {
    limits: Limits,
    table: &'a mut Table,
    stop: &'a AtomicBool,
    started: Instant,
    deadline: Option<Instant>,
    nodes: u64,
    next_look: u64,
    longest: usize,
    /// Killer moves: two per ply that caused a cutoff, latest first.
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
    /// Hashes of the arrangements of the game, followed by those of the current line.
    path: Vec<u64>,
    /// Index of the root in the path.
    root: usize,
    /// The principal variation from each ply on.
    lines: Vec<Vec<Move>>,
    /// Move lists, one per ply, kept to reuse their memory.
    candidates: Vec<Vec<Candidate>>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        limits: Limits,
        started: Instant,
        table: &'a mut Table,
        stop: &'a AtomicBool,
    ) -> Search<'a> {
        table.age();
        Search {
            limits,
            table,
            stop,
            started,
            deadline: None,
            nodes: 0,
            next_look: NODES_PER_CLOCK_CHECK,
            longest: 0,
            killers: [[None; 2]; MAX_PLY + 1],
            path: Vec::new(),
            root: 0,
            lines: vec![Vec::new(); MAX_PLY + 2],
            candidates: vec![Vec::new(); MAX_PLY + 1],
        }
    }

    /// Runs iterative deepening and calls `on_report` with the report on each iteration. Returns
    /// the best line, which is empty only if no move is legal, and the number of nodes.
    pub(crate) fn run(
        mut self,
        game: &Game,
        mut on_report: impl FnMut(&Report),
    ) -> (Vec<Move>, u64) {
        let position = *game.position();
        let time = self.limits.time(position.side_to_move());
        self.deadline = time.map(|time| self.started + time);
        let before = &game.positions()[..game.moves().len()];
        self.path = before.iter().map(Position::repetition_key).collect();
        self.root = before.len();
        let ahead = material(&position);
        // Positions with other material can't be repeated.
        let since = before.iter().rposition(|then| material(then).abs() != ahead.abs());
        let root = Node { position, ahead, since: since.map_or(0, |index| index + 1) };

        // Ensures a move even without time for one iteration.
        let mut best: Vec<Move> = position.legal_moves().first().copied().into_iter().collect();
        let deepest = self.limits.depth.unwrap_or(MAX_DEPTH);
        for depth in 1..=deepest {
            self.longest = 0;
            self.lines[0].clear();
            let result = self.negamax(&root, depth, 0, -INFINITE_SCORE, INFINITE_SCORE);
            // The best line of the last iteration is searched first, so a replacement is better.
            if !self.lines[0].is_empty() {
                best.clone_from(&self.lines[0]);
            }
            let Ok(score) = result else { break };
            on_report(&Report {
                depth,
                longest: self.longest,
                score: Score::of(score),
                nodes: self.nodes,
                time: self.started.elapsed(),
                hash_per_mille: self.table.per_mille(),
                line: best.clone(),
            });
            // A forced win within this depth is proven, and a deeper search finds no faster one.
            if score.abs() >= WIN - i32::from(depth) {
                break;
            }
        }
        (best, self.nodes)
    }

    /// Counts a node and returns an error when the search must stop.
    fn visit(&mut self, ply: usize) -> Result<(), Halted> {
        if self.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            return Err(Halted);
        }
        self.nodes += 1;
        self.longest = self.longest.max(ply);
        if self.nodes < self.next_look {
            return Ok(());
        }
        self.next_look = self.nodes + NODES_PER_CLOCK_CHECK;
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.stop.load(Ordering::Relaxed) { Err(Halted) } else { Ok(()) }
    }

    /// Returns the score of a node for its side to move, searched to a depth.
    fn negamax(
        &mut self,
        node: &Node,
        depth: u8,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Halted> {
        if depth == 0 {
            return self.quiescence(node, QUIESCENCE_PLIES, ply, alpha, beta);
        }
        self.visit(ply)?;
        self.lines[ply].clear();
        if let Some(score) = decided(&node.position, ply) {
            return Ok(score);
        }
        if ply > 0 && self.is_repeated(node) {
            return Ok(0);
        }

        // Transposition table
        let key = node.position.key();
        let mut table_move = None;
        if let Some(entry) = self.table.get(key) {
            table_move = entry.mv;
            let score = from_table(entry.score, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if ply > 0 && entry.depth >= depth && cuts {
                return Ok(score);
            }
        }

        let aim = node.position.aim();
        let mut candidates = std::mem::take(&mut self.candidates[ply]);
        let gains = Gains::new(&node.position, &aim);
        gains.order_all(table_move, &self.killers[ply], &mut candidates);
        self.path.push(node.position.repetition_key());
        let floor = alpha;
        // A side without a legal move loses.
        let mut best = if candidates.is_empty() { ply as i32 - WIN } else { -INFINITE_SCORE };
        let mut best_move = None;
        for &Candidate { mv, .. } in &candidates {
            let next = self.next(node, aim.play(mv));
            let score = -self.negamax(&next, depth - 1, ply + 1, -beta, -alpha)?;
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                alpha = score;
                best_move = Some(mv);
                self.note_line(ply, mv);
            }
            if score >= beta {
                if node.is_quiet(&next) {
                    self.note_killer(ply, mv);
                }
                break;
            }
        }
        self.path.pop();
        self.candidates[ply] = candidates;

        let bound = if best >= beta {
            Bound::Lower
        } else if best > floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.put(key, best_move, to_table(best, ply), depth, bound);
        Ok(best)
    }

    /// Quiescence: returns the material score, or a better one by moves that win material.
    fn quiescence(
        &mut self,
        node: &Node,
        left: u8,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Halted> {
        self.visit(ply)?;
        self.lines[ply].clear();
        if let Some(score) = decided(&node.position, ply) {
            return Ok(score);
        }
        if left == QUIESCENCE_PLIES && self.is_repeated(node) {
            return Ok(0);
        }
        let mut best = node.ahead;
        if left == 0 || best >= beta {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let aim = node.position.aim();
        let mut candidates = std::mem::take(&mut self.candidates[ply]);
        Gains::new(&node.position, &aim).order_winning(&mut candidates);
        for &Candidate { mv, .. } in &candidates {
            let next = self.next(node, aim.play(mv));
            let score = -self.quiescence(&next, left - 1, ply + 1, -beta, -alpha)?;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.note_line(ply, mv);
            }
            if score >= beta {
                break;
            }
        }
        self.candidates[ply] = candidates;
        Ok(best)
    }

    fn next(&self, node: &Node, (position, removed): (Position, Bitboard)) -> Node {
        if removed.is_empty() {
            Node { position, ahead: -node.ahead, since: node.since }
        } else {
            Node { position, ahead: material(&position), since: self.path.len() }
        }
    }

    /// Returns whether the side to move may claim a draw. A repetition within the search counts at
    /// once, because both sides can repeat it again.
    fn is_repeated(&self, node: &Node) -> bool {
        let key = node.position.repetition_key();
        let mut times = 1;
        for index in (node.since..self.path.len()).rev() {
            if self.path[index] == key {
                times += 1;
                if index >= self.root || times >= node.position.rules().draw_claim_at() {
                    return true;
                }
            }
        }
        false
    }

    /// Stores a killer move of a ply.
    fn note_killer(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Sets the principal variation of this ply to the move and the line after it.
    fn note_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(mv);
        before[ply].extend_from_slice(&after[0]);
    }
}

impl Node {
    /// Returns whether the move that leads to `next` won nothing.
    fn is_quiet(&self, next: &Node) -> bool {
        -next.ahead <= self.ahead
    }
}

/// Returns the score for the side to move after a pharaoh was hit.
fn decided(position: &Position, ply: usize) -> Option<i32> {
    let loss = ply as i32 - WIN;
    let us = position.side_to_move();
    let is_hit = |color: Color| position.pharaoh(color).is_none();
    match (is_hit(us), is_hit(!us)) {
        (false, false) => None,
        (true, true) => Some(0),
        (true, false) => Some(loss),
        (false, true) => Some(-loss),
    }
}

/// Converts the win distance of a score: from the root in the search, from the position in the
/// table.
fn to_table(score: i32, ply: usize) -> i16 {
    let score = match score {
        _ if score > MIN_WIN => score + ply as i32,
        _ if score < -MIN_WIN => score - ply as i32,
        _ => score,
    };
    score as i16
}

/// Reverses [`to_table`].
fn from_table(score: i16, ply: usize) -> i32 {
    match i32::from(score) {
        score if score > MIN_WIN => score - ply as i32,
        score if score < -MIN_WIN => score + ply as i32,
        score => score,
    }
}
