//! Long beam: one of the solver's beams hits something of the opponent's after six reflections or
//! more.

use khet::{Beam, BeamEnd, Hit, Shot};

use crate::SolutionLine;

/// The least number of reflections of a long beam.
const MIN_REFLECTIONS: usize = 6;

pub(super) fn detect(line: &SolutionLine) -> bool {
    longest_beam(line) >= MIN_REFLECTIONS
}

/// Returns the largest number of reflections of a beam with which the solver hits something of the
/// opponent's; 0 if there is none.
pub(crate) fn longest_beam(line: &SolutionLine) -> usize {
    let shots = line.solver_plies().map(|(ply, _)| &ply.shot);
    let longest = shots.flat_map(|shot| {
        let hitting = shot.beams.iter().filter(|beam| hits_opponent(beam, shot));
        hitting.map(|beam| reflections(beam, shot))
    });
    longest.max().unwrap_or(0)
}

/// Returns whether a beam ends on a piece of the side that did not fire.
fn hits_opponent(beam: &Beam, shot: &Shot) -> bool {
    let end = beam.steps.last().map(|step| step.square);
    let is_hit = |hit: &Hit| Some(hit.square) == end && hit.piece.color() != shot.by;
    beam.end == BeamEnd::Hit && shot.hits.iter().any(is_hit)
}

/// Returns the number of reflections from the laser to the end of a beam. A half of a split beam
/// counts those before the Eye, and the Eye if it was reflected there.
fn reflections(beam: &Beam, shot: &Shot) -> usize {
    let own = beam.steps.iter().filter(|step| step.reflection().is_some()).count();
    let Some(eye) = beam.eye() else { return own };
    let position = shot.beams.iter().position(|other| std::ptr::eq(other, beam));
    // A beam comes after the one that was split. An Eye that is met from two sides splits two beams;
    // the later one is counted, if it could have sent a half in this direction.
    let parents = shot.beams[..position.unwrap_or(0)].iter().rev();
    let arrival = |other: &Beam| {
        let last = other.steps.last()?;
        let reaches = other.end == BeamEnd::Split && last.square == eye;
        (reaches && last.arrives != beam.direction.opposite()).then_some(last.arrives)
    };
    let parent = parents.filter_map(|other| Some((other, arrival(other)?))).next();
    parent.map_or(own, |(other, arrives)| {
        own + reflections(other, shot) + usize::from(arrives != beam.direction)
    })
}
