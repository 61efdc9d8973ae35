//! The text of a FEN or EPD, cut into fields.

use crate::engine::chess::setup::Setup;
use crate::engine::chess::{Color, File, Piece, Rank, Square};

use super::{FenSyntax, Field, MAX_BYTES, MAX_COUNTER};

/// The fields: all but the castling rights, which need the board to be understood, are read.
pub(super) struct Fields<'a> {
    pub(super) setup: Setup,
    pub(super) castling: &'a str,
}

/// Reads the fields of a FEN with or without its counters, or of an EPD.
pub(super) fn split(text: &str) -> Result<Fields<'_>, FenSyntax> {
    if text.len() > MAX_BYTES {
        return Err(FenSyntax::TooLong(text.len()));
    }
    // Nearly every FEN is ASCII, whose white space is found sooner.
    if text.is_ascii() { read(text.split_ascii_whitespace()) } else { read(text.split_whitespace()) }
}

/// Reads the words of a FEN or EPD.
fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Fields<'a>, FenSyntax> {
    let mut setup = Setup::EMPTY;
    board(&mut setup, words.next().ok_or(FenSyntax::Empty)?)?;
    setup.turn = turn(words.next().ok_or(FenSyntax::MissingField(Field::Turn))?)?;
    let castling = words.next().ok_or(FenSyntax::MissingField(Field::Castling))?;
    setup.ep = ep_square(words.next().ok_or(FenSyntax::MissingField(Field::EnPassant))?)?;
    let mut fields = Fields { setup, castling };
    counters(&mut fields.setup, words)?;
    Ok(fields)
}

fn board(setup: &mut Setup, text: &str) -> Result<(), FenSyntax> {
    place(setup, text).map_err(|error| match 1 + text.matches('/').count() {
        8 => error,
        ranks => FenSyntax::RankCount { board: text.to_owned(), ranks },
    })
}

/// Puts the pieces on the board. In one pass over the bytes, for it stands before every static evaluation; all that is
/// allowed is ASCII.
fn place(setup: &mut Setup, text: &str) -> Result<(), FenSyntax> {
    let (mut rank, mut squares) = (Rank::Eight, 0);
    for (index, byte) in text.bytes().enumerate() {
        if let Some(piece) = Piece::from_letter(char::from(byte)) {
            if squares < 8 {
                setup.put(Square::new(File::from_index(squares as u8), rank), Some(piece));
            }
            squares += 1;
        } else if matches!(byte, b'1'..=b'8') {
            squares += u32::from(byte - b'0');
        } else if byte == b'/' && squares == 8 && rank > Rank::One {
            (rank, squares) = (Rank::from_index(rank.index() as u8 - 1), 0);
        } else if byte == b'/' {
            return Err(FenSyntax::RankLength { rank, squares });
        } else {
            let letter = text.get(index..).and_then(|rest| rest.chars().next());
            return Err(FenSyntax::BoardLetter { letter: letter.unwrap_or_default(), rank });
        }
    }
    if squares == 8 && rank == Rank::One { Ok(()) } else { Err(FenSyntax::RankLength { rank, squares }) }
}

fn turn(word: &str) -> Result<Color, FenSyntax> {
    match word {
        "w" | "W" => Ok(Color::White),
        "b" | "B" => Ok(Color::Black),
        _ => Err(FenSyntax::Turn(word.to_owned())),
    }
}

fn ep_square(word: &str) -> Result<Option<Square>, FenSyntax> {
    if word == "-" {
        return Ok(None);
    }
    word.parse().map(Some).map_err(|_| FenSyntax::EnPassant(word.to_owned()))
}

/// Reads what follows the fourth field: none, one or both counters, then EPD operations.
fn counters<'a>(setup: &mut Setup, words: impl Iterator<Item = &'a str>) -> Result<(), FenSyntax> {
    let mut words = words.peekable();
    for field in [Field::Halfmoves, Field::Fullmoves] {
        if let Some(word) =
            words.next_if(|word| !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == ';'))
        {
            set_counter(setup, field, word)?;
        }
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    operations(setup, &rest)
}

/// Reads the EPD operations `hmvc` and `fmvn`, and passes over the others.
fn operations(setup: &mut Setup, text: &str) -> Result<(), FenSyntax> {
    for operation in split_operations(text) {
        let mut words = operation.split(' ');
        let Some(opcode) = words.next().filter(|opcode| !opcode.is_empty()) else { continue };
        if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(FenSyntax::Operation(opcode.to_owned()));
        }
        let field = match opcode {
            "hmvc" => Field::Halfmoves,
            "fmvn" => Field::Fullmoves,
            "moves" => return Err(FenSyntax::Moves),
            _ => continue,
        };
        set_counter(setup, field, words.next().unwrap_or_default())?;
    }
    Ok(())
}

/// The operations of an EPD: each ends at a semicolon that is not within quotes.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    })
    .map(str::trim)
}

fn set_counter(setup: &mut Setup, field: Field, word: &str) -> Result<(), FenSyntax> {
    let number = word
        .parse()
        .ok()
        .filter(|number| *number <= MAX_COUNTER && word.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or_else(|| FenSyntax::Counter { field, text: word.to_owned() })?;
    match field {
        Field::Halfmoves => setup.halfmoves = number,
        // Some programs count from 0; the first move is number 1.
        _ => setup.fullmoves = number.max(1),
    }
    Ok(())
}
