//! What a line of input asks for.

use crate::engine::chess::Color;

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
    /// What was not understood and is passed over, a sentence each.
    pub(super) passed_over: Vec<String>,
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
            "position" => position(rest),
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

fn position(words: &[&str]) -> Command {
    let moves_at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let fen = match &words[..moves_at] {
        ["startpos"] => None,
        ["fen", fields @ ..] | fields => Some(whole(fields)),
    };
    let moves = words[moves_at..].iter().skip(1).map(|word| (*word).to_owned()).collect();
    Command::Position { fen, moves }
}

/// A FEN with the fields that some senders leave out: the side to move and all that follows, or the en-passant square
/// between the castling rights and the counters.
fn whole(fields: &[&str]) -> String {
    let mut fields = fields.to_vec();
    if fields.get(3).is_some_and(|field| field.parse::<u16>().is_ok()) {
        fields.insert(3, "-");
    }
    // Without a board there is nothing to complete.
    for (missing, usual) in [(1, "w"), (2, "-"), (3, "-")] {
        if fields.len() == missing {
            fields.push(usual);
        }
    }
    fields.join(" ")
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    let ["name", words @ ..] = words else { return Err("setoption wants name and value".to_owned()) };
    let value_at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
    let name = words[..value_at].join(" ");
    let value = words[value_at..].iter().skip(1).copied().collect::<Vec<_>>().join(" ");
    Ok(Command::SetOption { name, value })
}

/// Reads the arguments of `go`. Whoever sends it waits for a best move: what is not understood is passed over.
///
/// # Errors
/// If moves are to be counted, but not to what depth: nobody waits for a best move then.
fn go(words: &[&str]) -> Result<Go, String> {
    let mut go = Go::default();
    let mut limit_is_lost = false;
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !is_of_go(word)) {
                    go.search_moves.push(mv.to_owned());
                }
            }
            "perft" => go.perft = Some(perft_depth(words.next())?),
            name if NUMBERS.contains(&name) => {
                if let Some(number) = words.peek().and_then(|word| number(word)) {
                    words.next();
                    go.set(name, number);
                } else {
                    limit_is_lost = true;
                    go.passed_over.push(format!("{name} wants a number"));
                }
            }
            _ => go.passed_over.push(format!("go does not know '{word}'")),
        }
    }
    if limit_is_lost && !go.is_limited() {
        go.movetime_ms = Some(MOVETIME_WITHOUT_LIMIT_MS);
    }
    Ok(go)
}

/// The arguments that have a number.
const NUMBERS: [&str; 9] =
    ["depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate"];

/// Whether a list of moves ends before this word.
fn is_of_go(word: &str) -> bool {
    NUMBERS.contains(&word) || ["infinite", "ponder", "searchmoves", "perft"].contains(&word)
}

/// How long a move takes if there was a limit, but none that was understood.
const MOVETIME_WITHOUT_LIMIT_MS: u64 = 1_000;

impl Go {
    /// Sets what has a number. Some senders let increments and times run below zero.
    fn set(&mut self, name: &str, number: i64) {
        let natural = number.max(0).unsigned_abs();
        // Everything beyond 255 is as good as 255.
        let plies = u8::try_from(natural).unwrap_or(u8::MAX);
        match name {
            "depth" => self.depth = Some(plies),
            "nodes" => self.nodes = Some(natural),
            "movetime" => self.movetime_ms = Some(natural),
            "wtime" => self.wtime_ms = Some(number),
            "btime" => self.btime_ms = Some(number),
            "winc" => self.winc_ms = natural,
            "binc" => self.binc_ms = natural,
            // No moves to go is what some senders say if there is no further time control.
            "movestogo" => {
                self.movestogo = (natural > 0).then(|| u32::try_from(natural).unwrap_or(u32::MAX));
            }
            "mate" => self.mate = Some(plies),
            _ => {}
        }
    }

    /// What is left on this side's clock and its increment, in milliseconds. If only the other side's is told, this side's shows
    /// the same.
    pub(super) fn clock(&self, turn: Color) -> Option<(i64, u64)> {
        match turn {
            Color::White => Some((self.wtime_ms.or(self.btime_ms)?, self.winc_ms)),
            Color::Black => Some((self.btime_ms.or(self.wtime_ms)?, self.binc_ms)),
        }
    }

    /// Whether something says when to end, be it `stop`.
    const fn is_limited(&self) -> bool {
        let by_clock = self.movetime_ms.is_some() || self.wtime_ms.is_some() || self.btime_ms.is_some();
        by_clock
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.infinite
            || self.ponder
    }
}

/// A whole number, or the whole part of a decimal one; the nearest there is if it is out of range.
fn number(word: &str) -> Option<i64> {
    let decimal = || word.parse::<f64>().ok().filter(|number| number.is_finite());
    word.parse().ok().or_else(|| decimal().map(|number| number as i64))
}

/// Nobody lives to see more than twenty plies counted.
fn perft_depth(word: Option<&str>) -> Result<u8, String> {
    let depth = word.and_then(|word| word.parse().ok()).ok_or("perft wants a number")?;
    if (1..=20).contains(&depth) { Ok(depth) } else { Err("perft wants a depth from 1 to 20".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::{Command, Go};

    #[test]
    fn positions_have_a_fen_and_moves() {
        let parsed = Command::parse("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2 c1c2\n");
        let Ok(Command::Position { fen: Some(fen), moves }) = parsed else { panic!("{parsed:?}") };
        assert_eq!((fen.as_str(), moves.len()), ("8/8/8/8/8/8/8/K1k5 w - - 0 1", 2));
    }

    #[test]
    fn what_a_fen_lacks_is_added() {
        for (short, whole) in [
            ("8/8/8/8/8/8/8/K1k5", "8/8/8/8/8/8/8/K1k5 w - -"),
            ("8/8/8/8/8/8/8/K1k5 b", "8/8/8/8/8/8/8/K1k5 b - -"),
            ("8/8/8/8/8/8/8/4K2k w -", "8/8/8/8/8/8/8/4K2k w - -"),
            ("8/8/8/8/8/8/8/4K2k w - 3 9", "8/8/8/8/8/8/8/4K2k w - - 3 9"),
            ("8/8/8/8/8/8/8/4K2k w - - 3 9", "8/8/8/8/8/8/8/4K2k w - - 3 9"),
            ("", ""),
        ] {
            let parsed = Command::parse(&format!("position fen {short} moves e1e2"));
            let Ok(Command::Position { fen: Some(fen), .. }) = parsed else { panic!("{parsed:?}") };
            assert_eq!(fen, whole, "{short}");
        }
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
    }

    /// A `go` that is understood, with or without passing something over.
    fn go(line: &str) -> Go {
        match Command::parse(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn go_passes_over_what_it_does_not_understand() {
        let depth_4 = Go { depth: Some(4), ..Go::default() };
        for (line, passed_over) in [
            ("go depth 4 foo", 1),
            ("go foo depth 4", 1),
            ("go depth 4 nodestime 100", 2),
            ("go nodes depth 4", 1),
            ("go nodes many depth 4", 2),
            ("go depth 4 wtime", 1),
        ] {
            let go = go(line);
            assert_eq!(go.passed_over.len(), passed_over, "{line}: {:?}", go.passed_over);
            assert_eq!(Go { passed_over: Vec::new(), ..go }, depth_4, "{line}");
        }
        for line in ["go depth", "go depth four", "go wtime x btime y", "go movetime NaN"] {
            assert_eq!(go(line).movetime_ms, Some(1_000), "{line}");
        }
        for line in ["go", "go foo", "go infinite depth", "go ponder wtime", "go mate 3 depth"] {
            assert_eq!(go(line).movetime_ms, None, "{line}");
        }
        assert!(Command::parse("go perft").is_err());
        assert!(Command::parse("go perft x").is_err());
    }

    #[test]
    fn numbers_are_brought_into_range() {
        let below = Go { depth: Some(0), nodes: Some(0), wtime_ms: Some(-7), ..Go::default() };
        assert_eq!(go("go depth -1 nodes -3 wtime -7 winc -5 movestogo -1"), below);
        assert_eq!(go("go movestogo 0"), Go::default());
        let decimal = Go { wtime_ms: Some(1_000), btime_ms: Some(-1), ..Go::default() };
        assert_eq!(go("go wtime 1000.9 btime -1.5"), decimal);
        let huge = Go { wtime_ms: Some(i64::MAX), movestogo: Some(u32::MAX), ..Go::default() };
        assert_eq!(go("go wtime 99999999999999999999 movestogo 99999999999"), huge);
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
