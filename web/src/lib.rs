//! The library as WebAssembly.
//!
//! One [`Oware`] has the tables of a page: those that it has built on the spot, and those that were
//! put there. It answers as the server does, with the same code
//! ([`oware_db::answers`]), on the thread that asks: a worker.

mod builder;
mod far;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};
use std::time::Duration;

use builder::Builders;
use far::{Places, Wanted};
use oware_db::answers::parameters::parameters;
use oware_db::answers::search::Search;
use oware_db::answers::{Answers, Document, Question, Refusal};
use oware_db::table::Shelf;
use oware_db::{Rules, Tables};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};
use web_time::Instant;

#[wasm_bindgen]
extern "C" {
    /// Writes a line on the console.
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(text: &str);
}

/// Tables, and what answers from them.
#[wasm_bindgen]
pub struct Oware {
    places: Arc<Places>,
    answers: Answers,
    builders: Builders,
}

/// An answer as HTTP would have it.
#[wasm_bindgen]
pub struct Answer {
    status: u16,
    body: String,
    wanted: Vec<Wanted>,
}

#[wasm_bindgen]
impl Answer {
    /// The status: 200 if the question is answered.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The document.
    #[wasm_bindgen(getter)]
    pub fn body(&self) -> String {
        self.body.clone()
    }

    /// Parts of files that are wanted for an answer: the name of each, with its first byte and the one
    /// behind its last in the following list.
    #[wasm_bindgen(getter)]
    pub fn wanted(&self) -> Vec<String> {
        self.wanted.iter().map(|wanted| wanted.name.clone()).collect()
    }

    /// Where the wanted parts begin and end, two numbers for each.
    #[wasm_bindgen(getter)]
    pub fn ranges(&self) -> Vec<f64> {
        let ends = |wanted: &Wanted| [wanted.bytes.start as f64, wanted.bytes.end as f64];
        self.wanted.iter().flat_map(ends).collect()
    }
}

impl From<Result<Document, Refusal>> for Answer {
    fn from(result: Result<Document, Refusal>) -> Answer {
        let (status, document) = match result {
            Ok(document) => (200, document),
            Err(refusal) => (refusal.status, refusal.document()),
        };
        let body = String::from_utf8_lossy(&document.into_bytes()).into_owned();
        Answer { status, body, wanted: Vec::new() }
    }
}

#[wasm_bindgen]
impl Oware {
    /// Begins without any table.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Oware {
        // A panic ends the library; the console says which one it was.
        static HOOKED: Once = Once::new();
        HOOKED.call_once(|| {
            std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
        });
        let places = Arc::new(Places::default());
        let tables = Tables::on_shelf("this page", places.clone());
        Oware { places, answers: Answers::new(tables), builders: Builders::default() }
    }

    /// Answers a question of the HTTP API. A search takes no longer than `milliseconds`. If parts of
    /// files are wanted for it, there is no answer: supply them, and ask again.
    pub fn answer(
        &self,
        method: &str,
        path: &str,
        parameters: &str,
        body: &[u8],
        milliseconds: u32,
    ) -> Answer {
        let result = if (method, path) == ("GET", "/v1/search") {
            self.search(parameters, Duration::from_millis(milliseconds.into()))
        } else {
            self.answers.answer(&Question { method, path, parameters, body })
        };
        Answer { wanted: self.places.take_wanted(), ..Answer::from(result) }
    }

    /// Notes a file of a table far away, of so many bytes.
    pub fn note(&self, name: String, bytes: f64) {
        self.places.note(name, bytes as u64);
    }

    /// Takes bytes of a file far away, from `offset` on.
    pub fn supply(&self, name: &str, offset: f64, bytes: &[u8]) {
        self.places.supply(name, offset as u64, bytes);
    }

    /// Builds the next layer of a sheet, beginning with no seeds, and returns how many seeds it has;
    /// nothing if all layers to so many seeds are built.
    ///
    /// # Errors
    /// If there is no such sheet, or no memory for the layer.
    pub fn build_next(&mut self, rules: &str, seeds: i32) -> Result<Option<u32>, JsError> {
        let sheet = Rules::by_id(rules).ok_or_else(|| JsError::new("there is no such sheet"))?;
        let builder = self.builders.of(sheet);
        if builder.has_built(seeds) {
            return Ok(None);
        }
        let layer = builder.next().map_err(JsError::from)?;
        self.places.here().put(layer.name, layer.bytes);
        Ok(Some(layer.seeds))
    }

    /// Puts a file of a table there under its name. It is proved when it is first needed.
    pub fn put(&self, name: &str, bytes: Vec<u8>) {
        self.places.here().put(name, bytes);
    }

    /// Returns the file of a table that is there; nothing if there is none of that name.
    pub fn file(&self, name: &str) -> Option<Vec<u8>> {
        let file = self.places.here().open(name).ok()?;
        let mut bytes = vec![0; file.bytes() as usize];
        file.read_exact_at(&mut bytes, 0).ok()?;
        Some(bytes)
    }

    /// Returns the names of the files that are there.
    pub fn names(&self) -> Vec<JsValue> {
        let names = self.places.here().names().unwrap_or_default();
        names.iter().map(|name| JsValue::from_str(name)).collect()
    }
}

impl Oware {
    fn search(&self, text: &str, longest: Duration) -> Result<Document, Refusal> {
        let search = Search::new(&parameters(text)?, longest)?;
        let end = Instant::now() + search.time;
        let left = || end.saturating_duration_since(Instant::now());
        Ok(search.run(&self.answers, &AtomicBool::new(false), left))
    }
}
