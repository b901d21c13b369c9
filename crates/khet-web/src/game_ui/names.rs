//! Names of setups and speeds in the reader's language.

use khet::Setup;
use khet_protocol::Speed;

use crate::languages::Words;

/// Returns the name of a setup.
pub fn setup_name(setup: Setup, words: Words) -> &'static str {
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
