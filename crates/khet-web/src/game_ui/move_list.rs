//! The list of moves with the hits of each shot, and buttons to navigate it.

use khet::{Color, GamePosition};
use leptos::html;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::player_strip::color_name;
use crate::board::hits_in_words;
use crate::controls::icon::Icon;
use crate::game::session::GameSession;
use crate::game_ui::move_navigation::{MoveNavigation, Step};
use crate::languages::{Words, use_words};
use crate::rules::{Move, Shot};

/// A move in the list.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ListedMove {
    /// Number of moves up to and including this one.
    ply: usize,
    by: Color,
    mv: Move,
    /// The hits of its shot: the notation, and the colour of the piece.
    hits: Vec<(String, Color)>,
    /// The hits in words, for screen readers.
    hits_text: String,
}

/// The moves with the same number: Silver's and Red's.
#[derive(Clone, PartialEq, Eq, Hash)]
struct NumberedMoves {
    number: usize,
    moves: Vec<ListedMove>,
}

/// Returns the moves in pairs. The first pair lacks Silver's move if Red moves first.
fn numbered_moves(session: &GameSession, words: Words) -> Vec<NumberedMoves> {
    let first = session.game().start().side_to_move() as usize;
    let mut rows: Vec<NumberedMoves> = Vec::new();
    let entry = |(index, (&mv, shot)): (usize, (&Move, &Shot))| ListedMove {
        ply: index + 1,
        by: shot.by,
        mv,
        hits: shot.hits.iter().map(|hit| (hit.to_string(), hit.piece.color())).collect(),
        hits_text: hits_in_words(shot, session.you(), words),
    };
    for mv in session.game().moves().iter().zip(session.shots()).enumerate().map(entry) {
        let number = (first + mv.ply - 1) / 2 + 1;
        match rows.last_mut() {
            Some(row) if row.number == number => row.moves.push(mv),
            _ => rows.push(NumberedMoves { number, moves: vec![mv] }),
        }
    }
    rows
}

/// The move list: rows beside a wide board, one line under a narrow one.
#[component]
pub(crate) fn MoveList(navigation: MoveNavigation) -> impl IntoView {
    let words = use_words();
    let rows =
        Memo::new(move |_| navigation.revealed.with(|session| numbered_moves(session, words)));
    let ply = Memo::new(move |_| navigation.revealed.with(GameSession::viewed_ply));
    let last = Memo::new(move |_| navigation.revealed.with(|session| session.game().moves().len()));
    let is_first_move = Memo::new(move |_| {
        navigation
            .revealed
            .with(|session| session.game().moves().is_empty() && session.awaits_person())
    });
    // The result takes room from the list.
    let is_over = Memo::new(move |_| navigation.revealed.with(|it| it.outcome().is_some()));
    let list = NodeRef::<html::Ol>::new();
    keep_current_move_in_view(list, move || {
        ply.track();
        rows.track();
        is_over.track();
    });
    let go = move |step| navigation.step(step);
    let at_start = move || ply.get() == 0;
    let at_end = move || ply.get() == last.get();
    view! {
        <nav class="moves" aria-label=words.play_moves()>
            {step_button(words, Step::First, at_start, go)}
            {step_button(words, Step::Back, at_start, go)}
            <ol class="move-list" node_ref=list tabindex="-1">
                <Show when=move || is_first_move.get()>
                    <li class="move-none">{words.play_first_move_help()}</li>
                </Show>
                <For each=move || rows.get() key=NumberedMoves::clone let:row>
                    <li class="round">
                        <span class="round-number">{row.number}"."</span>
                        {(row.moves.first().is_some_and(|mv| mv.by == Color::Red))
                            .then(|| view! { <span class="move-missing">"…"</span> })}
                        {row
                            .moves
                            .into_iter()
                            .map(|entry| view! { <MoveButton navigation entry current=ply/> })
                            .collect_view()}
                    </li>
                </For>
            </ol>
            {step_button(words, Step::Forward, at_end, go)}
            {step_button(words, Step::Last, at_end, go)}
        </nav>
    }
}

/// Scrolls a list to its current move whenever a signal changes that `track` tracks.
pub(crate) fn keep_current_move_in_view(list: NodeRef<html::Ol>, track: impl Fn() + 'static) {
    Effect::new(move |_| {
        track();
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
}

/// A button that shows another position of the game.
pub(crate) fn step_button(
    words: Words,
    step: Step,
    disabled: impl Fn() -> bool + Send + Sync + 'static,
    go: impl Fn(Step) + 'static,
) -> impl IntoView {
    let (name, label, path) = match step {
        Step::First => ("first", words.play_nav_first(), "M7 6v16M21 6 10 14l11 8z"),
        Step::Back => ("back", words.play_nav_back(), "M18 6 8 14l10 8z"),
        Step::Forward => ("forward", words.play_nav_forward(), "M10 6l10 8-10 8z"),
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
fn MoveButton(
    navigation: MoveNavigation,
    entry: ListedMove,
    current: Memo<usize>,
) -> impl IntoView {
    let ply = entry.ply;
    let label = format!("{} {}", entry.mv, entry.hits_text);
    let hits = entry
        .hits
        .into_iter()
        .map(|(hit, color)| view! { " " <span class="hit" data-color=color_name(color)>{hit}</span> })
        .collect_view();
    view! {
        <button
            type="button"
            class="move"
            data-ply=ply
            data-move=entry.mv.to_string()
            data-color=color_name(entry.by)
            aria-label=label.trim_end().to_string()
            aria-current=move || (current.get() == ply).then_some("true")
            on:click=move |_| navigation.show_ply(ply)
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

    fn session(start: &str, moves: &[&str]) -> GameSession {
        let mode = Mode::Hotseat { flips_board: false, pauses_when_hidden: false };
        let mut session = GameSession::new(
            start.parse::<crate::rules::Position>().expect("a position"),
            mode,
            khet::TimeControl::Unlimited,
        );
        for mv in moves {
            session.play(mv.parse().expect("a move"), Duration::ZERO).expect("legal");
        }
        session
    }

    #[test]
    fn moves_are_paired_and_list_their_hits() {
        let rows = numbered_moves(&session("classic", &["h2+", "a5b5", "h2-"]), Words::default());
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].moves[1].hits, [("xa4".to_string(), Color::Red)]);
        assert_eq!(rows[0].moves[1].hits_text, "Red’s pyramid on a4 is removed.");
        assert_eq!(rows[0].moves[0].hits_text, "");
        assert_eq!(rows[1].moves.len(), 1);
        assert_eq!((rows[1].number, rows[1].moves[0].ply), (2, 3));
    }

    #[test]
    fn first_pair_has_one_move_if_red_moves_first() {
        let start = Setup::Classic.notation().replace(" s", " r");
        let rows = numbered_moves(&session(&start, &["c7c6", "h2+"]), Words::default());
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].moves[0].by, Color::Red);
        assert_eq!(rows[1].number, 2);
    }
}
