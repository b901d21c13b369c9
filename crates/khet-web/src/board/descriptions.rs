//! Descriptions of squares, moves and shots for screen readers.
//!
//! Directions are those of the picture as the viewer sees it.

#[cfg(feature = "tower")]
use khet::tower::{BoardLevel, TowerMove};
use khet::{
    BeamEnd, BoardSquare, Color, Corner, Diagonal, Direction, GamePosition, Kind, Piece, Rotation,
};

use super::geometry::Orientation;
#[cfg(feature = "tower")]
use super::levels::as_tower_move;
use super::move_input::{AllowedMoves, PieceInHand, TargetKind};
use crate::languages::Words;
use crate::rules::{Beam, Hit, Move, Position, Shot, Square};

/// Describes the board in a language, from the point of view of a player or spectator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardDescriber {
    pub(crate) words: Words,
    pub(crate) orientation: Orientation,
    /// The viewer's own side.
    pub(crate) you: Option<Color>,
}

impl BoardDescriber {
    /// Describes a piece and its owner: "your djed", "Red's pyramid".
    pub(crate) fn piece(&self, piece: Piece) -> String {
        let words = self.words;
        if self.you == Some(piece.color()) {
            return match piece.kind() {
                Kind::Pharaoh => words.board_your_pharaoh(),
                Kind::Pyramid(_) => words.board_your_pyramid(),
                Kind::Djed(_) => words.board_your_djed(),
                Kind::Obelisk => words.board_your_obelisk(),
                Kind::Stack => words.board_your_stack(),
                Kind::Eye(_) => words.board_your_eye(),
                Kind::Scarab(_) => words.board_your_scarab(),
                Kind::Anubis(_) => words.board_your_anubis(),
                Kind::Sphinx(_) => words.board_your_sphinx(),
            }
            .to_string();
        }
        let name = match piece.kind() {
            Kind::Pharaoh => words.board_pharaoh(),
            Kind::Pyramid(_) => words.board_pyramid(),
            Kind::Djed(_) => words.board_djed(),
            Kind::Obelisk => words.board_obelisk(),
            Kind::Stack => words.board_stack(),
            Kind::Eye(_) => words.board_eye(),
            Kind::Scarab(_) => words.board_scarab(),
            Kind::Anubis(_) => words.board_anubis(),
            Kind::Sphinx(_) => words.board_sphinx(),
        };
        match piece.color() {
            Color::Silver => words.board_of_silver(name),
            Color::Red => words.board_of_red(name),
        }
    }

    /// Describes the orientation of a piece: "mirror faces upper right". Returns `None` for pieces
    /// that look the same from all sides.
    pub(crate) fn facing(&self, piece: Piece) -> Option<&'static str> {
        let words = self.words;
        Some(match self.orientation.piece(piece).kind() {
            Kind::Pharaoh | Kind::Obelisk | Kind::Stack => return None,
            Kind::Djed(line) | Kind::Eye(line) | Kind::Scarab(line) => match line {
                Diagonal::Rising => words.board_mirror_rising(),
                Diagonal::Falling => words.board_mirror_falling(),
            },
            Kind::Pyramid(corner) => match corner {
                Corner::NorthEast => words.board_mirror_upper_right(),
                Corner::SouthEast => words.board_mirror_lower_right(),
                Corner::SouthWest => words.board_mirror_lower_left(),
                Corner::NorthWest => words.board_mirror_upper_left(),
            },
            Kind::Anubis(front) => match front {
                Direction::North => words.board_front_up(),
                Direction::East => words.board_front_right(),
                Direction::South => words.board_front_down(),
                Direction::West => words.board_front_left(),
            },
            Kind::Sphinx(fires) => match fires {
                Direction::North => words.board_fires_up(),
                Direction::East => words.board_fires_right(),
                Direction::South => words.board_fires_down(),
                Direction::West => words.board_fires_left(),
            },
        })
    }

    /// Describes a square and its piece: "e4, your djed, mirror from lower left to upper right".
    pub(crate) fn square(&self, square: Square, piece: Option<Piece>) -> String {
        let words = self.words;
        let mut parts = vec![self.name(square).to_string()];
        match piece {
            Some(piece) => {
                parts.push(self.piece(piece));
                parts.extend(self.facing(piece).map(str::to_string));
            }
            None => {
                parts.push(words.board_empty().to_string());
                parts.extend(square.reserved_for().map(|color| {
                    match color {
                        Color::Silver => words.board_only_silver(),
                        Color::Red => words.board_only_red(),
                    }
                    .to_string()
                }));
            }
        }
        parts.join(", ")
    }

    /// Describes a square of the tower's column.
    pub(crate) fn column(&self, square: Square) -> String {
        format!("{}, {}", self.name(square), self.words.tower_column())
    }

    /// Returns the name of a square as it is spoken, which tells the levels apart.
    #[cfg(feature = "tower")]
    pub(crate) fn name(&self, square: Square) -> String {
        match square.board_level() {
            BoardLevel::Ground => square.to_string(),
            BoardLevel::Upper => self.words.tower_upper_square(square),
        }
    }

    #[cfg(not(feature = "tower"))]
    pub(crate) fn name(&self, square: Square) -> Square {
        square
    }

    /// Describes what dropping the piece in hand on a square would do.
    pub(crate) fn target(&self, kind: TargetKind) -> &'static str {
        match kind {
            TargetKind::Empty => self.words.board_can_move(),
            TargetKind::Swap => self.words.board_can_swap(),
            TargetKind::Stack => self.words.board_can_stack(),
            TargetKind::Climb => self.words.tower_can_climb(),
            TargetKind::Descend => self.words.tower_can_descend(),
            TargetKind::Shift => self.words.tower_can_shift(),
        }
    }

    /// Describes the change of the piece in hand.
    pub(crate) fn hand(
        &self,
        before: Option<PieceInHand>,
        now: Option<PieceInHand>,
        allowed: AllowedMoves<'_>,
    ) -> Option<String> {
        let words = self.words;
        let Some(held) = now else { return before.map(|_| words.board_put_back().to_string()) };
        #[cfg(feature = "tower")]
        if allowed.is_tower(held.from) {
            return Some(self.tower_in_hand(before, held, allowed));
        }
        let piece = allowed.position.get(held.from)?;
        let from = self.name(held.from);
        let rotation_before =
            before.filter(|before| before.from == held.from).and_then(|before| before.rotation);
        match (rotation_before, held.rotation) {
            (_, Some(rotation)) => {
                let facing = self.facing(piece.rotated(rotation.quarters()))?;
                return Some(words.board_rotated(from, facing));
            }
            (Some(_), None) => {
                return Some(words.board_rotated_back(from, self.facing(piece)?));
            }
            (None, None) => {}
        }
        let targets = allowed.targets(held);
        let squares = self.squares(targets.into_iter().map(|(square, _)| square).collect());
        Some(if squares.is_empty() {
            words.board_picked_up_rotates_only(from, self.piece(piece))
        } else if held.top_only {
            words.board_picked_up_top(from, squares)
        } else {
            words.board_picked_up(from, self.piece(piece), squares)
        })
    }

    /// Lists squares.
    fn squares(&self, mut squares: Vec<Square>) -> String {
        squares.sort_unstable();
        let names: Vec<String> = squares.into_iter().map(|it| self.name(it).to_string()).collect();
        names.join(", ")
    }

    /// Describes the change of the tower in hand.
    #[cfg(feature = "tower")]
    fn tower_in_hand(
        &self,
        before: Option<PieceInHand>,
        held: PieceInHand,
        allowed: AllowedMoves<'_>,
    ) -> String {
        let words = self.words;
        match (before.and_then(|before| before.rotation), held.rotation) {
            (_, Some(Rotation::Clockwise)) => words.tower_rotated_clockwise().to_string(),
            (_, Some(Rotation::Counterclockwise)) => {
                words.tower_rotated_counterclockwise().to_string()
            }
            (Some(_), None) => words.tower_rotated_back().to_string(),
            (None, None) => {
                // One square for each direction: those beside the lower left square of the column.
                let column = allowed.position.tower_column().map(|column| column.lower_left());
                let is_named = |square: &Square| {
                    let (square, column) = (square.ground(), column.unwrap_or(square.ground()));
                    square.file() != column.file() + 1 && square.rank() != column.rank() + 1
                };
                let targets = allowed.targets(held).into_iter().map(|(square, _)| square);
                let squares = self.squares(targets.filter(is_named).collect());
                if squares.is_empty() {
                    words.tower_picked_up_rotates_only().to_string()
                } else {
                    words.tower_picked_up(squares)
                }
            }
        }
    }

    /// Describes a move of the tower.
    #[cfg(feature = "tower")]
    fn tower_move(&self, mv: TowerMove) -> String {
        match mv {
            TowerMove::Shift(square) => self.words.tower_move_shifts(square),
            TowerMove::Rotate(Rotation::Clockwise) => {
                self.words.tower_move_rotates_clockwise().to_string()
            }
            TowerMove::Rotate(Rotation::Counterclockwise) => {
                self.words.tower_move_rotates_counterclockwise().to_string()
            }
        }
    }

    /// Describes a move in a sentence. `before` is the position before the move, `after` the
    /// position before its shot.
    pub(crate) fn mv(
        &self,
        mv: Move,
        before: Option<&Position>,
        after: &Position,
    ) -> Option<String> {
        let words = self.words;
        #[cfg(feature = "tower")]
        if let Some(mv) = as_tower_move(mv) {
            return Some(self.tower_move(mv));
        }
        let [from, to] = mv.squares()?;
        let moved = after.get(to)?;
        let piece = self.piece(moved);
        let [from_name, to_name] = [from, to].map(|square| self.name(square));
        let text = match mv {
            Move::Rotate { rotation, .. } => {
                let facing = self.facing(moved).unwrap_or_default();
                match rotation {
                    Rotation::Clockwise => {
                        words.board_move_rotates_clockwise(piece, to_name, facing)
                    }
                    Rotation::Counterclockwise => {
                        words.board_move_rotates_counterclockwise(piece, to_name, facing)
                    }
                }
            }
            Move::Unstack { .. } => words.board_move_unstacks(from_name, to_name),
            Move::Step { .. } => {
                let single = before
                    .and_then(|before| before.get(from))
                    .filter(|piece| piece.kind() == Kind::Obelisk);
                match (after.get(from), single) {
                    (Some(other), _) => {
                        words.board_move_swaps(piece, from_name, to_name, self.piece(other))
                    }
                    (None, Some(single)) if moved.kind() == Kind::Stack => {
                        words.board_move_stacks(self.piece(single), from_name, to_name)
                    }
                    (None, _) => words.board_move_steps(piece, from_name, to_name),
                }
            }
            Move::Tower(_) => return None,
        };
        Some(capital(&text))
    }

    /// Describes a shot in sentences: "Your laser: up file j, left at j4, … out at j8."
    pub(crate) fn shot(&self, shot: &Shot) -> String {
        let words = self.words;
        let mut sentences = Vec::new();
        for beam in &shot.beams {
            let path = self.path_text(beam);
            if path.is_empty() {
                continue;
            }
            sentences.push(match beam.eye() {
                Some(eye) => words.board_beam_from_eye(self.name(eye), path),
                None if self.you == Some(shot.by) => words.board_your_laser(path),
                None => match shot.by {
                    Color::Silver => words.board_silver_laser(path),
                    Color::Red => words.board_red_laser(path),
                },
            });
        }
        sentences.extend(shot.hits.iter().map(|hit| self.hit_text(hit)));
        sentences.join(" ")
    }

    /// Describes the path of a beam.
    fn path_text(&self, beam: &Beam) -> String {
        let words = self.words;
        let mut parts = Vec::new();
        if let Some(first) = beam.steps.first() {
            let square = first.square.ground();
            let (file, rank) = (char::from(b'a' + square.file()), square.rank() + 1);
            parts.push(match self.orientation.direction(first.arrives) {
                Direction::North => words.board_beam_up(file),
                Direction::South => words.board_beam_down(file),
                Direction::East => words.board_beam_right(rank),
                Direction::West => words.board_beam_left(rank),
            });
        }
        #[cfg(feature = "tower")]
        let mut level = beam.eye().map_or(BoardLevel::Ground, BoardSquare::board_level);
        for step in &beam.steps {
            #[cfg(feature = "tower")]
            if step.square.board_level() != level {
                level = step.square.board_level();
                let name = self.name(step.square);
                parts.push(match level {
                    BoardLevel::Upper => words.tower_beam_climbs(name),
                    BoardLevel::Ground => words.tower_beam_descends(name),
                });
            }
            let Some(direction) = step.reflection() else { continue };
            parts.push(match self.orientation.direction(direction) {
                Direction::North => words.board_beam_reflects_up(self.name(step.square)),
                Direction::South => words.board_beam_reflects_down(self.name(step.square)),
                Direction::East => words.board_beam_reflects_right(self.name(step.square)),
                Direction::West => words.board_beam_reflects_left(self.name(step.square)),
            });
        }
        if let Some(last) = beam.steps.last() {
            let last = self.name(last.square);
            parts.push(match beam.end {
                #[cfg(feature = "tower")]
                BeamEnd::Column => words.tower_beam_ends_at_column(last),
                #[cfg(not(feature = "tower"))]
                BeamEnd::Column => words.board_beam_leaves(last),
                BeamEnd::Wall => words.board_beam_leaves(last),
                BeamEnd::Hit => words.board_beam_hits(last),
                BeamEnd::Absorbed => words.board_beam_absorbed(last),
                BeamEnd::Split => words.board_beam_splits(last),
            });
        }
        parts.join(", ")
    }

    /// Describes a hit.
    fn hit_text(&self, hit: &Hit) -> String {
        let (words, square) = (self.words, self.name(hit.square));
        match hit.piece.kind() {
            Kind::Pharaoh => capital(&words.board_pharaoh_hit(self.piece(hit.piece), square)),
            Kind::Stack => words.board_top_removed(square),
            _ => capital(&words.board_removed(self.piece(hit.piece), square)),
        }
    }
}

/// Describes the hits of a shot in sentences, to the player of the side `you` or to anybody.
/// Returns an empty text if nothing was hit.
pub(crate) fn hits_in_words(shot: &Shot, you: Option<Color>, words: Words) -> String {
    let describer = BoardDescriber { words, orientation: Orientation::new(Color::Silver), you };
    let hits: Vec<String> = shot.hits.iter().map(|hit| describer.hit_text(hit)).collect();
    hits.join(" ")
}

/// Returns the text with its first letter in upper case.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| latin_capital(first).to_string() + letters.as_str())
}

/// Returns the capital of a letter of the app's languages. The tables behind `char::to_uppercase`
/// would add 6 KB to the app.
fn latin_capital(letter: char) -> char {
    let distance = match letter {
        'a'..='z' | 'à'..='ö' | 'ø'..='þ' => 0x20,
        // In the extended block, each capital precedes its small letter.
        'ā'..='ķ' if u32::from(letter) % 2 == 1 => 1,
        'ĺ'..='ň' | 'ź'..='ž' if u32::from(letter) % 2 == 0 => 1,
        'ŋ'..='ŷ' if u32::from(letter) % 2 == 1 => 1,
        _ => 0,
    };
    char::from_u32(u32::from(letter) - distance).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;
    use crate::languages::Language;

    fn describer(you: Color) -> BoardDescriber {
        BoardDescriber {
            words: Words::new(Language::English),
            orientation: Orientation::new(you),
            you: Some(you),
        }
    }

    fn description(you: Color, position: &str, mv: &str) -> String {
        let mut position: Position = match position.parse::<Setup>() {
            Ok(setup) => setup.position().into(),
            Err(_) => position.parse().expect("a position"),
        };
        let mv = mv.parse().expect("a move");
        let (before, after) = (position, position.before_shot(mv));
        let shot = position.play(mv).expect("a legal move");
        let describer = describer(you);
        format!(
            "{} {}",
            describer.mv(mv, Some(&before), &after).unwrap_or_default(),
            describer.shot(&shot)
        )
    }

    #[test]
    fn latin_letters_have_the_same_capitals_as_in_the_standard_library() {
        // Letters without a capital in these blocks, which occur in none of the app's languages.
        let others = ['ı', 'ĸ', 'ŉ', 'ſ', 'ÿ'];
        let letters = ('a'..='z').chain('à'..='ž');
        for letter in letters.filter(|letter| letter.is_lowercase() && !others.contains(letter)) {
            assert!(letter.to_uppercase().eq([latin_capital(letter)]), "{letter}");
        }
        for other in "A9Čß ŻÖ×÷".chars() {
            assert_eq!(latin_capital(other), other);
        }
        assert_eq!(capital("čeká"), "Čeká");
    }

    #[test]
    fn squares_are_described_with_their_piece() {
        let position = Position::from(Setup::Classic.position());
        let silver = |name: &str| {
            let square = name.parse().expect("a square");
            describer(Color::Silver).square(square, position.get(square))
        };
        assert_eq!(silver("e4"), "e4, your djed, mirror from lower left to upper right");
        assert_eq!(silver("g3"), "g3, Red’s pyramid, mirror faces lower right");
        assert_eq!(silver("e1"), "e1, your pharaoh");
        assert_eq!(silver("d1"), "d1, your stack of two obelisks");
        assert_eq!(silver("g5"), "g5, empty");
        assert_eq!(silver("a1"), "a1, empty, for Red only");
        let g3 = khet::Square::G3.into();
        let red = describer(Color::Red).square(g3, position.get(g3));
        assert_eq!(red, "g3, your pyramid, mirror faces upper left");
    }

    #[test]
    fn shots_are_described_from_the_laser_to_their_end() {
        assert_eq!(
            description(Color::Silver, "classic", "h2+"),
            "Your pyramid on h2 rotated clockwise: mirror faces lower right. \
             Your laser: up file j, left at j4, up at h4, right at h5, up at j5, out at j8."
        );
        assert_eq!(
            description(Color::Red, "4k5/10/10/10/9P1/10/10/4K5 s", "e1e2"),
            "Silver’s pharaoh from e1 to e2. Silver’s laser: down file j, hits j4. Silver’s pyramid on j4 is removed."
        );
        assert_eq!(
            description(Color::Silver, "4k5/10/10/10/10/10/10/4K4P4 s", "j1-"),
            "Your pyramid on j1 rotated counterclockwise: mirror faces lower left. \
             Your laser: up file j, left at j1, hits e1. Your pharaoh on e1 is hit."
        );
    }

    #[test]
    fn both_beams_of_an_eye_are_described() {
        let text = description(Color::Silver, "4k5/10/10/10/9E1/10/10/4K5 s", "e1e2");
        assert!(text.contains("splits at j4. From the Eye on j4: up file j, out at j8. From the Eye on j4: left along rank 4, out at a4."), "{text}");
    }

    #[test]
    fn every_kind_of_move_is_described() {
        let description = |position: &str, mv: &str| {
            let text = description(Color::Silver, position, mv);
            text.split_inclusive(". ").next().unwrap_or_default().trim().to_string()
        };
        assert_eq!(description("classic", "d1d2"), "Your stack of two obelisks from d1 to d2.");
        assert_eq!(description("classic", "d1^d2"), "Top of the stack from d1 to d2.");
        let position = "4k5/10/10/10/10/3O16/3O1D15/4K5 s";
        assert_eq!(description(position, "d2d3"), "Your obelisk from d2 stacked on d3.");
        assert_eq!(
            description(position, "e2d2"),
            "Your djed from e2 to d2, swapped with your obelisk."
        );
    }

    #[test]
    fn piece_in_hand_is_described() {
        let position = Position::from(Setup::Classic.position());
        let moves = position.legal_moves();
        let allowed = AllowedMoves { position: &position, moves: &moves };
        let describer = describer(Color::Silver);
        let held = PieceInHand { from: khet::Square::H2.into(), top_only: false, rotation: None };
        assert_eq!(
            describer.hand(None, Some(held), allowed).as_deref(),
            Some("h2, your pyramid picked up. It can go to: g1, h1, g2, i2, h3, i3.")
        );
        let rotated = PieceInHand { rotation: Some(Rotation::Clockwise), ..held };
        assert_eq!(
            describer.hand(Some(held), Some(rotated), allowed).as_deref(),
            Some("h2, rotated: mirror faces lower right. Enter drops it, Escape rotates it back.")
        );
        assert_eq!(describer.hand(Some(held), None, allowed).as_deref(), Some("Put back."));
    }

    #[cfg(feature = "tower")]
    mod tower {
        use super::*;

        /// Silver's beam climbs at the east face, is reflected by three pyramids on the upper level,
        /// and descends at the north face.
        const CLIMBING: &str = "3k2o2d22/10/3P42p1p22/p18P4/p28P3/3P32p23/10/2D2O2KO24\
                                +e4:6/3P21P3/o25/5P4/1p44/6 s";

        #[test]
        fn levels_of_a_move_and_of_its_beam_are_named() {
            assert_eq!(
                description(Color::Silver, CLIMBING, "d6D6"),
                "Your pyramid from d6 to upper D6. Your laser: up file j, left at j4, \
                 climbs to upper G4, up at upper H4, left at upper H6, down at upper F6, \
                 descends to f6, out at f8."
            );
        }

        #[test]
        fn moves_of_the_tower_are_described() {
            for (mv, text) in [
                ("T+", "The tower is rotated clockwise."),
                ("T-", "The tower is rotated counterclockwise."),
                ("Te5", "The tower is shifted to e5."),
            ] {
                let described = description(Color::Silver, CLIMBING, mv);
                assert!(described.starts_with(text), "{described}");
            }
        }

        #[test]
        fn beam_that_ends_at_the_column_is_described() {
            let position = "4k5/10/10/9P3/10/10/10/4K5+e4:6/6/6/6/6/6 s";
            let described = description(Color::Silver, position, "e1d1");
            assert!(described.ends_with("left at j5, ends at the column after g5."), "{described}");
        }

        #[test]
        fn tower_in_hand_is_described() {
            let position: Position = CLIMBING.parse().expect("a position");
            let moves = position.legal_moves();
            let allowed = AllowedMoves { position: &position, moves: &moves };
            let from = "E4".parse().expect("a square");
            let held = PieceInHand { from, top_only: false, rotation: None };
            let rotated = PieceInHand { rotation: Some(Rotation::Clockwise), ..held };
            let hand = |before, now| describer(Color::Silver).hand(before, now, allowed);
            let text = hand(None, Some(held)).expect("a text");
            let directions = "upper E3, upper D4, upper G4, upper E6";
            let picked_up = format!("Tower picked up. It can go towards: {directions}. ");
            assert!(text.starts_with(&picked_up), "{text}");
            let text = hand(Some(held), Some(rotated)).expect("a text");
            assert!(text.starts_with("Tower rotated clockwise."), "{text}");
            let text = hand(Some(rotated), Some(held));
            assert_eq!(text.as_deref(), Some("Tower rotated back."));
        }
    }
}
