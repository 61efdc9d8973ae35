//! The state of a conversation, and what each command does to it.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::clock::allowance;
use super::command::{Command, Go};
use super::options::{Effect, Options};
use super::thinking::{Hold, Output, Task, Thinking, Threads};
use super::way::Way;
use crate::engine::chess::{
    Fen, FenStyle, FenWarning, Game, Move, Position, Rank, Square, Variant, fen, parse_move,
};
use crate::engine::chess::{File, History, Piece};
use crate::engine::eval::warm_up;
use crate::engine::search::{Handicap, Limits, Memory, SearchRequest, Tablebase, TranspositionTable};
use crate::tablebase::{Syzygy, TablebaseError};

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
}

/// A conversation.
pub(super) struct Session {
    output: Output,
    options: Options,
    table: Arc<TranspositionTable>,
    memory: Arc<Mutex<Memory>>,
    tablebase: Option<Arc<dyn Tablebase>>,
    /// None after a `position` that was refused.
    game: Option<Game>,
    /// What moves lose on their way to the GUI and back.
    way: Way,
    threads: Threads,
    thinking: Option<Thinking>,
    /// The search under way does not end by itself,
    endless: bool,
    /// but would if its best move had not to wait.
    limited: bool,
    /// Where the endgame tables are.
    folders: Vec<PathBuf>,
}

impl Session {
    /// # Errors
    /// If the system gives no memory for the table or no threads.
    pub(super) fn new(output: impl Write + Send + 'static) -> io::Result<Self> {
        let options = Options::default();
        let table = TranspositionTable::new(options.hash_mebibytes)
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        warm_up();
        table.populate();
        Ok(Self {
            output: Output::new(output),
            options,
            table: Arc::new(table),
            memory: Arc::default(),
            tablebase: None,
            game: Some(Game::new(Position::start())),
            way: Way::new(options.overhead),
            threads: Threads::start()?,
            thinking: None,
            endless: false,
            limited: false,
            folders: Vec::new(),
        })
    }

    /// Does what a line asks for; what is wrong with it is told in an `info string`.
    pub(super) fn obey(&mut self, line: &str) -> Flow {
        let result = match Command::parse(line) {
            Ok(Command::Quit) => {
                self.stop();
                return Flow::Quit;
            }
            Ok(command) => self.act(command),
            Err(error) => Err(error),
        };
        if let Err(error) = result {
            self.complain(&error);
        }
        Flow::Continue
    }

    fn complain(&self, error: &str) {
        self.output.line(&format!("info string error: {error}"));
    }

    /// The end of the input: a search that ends by itself may do so.
    pub(super) fn finish(&mut self) {
        if self.endless {
            self.stop();
        } else {
            self.join();
        }
    }

    fn act(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.output.line("readyok"),
            Command::NewGame => {
                self.stop();
                self.table.clear();
                self.memory = Arc::default();
                self.way = Way::new(self.options.overhead);
                self.game.get_or_insert_with(|| Game::new(Position::start()));
            }
            Command::Position { fen, moves } => return self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => return self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if self.thinking.as_mut().is_some_and(|thinking| thinking.ponder_hit(&self.threads)) {
                    self.endless = !self.limited;
                }
            }
            Command::SetOption { name, value } => return self.set_option(&name, &value),
            Command::Display => self.display(self.game()?),
            Command::Eval => {
                let (game, evaluator) = (self.game()?, self.options.evaluator());
                let centipawns = evaluator.assess(game.position(), game.status());
                let name = evaluator.kind().name();
                self.output.line(&format!("Evaluation: {centipawns} centipawns, White's view ({name})"));
            }
            Command::Quit | Command::Nothing => {}
        }
        Ok(())
    }

    fn introduce(&self) {
        self.output.line(concat!("id name centipawn ", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the centipawn authors");
        for line in Options::announcement() {
            self.output.line(&line);
        }
        self.output.line("uciok");
    }

    /// The game from the last `position`.
    ///
    /// # Errors
    /// If that was refused.
    fn game(&self) -> Result<&Game, String> {
        self.game.as_ref().ok_or_else(|| "there is no position: the last one was refused".to_owned())
    }

    /// Takes a new position. If any part of it is wrong there is none until the next: what is right of it is another position
    /// than the one that is meant.
    fn set_position(&mut self, text: Option<&str>, moves: &[String]) -> Result<(), String> {
        self.game = None;
        let variant = self.options.variant;
        let position = match text {
            None => Position::start(),
            Some(text) => {
                let fen = Fen::parse_with(text, variant, History::Any).map_err(|error| error.to_string())?;
                for warning in fen.warnings {
                    self.output.line(&format!("info string warning: {}", ignored(warning, variant)));
                }
                fen.position
            }
        };
        let mut game = Game::with_variant(position, variant);
        for text in moves {
            let mv = parse_move(game.position(), text).map_err(|error| error.to_string())?;
            game.play(mv);
        }
        self.game = Some(game);
        Ok(())
    }

    /// Starts a search. Whatever is wrong with it, a best move is told in the end.
    fn go(&mut self, go: &Go) -> Result<(), String> {
        if self.thinking.as_ref().is_some_and(Thinking::is_counting) {
            self.join();
        } else {
            self.stop();
        }
        let output = self.output.clone();
        if let Some(depth) = go.perft {
            let (position, variant) = (*self.game()?.position(), self.options.variant);
            self.thinking = Some(Thinking::perft(position, depth, variant, &self.threads, output));
            return Ok(());
        }
        for what in &go.passed_over {
            self.output.line(&format!("info string passed over: {what}"));
        }
        let hold = match (go.infinite, go.ponder) {
            (true, _) => Hold::Infinite,
            (false, true) => Hold::Ponder,
            (false, false) => Hold::No,
        };
        if let Some(game) = &self.game {
            self.way.asked(go, game.position());
        }
        self.thinking = Some(match self.task(go, hold) {
            Ok(task) => {
                self.limited = task.is_limited();
                self.endless = hold != Hold::No || !self.limited;
                Thinking::start(task, &self.threads, output)
            }
            Err(error) => {
                self.complain(&error);
                self.limited = true;
                self.endless = hold != Hold::No;
                Thinking::of_nothing(hold, &self.threads, output)
            }
        });
        Ok(())
    }

    /// What is to be searched.
    ///
    /// # Errors
    /// A sentence that says why nothing can be.
    fn task(&self, go: &Go, hold: Hold) -> Result<Task, String> {
        let game = self.game()?;
        // Without limits, a search of the only move ends early, which is for games: an analysis goes on, to whatever depth.
        let is_analysis = go.infinite || go.movetime_ms.is_some();
        let depth = go.depth.or(is_analysis.then_some(u8::MAX));
        let limits = Limits { depth, nodes: go.nodes };
        let request = SearchRequest {
            multi_pv: self.options.multi_pv,
            threads: self.options.threads,
            mate: go.mate,
            search_moves: self.search_moves(go, game.position())?,
            tablebase: self.tablebase.clone(),
            handicap: self.options.elo().map(|elo| Handicap { elo, seed: by_chance() }),
            ..SearchRequest::new(game.clone(), self.options.evaluator(), limits)
        };
        let allowance = allowance(go, game.position(), self.options.overhead, self.way.lost());
        let (table, memory) = (Arc::clone(&self.table), Arc::clone(&self.memory));
        Ok(Task { request, table, memory, allowance, hold })
    }

    /// The legal ones of the moves to choose from; the others are passed over, and where none is left all moves may be made.
    ///
    /// # Errors
    /// If the null move stands for there being none to choose from.
    fn search_moves(&self, go: &Go, position: &Position) -> Result<Vec<Move>, String> {
        if go.search_moves == ["0000"] {
            return Err("none of the moves to choose from can be made".to_owned());
        }
        let mut moves = Vec::with_capacity(go.search_moves.len());
        for text in &go.search_moves {
            match parse_move(position, text) {
                Ok(mv) => moves.push(mv),
                Err(error) => self.output.line(&format!("info string passed over: {error}")),
            }
        }
        Ok(moves)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.stop();
        let mut options = self.options;
        match options.set(name, value)? {
            Effect::None => {}
            Effect::Clear => {
                self.table.clear();
                self.memory = Arc::default();
            }
            Effect::Resize => {
                let table = TranspositionTable::new(options.hash_mebibytes);
                let table = table.map_err(|error| error.to_string())?;
                self.table = Arc::new(table);
                self.table.populate();
            }
            Effect::Tables(folders) => self.open_tables(folders)?,
        }
        if options.overhead != self.options.overhead {
            self.way = Way::new(options.overhead);
        }
        self.options = options;
        Ok(())
    }

    /// Takes the endgame tables in these folders instead of those before, of which the transposition table then knows nothing;
    /// folders that are not there are passed over.
    ///
    /// # Errors
    /// If there is nothing to take in them; the tables are those before then.
    fn open_tables(&mut self, folders: Vec<PathBuf>) -> Result<(), String> {
        let (there, missing): (Vec<_>, Vec<_>) = folders.into_iter().partition(|folder| folder.is_dir());
        let folders = if there.is_empty() {
            missing
        } else {
            for folder in missing {
                self.output
                    .line(&format!("info string passed over: there is no folder {}", folder.display()));
            }
            there
        };
        self.table.clear();
        // First of all, because a process has one set of them.
        self.tablebase = None;
        let opened = open(&folders);
        let result = match &opened {
            Ok(_) => {
                self.folders = folders;
                Ok(())
            }
            Err(error) => Err(error.to_string()),
        };
        let tables = opened.or_else(|_| open(&self.folders)).unwrap_or_default();
        if let (Some(tables), Ok(())) = (&tables, &result) {
            self.output.line(&format!("info string {tables}"));
        }
        self.tablebase = tables.map(|tables| Arc::new(tables) as Arc<dyn Tablebase>);
        result
    }

    fn display(&self, game: &Game) {
        let position = game.position();
        for rank in Rank::ALL.into_iter().rev() {
            let letter = |file| position.piece_at(Square::new(file, rank)).map_or('.', Piece::letter);
            let row: Vec<_> = File::ALL.into_iter().map(|file| letter(file).to_string()).collect();
            self.output.line(&format!("{} {}", rank.digit(), row.join(" ")));
        }
        self.output.line("  a b c d e f g h");
        self.output.line(&format!("\nFen: {}", fen::format(position, FenStyle::XFen)));
        self.output.line(&format!("Key: {:016X}", position.key()));
        self.output.line(&format!("Status: {}", game.status().name()));
    }

    /// Ends the search under way; its best move is told before anything else happens.
    fn stop(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.stop();
        }
        self.join();
    }

    fn join(&mut self) {
        self.endless = false;
        let Some(thinking) = self.thinking.take() else { return };
        if let Ok(thought) = thinking.join() {
            self.way.thought(thought);
        } else {
            self.output.line("info string error: the search failed");
            self.output.line("bestmove 0000");
        }
    }
}

/// What of a FEN was ignored, and why.
const fn ignored(warning: FenWarning, variant: Variant) -> &'static str {
    match (warning, variant) {
        (FenWarning::EpSquareIgnored, _) => "no pawn can just have passed over the en-passant square",
        (FenWarning::CastlingRightsIgnored, Variant::Chess960) => {
            "there are castling rights whose king or rook is not in its place"
        }
        (FenWarning::CastlingRightsIgnored, Variant::Standard) => {
            "there are castling rights whose king or rook is not in its place; Chess960 has UCI_Chess960"
        }
    }
}

/// The tables in these folders, if there are any.
fn open(folders: &[PathBuf]) -> Result<Option<Syzygy>, TablebaseError> {
    if folders.is_empty() { Ok(None) } else { Syzygy::open(folders).map(Some) }
}

/// A number that nobody can foretell: a limited strength plays another game every time.
fn by_chance() -> u64 {
    RandomState::new().hash_one(())
}
