//! What is offered to play: the fields of the form, what is remembered of them, and the challenge that comes of it.

use khet::{Setup, TimeControl, TimeLimits};
use khet_protocol::{ColorPreference, GameOptions, NewChallenge, PersonKind, Start};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::me;
use crate::controls::fields;
use crate::game::options::{Choice, Side};
use crate::game_ui::option_fields::{PositionField, RulesField, SetupField, SideField};
use crate::languages::{Words, use_words};
use crate::routing::{Page, use_navigation};
use crate::{browser::storage, game::pending_start};

/// Where it is remembered.
const KEY: &str = "khet.choice.online";
const LIMITS: TimeLimits = TimeLimits::ONLINE;

/// How fast a game goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ClockKind {
    /// Without clocks.
    #[default]
    None,
    /// At one sitting.
    RealTime,
    /// Days for each move.
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

/// What is offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Offer {
    /// Setup, rules, side and minutes, as in games at home.
    pub(super) choice: Choice,
    pub(super) pace: ClockKind,
    pub(super) days: u8,
    pub(super) rated: bool,
}

impl Offer {
    /// Reads what [`Offer::write`] wrote; what can't be read is as nobody had chosen it.
    fn read(text: &str) -> Offer {
        let field = |name: &str| {
            let found = text.lines().filter_map(|line| line.split_once(' '));
            found.filter(|(key, _)| *key == name).map(|(_, value)| value).next().unwrap_or_default()
        };
        let mut choice = Choice::read(text);
        if field("side").is_empty() {
            choice.side = Side::Random;
        }
        choice.minutes = choice.minutes.min(*LIMITS.minutes.end());
        let days = field("days").parse().ok().filter(|days| LIMITS.days.contains(days));
        Offer {
            choice,
            pace: ClockKind::ALL
                .into_iter()
                .find(|pace| pace.name() == field("pace"))
                .unwrap_or_default(),
            days: days.unwrap_or(TimeControl::SUGGESTED_DAYS),
            rated: field("rated") == "yes",
        }
    }

    /// The offer as text, to be remembered.
    fn write(&self) -> String {
        let rated = if self.rated { "yes" } else { "no" };
        let choice = self.choice.write();
        format!("{choice}pace {}\ndays {}\nrated {rated}\n", self.pace.name(), self.days)
    }

    /// What was offered last.
    pub(super) fn remembered() -> Offer {
        Offer::read(&storage::load_or_empty(KEY))
    }

    /// Remembers it for the next time.
    pub(super) fn remember(&self) {
        storage::store(KEY, &self.write());
    }

    /// The clocks.
    fn time(&self) -> TimeControl {
        let control = match self.pace {
            ClockKind::None => TimeControl::Unlimited,
            ClockKind::RealTime => TimeControl::minutes(self.choice.minutes, self.choice.increment),
            ClockKind::Days => TimeControl::Correspondence { days: self.days },
        };
        if LIMITS.contains(control) { control } else { TimeControl::Unlimited }
    }

    /// Whether such a game can be rated.
    fn can_be_rated(&self) -> bool {
        self.pace != ClockKind::None && self.choice.setup.is_some()
    }

    /// The challenge. `account` is whether the challenger may play for ratings.
    pub(super) fn challenge(&self, open: bool, account: bool) -> Option<NewChallenge> {
        let start = match self.choice.setup {
            Some(setup) => Start::Setup(setup),
            None => {
                let placement = self.choice.start().ok()?.placement();
                Setup::of(&placement)
                    .map_or_else(|| Start::Position(Box::new(placement)), Start::Setup)
            }
        };
        let color = match self.choice.side {
            Side::Silver => ColorPreference::Silver,
            Side::Red => ColorPreference::Red,
            Side::Random => ColorPreference::Random,
        };
        let options = GameOptions {
            start,
            rules: self.choice.rules,
            time: self.time(),
            rated: self.rated && account && self.can_be_rated(),
        };
        options.position().ok()?;
        Some(NewChallenge { options, color, open, to: None })
    }
}

/// The fields of the form.
#[derive(Clone, Copy)]
pub(super) struct OfferForm {
    choice: RwSignal<Choice>,
    pace: RwSignal<ClockKind>,
    days: RwSignal<u8>,
    rated: RwSignal<bool>,
    /// Whether the person has an account.
    account: RwSignal<bool>,
}

impl OfferForm {
    /// With what was chosen last.
    pub(super) fn new() -> OfferForm {
        let Offer { mut choice, pace, days, rated } = Offer::remembered();
        pending_start::take_into(&mut choice);
        let account = RwSignal::new(false);
        spawn_local(async move {
            if let Some(me) = me::ask().await {
                let _ = account.try_set(me.kind == PersonKind::Account);
            }
        });
        OfferForm {
            choice: RwSignal::new(choice),
            pace: RwSignal::new(pace),
            days: RwSignal::new(days),
            rated: RwSignal::new(rated),
            account,
        }
    }

    /// What is chosen.
    pub(super) fn offer(self) -> Offer {
        Offer {
            choice: self.choice.get(),
            pace: self.pace.get(),
            days: self.days.get(),
            rated: self.rated.get(),
        }
    }

    /// The challenge, if such a game can be played.
    pub(super) fn challenge(self, open: bool) -> Option<NewChallenge> {
        self.offer().challenge(open, self.account.get())
    }
}

/// The fields.
#[component]
pub(super) fn OfferFields(form: OfferForm) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let choice = form.choice;
    let paces = ClockKind::ALL.map(|pace| {
        let chosen = move || form.pace.get() == pace;
        let choose = move || form.pace.set(pace);
        fields::choice("pace", pace.name(), pace.label(words), || false, chosen, choose)
    });
    let real_time = move || {
        (form.pace.get() == ClockKind::RealTime).then(|| {
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
        (form.pace.get() == ClockKind::Days).then(|| {
            fields::number(
                "days",
                words.challenge_form_days_per_move(),
                u64::from(*LIMITS.days.start())..=u64::from(*LIMITS.days.end()),
                move || form.days.get().into(),
                move |days| form.days.set(u8::try_from(days).unwrap_or(*LIMITS.days.end())),
            )
        })
    };
    let may_rate = Memo::new(move |_| form.offer().can_be_rated() && form.account.get());
    let why_not = move || {
        if !form.account.get() {
            return view! {
                <p class="field-about">
                    {words.challenge_form_rated_needs_account()} " "
                    <a href=navigation.path(Page::Account)>{words.account_title()}</a>
                </p>
            }
            .into_any();
        }
        let why = if may_rate.get() { "" } else { words.challenge_form_rated_needs() };
        view! { <p class="field-about">{why}</p> }.into_any()
    };
    let kinds =
        [(false, words.online_casual()), (true, words.online_rated())].map(|(rated, label)| {
            fields::choice(
                "kind",
                if rated { "rated" } else { "casual" },
                label,
                move || rated && !may_rate.get(),
                move || (form.rated.get() && may_rate.get()) == rated,
                move || form.rated.set(rated),
            )
        });
    view! {
        <SetupField choice/>
        <PositionField choice/>
        <fieldset class="choice">
            <legend>{words.challenge_form_clock()}</legend>
            {paces.into_iter().collect_view()}
        </fieldset>
        {real_time}
        {days}
        <SideField choice/>
        <fieldset class="choice">
            <legend>{words.challenge_form_kind()}</legend>
            {kinds.into_iter().collect_view()}
        </fieldset>
        {why_not}
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
    fn offers_are_remembered() {
        let mut offer = Offer::read("");
        assert_eq!((offer.pace, offer.days, offer.rated), (ClockKind::None, 2, false));
        offer.pace = ClockKind::Days;
        offer.days = 14;
        offer.rated = true;
        offer.choice.setup = None;
        offer.choice.own = "osiris".to_owned();
        assert_eq!(Offer::read(&offer.write()), offer);
        assert_eq!(Offer::read("days 99\npace moon\nrated maybe").days, 2);
    }

    #[test]
    fn an_offer_becomes_a_challenge() {
        let mut offer = Offer::read("pace real-time\nclock 5+3\nrated yes");
        let challenge = offer.challenge(false, true).expect("a game that can be played");
        assert_eq!(challenge.options.time.to_string(), "300+3");
        assert!(challenge.options.rated);
        assert!(
            !offer.challenge(false, false).expect("a game").options.rated,
            "guests have no rating"
        );
        offer.pace = ClockKind::None;
        assert!(
            !offer.challenge(false, true).expect("a game").options.rated,
            "no clock, no rating"
        );
        offer.choice.setup = None;
        offer.choice.own = "isis".to_owned();
        assert_eq!(offer.challenge(true, true).expect("a game").options.start.to_string(), "isis");
        offer.choice.own = "nonsense".to_owned();
        assert_eq!(offer.challenge(true, true), None);
    }
}
