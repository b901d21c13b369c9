//! Games over the network: real servers on this machine and clients of the real protocol.

mod lobby;
mod misbehaving_clients;
mod model;
mod play;
mod restart;
mod test_game;
mod tower;
