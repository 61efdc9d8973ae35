//! A result as bytes, and back: nothing that comes back is believed.
//!
//! A value is the format's number, half of the question's digest, the report, and a checksum. Most reports with one line take
//! less than a hundred bytes. What does not depend on the question alone is left out: how long the search took.

use sha2::{Digest as _, Sha256};

use super::bytes::{Reader, put_number, put_signed};
use super::digest::{Digest, MARK_BYTES};
use crate::engine::chess::{Move, Position};
use crate::engine::search::{Bound, End, Limits, Line, MAX_PLY, Report, SearchScore};
use crate::pool::Question;

/// The number of this format; another one has other keys.
pub(super) const FORMAT: u8 = 1;
/// The largest value that is written or read, in bytes: dozens of long lines. A result that takes more is searched again.
pub(super) const MOST_BYTES: usize = 16 << 10;

const CHECKSUM_BYTES: usize = 8;
/// More than any line of the search has: one move a ply, and the moves of a mate that was looked for at its end.
const MOST_MOVES: usize = 256;
/// The most that centipawns are, either way: what the search tells of a won ending.
const MOST_CENTIPAWNS: u32 = 20_000;
const MOST_MOVES_TO_MATE: u32 = MAX_PLY as u32 / 2 + 1;

/// Why bytes are no answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Rejection {
    /// They are too many, or no bytes at all.
    #[error("it is no value of ours")]
    Foreign,
    /// The checksum is not theirs.
    #[error("its checksum is wrong")]
    Checksum,
    /// Another format.
    #[error("its format is another")]
    Format,
    /// They answer another question.
    #[error("it answers another question")]
    Question,
    /// They end too soon or too late, or a number is none of its kind.
    #[error("it cannot be read")]
    Unreadable,
    /// A number is out of its range.
    #[error("a number is out of its range")]
    Range,
    /// A move is illegal, or not one of those asked for.
    #[error("a move is illegal")]
    Move,
}

/// The bytes of a result; none if they are too many, or the result is not one to keep.
pub(super) fn encode(report: &Report, digest: &Digest) -> Option<Vec<u8>> {
    let Report { depth, seldepth, nodes, hashfull, tbhits, effort, lines, end } = report;
    if *tbhits != 0 {
        return None;
    }
    let mut bytes = vec![FORMAT];
    bytes.extend(digest.mark());
    bytes.extend([end_number(*end)?, *depth, *seldepth]);
    put_number(&mut bytes, *nodes);
    put_number(&mut bytes, u64::from(*hashfull));
    put_number(&mut bytes, u64::from(*effort));
    put_number(&mut bytes, lines.len() as u64);
    for line in lines {
        put_line(&mut bytes, line);
    }
    bytes.extend(checksum(&bytes));
    (bytes.len() <= MOST_BYTES).then_some(bytes)
}

fn put_line(bytes: &mut Vec<u8>, line: &Line) {
    let Line { score, bound, depth, moves, correction } = line;
    let (kind, number) = match score {
        SearchScore::Cp(centipawns) => (0, *centipawns),
        SearchScore::Mate(moves) => (1, *moves),
    };
    bytes.extend([kind, *bound as u8, *depth]);
    put_signed(bytes, number);
    put_signed(bytes, *correction);
    put_number(bytes, moves.len() as u64);
    bytes.extend(moves.iter().flat_map(|mv| mv.bits().to_le_bytes()));
}

/// The result in these bytes, if it may be what a search for the question finds.
///
/// # Errors
/// What is wrong with them.
pub(super) fn decode(bytes: &[u8], digest: &Digest, question: &Question) -> Result<Report, Rejection> {
    if bytes.len() > MOST_BYTES {
        return Err(Rejection::Foreign);
    }
    let (content, sum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(Rejection::Foreign)?;
    if *sum != checksum(content) {
        return Err(Rejection::Checksum);
    }
    let (format, content) = content.split_first().ok_or(Rejection::Foreign)?;
    if *format != FORMAT {
        return Err(Rejection::Format);
    }
    let (mark, content) = content.split_first_chunk::<MARK_BYTES>().ok_or(Rejection::Foreign)?;
    if *mark != digest.mark() {
        return Err(Rejection::Question);
    }
    let mut reader = Reader(content);
    let report = read(&mut reader).ok_or(Rejection::Unreadable)?;
    if !reader.0.is_empty() {
        return Err(Rejection::Unreadable);
    }
    check(&report, question)?;
    Ok(report)
}

fn read(reader: &mut Reader<'_>) -> Option<Report> {
    let end = end(reader.byte()?)?;
    let (depth, seldepth) = (reader.byte()?, reader.byte()?);
    let (nodes, hashfull, effort) = (reader.number()?, reader.small()?, reader.small()?);
    // As many as there are, whatever their number claims to be: a line takes several bytes.
    let lines = (0..reader.number()?).map(|_| read_line(reader)).collect::<Option<_>>()?;
    Some(Report { depth, seldepth, nodes, hashfull, tbhits: 0, effort, lines, end })
}

fn read_line(reader: &mut Reader<'_>) -> Option<Line> {
    let (kind, bound, depth) = (reader.byte()?, bound(reader.byte()?)?, reader.byte()?);
    let (number, correction) = (reader.signed()?, reader.signed()?);
    let score = match kind {
        0 => SearchScore::Cp(number),
        1 => SearchScore::Mate(number),
        _ => return None,
    };
    let moves = (0..reader.number()?).map(|_| reader.word().map(Move::from_bits)).collect::<Option<_>>()?;
    Some(Line { score, bound, depth, moves, correction })
}

/// Whether a search for the question may have found this.
fn check(report: &Report, question: &Question) -> Result<(), Rejection> {
    let Question { position, limits, multi_pv, .. } = question;
    let Report { depth, seldepth, nodes, hashfull, tbhits: _, effort, lines, end } = report;
    let is_within_range = usize::from(*depth) <= MAX_PLY
        && limits.depth.is_none_or(|limit| *depth <= limit.max(1))
        && usize::from(*seldepth) <= MAX_PLY
        && limits.nodes.is_none_or(|limit| *nodes <= limit)
        && *hashfull <= 1000
        && *effort <= 1000
        && may_end(*end, *depth, question)
        && (1..=multi_pv.get()).contains(&lines.len())
        && lines.iter().all(|line| is_line_within_range(line, *depth));
    if !is_within_range {
        return Err(Rejection::Range);
    }
    let first_moves = first_moves(question);
    let mut told = Vec::with_capacity(lines.len());
    for line in lines {
        let first = *line.moves.first().ok_or(Rejection::Move)?;
        if !first_moves.contains(&first) || told.contains(&first) || !is_legal_line(position, &line.moves) {
            return Err(Rejection::Move);
        }
        told.push(first);
    }
    Ok(())
}

fn is_line_within_range(line: &Line, depth: u8) -> bool {
    let is_score = match line.score {
        SearchScore::Cp(centipawns) => centipawns.unsigned_abs() <= MOST_CENTIPAWNS,
        SearchScore::Mate(moves) => moves != 0 && moves.unsigned_abs() <= MOST_MOVES_TO_MATE,
    };
    // An iteration that the search did not finish may have told a line.
    is_score
        && line.depth <= depth.saturating_add(1)
        && line.correction.unsigned_abs() <= MOST_CENTIPAWNS
        && line.moves.len() <= MOST_MOVES
}

/// Whether a search with these limits ends like this.
fn may_end(end: End, depth: u8, question: &Question) -> bool {
    let Question { limits: Limits { depth: last, nodes }, handicap, .. } = question;
    match end {
        End::Depth => last.is_none_or(|last| depth == last.max(1).min(MAX_PLY as u8)),
        End::Nodes => nodes.is_some() || handicap.is_some(),
        End::Mate | End::OnlyMove => true,
        End::Running | End::Stopped | End::Terminal => false,
    }
}

/// The moves that a line may begin with: those asked for, or all where none of them is legal.
fn first_moves(question: &Question) -> Vec<Move> {
    let legal = question.position.legal_moves();
    let chosen: Vec<Move> = legal.iter().copied().filter(|mv| question.search_moves.contains(mv)).collect();
    if chosen.is_empty() { legal.to_vec() } else { chosen }
}

fn is_legal_line(position: &Position, moves: &[Move]) -> bool {
    let mut position = *position;
    moves.iter().all(|mv| {
        let is_legal = position.is_legal(*mv);
        if is_legal {
            position.play(*mv);
        }
        is_legal
    })
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let hash: [u8; 32] = Sha256::digest(bytes).into();
    std::array::from_fn(|index| hash[index])
}

/// None for the end of what is not kept.
const fn end_number(end: End) -> Option<u8> {
    match end {
        End::Depth => Some(1),
        End::Nodes => Some(2),
        End::Mate => Some(3),
        End::OnlyMove => Some(4),
        End::Running | End::Stopped | End::Terminal => None,
    }
}

const fn end(number: u8) -> Option<End> {
    match number {
        1 => Some(End::Depth),
        2 => Some(End::Nodes),
        3 => Some(End::Mate),
        4 => Some(End::OnlyMove),
        _ => None,
    }
}

const fn bound(number: u8) -> Option<Bound> {
    match number {
        1 => Some(Bound::Upper),
        2 => Some(Bound::Lower),
        3 => Some(Bound::Exact),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
