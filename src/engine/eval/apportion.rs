//! Rounding shares so that they add up: the largest-remainder method, symmetric in the sign.

use std::cmp::Reverse;

/// Shares of an exact total, in units of `1 / parts`, rounded to whole numbers that add up to `total`.
///
/// Each share is cut off towards zero; what is missing goes by single units to the shares with the largest remainders
/// in its direction, and among equal ones to the lowest `rank`. So negated shares give negated results.
///
/// `total` must be the exact sum divided by `parts` and rounded up or down; then every share gets its exact value rounded
/// up or down.
pub(super) fn apportion<K: Ord>(
    total: i32,
    shares: &[i64],
    parts: i64,
    rank: impl Fn(usize) -> K,
) -> Vec<i32> {
    let mut whole: Vec<i32> = shares.iter().map(|share| (share / parts) as i32).collect();
    let missing = total - whole.iter().sum::<i32>();
    let direction = missing.signum();
    let remainder = |index: usize| shares[index] % parts * i64::from(direction);
    let mut candidates: Vec<usize> = (0..shares.len()).filter(|index| remainder(*index) > 0).collect();
    candidates.sort_by_key(|index| (Reverse(remainder(*index)), rank(*index)));
    for index in candidates.into_iter().take(missing.unsigned_abs() as usize) {
        whole[index] += direction;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::apportion;
    use proptest::prelude::*;

    #[test]
    fn the_largest_remainders_get_the_rest() {
        let cases: [(i32, &[i64], &[i32]); 6] = [
            (1, &[4, 6], &[0, 1]),
            (1, &[5, 5], &[1, 0]),
            (-1, &[-5, -5], &[-1, 0]),
            (0, &[14, -14], &[1, -1]),
            (3, &[14, 8, 9], &[1, 1, 1]),
            (0, &[19, -20, 1], &[2, -2, 0]),
        ];
        for (total, shares, whole) in cases {
            assert_eq!(apportion(total, shares, 10, |index| index), whole, "{shares:?}");
        }
    }

    proptest! {
        #[test]
        fn shares_add_up_and_stay_within_one(shares in prop::collection::vec(-500_i64..500, 1..20), up in 0..2) {
            let sum: i64 = shares.iter().sum();
            let total = sum.div_euclid(10) + i64::from(up == 1 && sum % 10 != 0);
            let whole = apportion(total as i32, &shares, 10, |index| index);
            prop_assert_eq!(i64::from(whole.iter().sum::<i32>()), total);
            for (share, whole) in shares.iter().zip(&whole) {
                prop_assert!((share - 10 * i64::from(*whole)).abs() < 10);
            }
            let negated: Vec<i64> = shares.iter().map(|share| -share).collect();
            let mirrored = apportion(-total as i32, &negated, 10, |index| index);
            prop_assert!(whole.iter().zip(&mirrored).all(|(a, b)| *a == -b));
        }
    }
}
