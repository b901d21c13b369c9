//! The lessons about the Tower of Kadesh.
//!
//! `tower_lesson_tests.rs` checks the claims of the texts about the boards.

use khet::{AnySetup, Rules, tower};

use super::article::{Section, text};
use super::lesson::{Lesson, LessonStart, LessonText, Players, StartPlacement};
use super::lessons::position;
use crate::languages::Words;

/// The lessons, which need the rules of the standard game and of the Eye of Horus.
pub(super) const TOWER: &[Lesson] = &[
    Lesson {
        anchor: "tower",
        title: Words::learn_tower,
        text: &[Words::learn_tower_text, Words::learn_tower_squares, Words::learn_tower_lost],
        more: &[],
        task: Words::learn_tower_task,
        starts: &[position("4k5/10/10/10/9P3/1o18/10/4K5+e4:6/6/6/6/1P14/6 s")],
        players: Players::Silver,
        solution: &["j4j3"],
    },
    Lesson {
        anchor: "periscopes",
        title: Words::learn_periscope,
        text: &[Words::learn_periscope_text],
        more: &[Words::learn_periscope_squares],
        task: Words::learn_periscope_task,
        starts: &[position("4k5/10/10/9P3/10/10/10/4K5+e4:6/6/6/5o1/6/6 s")],
        players: Players::Silver,
        solution: &["j5j4"],
    },
    Lesson {
        anchor: "upper-level",
        title: Words::learn_upper,
        text: &[Words::learn_upper_text],
        more: &[],
        task: Words::learn_upper_task,
        starts: &[position("5k4/10/10/10/9P3/10/10/4K5+e4:6/3P11P3/6/5P4/6/6 s")],
        players: Players::Silver,
        solution: &["F6+"],
    },
    Lesson {
        anchor: "climb",
        title: Words::learn_climb,
        text: &[Words::learn_climb_text],
        more: &[],
        task: Words::learn_climb_task,
        starts: &[position("4k5/10/10/10/7D21P3/10/2K7/10+e4:5o1/6/6/6/6/6 s")],
        players: Players::Silver,
        solution: &["h4H4"],
    },
    Lesson {
        anchor: "levels",
        title: Words::learn_levels,
        text: &[Words::learn_levels_text],
        more: &[],
        task: Words::learn_levels_task,
        starts: &[position("6k3/10/2O17/10/10/6p22P3/10/3K6+e4:6/O15/6/6/4D11/6 s")],
        players: Players::Silver,
        solution: &["G3g3"],
    },
    Lesson {
        anchor: "shift",
        title: Words::learn_shift,
        text: &[Words::learn_shift_text],
        more: &[],
        task: Words::learn_shift_task,
        starts: &[position("4k5/10/10/3O15P3/10/10/10/4K5+e4:6/6/6/5o1/6/6 s")],
        players: Players::Silver,
        solution: &["Te5"],
    },
    Lesson {
        anchor: "tower-rotate",
        title: Words::learn_tower_rotate,
        text: &[Words::learn_tower_rotate_text],
        more: &[Words::learn_tower_rotate_pass],
        task: Words::learn_tower_rotate_task,
        starts: &[position("10/10/10/10/9P3/10/10/4K5+e4:1k1P32/6/6/6/6/6 s")],
        players: Players::Silver,
        solution: &["T+"],
    },
    Lesson {
        anchor: "tower-eye",
        title: Words::learn_tower_eye,
        text: &[Words::learn_tower_eye_text],
        more: &[],
        task: Words::learn_tower_eye_task,
        starts: &[position("4k5/7o12/10/10/7E21P3/10/10/4K5+e4:6/6/6/5o1/6/6 s")],
        players: Players::Silver,
        solution: &["h4+"],
    },
    Lesson {
        anchor: "tower-setups",
        title: Words::learn_tower_setups,
        text: &[
            Words::learn_tower_setups_text,
            Words::learn_tower_orontes,
            Words::learn_tower_ramesses,
            Words::learn_tower_nefertari,
        ],
        more: &[],
        task: Words::learn_setups_task,
        starts: &[
            tower_setup(Words::setup_orontes, tower::Setup::Orontes),
            tower_setup(Words::setup_ramesses, tower::Setup::Ramesses),
            tower_setup(Words::setup_nefertari, tower::Setup::Nefertari),
        ],
        players: Players::Both,
        solution: &[],
    },
];

/// The sources of these rules, and the decisions where they are silent.
pub(super) const TOWER_SOURCES: &[Section] = &[Section {
    anchor: "tower-sources",
    ..text(Words::learn_tower_sources, &[Words::learn_tower_known, Words::learn_tower_decided])
}];

/// Returns a setup with a tower as one of several start positions.
const fn tower_setup(name: LessonText, setup: tower::Setup) -> LessonStart {
    LessonStart {
        name,
        placement: StartPlacement::Setup(AnySetup::Tower(setup)),
        rules: Rules::Standard,
    }
}
