//! The constants of pruning, reductions and move ordering, which `khet-tune spsa` tunes.

use std::ops::RangeInclusive;

/// A constant of the search, for tuners.
#[derive(Debug)]
pub struct ParameterEntry<'a> {
    /// The name of the field.
    pub name: &'static str,
    /// The value.
    pub value: &'a mut i32,
    /// The values that make sense.
    pub range: RangeInclusive<i32>,
}

/// Defines the struct with its defaults, and lists its fields for tuners.
macro_rules! search_parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $range:expr;)*) => {
        /// The constants of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct SearchParameters {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for SearchParameters {
            fn default() -> SearchParameters {
                SearchParameters { $($name: $default,)* }
            }
        }

        impl SearchParameters {
            /// Lists all constants.
            pub fn entries(&mut self) -> Vec<ParameterEntry<'_>> {
                vec![$(ParameterEntry {
                    name: stringify!($name),
                    value: &mut self.$name,
                    range: $range,
                }),*]
            }
        }
    };
}

search_parameters! {
    /// Half the width of the first aspiration window. It doubles with each failed search.
    aspiration_delta = 20 in 5..=100;
    /// Deepest node at which reverse futility pruning is tried.
    rfp_max_depth = 6 in 2..=12;
    /// Margin of reverse futility pruning per ply of depth.
    rfp_margin = 70 in 10..=250;
    /// Reduction of a null move search, in 64ths of a ply.
    nmp_reduction = 192 in 64..=384;
    /// The null move search is reduced by this share of the depth, in 64ths.
    nmp_depth_share = 16 in 0..=48;
    /// The null move search is reduced by one more ply for each such margin of the static
    /// evaluation above beta.
    nmp_eval_margin = 150 in 40..=600;
    /// Deepest node at which late quiet moves are skipped.
    lmp_max_depth = 8 in 3..=14;
    /// Number of moves after which quiet moves are skipped at depth 0, in 64ths.
    lmp_base = 224 in 32..=640;
    /// This share of the square of the depth is added to that number, in 64ths.
    lmp_depth_share = 32 in 8..=128;
    /// Smallest late move reduction, in 64ths of a ply.
    lmr_base = 32 in -64..=128;
    /// Growth of the late move reduction with the logarithms of depth and move number, in 1024ths.
    lmr_slope = 488 in 200..=900;
    /// The reduction changes by one ply for each such amount of a move's history score.
    lmr_history_divisor = 8192 in 2048..=32768;
    /// History bonus per ply of depth for a quiet move that causes a beta cutoff.
    history_bonus = 120 in 20..=500;
    /// Limit of the history bonus.
    max_history_bonus = 1600 in 400..=6000;
    /// Margin of delta pruning in quiescence.
    delta_margin = 120 in 20..=500;
}
