//! From tokens to games.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::error::{Fault, PgnError, Place};
use super::glyph::{Nag, split_sign};
use super::lexer::{Lexer, Token};
use super::record::{Line, Notice, Ply, Record, Tags, Termination};
use super::setup;
use crate::engine::chess::{Game, Move, MoveError, Position, Reason, Variant, parse_move};

/// The most that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Games of a text.
    pub games: usize,
    /// Half-moves of a game's main line.
    pub plies: usize,
    /// Half-moves of all games and of their variations together. What cuts a side line counts as one: it takes as long to find
    /// out why it is none, and its notice is kept.
    pub moves: usize,
    /// Tags of a game.
    pub tags: usize,
    /// Comments of all games together.
    pub comments: usize,
    /// Variations within variations.
    pub depth: usize,
}

/// Reads every game of a text. `variant` holds for games that do not name theirs. Raising `stop` ends the reading, with an error.
///
/// # Errors
/// The first thing that is no PGN, with its place.
pub fn read(text: &str, variant: Variant, caps: Caps, stop: &AtomicBool) -> Result<Vec<Record>, PgnError> {
    let mut lexer = Lexer::new(text);
    let mut reader = Reader {
        text,
        variant,
        caps,
        moves_left: caps.moves,
        comments_left: caps.comments,
        games: Vec::new(),
        draft: Draft::default(),
    };
    loop {
        let game = |reader: &Reader<'_>| reader.games.len() + 1;
        let next = lexer.next().map_err(|(place, fault)| PgnError { place, game: game(&reader), fault })?;
        let Some((place, token)) = next else { break };
        if stop.load(Relaxed) {
            return Err(PgnError { place, game: game(&reader), fault: Fault::Stopped });
        }
        reader.take(place, token).map_err(|(place, fault)| PgnError { place, game: game(&reader), fault })?;
    }
    let end = lexer.place();
    let number = reader.games.len() + 1;
    reader.finish(end).map_err(|(place, fault)| PgnError { place, game: number, fault })?;
    Ok(reader.games)
}

/// What is wrong, and where.
type Misplaced = (Place, Fault);

struct Reader<'t> {
    text: &'t str,
    variant: Variant,
    caps: Caps,
    /// So many half-moves may still come, and so many comments.
    moves_left: usize,
    comments_left: usize,
    games: Vec<Record>,
    draft: Draft,
}

/// A game of which the end has not been seen.
#[derive(Default)]
struct Draft {
    tags: Tags,
    /// Where the tags stand that decide about the position.
    fen_place: Option<Place>,
    variant_place: Option<Place>,
    /// Comments before the first move, as long as the position is not set up.
    preface: Vec<String>,
    board: Option<Board>,
    termination: Option<Termination>,
}

/// The moves so far.
struct Board {
    start: Game,
    notices: Vec<Notice>,
    /// The main line, and the variations that are open.
    lines: Vec<OpenLine>,
}

struct OpenLine {
    line: Line,
    /// The position before its last move, and after it.
    before: Position,
    after: Position,
    opened: Place,
    /// From where on nothing is read, because something was no move.
    cut: Option<Place>,
}

impl Reader<'_> {
    fn take(&mut self, place: Place, token: Token<'_>) -> Result<(), Misplaced> {
        match token {
            Token::Tag { name, value, apart } => self.take_tag(place, name, &value, apart),
            Token::Comment(text) => self.take_comment(place, text),
            Token::Open => {
                let depth = self.caps.depth;
                self.board(place)?.open(place, depth)
            }
            Token::Close => {
                let text = self.text;
                self.board(place)?.close(place, text)
            }
            Token::Nag(nag) => self.board(place)?.judge(place, nag, || format!("${}", nag.0)),
            Token::Word(word) => {
                let (caps, mut left) = (self.caps, self.moves_left);
                self.draft.termination = self.board(place)?.word(place, word, caps, &mut left)?;
                self.moves_left = left;
                Ok(())
            }
        }
    }

    /// The board on which moves are made now: that of the next game, where a result has ended the one before.
    fn board(&mut self, place: Place) -> Result<&mut Board, Misplaced> {
        if self.draft.termination.is_some() {
            self.finish(place)?;
        }
        if self.draft.board.is_none() && self.games.len() == self.caps.games {
            return Err((place, Fault::TooManyGames(self.caps.games)));
        }
        self.draft.board(self.variant, place)
    }

    /// A tag belongs to the next game where moves or a result came before it, or where the same tag has been there before an
    /// empty line: games without moves follow each other so.
    fn take_tag(&mut self, place: Place, name: &str, value: &str, apart: bool) -> Result<(), Misplaced> {
        let draft = &self.draft;
        let told = !draft.tags.is_empty() && !draft.preface.is_empty();
        let again = apart && draft.tags.get(name).is_some();
        if draft.board.is_some() || told || again {
            self.finish(place)?;
        }
        if self.games.len() == self.caps.games {
            return Err((place, Fault::TooManyGames(self.caps.games)));
        }
        self.draft.tags.set(name, value);
        // To look a tag up takes as long as there are tags.
        if self.draft.tags.iter().len() > self.caps.tags {
            return Err((place, Fault::TooManyTags(self.caps.tags)));
        }
        match name {
            "FEN" => self.draft.fen_place = Some(place),
            "Variant" => self.draft.variant_place = Some(place),
            _ => {}
        }
        Ok(())
    }

    fn take_comment(&mut self, place: Place, text: String) -> Result<(), Misplaced> {
        if text.is_empty() {
            return Ok(());
        }
        let left = self.comments_left.checked_sub(1);
        self.comments_left = left.ok_or((place, Fault::TooManyComments(self.caps.comments)))?;
        self.draft.comment(text);
        Ok(())
    }

    /// Puts the draft to the games, if there is anything in it but comments.
    fn finish(&mut self, end: Place) -> Result<(), Misplaced> {
        let mut draft = std::mem::take(&mut self.draft);
        if draft.tags.is_empty() && draft.board.is_none() {
            return Ok(());
        }
        draft.board(self.variant, end)?;
        let Draft { tags, board: Some(mut board), termination, .. } = draft else { return Ok(()) };
        let last = board.lines.pop();
        let Some(OpenLine { line: Line { preface, moves }, opened, .. }) = last else { return Ok(()) };
        if !board.lines.is_empty() {
            return Err((opened, Fault::OpenVariation));
        }
        let Board { start, notices, .. } = board;
        self.games.push(Record { tags, start, preface, moves, termination, notices });
        Ok(())
    }
}

impl Draft {
    /// The board, set up when the first move or the like comes.
    fn board(&mut self, variant: Variant, place: Place) -> Result<&mut Board, Misplaced> {
        let board = if let Some(board) = self.board.take() {
            board
        } else {
            let (start, notices) = setup::start(&self.tags, variant).map_err(|fault| {
                let is_variant = matches!(fault, Fault::Variant(_));
                let tag = if is_variant { self.variant_place } else { self.fen_place };
                (tag.unwrap_or(place), fault)
            })?;
            let line = Line { preface: std::mem::take(&mut self.preface), moves: Vec::new() };
            let (before, after) = (*start.position(), *start.position());
            let main = OpenLine { line, before, after, opened: place, cut: None };
            Board { start, notices, lines: vec![main] }
        };
        Ok(self.board.insert(board))
    }

    fn comment(&mut self, text: String) {
        match self.board.as_mut().and_then(|board| board.lines.last_mut()) {
            None => self.preface.push(text),
            Some(open) if open.cut.is_some() => {}
            Some(open) => open.comment(text),
        }
    }
}

impl Board {
    fn open(&mut self, place: Place, depth: usize) -> Result<(), Misplaced> {
        if self.lines.len() > depth {
            return Err((place, Fault::TooDeep(depth)));
        }
        let Some(parent) = self.lines.last() else { return Ok(()) };
        if parent.line.moves.is_empty() && parent.cut.is_none() {
            return Err((place, Fault::EarlyVariation));
        }
        let (before, cut) = (parent.before, parent.cut);
        self.lines.push(OpenLine { line: Line::default(), before, after: before, opened: place, cut });
        Ok(())
    }

    fn close(&mut self, place: Place, text: &str) -> Result<(), Misplaced> {
        if self.lines.len() < 2 {
            return Err((place, Fault::Stray(')')));
        }
        let Some(mut closed) = self.lines.pop() else { return Ok(()) };
        let parent = self.lines.last_mut().filter(|parent| parent.cut.is_none());
        let Some(ply) = parent.and_then(|parent| parent.line.moves.last_mut()) else { return Ok(()) };
        if let Some(from) = closed.cut {
            closed.comment(unread(&text[from.byte..place.byte]));
        }
        let line = closed.line;
        if line.moves.is_empty() {
            ply.comments.extend(line.preface);
        } else {
            ply.variations.push(line);
        }
        Ok(())
    }

    fn judge(&mut self, place: Place, nag: Nag, text: impl Fn() -> String) -> Result<(), Misplaced> {
        let Some(open) = self.lines.last_mut().filter(|open| open.cut.is_none()) else { return Ok(()) };
        let Some(ply) = open.line.moves.last_mut() else {
            return Err((place, Fault::EarlyGlyph(text())));
        };
        if !ply.nags.contains(&nag) {
            ply.nags.push(nag);
        }
        Ok(())
    }

    /// A move, or a sign, or the result, which is given back.
    fn word(
        &mut self,
        place: Place,
        word: &str,
        caps: Caps,
        left: &mut usize,
    ) -> Result<Option<Termination>, Misplaced> {
        let is_main = self.lines.len() == 1;
        if let Some(termination) = Termination::read(word) {
            return Ok(is_main.then_some(termination));
        }
        if let Some(nag) = Nag::of_sign(word) {
            return self.judge(place, nag, || word.to_owned()).map(|()| None);
        }
        let variant = self.start.variant();
        let Some(open) = self.lines.last_mut().filter(|open| open.cut.is_none()) else { return Ok(None) };
        if EN_PASSANT.contains(&word) && !open.line.moves.is_empty() {
            return Ok(None);
        }
        let spend = |left: &mut usize| -> Result<(), Misplaced> {
            *left = left.checked_sub(1).ok_or((place, Fault::TooManyMoves(caps.moves)))?;
            Ok(())
        };
        let ply = open.line.moves.len();
        match open.play(word, is_main) {
            Ok(()) if is_main && ply >= caps.plies => Err((place, Fault::TooManyPlies(caps.plies))),
            Ok(()) => spend(left).map(|()| None),
            Err(error) if !is_main => {
                spend(left)?;
                open.cut = Some(place);
                self.notices.push(Notice::SideLineCut { place, error });
                Ok(None)
            }
            Err(MoveError::Syntax(_)) => Err((place, Fault::Word(word.chars().take(LONGEST_WORD).collect()))),
            Err(error) => {
                let game = Box::new(Game::with_variant(open.after, variant));
                Err((place, Fault::Move { ply, text: word.to_owned(), game, error }))
            }
        }
    }
}

impl OpenLine {
    fn comment(&mut self, text: String) {
        match self.line.moves.last_mut() {
            Some(ply) => ply.comments.push(text),
            None => self.line.preface.push(text),
        }
    }

    /// Makes the move that a word says.
    fn play(&mut self, word: &str, is_main: bool) -> Result<(), MoveError> {
        let mut after = self.after;
        let (body, nag) = split_sign(word);
        let mv = if PASSES.contains(&body) {
            if is_main || after.in_check() {
                return Err(MoveError::Illegal { text: body.to_owned(), reason: Reason::Pass });
            }
            after.play_null();
            Move::NONE
        } else {
            let mv = parse_move(&after, body)?;
            after.play(mv);
            mv
        };
        let mut ply = Ply::new(mv);
        ply.nags.extend(nag);
        self.line.moves.push(ply);
        self.before = std::mem::replace(&mut self.after, after);
        Ok(())
    }
}

/// What was not read of a side line, as a comment. A brace would end it, and a command in it would be taken for one of the move
/// before.
fn unread(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace(['{', '['], "(").replace(['}', ']'], ")")
}

/// How annotators write that a side does not move.
const PASSES: [&str; 6] = ["--", "Z0", "null", "pass", "@@@@", "0000"];

/// What may stand behind a capture.
const EN_PASSANT: [&str; 3] = ["e.p.", "e.p", "ep"];

/// Letters of a word that an error repeats.
const LONGEST_WORD: usize = 32;
