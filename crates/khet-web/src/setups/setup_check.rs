//! Checks of an edited setup, and the texts for their faults and warnings.

use std::collections::BTreeMap;

use khet::tower::{SquareSet, TowerFault};
use khet::{AnySetup, BoardSquare, Color, GamePosition, Role, Rules};

use super::setup_draft::UncheckedSetup;
use crate::board::{BoardDescriber, Orientation, SquareMark, capital};
use crate::game_ui::text_errors::any_placement_error;
use crate::languages::Words;
use crate::rules::{Fault, Placement, Position, Square, Warning};

/// The result of checking a setup without an engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetupCheck {
    /// Violations of the rules of setups.
    pub faults: Vec<Fault>,
    /// The side to move if it has no legal move.
    pub side_without_moves: Option<Color>,
    /// Properties that are allowed but probably unintended.
    pub warnings: Vec<Warning>,
}

impl SetupCheck {
    /// Checks a setup.
    pub fn new(setup: UncheckedSetup) -> SetupCheck {
        match Position::new(&setup.placement, setup.rules) {
            Err(_) => SetupCheck { faults: setup.placement.faults(), ..SetupCheck::default() },
            Ok(position) => SetupCheck {
                faults: Vec::new(),
                side_without_moves: position.outcome().map(|_| position.side_to_move()),
                warnings: position.warnings(),
            },
        }
    }

    /// Returns whether a game can start from the setup.
    pub fn is_playable(&self) -> bool {
        self.faults.is_empty() && self.side_without_moves.is_none()
    }

    /// Returns the squares to mark on the board, each with its most severe mark.
    pub(crate) fn marks(&self) -> Vec<(Square, SquareMark)> {
        let mut marks = BTreeMap::new();
        let mut add = |squares: SquareSet, mark: SquareMark| {
            for square in squares {
                let current = marks.entry(square).or_insert(mark);
                *current = mark.max(*current);
            }
        };
        for fault in &self.faults {
            let squares = match *fault {
                // Marks the smaller group, which is easier to remove.
                Fault::MixedBoxes { standard, khet2 } if count(khet2) < count(standard) => khet2,
                Fault::MixedBoxes { standard, .. } => standard,
                _ => fault.squares(),
            };
            add(squares, SquareMark::Error);
        }
        self.warnings.iter().for_each(|warning| add(warning.squares(), SquareMark::Warning));
        marks.into_iter().collect()
    }
}

/// Returns the position of a setup from which a game can start.
pub fn playable_position(setup: UncheckedSetup) -> Option<Position> {
    let position = Position::new(&setup.placement, setup.rules).ok()?;
    position.outcome().is_none().then_some(position)
}

/// Returns the number of squares of both levels.
fn count(squares: SquareSet) -> u32 {
    squares.ground.len() + squares.upper.len()
}

/// Formats squares: `a1, b2`.
fn square_list(squares: SquareSet) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(", ")
}

/// Describes a fault and how to fix it, in one sentence.
pub fn fault_text(words: Words, fault: &Fault) -> String {
    let describer =
        BoardDescriber { words, orientation: Orientation::new(Color::Silver), you: None };
    let fault = *fault;
    match fault {
        Fault::NoPharaoh(Color::Silver) => words.fault_no_pharaoh_silver().to_owned(),
        Fault::NoPharaoh(Color::Red) => words.fault_no_pharaoh_red().to_owned(),
        Fault::TooMany { color, role, found, squares } => {
            let count = role_count_text(words, role, found);
            let maximum = role.count_per_box();
            match color {
                Color::Silver => words.fault_too_many_silver(count, square_list(squares), maximum),
                Color::Red => words.fault_too_many_red(count, square_list(squares), maximum),
            }
        }
        Fault::Reserved { square, piece } => {
            let piece = describer.piece(piece);
            capital(&match square.reserved_for() {
                Some(Color::Silver) => words.fault_reserved_for_silver(piece, square),
                _ => words.fault_reserved_for_red(piece, square),
            })
        }
        Fault::MixedBoxes { standard, khet2 } => {
            words.fault_mixed(square_list(standard), square_list(khet2))
        }
        Fault::NoSphinx(Color::Silver) => words.fault_no_sphinx_silver().to_owned(),
        Fault::NoSphinx(Color::Red) => words.fault_no_sphinx_red().to_owned(),
        Fault::SphinxOffCorner { square, color: Color::Silver } => {
            words.fault_sphinx_away_silver(square)
        }
        Fault::SphinxOffCorner { square, color: Color::Red } => words.fault_sphinx_away_red(square),
        Fault::SphinxFacesWall { square, color: Color::Silver } => {
            words.fault_sphinx_wall_silver(square)
        }
        Fault::SphinxFacesWall { square, color: Color::Red } => words.fault_sphinx_wall_red(square),
        Fault::Tower(TowerFault::InsideColumn { square, piece }) => {
            capital(&words.fault_inside_column(describer.piece(piece), square))
        }
        Fault::Tower(TowerFault::PharaohOnCorner { square, color: Color::Silver }) => {
            words.fault_corner_silver(square)
        }
        Fault::Tower(TowerFault::PharaohOnCorner { square, color: Color::Red }) => {
            words.fault_corner_red(square)
        }
    }
}

/// Describes a setup in which this side to move has no legal move.
pub fn no_moves_text(words: Words, color: Color) -> &'static str {
    match color {
        Color::Silver => words.fault_no_move_silver(),
        Color::Red => words.fault_no_move_red(),
    }
}

/// Describes a warning and a possible remedy, in one sentence.
pub fn warning_text(words: Words, warning: &Warning) -> String {
    match *warning {
        Warning::NotSymmetric(squares) => words.warning_not_symmetric(square_list(squares)),
        Warning::ShotHits { by: Color::Silver, squares } => {
            words.warning_hits_silver(square_list(squares))
        }
        Warning::ShotHits { by: Color::Red, squares } => {
            words.warning_hits_red(square_list(squares))
        }
        Warning::WinInOne { by: Color::Silver, mv, pharaoh } => {
            words.warning_pharaoh_hit_by_silver(mv, pharaoh)
        }
        Warning::WinInOne { by: Color::Red, mv, pharaoh } => {
            words.warning_pharaoh_hit_by_red(mv, pharaoh)
        }
    }
}

/// Formats a number of pieces: `3 djeds`.
fn role_count_text(words: Words, role: Role, count: u32) -> String {
    let count = count as usize;
    match role {
        Role::Pharaoh => words.count_pharaohs(count),
        Role::Pyramid => words.count_pyramids(count),
        Role::Djed => words.count_djeds(count),
        Role::Obelisk => words.count_obelisks(count),
        Role::Eye => words.count_eyes(count),
        Role::Scarab => words.count_scarabs(count),
        Role::Anubis => words.count_anubis(count),
        Role::Sphinx => words.count_sphinxes(count),
    }
}

/// Parses a placement or the name of a setup. The error describes the problem and its
/// rank.
pub fn parse_placement(words: Words, text: &str) -> Result<Placement, String> {
    let text = text.trim();
    if let Ok(setup) = text.parse::<AnySetup>() {
        return Ok(setup.placement());
    }
    text.parse().map_err(|error| any_placement_error(words, &error))
}

/// Returns the name of an edition of the rules.
pub fn rules_name(words: Words, rules: Rules) -> &'static str {
    match rules {
        Rules::Standard => words.play_rules_standard(),
        Rules::Czech => words.play_rules_czech(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use khet::{Kind, Piece};

    use super::*;
    use crate::languages::Language;
    use crate::rules::square;

    fn squares(names: &[&str]) -> SquareSet {
        names.iter().map(|name| name.parse::<Square>().expect("a square")).collect()
    }

    fn every_fault() -> Vec<Fault> {
        let mut faults =
            vec![Fault::MixedBoxes { standard: squares(&["c4", "d4"]), khet2: squares(&["e5"]) }];
        for color in Color::ALL {
            let piece = Piece::new(color, Kind::Pharaoh);
            let reserved = if color == Color::Silver { square("a3") } else { square("j3") };
            faults.extend([
                Fault::NoPharaoh(color),
                Fault::Reserved { square: reserved, piece },
                Fault::NoSphinx(color),
                Fault::Tower(TowerFault::InsideColumn { square: square("e5"), piece }),
                Fault::Tower(TowerFault::PharaohOnCorner { square: square("C7"), color }),
                Fault::SphinxOffCorner { square: square("d4"), color },
                Fault::SphinxFacesWall { square: khet::Square::laser_corner(color).into(), color },
            ]);
            faults.extend(Role::ALL.map(|role| Fault::TooMany {
                color,
                role,
                found: role.count_per_box() + 1,
                squares: squares(&["b2", "c3", "h7"]),
            }));
        }
        faults
    }

    fn every_warning() -> Vec<Warning> {
        let mut warnings = vec![Warning::NotSymmetric(squares(&["e5", "f4"]))];
        for by in Color::ALL {
            let mv = "h2+".parse().expect("a move");
            warnings.extend([
                Warning::ShotHits { by, squares: squares(&["j4", "b7"]) },
                Warning::WinInOne { by, mv, pharaoh: square("f8") },
            ]);
        }
        warnings
    }

    #[test]
    fn every_fault_and_warning_has_its_own_sentence_that_names_the_squares() {
        for language in Language::ALL {
            let words = Words::new(language);
            let faults = every_fault().into_iter().map(|it| (fault_text(words, &it), it.squares()));
            let warnings =
                every_warning().into_iter().map(|it| (warning_text(words, &it), it.squares()));
            let sentences: Vec<(String, SquareSet)> = faults.chain(warnings).collect();
            for (sentence, squares) in &sentences {
                for square in *squares {
                    assert!(sentence.contains(&square.to_string()), "{language:?}: {sentence}");
                }
                let ends = sentence.ends_with('.') && !sentence.contains('{');
                assert!(ends && !sentence.contains("  "), "{language:?}: {sentence}");
                assert!(sentence.chars().next().is_some_and(char::is_uppercase), "{sentence}");
            }
            let different: HashSet<&String> =
                sentences.iter().map(|(sentence, _)| sentence).collect();
            assert_eq!(different.len(), sentences.len(), "{language:?}");
            assert_ne!(no_moves_text(words, Color::Silver), no_moves_text(words, Color::Red));
        }
    }

    #[test]
    fn parse_errors_name_the_problem_and_its_place() {
        for language in Language::ALL {
            let words = Words::new(language);
            let mut messages = HashSet::new();
            for (text, place) in [
                ("4z5", "2"),
                ("4p55", "p5"),
                ("0", "0"),
                ("4k4/", "9"),
                ("11", "11"),
                ("10p1", "3"),
                ("10/10", "6"),
                ("10/10/10/10/10/10/10/10/ s", "24"),
                ("10/10/10/10/10/10/10/10 x", "24"),
                ("10/10/10/10/10/10/10/10 s!", "!"),
            ] {
                let message = parse_placement(words, text).expect_err("invalid text");
                assert!(message.contains(place), "{language:?}: {text}: {message}");
                messages.insert(message);
            }
            assert_eq!(messages.len(), 10);
        }
        assert_eq!(
            parse_placement(Words::default(), " Osiris\n"),
            Ok(khet::Setup::Osiris.placement().into())
        );
    }

    #[test]
    fn each_square_is_marked_once() {
        let setup = |text: &str| UncheckedSetup {
            placement: text.parse().expect("a placement"),
            rules: Rules::Standard,
        };
        let check = SetupCheck::new(setup("10/10/10/10/10/10/10/P1P17K s"));
        assert_eq!(check.faults.len(), 2);
        assert_eq!(check.marks(), [(square("a1"), SquareMark::Error)]);
        assert!(!check.is_playable());
        let check = SetupCheck::new(setup("4k5/10/10/10/10/10/10/4K5 s"));
        assert!(check.is_playable());
        assert_eq!(check.marks().len(), 4, "not symmetric: two pharaohs and the mirrored squares");
    }
}
