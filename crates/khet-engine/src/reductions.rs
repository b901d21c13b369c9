//! The table of late move reductions, in integer arithmetic so that it is the same on every
//! machine.

use crate::search::SearchParameters;

/// Number of depths and move numbers with entries of their own.
const TABLE_SIZE: usize = 64;

/// Returns the natural logarithm in units of 1/64, without floating point.
const fn logarithm(number: usize) -> i32 {
    // ln(x) = log2(x) · ln(2); the fraction of log2 is interpolated between powers of two.
    let whole = number.ilog2();
    let fraction = ((number << 6) >> whole) as i32 - 64;
    ((whole as i32 * 64 + fraction) * 44) / 64
}

/// The reductions in plies, by depth and move number.
pub(crate) struct Reductions(Box<[[i8; TABLE_SIZE]; TABLE_SIZE]>);

impl Reductions {
    /// Computes base + slope · ln(depth) · ln(number) for all depths and move numbers.
    pub(crate) fn new(parameters: &SearchParameters) -> Reductions {
        let mut table = Box::new([[0; TABLE_SIZE]; TABLE_SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let product = logarithm(depth) * logarithm(number);
                let sum = parameters.lmr_base * 64 + product * parameters.lmr_slope / 1024;
                *entry = (sum / 4096).max(0) as i8;
            }
        }
        Reductions(table)
    }

    /// Returns the reduction of the move with this number at this depth.
    #[inline]
    pub(crate) fn get(&self, depth: i32, number: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(TABLE_SIZE - 1);
        i32::from(self.0[depth][number.min(TABLE_SIZE - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new(&SearchParameters::default());
        for depth in 2..TABLE_SIZE as i32 {
            for number in 2..TABLE_SIZE {
                assert!(reductions.get(depth, number) >= reductions.get(depth - 1, number));
                assert!(reductions.get(depth, number) >= reductions.get(depth, number - 1));
            }
        }
        assert_eq!(reductions.get(1, 1), 0);
        assert!((3..=8).contains(&reductions.get(20, 40)));
    }
}
