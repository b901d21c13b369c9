//! What is to be said about the setup: faults, warnings, what the engine thinks, how it plays against itself.

use std::time::Duration;

use khet::{Color, SilverEval};
use khet_review::Fairness;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use super::super::findings::{self, Findings};
use super::super::gallery::BalanceBar;
use super::super::self_play::{self, GAMES, SelfPlay};
use super::state::{Busy, Editor};
use crate::browser::random::random_u32;
use crate::engine::Reply;
use crate::languages::Words;

/// The engine is asked so long after the last change.
const PAUSE: Duration = Duration::from_millis(800);

/// Everything that is said.
#[component]
pub(super) fn Advice(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let findings = editor.findings;
    let summary = move || {
        findings.with(|findings| {
            match findings.faults.len() + usize::from(findings.stuck.is_some()) {
                0 => words.editor_playable().to_owned(),
                count => words.editor_not_playable(count),
            }
        })
    };
    let said = move || findings.with(|findings| said(words, findings));
    let state = move || if findings.with(Findings::can_be_played) { "good" } else { "bad" };
    view! {
        <section class="advice" aria-label=words.editor_advice()>
            <p class="advice-summary" role="status" data-state=state>{summary}</p>
            <ul class="findings">
                {move || said().into_iter().map(|(class, text)| view! { <li class=class>{text}</li> }).collect_view()}
            </ul>
            <Opinion editor/>
        </section>
    }
}

/// Every fault and warning, with the class of its line.
fn said(words: Words, findings: &Findings) -> Vec<(&'static str, String)> {
    let faults = findings.faults.iter().map(|fault| ("fault", findings::fault(words, fault)));
    let stuck = findings.stuck.map(|color| ("fault", findings::stuck(words, color).to_owned()));
    let doubts = findings.warnings.iter().map(|it| ("doubt", findings::warning(words, it)));
    faults.chain(stuck).chain(doubts).collect()
}

/// What the engine thinks.
#[component]
fn Opinion(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let evaluation = RwSignal::new(None::<SilverEval>);
    let games = RwSignal::new(None::<SelfPlay>);
    let lost = RwSignal::new(false);
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let position = Memo::new(move |_| findings::position(editor.stand.get()));
    let stop_timer = move || {
        timer.try_update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        });
    };
    let evaluate = move || {
        let Some(Some(position)) = position.try_get_untracked() else { return };
        if editor.busy.get_untracked() != Busy::Idle {
            return;
        }
        editor.busy.set(Busy::Evaluating);
        let answer = move |reply: Option<Reply>| {
            let _ = editor.busy.try_set(Busy::Idle);
            let _ = lost.try_set(reply.is_none());
            let found = reply.and_then(|reply| self_play::eval(&position, reply));
            let _ = evaluation.try_set(found);
        };
        editor.engine.ask(self_play::evaluate(&position), |_| {}, answer);
    };
    // Another setup: what was thought of the last one is no longer true.
    Effect::new(move |_| {
        let position = position.get();
        stop_timer();
        evaluation.set(None);
        games.set(None);
        if matches!(editor.busy.get_untracked(), Busy::Evaluating | Busy::Playing) {
            editor.engine.stop();
            editor.busy.set(Busy::Idle);
        }
        if position.is_some() {
            timer.set_value(set_timeout_with_handle(evaluate, PAUSE).ok());
        }
    });
    on_cleanup(stop_timer);
    // The games have taken the engine from the search: it goes on behind them.
    Effect::new(move |_| {
        let idle = editor.busy.get() == Busy::Idle;
        let wanted = games.with_untracked(Option::is_some)
            && evaluation.with_untracked(Option::is_none)
            && !lost.get_untracked();
        if idle && wanted {
            evaluate();
        }
    });

    let test = move |_| {
        let Some(position) = position.get_untracked() else { return };
        if editor.busy.get_untracked() == Busy::Playing {
            editor.engine.stop();
            return editor.busy.set(Busy::Idle);
        }
        stop_timer();
        editor.busy.set(Busy::Playing);
        games.set(Some(SelfPlay::new(position, random_u32())));
        play_on(editor, games, lost);
    };
    let thought = move || match evaluation.get() {
        Some(evaluation) => opinion(words, evaluation),
        None if position.get().is_none() => words.editor_engine_waits().to_owned(),
        None if lost.get() => words.play_engine_stopped().to_owned(),
        None => words.editor_engine_thinks().to_owned(),
    };
    let button = move || match editor.busy.get() {
        Busy::Playing => words.editor_test_stop(),
        _ => words.editor_test(),
    };
    let balance = Memo::new(move |_| games.with(|games| games.as_ref().map(SelfPlay::balance)));
    view! {
        <div class="opinion">
            <p data-opinion="">{thought}</p>
            <button
                type="button"
                class="button"
                data-action="test"
                aria-disabled=move || position.get().is_none().to_string()
                on:click=test
            >
                {button}
            </button>
            {move || balance.get().map(|balance| view! {
                <div class="opinion-games" data-games=balance.games()>
                    <BalanceBar balance/>
                    <p>{words.editor_games_played(balance.games(), GAMES)} " " {games_opinion(words, balance)}</p>
                </div>
            })}
        </div>
    }
}

/// Asks for the next move of the games, until all are played or somebody stops them.
fn play_on(editor: Editor, games: RwSignal<Option<SelfPlay>>, lost: RwSignal<bool>) {
    let Some(Some(question)) = games.try_with_untracked(|it| it.as_ref().map(SelfPlay::commands))
    else {
        return;
    };
    let answer = move |reply: Option<Reply>| {
        let Some(reply) = reply else {
            let _ = lost.try_set(true);
            let _ = editor.busy.try_set(Busy::Idle);
            return;
        };
        let over = games.try_update(|games| {
            let Some(games) = games else { return true };
            games.play(reply);
            games.is_over()
        });
        match over {
            Some(false) => play_on(editor, games, lost),
            _ => drop(editor.busy.try_set(Busy::Idle)),
        }
    };
    editor.engine.ask(question, |_| {}, answer);
}

fn opinion(words: Words, evaluation: SilverEval) -> String {
    let worth = match evaluation {
        SilverEval::Cp(cents) => format!("{:+.2}", f64::from(cents) / 100.0),
        SilverEval::MateIn(_) => evaluation.to_string(),
    };
    match Fairness::from_eval(evaluation) {
        Fairness::Even => words.editor_even(worth),
        Fairness::Better(Color::Silver) => words.editor_better_silver(worth),
        Fairness::Better(Color::Red) => words.editor_better_red(worth),
        Fairness::Lopsided(Color::Silver) => words.editor_lopsided_silver(worth),
        Fairness::Lopsided(Color::Red) => words.editor_lopsided_red(worth),
    }
}

fn games_opinion(words: Words, balance: khet_protocol::Balance) -> &'static str {
    match self_play::fairness_of_games(balance) {
        Fairness::Lopsided(Color::Silver) => words.editor_games_lopsided_silver(),
        Fairness::Lopsided(Color::Red) => words.editor_games_lopsided_red(),
        Fairness::Even | Fairness::Better(_) => "",
    }
}
