//! Many positions in one request: `POST /v1/batch`, a line in, a line out, in the same order.
//!
//! ```text
//!   body → Incoming ──► converse ──► Outgoing → channel of two pieces → body
//! ```
//!
//! The conversation is that of `oware query --batch`, on a thread of its own that may wait. Each side waits for
//! the other: a piece is read when the one before has been answered, and answered when the client
//! has taken what came before that. So a batch needs the memory of a few pieces, however long it
//! is; who does not read for a while is cut off.
//!
//! A line is a position in any form, a JSON string or list of one, or an object with `board` and,
//! if known, `stores`, which is what the answers begin with.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use http_body_util::channel::{Channel, Sender};
use hyper::body::Bytes;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::desk::Desk;
use super::failure::Failure;
use super::params::{Params, at_most, sheet};
use super::query::{LINE, LONGEST_LINE};
use crate::error::{Error, Result};
use crate::game::{Position, Rules};
use crate::json::lines::{Responses, add_line, converse, line, read_line};
use crate::json::{Answer, QueryDocument, ScoreDocument};

/// Bytes that are answered before more is read. Answers are up to a hundred times as long.
const PIECE: usize = 16 << 10;
/// Bytes of answers that go out together.
const FRAME: usize = 64 << 10;
/// Frames between the thread that answers and the client.
const FRAMES: usize = 2;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchParams {
    rules: Option<String>,
    line: Option<usize>,
    #[serde(default)]
    scores_only: bool,
}

/// `POST /v1/batch`.
pub async fn batch(
    State(desk): State<Arc<Desk>>,
    Params(params): Params<BatchParams>,
    headers: HeaderMap,
    body: Body,
) -> std::result::Result<Response, Failure> {
    let task = Task {
        rules: sheet(params.rules.as_deref())?,
        limit: at_most("line", params.line, LINE, LONGEST_LINE)?,
        scores_only: params.scores_only,
    };
    let told = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if told.is_some_and(|length| length > desk.limits.batch) {
        return Err(Failure::usage(StatusCode::PAYLOAD_TOO_LARGE, too_long(desk.limits.batch)));
    }
    let place = desk.batches.clone().try_acquire_owned().map_err(|_| {
        let message = "as many batches as there may be are under way; try again later";
        Failure::busy(StatusCode::TOO_MANY_REQUESTS, message)
    })?;
    let (sender, outgoing) = Channel::<Bytes, io::Error>::new(FRAMES);
    let (handle, idle) = (Handle::current(), desk.limits.idle);
    let incoming = Incoming {
        handle: handle.clone(),
        body,
        piece: Bytes::new(),
        left: desk.limits.batch,
        idle,
    };
    let outgoing_side = Outgoing { handle, sender, frame: Vec::with_capacity(FRAME), idle };
    tokio::task::spawn_blocking(move || {
        task.run(&desk, incoming, outgoing_side);
        drop(place);
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::new(outgoing)).into_response())
}

fn too_long(limit: u64) -> String {
    format!("the batch is longer than {limit} bytes; send it in parts")
}

/// What is asked of each line.
struct Task {
    rules: &'static Rules,
    limit: usize,
    scores_only: bool,
}

impl Task {
    /// Answers all lines. If that cannot go on, a last line says why, as far as the client still
    /// listens.
    fn run(&self, desk: &Desk, mut incoming: Incoming, mut outgoing: Outgoing) {
        let respond = |bytes: &[u8], lines: &mut Vec<u8>| {
            desk.metrics.line();
            self.answer(desk, bytes, lines)
                .unwrap_or_else(|error| add_line(&told(desk, error), lines));
        };
        let answer = |text: &[u8], responses: &mut Responses| {
            desk.by_several(|| responses.to_lines(text, respond))
        };
        let ended = converse(&mut incoming, &mut outgoing, &answer);
        if let Err(Error::Io { source, .. }) = ended {
            let failure = match source.kind() {
                io::ErrorKind::FileTooLarge => {
                    Failure::usage(StatusCode::PAYLOAD_TOO_LARGE, too_long(desk.limits.batch))
                }
                _ => Failure::busy(
                    StatusCode::REQUEST_TIMEOUT,
                    "the batch was not sent or taken to its end",
                ),
            };
            let _ = outgoing
                .write_all(line(&failure.document()).as_bytes())
                .and_then(|()| outgoing.flush());
        }
    }

    fn answer(&self, desk: &Desk, bytes: &[u8], lines: &mut Vec<u8>) -> Result<()> {
        let position = read(bytes)?;
        desk.probers(self.rules).with(|prober| {
            match self.scores_only {
                true => add_line(&ScoreDocument::of(prober, position)?, lines),
                false => add_line(
                    &QueryDocument::from(&Answer::of(prober, position, self.limit)?),
                    lines,
                ),
            }
            Ok(())
        })
    }
}

/// The document in place of an answer.
fn told(desk: &Desk, error: Error) -> impl Serialize + use<> {
    let failure = Failure::from(error);
    if let Some(detail) = failure.detail() {
        (desk.log)(&format!("/v1/batch: {detail}"));
    }
    failure.document()
}

/// A line of JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum Asked {
    Text(String),
    Board([u8; 12]),
    TextBoard { board: String },
    Position { board: [u8; 12], stores: Option<AskedStores> },
}

#[derive(Deserialize, Serialize)]
struct AskedStores {
    mover: u8,
    opponent: u8,
}

/// The position on a line.
fn read(bytes: &[u8]) -> Result<Position> {
    if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[' | b'"')) {
        return read_line(bytes);
    }
    let wrong = |what: &str| Error::Notation { what: what.to_owned() };
    let asked = serde_json::from_slice(bytes).map_err(|_| {
        wrong("a line of JSON is a text, a list of twelve numbers, or an object with one of them as `board`")
    })?;
    match asked {
        Asked::Text(text) | Asked::TextBoard { board: text } => text.parse(),
        Asked::Board(board) => seated(board, None),
        Asked::Position { board, stores } => seated(board, stores),
    }
}

/// The position of numbers, read as the text of them would be.
fn seated(board: [u8; 12], stores: Option<AskedStores>) -> Result<Position> {
    let houses = board.map(|count| count.to_string()).join("-");
    match stores {
        None => houses.parse(),
        Some(AskedStores { mover, opponent }) => format!("{houses}-{mover}-{opponent}-S").parse(),
    }
}

/// A body as something to read from, on a thread that may wait.
struct Incoming {
    handle: Handle,
    body: Body,
    piece: Bytes,
    left: u64,
    idle: Duration,
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            let frame = self
                .handle
                .block_on(async { timeout(self.idle, self.body.frame()).await })
                .map_err(io::Error::other)?;
            let Some(frame) = frame else { return Ok(0) };
            self.piece = frame.map_err(io::Error::other)?.into_data().unwrap_or_default();
            let length = self.piece.len() as u64;
            self.left = self.left.checked_sub(length).ok_or(io::ErrorKind::FileTooLarge)?;
        }
        let count = self.piece.len().min(buffer.len()).min(PIECE);
        buffer[..count].copy_from_slice(&self.piece.split_to(count));
        Ok(count)
    }
}

/// A body as something to write into, on a thread that may wait.
struct Outgoing {
    handle: Handle,
    sender: Sender<Bytes, io::Error>,
    frame: Vec<u8>,
    idle: Duration,
}

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend_from_slice(bytes);
        if self.frame.len() >= FRAME {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.frame.is_empty() {
            return Ok(());
        }
        let frame = std::mem::replace(&mut self.frame, Vec::with_capacity(FRAME));
        let sent = async { timeout(self.idle, self.sender.send_data(frame.into())).await };
        self.handle.block_on(sent).map_err(io::Error::other)?.map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Stores};

    #[test]
    fn lines_are_positions_in_text_or_json() {
        let plain: Position = "0 0 0 0 1 2 1 0 0 0 3 0".parse().unwrap();
        for text in [
            "0 0 0 0 1 2 1 0 0 0 3 0\n",
            "\"0-0-0-0-1-2-1-0-0-0-3-0\"\r\n",
            "[0,0,0,0,1,2,1,0,0,0,3,0]",
            " {\"board\": [0,0,0,0,1,2,1,0,0,0,3,0], \"seeds\": 7}",
            "{\"board\": \"0 0 0 0 1 2 1 0 0 0 3 0\"}",
        ] {
            assert_eq!(read(text.as_bytes()).unwrap(), plain, "{text}");
        }
        let stored =
            read(b"{\"board\": [0,0,0,0,1,2,1,0,0,0,3,0], \"stores\": {\"mover\": 20, \"opponent\": 21}}").unwrap();
        assert_eq!(
            (stored.board, stored.stores),
            (plain.board, Some(Stores { mover: 20, opponent: 21 }))
        );
        for text in [
            "{}",
            "[1,2]",
            "{\"board\": 7}",
            "\"1 2 3\"",
            "[49,0,0,0,0,0,0,0,0,0,0,0]",
            "{\"board\"",
            "",
        ] {
            assert!(matches!(read(text.as_bytes()), Err(Error::Notation { .. })), "{text}");
        }
        assert_eq!(Board::INITIAL, read(b"[4,4,4,4,4,4,4,4,4,4,4,4]").unwrap().board);
    }
}
