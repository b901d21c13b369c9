//! `khet serve`: the app, for browsers.

use std::io;
use std::net::SocketAddr;

use crate::output::{Output, Problem};

/// Serve the app: Khet in the browser
///
/// Example: khet serve --address 127.0.0.1:8080
///
/// Stop it with Ctrl-C. Only this machine reaches 127.0.0.1; with 0.0.0.0:8080 the whole network does.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to listen; port 0 takes any free one
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "IP:PORT")]
    address: SocketAddr,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let address = args.address;
    let mut told = Ok(());
    let served = khet_server::run(address, |address| {
        told = output
            .line(format_args!("Khet is at http://{address} (Ctrl-C stops it)"))
            .and_then(|()| output.flush());
    });
    told?;
    served.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => Problem::Input(format!(
            "another program is at {address}; choose another port, as in --address {}:{}",
            address.ip(),
            address.port().checked_add(1).unwrap_or(8080),
        )),
        io::ErrorKind::PermissionDenied => Problem::Input(format!(
            "{address} is not allowed to this user; ports from 1024 are, as in --address {}:8080",
            address.ip(),
        )),
        io::ErrorKind::AddrNotAvailable => {
            Problem::Input(format!("this machine does not have the address {}", address.ip()))
        }
        _ => Problem::Io(error),
    })
}
