//! The gallery of official setups and of community setups that players have published.

mod balance_bar;
mod setup_card;
mod gallery_page;
mod setup_page;
mod reports;
mod official_setups;

pub(super) use balance_bar::BalanceBar;
pub(crate) use gallery_page::SetupsPage;
pub(crate) use setup_page::SetupPage;
