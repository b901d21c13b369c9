//! A game or a position that is looked into: a record with its variations, and the place that is looked at.

use khet::{Color, Comment, Game, GameError, Move, Place, Position, Record, Rules, Shot};

use crate::board::{Hint, Scene, SceneShot};
use crate::game::analysis_handover::study_text;

/// A record may have so many moves, those of variations included: more than any game, and few enough for a page.
pub const MOST_MOVES: u64 = 4_000;

/// A comment may be so long, in characters.
pub const LONGEST_COMMENT: usize = 2_000;

/// How many changes can be undone.
const UNDONE: usize = 100;

/// What is looked into.
#[derive(Clone, PartialEq, Debug)]
pub struct Study {
    record: Record,
    place: Place,
    /// What undoing brings back, the last change last.
    before: Vec<(Record, Place)>,
    /// Counts the places that were looked at, for the board.
    looks: u32,
    /// The last step was not a move forth: its shot is not shown again.
    still: bool,
}

/// Why a text can't be looked into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// What is wrong with it, in the words of the rules library.
    Wrong(String),
    /// It has too many moves.
    TooLong,
}

impl Study {
    /// Looks into a record, from its start.
    pub fn new(record: Record) -> Study {
        Study { record, place: Place::default(), before: Vec::new(), looks: 0, still: true }
    }

    /// Looks into a position.
    pub fn of(position: Position) -> Study {
        Study::new(Record::new(position))
    }

    /// Looks into what a text says: a record, a setup's name or a position.
    pub fn open(text: &str, rules: Rules) -> Result<Study, Unreadable> {
        let wrong = |problem: &dyn std::fmt::Display| Unreadable::Wrong(problem.to_string());
        let text = text.trim();
        if text.starts_with('[') {
            // Of several games the first.
            let record = khet::Records::new(text).next();
            let record = record.unwrap_or_else(|| text.parse()).map_err(|error| wrong(&error))?;
            if record.line().count_legal_moves() > MOST_MOVES {
                return Err(Unreadable::TooLong);
            }
            return Ok(Study::new(record));
        }
        let position: Position = text.parse().map_err(|error| wrong(&error))?;
        Ok(Study::of(position.with_rules(rules)))
    }

    /// As text that can be kept: where it came from and the place in a line each, then the record.
    pub fn keep(&self, source: &str) -> String {
        study_text(source, &self.place, &self.record.to_string())
    }

    /// What was kept, and where it came from; `None` if it can't be read. However long it has become, it is not lost.
    pub fn kept(text: &str) -> Option<(String, Study)> {
        let (source, rest) = text.split_once('\n')?;
        let (place, record) = rest.split_once('\n')?;
        let mut study = Study::new(record.parse().ok()?);
        let place = place.parse().ok().filter(|place| study.record.line_at(place).is_some());
        study.place = place.unwrap_or_default();
        Some((source.to_owned(), study))
    }

    /// The record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The place that is looked at.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The game up to there.
    pub fn game(&self) -> Game {
        self.record.game_at(&self.place).unwrap_or_else(|| Game::new(*self.record.start()))
    }

    /// Whether there is anything to lose.
    pub fn is_untouched(&self) -> bool {
        self.record.line().plies.is_empty() && self.before.is_empty()
    }

    // --- walking

    /// Looks at a place.
    pub fn look(&mut self, place: Place) {
        if self.record.line_at(&place).is_none() || place == self.place {
            return;
        }
        self.still = place.back().as_ref() != Some(&self.place);
        self.place = place;
        self.looks = self.looks.wrapping_add(1);
    }

    /// A turn back.
    pub fn back(&mut self) {
        if let Some(place) = self.place.back() {
            self.look(place);
        }
    }

    /// A move forth, along the line.
    pub fn forth(&mut self) {
        let ways = self.record.ways_on(&self.place);
        if let Some(place) = ways.into_iter().next() {
            self.look(place);
        }
    }

    /// To the start.
    pub fn first(&mut self) {
        self.look(Place::default());
    }

    /// To the end of the line.
    pub fn last(&mut self) {
        self.look(self.record.line_end(&self.place));
    }

    /// To another move in the place of this one: the next, or the one before.
    pub fn sideways(&mut self, next: bool) {
        let Some(back) = self.place.back() else { return };
        let ways = self.record.ways_on(&back);
        let Some(at) = ways.iter().position(|way| *way == self.place) else { return };
        let count = ways.len();
        let at = if next { (at + 1) % count } else { (at + count - 1) % count };
        self.look(ways[at].clone());
        // It is no step along a game.
        self.still = true;
    }

    // --- changing

    /// Whether no more moves have room; those that are there can still be walked along.
    pub fn is_full(&self) -> bool {
        self.record.line().count_legal_moves() >= MOST_MOVES
    }

    /// Plays a move for the side to move.
    pub fn play(&mut self, mv: Move) -> Result<(), GameError> {
        let ways = self.record.ways_on(&self.place);
        let known = |way: &Place| self.record.ply_at(way).is_some_and(|ply| ply.mv == mv);
        if self.is_full() && !ways.iter().any(known) {
            return Ok(());
        }
        let before = (self.record.clone(), self.place.clone());
        let place = self.record.play_at(&self.place, mv)?;
        self.note_change(before);
        self.look(place);
        self.still = false;
        Ok(())
    }

    /// Makes the variation at hand the line that it leaves.
    pub fn promote(&mut self) {
        self.change(|record, place| record.promote(place));
    }

    /// Deletes the move that led here, and all behind it.
    pub fn delete(&mut self) {
        self.change(|record, place| record.delete(place));
    }

    /// Takes in a record that was written into, such as a review.
    pub fn annotate(&mut self, write: impl FnOnce(&mut Record)) {
        self.change(|record, place| {
            write(record);
            place.clone()
        });
        if self.record.line_at(&self.place).is_none() {
            self.place = Place::default();
        }
    }

    /// Puts a mark on the move that led here, or takes it away.
    pub fn toggle_mark(&mut self, mark: u8) {
        self.change(|record, place| {
            if let Some(ply) = record.ply_at_mut(place) {
                match ply.marks.iter().position(|&known| known == mark) {
                    Some(at) => drop(ply.marks.remove(at)),
                    None => {
                        // The six marks of goodness exclude each other.
                        ply.marks.retain(|known| !(1..=6).contains(known));
                        ply.marks.push(mark);
                    }
                }
            }
            place.clone()
        });
    }

    /// The marks on the move that led here.
    pub fn marks(&self) -> &[u8] {
        self.record.ply_at(&self.place).map_or(&[], |ply| &ply.marks)
    }

    /// What people wrote about the move that led here, or about the game.
    pub fn comment(&self) -> String {
        let comments = match self.record.ply_at(&self.place) {
            Some(ply) => &ply.comments,
            None => &self.record.line().comments,
        };
        said(comments)
    }

    /// Writes about it. What programs wrote stays.
    pub fn set_comment(&mut self, text: &str) {
        if text == self.comment() {
            return;
        }
        let text: String = text.chars().take(LONGEST_COMMENT).collect();
        self.change(|record, place| {
            let comments = match record.ply_at_mut(place) {
                Some(ply) => &mut ply.comments,
                None => &mut record.line_mut().comments,
            };
            let programs =
                comments.iter().map(|comment| parted(comment.text()).0).collect::<String>();
            // Braces end a comment.
            let people = text.trim().replace('}', ")");
            let texts = [programs, people].into_iter().filter(|text| !text.is_empty());
            *comments = texts.filter_map(|text| Comment::new(text).ok()).collect();
            place.clone()
        });
    }

    fn change(&mut self, change: impl FnOnce(&mut Record, &Place) -> Place) {
        let before = (self.record.clone(), self.place.clone());
        let place = change(&mut self.record, &self.place);
        self.note_change(before);
        self.still = true;
        if place != self.place {
            self.place = place;
            self.looks = self.looks.wrapping_add(1);
        }
    }

    fn note_change(&mut self, before: (Record, Place)) {
        if before.0 == self.record {
            return;
        }
        if self.before.len() == UNDONE {
            self.before.remove(0);
        }
        self.before.push(before);
    }

    /// Whether a change can be undone.
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Undoes the last change.
    pub fn undo(&mut self) {
        let Some((record, place)) = self.before.pop() else { return };
        (self.record, self.place) = (record, place);
        self.looks = self.looks.wrapping_add(1);
        self.still = true;
    }

    // --- showing

    /// What the board shows: seen from a side, with hints, and with the beams of the lasers that are wanted.
    pub fn scene(&self, bottom: Color, hints: Vec<Hint>, beams: &[Color]) -> Scene {
        let game = self.game();
        let mut scene = Scene::of(*game.position());
        scene.bottom = bottom;
        if game.outcome().is_none() {
            scene.moves = game.position().legal_moves().to_vec();
            scene.previews = beams.iter().map(|&by| game.position().fire(by)).collect();
        }
        if let Some((&mv, before)) = game.moves().last().zip(game.positions().iter().rev().nth(1)) {
            let fired = before.before_shot(mv);
            let shot = fired.fire(before.side_to_move());
            scene.last = Some(mv);
            scene.shot = Some(SceneShot { number: self.looks, before_shot: fired, shot });
        }
        scene.still = self.still;
        scene.hints = hints;
        scene
    }
}

/// All moves of a position with what their shots would do: those that light something of the other side first, those
/// that cost own pieces last.
pub fn all_moves(position: &Position) -> Vec<(Move, Shot)> {
    let us = position.side_to_move();
    let played = |&mv: &Move| {
        let mut next = *position;
        next.play(mv).ok().map(|shot| (mv, shot))
    };
    let mut moves: Vec<(Move, Shot)> = position.legal_moves().iter().filter_map(played).collect();
    moves.sort_by_key(|(_, shot)| {
        let of = |color| shot.hits.iter().filter(|hit| hit.piece.color() == color).count() as i32;
        let wins = shot.outcome.is_some_and(|outcome| outcome.winner == Some(us));
        let loses = shot.outcome.is_some_and(|outcome| outcome.winner == Some(!us));
        (10 * (i32::from(loses) - i32::from(wins)), of(us) - of(!us))
    });
    moves
}

/// What people wrote in comments.
pub(super) fn said(comments: &[Comment]) -> String {
    let texts = comments.iter().map(|comment| parted(comment.text()).1);
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The commands in a comment, `[%eval 0.35]`, and what people wrote around them.
fn parted(text: &str) -> (String, String) {
    let (mut commands, mut people) = (String::new(), String::new());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("[%") {
        let Some((command, after)) = behind.split_once(']') else { break };
        people.push_str(before);
        commands.push_str(&format!("[%{command}]"));
        rest = after;
    }
    people.push_str(rest);
    (commands, people.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn study(moves: &str) -> Study {
        let text = format!("[Setup \"Classic\"]\n\n{moves} *\n");
        Study::open(&text, Rules::Standard).expect("a record")
    }

    #[test]
    fn moves_are_walked_and_played_and_undone() {
        let mut study = study("1. h2+ c7c6 (1... c7c8) 2. h2-");
        study.forth();
        study.forth();
        assert_eq!(study.game().moves(), [mv("h2+"), mv("c7c6")]);
        study.sideways(true);
        assert_eq!(study.game().moves(), [mv("h2+"), mv("c7c8")]);
        study.play(mv("h2g2")).expect("legal");
        assert_eq!(study.record().line().count_legal_moves(), 5);
        study.promote();
        assert!(study.place().is_in_game());
        study.undo();
        study.undo();
        assert_eq!(study.record().line().count_legal_moves(), 4);
        assert!(!study.can_undo());
        study.last();
        study.first();
        assert_eq!(study.place().plies(), 0);
    }

    #[test]
    fn only_a_move_forth_is_shown_with_its_shot() {
        let mut study = study("1. h2+ c7c6 2. h2-");
        let still = |study: &Study| study.scene(Color::Silver, Vec::new(), &[]).still;
        study.forth();
        assert!(!still(&study));
        study.back();
        assert!(still(&study));
        study.last();
        assert!(still(&study));
    }

    #[test]
    fn what_is_kept_comes_back_in_its_place() {
        let mut study = study("1. h2+ {[%eval 0.35] quiet} c7c6 (1... c7c8 $1)");
        study.forth();
        study.forth();
        study.sideways(true);
        let (source, kept) = Study::kept(&study.keep("game=7Hc0aWxz")).expect("a study");
        assert_eq!((kept.record(), kept.place()), (study.record(), study.place()));
        assert_eq!(source, "game=7Hc0aWxz");
        for broken in ["", "0", "\n0\nx", "[Setup \"Classic\"]\n\n*\n"] {
            assert_eq!(Study::kept(broken), None);
        }
        let elsewhere = study.keep("").replace("1.0/1", "7.0/1");
        assert_eq!(Study::kept(&elsewhere).expect("a study").1.place(), &Place::default());
    }

    #[test]
    fn people_write_beside_what_programs_wrote() {
        let mut study = study("1. h2+ {[%eval 0.35] quiet} {[%clk 0:01:00]}");
        study.forth();
        assert_eq!(study.comment(), "quiet");
        study.set_comment("a } better one");
        assert!(
            study.record().to_string().contains("{[%eval 0.35][%clk 0:01:00]} {a ) better one}")
        );
        study.set_comment("");
        assert!(study.record().to_string().contains("1. h2+ {[%eval 0.35][%clk 0:01:00]} *"));
        study.first();
        study.set_comment("about it all");
        assert_eq!(study.comment(), "about it all");
    }

    #[test]
    fn marks_of_goodness_exclude_each_other() {
        let mut study = study("1. h2+ $1 $14");
        study.forth();
        study.toggle_mark(4);
        assert_eq!(study.marks(), [14, 4]);
        study.toggle_mark(4);
        assert_eq!(study.marks(), [14]);
    }

    #[test]
    fn what_can_not_be_read_is_named() {
        let open = |text: &str| Study::open(text, Rules::Standard);
        assert!(matches!(open("hello"), Err(Unreadable::Wrong(_))));
        assert!(matches!(open("[Setup \"NotFound\"]\n\n*"), Err(Unreadable::Wrong(_))));
        let there_and_back = "h2+ c7c6 h2- c6c7 ".repeat(1001);
        let long = format!("[Setup \"Classic\"]\n\n{there_and_back}*\n");
        assert_eq!(open(&long), Err(Unreadable::TooLong));
        assert!(open("khet2-imhotep-eye").is_ok());
    }

    #[test]
    fn the_best_shots_are_listed_first_and_own_losses_last() {
        let position: Position = "10/10/10/10/4k4P2/10/10/4K5 s".parse().expect("a position");
        let moves = all_moves(&position);
        assert_eq!(moves[0].0, mv("j4+"));
        assert_eq!(moves.len(), position.legal_moves().len());
    }
}
