//! What a line of input asks for.

use std::str::FromStr;

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    /// A position by its FEN, or the start, and the moves played from there.
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Go),
    Stop,
    PonderHit,
    SetOption {
        name: String,
        value: String,
    },
    /// Show the board.
    Display,
    /// Show the static value.
    Eval,
    Quit,
    /// Nothing to do: an empty line, or a command that every engine may ignore.
    Nothing,
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) depth: Option<u8>,
    pub(super) nodes: Option<u64>,
    pub(super) movetime_ms: Option<u64>,
    pub(super) wtime_ms: Option<i64>,
    pub(super) btime_ms: Option<i64>,
    pub(super) winc_ms: u64,
    pub(super) binc_ms: u64,
    pub(super) movestogo: Option<u32>,
    /// Look for a mate in so many moves.
    pub(super) mate: Option<u8>,
    pub(super) perft: Option<u8>,
    pub(super) search_moves: Vec<String>,
    /// Until `stop`.
    pub(super) infinite: bool,
    /// On the opponent's time, until `stop` or `ponderhit`.
    pub(super) ponder: bool,
}

impl Command {
    /// Reads a line; unknown words before a command are passed over, as the protocol wants it.
    ///
    /// # Errors
    /// A sentence that says what was not understood.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let words: Vec<_> = line.split_whitespace().collect();
        let Some(first) = words.iter().position(|word| is_command(word)) else {
            return match words.first() {
                None => Ok(Self::Nothing),
                Some(word) => Err(format!("unknown command '{word}'")),
            };
        };
        let rest = &words[first + 1..];
        Ok(match words[first] {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "position" => position(rest)?,
            "go" => Self::Go(go(rest)?),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "setoption" => set_option(rest)?,
            "d" => Self::Display,
            "eval" => Self::Eval,
            "quit" => Self::Quit,
            _ => Self::Nothing,
        })
    }
}

const COMMANDS: [&str; 13] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "setoption",
    "d",
    "eval",
    "quit",
    "debug",
    "register",
];

fn is_command(word: &str) -> bool {
    COMMANDS.contains(&word)
}

fn position(words: &[&str]) -> Result<Command, String> {
    let moves_at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let fen = match words[..moves_at] {
        ["startpos"] => None,
        ["fen", ref fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
        _ => return Err("position wants startpos or fen".to_owned()),
    };
    let moves = words[moves_at..].iter().skip(1).map(|word| (*word).to_owned()).collect();
    Ok(Command::Position { fen, moves })
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    let ["name", words @ ..] = words else { return Err("setoption wants name and value".to_owned()) };
    let value_at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
    let name = words[..value_at].join(" ");
    let value = words[value_at..].iter().skip(1).copied().collect::<Vec<_>>().join(" ");
    Ok(Command::SetOption { name, value })
}

fn go(words: &[&str]) -> Result<Go, String> {
    let mut go = Go::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) =
                    words.next_if(|word| word.as_bytes().get(1).is_some_and(u8::is_ascii_digit))
                {
                    go.search_moves.push(mv.to_owned());
                }
            }
            "depth" => go.depth = Some(capped(word, words.next())?),
            "nodes" => go.nodes = Some(number(word, words.next())?),
            "movetime" => go.movetime_ms = Some(at_least_zero(word, words.next())?),
            "wtime" => go.wtime_ms = Some(number(word, words.next())?),
            "btime" => go.btime_ms = Some(number(word, words.next())?),
            "winc" => go.winc_ms = at_least_zero(word, words.next())?,
            "binc" => go.binc_ms = at_least_zero(word, words.next())?,
            "movestogo" => go.movestogo = Some(number(word, words.next())?),
            "mate" => go.mate = Some(capped(word, words.next())?),
            "perft" => go.perft = Some(perft_depth(words.next())?),
            _ => return Err(format!("go does not know '{word}'")),
        }
    }
    Ok(go)
}

fn number<T: FromStr>(name: &str, word: Option<&str>) -> Result<T, String> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| format!("{name} wants a number"))
}

/// Some senders let increments and times run below zero.
fn at_least_zero(name: &str, word: Option<&str>) -> Result<u64, String> {
    number::<i64>(name, word).map(|number| number.max(0).unsigned_abs())
}

/// Nobody lives to see more than twenty plies counted.
fn perft_depth(word: Option<&str>) -> Result<u8, String> {
    let depth = number("perft", word)?;
    if (1..=20).contains(&depth) { Ok(depth) } else { Err("perft wants a depth from 1 to 20".to_owned()) }
}

/// A number of which everything beyond 255 is as good as 255.
fn capped(name: &str, word: Option<&str>) -> Result<u8, String> {
    number::<u64>(name, word).map(|number| u8::try_from(number).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Command, Go};

    #[test]
    fn positions_have_a_fen_and_moves() {
        let parsed = Command::parse("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2 c1c2\n");
        let Ok(Command::Position { fen: Some(fen), moves }) = parsed else { panic!("{parsed:?}") };
        assert_eq!((fen.as_str(), moves.len()), ("8/8/8/8/8/8/8/K1k5 w - - 0 1", 2));
        assert!(Command::parse("position").is_err());
        assert!(Command::parse("position fen").is_err());
    }

    #[test]
    fn go_has_its_arguments_in_any_order() {
        let parsed = Command::parse("go searchmoves e2e4 d2d4 depth 900 wtime -5 winc 10");
        let go = Go {
            search_moves: vec!["e2e4".to_owned(), "d2d4".to_owned()],
            depth: Some(255),
            wtime_ms: Some(-5),
            winc_ms: 10,
            ..Go::default()
        };
        assert_eq!(parsed, Ok(Command::Go(go)));
        assert!(Command::parse("go depth").is_err());
        assert!(Command::parse("go depth x").is_err());
        assert!(Command::parse("go sideways").is_err());
    }

    #[test]
    fn names_of_options_may_have_blanks() {
        let expected = Command::SetOption { name: "Clear Hash".to_owned(), value: String::new() };
        assert_eq!(Command::parse("setoption name Clear Hash"), Ok(expected));
    }

    #[test]
    fn noise_before_a_command_is_passed_over() {
        assert_eq!(Command::parse("joho isready"), Ok(Command::IsReady));
        assert_eq!(Command::parse("  \t "), Ok(Command::Nothing));
        assert!(Command::parse("hello").is_err());
    }
}
