//! The state that handlers share, and the routes to them.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Router, middleware};
use khet_protocol::PersonId;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::{mpsc, watch};
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

use crate::assets::Assets;
use crate::config::Config;
use crate::connections::Crowd;
use crate::departures::Departures;
use crate::explorer::Explorer;
use crate::games::Games;
use crate::limits::{Limiter, Rate};
use crate::lobby::Lobby;
use crate::notices::Notices;
use crate::people::Passwords;
use crate::pictures::Pictures;
use crate::reviews::Reviews;
use crate::storage::Store;
use crate::time::Time;
use crate::watch::Watch;
use crate::{answer, api, limits, metrics, origin, people, pictures, protection};

/// The largest body that a request may have, in bytes.
const BODY_SIZE: usize = 16 * 1024;

/// How many passwords may be tried for a name in an hour, from all addresses together. Enough that nobody can shut someone out from one
/// address, and too few to guess.
const PASSWORDS_TRIED: u32 = 100;

/// How many setups someone may report in an hour.
const REPORTS: u32 = 30;

/// How long a request may take to come and to be answered; what is streamed behind the head is not counted.
pub(crate) const REQUEST_TIME: Duration = Duration::from_secs(20);

/// Everything that handlers share.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

/// What is shared.
pub(crate) struct Shared {
    /// What the server was told.
    pub(crate) config: Config,
    /// The app for browsers.
    pub(crate) assets: Assets,
    /// What is kept.
    pub(crate) store: Store,
    /// What time it is.
    pub(crate) time: Time,
    /// The games.
    pub(crate) games: Games,
    /// Counts games that have ended.
    pub(crate) explorer: Explorer,
    /// Makes reviews of games.
    pub(crate) reviews: Reviews,
    /// Challenges and seeks.
    pub(crate) lobby: Lobby,
    /// What people are told wherever they are.
    pub(crate) notices: Notices,
    /// Requests by address.
    pub(crate) requests: Limiter<IpAddr>,
    /// New guests by address.
    pub(crate) guests: Limiter<IpAddr>,
    /// Requests by person.
    pub(crate) person_requests: Limiter<PersonId>,
    /// New accounts by address.
    pub(crate) sign_ups: Limiter<IpAddr>,
    /// Attempts to sign in by address.
    pub(crate) sign_ins: Limiter<IpAddr>,
    /// Passwords that were tried, by name.
    pub(crate) passwords_tried: Limiter<String>,
    /// Games that were taken home, by address.
    pub(crate) exports: Limiter<IpAddr>,
    /// New reviews by address.
    pub(crate) review_requests: Limiter<IpAddr>,
    /// New reviews by person.
    pub(crate) person_reviews: Limiter<PersonId>,
    /// Where passwords are hashed.
    pub(crate) passwords: Passwords,
    /// People whose sessions were ended.
    pub(crate) departures: Departures,
    /// What there is to watch.
    pub(crate) watch: Watch,
    /// New challenges and seeks by person.
    pub(crate) new_challenges: Limiter<PersonId>,
    /// Published setups by person.
    pub(crate) new_setups: Limiter<PersonId>,
    /// Reported setups by person.
    pub(crate) reports: Limiter<PersonId>,
    /// Pictures for links.
    pub(crate) pictures: Pictures,
    /// The figures for `/metrics`.
    pub(crate) figures: PrometheusHandle,
    /// Becomes true when the server is to stop.
    pub(crate) stopping: watch::Sender<bool>,
    /// Held by every socket: when all are dropped, all sockets are closed.
    pub(crate) sockets: mpsc::WeakSender<()>,
    /// How many of them each visitor has.
    pub(crate) open_sockets: Crowd,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    pub(crate) fn new(
        config: Config,
        assets: Assets,
        store: Store,
        sockets: mpsc::WeakSender<()>,
    ) -> App {
        let limits = config.limits;
        let time = config.time.clone();
        App(Arc::new(Shared {
            games: Games::new(store.clone(), time.clone()),
            explorer: Explorer::default(),
            reviews: Reviews::default(),
            lobby: Lobby::default(),
            open_sockets: Crowd::default(),
            notices: Notices::default(),
            requests: Limiter::new(Rate::per_minute(limits.requests_per_minute)),
            guests: Limiter::new(Rate::per_hour(limits.guests_per_hour)),
            person_requests: Limiter::new(Rate::per_minute(limits.requests_per_minute_and_person)),
            sign_ups: Limiter::new(Rate::per_hour(limits.sign_ups_per_hour)),
            sign_ins: Limiter::new(Rate::per_hour(limits.sign_ins_per_hour)),
            passwords_tried: Limiter::new(Rate::per_hour(PASSWORDS_TRIED)),
            exports: Limiter::new(Rate::per_hour(limits.exports_per_hour)),
            review_requests: Limiter::new(Rate::per_hour(limits.reviews_per_hour)),
            person_reviews: Limiter::new(Rate::per_hour(limits.reviews_per_hour)),
            passwords: Passwords::default(),
            departures: Departures::default(),
            watch: Watch::default(),
            new_challenges: Limiter::new(Rate::per_minute(limits.challenges_per_minute)),
            new_setups: Limiter::new(Rate::per_hour(limits.setups_per_hour)),
            reports: Limiter::new(Rate::per_hour(REPORTS)),
            pictures: Pictures::default(),
            figures: metrics::figures(),
            stopping: watch::Sender::new(false),
            sockets,
            config,
            assets,
            store,
            time,
        }))
    }

    /// Whether the server is about to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// All that is served.
    pub(crate) fn router(&self) -> Router {
        let api = api::routes()
            .layer(middleware::from_fn(people::give_cookie))
            .layer(middleware::from_fn_with_state(self.clone(), origin::check))
            .layer(middleware::from_fn_with_state(self.clone(), limits::check))
            .layer(DefaultBodyLimit::max(BODY_SIZE))
            .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST_TIME))
            .layer(TraceLayer::new_for_http());
        Router::new()
            .merge(api)
            .merge(pictures::routes(self))
            .route("/healthz", get(metrics::healthz))
            .route("/readyz", get(metrics::readyz))
            .route("/metrics", get(metrics::metrics))
            .fallback(answer::answer)
            .layer(middleware::map_response(protection::protect))
            .with_state(self.clone())
    }
}

/// Waits until the server is to stop.
pub(crate) async fn stop_asked(stopping: &mut watch::Receiver<bool>) {
    // Without a sender the server is gone, which is a stop too.
    let _ = stopping.wait_for(|stop| *stop).await;
}
