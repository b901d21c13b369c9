//! Several nodes on one PostgreSQL database, connected by NATS.
//!
//! The tests need both: `KHET_TEST_POSTGRES` and `KHET_TEST_NATS` have their URLs. `cargo xtask test`
//! starts them. Without the variables the tests report that they were skipped.

mod forwarding;
mod handover;
mod lobby;
mod test_cluster;
