//! The graph of a rating over time, with labelled axes.

use khet_picture::geometry::short;
use khet_protocol::RatingPoint;
use leptos::prelude::*;

use crate::game_ui::dates::{day_of_month, month, time_of_day};
use crate::languages::Words;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// Largest number of steps on the rating axis.
const MAX_STEPS: u16 = 4;

/// The range of a graph: times and ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    from: u64,
    until: u64,
    low: u16,
    high: u16,
    /// Distance of the labels on the rating axis.
    step: u16,
}

impl Range {
    /// Returns the range that shows all points, or `None` if there are fewer than two.
    fn of(points: &[RatingPoint]) -> Option<Range> {
        let [first, .., last] = points else { return None };
        let low = points.iter().map(|point| point.value).min()?;
        let high = points.iter().map(|point| point.value).max()?;
        let steps = [10, 20, 50, 100, 200, 500, 1000];
        let step = steps.into_iter().find(|step| high.div_ceil(*step) - low / step <= MAX_STEPS);
        let step = step.unwrap_or(1000);
        let (low, high) = (low / step * step, high.div_ceil(step) * step);
        let high = if high == low { high + step } else { high };
        Some(Range { from: first.at, until: last.at, low, high, step })
    }

    /// Returns the distance of a rating from the upper edge, in percent.
    fn y(self, rating: u16) -> f64 {
        100.0 * f64::from(self.high.saturating_sub(rating)) / f64::from(self.high - self.low)
    }

    /// Returns the distance of a time from the left edge, in percent.
    fn x(self, at: u64) -> f64 {
        match self.until.saturating_sub(self.from) {
            0 => 0.0,
            span => 100.0 * at.saturating_sub(self.from) as f64 / span as f64,
        }
    }

    /// Returns the labels of the rating axis, from the lower edge up.
    fn ratings(self) -> impl Iterator<Item = u16> {
        (self.low..=self.high).step_by(usize::from(self.step))
    }

    /// Returns the labels of the time axis: its start, middle and end, each text once.
    fn times(self, words: Words) -> Vec<String> {
        let span = self.until.saturating_sub(self.from);
        let label = match span / DAY_MS {
            0 | 1 => time_of_day,
            2..=300 => day_of_month,
            _ => month,
        };
        let mut labels: Vec<String> =
            [0, span / 2, span].map(|after| label(self.from + after, words)).into();
        labels.dedup();
        labels
    }
}

/// Returns the line through the points as path data in a frame of 100 by 100.
fn line(points: &[RatingPoint], range: Range) -> String {
    let coordinates = |point: &RatingPoint| {
        format!("{} {}", short(range.x(point.at)), short(range.y(point.value)))
    };
    let points = points.iter().map(coordinates);
    points.collect::<Vec<_>>().join("L")
}

/// Returns the graph of a rating, if it has at least two points. `label` describes it by its first
/// and last rating.
pub(crate) fn rating_graph(
    points: &[RatingPoint],
    label: impl FnOnce(u16, u16) -> String,
    words: Words,
) -> Option<AnyView> {
    let range = Range::of(points)?;
    let label = label(points.first()?.value, points.last()?.value);
    let line = line(points, range);
    let grid: String =
        range.ratings().map(|rating| format!("M0 {}H100", short(range.y(rating)))).collect();
    let ratings = range.ratings().map(|rating| {
        view! { <span style:top=format!("{}%", short(range.y(rating)))>{rating}</span> }
    });
    let times = range.times(words).into_iter().map(|time| view! { <span>{time}</span> });
    Some(
        view! {
            <div class="rating-graph" role="img" aria-label=label>
                <div class="axis-ratings" aria-hidden="true">{ratings.collect_view()}</div>
                <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
                    <path class="rating-grid" d=grid></path>
                    <path class="rating-ground" d=format!("M0 100L{line}L100 100Z")></path>
                    <path class="rating-line" d=format!("M{line}")></path>
                </svg>
                <div class="axis-times" aria-hidden="true">{times.collect_view()}</div>
            </div>
        }
        .into_any(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[(u64, u16)]) -> Vec<RatingPoint> {
        values.iter().map(|&(at, value)| RatingPoint { at, value }).collect()
    }

    #[test]
    fn axes_have_round_labels_around_all_points() {
        assert_eq!(Range::of(&[]), None);
        assert_eq!(Range::of(&points(&[(5, 1500)])), None);
        let range = Range::of(&points(&[(0, 1487), (30, 1612), (100, 1540)])).expect("a range");
        assert_eq!(range.ratings().collect::<Vec<_>>(), [1450, 1500, 1550, 1600, 1650]);
        assert_eq!((range.from, range.until), (0, 100));
        let level = Range::of(&points(&[(0, 1500), (1, 1500)])).expect("a range");
        assert_eq!(level.ratings().collect::<Vec<_>>(), [1500, 1510]);
        let wide = Range::of(&points(&[(0, 100), (1, 2900)])).expect("a range");
        assert_eq!(wide.ratings().collect::<Vec<_>>(), [0, 1000, 2000, 3000]);
    }

    #[test]
    fn line_is_drawn_to_scale() {
        let points = points(&[(0, 1500), (25, 1600), (100, 1550)]);
        let range = Range::of(&points).expect("a range");
        assert_eq!((range.low, range.high), (1500, 1600));
        assert_eq!(line(&points, range), "0 100L25 0L100 50");
    }
}
