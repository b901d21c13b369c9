//! What setups are called.

use khet::Setup;

use crate::languages::Words;

/// The name of a setup.
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
