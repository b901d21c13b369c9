//! The form for a challenge: its fields, the saved options, and the challenge made from them.

use khet::{TimeControl, TimeLimits};
use khet_protocol::{ColorPreference, GameOptions, NewChallenge, PersonKind, Start};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::me;
use crate::controls::fields;
use crate::game::options::{NewGameOptions, SideChoice};
use crate::game_ui::option_fields::{PositionField, RulesField, SetupField, SideField};
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};
use crate::{browser::storage, game::pending_start};

/// Storage key of the options of the last challenge by link.
const LINK_KEY: &str = "khet.choice.online";
/// Storage key of the options of the last challenge in the lobby.
const OPEN_KEY: &str = "khet.choice.open";
const LIMITS: TimeLimits = TimeLimits::ONLINE;

/// The people who see a challenge. Each kind has its own saved options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Visibility {
    /// People with the link.
    Link,
    /// Everybody in the lobby.
    Open,
}

impl Visibility {
    const fn storage_key(self) -> &'static str {
        match self {
            Visibility::Link => LINK_KEY,
            Visibility::Open => OPEN_KEY,
        }
    }

    /// Returns the clock of the first challenge. Friends can agree to play without one; a stranger
    /// should know how long the game takes.
    const fn default_clock(self) -> ClockKind {
        match self {
            Visibility::Link => ClockKind::None,
            Visibility::Open => ClockKind::RealTime,
        }
    }
}

/// The kind of time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClockKind {
    /// No clock.
    None,
    /// Minutes and increment.
    RealTime,
    /// Days per move.
    Days,
}

impl ClockKind {
    const ALL: [ClockKind; 3] = [ClockKind::None, ClockKind::RealTime, ClockKind::Days];

    const fn name(self) -> &'static str {
        match self {
            ClockKind::None => "none",
            ClockKind::RealTime => "real-time",
            ClockKind::Days => "days",
        }
    }

    fn label(self, words: Words) -> &'static str {
        match self {
            ClockKind::None => words.online_no_clock(),
            ClockKind::RealTime => words.challenge_form_real_time(),
            ClockKind::Days => words.challenge_form_days(),
        }
    }
}

/// The options of a challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ChallengeOptions {
    /// Setup, rules, side, minutes and increment, as in local games.
    pub(super) choice: NewGameOptions,
    pub(super) clock_kind: ClockKind,
    pub(super) days: u8,
    pub(super) rated: bool,
    /// Only people with the link see the game.
    pub(super) private: bool,
}

impl ChallengeOptions {
    /// Reads what [`ChallengeOptions::write`] wrote. Unreadable options get their default values.
    fn read(text: &str, visibility: Visibility) -> ChallengeOptions {
        let field = |name: &str| {
            let found = text.lines().filter_map(|line| line.split_once(' '));
            found.filter(|(key, _)| *key == name).map(|(_, value)| value).next().unwrap_or_default()
        };
        let mut choice = NewGameOptions::read(text);
        if field("side").is_empty() {
            choice.side = SideChoice::Random;
        }
        choice.minutes = choice.minutes.min(*LIMITS.minutes.end());
        let days = field("days").parse().ok().filter(|days| LIMITS.days.contains(days));
        ChallengeOptions {
            choice,
            clock_kind: ClockKind::ALL
                .into_iter()
                .find(|kind| kind.name() == field("pace"))
                .unwrap_or(visibility.default_clock()),
            days: days.unwrap_or(TimeControl::SUGGESTED_DAYS),
            rated: field("rated") == "yes",
            private: field("private") == "yes",
        }
    }

    /// Writes the options as text for the storage.
    fn write(&self) -> String {
        let [rated, private] = [self.rated, self.private].map(|on| if on { "yes" } else { "no" });
        let (choice, pace, days) = (self.choice.write(), self.clock_kind.name(), self.days);
        format!("{choice}pace {pace}\ndays {days}\nrated {rated}\nprivate {private}\n")
    }

    /// Loads the options of the last challenge.
    fn load(visibility: Visibility) -> ChallengeOptions {
        let text = storage::load_or_empty(visibility.storage_key());
        ChallengeOptions::read(&text, visibility)
    }

    /// Returns the time control.
    fn time_control(&self) -> TimeControl {
        let control = match self.clock_kind {
            ClockKind::None => TimeControl::Unlimited,
            ClockKind::RealTime => TimeControl::minutes(self.choice.minutes, self.choice.increment),
            ClockKind::Days => TimeControl::Correspondence { days: self.days },
        };
        if LIMITS.contains(control) { control } else { TimeControl::Unlimited }
    }

    /// Returns whether such a game can be rated.
    fn can_be_rated(&self) -> bool {
        self.clock_kind != ClockKind::None && self.choice.setup.is_some()
    }

    /// Builds the challenge, if such a game can be played. Only accounts can play rated games.
    /// Only games by link can be private, and private games are casual.
    fn new_challenge(&self, visibility: Visibility, has_account: bool) -> Option<NewChallenge> {
        let open = visibility == Visibility::Open;
        let start = Start::from(self.choice.start().ok()?.placement());
        let color = match self.choice.side {
            SideChoice::Silver => ColorPreference::Silver,
            SideChoice::Red => ColorPreference::Red,
            SideChoice::Random => ColorPreference::Random,
        };
        let rated = self.rated && has_account && self.can_be_rated();
        let options = GameOptions {
            start,
            rules: self.choice.rules,
            time: self.time_control(),
            rated,
            private: self.private && !open && !rated,
        };
        options.position().ok()?;
        Some(NewChallenge { options, color, open, to: None })
    }
}

/// The state of the form.
#[derive(Clone, Copy)]
pub(super) struct ChallengeForm {
    choice: RwSignal<NewGameOptions>,
    clock_kind: RwSignal<ClockKind>,
    days: RwSignal<u8>,
    rated: RwSignal<bool>,
    private: RwSignal<bool>,
    visibility: Visibility,
    /// The person is signed in with an account.
    has_account: RwSignal<bool>,
}

impl ChallengeForm {
    /// Returns the form with the options of the last challenge.
    pub(super) fn new(visibility: Visibility) -> ChallengeForm {
        let ChallengeOptions { mut choice, clock_kind, days, rated, private } =
            ChallengeOptions::load(visibility);
        pending_start::take_into(&mut choice);
        let has_account = RwSignal::new(false);
        spawn_local(async move {
            if let Some(me) = me::fetch().await {
                let _ = has_account.try_set(me.kind == PersonKind::Account);
            }
        });
        ChallengeForm {
            choice: RwSignal::new(choice),
            clock_kind: RwSignal::new(clock_kind),
            days: RwSignal::new(days),
            rated: RwSignal::new(rated),
            private: RwSignal::new(private),
            visibility,
            has_account,
        }
    }

    /// Returns the options in the form.
    pub(super) fn options(self) -> ChallengeOptions {
        ChallengeOptions {
            choice: self.choice.get(),
            clock_kind: self.clock_kind.get(),
            days: self.days.get(),
            rated: self.rated.get(),
            private: self.private.get(),
        }
    }

    /// Builds the challenge, if such a game can be played.
    pub(super) fn new_challenge(self) -> Option<NewChallenge> {
        self.options().new_challenge(self.visibility, self.has_account.get())
    }

    /// Saves the options for the next challenge.
    pub(super) fn save(self) {
        storage::store(self.visibility.storage_key(), &untrack(|| self.options()).write());
    }
}

/// The fields of the form.
#[component]
pub(super) fn ChallengeFields(form: ChallengeForm) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let choice = form.choice;
    let can_be_rated = Memo::new(move |_| form.options().can_be_rated() && form.has_account.get());
    let is_rated = Signal::derive(move || form.rated.get() && can_be_rated.get());
    let rating_note = move || {
        if !form.has_account.get() {
            return view! {
                <p class="field-about">
                    {words.challenge_form_rated_needs_account()} " "
                    <a href=navigation.path(Page::Account)>{words.account_title()}</a>
                </p>
            }
            .into_any();
        }
        let note = if can_be_rated.get() { "" } else { words.challenge_form_rated_needs() };
        view! { <p class="field-about">{note}</p> }.into_any()
    };
    let rated_options =
        [(false, words.online_casual()), (true, words.online_rated())].map(|(rated, label)| {
            fields::choice(
                "kind",
                if rated { "rated" } else { "casual" },
                label,
                move || rated && !can_be_rated.get(),
                move || is_rated.get() == rated,
                move || form.rated.set(rated),
            )
        });
    view! {
        <SetupField choice/>
        <PositionField choice/>
        <ClockFields form/>
        <SideField choice/>
        <fieldset class="choice">
            <legend>{words.challenge_form_kind()}</legend>
            {rated_options.into_iter().collect_view()}
        </fieldset>
        {rating_note}
        <PrivateField form is_rated/>
        <details class="field-more">
            <summary>{words.play_more_options()}</summary>
            <RulesField choice/>
        </details>
    }
}

/// The kind of clock and its times.
#[component]
fn ClockFields(form: ChallengeForm) -> impl IntoView {
    let words = use_words();
    let choice = form.choice;
    let clock_kinds = ClockKind::ALL.map(|clock_kind| {
        let chosen = move || form.clock_kind.get() == clock_kind;
        let choose = move || form.clock_kind.set(clock_kind);
        fields::choice("pace", clock_kind.name(), clock_kind.label(words), || false, chosen, choose)
    });
    let real_time = move || {
        (form.clock_kind.get() == ClockKind::RealTime).then(|| {
            view! {
                <div class="field-pair">
                    {fields::number("minutes", words.play_minutes(), LIMITS.minutes,
                        move || choice.with(|choice| choice.minutes),
                        move |minutes| choice.update(|choice| choice.minutes = minutes))}
                    {fields::number("increment", words.play_increment(), LIMITS.increment,
                        move || choice.with(|choice| choice.increment),
                        move |seconds| choice.update(|choice| choice.increment = seconds))}
                </div>
            }
        })
    };
    let days = move || {
        (form.clock_kind.get() == ClockKind::Days).then(|| {
            fields::number(
                "days",
                words.challenge_form_days_per_move(),
                u64::from(*LIMITS.days.start())..=u64::from(*LIMITS.days.end()),
                move || form.days.get().into(),
                move |days| form.days.set(u8::try_from(days).unwrap_or(*LIMITS.days.end())),
            )
        })
    };
    view! {
        <fieldset class="choice">
            <legend>{words.challenge_form_clock()}</legend>
            {clock_kinds.into_iter().collect_view()}
        </fieldset>
        {real_time}
        {days}
    }
}

/// The switch for private games. Challenges in the lobby are public, and so are rated games.
#[component]
fn PrivateField(form: ChallengeForm, is_rated: Signal<bool>) -> impl IntoView {
    let words = use_words();
    let possible = move || form.visibility == Visibility::Link && !is_rated.get();
    view! {
        <Show when=possible>
            <div class="field-private">
                {fields::switch("private", words.challenge_form_private(),
                    move || form.private.get(), move |private| form.private.set(private))}
                <p class="field-about">{words.challenge_form_private_about()}</p>
            </div>
        </Show>
    }
}

#[cfg(test)]
mod tests {
    use super::Visibility::{Link, Open};
    use super::*;

    #[test]
    fn options_are_read_as_written() {
        let mut options = ChallengeOptions::read("", Link);
        assert_eq!((options.clock_kind, options.days, options.rated), (ClockKind::None, 2, false));
        assert!(!options.private);
        options.private = true;
        options.clock_kind = ClockKind::Days;
        options.days = 14;
        options.rated = true;
        options.choice.setup = None;
        options.choice.own = "osiris".to_owned();
        assert_eq!(ChallengeOptions::read(&options.write(), Link), options);
        assert_eq!(ChallengeOptions::read("days 99\npace moon\nrated maybe", Link).days, 2);
    }

    #[test]
    fn open_challenges_have_a_clock_by_default() {
        let challenge = ChallengeOptions::read("", Open).new_challenge(Open, false);
        let challenge = challenge.expect("a game");
        assert_eq!(
            (challenge.options.time.to_string(), challenge.open),
            ("600+5".to_owned(), true)
        );
    }

    #[test]
    fn only_casual_games_by_link_are_private() {
        let options = ChallengeOptions::read("pace real-time\nprivate yes\nrated yes", Link);
        let private = |visibility, has_account| {
            let challenge = options.new_challenge(visibility, has_account).expect("a game");
            (challenge.options.private, challenge.options.rated)
        };
        assert_eq!(private(Link, false), (true, false));
        assert_eq!(private(Link, true), (false, true));
        assert_eq!(private(Open, false), (false, false));
    }

    #[test]
    fn options_become_a_challenge() {
        let mut options = ChallengeOptions::read("pace real-time\nclock 5+3\nrated yes", Link);
        let challenge = options.new_challenge(Link, true).expect("a game that can be played");
        assert_eq!(challenge.options.time.to_string(), "300+3");
        assert!(challenge.options.rated);
        assert!(
            !options.new_challenge(Link, false).expect("a game").options.rated,
            "guests have no rating"
        );
        options.clock_kind = ClockKind::None;
        assert!(
            !options.new_challenge(Link, true).expect("a game").options.rated,
            "no clock, no rating"
        );
        options.choice.setup = None;
        options.choice.own = "isis".to_owned();
        assert_eq!(
            options.new_challenge(Open, true).expect("a game").options.start.to_string(),
            "isis"
        );
        options.choice.own = "nonsense".to_owned();
        assert_eq!(options.new_challenge(Open, true), None);
    }
}
