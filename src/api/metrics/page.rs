//! Metrics as they are shown: families of samples, each with its labels.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use prometheus::proto::{Bucket, Counter, Gauge, Histogram, LabelPair, Metric, MetricFamily, MetricType};
use prometheus::{TEXT_FORMAT, TextEncoder};

use crate::api::problem::{Code, Problem};

/// What distinguishes a sample from the others of its family.
pub(super) type Labels<'a> = &'a [(&'static str, &'a str)];

/// A page of metrics as it grows.
#[derive(Default)]
pub(super) struct Page(Vec<MetricFamily>);

impl Page {
    /// A number that only grows, from the start of the process.
    pub(super) fn counter<'a>(
        &mut self,
        name: &str,
        meaning: &str,
        samples: impl IntoIterator<Item = (Labels<'a>, f64)>,
    ) {
        self.family(MetricType::COUNTER, name, meaning, samples, |metric, value| {
            let mut counter = Counter::default();
            counter.set_value(value);
            metric.set_counter(counter);
        });
    }

    /// A number of this moment.
    pub(super) fn gauge<'a>(
        &mut self,
        name: &str,
        meaning: &str,
        samples: impl IntoIterator<Item = (Labels<'a>, f64)>,
    ) {
        self.family(MetricType::GAUGE, name, meaning, samples, |metric, value| {
            let mut gauge = Gauge::default();
            gauge.set_value(value);
            metric.set_gauge(gauge);
        });
    }

    /// How often a quantity was how large.
    pub(super) fn histogram<'a>(
        &mut self,
        name: &str,
        meaning: &str,
        samples: impl IntoIterator<Item = (Labels<'a>, Histogram)>,
    ) {
        self.family(MetricType::HISTOGRAM, name, meaning, samples, Metric::set_histogram);
    }

    /// A family that has no samples yet is not shown.
    fn family<'a, T>(
        &mut self,
        kind: MetricType,
        name: &str,
        meaning: &str,
        samples: impl IntoIterator<Item = (Labels<'a>, T)>,
        set: impl Fn(&mut Metric, T),
    ) {
        let shown = |(labels, value): (Labels<'a>, T)| {
            let mut metric = Metric::from_label(labels.iter().map(label).collect());
            set(&mut metric, value);
            metric
        };
        let metrics: Vec<_> = samples.into_iter().map(shown).collect();
        if metrics.is_empty() {
            return;
        }
        let mut family = MetricFamily::default();
        family.set_name(name.to_owned());
        family.set_help(meaning.to_owned());
        family.set_field_type(kind);
        family.set_metric(metrics);
        self.0.push(family);
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        match TextEncoder::new().encode_to_string(&self.0) {
            Ok(text) => {
                ([(header::CONTENT_TYPE, format!("{TEXT_FORMAT}; charset=utf-8"))], text).into_response()
            }
            Err(error) => Problem::new(Code::Internal, "The metrics cannot be told.")
                .because(error.to_string())
                .into_response(),
        }
    }
}

/// A histogram of what was counted elsewhere: the upper bounds of its buckets with how many fell into each (not below
/// it), how many lay beyond the last, and the sum of all.
pub(super) fn histogram(buckets: impl IntoIterator<Item = (f64, u64)>, beyond: u64, sum: f64) -> Histogram {
    let mut so_far = 0;
    let cumulative = buckets.into_iter().map(|(upper_bound, count)| {
        so_far += count;
        let mut bucket = Bucket::default();
        bucket.set_upper_bound(upper_bound);
        bucket.set_cumulative_count(so_far);
        bucket
    });
    let mut histogram = Histogram::default();
    histogram.set_bucket(cumulative.collect());
    histogram.set_sample_count(so_far + beyond);
    histogram.set_sample_sum(sum);
    histogram
}

fn label((name, value): &(&'static str, &str)) -> LabelPair {
    let mut pair = LabelPair::default();
    pair.set_name((*name).to_owned());
    pair.set_value((*value).to_owned());
    pair
}
