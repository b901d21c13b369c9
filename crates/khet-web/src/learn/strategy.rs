//! The strategy guide: ideas that win games, on boards from real games.
//!
//! `strategy_tests.rs` proves the claims of the texts about the boards by trying every move.

use khet::Setup;
use leptos::prelude::*;

use super::guide_page::GuidePage;
use super::lesson::{Guide, Lesson, Players};
use super::lessons::{chapter, position, setup};
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};

/// The strategy guide.
pub static STRATEGY: Guide = Guide {
    title: Words::strategy_title,
    lead: Words::strategy_lead,
    chapters: &[
        chapter("see", Words::strategy_chapter_see, SEE),
        chapter("guard", Words::strategy_chapter_guard, GUARD),
        chapter("djeds", Words::strategy_chapter_djeds, DJEDS),
        chapter("threats", Words::strategy_chapter_threats, THREATS),
        chapter("openings", Words::strategy_chapter_openings, OPENINGS),
        chapter("endings", Words::strategy_chapter_endings, ENDINGS),
    ],
};

/// The page of the strategy guide.
#[component]
pub fn StrategyPage() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let next = view! {
        <a class="button primary" href=navigation.path(Page::Computer)>{words.home_computer()}</a>
        <a class="button" href=navigation.path(Page::Analysis)>{words.shell_analysis()}</a>
    };
    view! { <GuidePage guide=&STRATEGY intro=().into_any() next=next.into_any()/> }
}

const SEE: &[Lesson] = &[
    Lesson {
        anchor: "two-beams",
        title: Words::strategy_beams,
        text: &[Words::strategy_beams_text],
        more: &[],
        task: Words::strategy_beams_task,
        starts: &[setup(Words::setup_classic, Setup::Classic)],
        players: Players::Both,
        solution: &["j4j3"],
    },
    Lesson {
        anchor: "behind",
        title: Words::strategy_behind,
        text: &[Words::strategy_behind_text],
        more: &[],
        task: Words::strategy_behind_task,
        starts: &[setup(Words::setup_classic, Setup::Classic)],
        players: Players::Silver,
        solution: &["j4i4"],
    },
    Lesson {
        anchor: "rank",
        title: Words::strategy_rank,
        text: &[Words::strategy_rank_text],
        more: &[],
        task: Words::strategy_rank_task,
        starts: &[position("4k1d23/8p2P3/4P15/1P33P14/p1P42d2p41p1P31/2P41D11p23/4O25/2D2O2K5 s")],
        players: Players::Silver,
        solution: &["j7j6"],
    },
];

const GUARD: &[Lesson] = &[
    Lesson {
        anchor: "step-aside",
        title: Words::strategy_step,
        text: &[Words::strategy_step_text],
        more: &[],
        task: Words::strategy_step_task,
        starts: &[position(
            "4p3o2p13/5k4/3P3p3d2o23/3D2p4p2P43/4d12D11P4/p13P14P3/2P41K5/4O2P14 s",
        )],
        players: Players::Both,
        solution: &["e2f2", "e4e3"],
    },
    Lesson {
        anchor: "shield",
        title: Words::strategy_shield,
        text: &[Words::strategy_shield_text, Words::strategy_shield_twice],
        more: &[],
        task: Words::strategy_shield_task,
        starts: &[position(
            "4o2ko2p22/10/1p1p3P42p23/1P42d1d23P4/1P42D2D12p1P3/6p31P11/p19/2P4O21O2K3 s",
        )],
        players: Players::Both,
        solution: &["f1g2", "a2a3"],
    },
];

const DJEDS: &[Lesson] = &[
    Lesson {
        anchor: "swap-two",
        title: Words::strategy_swap,
        text: &[Words::strategy_swap_text],
        more: &[],
        task: Words::strategy_swap_task,
        starts: &[position("4k1d23/4p24P3/4D15/8d21/p1P31p14P31/1P4O1O16/p4P32O1o12K1/1D23p44 s")],
        players: Players::Silver,
        solution: &["e6e7"],
    },
    Lesson {
        anchor: "outpost",
        title: Words::strategy_outpost,
        text: &[Words::strategy_outpost_text],
        more: &[],
        task: Words::strategy_outpost_task,
        starts: &[position("4kp2D13/p15d23/7o22/3d13p2P41/3P42P13/p13D2P13P3/4O25/3P41K4 s")],
        players: Players::Silver,
        solution: &["g8f8"],
    },
];

const THREATS: &[Lesson] = &[
    Lesson {
        anchor: "prepare",
        title: Words::strategy_prepare,
        text: &[Words::strategy_prepare_text],
        more: &[],
        task: Words::strategy_prepare_task,
        starts: &[position("4k1d23/4p23P31/4D15/8d21/p1P31p14P31/1P4O1O16/p4P32O1o12K1/1D24p43 s")],
        players: Players::Both,
        solution: &["i7j7", "e8d8", "i4j4"],
    },
    Lesson {
        anchor: "double",
        title: Words::strategy_double,
        text: &[Words::strategy_double_text],
        more: &[],
        task: Words::strategy_double_task,
        starts: &[position("4p3o2p23/5k4/3p31D2d23/3o21D1P21P11/p18P3/4d13P31/4P4p14/3P4O22K2 s")],
        players: Players::Both,
        solution: &["f6e7", "f7f6", "f5f4"],
    },
    Lesson {
        anchor: "tempo",
        title: Words::strategy_tempo,
        text: &[Words::strategy_tempo_text],
        more: &[],
        task: Words::strategy_tempo_task,
        starts: &[position(
            "3k2o2p22/3o15P3/p1p31P16/2P31d1d22p21/p23D2D12p21/3P42p2P1P31/10/2P4O2KO24 s",
        )],
        players: Players::Both,
        solution: &["c5c6", "d8c8", "d6c7"],
    },
    Lesson {
        anchor: "open-line",
        title: Words::strategy_open,
        text: &[Words::strategy_open_text],
        more: &[],
        task: Words::strategy_open_task,
        starts: &[position("4p3o24/5kp22P3/5D14/6p33/1p11p2d1D1d13/3P4P14P3/2P41K5/p13O1P14 s")],
        players: Players::Both,
        solution: &["j3i2", "f7e7", "i2j1"],
    },
];

const OPENINGS: &[Lesson] = &[
    Lesson {
        anchor: "classic",
        title: Words::setup_classic,
        text: &[Words::strategy_classic_text, Words::strategy_classic_reply],
        more: &[],
        task: Words::strategy_classic_task,
        starts: &[setup(Words::setup_classic, Setup::Classic)],
        players: Players::Both,
        solution: &["j4j3", "g3h3"],
    },
    Lesson {
        anchor: "imhotep",
        title: Words::setup_imhotep,
        text: &[Words::strategy_imhotep_text],
        more: &[],
        task: Words::strategy_imhotep_task,
        starts: &[setup(Words::setup_imhotep, Setup::Imhotep)],
        players: Players::Both,
        solution: &["j5j6", "a4a3", "j6-", "a3-", "j4i3", "a5b6"],
    },
    Lesson {
        anchor: "dynasty",
        title: Words::setup_dynasty,
        text: &[Words::strategy_dynasty_text],
        more: &[],
        task: Words::strategy_dynasty_task,
        starts: &[setup(Words::setup_dynasty, Setup::Dynasty)],
        players: Players::Silver,
        solution: &["h4g4", "g4f4"],
    },
];

const ENDINGS: &[Lesson] = &[
    Lesson {
        anchor: "hunt",
        title: Words::strategy_hunt,
        text: &[Words::strategy_hunt_text],
        more: &[],
        task: Words::strategy_hunt_task,
        starts: &[position("2k4p22/9P3/8P11/p12d2D1p34/10/5d22K1/1P31D26/p19 s")],
        players: Players::Both,
        solution: &["e5d6", "c8d8", "d6d7"],
    },
    Lesson {
        anchor: "net",
        title: Words::strategy_net,
        text: &[Words::strategy_net_text],
        more: &[],
        task: Words::strategy_net_task,
        starts: &[position("3P23o1d21/5p21p21P3/1k2D25/10/1p13P44/3d16/1p11D1P41K3/3P4O15 s")],
        players: Players::Both,
        solution: &["j7j6", "b6c7", "d2c2"],
    },
];
