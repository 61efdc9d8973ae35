//! The look of the pictures, light and dark, with no font but what the reader's system has.

/// Which of the two looks a picture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// That of the reader's system.
    Auto,
    Light,
    Dark,
}

/// The style sheet of a picture.
pub(super) fn style(theme: Theme) -> String {
    match theme {
        Theme::Auto => format!("\n{LIGHT}@media (prefers-color-scheme: dark) {{\n{DARK}}}\n"),
        Theme::Light => format!("\n{LIGHT}"),
        Theme::Dark => format!("\n{LIGHT}{DARK}"),
    }
}

/// Colours and letters. The board keeps its colours in the dark, only dimmed, so that white and black pieces stay apart on
/// it; good is blue and bad is orange, which every kind of colour vision tells apart.
const LIGHT: &str = "\
text { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; fill: #1c1e21 }
.paper { fill: #ffffff }
.headline { font-size: 21px; font-weight: 600 }
.subtitle, .legend { font-size: 14px; fill: #50555c }
.head { font-size: 13px; fill: #50555c }
.row { font-size: 14px }
.total { font-size: 15px; font-weight: 700 }
.silent { fill: #6b7178 }
.number { text-anchor: end; font-variant-numeric: tabular-nums }
.middle { text-anchor: middle }
.coordinate { font-size: 13px; text-anchor: middle; fill: #50555c }
.label { font-size: 13px; font-weight: 600; text-anchor: middle; fill: #1c1e21; font-variant-numeric: tabular-nums }
.pill { fill: #ffffff; fill-opacity: 0.86 }
.light-square { fill: #ece6d9 }
.dark-square { fill: #bfb49d }
.good { fill: #1668d8 }
.bad { fill: #e0560b }
.rule { stroke: #c9cdd2; stroke-width: 1 }
.axis { stroke: #80868d; stroke-width: 1 }
.stripe { fill: #f3f4f6 }
.white-piece { fill: #ffffff; stroke: #17181a; stroke-width: 4; stroke-linejoin: round; stroke-linecap: round }
.black-piece { fill: #2a2c30; stroke: #0c0d0e; stroke-width: 4; stroke-linejoin: round; stroke-linecap: round }
.white-piece .line { fill: none; stroke: #17181a }
.black-piece .line { fill: none; stroke: #f1f1f1 }
.last-move { fill: #f2c230; fill-opacity: 0.55 }
.check { fill: #d92b2b; fill-opacity: 0.6 }
.arrow { fill-opacity: 0.8; stroke-opacity: 0.8; stroke-width: 5 }
.green { fill: #15781b; stroke: #15781b }
.red { fill: #b3261e; stroke: #b3261e }
.yellow { fill: #d99b00; stroke: #d99b00 }
.blue { fill: #1457b8; stroke: #1457b8 }
.arrow.ring { fill: none }
.arrow.tip { stroke: none }
.unknown { fill: #a4a8ae }
.white-share { fill: #f1efe8 }
.black-share { fill: #4a4e55 }
.curve { fill: none; stroke: #1668d8; stroke-width: 2; stroke-linejoin: round }
.mark { stroke: #ffffff; stroke-width: 1.5 }
.inaccuracy { fill: #d99b00 }
.mistake { fill: #e0560b }
.blunder { fill: #c1121f }
";

/// What is otherwise in the dark.
const DARK: &str = "\
text { fill: #e8eaed }
.paper { fill: #16181c }
.subtitle, .legend, .head, .coordinate { fill: #a9b0b8 }
.silent { fill: #8d949c }
.light-square { fill: #b8b2a5 }
.dark-square { fill: #8f8674 }
.good { fill: #1f6fe0 }
.bad { fill: #e8590c }
.bar.good { fill: #5b9dff }
.bar.bad { fill: #ff8a4c }
.pill { fill: #f4f4f2; fill-opacity: 0.9 }
.rule { stroke: #3b4047 }
.axis { stroke: #79808a }
.stripe { fill: #1e2126 }
.unknown { fill: #6c7178 }
.white-share { fill: #d9d6cc }
.black-share { fill: #34383e }
";
