//! The engine's best lines, with how deep it has looked.

use khet::{Color, Move, Position};
use leptos::prelude::*;

use super::state::AnalysisState;
use super::thinking::{Found, MOST_LINES};
use crate::languages::Words;

/// So many moves of a line are shown.
const SHOWN: usize = 8;

/// The lines, one below the other. There is room for all that are wanted from the first moment: nothing jumps.
#[component]
pub(super) fn Lines(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let game = analysis.game_now();
    let position = Memo::new(move |_| {
        let now = game.with(|game| *game.position());
        if analysis.threat.get() { now.after_null_move() } else { now }
    });
    let state = move || {
        let thought = analysis.thought.get();
        if analysis.lost.get() {
            return words.play_engine_stopped().to_owned();
        }
        if thought.depth == 0 {
            return words.analysis_engine_starting().to_owned();
        }
        words.analysis_depth(
            thought.depth,
            grouped(thought.nodes, words),
            grouped(thought.speed, words),
        )
    };
    let rows = move || {
        let thought = analysis.thought.get();
        (0..analysis.lines.get())
            .map(|at| match thought.found.get(at) {
                Some(found) => line(analysis, &position.get(), found).into_any(),
                None => view! { <li class="line">" "</li> }.into_any(),
            })
            .collect_view()
    };
    view! {
        <section class="lines" aria-label=words.analysis_lines() data-depth=move || analysis.thought.with(|thought| thought.depth)>
            <Show when=move || analysis.thinks.get() fallback=move || view! { <p class="lines-state">{words.analysis_engine_off()}</p> }>
                <div class="lines-head">
                    <p class="lines-state">
                        {move || analysis.threat.get().then(|| view! { <strong class="threat">{words.analysis_threat_about()}</strong> " " })}
                        {state}
                    </p>
                    <button type="button" class="small-button" data-action="fewer-lines" aria-label=words.analysis_fewer()
                        disabled=move || analysis.lines.get() == 1
                        on:click=move |_| analysis.lines.update(|lines| *lines -= 1)>"−"</button>
                    <button type="button" class="small-button" data-action="more-lines" aria-label=words.analysis_more_lines()
                        disabled=move || analysis.lines.get() == MOST_LINES
                        on:click=move |_| analysis.lines.update(|lines| *lines += 1)>"+"</button>
                </div>
                <ol class="line-list">{rows}</ol>
            </Show>
        </section>
    }
}

fn line(analysis: AnalysisState, position: &Position, found: &Found) -> impl IntoView + use<> {
    let worth = format!("{:+}", found.eval);
    let first = found.moves.first().copied();
    let threat = analysis.threat.get_untracked();
    let moves = numbered(position, &found.moves);
    view! {
        <li class="line">
            <button type="button" disabled=threat data-line=first.map(|mv| mv.to_string())
                on:click=move |_| {
                    if let Some(mv) = first {
                        analysis.play(mv);
                    }
                }>
                <span class="line-worth">{worth}</span>
                <span class="line-moves">{moves}</span>
            </button>
        </li>
    }
}

/// A line with numbers counted from where it begins: `h2+ c7c6 xa4 · …`
fn numbered(position: &Position, moves: &[Move]) -> String {
    let mut position = *position;
    let mut text = String::new();
    for mv in moves.iter().take(SHOWN) {
        let by = position.side_to_move();
        let Ok(shot) = position.play(*mv) else { break };
        if by == Color::Silver && !text.is_empty() {
            text.push_str(" ·");
        }
        for word in [mv.to_string(), shot.to_string()].iter().filter(|word| !word.is_empty()) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
    text
}

/// A large number that is read easily: `1.2 M`
fn grouped(number: u64, words: Words) -> String {
    let point = words.analysis_decimal_point();
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{} k", number / 1_000),
        _ => format!("{}{point}{} M", number / 1_000_000, number / 100_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn lines_tell_what_shots_do() {
        let moves = ["h2+", "a5b5", "j4i3"].map(|mv| mv.parse().expect("a move"));
        assert_eq!(numbered(&Setup::Classic.position(), &moves), "h2+ a5b5 xa4 · j4i3 xj5");
    }

    #[test]
    fn large_numbers_are_short() {
        let words = Words::default();
        assert_eq!(
            [7, 12_345, 1_234_567].map(|number| grouped(number, words)),
            ["7", "12 k", "1.2 M"]
        );
    }
}
