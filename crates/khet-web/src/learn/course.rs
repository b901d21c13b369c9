//! The course: tasks on boards, for people who have never seen the game.
//!
//! | module | content |
//! |---|---|
//! | `step` | a step: its start, its goal, and the judgement of a move by the rules |
//! | `chapters` | the steps of each chapter |
//! | `attempt` | an attempt at a step: moves, hints, mistakes, stars |
//! | `progress` | the stars of all steps, in the browser's storage |
//! | `page`, `step_page`, `stars` | the overview of the chapters, the page of a step, and stars |
//!
//! A step lists one solution, but the rules judge every move, so that another way to the goal
//! counts too. `course_tests` proves each step by trying every move.

mod attempt;
mod chapters;
#[cfg(test)]
mod course_tests;
mod page;
mod progress;
mod stars;
mod step;
mod step_page;

use self::chapters::{ATTACK, DEFENCE, DJEDS, LASER, MOVES, PLAN};
pub use self::page::CoursePage;
use self::step::{CourseChapter, CourseStep};
use crate::languages::Words;

/// The chapters in their order.
static COURSE: [CourseChapter; 6] = [
    CourseChapter { title: Words::course_laser, steps: LASER },
    CourseChapter { title: Words::course_moves, steps: MOVES },
    CourseChapter { title: Words::course_djeds, steps: DJEDS },
    CourseChapter { title: Words::course_attack, steps: ATTACK },
    CourseChapter { title: Words::course_defence, steps: DEFENCE },
    CourseChapter { title: Words::course_plan, steps: PLAN },
];

/// Returns all steps in their order.
fn steps() -> impl Iterator<Item = &'static CourseStep> {
    COURSE.iter().flat_map(|chapter| chapter.steps)
}
