//! Long beam: one of the solver's beams hits something of the opponent's after six reflections or
//! more.

use khet::{Beam, BeamEnd, Shot};

use crate::SolutionLine;

/// The least number of reflections of a long beam.
const MIN_REFLECTIONS: usize = 6;

pub(super) fn detect(line: &SolutionLine) -> bool {
    let opponent = !line.solver();
    let is_long = |beam: &Beam, shot: &Shot| {
        let end = beam.steps.last().map(|step| step.square);
        let hits_opponent =
            shot.hits.iter().any(|hit| Some(hit.square) == end && hit.piece.color() == opponent);
        beam.end == BeamEnd::Hit && hits_opponent && reflections(beam, shot) >= MIN_REFLECTIONS
    };
    line.solver_plies().any(|(ply, _)| ply.shot.beams.iter().any(|beam| is_long(beam, &ply.shot)))
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
