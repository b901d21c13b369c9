//! Names of setups, time controls, speeds and players of local games in the reader's language.

use khet::{AnySetup, Color, Setup, TimeControl, tower};
use khet_protocol::Speed;

use crate::game::session::{GameSession, Mode};
use crate::languages::Words;

/// Returns the name of a setup.
pub fn setup_name(setup: impl Into<AnySetup>, words: Words) -> &'static str {
    match setup.into() {
        AnySetup::Standard(setup) => standard_setup_name(setup, words),
        AnySetup::Tower(tower::Setup::Orontes) => words.setup_orontes(),
        AnySetup::Tower(tower::Setup::Ramesses) => words.setup_ramesses(),
        AnySetup::Tower(tower::Setup::Nefertari) => words.setup_nefertari(),
    }
}

/// Returns the name of a setup without a tower.
fn standard_setup_name(setup: Setup, words: Words) -> &'static str {
    match setup {
        Setup::Classic => words.setup_classic(),
        Setup::Imhotep => words.setup_imhotep(),
        Setup::Dynasty => words.setup_dynasty(),
        Setup::Khet2Classic => words.setup_classic_2(),
        Setup::Khet2Imhotep => words.setup_imhotep_2(),
        Setup::Khet2Dynasty => words.setup_dynasty_2(),
        Setup::Khet2ImhotepEye => words.setup_imhotep_eye(),
        Setup::Khet2DynastyEye => words.setup_dynasty_eye(),
        Setup::Osiris => words.setup_osiris(),
        Setup::Isis => words.setup_isis(),
    }
}

/// Returns the name of a speed.
pub(crate) fn speed_name(speed: Speed, words: Words) -> &'static str {
    match speed {
        Speed::Bullet => words.online_speed_bullet(),
        Speed::Blitz => words.online_speed_blitz(),
        Speed::Rapid => words.online_speed_rapid(),
        Speed::Correspondence => words.online_speed_correspondence(),
    }
}

/// Returns the name of a player in a local game. People in pass and play who gave no name have that
/// of their colour.
pub(crate) fn local_player_name(session: &GameSession, color: Color, words: Words) -> String {
    let name = match (session.mode(), session.name(color)) {
        (Mode::Computer { level, person, .. }, _) if person != color => {
            return words.play_computer_name(level);
        }
        (Mode::Computer { .. }, _) => words.play_you(),
        (_, "") if color == Color::Silver => words.play_silver(),
        (_, "") => words.play_red(),
        (_, name) => name,
    };
    name.to_string()
}

/// Returns the name of a time control: `5 + 3`, `3 days per move`.
pub(crate) fn time_name(time: TimeControl, words: Words) -> String {
    match time {
        TimeControl::Unlimited => words.online_no_clock().to_owned(),
        TimeControl::RealTime { start, increment } => {
            let (start, increment) = (start.as_secs(), increment.as_secs());
            let (minutes, seconds) = (start / 60, start % 60);
            match seconds {
                0 => format!("{minutes} + {increment}"),
                _ => format!("{minutes}:{seconds:02} + {increment}"),
            }
        }
        TimeControl::Correspondence { days } => words.online_days_per_move(usize::from(days)),
    }
}
