//! Games over the network: real servers on this machine, spoken to as clients speak.

mod lies;
mod model;
mod play;
mod restart;
mod table;
