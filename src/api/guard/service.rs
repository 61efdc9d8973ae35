//! The guard at its place: before the routes.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::extract::Request;
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use pin_project_lite::pin_project;
use tower::Service;

use super::rates::Standing;
use super::{Admission, Guard};
use crate::api::caller::Asker;
use crate::api::validator::keep_private;

/// A service behind a guard, if there is one.
#[derive(Clone, Debug)]
pub struct Guarded<S> {
    inner: S,
    guard: Option<Arc<Guard>>,
}

impl<S> Guarded<S> {
    pub(crate) const fn new(inner: S, guard: Option<Arc<Guard>>) -> Self {
        Self { inner, guard }
    }
}

impl<S: Service<Request, Response = Response, Error = Infallible>> Service<Request> for Guarded<S> {
    type Response = Response;
    type Error = Infallible;
    type Future = Answer<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let mut asker = None;
        let admitted = match &self.guard {
            Some(guard) => guard.admit(&mut request, asker.insert(Asker::default())),
            None => Ok(Admission { standing: None, is_private: false }),
        };
        let course = match admitted {
            Ok(Admission { standing, is_private }) => {
                // What is not read is kept by nobody anyway.
                let is_private = is_private && matches!(*request.method(), Method::GET | Method::HEAD);
                Course::Passed { answer: self.inner.call(request), standing, is_private }
            }
            Err(refusal) => Course::Refused { response: Some(refusal.into_response()) },
        };
        Answer { course, asker }
    }
}

pin_project! {
    /// The answer on its way out.
    pub struct Answer<F> {
        #[pin]
        course: Course<F>,
        asker: Option<Asker>,
    }
}

pin_project! {
    /// Where the answer comes from.
    #[project = Projected]
    enum Course<F> {
        /// From within.
        Passed {
            #[pin]
            answer: F,
            standing: Option<Standing>,
            is_private: bool,
        },
        /// From the guard.
        Refused { response: Option<Response> },
    }
}

impl<F: Future<Output = Result<Response, Infallible>>> Future for Answer<F> {
    type Output = Result<Response, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut response = match this.course.project() {
            Projected::Passed { answer, standing, is_private } => {
                let mut response = match ready!(answer.poll(context)) {
                    Ok(response) => response,
                    Err(never) => match never {},
                };
                if let Some(standing) = standing.take() {
                    standing.tell(response.headers_mut());
                }
                if *is_private {
                    keep_private(&mut response);
                }
                response
            }
            // Polled after its end, which nobody does, it has nothing more to say.
            Projected::Refused { response } => response.take().unwrap_or_default(),
        };
        if let Some(asker) = this.asker.take() {
            response.extensions_mut().insert(asker);
        }
        Poll::Ready(Ok(response))
    }
}
