//! Shots on two levels.

use super::{BoardLevel, Position, Square, SquareSet, TowerColumn, TowerMove};
use crate::beam::{self, BeamVisitor, Board};
use crate::piece::MoveClass;
use crate::shot::shoot;
use crate::{
    Beam, BeamOrigin, BeamStep, Bitboard, Color, Direction, Hit, IllegalMove, Move, Piece, Shot,
    ShotSquares,
};

impl From<Shot> for Shot<Square> {
    /// Returns the same shot on the ground.
    fn from(shot: Shot) -> Shot<Square> {
        let beams = shot.beams.into_iter().map(|beam| Beam {
            origin: beam.origin.into(),
            direction: beam.direction,
            steps: beam.steps.into_iter().map(BeamStep::from).collect(),
            end: beam.end,
        });
        let hits = shot.hits.into_iter().map(|hit| Hit {
            square: hit.square.into(),
            piece: hit.piece,
            left: hit.left,
        });
        Shot { by: shot.by, beams: beams.collect(), hits: hits.collect(), outcome: shot.outcome }
    }
}

impl From<BeamOrigin> for BeamOrigin<Square> {
    fn from(origin: BeamOrigin) -> BeamOrigin<Square> {
        match origin {
            BeamOrigin::Wall(square) => BeamOrigin::Wall(square.into()),
            BeamOrigin::Sphinx(square) => BeamOrigin::Sphinx(square.into()),
            BeamOrigin::Eye(square) => BeamOrigin::Eye(square.into()),
        }
    }
}

impl From<BeamStep> for BeamStep<Square> {
    fn from(step: BeamStep) -> BeamStep<Square> {
        BeamStep { square: step.square.into(), arrives: step.arrives, leaves: step.leaves }
    }
}

impl Board for Position {
    type Square = Square;
    const HAS_TOWER: bool = true;

    #[inline]
    fn obstacles(&self, level: BoardLevel) -> Bitboard {
        self.level(level).occupied() | self.column().squares()
    }

    #[inline]
    fn get(&self, square: Square) -> Option<Piece> {
        self.get(square)
    }

    #[inline]
    fn ray(&self, from: Square, direction: Direction) -> Bitboard {
        let ray = Bitboard::ray(from.ground(), direction);
        match from.level() {
            BoardLevel::Ground => ray,
            BoardLevel::Upper => ray & (self.column().upper_level() | self.column().squares()),
        }
    }

    #[inline]
    fn periscope(&self, column: Square, travel: Direction) -> Option<Square> {
        if !self.column().has_periscope(column.ground(), travel) {
            return None;
        }
        let exit = column.ground().neighbor(travel.opposite())?;
        Some(Square::new(column.level().other(), exit))
    }
}

/// Collects all squares that a shot crosses or ends on.
impl BeamVisitor<Square> for SquareSet {
    #[inline]
    fn visit_segment(&mut self, level: BoardLevel, squares: Bitboard, _: Direction) {
        *self |= SquareSet::on_level(level, squares);
    }
}

impl Position {
    /// Plays a move, fires, and returns the shot. An illegal move changes nothing.
    ///
    /// When a beam changes levels, the next step of its path is the square directly above or below
    /// the last one.
    ///
    /// ```
    /// use khet::tower::Position;
    ///
    /// // Silver's djed on j3 sends the beam west, to the east face of the tower.
    /// let mut position: Position = "4k5/10/10/10/10/9D1/10/4K5+d3:6/6/6/5p2/6/6 s".parse()?;
    /// let shot = position.play("e1d1".parse()?)?;
    /// let path: Vec<String> = shot.beams[0].steps.iter().map(|step| step.square.to_string()).collect();
    /// assert_eq!(path.join(" "), "j1 j2 j3 i3 h3 g3 f3 F3 G3");
    /// assert_eq!(shot.to_string(), "xG3");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, mv: Move<Square>) -> Result<Shot<Square>, IllegalMove<Square>> {
        let mv = self.check(mv)?;
        self.apply_move(mv);
        let (mut shot, hit_squares) = shoot(self, self.side_to_move());
        self.remove_and_pass(hit_squares);
        shot.outcome = self.outcome();
        Ok(shot)
    }

    /// Returns the shot of a player's laser if it were fired now. Removes nothing.
    pub fn fire(&self, by: Color) -> Shot<Square> {
        shoot(self, by).0
    }

    /// Traces the shot of a player's laser if it were fired now, without the order of its steps. The
    /// column of the tower is not part of the path.
    ///
    /// ```
    /// use khet::{Color, tower::Position};
    ///
    /// let position: Position = "4k5/10/10/10/10/9D1/10/4K5+d3:6/6/6/5p2/6/6 s".parse()?;
    /// let shot = position.shot_squares(Color::Silver);
    /// assert_eq!((shot.path.ground.len(), shot.path.upper.len()), (7, 2));
    /// assert!(shot.removed.has("G3".parse()?));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn shot_squares(&self, by: Color) -> ShotSquares<Square> {
        let ground = self.level(BoardLevel::Ground);
        // A sphinx that is rotated fires in another direction.
        let sphinx = ground.of_class(MoveClass::Sphinx) & ground.of_color(by);
        let mut path = SquareSet::on_level(BoardLevel::Ground, sphinx);
        let hit_squares = beam::trace(self, by, &mut path);
        ShotSquares { path, removed: hit_squares.set() }
    }

    /// Returns whether a legal move may change a shot, of either player. After any other move the
    /// same laser has the same path and the same hits, so it need not be traced again.
    pub fn disturbs(&self, mv: Move<Square>, shot: &ShotSquares<Square>) -> bool {
        let path = &shot.path;
        match mv {
            Move::Step { from, to } | Move::Unstack { from, to } => path.has(from) || path.has(to),
            Move::Rotate { square, .. } => path.has(square),
            Move::Tower(TowerMove::Rotate(_)) => !path.upper.is_empty(),
            Move::Tower(TowerMove::Shift(to)) => {
                // The column stops or lifts a beam only after its last square before it.
                let at_column = self.column().squares().neighbors();
                let column = TowerColumn::new(to).map_or(Bitboard::EMPTY, TowerColumn::squares);
                !path.upper.is_empty() || !(path.ground & (at_column | column)).is_empty()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::beam::HitSquares;
    use crate::tower::Placement;
    use crate::zobrist::splitmix64;
    use crate::{Beam, BeamEnd, BeamOrigin, Diagonal, Kind, Rules};

    /// Returns a board full of djeds, more than a box holds. A beam on it always ends at a wall or
    /// at the column.
    fn mirrors(seed: u64) -> Position {
        let column = TowerColumn::all().nth(splitmix64(seed, 0) as usize % TowerColumn::COUNT);
        let column = column.expect("it is below the count");
        let mut placement = Placement::new(crate::Placement::EMPTY, column);
        for index in 0..Square::COUNT {
            let square = Square::from_index(index).expect("it is below the count");
            let random = splitmix64(seed, index + 1);
            if random.is_multiple_of(3) && !column.squares().has(square.ground()) {
                let mirror = Diagonal::ALL[(random >> 32) as usize % 2];
                placement.set(square, Some(Piece::new(Color::Silver, Kind::Djed(mirror))));
            }
        }
        Position::assemble(&placement, Rules::Standard)
    }

    /// Traces the beam that enters a square in this direction.
    fn trace(position: &Position, square: Square, travel: Direction) -> Beam<Square> {
        let mut beams = Vec::new();
        beams.visit_start(BeamOrigin::Wall(square), travel);
        let ahead = position.ray(square, travel) | Bitboard::of(square.ground());
        let hit_squares = beam::run(position, square.level(), ahead, travel, &mut beams);
        assert_eq!(hit_squares, HitSquares::None);
        beams.remove(0)
    }

    /// Returns all squares at the edge of a level with the directions into it. Beams that start
    /// there can't run in a loop.
    fn entries(position: &Position) -> Vec<(Square, Direction)> {
        let mut entries = Vec::new();
        for level in BoardLevel::ALL {
            let squares = match level {
                BoardLevel::Ground => Bitboard::ALL,
                BoardLevel::Upper => position.column().upper_level() | position.column().squares(),
            };
            for ground in squares {
                for travel in Direction::ALL {
                    let before = ground.neighbor(travel.opposite());
                    if !before.is_some_and(|square| squares.has(square)) {
                        entries.push((Square::new(level, ground), travel));
                    }
                }
            }
        }
        entries
    }

    #[test]
    fn only_disturbing_moves_change_a_shot() {
        let start = "4o2ko23/10/2p15d21/p1P3e16P4/p2P46p1P3/1D25E1P31/10/4O2KO23\
                     +e4:1p34/6/4P41/1p24/6/4P11 s";
        let (mut kept, mut disturbed) = (0, 0);
        for seed in 0..300 {
            let mut position: Position = start.parse().expect("a position");
            for ply in 0..40 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for by in Color::ALL {
                    let shot = position.shot_squares(by);
                    for &mv in &moves {
                        if position.disturbs(mv, &shot) {
                            disturbed += 1;
                        } else {
                            kept += 1;
                            let after = position.before_shot(mv).shot_squares(by);
                            assert_eq!(after, shot, "{position} {mv} {by}");
                        }
                    }
                }
                position.play_unchecked(moves[splitmix64(seed, ply) as usize % moves.len()]);
            }
        }
        assert!(kept > disturbed && disturbed > 10_000, "{kept} {disturbed}");
    }

    #[test]
    fn a_reversed_beam_runs_back_the_same_way() {
        for seed in 0..200 {
            let position = mirrors(seed);
            for (square, travel) in entries(&position) {
                let beam = trace(&position, square, travel);
                let steps: Vec<_> = beam
                    .steps
                    .iter()
                    .rev()
                    .map(|step| (step.square, step.leaves.map(Direction::opposite), step.arrives))
                    .collect();
                let (last, back, _) = steps[0];
                let reversed = trace(&position, last, back.expect("no piece ends it"));
                let way_back: Vec<_> = reversed
                    .steps
                    .iter()
                    .map(|step| {
                        let leaves = step.leaves.expect("no piece ends it");
                        (step.square, Some(step.arrives), leaves.opposite())
                    })
                    .collect();
                assert_eq!(way_back, steps, "{position} {square} {travel}");
                assert_eq!(reversed.end, BeamEnd::Wall);
            }
        }
    }

    #[test]
    fn a_beam_changes_levels_at_most_four_times() {
        let mut found = HashSet::new();
        for seed in 0..2000 {
            let position = mirrors(seed);
            for (square, travel) in entries(&position) {
                let steps = trace(&position, square, travel).steps;
                let changes =
                    |pair: &&[BeamStep<Square>]| pair[0].square.level() != pair[1].square.level();
                found.insert(steps.windows(2).filter(changes).count());
            }
        }
        // Four are so rare at random that a drawn board has the example.
        assert!(found.contains(&3) && found.iter().all(|&changes| changes <= 4), "{found:?}");
    }
}
