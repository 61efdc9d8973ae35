//! Servers that answer anything but the truth.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use centipawn::pool::BreakerState;

use crate::house::{Embedded, House, question};
use crate::load::{Exam, under_load};
use crate::server::{self, Server};

/// What it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// Not the protocol at all, from the first word on.
    Noise,
    /// It hangs up.
    HangUp,
    /// It hangs up in the middle of an answer.
    HalfAndHangUp,
    /// It goes silent in the middle of an answer.
    HalfAndSilence,
    /// It goes silent.
    Silence,
    Error,
    MadeUpError,
    Number,
    Ok,
    Array,
    Map,
    /// A value of a few random bytes.
    Random,
    /// A value that is as long as it may be, and none.
    Long,
    /// Several answers to one question, so that each is the answer to another.
    Twice,
    /// Lengths that nobody has memory for.
    HugeBulk,
    HugeArray,
    HugeMap,
    NegativeLength,
    Nested,
    /// As long an answer as a client takes, sent as fast as it takes it.
    Flood,
    /// An error that repeats what it was asked, passwords included.
    Echo,
}

/// No longer an answer is put together by the client.
const FLOOD: u64 = 500_000_000;

const LIES: [Lie; 20] = [
    Lie::Noise,
    Lie::HangUp,
    Lie::HalfAndHangUp,
    Lie::HalfAndSilence,
    Lie::Silence,
    Lie::Error,
    Lie::MadeUpError,
    Lie::Number,
    Lie::Ok,
    Lie::Array,
    Lie::Map,
    Lie::Random,
    Lie::Long,
    Lie::Twice,
    Lie::HugeBulk,
    Lie::HugeArray,
    Lie::HugeMap,
    Lie::NegativeLength,
    Lie::Nested,
    Lie::Flood,
];

/// A server that lies, on a port of the loopback address, until it is dropped.
pub(crate) struct Liar {
    pub(crate) port: u16,
    is_over: Arc<AtomicBool>,
    heard: Arc<AtomicU64>,
    flooded: Arc<AtomicU64>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Liar {
    pub(crate) fn start(lie: Lie) -> Self {
        Self::start_at(server::free_port(), lie)
    }

    fn start_at(port: u16, lie: Lie) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let (is_over, heard) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let flooded = Arc::<AtomicU64>::default();
        let (over, ears, most) = (Arc::clone(&is_over), Arc::clone(&heard), Arc::clone(&flooded));
        let thread = thread::spawn(move || {
            thread::scope(|scope| {
                for stream in listener.incoming() {
                    if over.load(Relaxed) {
                        break;
                    }
                    let (over, ears, most) = (&over, &ears, &most);
                    scope.spawn(move || {
                        let stream = stream.unwrap();
                        converse(&stream, lie, over, ears);
                        if lie == Lie::Flood {
                            most.fetch_max(flood(&stream, over), Relaxed);
                        }
                    });
                }
            });
        });
        Self { port, is_over, heard, flooded, thread: Some(thread) }
    }

    /// The most bytes that somebody has taken of a flood.
    pub(crate) fn flooded(&self) -> u64 {
        self.flooded.load(Relaxed)
    }

    /// The commands that it has heard.
    pub(crate) fn heard(&self) -> u64 {
        self.heard.load(Relaxed)
    }
}

impl Drop for Liar {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        let _ = self.thread.take().unwrap().join();
    }
}

/// Answers commands until the other end leaves or the liar is over.
fn converse(stream: &TcpStream, lie: Lie, is_over: &AtomicBool, heard: &AtomicU64) {
    stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let mut reader = BufReader::new(stream);
    let mut writer = stream;
    while !is_over.load(Relaxed) {
        match reader.fill_buf() {
            Ok([]) => return,
            Ok(_) => {}
            Err(_) => continue,
        }
        let Some(command) = read_command(&mut reader) else { return };
        heard.fetch_add(1, Relaxed);
        let words: Vec<_> = command.iter().map(|word| String::from_utf8_lossy(word)).collect();
        // Honest as long as it is only looked at: a liar who is never believed does no harm.
        let answer = match &*words[0] {
            _ if lie == Lie::Echo => format!("-ERR {0}\r\n", words.join(" ")).into_bytes(),
            _ if lie == Lie::Noise => noise(heard.load(Relaxed)),
            "GETRANGE" if !words[1].ends_with(":-") => told(lie, heard.load(Relaxed)),
            "GETRANGE" => b"$0\r\n\r\n".to_vec(),
            _ => b"+OK\r\n".to_vec(),
        };
        if writer.write_all(&answer).is_err() {
            return;
        }
        if matches!(lie, Lie::HangUp | Lie::HalfAndHangUp | Lie::Flood)
            && words[0] == "GETRANGE"
            && !words[1].ends_with(":-")
        {
            return;
        }
    }
}

/// Sends on for as long as somebody takes it; so many bytes were taken.
fn flood(mut stream: &TcpStream, is_over: &AtomicBool) -> u64 {
    stream.set_write_timeout(Some(Duration::from_millis(20))).unwrap();
    let (water, mut taken) = (vec![b'x'; 1 << 16], 0);
    while !is_over.load(Relaxed) && taken < FLOOD {
        match stream.write(&water) {
            Ok(bytes) => taken += bytes as u64,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    taken
}

fn told(lie: Lie, number: u64) -> Vec<u8> {
    match lie {
        Lie::HangUp | Lie::Silence => Vec::new(),
        Lie::HalfAndHangUp | Lie::HalfAndSilence => b"$100\r\n\x01half of a".to_vec(),
        Lie::Error => b"-ERR no\r\n".to_vec(),
        Lie::MadeUpError => b"-\x1b[31mMADE \xf0\x9f\x92\xa9up\r\n".to_vec(),
        Lie::Number => b":-1\r\n".to_vec(),
        Lie::Ok => b"+OK\r\n".to_vec(),
        Lie::Array => b"*2\r\n$1\r\na\r\n*1\r\n$-1\r\n".to_vec(),
        Lie::Map => b"%1\r\n+a\r\n,3.5\r\n".to_vec(),
        Lie::Random => bulk(&noise(number)[..40]),
        Lie::Long => bulk(&noise(number).repeat(500)),
        Lie::Twice => b"$3\r\none\r\n$3\r\ntwo\r\n".to_vec(),
        Lie::HugeBulk => b"$999999999999999\r\nand so on".to_vec(),
        Lie::HugeArray => b"*9223372036854775807\r\n:1\r\n".to_vec(),
        Lie::HugeMap => b"%9223372036854775807\r\n:1\r\n".to_vec(),
        Lie::NegativeLength => b"=-7\r\n!-1\r\n".to_vec(),
        Lie::Nested => b"*1\r\n".repeat(100_000),
        Lie::Flood => format!("${FLOOD}\r\n").into_bytes(),
        Lie::Noise | Lie::Echo => unreachable!("answered from the first word on"),
    }
}

fn bulk(bytes: &[u8]) -> Vec<u8> {
    [format!("${}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// Bytes without a pattern, others for each number.
fn noise(number: u64) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..100).map(|_| next()).collect()
}

/// One command: an array of strings.
fn read_command(reader: &mut impl BufRead) -> Option<Vec<Vec<u8>>> {
    (0..read_length(reader)?)
        .map(|_| {
            let mut word = vec![0; read_length(reader)? + 2];
            reader.read_exact(&mut word).ok()?;
            word.truncate(word.len() - 2);
            Some(word)
        })
        .collect()
}

fn read_length(reader: &mut impl BufRead) -> Option<usize> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    line.trim().get(1..)?.parse().ok()
}

#[test]
fn liars_in_the_place_of_the_server_change_no_answer() {
    if !server::is_there("liars") {
        return;
    }
    let mut server = Server::start(&[]);
    let house = House::sharing(&server.url(), Embedded::Full);
    house.wait_for_the_cache();
    under_load(&Exam::of(40), &house, |load| {
        load.wait_for_hits(40);
        for lie in LIES {
            let before = house.shared();
            server.kill();
            let liar = Liar::start_at(server.port, lie);
            // It was asked, or looked at and not believed from the first word on.
            house.wait_until("the liar is heard", |shared| {
                let told = shared.rejected + shared.errors + shared.timeouts + shared.misses
                    > before.rejected + before.errors + before.timeouts + before.misses;
                liar.heard() > 5 && (told || shared.state == BreakerState::Open)
            });
            load.wait_for_answers(20);
            drop(liar);
            server.restart();
            load.wait_for_hits(20);
        }
    });
}

#[test]
fn a_flood_fills_no_memory() {
    let liar = Liar::start(Lie::Flood);
    let house = House::sharing(&format!("redis://127.0.0.1:{}", liar.port), Embedded::Full);
    house.wait_for_the_cache();
    for number in 0..20 {
        assert_eq!(house.get(&question(number)).status, 200);
    }
    house.wait_until("it is not believed", |shared| shared.errors + shared.timeouts > 0);
    house.wait_until("somebody has had enough", |_| liar.flooded() > 0);
    // What stands in the buffers of the system was taken by nobody.
    assert!(liar.flooded() < 32 << 20, "{} bytes", liar.flooded());
}
