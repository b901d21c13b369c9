//! The fairness test of a setup by the engine: an evaluation, and quick games against itself.

use std::time::Duration;

use khet::{Color, SilverEval};
use khet_review::{Fairness, PositionEval};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use super::super::gallery::BalanceBar;
use super::super::self_play::{self, GAMES, SelfPlayTest};
use super::super::setup_check;
use super::state::{Editor, EngineTask};
use crate::browser::random::random_u32;
use crate::engine::WorkerResult;
use crate::languages::Words;
use crate::rules::Position;

/// Time from the last change to the evaluation.
const EVALUATION_DELAY: Duration = Duration::from_millis(800);

/// The state of the test of the current setup.
#[derive(Clone, Copy)]
struct EngineTest {
    editor: Editor,
    /// The setup as a position; `None` if no game can start from it.
    position: Memo<Option<Position>>,
    eval: RwSignal<Option<SilverEval>>,
    games: RwSignal<Option<SelfPlayTest>>,
    /// The engine could not be loaded.
    engine_lost: RwSignal<bool>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl EngineTest {
    /// Creates the test, which evaluates every new setup after a delay.
    fn new(editor: Editor) -> EngineTest {
        let test = EngineTest {
            editor,
            position: Memo::new(move |_| setup_check::playable_position(editor.setup.get())),
            eval: RwSignal::new(None),
            games: RwSignal::new(None),
            engine_lost: RwSignal::new(false),
            timer: StoredValue::new(None),
        };
        Effect::new(move |_| {
            let position = test.position.get();
            test.reset();
            if position.is_some() {
                let timer = set_timeout_with_handle(move || test.evaluate(), EVALUATION_DELAY);
                test.timer.set_value(timer.ok());
            }
        });
        on_cleanup(move || test.stop_timer());
        // Games interrupt the evaluation, which is repeated after them.
        Effect::new(move |_| {
            let idle = editor.engine_task.get() == EngineTask::Idle;
            let missing = test.games.with_untracked(Option::is_some)
                && test.eval.with_untracked(Option::is_none)
                && !test.engine_lost.get_untracked();
            if idle && missing {
                test.evaluate();
            }
        });
        test
    }

    fn stop_timer(self) {
        self.timer.try_update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        });
    }

    /// Discards the results of the previous setup.
    fn reset(self) {
        self.stop_timer();
        self.eval.set(None);
        self.games.set(None);
        let task = self.editor.engine_task;
        if matches!(task.get_untracked(), EngineTask::Evaluating | EngineTask::SelfPlayTest) {
            self.editor.engine.stop();
            task.set(EngineTask::Idle);
        }
    }

    fn evaluate(self) {
        let Some(Some(position)) = self.position.try_get_untracked() else { return };
        let task = self.editor.engine_task;
        if task.get_untracked() != EngineTask::Idle {
            return;
        }
        task.set(EngineTask::Evaluating);
        let on_reply = move |reply: Option<WorkerResult>| {
            let _ = task.try_set(EngineTask::Idle);
            let _ = self.engine_lost.try_set(reply.is_none());
            let eval = reply.and_then(|reply| self_play::eval(&position, reply));
            let _ = self.eval.try_set(eval);
        };
        self.editor.engine.search(self_play::evaluate(&position), |_| {}, on_reply);
    }

    /// Starts the games, or stops them if they are being played.
    fn toggle_games(self) {
        let Some(position) = self.position.get_untracked() else { return };
        let task = self.editor.engine_task;
        if task.get_untracked() == EngineTask::SelfPlayTest {
            self.editor.engine.stop();
            return task.set(EngineTask::Idle);
        }
        self.stop_timer();
        task.set(EngineTask::SelfPlayTest);
        self.games.set(Some(SelfPlayTest::new(position, random_u32())));
        self.play_next_move();
    }

    /// Searches the next move of the games, until all are finished or the user stops them.
    fn play_next_move(self) {
        let commands = self.games.try_with_untracked(|it| it.as_ref().map(SelfPlayTest::commands));
        let Some(Some(commands)) = commands else { return };
        let task = self.editor.engine_task;
        let on_reply = move |reply: Option<WorkerResult>| {
            let Some(reply) = reply else {
                let _ = self.engine_lost.try_set(true);
                let _ = task.try_set(EngineTask::Idle);
                return;
            };
            let over = self.games.try_update(|games| {
                let Some(games) = games else { return true };
                games.play(reply);
                games.is_over()
            });
            match over {
                Some(false) => self.play_next_move(),
                _ => drop(task.try_set(EngineTask::Idle)),
            }
        };
        self.editor.engine.search(commands, |_| {}, on_reply);
    }
}

/// The engine's evaluation of the setup, and the result of its games.
#[component]
pub(super) fn EngineCheck(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let test = EngineTest::new(editor);
    let EngineTest { position, games, .. } = test;
    let eval = move || match test.eval.get() {
        Some(eval) => eval_text(words, eval),
        None if position.get().is_none() => words.editor_engine_waits().to_owned(),
        None if test.engine_lost.get() => words.play_engine_stopped().to_owned(),
        None => words.editor_engine_thinks().to_owned(),
    };
    let button = move || match editor.engine_task.get() {
        EngineTask::SelfPlayTest => words.editor_test_stop(),
        _ => words.editor_test(),
    };
    let results = Memo::new(move |_| games.with(|games| games.as_ref().map(SelfPlayTest::results)));
    view! {
        <div class="engine-check">
            <p data-engine-check="">{eval}</p>
            <button
                type="button"
                class="button"
                data-action="test"
                aria-disabled=move || position.get().is_none().to_string()
                on:click=move |_| test.toggle_games()
            >
                {button}
            </button>
            {move || results.get().map(|results| view! {
                <div class="self-play-result" data-games=results.games()>
                    <BalanceBar balance=results/>
                    <p>{words.editor_games_played(results.games(), GAMES)} " " {games_text(words, results)}</p>
                </div>
            })}
        </div>
    }
}

/// Returns the text for an evaluation.
fn eval_text(words: Words, eval: SilverEval) -> String {
    let value = words.localized_number(&format!("{:+}", PositionEval::Ongoing(eval)));
    match Fairness::from_eval(eval) {
        Fairness::Even => words.editor_even(value),
        Fairness::Better(Color::Silver) => words.editor_better_silver(value),
        Fairness::Better(Color::Red) => words.editor_better_red(value),
        Fairness::Lopsided(Color::Silver) => words.editor_lopsided_silver(value),
        Fairness::Lopsided(Color::Red) => words.editor_lopsided_red(value),
    }
}

/// Returns a warning if the games were lopsided.
fn games_text(words: Words, results: khet_protocol::SetupResults) -> &'static str {
    match self_play::fairness_of_games(results) {
        Fairness::Lopsided(Color::Silver) => words.editor_games_lopsided_silver(),
        Fairness::Lopsided(Color::Red) => words.editor_games_lopsided_red(),
        Fairness::Even | Fairness::Better(_) => "",
    }
}
