//! The table of late move reductions, in integer arithmetic so that it is the same on every
//! machine.

/// Returns the natural logarithm in units of 1/64, without floating point.
const fn logarithm(number: usize) -> i32 {
    // ln(x) = log2(x) · ln(2); the fraction of log2 is interpolated between powers of two.
    let whole = number.ilog2();
    let fraction = ((number << 6) >> whole) as i32 - 64;
    ((whole as i32 * 64 + fraction) * 44) / 64
}

const TABLE_SIZE: usize = 64;

static TABLE: [[i8; TABLE_SIZE]; TABLE_SIZE] = {
    let mut table = [[0; TABLE_SIZE]; TABLE_SIZE];
    let mut depth = 1;
    while depth < TABLE_SIZE {
        let mut count = 1;
        while count < TABLE_SIZE {
            // 1/2 + ln(depth) · ln(count) / 2.1
            let product = logarithm(depth) * logarithm(count);
            table[depth][count] = ((2048 + product * 10 / 21) / 4096) as i8;
            count += 1;
        }
        depth += 1;
    }
    table
};

/// Returns the reduction in plies of the move with this number at this depth.
pub(crate) fn reduction(depth: i32, count: usize) -> i32 {
    let depth = (depth.max(0) as usize).min(TABLE_SIZE - 1);
    i32::from(TABLE[depth][count.min(TABLE_SIZE - 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        for depth in 2..TABLE_SIZE as i32 {
            for count in 2..TABLE_SIZE {
                assert!(reduction(depth, count) >= reduction(depth - 1, count));
                assert!(reduction(depth, count) >= reduction(depth, count - 1));
            }
        }
        assert_eq!(reduction(1, 1), 0);
        assert!((4..=7).contains(&reduction(20, 40)));
    }
}
