//! The gallery: the printed setups, and those that players have published.

mod balance;
mod card;
mod list;
mod page;
mod report;
mod shelf;

pub(super) use balance::BalanceBar;
pub(crate) use list::SetupsPage;
pub(crate) use page::SetupPage;
