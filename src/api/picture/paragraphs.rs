//! Sentences broken into lines, because SVG breaks none.

use super::svg::Svg;

/// The distance between lines, and what is added between sentences.
const LINE: i32 = 19;
const SPACE: i32 = 6;

/// Sentences, each a list of lines.
pub(super) struct Paragraphs(Vec<Vec<String>>);

impl Paragraphs {
    /// Breaks sentences between words into lines of at most so many letters; a longer word has a line of its own.
    pub(super) fn broken(sentences: &[String], columns: usize) -> Self {
        Self(sentences.iter().map(|sentence| lines(sentence, columns)).collect())
    }

    pub(super) fn height(&self) -> i32 {
        self.0.iter().map(|lines| lines.len() as i32 * LINE + SPACE).sum()
    }

    /// Writes the sentences below (`x`, `y`).
    pub(super) fn draw(&self, svg: &mut Svg, (x, y): (i32, i32)) {
        let mut bottom = y;
        for lines in &self.0 {
            for line in lines {
                bottom += LINE;
                svg.written("text", &[("class", &"row"), ("x", &x), ("y", &(bottom - 5))], line);
            }
            bottom += SPACE;
        }
    }
}

fn lines(sentence: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in sentence.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn words_stay_whole() {
        for (sentence, expected) in [
            ("", vec![]),
            ("a bc", vec!["a bc"]),
            ("a bcd ef", vec!["a", "bcd", "ef"]),
            ("abcdef gh", vec!["abcdef", "gh"]),
        ] {
            assert_eq!(lines(sentence, 4), expected, "{sentence}");
        }
    }
}
