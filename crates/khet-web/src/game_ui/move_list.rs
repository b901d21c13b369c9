//! The list of moves with the hits of each shot, and buttons to navigate it.

use khet::{Color, Move, Shot};
use leptos::html;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::player_strip::name_of;
use crate::board::hits_in_words;
use crate::controls::icon::Icon;
use crate::game::session::Session;
use crate::game_ui::move_navigation::{MoveNavigation, Step};
use crate::languages::{Words, use_words};

/// A move in the list.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Entry {
    /// How many moves have been made with it.
    ply: usize,
    by: Color,
    mv: Move,
    /// What it hit: the notation, and whose piece that was.
    hits: Vec<(String, Color)>,
    /// The same in words.
    told: String,
}

/// The moves of one number: Silver's and Red's.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Round {
    number: usize,
    entries: Vec<Entry>,
}

/// The moves in pairs; where Red begins, the first has only Red's.
fn rounds(session: &Session, words: Words) -> Vec<Round> {
    let first = session.game().start().side_to_move() as usize;
    let mut rounds: Vec<Round> = Vec::new();
    let entry = |(index, (&mv, shot)): (usize, (&Move, &Shot))| Entry {
        ply: index + 1,
        by: shot.by,
        mv,
        hits: shot.hits.iter().map(|hit| (hit.to_string(), hit.piece.color())).collect(),
        told: hits_in_words(shot, words),
    };
    for entry in session.game().moves().iter().zip(session.shots()).enumerate().map(entry) {
        let number = (first + entry.ply - 1) / 2 + 1;
        match rounds.last_mut() {
            Some(round) if round.number == number => round.entries.push(entry),
            _ => rounds.push(Round { number, entries: vec![entry] }),
        }
    }
    rounds
}

/// The list: rows beside a wide board, one line under a narrow one.
#[component]
pub(crate) fn MoveList(navigation: MoveNavigation) -> impl IntoView {
    let words = use_words();
    let rounds = Memo::new(move |_| navigation.revealed.with(|session| rounds(session, words)));
    let place = Memo::new(move |_| navigation.revealed.with(Session::viewed_ply));
    let last = Memo::new(move |_| navigation.revealed.with(|session| session.game().moves().len()));
    let list = NodeRef::<html::Ol>::new();
    // The move that is looked at stays in sight.
    Effect::new(move |_| {
        place.track();
        rounds.track();
        let Some(list) = list.get() else { return };
        request_animation_frame(move || {
            if let Ok(Some(current)) = list.query_selector("[aria-current=true]") {
                let options = ScrollIntoViewOptions::new();
                options.set_block(ScrollLogicalPosition::Nearest);
                options.set_inline(ScrollLogicalPosition::Center);
                current.scroll_into_view_with_scroll_into_view_options(&options);
            }
        });
    });
    let go = move |step| navigation.step(step);
    let at_start = move || place.get() == 0;
    let at_end = move || place.get() == last.get();
    view! {
        <nav class="moves" aria-label=words.play_moves()>
            {step_button(words, Step::First, at_start, go)}
            {step_button(words, Step::Back, at_start, go)}
            <ol class="move-list" node_ref=list tabindex="-1">
                <Show when=move || rounds.with(Vec::is_empty)>
                    <li class="move-none">{words.play_first_move_help()}</li>
                </Show>
                <For each=move || rounds.get() key=Round::clone let:round>
                    <li class="round">
                        <span class="round-number">{round.number}"."</span>
                        {(round.entries.first().is_some_and(|entry| entry.by == Color::Red))
                            .then(|| view! { <span class="move-missing">"…"</span> })}
                        {round
                            .entries
                            .into_iter()
                            .map(|entry| view! { <MoveButton navigation entry place/> })
                            .collect_view()}
                    </li>
                </For>
            </ol>
            {step_button(words, Step::Forth, at_end, go)}
            {step_button(words, Step::Last, at_end, go)}
        </nav>
    }
}

/// A button that goes to another position of the game.
pub(crate) fn step_button(
    words: Words,
    step: Step,
    disabled: impl Fn() -> bool + Send + Sync + 'static,
    go: impl Fn(Step) + 'static,
) -> impl IntoView {
    let (name, label, path) = match step {
        Step::First => ("first", words.play_nav_first(), "M7 6v16M21 6 10 14l11 8z"),
        Step::Back => ("back", words.play_nav_back(), "M18 6 8 14l10 8z"),
        Step::Forth => ("forward", words.play_nav_forward(), "M10 6l10 8-10 8z"),
        Step::Last => ("last", words.play_nav_last(), "M21 6v16M7 6l11 8-11 8z"),
    };
    view! {
        <button
            type="button"
            class=format!("walk {name}")
            data-walk=name
            aria-label=label
            disabled=disabled
            on:click=move |_| go(step)
        >
            <Icon path/>
        </button>
    }
}

#[component]
fn MoveButton(navigation: MoveNavigation, entry: Entry, place: Memo<usize>) -> impl IntoView {
    let ply = entry.ply;
    let label = format!("{} {}", entry.mv, entry.told);
    let hits = entry
        .hits
        .into_iter()
        .map(|(hit, color)| view! { " " <span class="hit" data-color=name_of(color)>{hit}</span> })
        .collect_view();
    view! {
        <button
            type="button"
            class="move"
            data-ply=ply
            data-move=entry.mv.to_string()
            data-color=name_of(entry.by)
            aria-label=label.trim_end().to_string()
            aria-current=move || (place.get() == ply).then_some("true")
            on:click=move |_| navigation.look(ply)
        >
            {entry.mv.to_string()}
            {hits}
        </button>
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use khet::Setup;

    use super::*;
    use crate::game::session::Mode;

    fn session(start: &str, moves: &[&str]) -> Session {
        let mode = Mode::Hotseat { flips_board: false, pauses_when_hidden: false };
        let mut session =
            Session::new(start.parse().expect("a position"), mode, khet::TimeControl::Unlimited);
        for mv in moves {
            session.play(mv.parse().expect("a move"), Duration::ZERO).expect("legal");
        }
        session
    }

    #[test]
    fn moves_stand_in_pairs_with_what_they_hit() {
        let rounds = rounds(&session("classic", &["h2+", "a5b5", "h2-"]), Words::default());
        assert_eq!(rounds.len(), 2);
        assert_eq!(rounds[0].entries[1].hits, [("xa4".to_string(), Color::Red)]);
        assert_eq!(rounds[0].entries[1].told, "Red's pyramid on a4 is gone.");
        assert_eq!(rounds[0].entries[0].told, "");
        assert_eq!(rounds[1].entries.len(), 1);
        assert_eq!((rounds[1].number, rounds[1].entries[0].ply), (2, 3));
    }

    #[test]
    fn red_may_begin() {
        let start = Setup::Classic.notation().replace(" s", " r");
        let rounds = rounds(&session(&start, &["c7c6", "h2+"]), Words::default());
        assert_eq!(rounds.len(), 2);
        assert_eq!(rounds[0].entries[0].by, Color::Red);
        assert_eq!(rounds[1].number, 2);
    }
}
