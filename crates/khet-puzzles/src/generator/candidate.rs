//! Looks at a position, cheaply at first, and builds the line of a puzzle if it is one.

use khet::{Color, Move, Position};

use super::{MoveChances, PuzzleAnalyst, PuzzleMargins};
use crate::generator::pharaoh_line::pharaoh_line;
use crate::threats::pharaoh_hits;
use crate::{
    MateSearch, PuzzleTheme, PuzzleThemes, SolutionGoal, SolutionLine, is_pharaoh_threatened,
    themes_of,
};

/// Nodes of the first search of a position.
const FIRST_LOOK_NODES: u64 = 6_000;
/// Winning chances from which a forced hit in three moves is likely enough to search for it.
const NEARLY_WON: f64 = 0.93;
/// Nodes of the search that confirms a candidate.
const CONFIRMING_NODES: u64 = 30_000;
/// Nodes of the search that proves each move of a solution.
pub(crate) const PROOF_NODES: u64 = 250_000;
/// The longest forced hit that is proved exhaustively, in moves of the solver.
pub(crate) const MAX_PHARAOH_MOVES: u32 = 3;
/// The most moves of the solver in a line without such a proof.
const MAX_SOLVER_MOVES: usize = 4;

/// The least number of moves that hit the pharaoh after a double threat, if the opponent passes.
const MIN_THREATS: usize = 2;
/// The most moves that parry a threat to the pharaoh at first sight, if only one is to hold.
const MAX_RESCUES: usize = 6;

/// A line that may become a puzzle, with what it achieves.
#[derive(Clone, Debug)]
pub(crate) struct PuzzleCandidate {
    pub(crate) line: SolutionLine,
    pub(crate) goal: SolutionGoal,
}

/// Examines positions.
#[derive(Debug)]
pub(crate) struct CandidateSearch {
    analyst: PuzzleAnalyst,
    mates: MateSearch,
}

impl CandidateSearch {
    pub(crate) fn new() -> CandidateSearch {
        CandidateSearch { analyst: PuzzleAnalyst::new(), mates: MateSearch::default() }
    }

    /// Returns the candidate that starts at a position. `wants_pharaoh_in` says whether forced hits
    /// of a length are wanted, so that no time is spent on proofs of others.
    pub(crate) fn examine(
        &mut self,
        position: &Position,
        wants_pharaoh_in: &dyn Fn(u32) -> bool,
    ) -> Option<PuzzleCandidate> {
        let looked = self.analyst.compare(position, FIRST_LOOK_NODES)?;
        for moves in 1..=2 {
            if self.mates.wins(position, moves) {
                return self.pharaoh_candidate(position, moves, wants_pharaoh_in);
            }
        }
        let is_threatened = is_pharaoh_threatened(position);
        let may_force = looked.best_chances >= NEARLY_WON && wants_pharaoh_in(MAX_PHARAOH_MOVES);
        if !may_force && PuzzleMargins::FIRST_LOOK.goal(&looked, is_threatened).is_none() {
            return None;
        }
        let mut proved = None;
        for nodes in [CONFIRMING_NODES, PROOF_NODES] {
            let compared = self.compare_from_scratch(position, nodes)?;
            if compared.mate_in.is_some_and(|moves| moves <= MAX_PHARAOH_MOVES) {
                return self.pharaoh_candidate(position, MAX_PHARAOH_MOVES, wants_pharaoh_in);
            }
            let goal = PuzzleMargins::NEW.goal(&compared, is_threatened)?;
            proved = Some((compared, goal));
        }
        let (proved, goal) = proved?;
        let line = self.extend(position, proved, goal)?;
        let candidate = PuzzleCandidate { line, goal };
        candidate.is_worth_solving().then_some(candidate)
    }

    /// Returns the candidate that starts at a position which did not occur in the game, but could
    /// have: a hit on the pharaoh in one, one in two with a rare idea, or the only move that holds
    /// against a threat of one. `wants` says whether the themes of a candidate are wanted. Costs
    /// little, so that many positions can be tried.
    pub(crate) fn examine_variation(
        &mut self,
        position: &Position,
        wants: &dyn Fn(PuzzleThemes) -> bool,
    ) -> Option<PuzzleCandidate> {
        let single_move = |mv: Move, goal: SolutionGoal| {
            let line = SolutionLine::new(*position, [mv]).ok()?;
            wants(themes_of(&line, goal)).then_some(PuzzleCandidate { line, goal })
        };
        match self.mates.winning_moves(position, 1)[..] {
            [] => {}
            [only] => return single_move(only, SolutionGoal::Pharaoh),
            _ => return None,
        }
        let wants_threats = wants([PuzzleTheme::DoubleThreat].into_iter().collect());
        if self.has_winning_idea(position, wants_threats) {
            let candidate = self.pharaoh_candidate(position, 2, &|_| true)?;
            return wants(themes_of(&candidate.line, candidate.goal)).then_some(candidate);
        }
        if !is_pharaoh_threatened(position) {
            return None;
        }
        let rescues = rescues(position)?;
        if !rescues.iter().any(|&mv| single_move(mv, SolutionGoal::Rescue).is_some()) {
            return None;
        }
        let mut proved = None;
        for nodes in [CONFIRMING_NODES, PROOF_NODES] {
            let compared = self.compare_from_scratch(position, nodes)?;
            let goal = PuzzleMargins::NEW.goal(&compared, true);
            if compared.mate_in.is_some() || goal != Some(SolutionGoal::Rescue) {
                return None;
            }
            proved = Some(compared);
        }
        let line = self.extend(position, proved?, SolutionGoal::Rescue)?;
        let goal = SolutionGoal::Rescue;
        wants(themes_of(&line, goal)).then_some(PuzzleCandidate { line, goal })
    }

    /// Returns whether a move with a rare idea forces a win within two moves: one that unstacks,
    /// changes what the opponent's beam hits, or, if that is wanted, threatens the pharaoh with several
    /// moves. Far cheaper than to try all moves.
    fn has_winning_idea(&mut self, position: &Position, wants_threats: bool) -> bool {
        let side = position.side_to_move();
        let harms = |position: &Position| {
            let removed = position.shot_squares(!side).removed;
            Color::ALL.map(|color| !(removed & position.of_color(color)).is_empty())
        };
        let before = harms(position);
        let aim = position.aim();
        position.legal_moves().iter().any(|&mv| {
            let next = aim.play(mv).0;
            let threatens =
                || wants_threats && pharaoh_hits(&next.after_null_move()).len() >= MIN_THREATS;
            let is_idea =
                matches!(mv, Move::Unstack { .. }) || harms(&next) != before || threatens();
            is_idea && self.mates.wins_after(&next, side, 2)
        })
    }

    /// Returns the candidate that forces a hit on the pharaoh in exactly this number of moves.
    fn pharaoh_candidate(
        &mut self,
        position: &Position,
        moves: u32,
        wants_pharaoh_in: &dyn Fn(u32) -> bool,
    ) -> Option<PuzzleCandidate> {
        if !wants_pharaoh_in(moves) {
            return None;
        }
        let moves = pharaoh_line(&mut self.mates, position, moves)?;
        let line = SolutionLine::new(*position, moves).ok()?;
        Some(PuzzleCandidate { line, goal: SolutionGoal::Pharaoh })
    }

    /// Compares the best moves without the results of earlier searches.
    fn compare_from_scratch(&mut self, position: &Position, nodes: u64) -> Option<MoveChances> {
        self.analyst.clear();
        self.analyst.compare(position, nodes)
    }

    /// Follows the best moves from a position as long as the solver has only one good move.
    fn extend(
        &mut self,
        start: &Position,
        first: MoveChances,
        goal: SolutionGoal,
    ) -> Option<SolutionLine> {
        let mut moves: Vec<Move> = Vec::new();
        let (mut position, mut chances) = (*start, first);
        loop {
            moves.push(chances.best);
            position.play(chances.best).ok()?;
            let Some(reply) = chances.reply else { break };
            if moves.len() >= 2 * MAX_SOLVER_MOVES - 1 {
                break;
            }
            position.play(reply).ok()?;
            if position.outcome().is_some() {
                break;
            }
            let Some(next) = self.compare_from_scratch(&position, PROOF_NODES) else { break };
            if !PuzzleMargins::NEW.is_only_move(&next, goal) {
                break;
            }
            moves.push(reply);
            chances = next;
        }
        let line = SolutionLine::new(*start, moves).ok()?;
        match goal {
            SolutionGoal::Rescue => Some(line),
            SolutionGoal::Pharaoh | SolutionGoal::Advantage => without_trivial_end(&line),
        }
    }
}

/// Returns the moves after which the opponent can't hit the pharaoh at once, if they are few.
fn rescues(position: &Position) -> Option<Vec<Move>> {
    let side = position.side_to_move();
    let aim = position.aim();
    let saves = |mv: &Move| {
        let next = aim.play(*mv).0;
        next.pharaoh(side).is_some() && pharaoh_hits(&next).is_empty()
    };
    let moves = position.legal_moves();
    let saving = moves.iter().copied().filter(saves).take(MAX_RESCUES + 1);
    let saving: Vec<Move> = saving.collect();
    (1..=MAX_RESCUES).contains(&saving.len()).then_some(saving)
}

/// Cuts moves off the end until the last one hits a piece of the opponent, so that a person sees why
/// the solution is over; `None` if no move does.
fn without_trivial_end(line: &SolutionLine) -> Option<SolutionLine> {
    let opponent = !line.solver();
    let last = line.plies().iter().step_by(2).rposition(|ply| ply.hits(opponent))?;
    SolutionLine::new(*line.start(), line.moves().take(2 * last + 1)).ok()
}

impl PuzzleCandidate {
    /// Returns whether there is something to find: a single move that is the only one to hit
    /// anything is not.
    fn is_worth_solving(&self) -> bool {
        let start = self.line.start();
        let opponent = !self.line.solver();
        let aim = start.aim();
        let hits_opponent = |mv: &&Move| aim.hits(**mv).any(|(_, piece)| piece.color() == opponent);
        self.goal != SolutionGoal::Advantage
            || self.line.solver_moves() > 1
            || start.legal_moves().iter().filter(hits_opponent).count() > 1
    }
}
