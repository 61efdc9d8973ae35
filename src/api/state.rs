//! What all handlers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What all handlers share; a clone is a pointer.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

struct Shared {
    ready: AtomicBool,
}

impl AppState {
    /// Ready to serve.
    pub fn new() -> Self {
        Self(Arc::new(Shared { ready: AtomicBool::new(true) }))
    }

    /// Whether new work is taken in.
    pub fn is_ready(&self) -> bool {
        self.0.ready.load(Ordering::Relaxed)
    }
}
