//! From text to tokens, each with its place.

use super::error::{Fault, Place};
use super::glyph::Nag;

/// A part of a PGN. Numbers of moves and dots mean nothing and are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// `[Name "value"]`
    Tag {
        name: &'t str,
        value: String,
        /// Whether an empty line stands before it.
        apart: bool,
    },
    /// What stands in braces, or behind a semicolon.
    Comment(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$1`
    Nag(Nag),
    /// A move, a result, or a sign such as `!?`.
    Word(&'t str),
}

/// Reads tokens one by one.
pub(super) struct Lexer<'t> {
    text: &'t str,
    /// Up to where it is read: counted as the text is passed over, since to count anew for each token would take the square of a
    /// line.
    place: Place,
    /// The end of a line, found when a tag asked for it: that of the line on which the lexer is, unless it has passed it.
    line_end: usize,
}

impl<'t> Lexer<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, place: Place { line: 1, column: 1, byte: 0 }, line_end: 0 }
    }

    /// The next token; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<(Place, Token<'t>)>, (Place, Fault)> {
        loop {
            let line = self.place.line;
            self.skip_white();
            let apart = self.place.line > line + 1;
            let place = self.place;
            let Some(first) = self.rest().chars().next() else { return Ok(None) };
            let token = match first {
                '%' if self.place.column == 1 => {
                    self.take_line();
                    continue;
                }
                '[' => self.tag(apart),
                '{' => self.braces(),
                ';' => Ok(Token::Comment(self.take_line()[1..].trim().to_owned())),
                '(' if self.is_no_variation() => continue,
                '(' => Ok(self.sign(Token::Open)),
                ')' => Ok(self.sign(Token::Close)),
                '$' => self.nag(),
                '*' => Ok(self.sign(Token::Word("*"))),
                '}' | ']' | '>' => Err(Fault::Stray(first)),
                // Reserved by the standard for what never came.
                '<' => match self.rest().find('>') {
                    Some(end) => {
                        self.advance(end + 1);
                        continue;
                    }
                    None => Err(Fault::Stray(first)),
                },
                '.' | '…' => {
                    self.advance(first.len_utf8());
                    continue;
                }
                _ => match self.word() {
                    Some(word) => Ok(Token::Word(word)),
                    None => continue,
                },
            };
            return token.map(|token| Some((place, token))).map_err(|fault| (place, fault));
        }
    }

    /// Where the lexer is.
    pub(super) const fn place(&self) -> Place {
        self.place
    }

    fn rest(&self) -> &'t str {
        &self.text[self.place.byte..]
    }

    /// Passes over so many bytes, and counts their lines and characters.
    fn advance(&mut self, bytes: usize) {
        let start = self.place.byte;
        let end = start + bytes;
        let passed = &self.text.as_bytes()[start..end];
        for (offset, byte) in passed.iter().enumerate() {
            let after = start + offset + 1;
            // A carriage return ends a line where no line feed follows.
            if *byte == b'\n' || (*byte == b'\r' && self.text.as_bytes().get(after) != Some(&b'\n')) {
                self.place = Place { line: self.place.line + 1, column: 1, byte: end };
            } else if !is_continuation(*byte) {
                self.place.column += 1;
            }
        }
        self.place.byte = end;
    }

    /// The rest of the line, without its end. Many tags may stand on a line: its end is looked for once.
    fn rest_of_line(&mut self) -> &'t str {
        let rest = self.rest();
        if self.line_end <= self.place.byte {
            self.line_end = self.place.byte + rest.find(['\n', '\r']).unwrap_or(rest.len());
        }
        &rest[..self.line_end - self.place.byte]
    }

    fn skip_white(&mut self) {
        let rest = self.rest();
        let white = rest.len() - rest.trim_start_matches(is_white).len();
        self.advance(white);
    }

    fn sign(&mut self, token: Token<'t>) -> Token<'t> {
        self.advance(1);
        token
    }

    fn take_line(&mut self) -> &'t str {
        let line = self.rest_of_line();
        self.advance(line.len());
        line
    }

    fn braces(&mut self) -> Result<Token<'t>, Fault> {
        let rest = self.rest();
        let end = rest.find('}').ok_or(Fault::OpenComment)?;
        let lines = rest[1..end].lines().map(str::trim).filter(|line| !line.is_empty());
        let comment = lines.collect::<Vec<_>>().join(" ");
        self.advance(end + 1);
        Ok(Token::Comment(comment))
    }

    /// The offer of a draw, and what some write behind a capture en passant.
    fn is_no_variation(&mut self) -> bool {
        let found = ["(=)", "(e.p.)", "(ep)"].iter().find(|mark| self.rest().starts_with(**mark));
        self.advance(found.map_or(0, |mark| mark.len()));
        found.is_some()
    }

    fn nag(&mut self) -> Result<Token<'t>, Fault> {
        let digits = &self.rest()[1..];
        let digits = &digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())];
        let number = digits.parse().map_err(|_| Fault::Glyph)?;
        self.advance(1 + digits.len());
        Ok(Token::Nag(Nag(number)))
    }

    /// What stands up to the next space or sign; nothing if it is the number of a move.
    fn word(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let behind = rest[digits..].chars().next();
        // `0000` is how UCI writes that a side does not move.
        if digits > 0 && &rest[..digits] != "0000" && behind.is_none_or(|c| c == '.' || c == '…' || is_end(c))
        {
            self.advance(digits);
            return None;
        }
        let mut end = rest.find(is_end).unwrap_or(rest.len());
        // `e8(Q)` is one move.
        let promotion = rest[end..].strip_prefix('(').and_then(|rest| rest.get(..2));
        if promotion.is_some_and(|piece| matches!(piece, "Q)" | "R)" | "B)" | "N)")) {
            end += "(Q)".len();
            end += rest[end..].find(is_end).unwrap_or(rest.len() - end);
        }
        self.advance(end);
        Some(&rest[..end])
    }

    fn tag(&mut self, apart: bool) -> Result<Token<'t>, Fault> {
        let line = self.rest_of_line();
        let inner = line[1..].trim_start();
        let name = &inner[..inner.find(|c: char| is_white(c) || "\"[]".contains(c)).unwrap_or(inner.len())];
        let opening = inner[name.len()..].trim_start();
        let value = opening.strip_prefix('"').filter(|_| !name.is_empty()).ok_or(Fault::Tag)?;
        let start = line.len() - value.len();
        let length = closing_quote(value).ok_or(Fault::Tag)?;
        let bracket = value[length..].find(']').ok_or(Fault::Tag)?;
        self.advance(start + length + bracket + 1);
        Ok(Token::Tag { name, value: unescaped(&value[..length]), apart })
    }
}

/// Where a value ends. Many programs do not escape quotes, so that one ends the value which the end of the tag follows: an
/// unescaped one if there is one, else the last.
fn closing_quote(value: &str) -> Option<usize> {
    let mut escaped = false;
    let mut last = None;
    for (at, byte) in value.bytes().enumerate() {
        if byte == b'"' {
            let behind = value[at + 1..].trim_start().strip_prefix(']').map(str::trim_start);
            if behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(['[', '{', ';'])) {
                if !escaped {
                    return Some(at);
                }
                last = Some(at);
            }
        }
        escaped = byte == b'\\' && !escaped;
    }
    last
}

/// A value without the backslashes before quotes and backslashes.
fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = if letter == '\\' { letters.next_if(|next| matches!(next, '"' | '\\')) } else { None };
        text.push(escaped.unwrap_or(letter));
    }
    text
}

/// A byte-order mark in the midst of a text comes from files that were put together.
fn is_white(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{feff}' | '\0')
}

/// Whether a byte of UTF-8 goes on with a character.
const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn is_end(letter: char) -> bool {
    is_white(letter) || "{}()[];$<>*".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::{Lexer, Token};

    fn tags(text: &str) -> Vec<(String, String)> {
        let mut lexer = Lexer::new(text);
        let mut tags = Vec::new();
        while let Ok(Some((_, token))) = lexer.next() {
            let Token::Tag { name, value, .. } = token else { panic!("{token:?}") };
            tags.push((name.to_owned(), value));
        }
        tags
    }

    #[test]
    fn values_end_where_their_tag_does() {
        for (text, value) in [
            (r#"[A "b"]"#, "b"),
            (r#"[ A  "b" ] "#, "b"),
            (r#"[A ""]"#, ""),
            (r#"[A "say \"hello\""]"#, r#"say "hello""#),
            (r#"[A "say "hello""]"#, r#"say "hello""#),
            (r#"[A "C:\\"]"#, r"C:\"),
            (r#"[A "C:\"]"#, r"C:\"),
            (r#"[A "C:\dir"]"#, r"C:\dir"),
            (r#"[A "x [y] z"]"#, "x [y] z"),
            (r#"[A "x "[y]" z"]"#, r#"x "[y]" z"#),
            (r#"[A "x\"] y"]"#, r#"x"] y"#),
        ] {
            assert_eq!(tags(text), [("A".to_owned(), value.to_owned())], "{text}");
        }
        assert_eq!(tags("[A \"1\"][B \"2\"] [C \"3\"]").len(), 3);
    }

    #[test]
    fn words_are_told_apart() {
        let text = "1.e4 1... e5 2 Nf3 {c} 3.d4!? ; rest\n% skipped\n$14 e8(Q)+ (=) (e.p.) <x y> 0-0 1-0";
        let mut lexer = Lexer::new(text);
        let mut words = Vec::new();
        while let Ok(Some((_, token))) = lexer.next() {
            words.extend(match token {
                Token::Word(word) => Some(word),
                _ => None,
            });
        }
        assert_eq!(words, ["e4", "e5", "Nf3", "d4!?", "e8(Q)+", "0-0", "1-0"]);
    }

    #[test]
    fn places_count_lines_and_characters() {
        for (text, line, column) in
            [("é  x", 1, 4), ("\n\r\n  x", 3, 3), ("\r\r x", 3, 2), ("{é\né} x", 2, 4), ("\u{feff}x", 1, 2)]
        {
            let mut lexer = Lexer::new(text);
            let place = loop {
                match lexer.next() {
                    Ok(Some((place, Token::Word("x")))) => break place,
                    Ok(Some(_)) => {}
                    other => panic!("{text:?}: {other:?}"),
                }
            };
            assert_eq!((place.line, place.column), (line, column), "{text:?}");
        }
    }
}
