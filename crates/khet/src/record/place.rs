//! Places in a record with its variations, the ways between them, and what can be changed there.

use std::fmt;
use std::str::FromStr;

use super::{Line, MAX_NESTING, Ply, Record};
use crate::{Game, GameError, Move};

/// A place in a record: before its first move, or behind a move of the game or of a variation.
///
/// ```
/// use khet::{Place, Record, Setup};
///
/// let mut record = Record::new(Setup::Classic.position());
/// let first = record.play_at(&Place::default(), "h2+".parse()?)?;
/// // Another move there is a variation.
/// let other = record.play_at(&Place::default(), "h2g2".parse()?)?;
/// assert!(record.to_string().ends_with("1. h2+ (1. h2g2) *\n"));
/// // Until it is thought to be better.
/// record.promote(&other);
/// assert!(record.to_string().ends_with("1. h2g2 (1. h2+) *\n"));
/// # assert_eq!(first.plies(), 1);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Place {
    /// From the game into a variation, from there into another one.
    branches: Vec<Branch>,
    /// How many moves of the last line stand before it; in a variation at least one.
    moves: usize,
}

/// The way from a line into a variation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Branch {
    /// The move that has the variation, from 0.
    ply: usize,
    /// Which of its variations, from 0.
    variation: usize,
}

impl Place {
    /// The place in the game itself behind that many moves.
    pub fn in_game(moves: usize) -> Place {
        Place { branches: Vec::new(), moves }
    }

    /// Whether it is in the game, and in no variation.
    pub fn is_in_game(&self) -> bool {
        self.branches.is_empty()
    }

    /// How many moves lead here from the start.
    pub fn plies(&self) -> usize {
        self.branches.iter().map(|branch| branch.ply).sum::<usize>() + self.moves
    }

    /// The place one move before; nothing before the start.
    pub fn back(&self) -> Option<Place> {
        let mut place = self.clone();
        place.moves = place.moves.checked_sub(1)?;
        // Before its first move a variation is where the line is that it leaves.
        while place.moves == 0
            && let Some(branch) = place.branches.pop()
        {
            place.moves = branch.ply;
        }
        Some(place)
    }

    /// The place a move on in the same line, if the record has it.
    pub fn onward(&self) -> Place {
        Place { moves: self.moves + 1, ..self.clone() }
    }

    /// The place before the first move of a variation of the next move, counted from 0. It is no place of a record
    /// by itself, but [`Place::onward`] from here is.
    pub fn into_variation(&self, variation: usize) -> Place {
        let mut branches = self.branches.clone();
        branches.push(Branch { ply: self.moves, variation });
        Place { branches, moves: 0 }
    }
}

impl fmt::Display for Place {
    /// The ways into variations, and how many moves of the last line stand before it: `4`, `3.0/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.branches
            .iter()
            .try_for_each(|branch| write!(f, "{}.{}/", branch.ply, branch.variation))?;
        write!(f, "{}", self.moves)
    }
}

/// A text that is no place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePlaceError;

impl fmt::Display for ParsePlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a place in a record is written like 4 or 3.0/2")
    }
}

impl std::error::Error for ParsePlaceError {}

impl FromStr for Place {
    type Err = ParsePlaceError;

    /// Whether a record has such a place, [`Record::line_at`] says.
    fn from_str(text: &str) -> Result<Place, ParsePlaceError> {
        let number = |text: &str| {
            let written = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            written.then(|| text.parse::<u16>().ok().map(usize::from)).flatten()
        };
        let branch = |text: &str| {
            let (ply, variation) = text.split_once('.')?;
            Some(Branch { ply: number(ply)?, variation: number(variation)? })
        };
        let place = match text.rsplit_once('/') {
            None => number(text).map(|moves| (Vec::new(), moves)),
            Some((ways, moves)) => {
                let branches: Option<Vec<Branch>> = ways.split('/').map(branch).collect();
                branches.zip(number(moves))
            }
        };
        let (branches, moves) = place.ok_or(ParsePlaceError)?;
        Ok(Place { branches, moves })
    }
}

impl Record {
    /// The line that a place is in; nothing if the record has no such place.
    pub fn line_at(&self, place: &Place) -> Option<&Line> {
        let line = place.branches.iter().try_fold(&self.line, |line, branch| {
            line.plies.get(branch.ply)?.variations.get(branch.variation)
        })?;
        let least = usize::from(!place.branches.is_empty());
        (least..=line.plies.len()).contains(&place.moves).then_some(line)
    }

    /// The move that led to a place; nothing at the start.
    pub fn ply_at(&self, place: &Place) -> Option<&Ply> {
        self.line_at(place)?.plies.get(place.moves.checked_sub(1)?)
    }

    /// The same, for changing what is written about it.
    pub fn ply_at_mut(&mut self, place: &Place) -> Option<&mut Ply> {
        self.line_at(place)?;
        let at = place.moves.checked_sub(1)?;
        self.line_of(&place.branches).plies.get_mut(at)
    }

    /// The game as it goes up to a place.
    pub fn game_at(&self, place: &Place) -> Option<Game> {
        self.line_at(place)?;
        let mut game = Game::new(self.start);
        let mut line = &self.line;
        for branch in &place.branches {
            replay(&mut game, &line.plies[..branch.ply]);
            line = &line.plies[branch.ply].variations[branch.variation];
        }
        replay(&mut game, &line.plies[..place.moves]);
        Some(game)
    }

    /// The places one move on: first the line's own, then the variations that leave it here.
    pub fn ways_on(&self, place: &Place) -> Vec<Place> {
        let Some(line) = self.line_at(place) else { return Vec::new() };
        let mut ways = Vec::new();
        add_ways(line, place.clone(), &mut ways);
        ways
    }

    /// The last place of the line that a place is in.
    pub fn line_end(&self, place: &Place) -> Place {
        let moves = self.line_at(place).map_or(place.moves, |line| line.plies.len());
        Place { moves, ..place.clone() }
    }

    /// Plays a move at a place. If it stands there already, that is where it leads; otherwise it goes on with the line
    /// at its end, and is a new variation elsewhere.
    pub fn play_at(&mut self, place: &Place, mv: Move) -> Result<Place, GameError> {
        let Some(mut game) = self.game_at(place) else { return Ok(place.clone()) };
        game.play(mv)?;
        // As the rules spell it.
        let mv = game.take_back().unwrap_or(mv);
        let known = |way: &Place| self.ply_at(way).is_some_and(|ply| ply.mv == mv);
        if let Some(way) = self.ways_on(place).into_iter().find(known) {
            return Ok(way);
        }
        let line = self.line_of(&place.branches);
        let mut next = place.onward();
        match line.plies.get_mut(place.moves) {
            None => line.plies.push(Ply::new(mv)),
            // No reader would take it: nothing changes.
            Some(_) if place.branches.len() >= MAX_NESTING => return Ok(place.clone()),
            Some(ply) => {
                next = place.into_variation(ply.variations.len()).onward();
                ply.variations.push(Line { comments: Vec::new(), plies: vec![Ply::new(mv)] });
            }
        }
        self.mind_score();
        Ok(next)
    }

    /// Makes the variation that a place is in the line that it leaves, which becomes a variation. Returns where the
    /// place is then; where nothing can be promoted it is the same.
    pub fn promote(&mut self, place: &Place) -> Place {
        let Some((&branch, parents)) = place.branches.split_last() else { return place.clone() };
        let Some(variation) = self.line_at(place) else { return place.clone() };
        let left = self.line_of_ref(parents);
        let depth = parents.len() + 1 + depth(&left.plies[branch.ply..], Some(branch.variation));
        // What is left becomes one deeper than it was, and must still be readable.
        if depth > MAX_NESTING || variation.plies.is_empty() {
            return place.clone();
        }
        let line = self.line_of(parents);
        let mut variation = line.plies[branch.ply].variations.remove(branch.variation);
        let others = std::mem::take(&mut line.plies[branch.ply].variations);
        let comments = std::mem::take(&mut variation.comments);
        match branch.ply.checked_sub(1) {
            Some(before) => line.plies[before].comments.extend(comments),
            None => line.comments.extend(comments),
        }
        let plies = line.plies.split_off(branch.ply);
        line.plies.append(&mut variation.plies);
        let first = &mut line.plies[branch.ply];
        // What was a variation of the promoted line's first move is one of the old line's, and now of this one's.
        let own = std::mem::take(&mut first.variations);
        first.variations.push(Line { comments: Vec::new(), plies });
        first.variations.extend(others);
        first.variations.extend(own);
        self.mind_score();
        Place { branches: parents.to_vec(), moves: branch.ply + place.moves }
    }

    /// Deletes the move that led to a place, and all behind it. The first of its variations takes its place in the
    /// line. Returns the place before it.
    pub fn delete(&mut self, place: &Place) -> Place {
        let Some(back) = place.back().filter(|_| self.line_at(place).is_some()) else {
            return place.clone();
        };
        let at = place.moves - 1;
        match place.branches.split_last() {
            Some((branch, parents))
                if at == 0 && self.ply_at(place).is_some_and(|ply| ply.variations.is_empty()) =>
            {
                self.line_of(parents).plies[branch.ply].variations.remove(branch.variation);
            }
            _ => {
                let line = self.line_of(&place.branches);
                let mut variations = std::mem::take(&mut line.plies[at].variations);
                line.plies.truncate(at);
                if !variations.is_empty() {
                    let mut first = variations.remove(0);
                    if let Some(ply) = first.plies.first_mut() {
                        ply.variations.extend(variations);
                    }
                    match at.checked_sub(1) {
                        Some(before) => line.plies[before].comments.append(&mut first.comments),
                        None => line.comments.append(&mut first.comments),
                    }
                    line.plies.append(&mut first.plies);
                }
            }
        }
        self.mind_score();
        back
    }

    /// The line behind branches that exist.
    fn line_of(&mut self, branches: &[Branch]) -> &mut Line {
        branches.iter().fold(&mut self.line, |line, branch| {
            &mut line.plies[branch.ply].variations[branch.variation]
        })
    }

    fn line_of_ref(&self, branches: &[Branch]) -> &Line {
        branches
            .iter()
            .fold(&self.line, |line, branch| &line.plies[branch.ply].variations[branch.variation])
    }

    /// The score must be the board's, if the game is over there.
    fn mind_score(&mut self) {
        self.follow_board(self.game().outcome());
    }

    /// The number of a place's turn as records write it: `3.` or `3...`
    pub fn number_at(&self, place: &Place) -> String {
        let count = (place.plies() + self.start.side_to_move() as usize).saturating_sub(1);
        let dots = if count.is_multiple_of(2) { "." } else { "..." };
        format!("{}{dots}", count / 2 + 1)
    }
}

/// Adds the places one move on in a line, also those of variations of variations.
fn add_ways(line: &Line, place: Place, ways: &mut Vec<Place>) {
    let Some(next) = line.plies.get(place.moves) else { return };
    ways.push(place.onward());
    for (variation, line) in next.variations.iter().enumerate() {
        add_ways(line, place.into_variation(variation), ways);
    }
}

fn replay(game: &mut Game, plies: &[Ply]) {
    for ply in plies {
        // Moves of a record are legal where they stand.
        if game.play(ply.mv).is_err() {
            return;
        }
    }
}

/// How deep variations are nested in turns, one of the first move's left out.
fn depth(plies: &[Ply], without: Option<usize>) -> usize {
    let of_ply = |(index, ply): (usize, &Ply)| {
        let counts = |&(variation, _): &(usize, &Line)| index != 0 || Some(variation) != without;
        let nested = ply.variations.iter().enumerate().filter(counts);
        nested.map(|(_, line)| 1 + depth(&line.plies, None)).max().unwrap_or(0)
    };
    plies.iter().enumerate().map(of_ply).max().unwrap_or(0)
}
