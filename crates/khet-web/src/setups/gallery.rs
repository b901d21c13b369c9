//! The gallery of official setups and of community setups that players have published.

mod balance_bar;
mod decisions;
mod gallery_page;
mod official_setups;
mod reports;
mod setup_card;
mod setup_page;

pub(super) use balance_bar::BalanceBar;
pub(crate) use gallery_page::SetupsPage;
pub(crate) use setup_page::SetupPage;
