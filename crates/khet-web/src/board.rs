//! The board: one component for every page. It knows no rules: it is told what may be done, and says
//! what was done.
//!
//! The picture is four layers of SVG that lie on each other: stone, pieces, light, and the grid that is
//! pointed at, walked over with keys and read by screen readers. Only the layer that changes is painted
//! anew.

mod acting;
mod figures;
mod geometry;
mod handles;
mod light;
mod marks;
mod picture;
pub(crate) mod pieces;
mod scene;
mod speech;
mod stone;
mod timeline;
mod typed;

use std::time::Duration;

use khet::{Direction, Kind, Piece, Position, Spin, Square, Turn};
use leptos::ev;
use leptos::html::Div;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::web_sys::SvgElement;
use wasm_bindgen::JsCast;

use self::acting::{Act, Arrival, Choices, Held};
use self::figures::Figure;
use self::geometry::{Point, SIZE, Seat, VIEW_BOX, WALL};
use self::handles::Icon;
use self::light::Showing;
use self::speech::Speaker;
pub(crate) use self::speech::hits_in_words;
pub(crate) use self::timeline::Timeline;
use crate::languages::{Words, use_words};
use crate::settings::Settings;
use crate::sound;

pub use self::picture::picture;
pub use self::scene::{Fired, Scene};
pub use self::typed::TurnField;

/// A finger or the mouse is pressed on the board.
#[derive(Clone, Copy)]
struct Press {
    pointer: i32,
    square: Option<Square>,
    at: Point,
    dragging: bool,
}

/// A press that moves farther than this, in pixels, is a drag.
const DRAG: f64 = 6.0;
/// The wheel turns a piece at most this often, in milliseconds: one push of it sends many events.
const WHEEL_PAUSE: f64 = 220.0;

/// All that a board remembers while it is on a page.
#[derive(Clone, Copy)]
struct State {
    scene: Signal<Scene>,
    words: Words,
    settings: Option<Settings>,
    root: NodeRef<Div>,
    held: RwSignal<Option<Held>>,
    /// Where the keys are.
    cursor: RwSignal<Square>,
    /// Where the dragged piece is.
    drag: RwSignal<Option<Point>>,
    /// How wide a handle must be, in units.
    handle: RwSignal<f64>,
    press: StoredValue<Option<Press>>,
    showing: RwSignal<Option<Showing>>,
    timer: StoredValue<Option<TimeoutHandle>>,
    /// The shot that was shown last.
    shown: StoredValue<Option<u32>>,
    /// A piece was just dropped by hand: it need not glide to where it already is.
    dropped: StoredValue<bool>,
    wheel: StoredValue<f64>,
    voice: RwSignal<String>,
    on_act: Option<Callback<Turn>>,
    on_shot_end: Option<Callback<()>>,
    quiet: bool,
}

/// A board. It is as wide as its parent and keeps its shape (`aspect-ratio` 27 / 22).
///
/// The shot of the first scene is not animated: it belongs to the past.
#[component]
pub fn Board(
    /// Everything that is shown.
    #[prop(into)]
    scene: Signal<Scene>,
    /// A turn was dropped: it is final.
    #[prop(optional, into)]
    on_act: Option<Callback<Turn>>,
    /// A new shot has been shown to its end, or was skipped.
    #[prop(optional, into)]
    on_shot_end: Option<Callback<()>>,
    /// A picture that moves by itself: it makes no sound and says nothing.
    #[prop(optional)]
    quiet: bool,
) -> impl IntoView {
    share_definitions();
    let first = scene.get_untracked();
    let seat = Seat::new(first.bottom);
    let state = State {
        scene,
        words: use_words(),
        settings: use_context(),
        root: NodeRef::new(),
        held: RwSignal::new(None),
        cursor: RwSignal::new(seat.at(4, 7).unwrap_or(Square::E1)),
        drag: RwSignal::new(None),
        handle: RwSignal::new(handles::radius(860.0)),
        press: StoredValue::new(None),
        showing: RwSignal::new(None),
        timer: StoredValue::new(None),
        shown: StoredValue::new(first.shot.as_ref().map(|fired| fired.number)),
        dropped: StoredValue::new(false),
        wheel: StoredValue::new(0.0),
        voice: RwSignal::new(String::new()),
        on_act,
        on_shot_end,
        quiet,
    };
    Effect::new(move |before: Option<Scene>| {
        let now = scene.get();
        state.follow(before.as_ref(), &now);
        now
    });
    // Any key skips the shot, wherever the focus is.
    let keys = window_event_listener(ev::keydown, move |_| {
        state.skip();
    });
    on_cleanup(move || {
        keys.remove();
        state.timer.update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        });
    });
    let act_on = move || scene.with(|scene| !scene.turns.is_empty());
    view! {
        <div
            class="board art"
            class:playable=act_on
            class:dragging=move || state.drag.with(Option::is_some)
            node_ref=state.root
            on:pointerdown=move |event| state.pressed(&event)
            on:pointermove=move |event| state.moved(&event)
            on:pointerup=move |event| state.released(&event)
            on:pointercancel=move |_| state.interrupted()
            on:wheel=move |event| state.wheeled(&event)
            on:keydown=move |event| state.key(&event)
        >
            {stone_layer(state)}
            {piece_layer(state)}
            {light_layer(state)}
            {grid_layer(state)}
            <p class="board-voice" role="status" aria-live="polite">{state.voice}</p>
        </div>
    }
}

/// Puts the gradients that all boards use into the page, once.
fn share_definitions() {
    const ID: &str = "khet-definitions";
    let document = document();
    if document.get_element_by_id(ID).is_some() {
        return;
    }
    let Some(body) = document.body() else { return };
    let Ok(svg) = document.create_element_ns(Some("http://www.w3.org/2000/svg"), "svg") else {
        return;
    };
    for (name, value) in [
        ("id", ID),
        ("width", "0"),
        ("height", "0"),
        ("aria-hidden", "true"),
        ("class", "board art board-definitions"),
    ] {
        // It fails only for names that are no attribute's.
        let _ = svg.set_attribute(name, value);
    }
    svg.set_inner_html(stone::DEFINITIONS);
    // Without them the board has flat colours.
    let _ = body.append_child(&svg);
}

impl State {
    fn seat(self) -> Seat {
        self.scene.with(|scene| Seat::new(scene.bottom))
    }

    fn seat_now(self) -> Seat {
        self.scene.with_untracked(|scene| Seat::new(scene.bottom))
    }

    fn speaker(self, scene: &Scene) -> Speaker {
        Speaker { words: self.words, seat: Seat::new(scene.bottom), you: scene.you }
    }

    /// Whether sounds are wanted. A board that is only looked at is silent.
    fn sounds(self) -> bool {
        self.on_act.is_some() && self.settings.is_some_and(|settings| untrack(|| settings.sound()))
    }

    // --- scenes and shots

    /// Shows a scene that follows another.
    fn follow(self, before: Option<&Scene>, now: &Scene) {
        let choices = Choices { position: &now.position, turns: &now.turns };
        let kept = acting::keep(self.held.get_untracked(), choices);
        if kept != self.held.get_untracked() {
            self.held.set(kept);
            self.drag.set(None);
        }
        let number = now.shot.as_ref().map(|fired| fired.number);
        let new = number.is_some() && number != self.shown.get_value();
        let same_shot = number == self.shown.get_value();
        self.shown.set_value(number);
        if !same_shot {
            self.finish();
        }
        let Some(fired) = now.shot.as_ref().filter(|_| new && before.is_some()) else { return };
        if !self.quiet {
            self.tell(before, now, fired);
        }
        if now.still {
            return;
        }
        let seat = Seat::new(now.bottom);
        let showing = Showing {
            by: fired.shot.by,
            hits: fired.shot.hits.clone(),
            timeline: Timeline::of(&fired.shot, &fired.before_shot, seat),
            still: self.settings.is_some_and(|settings| untrack(|| settings.less_motion())),
        };
        if !self.quiet {
            if self.sounds() {
                sound::shot(&showing.timeline, fired.shot.by);
            }
        }
        let lasts = Duration::from_millis(showing.lasts() as u64);
        self.showing.set(Some(showing));
        let timer = set_timeout_with_handle(move || self.finish(), lasts);
        self.timer.set_value(timer.ok());
    }

    /// Says in words what happened.
    fn tell(self, before: Option<&Scene>, now: &Scene, fired: &Fired) {
        let speaker = self.speaker(now);
        let stood = before.map(|before| &before.position);
        let turn = now.last.and_then(|turn| speaker.turn(turn, stood, &fired.before_shot));
        let shot = speaker.shot(&fired.shot);
        self.voice.set(turn.map_or(shot.clone(), |turn| format!("{turn} {shot}")));
    }

    /// Ends the shot that is shown, if one is.
    fn finish(self) {
        self.timer.update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
        });
        if self.showing.with_untracked(Option::is_none) {
            return;
        }
        self.showing.set(None);
        if let Some(ended) = self.on_shot_end {
            ended.run(());
        }
    }

    /// Ends the shot because a person does not want to wait. Says whether there was one.
    fn skip(self) -> bool {
        let shown = self.showing.with_untracked(Option::is_some);
        if shown {
            sound::stop();
            self.finish();
        }
        shown
    }

    // --- acting

    /// Does what a person did. While a shot is shown, nothing can be done.
    fn act(self, act: Act) -> bool {
        if self.showing.with_untracked(Option::is_some) {
            return false;
        }
        let before = self.held.get_untracked();
        let scene = self.scene.get_untracked();
        let choices = Choices { position: &scene.position, turns: &scene.turns };
        let (held, turn) = acting::act(before, act, choices);
        if held.is_some() && before.map(|held| held.from) != held.map(|held| held.from) {
            self.measure();
        }
        if held != before {
            self.held.set(held);
            if turn.is_none()
                && let Some(text) = self.speaker(&scene).hand(before, held, choices)
            {
                self.voice.set(text);
            }
            if held.is_some() && turn.is_none() && self.sounds() {
                sound::touch();
            }
        } else if let (None, Act::Tap(square)) = (held, act)
            && !scene.turns.is_empty()
        {
            self.voice.set(self.words.board_not_there(square));
        }
        if let (Some(turn), Some(on_act)) = (turn, self.on_act) {
            on_act.run(turn);
        }
        turn.is_some()
    }

    /// Finds out how large the board is on the screen.
    fn measure(self) {
        if let Some(root) = self.root.get_untracked() {
            self.handle.set(handles::radius(root.get_bounding_client_rect().width()));
        }
    }

    /// The point of the picture under the pointer.
    fn point(self, event: &ev::PointerEvent) -> Option<Point> {
        let bounds = self.root.get_untracked()?.get_bounding_client_rect();
        let unit = SIZE.0 / bounds.width().max(1.0);
        let x = (f64::from(event.client_x()) - bounds.left()) * unit - WALL;
        let y = (f64::from(event.client_y()) - bounds.top()) * unit - WALL;
        Some(Point::new(x, y))
    }

    fn pressed(self, event: &ev::PointerEvent) {
        if self.skip() || event.button() != 0 || !event.is_primary() {
            return;
        }
        let Some(at) = self.point(event) else { return };
        let square = self.seat_now().square_at(at);
        self.press.set_value(Some(Press {
            pointer: event.pointer_id(),
            square,
            at,
            dragging: false,
        }));
        if let Some(square) = square {
            self.cursor.set(square);
        }
    }

    fn moved(self, event: &ev::PointerEvent) {
        let Some(press) =
            self.press.get_value().filter(|press| press.pointer == event.pointer_id())
        else {
            return;
        };
        let Some(point) = self.point(event) else { return };
        if press.dragging {
            self.drag.set(Some(point));
            return;
        }
        let Some((root, square)) = self.root.get_untracked().zip(press.square) else { return };
        let unit = SIZE.0 / root.get_bounding_client_rect().width().max(1.0);
        if press.at.distance(point) < DRAG * unit {
            return;
        }
        let acts = self.scene.with_untracked(|scene| {
            Choices { position: &scene.position, turns: &scene.turns }.can_act(square)
        });
        if !acts {
            return;
        }
        // From here on the pointer belongs to the board, wherever it goes.
        let _ = root.set_pointer_capture(press.pointer);
        self.press.set_value(Some(Press { dragging: true, ..press }));
        self.act(Act::Lift(square));
        self.drag.set(Some(point));
    }

    fn released(self, event: &ev::PointerEvent) {
        let Some(press) =
            self.press.get_value().filter(|press| press.pointer == event.pointer_id())
        else {
            return;
        };
        self.press.set_value(None);
        let square = self.point(event).and_then(|point| self.seat_now().square_at(point));
        if press.dragging {
            self.dropped.set_value(true);
            self.act(Act::Drop(square));
            self.drag.set(None);
            self.dropped.set_value(false);
        } else if let Some(square) = square.filter(|_| square == press.square) {
            self.act(Act::Tap(square));
        }
    }

    fn interrupted(self) {
        self.press.set_value(None);
        if self.drag.with_untracked(Option::is_some) {
            self.drag.set(None);
            self.act(Act::Cancel);
        }
    }

    fn wheeled(self, event: &ev::WheelEvent) {
        let Some(held) = self.held.get_untracked() else { return };
        event.prevent_default();
        let now = event.time_stamp();
        if now - self.wheel.get_value() < WHEEL_PAUSE || event.delta_y() == 0.0 {
            return;
        }
        self.wheel.set_value(now);
        let spin = if event.delta_y() > 0.0 { Spin::Clockwise } else { Spin::Anticlockwise };
        self.act(Act::Spin(spin, held.from));
    }

    fn key(self, event: &ev::KeyboardEvent) {
        if self.skip() {
            event.prevent_default();
            return;
        }
        if event.ctrl_key() && !event.alt_key() || event.meta_key() {
            return;
        }
        let cursor = self.cursor.get_untracked();
        let go = |way| self.seat_now().neighbor(cursor, way).unwrap_or(cursor);
        let known = match event.key().as_str() {
            "ArrowUp" => self.walk(go(Direction::North)),
            "ArrowRight" => self.walk(go(Direction::East)),
            "ArrowDown" => self.walk(go(Direction::South)),
            "ArrowLeft" => self.walk(go(Direction::West)),
            "Enter" | " " => {
                self.act(Act::Tap(cursor));
                true
            }
            "]" | "+" => {
                self.act(Act::Spin(Spin::Clockwise, cursor));
                true
            }
            "[" | "-" => {
                self.act(Act::Spin(Spin::Anticlockwise, cursor));
                true
            }
            "t" | "T" => {
                let top = self.held.with_untracked(|held| held.is_none_or(|held| !held.top));
                self.act(Act::Top(top, cursor));
                true
            }
            "Escape" => {
                let held = self.held.with_untracked(Option::is_some);
                self.act(Act::Cancel);
                held
            }
            _ => false,
        };
        if known {
            event.prevent_default();
            event.stop_propagation();
        }
    }

    /// Puts the keys onto a square.
    fn walk(self, square: Square) -> bool {
        self.cursor.set(square);
        let cell = self.root.get_untracked().and_then(|root| {
            root.query_selector(&format!("[data-square={square}]")).ok().flatten()
        });
        if let Some(cell) = cell.and_then(|cell| cell.dyn_into::<SvgElement>().ok()) {
            // A square that can't take the focus keeps it where it was.
            let _ = cell.focus();
        }
        true
    }
}

// --- layers

fn stone_layer(state: State) -> impl IntoView {
    let look = Memo::new(move |_| {
        state.scene.with(|scene| (Seat::new(scene.bottom), picture::wall_lasers(&scene.position)))
    });
    view! {
        <svg class="board-stone" viewBox=VIEW_BOX aria-hidden="true">
            <g inner_html=move || {
                let (seat, lasers) = look.get();
                stone::markup(seat, lasers)
            }></g>
        </svg>
    }
}

/// A figure on the board, and whether it glides to where it goes.
#[derive(Clone, Copy, PartialEq)]
struct Standing {
    figure: Figure,
    glides: bool,
}

fn piece_layer(state: State) -> impl IntoView {
    // Counted, not owned: figures outlive the effect that brings them.
    let standing: RwSignal<Vec<(u32, ArcRwSignal<Standing>)>> = RwSignal::new(Vec::new());
    let position = Memo::new(move |_| state.scene.with(|scene| scene.position));
    let place = move |position: &Position| {
        let before = standing.get_untracked();
        let old: Vec<Figure> =
            before.iter().map(|(_, figure)| figure.get_untracked().figure).collect();
        let glides = !state.dropped.get_value();
        let now = figures::follow(&old, position).into_iter().map(|figure| {
            match before.iter().find(|(id, _)| *id == figure.id) {
                Some((id, signal)) => {
                    signal.set(Standing { figure, glides });
                    (*id, signal.clone())
                }
                None => (figure.id, ArcRwSignal::new(Standing { figure, glides })),
            }
        });
        standing.set(now.collect());
    };
    place(&state.scene.with_untracked(|scene| scene.position));
    Effect::new(move |_| place(&position.get()));
    let last = move || {
        state.scene.with(|scene| scene.last.map(|turn| marks::last(turn, Seat::new(scene.bottom))))
    };
    let hint = move || {
        state.scene.with(|scene| scene.hint.map(|turn| marks::hint(turn, Seat::new(scene.bottom))))
    };
    let targets = move || {
        let held = state.held.get().filter(|held| held.spun.is_none())?;
        state.scene.with(|scene| {
            let seat = Seat::new(scene.bottom);
            let choices = Choices { position: &scene.position, turns: &scene.turns };
            let mark =
                |(square, arrival): (Square, Arrival)| marks::target(seat.center(square), arrival);
            Some(choices.targets(held).into_iter().map(mark).collect::<String>())
        })
    };
    view! {
        <svg class="board-pieces" viewBox=VIEW_BOX aria-hidden="true">
            <g inner_html=move || last().unwrap_or_default()></g>
            {move || held_square(state)}
            <For each=move || standing.get() key=|(id, _)| *id let((_, figure))>
                {figure_view(state, figure.into())}
            </For>
            <g class="targets" inner_html=move || targets().unwrap_or_default()></g>
            {move || in_hand(state)}
            <g inner_html=move || hint().unwrap_or_default()></g>
        </svg>
    }
}

/// The square that the dragged piece is over, and the one it came from.
fn held_square(state: State) -> Option<impl IntoView> {
    let from = state.held.get()?.from;
    let at = state.seat().center(from).plus(-47.5, -47.5);
    Some(view! { <rect class="picked" x=at.x y=at.y width="95" height="95" rx="4"/> })
}

fn figure_view(state: State, standing: RwSignal<Standing>) -> impl IntoView {
    let at = move || {
        let center = state.seat().center(standing.get().figure.square);
        format!("translate({}px, {}px)", center.x, center.y)
    };
    // In the hand it is drawn above all others; of a split stack the lower half stays.
    let held = Memo::new(move |_| {
        state.held.get().filter(|held| held.from == standing.get().figure.square)
    });
    let looks = Memo::new(move |_| {
        let piece = standing.get().figure.piece;
        match held.get() {
            Some(held) if held.top => piece.remains().unwrap_or(piece),
            Some(Held { spun: Some(spin), .. }) => piece.rotated(spin.quarters()),
            _ => piece,
        }
    });
    let hidden = move || held.get().is_some_and(|held| !held.top);
    let color = standing.get_untracked().figure.piece.color();
    view! {
        <g
            class=format!("figure {}", pieces::class(color))
            class:glides=move || standing.get().glides
            class:in-hand=hidden
            style:transform=at
        >
            {picture_of(state, looks)}
        </g>
    }
}

/// A piece as it is seen, which turns when it is rotated.
fn picture_of(state: State, looks: Memo<Piece>) -> impl Fn() -> AnyView {
    let before = StoredValue::new(None::<Piece>);
    move || {
        let piece = looks.get();
        let turned = before.get_value().filter(|before| before.kind() != piece.kind());
        before.set_value(Some(piece));
        let class = match turned {
            Some(before) if before.rotated(1) == piece => "turns-right",
            Some(before) if before.rotated(3) == piece => "turns-left",
            _ => "",
        };
        let markup = pieces::markup(state.seat().piece(piece));
        view! { <g class=class inner_html=markup></g> }.into_any()
    }
}

/// The piece in the hand: lifted over its square, or dragged.
fn in_hand(state: State) -> Option<impl IntoView> {
    let from = state.held.with(|held| held.map(|held| held.from))?;
    let color = state.scene.with(|scene| scene.position.get(from))?.color();
    let looks = Memo::new(move |_| {
        let piece = state.scene.with(|scene| scene.position.get(from));
        let piece = piece.unwrap_or(Piece::new(color, Kind::Pharaoh));
        match state.held.get() {
            Some(held) if held.top => piece.remains().unwrap_or(piece),
            Some(Held { spun: Some(spin), .. }) => piece.rotated(spin.quarters()),
            _ => piece,
        }
    });
    let at = move || {
        let top = state.held.with(|held| held.is_some_and(|held| held.top));
        let center = state.seat().center(from);
        let at = state.drag.get().unwrap_or(if top { center.plus(-7.0, -16.0) } else { center });
        format!("translate({}px, {}px)", at.x, at.y)
    };
    Some(view! {
        <g class=format!("hand {}", pieces::class(color)) style:transform=at>
            <g class="lifted">{picture_of(state, looks)}</g>
        </g>
    })
}

fn light_layer(state: State) -> impl IntoView {
    let faint = move || {
        if state.showing.with(Option::is_some) {
            return None;
        }
        state.scene.with(|scene| {
            let fired = scene.shot.as_ref()?;
            Some(light::afterglow(&fired.shot, &fired.before_shot, Seat::new(scene.bottom)))
        })
    };
    let preview = move || {
        state.scene.with(|scene| {
            let shot = scene.preview.as_ref()?;
            Some(light::preview(shot, &scene.position, Seat::new(scene.bottom)))
        })
    };
    let shot = move || state.showing.get().map(|showing| light::shot(showing, state.seat_now()));
    view! {
        <svg class="board-light" viewBox=VIEW_BOX aria-hidden="true">
            {faint}
            {preview}
            {shot}
        </svg>
    }
}

fn grid_layer(state: State) -> impl IntoView {
    let rows = (0..Square::RANKS).map(|row| {
        let cells = (0..Square::FILES).map(|column| cell(state, column, row)).collect_view();
        view! { <g role="row">{cells}</g> }
    });
    view! {
        <svg class="board-grid" viewBox=VIEW_BOX>
            <g role="grid" aria-label=state.words.board_label() aria-description=state.words.board_keys()>
                {rows.collect_view()}
            </g>
            {move || handles_view(state)}
        </svg>
    }
}

fn cell(state: State, column: u8, row: u8) -> impl IntoView {
    // The seat changes who is where, not where the squares of the picture are.
    let square = move || state.seat().at(column, row).unwrap_or(Square::A1);
    let arrival = Memo::new(move |_| {
        let square = square();
        let held = state.held.get().filter(|held| held.spun.is_none())?;
        state.scene.with(|scene| {
            let choices = Choices { position: &scene.position, turns: &scene.turns };
            choices
                .targets(held)
                .into_iter()
                .find(|(target, _)| *target == square)
                .map(|(_, arrival)| arrival)
        })
    });
    let picked = move || state.held.with(|held| held.is_some_and(|held| held.from == square()));
    let acts = Memo::new(move |_| {
        let square = square();
        state.scene.with(|scene| scene.turns.iter().any(|turn| turn.from() == square))
    });
    let label = move || {
        state.scene.with(|scene| {
            let speaker = state.speaker(scene);
            let mut label = speaker.square(square(), &scene.position);
            if picked() {
                label += ", ";
                label += state.words.board_held();
            } else if let Some(arrival) = arrival.get() {
                label += ", ";
                label += speaker.target(arrival);
            }
            label
        })
    };
    let over = move || {
        arrival.get().is_some()
            && state.drag.with(|drag| {
                drag.is_some_and(|point| state.seat().square_at(point) == Some(square()))
            })
    };
    view! {
        <rect
            role="gridcell"
            class="cell"
            class:acts=acts
            class:target=move || arrival.get().is_some()
            class:over=over
            x=f64::from(column) * 100.0
            y=f64::from(row) * 100.0
            width="100"
            height="100"
            data-square=move || square().to_string()
            tabindex=move || if state.cursor.get() == square() { "0" } else { "-1" }
            aria-label=label
            aria-selected=move || if picked() { "true" } else { "false" }
            on:focus=move |_| state.cursor.set(square())
        />
    }
}

/// The handles of the picked piece: two ways to turn it, or both and top of a stack.
fn handles_view(state: State) -> Option<impl IntoView> {
    let held = state.held.get()?;
    if state.drag.with(Option::is_some) {
        return None;
    }
    let radius = state.handle.get();
    let words = state.words;
    let (left, right) = state.scene.with(|scene| {
        let choices = Choices { position: &scene.position, turns: &scene.turns };
        let spin = |spin| {
            let turn = choices.rotation(held.from, spin)?;
            // Where both ways are the same, one handle is enough.
            matches!(turn, Turn::Rotate { spin: listed, .. } if listed == spin).then_some(spin)
        };
        let from = held.from;
        if let Some(spun) = held.spun {
            let back = match spun {
                Spin::Clockwise => Spin::Anticlockwise,
                Spin::Anticlockwise => Spin::Clockwise,
            };
            let drop = (Icon::Drop, words.board_drop(), Act::Tap(from), true);
            let back = (Icon::Back, words.board_turn_back(), Act::Spin(back, from), false);
            return match spun {
                Spin::Clockwise => (Some(back), Some(drop)),
                Spin::Anticlockwise => (Some(drop), Some(back)),
            };
        }
        if choices.splits(from) {
            let both = (Icon::Both, words.board_both(), Act::Top(false, from), !held.top);
            let top = (Icon::Top, words.board_top_only(), Act::Top(true, from), held.top);
            return (Some(both), Some(top));
        }
        let turn = |way, icon, name| spin(way).map(|way| (icon, name, Act::Spin(way, from), false));
        (
            turn(Spin::Anticlockwise, Icon::Anticlockwise, words.board_turn_anticlockwise()),
            turn(Spin::Clockwise, Icon::Clockwise, words.board_turn_clockwise()),
        )
    });
    let center = state.seat().center(held.from);
    let places = handles::places(center, radius);
    let handle = move |place: Point, (icon, name, act, strong): (Icon, &'static str, Act, bool)| {
        let at = format!("translate({} {}) scale({})", place.x, place.y, radius / 22.0);
        let press = move |event: &ev::KeyboardEvent| {
            if matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                event.stop_propagation();
                state.act(act);
                state.walk(held.from);
            }
        };
        view! {
            <g
                role="button"
                class="handle"
                class:strong=strong
                tabindex="0"
                aria-label=name
                transform=at
                on:pointerdown=|event| event.stop_propagation()
                on:pointerup=|event| event.stop_propagation()
                on:click=move |_| {
                    state.act(act);
                    state.walk(held.from);
                }
                on:keydown=move |event| press(&event)
            >
                <title>{name}</title>
                <circle class="handle-reach" r="22"/>
                <circle class="handle-plate" r="18"/>
                <path class="handle-icon" d=icon.path()/>
            </g>
        }
    };
    let [at_left, at_right] = places;
    Some(view! {
        {left.map(|left| handle(at_left, left))}
        {right.map(|right| handle(at_right, right))}
    })
}

/// A single piece, as wide as its parent lets it be: for captured pieces and explanations.
#[component]
pub fn PiecePicture(
    /// The piece.
    piece: Piece,
) -> impl IntoView {
    share_definitions();
    view! {
        <svg class="piece-picture art" viewBox="-52 -52 104 104" aria-hidden="true">
            <g class=pieces::class(piece.color()) inner_html=pieces::markup(piece)></g>
        </svg>
    }
}
