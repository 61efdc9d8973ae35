//! A writer of SVG: elements are closed by construction, every value and every text is escaped.

use std::fmt::{Display, Write};

/// An SVG text in the making.
pub(super) struct Svg {
    text: String,
}

/// The attributes of an element, each a name and a value.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

impl Svg {
    /// A picture of this size in its own units, with its description and its style; `draw` fills it.
    pub(super) fn picture(
        (width, height): (i32, i32),
        Caption { title, description }: Caption<'_>,
        style: &str,
        draw: impl FnOnce(&mut Self),
    ) -> String {
        let mut svg = Self { text: String::with_capacity(32 * 1024) };
        let root: Attributes<'_> = &[
            ("xmlns", &"http://www.w3.org/2000/svg"),
            ("viewBox", &format_args!("0 0 {width} {height}")),
            ("width", &width),
            ("height", &height),
            ("role", &"img"),
            ("aria-labelledby", &"picture-title picture-description"),
        ];
        svg.group("svg", root, |svg| {
            svg.written("title", &[("id", &"picture-title")], title);
            svg.written("desc", &[("id", &"picture-description")], description);
            svg.written("style", &[], style);
            draw(svg);
        });
        svg.text
    }

    /// What is part of a page: `draw` puts in everything.
    pub(super) fn fragment(draw: impl FnOnce(&mut Self)) -> String {
        let mut svg = Self { text: String::with_capacity(8 * 1024) };
        draw(&mut svg);
        svg.text
    }

    /// An element with what `draw` puts inside.
    pub(super) fn group(&mut self, name: &str, attributes: Attributes<'_>, draw: impl FnOnce(&mut Self)) {
        self.start(name, attributes);
        self.text.push('>');
        draw(self);
        self.end(name);
    }

    /// An element without anything inside.
    pub(super) fn shape(&mut self, name: &str, attributes: Attributes<'_>) {
        self.start(name, attributes);
        self.text.push_str("/>");
    }

    /// An element with text inside.
    pub(super) fn written(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        self.start(name, attributes);
        self.text.push('>');
        self.escape(text);
        self.end(name);
    }

    fn start(&mut self, name: &str, attributes: Attributes<'_>) {
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            // Writing to a string cannot fail.
            let _ = write!(self.text, " {key}=\"");
            self.escape(&value.to_string());
            self.text.push('"');
        }
    }

    fn end(&mut self, name: &str) {
        let _ = write!(self.text, "</{name}>");
    }

    /// Writes a text so that it is nothing but text; what XML cannot hold is left out.
    fn escape(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '\'' => self.text.push_str("&#39;"),
                '\n' | '\t' => self.text.push(letter),
                '\u{fffe}' | '\u{ffff}' => {}
                _ if letter.is_control() => {}
                _ => self.text.push(letter),
            }
        }
    }
}

/// What a picture says to those who do not see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caption<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
}

#[cfg(test)]
mod tests {
    use super::{Caption, Svg};

    #[test]
    fn nothing_in_a_text_or_a_value_is_markup() {
        let nasty = "</title><script>alert(\"1\")</script> & 'x'\u{0}\u{8}\u{ffff}";
        let caption = Caption { title: nasty, description: nasty };
        let text = Svg::picture((3, 4), caption, "text { fill: red }", |svg| {
            svg.group("g", &[("data-note", &nasty)], |svg| svg.written("text", &[("x", &1)], nasty));
        });
        let document = roxmltree::Document::parse(&text).unwrap();
        let seen = nasty.trim_end_matches(['\u{0}', '\u{8}', '\u{ffff}']);
        let find = |name: &str| document.descendants().find(|node| node.has_tag_name(name)).unwrap();
        for name in ["title", "desc", "text"] {
            assert_eq!(find(name).text(), Some(seen), "{name}");
        }
        assert_eq!(find("g").attribute("data-note"), Some(seen));
        assert!(document.descendants().all(|node| !node.has_tag_name("script")));
    }
}
