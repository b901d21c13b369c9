//! The files about violations: the faults with their times, and everything about the games that are
//! concerned.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use super::fault_plan::PlannedFault;
use crate::soak::comparison::{ComparedGame, Comparison};
use crate::soak::outages::OutageLog;

/// Writes the evidence into a folder.
///
/// # Errors
///
/// If it can't be written.
pub fn write(
    folder: &Path,
    comparison: &Comparison,
    outages: &OutageLog,
    faults: &[PlannedFault],
) -> io::Result<()> {
    let evidence = folder.join("evidence");
    fs::create_dir_all(&evidence)?;
    // The first outage is the start of the cluster.
    let mut text = String::new();
    for (outage, number) in outages.cluster.iter().zip(0_usize..) {
        let fault = number.checked_sub(1).and_then(|index| faults.get(index));
        let _ = writeln!(text, "{number}: {outage:?} {fault:?}");
    }
    fs::write(evidence.join("faults.txt"), text)?;
    for ComparedGame { id, journal, stored } in &comparison.suspects {
        let mut text = String::from("stored:\n");
        for event in stored {
            let _ = writeln!(text, "{event:?}");
        }
        let _ = writeln!(text, "\nwhat the players know:\n{journal:#?}");
        fs::write(evidence.join(format!("game-{id}.txt")), text)?;
    }
    Ok(())
}
