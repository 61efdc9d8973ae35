//! A game as PGN that every reader takes.

use std::fmt::Write;

use super::record::{Line, Ply, Record, Tags, Termination};
use crate::engine::chess::{Color, FenStyle, Move, Position, Variant, fen, san};

/// The longest line, as the standard has it.
const COLUMNS: usize = 80;

/// The tags that every game has, and what stands for what is not known.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// Writes a game: the seven tags that every game has and all others, then the moves with what is said of them.
#[must_use]
pub fn write(record: &Record) -> String {
    let mut text = String::new();
    for (name, value) in tags(record).iter() {
        let value = value.replace(|letter: char| letter.is_control(), " ");
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Cannot fail: a text takes everything.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let mut words = Words::default();
    words.comments(&record.preface);
    words.line(&record.moves, *record.start.position());
    words.push(result(record));
    words.wrap_into(&mut text);
    text
}

fn result(record: &Record) -> &str {
    let tag = || record.tags.get("Result").filter(|result| Termination::read(result).is_some());
    record.termination.map_or_else(|| tag().unwrap_or("*"), |termination| termination.text())
}

/// The tags, with those that are missing.
fn tags(record: &Record) -> Tags {
    let mut tags = Tags::default();
    for (name, unknown) in ROSTER {
        tags.set(name, record.tags.get(name).unwrap_or(unknown));
    }
    tags.set("Result", result(record));
    for (name, value) in record.tags.iter().filter(|(name, _)| *name != "Result") {
        tags.set(name, value);
    }
    let start = record.start.position();
    if tags.get("FEN").is_none() && *start != Position::start() {
        tags.set("SetUp", "1");
        tags.set("FEN", &fen::format(start, FenStyle::XFen));
    }
    if tags.get("Variant").is_none() && record.start.variant() == Variant::Chess960 {
        tags.set("Variant", "Chess960");
    }
    tags
}

/// The parts of the moves' text, between which a line may end.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    /// Whether the next move needs its number though it is Black's.
    interrupted: bool,
}

impl Words {
    fn push(&mut self, word: &str) {
        self.words.push(word.to_owned());
    }

    fn line(&mut self, moves: &[Ply], mut position: Position) {
        self.interrupted = true;
        for ply in moves {
            let before = position;
            self.mv(ply.mv, &mut position);
            for nag in &ply.nags {
                self.push(&format!("${}", nag.0));
            }
            self.comments(&ply.comments);
            for variation in &ply.variations {
                self.variation(variation, before);
            }
        }
    }

    fn mv(&mut self, mv: Move, position: &mut Position) {
        let number = position.fullmoves();
        match (position.turn(), self.interrupted) {
            (Color::White, _) => self.push(&format!("{number}.")),
            (Color::Black, true) => self.push(&format!("{number}...")),
            (Color::Black, false) => {}
        }
        self.interrupted = false;
        if mv.is_some() {
            self.push(&san::format(position, mv));
            position.play(mv);
        } else {
            self.push("--");
            position.play_null();
        }
    }

    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            // A brace would end the comment.
            let comment = comment.replace('}', ")");
            self.push("{");
            for word in comment.split_whitespace() {
                match self.words.last_mut() {
                    // Not every reader takes a command that goes on in the next line.
                    Some(command) if command.starts_with("[%") && !command.ends_with(']') => {
                        command.push(' ');
                        command.push_str(word);
                    }
                    _ => self.push(word),
                }
            }
            self.push("}");
            self.interrupted = true;
        }
    }

    fn variation(&mut self, line: &Line, before: Position) {
        let opening = self.words.len();
        self.comments(&line.preface);
        self.line(&line.moves, before);
        // Parentheses stand without spaces.
        if let Some(first) = self.words.get_mut(opening) {
            first.insert(0, '(');
        }
        if let Some(last) = self.words.last_mut() {
            last.push(')');
        }
        self.interrupted = true;
    }

    fn wrap_into(self, text: &mut String) {
        let mut column = 0;
        for word in self.words {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > COLUMNS {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            // At the beginning of a line a `%` would hide it.
            if column == 0 && word.starts_with('%') {
                text.push(' ');
                column += 1;
            }
            text.push_str(&word);
            column += length;
        }
        text.push('\n');
    }
}
