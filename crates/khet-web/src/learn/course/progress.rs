//! The learner's progress in the course, kept in the browser's storage.

use super::attempt::MAX_STARS;
use super::step::CourseStep;
use super::{COURSE, steps};
use crate::browser::storage;

/// The storage key.
const KEY: &str = "khet.course";

/// The stars of the solved steps, and the step that was opened last.
///
/// Its text form is `@swap light=3 mirror=2`: the last step, then the solved ones with their stars.
/// Names that are not steps are dropped when it is read, so its length is bounded by the course.
/// Results are added by merging, so a device's progress can be added to another one in the same way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CourseProgress {
    /// The stars of each step, in the order of the course. Zero if it is not solved.
    stars: Vec<u8>,
    /// Index of the step that was opened last.
    last: Option<usize>,
}

impl CourseProgress {
    /// Returns the progress of someone who has not begun.
    pub fn new() -> CourseProgress {
        CourseProgress { stars: vec![0; steps().count()], last: None }
    }

    /// Loads the progress from the browser's storage.
    pub fn load() -> CourseProgress {
        CourseProgress::read(&storage::load_or_empty(KEY))
    }

    /// Adds new results to the progress in the browser's storage, which other tabs may have changed,
    /// and returns it. If storage is full or forbidden, the results are not kept.
    pub fn add(results: &CourseProgress) -> CourseProgress {
        let mut progress = CourseProgress::load();
        progress.merge(results);
        storage::store(KEY, &progress.text());
        progress
    }

    /// Reads the text form. Ignores whatever it does not know.
    pub fn read(text: &str) -> CourseProgress {
        let mut progress = CourseProgress::new();
        for word in text.split(' ') {
            if let Some(id) = word.strip_prefix('@') {
                progress.last = index_of(id);
            } else if let Some((id, stars)) = word.split_once('=')
                && let (Some(index), Ok(stars)) = (index_of(id), stars.parse::<u8>())
                && stars <= MAX_STARS
            {
                progress.record_at(index, stars);
            }
        }
        progress
    }

    /// Returns the text form.
    pub fn text(&self) -> String {
        let ids = || steps().map(|step| step.id);
        let last = self.last.and_then(|last| ids().nth(last)).map(|id| format!("@{id}"));
        let solved = ids().zip(&self.stars).filter(|(_, stars)| **stars > 0);
        let solved = solved.map(|(id, stars)| format!("{id}={stars}"));
        last.into_iter().chain(solved).collect::<Vec<_>>().join(" ")
    }

    /// Takes the better result of each step from a newer progress, and its last step if it has one.
    fn merge(&mut self, other: &CourseProgress) {
        for (index, &stars) in other.stars.iter().enumerate() {
            self.record_at(index, stars);
        }
        self.last = other.last.or(self.last);
    }

    /// Returns the progress of opening a step.
    pub fn opened(step: &CourseStep) -> CourseProgress {
        CourseProgress { last: index_of(step.id), ..CourseProgress::new() }
    }

    /// Returns the progress of solving a step with these stars.
    pub fn solved(step: &CourseStep, stars: u8) -> CourseProgress {
        let mut progress = CourseProgress::opened(step);
        if let Some(index) = progress.last {
            progress.record_at(index, stars);
        }
        progress
    }

    fn record_at(&mut self, index: usize, stars: u8) {
        self.stars[index] = self.stars[index].max(stars);
    }

    /// Returns the stars of a step, or zero if it is not solved.
    pub fn stars(&self, step: &CourseStep) -> u8 {
        index_of(step.id).map_or(0, |index| self.stars[index])
    }

    /// Returns the sum of the stars of some steps.
    pub fn stars_of(&self, steps: &[CourseStep]) -> usize {
        steps.iter().map(|step| usize::from(self.stars(step))).sum()
    }

    /// Returns the number of solved steps.
    pub fn solved_steps(&self) -> usize {
        self.stars.iter().filter(|stars| **stars > 0).count()
    }

    /// Returns whether a step was ever opened.
    pub fn has_begun(&self) -> bool {
        self.last.is_some()
    }

    /// Returns the step to continue with: the one that was opened last, or the next one after it
    /// that is not solved. Returns `None` if all are solved.
    pub fn next_step(&self) -> Option<&'static CourseStep> {
        let count = self.stars.len();
        let from = self.last.unwrap_or(0);
        let mut indices = (from..from + count).map(|index| index % count);
        let open = indices.find(|&index| self.stars[index] == 0);
        open.and_then(|index| steps().nth(index))
    }
}

/// Returns the index of a step in the course.
fn index_of(id: &str) -> Option<usize> {
    COURSE.iter().flat_map(|chapter| chapter.steps).position(|step| step.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(index: usize) -> &'static CourseStep {
        steps().nth(index).expect("a step")
    }

    #[test]
    fn progress_is_read_as_it_was_written() {
        let mut progress = CourseProgress::new();
        assert_eq!(progress.text(), "");
        assert!(!progress.has_begun());
        progress.merge(&CourseProgress::solved(step(0), 2));
        progress.merge(&CourseProgress::solved(step(1), 3));
        assert_eq!(progress.text(), format!("@{1} {0}=2 {1}=3", step(0).id, step(1).id));
        assert_eq!(CourseProgress::read(&progress.text()), progress);
    }

    #[test]
    fn stored_text_is_not_trusted() {
        let id = step(0).id;
        for text in ["", " ", "@nothing nothing=3", "=", "@", "x=y", &format!("{id}=4 {id}=-1")] {
            assert_eq!(CourseProgress::read(text), CourseProgress::new(), "{text:?}");
        }
        let long = format!("{id}=1 ").repeat(10_000);
        assert_eq!(CourseProgress::read(&long).text(), format!("{id}=1"));
    }

    #[test]
    fn merging_keeps_the_better_result_and_the_newer_place() {
        let mut progress = CourseProgress::solved(step(0), 3);
        progress.merge(&CourseProgress::solved(step(0), 1));
        assert_eq!(progress.stars(step(0)), 3);
        progress.merge(&CourseProgress::solved(step(1), 1));
        progress.merge(&CourseProgress::opened(step(7)));
        progress.merge(&CourseProgress::new());
        assert_eq!((progress.stars(step(0)), progress.stars(step(1))), (3, 1));
        assert_eq!((progress.solved_steps(), progress.last), (2, Some(7)));
        assert_eq!(progress.stars_of(COURSE[0].steps), 4);
    }

    #[test]
    fn the_course_continues_at_the_last_step_or_after_it() {
        let mut progress = CourseProgress::new();
        let next = |progress: &CourseProgress| progress.next_step().map(|step| step.id);
        assert_eq!(next(&progress), Some(step(0).id));
        progress.merge(&CourseProgress::opened(step(4)));
        assert_eq!(next(&progress), Some(step(4).id));
        progress.merge(&CourseProgress::solved(step(4), 1));
        assert_eq!(next(&progress), Some(step(5).id));
        // After the last one it goes back to those that were left out.
        steps().skip(4).for_each(|step| progress.merge(&CourseProgress::solved(step, 1)));
        assert_eq!(next(&progress), Some(step(0).id));
        steps().for_each(|step| progress.merge(&CourseProgress::solved(step, 1)));
        assert_eq!(next(&progress), None);
    }
}
