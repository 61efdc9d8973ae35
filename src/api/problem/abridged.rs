//! Texts of clients, short enough to be repeated to them.

use std::borrow::Cow;

/// A text of so many characters at the most: of a longer one its beginning and its end, because a sentence that repeats what a
/// client sent says behind it what to do.
pub(crate) fn abridged(text: &str, most: usize) -> Cow<'_, str> {
    // There are no more characters than bytes, and most texts are short.
    if text.len() <= most || text.char_indices().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let behind = most / 4;
    let before = most.saturating_sub(behind + 1);
    let end = text.char_indices().nth(before).map_or(text.len(), |(at, _)| at);
    let begin = text.char_indices().rev().take(behind).last().map_or(text.len(), |(at, _)| at);
    Cow::Owned(format!("{}…{}", &text[..end], &text[begin..]))
}

#[cfg(test)]
mod tests {
    use super::abridged;

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        for (text, most, expected) in [
            ("", 4, ""),
            ("abcd", 4, "abcd"),
            ("éééé", 4, "éééé"),
            ("abcde", 4, "ab…e"),
            ("éabcdefé", 8, "éabcdefé"),
            ("éabcdefghé", 8, "éabcd…hé"),
            ("ab", 1, "…"),
        ] {
            assert_eq!(abridged(text, most), expected, "{text}");
        }
    }
}
