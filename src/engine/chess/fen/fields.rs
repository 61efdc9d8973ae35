//! The text of a FEN or EPD, cut into fields.

use std::str::SplitWhitespace;

use crate::engine::chess::{Color, File, Piece, Rank, Square};

use super::{FenSyntax, Field, MAX_BYTES, MAX_COUNTER};

/// The fields as they are written; the castling rights need the board to be understood.
pub(super) struct Fields<'a> {
    pub(super) board: [Option<Piece>; 64],
    pub(super) turn: Color,
    pub(super) castling: &'a str,
    pub(super) ep: Option<Square>,
    pub(super) halfmoves: u16,
    pub(super) fullmoves: u16,
}

/// Reads the fields of a FEN with or without its counters, or of an EPD.
pub(super) fn split(text: &str) -> Result<Fields<'_>, FenSyntax> {
    if text.len() > MAX_BYTES {
        return Err(FenSyntax::TooLong(text.len()));
    }
    let mut words = text.split_whitespace();
    let board = board(words.next().ok_or(FenSyntax::Empty)?)?;
    let turn = turn(words.next().ok_or(FenSyntax::MissingField(Field::Turn))?)?;
    let castling = words.next().ok_or(FenSyntax::MissingField(Field::Castling))?;
    let ep = ep_square(words.next().ok_or(FenSyntax::MissingField(Field::EnPassant))?)?;
    let mut fields = Fields { board, turn, castling, ep, halfmoves: 0, fullmoves: 1 };
    counters(&mut fields, words)?;
    Ok(fields)
}

fn board(text: &str) -> Result<[Option<Piece>; 64], FenSyntax> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(FenSyntax::RankCount { board: text.to_owned(), ranks });
    }
    let mut board = [None; 64];
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut squares = 0;
        for letter in row.chars() {
            if let Some(piece) = Piece::from_letter(letter) {
                if squares < 8 {
                    board[Square::new(File::from_index(squares as u8), rank).index()] = Some(piece);
                }
                squares += 1;
            } else {
                squares += match letter {
                    '1'..='8' => u32::from(letter) - u32::from('0'),
                    _ => return Err(FenSyntax::BoardLetter { letter, rank }),
                };
            }
        }
        if squares != 8 {
            return Err(FenSyntax::RankLength { rank, squares });
        }
    }
    Ok(board)
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
fn counters(fields: &mut Fields<'_>, words: SplitWhitespace<'_>) -> Result<(), FenSyntax> {
    let mut words = words.peekable();
    for field in [Field::Halfmoves, Field::Fullmoves] {
        if let Some(word) =
            words.next_if(|word| !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == ';'))
        {
            set_counter(fields, field, word)?;
        }
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    operations(fields, &rest)
}

/// Reads the EPD operations `hmvc` and `fmvn`, and passes over the others.
fn operations(fields: &mut Fields<'_>, text: &str) -> Result<(), FenSyntax> {
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
        set_counter(fields, field, words.next().unwrap_or_default())?;
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

fn set_counter(fields: &mut Fields<'_>, field: Field, word: &str) -> Result<(), FenSyntax> {
    let number = word
        .parse()
        .ok()
        .filter(|number| *number <= MAX_COUNTER && word.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or_else(|| FenSyntax::Counter { field, text: word.to_owned() })?;
    match field {
        Field::Halfmoves => fields.halfmoves = number,
        // Some programs count from 0; the first move is number 1.
        _ => fields.fullmoves = number.max(1),
    }
    Ok(())
}
