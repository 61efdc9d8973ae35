//! From bytes to text.

use std::borrow::Cow;

/// The text of a file: UTF-8, with or without a byte-order mark, and what is no UTF-8 taken for Latin-1, in which older
/// programs wrote names.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let mut bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_end();
    // The end of a file of the days of DOS, as such and as it looks when it has been read as a byte.
    while let Some(rest) = bytes.strip_suffix(b"\x1A").or_else(|| bytes.strip_suffix(b"\xFF")) {
        bytes = rest.trim_ascii_end();
    }
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // The first 256 characters of Unicode are Latin-1.
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn both_encodings_are_read() {
        assert_eq!(decode(b"\xEF\xBB\xBF[White \"Jos\xC3\xA9\"]"), "[White \"José\"]");
        assert_eq!(decode(b"[White \"Jos\xE9\"]"), "[White \"José\"]");
        assert_eq!(decode(b"1-0\r\n\xFF\x1A\n"), "1-0");
        assert_eq!(decode(b""), "");
    }
}
