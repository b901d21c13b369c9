//! Games over the network: real servers on this machine and clients of the real protocol.

mod lies;
mod model;
mod play;
mod restart;
mod table;
