//! The rules as lessons, in the order of the page.
//!
//! `lesson_tests.rs` checks the claims of the texts about the boards.

use khet::{AnySetup, Rules, Setup};

use super::article::{Section, text};
use super::lesson::{Chapter, Guide, Lesson, LessonStart, LessonText, Players, StartPlacement};
use super::tower_lessons::{TOWER, TOWER_SOURCES};
use crate::languages::Words;

/// The rules of the game. The first four chapters suffice for a first game.
pub static RULES: Guide = Guide {
    title: Words::learn_title,
    lead: Words::learn_lead,
    chapters: &[
        chapter("idea", Words::learn_chapter_idea, IDEA),
        chapter("turn", Words::learn_chapter_move, MOVE),
        chapter("beam", Words::learn_chapter_beam, BEAM),
        Chapter { notes: ENDS, ..chapter("end", Words::learn_chapter_end, END) },
        folded("details", Words::learn_chapter_details, DETAILS),
        folded("ways", Words::learn_chapter_setups, VARIANTS),
        folded("khet2", Words::learn_chapter_khet2, KHET2),
        folded("expansions", Words::learn_chapter_expansions, EXPANSIONS),
        Chapter { notes: TOWER_SOURCES, ..folded("kadesh", Words::learn_chapter_tower, TOWER) },
    ],
};

const IDEA: &[Lesson] = &[
    Lesson {
        anchor: "aim",
        title: Words::learn_aim,
        text: &[Words::learn_aim_text],
        more: &[],
        task: Words::learn_aim_task,
        starts: &[position("4k5/10/10/4P24P3/10/10/10/2K7 s")],
        players: Players::Silver,
        solution: &["e5-"],
    },
    Lesson {
        anchor: "board",
        title: Words::learn_board,
        text: &[Words::learn_board_text, Words::learn_board_pieces],
        more: &[],
        task: Words::learn_board_task,
        starts: &[setup(Words::setup_classic, Setup::Classic)],
        players: Players::Both,
        solution: &["h2+"],
    },
    Lesson {
        anchor: "reserved",
        title: Words::learn_reserved,
        text: &[Words::learn_reserved_text],
        more: &[],
        task: Words::learn_reserved_task,
        starts: &[position("4k5/1P18/10/8p1D2/10/10/10/4K5 s")],
        players: Players::Silver,
        solution: &["b7b8"],
    },
];

const MOVE: &[Lesson] = &[
    Lesson {
        anchor: "move",
        title: Words::learn_move,
        text: &[Words::learn_move_text],
        more: &[],
        task: Words::learn_move_task,
        starts: &[position("5k4/10/10/4p35/3P16/10/4K5/10 s")],
        players: Players::Silver,
        solution: &["d4c5"],
    },
    Lesson {
        anchor: "rotate",
        title: Words::learn_rotate,
        text: &[Words::learn_rotate_text],
        more: &[Words::learn_rotate_pass],
        task: Words::learn_rotate_task,
        starts: &[position("2k7/5o14/10/10/5D23P3/10/10/2K7 s")],
        players: Players::Silver,
        solution: &["f4+"],
    },
    Lesson {
        anchor: "swap",
        title: Words::learn_swap,
        text: &[Words::learn_swap_text],
        more: &[],
        task: Words::learn_swap_task,
        starts: &[position("4k5/10/10/4p24P3/4D15/3K1O14/10/10 s")],
        players: Players::Silver,
        solution: &["e4e5"],
    },
    Lesson {
        anchor: "stack",
        title: Words::learn_stack,
        text: &[Words::learn_stack_text],
        more: &[],
        task: Words::learn_stack_task,
        starts: &[position("5k4/10/10/5o14/4O15/3O11O14/10/4K5 s")],
        players: Players::Silver,
        solution: &["d3e4"],
    },
    Lesson {
        anchor: "fire",
        title: Words::learn_fire,
        text: &[Words::learn_fire_text],
        more: &[],
        task: Words::learn_fire_task,
        starts: &[position("6k3/3o16/10/9P3/3P16/10/10/6K3 s")],
        players: Players::Silver,
        solution: &["d4d5"],
    },
];

const BEAM: &[Lesson] = &[
    Lesson {
        anchor: "pyramid",
        title: Words::learn_pyramid,
        text: &[Words::learn_pyramid_text, Words::learn_pyramid_shared],
        more: &[],
        task: Words::learn_pyramid_task,
        starts: &[position("6k3/10/10/3p36/3p15P3/10/10/6K3 s")],
        players: Players::Silver,
        solution: &["g1g2", "j4j5"],
    },
    Lesson {
        anchor: "djed",
        title: Words::learn_djed,
        text: &[Words::learn_djed_text],
        more: &[],
        task: Words::learn_djed_task,
        starts: &[position("6k3/10/4d22p12/10/4D24P3/10/10/2K7 s")],
        players: Players::Silver,
        solution: &["e4+"],
    },
    Lesson {
        anchor: "obelisk",
        title: Words::learn_obelisk,
        text: &[Words::learn_obelisk_text],
        more: &[],
        task: Words::learn_obelisk_task,
        starts: &[position("6k3/10/10/10/p13K5/3O26/7P12/10 s")],
        players: Players::Both,
        solution: &["d3d4", "g8g7", "h2h3", "g7g8"],
    },
    Lesson {
        anchor: "hit",
        title: Words::learn_hit,
        text: &[Words::learn_hit_text],
        more: &[],
        task: Words::learn_hit_task,
        starts: &[position("10/10/10/1k2o24P4/10/10/10/6K3 s")],
        players: Players::Silver,
        solution: &["j5-", "g1g2", "g2g1"],
    },
];

const END: &[Lesson] = &[Lesson {
    anchor: "pharaoh",
    title: Words::learn_pharaoh,
    text: &[Words::learn_pharaoh_text],
    more: &[],
    task: Words::learn_pharaoh_task,
    starts: &[position("4k5/10/10/10/4K4P4/10/10/10 s")],
    players: Players::Silver,
    solution: &["j4-"],
}];

/// The other ways in which a game ends.
const ENDS: &[Section] =
    &[Section { anchor: "other-ends", ..text(Words::learn_ends, &[Words::learn_ends_text]) }];

const DETAILS: &[Lesson] = &[
    Lesson {
        anchor: "unstack",
        title: Words::learn_unstack,
        text: &[Words::learn_unstack_text],
        more: &[],
        task: Words::learn_unstack_task,
        starts: &[position("5k4/10/10/10/4O2O14/10/10/4K5 s")],
        players: Players::Silver,
        solution: &["e4^d5"],
    },
    Lesson {
        anchor: "own",
        title: Words::learn_own,
        text: &[Words::learn_own_text],
        more: &[],
        task: Words::learn_own_task,
        starts: &[position("4k5/10/9O1/10/10/2P17/10/4K5 s")],
        players: Players::Silver,
        solution: &["c3+"],
    },
    Lesson {
        anchor: "draw",
        title: Words::learn_draw,
        text: &[Words::learn_draw_text],
        more: &[Words::learn_draw_right],
        task: Words::learn_draw_task,
        starts: &[position("4k5/10/10/5d14/4D15/10/10/4K5 s")],
        players: Players::Both,
        solution: &["e4+", "f5+", "e4+", "f5+", "e4+", "f5+", "e4+", "f5+"],
    },
    Lesson {
        anchor: "stuck",
        title: Words::learn_no_move,
        text: &[Words::learn_no_move_text],
        more: &[],
        task: Words::learn_no_move_task,
        starts: &[position("7O1k1/7O12/8P11/10/10/10/10/4K5 s")],
        players: Players::Silver,
        solution: &["i6i7"],
    },
];

const VARIANTS: &[Lesson] = &[
    Lesson {
        anchor: "setups",
        title: Words::learn_setups,
        text: &[Words::learn_setups_text, Words::learn_setups_order, Words::learn_setups_own],
        more: &[],
        task: Words::learn_setups_task,
        starts: &[
            setup(Words::setup_classic, Setup::Classic),
            setup(Words::setup_imhotep, Setup::Imhotep),
            setup(Words::setup_dynasty, Setup::Dynasty),
        ],
        players: Players::Both,
        solution: &[],
    },
    Lesson {
        anchor: "editions",
        title: Words::learn_editions,
        text: &[Words::learn_editions_text, Words::learn_editions_czech],
        more: &[Words::learn_editions_draw, Words::learn_editions_french],
        task: Words::learn_editions_task,
        starts: &[
            LessonStart { name: Words::learn_edition_standard, ..position(EDITIONS) },
            LessonStart {
                name: Words::learn_edition_czech,
                rules: Rules::Czech,
                ..position(EDITIONS)
            },
        ],
        players: Players::Silver,
        solution: &[],
    },
];

/// A silver djed between a silver and a red pyramid.
const EDITIONS: &str = "6k3/10/10/3P36/4D15/5p14/10/6K3 s";

const KHET2: &[Lesson] = &[
    Lesson {
        anchor: "sphinx",
        title: Words::learn_sphinx,
        text: &[Words::learn_khet2_text, Words::learn_sphinx_text],
        more: &[],
        task: Words::learn_sphinx_task,
        starts: &[position("x35k3/10/4p15/10/10/10/2K7/4P14X1 s")],
        players: Players::Silver,
        solution: &["j1-"],
    },
    Lesson {
        anchor: "anubis",
        title: Words::learn_anubis,
        text: &[Words::learn_anubis_text],
        more: &[],
        task: Words::learn_anubis_task,
        starts: &[position("x35k3/10/10/4a24P3/10/10/10/2K1P14X1 s")],
        players: Players::Silver,
        solution: &["c1c2", "j1-"],
    },
    Lesson {
        anchor: "scarab",
        title: Words::learn_scarab,
        text: &[Words::learn_scarab_text],
        more: &[],
        task: Words::learn_scarab_task,
        starts: &[position("x33k5/10/10/4a24P3/4S15/3A16/10/2K6X1 s")],
        players: Players::Silver,
        solution: &["e4e5"],
    },
    Lesson {
        anchor: "khet2-setups",
        title: Words::learn_khet2_setups,
        text: &[Words::learn_khet2_setups_text],
        more: &[],
        task: Words::learn_setups_task,
        starts: &[
            setup(Words::setup_classic_2, Setup::Khet2Classic),
            setup(Words::setup_imhotep_2, Setup::Khet2Imhotep),
            setup(Words::setup_dynasty_2, Setup::Khet2Dynasty),
        ],
        players: Players::Both,
        solution: &[],
    },
];

const EXPANSIONS: &[Lesson] = &[
    Lesson {
        anchor: "eye",
        title: Words::learn_eye,
        text: &[Words::learn_eye_text, Words::learn_eye_together],
        more: &[Words::learn_eye_loops],
        task: Words::learn_eye_task,
        starts: &[position("6k3/4p15/10/1o12E24P3/10/10/10/2K7 s")],
        players: Players::Silver,
        solution: &["e5+"],
    },
    Lesson {
        anchor: "both",
        title: Words::learn_both,
        text: &[Words::learn_both_text],
        more: &[],
        task: Words::learn_both_task,
        starts: &[position("4k5/10/10/1K2E24P3/10/10/10/10 s")],
        players: Players::Silver,
        solution: &["e5+"],
    },
    Lesson {
        anchor: "eye-setups",
        title: Words::learn_eye_setups,
        text: &[Words::learn_eye_setups_text],
        more: &[],
        task: Words::learn_setups_task,
        starts: &[
            setup(Words::setup_imhotep_eye, Setup::Khet2ImhotepEye),
            setup(Words::setup_dynasty_eye, Setup::Khet2DynastyEye),
            setup(Words::setup_osiris, Setup::Osiris),
            setup(Words::setup_isis, Setup::Isis),
        ],
        players: Players::Both,
        solution: &[],
    },
    Lesson {
        anchor: "sphinx-laser",
        title: Words::learn_sphinx_laser,
        text: &[Words::learn_sphinx_laser_text],
        more: &[],
        task: Words::learn_sphinx_laser_task,
        starts: &[position("x34k4/10/2o27/10/10/5D14/6K3/2P16X1 s")],
        players: Players::Silver,
        solution: &["j1-"],
    },
];

/// Returns a chapter that is open at first.
pub(super) const fn chapter(
    anchor: &'static str,
    title: LessonText,
    lessons: &'static [Lesson],
) -> Chapter {
    Chapter { anchor, title, lessons, notes: &[], folded: false }
}

/// Returns a chapter that is closed at first.
const fn folded(anchor: &'static str, title: LessonText, lessons: &'static [Lesson]) -> Chapter {
    Chapter { folded: true, ..chapter(anchor, title, lessons) }
}

/// Returns the only start position of a lesson. Its name is not shown.
pub(super) const fn position(notation: &'static str) -> LessonStart {
    LessonStart {
        name: Words::learn_edition_standard,
        placement: StartPlacement::Notation(notation),
        rules: Rules::Standard,
    }
}

/// Returns a setup as one of several start positions.
pub(super) const fn setup(name: LessonText, setup: Setup) -> LessonStart {
    LessonStart {
        name,
        placement: StartPlacement::Setup(AnySetup::Standard(setup)),
        rules: Rules::Standard,
    }
}
