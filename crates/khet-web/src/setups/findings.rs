//! What is wrong with a setup, what players should know about it, and what can be done: in words.

use std::collections::BTreeMap;

use khet::{
    Bitboard, Color, Fault, ParsePlacementError, Placement, PlacementProblem, Position, Role,
    Rules, Square, Warning,
};

use super::draft::Stand;
use crate::board::{Mark, Seat, Speaker, capital};
use crate::languages::Words;

/// Everything that is to be said about a setup without asking an engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// What keeps it from being played.
    pub faults: Vec<Fault>,
    /// Who would have no move at once.
    pub stuck: Option<Color>,
    /// What players should know.
    pub warnings: Vec<Warning>,
}

impl Findings {
    /// Looks at what stands.
    pub fn of(stand: Stand) -> Findings {
        match Position::new(&stand.placement, stand.rules) {
            Err(invalid) => Findings { faults: invalid.faults, ..Findings::default() },
            Ok(position) => Findings {
                faults: Vec::new(),
                stuck: position.outcome().map(|_| position.side_to_move()),
                warnings: position.warnings(),
            },
        }
    }

    /// Whether a game can begin here.
    pub fn can_be_played(&self) -> bool {
        self.faults.is_empty() && self.stuck.is_none()
    }

    /// The squares that are spoken of, each once, the worst that is said of it.
    pub(crate) fn marks(&self) -> Vec<(Square, Mark)> {
        let mut marks = BTreeMap::new();
        let mut add = |squares: Bitboard, mark: Mark| {
            for square in squares {
                let known = marks.entry(square).or_insert(mark);
                *known = mark.max(*known);
            }
        };
        for fault in &self.faults {
            let squares = match *fault {
                // Fewer are sooner taken off.
                Fault::MixedBoxes { standard, khet2 } if khet2.len() < standard.len() => khet2,
                Fault::MixedBoxes { standard, .. } => standard,
                _ => fault.squares(),
            };
            add(squares, Mark::Fault);
        }
        self.warnings.iter().for_each(|warning| add(warning.squares(), Mark::Doubt));
        marks.into_iter().collect()
    }
}

/// A setup that can be played.
pub fn position(stand: Stand) -> Option<Position> {
    let position = Position::new(&stand.placement, stand.rules).ok()?;
    position.outcome().is_none().then_some(position)
}

fn list(squares: Bitboard) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(", ")
}

/// A fault in a sentence, and how it is mended.
pub fn fault(words: Words, fault: &Fault) -> String {
    let speaker = Speaker { words, seat: Seat::new(Color::Silver), you: None };
    match *fault {
        Fault::NoPharaoh(Color::Silver) => words.fault_no_pharaoh_silver().to_owned(),
        Fault::NoPharaoh(Color::Red) => words.fault_no_pharaoh_red().to_owned(),
        Fault::TooMany { color, role, found, squares } => {
            let found = counted(words, role, found);
            let most = role.in_box();
            match color {
                Color::Silver => words.fault_too_many_silver(found, list(squares), most),
                Color::Red => words.fault_too_many_red(found, list(squares), most),
            }
        }
        Fault::Reserved { square, piece } => {
            let piece = speaker.piece(piece);
            capital(&match square.reserved_for() {
                Some(Color::Silver) => words.fault_reserved_for_silver(piece, square),
                _ => words.fault_reserved_for_red(piece, square),
            })
        }
        Fault::MixedBoxes { standard, khet2 } => words.fault_mixed(list(standard), list(khet2)),
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
    }
}

/// Who has no move.
pub fn stuck(words: Words, color: Color) -> &'static str {
    match color {
        Color::Silver => words.fault_no_move_silver(),
        Color::Red => words.fault_no_move_red(),
    }
}

/// A warning in a sentence, and what could be done.
pub fn warning(words: Words, warning: &Warning) -> String {
    match *warning {
        Warning::NotSymmetric(squares) => words.warning_not_symmetric(list(squares)),
        Warning::ShotHits { by: Color::Silver, squares } => {
            words.warning_hits_silver(list(squares))
        }
        Warning::ShotHits { by: Color::Red, squares } => words.warning_hits_red(list(squares)),
        Warning::WinInOne { by: Color::Silver, mv, pharaoh } => {
            words.warning_pharaoh_hit_by_silver(mv, pharaoh)
        }
        Warning::WinInOne { by: Color::Red, mv, pharaoh } => {
            words.warning_pharaoh_hit_by_red(mv, pharaoh)
        }
    }
}

/// `3 djeds`.
fn counted(words: Words, role: Role, count: u32) -> String {
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

/// Reads a position or the name of a setup, as people paste it; or says what is wrong and where.
pub fn read(words: Words, text: &str) -> Result<Placement, String> {
    let text = text.trim();
    if let Ok(setup) = text.parse::<khet::Setup>() {
        return Ok(setup.placement());
    }
    text.parse().map_err(|error| unreadable(words, &error))
}

fn unreadable(words: Words, error: &ParsePlacementError) -> String {
    let what = match &error.problem {
        PlacementProblem::UnknownLetter(letter) => words.position_error_unknown_letter(letter),
        PlacementProblem::WrongDigit(role, text) => {
            words.position_error_wrong_digit(text, role.forms())
        }
        PlacementProblem::WrongNumber(text) => words.position_error_wrong_number(text),
        PlacementProblem::RankTooShort(files) => words.position_error_rank_short(files),
        PlacementProblem::RankTooLong => words.position_error_rank_long().to_owned(),
        PlacementProblem::MissingRanks(ranks) => words.position_error_missing_ranks(ranks),
        PlacementProblem::TooManyRanks => words.position_error_too_many_ranks().to_owned(),
        PlacementProblem::WrongSide(_) => words.position_error_wrong_side().to_owned(),
        PlacementProblem::TrailingText(text) => words.position_error_trailing(text),
    };
    match error.rank {
        Some(rank) => words.position_error_in_rank(error.character, rank, what),
        None => words.position_error_after_board(error.character, what),
    }
}

/// The name of an edition.
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

    fn squares(names: &[&str]) -> Bitboard {
        names.iter().map(|name| name.parse::<Square>().expect("a square")).collect()
    }

    fn every_fault() -> Vec<Fault> {
        let mut faults =
            vec![Fault::MixedBoxes { standard: squares(&["c4", "d4"]), khet2: squares(&["e5"]) }];
        for color in Color::ALL {
            let piece = Piece::new(color, Kind::Pharaoh);
            let reserved = if color == Color::Silver { Square::A3 } else { Square::J3 };
            faults.extend([
                Fault::NoPharaoh(color),
                Fault::Reserved { square: reserved, piece },
                Fault::NoSphinx(color),
                Fault::SphinxOffCorner { square: Square::D4, color },
                Fault::SphinxFacesWall { square: Square::laser_corner(color), color },
            ]);
            faults.extend(Role::ALL.map(|role| Fault::TooMany {
                color,
                role,
                found: role.in_box() + 1,
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
                Warning::WinInOne { by, mv, pharaoh: Square::F8 },
            ]);
        }
        warnings
    }

    #[test]
    fn every_fault_and_warning_has_its_own_sentence_that_names_the_squares() {
        for language in Language::ALL {
            let words = Words::new(language);
            let faults = every_fault().into_iter().map(|it| (fault(words, &it), it.squares()));
            let warnings =
                every_warning().into_iter().map(|it| (warning(words, &it), it.squares()));
            let said: Vec<(String, Bitboard)> = faults.chain(warnings).collect();
            for (sentence, squares) in &said {
                for square in *squares {
                    assert!(sentence.contains(&square.to_string()), "{language:?}: {sentence}");
                }
                let ends = sentence.ends_with('.') && !sentence.contains('{');
                assert!(ends && !sentence.contains("  "), "{language:?}: {sentence}");
                assert!(sentence.chars().next().is_some_and(char::is_uppercase), "{sentence}");
            }
            let different: HashSet<&String> = said.iter().map(|(sentence, _)| sentence).collect();
            assert_eq!(different.len(), said.len(), "{language:?}");
            assert_ne!(stuck(words, Color::Silver), stuck(words, Color::Red));
        }
    }

    #[test]
    fn what_is_wrong_with_a_text_is_named_with_its_place() {
        for language in Language::ALL {
            let words = Words::new(language);
            let mut said = HashSet::new();
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
                let told = read(words, text).expect_err("it is wrong");
                assert!(told.contains(place), "{language:?}: {text}: {told}");
                said.insert(told);
            }
            assert_eq!(said.len(), 10);
        }
        assert_eq!(read(Words::default(), " Osiris\n"), Ok(khet::Setup::Osiris.placement()));
    }

    #[test]
    fn marks_are_each_square_once() {
        let stand = |text: &str| Stand {
            placement: text.parse().expect("a placement"),
            rules: Rules::Standard,
        };
        let findings = Findings::of(stand("10/10/10/10/10/10/10/P1P17K s"));
        assert_eq!(findings.faults.len(), 2);
        assert_eq!(findings.marks(), [(Square::A1, Mark::Fault)]);
        assert!(!findings.can_be_played());
        let findings = Findings::of(stand("4k5/10/10/10/10/10/10/4K5 s"));
        assert!(findings.can_be_played());
        assert_eq!(findings.marks().len(), 4, "not alike: two kings and their partners' squares");
    }
}
