//! The form for a challenge: its fields, the saved options, and the challenge made from them.

use khet::{Setup, TimeControl, TimeLimits};
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

/// Storage key of the options of the last challenge.
const KEY: &str = "khet.choice.online";
const LIMITS: TimeLimits = TimeLimits::ONLINE;

/// The kind of time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ClockKind {
    /// No clock.
    #[default]
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
}

impl ChallengeOptions {
    /// Reads what [`ChallengeOptions::write`] wrote. Unreadable options get their default values.
    fn read(text: &str) -> ChallengeOptions {
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
                .unwrap_or_default(),
            days: days.unwrap_or(TimeControl::SUGGESTED_DAYS),
            rated: field("rated") == "yes",
        }
    }

    /// Writes the options as text for the storage.
    fn write(&self) -> String {
        let rated = if self.rated { "yes" } else { "no" };
        let choice = self.choice.write();
        format!("{choice}pace {}\ndays {}\nrated {rated}\n", self.clock_kind.name(), self.days)
    }

    /// Loads the options of the last challenge.
    fn load() -> ChallengeOptions {
        ChallengeOptions::read(&storage::load_or_empty(KEY))
    }

    /// Saves the options for the next challenge.
    pub(super) fn save(&self) {
        storage::store(KEY, &self.write());
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
    pub(super) fn new_challenge(&self, open: bool, has_account: bool) -> Option<NewChallenge> {
        let start = match self.choice.setup {
            Some(setup) => Start::Setup(setup),
            None => {
                let placement = self.choice.start().ok()?.placement();
                Setup::of(&placement)
                    .map_or_else(|| Start::Position(Box::new(placement)), Start::Setup)
            }
        };
        let color = match self.choice.side {
            SideChoice::Silver => ColorPreference::Silver,
            SideChoice::Red => ColorPreference::Red,
            SideChoice::Random => ColorPreference::Random,
        };
        let options = GameOptions {
            start,
            rules: self.choice.rules,
            time: self.time_control(),
            rated: self.rated && has_account && self.can_be_rated(),
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
    /// The person is signed in with an account.
    has_account: RwSignal<bool>,
}

impl ChallengeForm {
    /// Returns the form with the options of the last challenge.
    pub(super) fn new() -> ChallengeForm {
        let ChallengeOptions { mut choice, clock_kind, days, rated } = ChallengeOptions::load();
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
        }
    }

    /// Builds the challenge, if such a game can be played.
    pub(super) fn new_challenge(self, open: bool) -> Option<NewChallenge> {
        self.options().new_challenge(open, self.has_account.get())
    }
}

/// The fields of the form.
#[component]
pub(super) fn ChallengeFields(form: ChallengeForm) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
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
    let can_be_rated = Memo::new(move |_| form.options().can_be_rated() && form.has_account.get());
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
                move || (form.rated.get() && can_be_rated.get()) == rated,
                move || form.rated.set(rated),
            )
        });
    view! {
        <SetupField choice/>
        <PositionField choice/>
        <fieldset class="choice">
            <legend>{words.challenge_form_clock()}</legend>
            {clock_kinds.into_iter().collect_view()}
        </fieldset>
        {real_time}
        {days}
        <SideField choice/>
        <fieldset class="choice">
            <legend>{words.challenge_form_kind()}</legend>
            {rated_options.into_iter().collect_view()}
        </fieldset>
        {rating_note}
        <details class="field-more">
            <summary>{words.play_more_options()}</summary>
            <RulesField choice/>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_written() {
        let mut options = ChallengeOptions::read("");
        assert_eq!((options.clock_kind, options.days, options.rated), (ClockKind::None, 2, false));
        options.clock_kind = ClockKind::Days;
        options.days = 14;
        options.rated = true;
        options.choice.setup = None;
        options.choice.own = "osiris".to_owned();
        assert_eq!(ChallengeOptions::read(&options.write()), options);
        assert_eq!(ChallengeOptions::read("days 99\npace moon\nrated maybe").days, 2);
    }

    #[test]
    fn options_become_a_challenge() {
        let mut options = ChallengeOptions::read("pace real-time\nclock 5+3\nrated yes");
        let challenge = options.new_challenge(false, true).expect("a game that can be played");
        assert_eq!(challenge.options.time.to_string(), "300+3");
        assert!(challenge.options.rated);
        assert!(
            !options.new_challenge(false, false).expect("a game").options.rated,
            "guests have no rating"
        );
        options.clock_kind = ClockKind::None;
        assert!(
            !options.new_challenge(false, true).expect("a game").options.rated,
            "no clock, no rating"
        );
        options.choice.setup = None;
        options.choice.own = "isis".to_owned();
        assert_eq!(
            options.new_challenge(true, true).expect("a game").options.start.to_string(),
            "isis"
        );
        options.choice.own = "nonsense".to_owned();
        assert_eq!(options.new_challenge(true, true), None);
    }
}
