//! The panel with the engine's best lines and the search depth.

use khet::{Color, GamePosition};
use khet_review::PositionEval;
use leptos::prelude::*;

use super::engine_lines::{EngineLine, MAX_LINES};
use super::state::AnalysisState;
use crate::languages::Words;
use crate::rules::{Move, Position};

/// Number of moves of a line that are shown.
const SHOWN_MOVES: usize = 8;

/// The lines, one per row. Rows without a line yet are shown empty, so that the layout is stable.
#[component]
pub(super) fn LinesPanel(analysis: AnalysisState) -> impl IntoView {
    let words = analysis.words;
    let game = analysis.current_game();
    let position = Memo::new(move |_| {
        let now = game.with(|game| *game.position());
        if analysis.threat.get() { now.after_null_move() } else { now }
    });
    let status = move || {
        let lines = analysis.engine_lines.get();
        if analysis.engine_lost.get() {
            return words.play_engine_stopped().to_owned();
        }
        // A review or an exercise uses the engine, and the position is not searched.
        if analysis.review_state.uses_engine() {
            return words.analysis_engine_off().to_owned();
        }
        if lines.depth == 0 {
            return words.analysis_engine_starting().to_owned();
        }
        words.analysis_depth(
            lines.depth,
            short_number(lines.nodes, words),
            short_number(lines.nodes_per_second, words),
        )
    };
    let is_over = Memo::new(move |_| game.with(|game| game.outcome().is_some()));
    let idle_text = move || match is_over.get() {
        true => words.analysis_game_over(),
        false => words.analysis_engine_off(),
    };
    let rows = move || {
        let lines = analysis.engine_lines.get();
        (0..analysis.line_count.get())
            .map(|at| match lines.lines.get(at) {
                Some(line) => line_view(analysis, &position.get(), line).into_any(),
                None => view! { <li class="line">" "</li> }.into_any(),
            })
            .collect_view()
    };
    view! {
        <section class="lines" aria-label=words.analysis_lines()
            data-depth=move || analysis.engine_lines.with(|lines| lines.depth)>
            <Show when=move || analysis.engine_on.get() && !is_over.get()
                fallback=move || view! { <p class="lines-state">{idle_text}</p> }>
                <div class="lines-head">
                    <p class="lines-state">
                        {move || analysis.threat.get().then(|| view! { <strong class="threat">{words.analysis_threat_about()}</strong> " " })}
                        {status}
                    </p>
                    <button type="button" class="small-button" data-action="fewer-lines"
                        aria-label=words.analysis_fewer()
                        disabled=move || analysis.line_count.get() == 1
                        on:click=move |_| analysis.line_count.update(|count| *count -= 1)>
                        "−"
                    </button>
                    <button type="button" class="small-button" data-action="more-lines"
                        aria-label=words.analysis_more_lines()
                        disabled=move || analysis.line_count.get() == MAX_LINES
                        on:click=move |_| analysis.line_count.update(|count| *count += 1)>
                        "+"
                    </button>
                </div>
                <ol class="line-list">{rows}</ol>
            </Show>
        </section>
    }
}

/// Returns an evaluation as the page shows it, such as `+1.35`.
pub(super) fn eval_text(eval: PositionEval, words: Words) -> String {
    words.localized_number(&format!("{eval:+}"))
}

fn line_view(
    analysis: AnalysisState,
    position: &Position,
    line: &EngineLine,
) -> impl IntoView + use<> {
    let eval = eval_text(line.eval, analysis.words);
    let first = line.moves.first().copied();
    let threat = analysis.threat.get_untracked();
    let moves = line_text(position, &line.moves);
    view! {
        <li class="line">
            <button type="button" disabled=threat data-line=first.map(|mv| mv.to_string())
                on:click=move |_| {
                    if let Some(mv) = first {
                        analysis.play(mv);
                    }
                }>
                <span class="line-eval">{eval}</span>
                <span class="line-moves">{moves}</span>
            </button>
        </li>
    }
}

/// Formats a line with its hits and a dot between full moves: `h2+ c7c6 xa4 · …`
fn line_text(position: &Position, moves: &[Move]) -> String {
    let mut position = *position;
    let mut text = String::new();
    for mv in moves.iter().take(SHOWN_MOVES) {
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

/// Shortens a large number: `1.2 M`
fn short_number(number: u64, words: Words) -> String {
    let point = words.shell_decimal_point();
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
    fn lines_include_hits() {
        let moves = ["h2+", "a5b5", "j4i3"].map(|mv| mv.parse().expect("a move"));
        assert_eq!(line_text(&Setup::Classic.position().into(), &moves), "h2+ a5b5 xa4 · j4i3 xj5");
    }

    #[test]
    fn large_numbers_are_shortened() {
        let words = Words::default();
        assert_eq!(
            [7, 12_345, 1_234_567].map(|number| short_number(number, words)),
            ["7", "12 k", "1.2 M"]
        );
    }
}
