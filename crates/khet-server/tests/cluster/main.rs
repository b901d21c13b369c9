//! Several nodes on one PostgreSQL database, connected by NATS.
//!
//! The tests need both: `KHET_TEST_POSTGRES` and `KHET_TEST_NATS` have their URLs. `cargo xtask test`
//! starts them. Without the variables the tests report that they were skipped.

mod forwarding;
mod handover;
mod lobby;
mod nats_outage;
mod test_cluster;
