//! Every reason for which a request can be refused or fail: its machine-readable code, HTTP status and title.

use axum::http::StatusCode;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// What went wrong. The name of each is part of the contract: clients branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// The body is not JSON.
    JsonSyntax,
    /// The query string is not percent-encoded UTF-8.
    QuerySyntax,
    /// A field that the endpoint does not have.
    UnknownField,
    /// The same field twice.
    DuplicateField,
    /// A field of the wrong type, or a value outside its bounds.
    InvalidField,
    /// Fields that exclude each other, or one that lacks its companion.
    ConflictingFields,
    /// A published cap is exceeded.
    LimitExceeded,
    /// The FEN cannot be read.
    FenSyntax,
    /// A side has no king.
    MissingKing,
    /// A side has more than one king.
    TooManyKings,
    /// A pawn stands on the first or last rank.
    PawnsOnBackrank,
    /// More pieces than a game can produce.
    TooMuchMaterial,
    /// The side that is not to move is in check.
    OppositeCheck,
    /// A combination of checks that no move can give.
    ImpossibleCheck,
    /// A move that the rules do not allow.
    IllegalMove,
    /// A material signature that cannot be read.
    SignatureSyntax,
    /// The PGN cannot be read.
    PgnSyntax,
    /// The request has no API key where one is needed, or one that is not valid.
    Unauthorized,
    /// The client has sent more requests than it may.
    RateLimited,
    /// A position for which `/api/cloud-eval` has nothing to say.
    NoEvaluation,
    /// No such path.
    NotFound,
    /// The path exists, the method does not.
    MethodNotAllowed,
    /// The client's body ended before it was whole, or is not framed as HTTP wants it.
    BodyIncomplete,
    /// The client took too long to send its body.
    RequestTimeout,
    /// The client of a `POST` has its reply already.
    PreconditionFailed,
    /// The body is larger than the published cap.
    BodyTooLarge,
    /// The query string is longer than the published cap.
    UriTooLong,
    /// The body is not of a media type that is taken, or compressed.
    UnsupportedMediaType,
    /// An engine fault: this request alone is lost.
    Internal,
    /// The queue of the pool is full.
    QueueFull,
    /// The client has as many searches as one may have.
    TooManySearches,
    /// No thread of a pool does its work.
    NoWorkers,
    /// There are as many connections as the server takes, in all or from one address.
    TooManyConnections,
    /// The server is shutting down.
    Draining,
    /// The answer was not ready in time.
    Timeout,
}

impl Code {
    /// Every code, in the order of the documentation.
    pub(crate) const ALL: [Self; 35] = [
        Self::JsonSyntax,
        Self::QuerySyntax,
        Self::UnknownField,
        Self::DuplicateField,
        Self::InvalidField,
        Self::ConflictingFields,
        Self::LimitExceeded,
        Self::FenSyntax,
        Self::MissingKing,
        Self::TooManyKings,
        Self::PawnsOnBackrank,
        Self::TooMuchMaterial,
        Self::OppositeCheck,
        Self::ImpossibleCheck,
        Self::IllegalMove,
        Self::SignatureSyntax,
        Self::PgnSyntax,
        Self::Unauthorized,
        Self::RateLimited,
        Self::NoEvaluation,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::BodyIncomplete,
        Self::RequestTimeout,
        Self::PreconditionFailed,
        Self::BodyTooLarge,
        Self::UriTooLong,
        Self::UnsupportedMediaType,
        Self::Internal,
        Self::QueueFull,
        Self::TooManySearches,
        Self::NoWorkers,
        Self::TooManyConnections,
        Self::Draining,
        Self::Timeout,
    ];

    /// The code as it stands in the reply.
    pub(crate) fn name(self) -> &'static str {
        self.entry().0
    }

    /// The HTTP status: 400 for what cannot be read, 422 for a position or a move that the rules forbid.
    pub(crate) fn status(self) -> StatusCode {
        self.entry().1
    }

    /// The title, the same for every occurrence of the code.
    pub(crate) fn title(self) -> &'static str {
        self.entry().2
    }

    fn entry(self) -> (&'static str, StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Self::JsonSyntax => ("json_syntax", S::BAD_REQUEST, "The body is not JSON"),
            Self::QuerySyntax => ("query_syntax", S::BAD_REQUEST, "The query string cannot be read"),
            Self::UnknownField => ("unknown_field", S::BAD_REQUEST, "Unknown field"),
            Self::DuplicateField => ("duplicate_field", S::BAD_REQUEST, "Field given twice"),
            Self::InvalidField => ("invalid_field", S::BAD_REQUEST, "Invalid value"),
            Self::ConflictingFields => ("conflicting_fields", S::BAD_REQUEST, "Conflicting fields"),
            Self::LimitExceeded => ("limit_exceeded", S::BAD_REQUEST, "A published limit is exceeded"),
            Self::FenSyntax => ("fen_syntax", S::BAD_REQUEST, "The FEN cannot be read"),
            Self::MissingKing => ("missing_king", S::UNPROCESSABLE_ENTITY, "A king is missing"),
            Self::TooManyKings => ("too_many_kings", S::UNPROCESSABLE_ENTITY, "Too many kings"),
            Self::PawnsOnBackrank => {
                ("pawns_on_backrank", S::UNPROCESSABLE_ENTITY, "A pawn on the first or last rank")
            }
            Self::TooMuchMaterial => ("too_much_material", S::UNPROCESSABLE_ENTITY, "Too much material"),
            Self::OppositeCheck => {
                ("opposite_check", S::UNPROCESSABLE_ENTITY, "The side not to move is in check")
            }
            Self::ImpossibleCheck => ("impossible_check", S::UNPROCESSABLE_ENTITY, "An impossible check"),
            Self::IllegalMove => ("illegal_move", S::UNPROCESSABLE_ENTITY, "Illegal move"),
            Self::SignatureSyntax => {
                ("signature_syntax", S::BAD_REQUEST, "The material signature cannot be read")
            }
            Self::PgnSyntax => ("pgn_syntax", S::BAD_REQUEST, "The PGN cannot be read"),
            Self::Unauthorized => ("unauthorized", S::UNAUTHORIZED, "A valid API key is needed"),
            Self::RateLimited => ("rate_limited", S::TOO_MANY_REQUESTS, "Too many requests"),
            Self::NoEvaluation => ("no_evaluation", S::NOT_FOUND, "No evaluation"),
            Self::NotFound => ("not_found", S::NOT_FOUND, "No such path"),
            Self::MethodNotAllowed => ("method_not_allowed", S::METHOD_NOT_ALLOWED, "Method not allowed"),
            Self::BodyIncomplete => ("body_incomplete", S::BAD_REQUEST, "The body is incomplete"),
            Self::RequestTimeout => ("request_timeout", S::REQUEST_TIMEOUT, "The body came too slowly"),
            Self::PreconditionFailed => {
                ("precondition_failed", S::PRECONDITION_FAILED, "The reply is known already")
            }
            Self::BodyTooLarge => ("body_too_large", S::PAYLOAD_TOO_LARGE, "The body is too large"),
            Self::UriTooLong => ("uri_too_long", S::URI_TOO_LONG, "The query string is too long"),
            Self::UnsupportedMediaType => {
                ("unsupported_media_type", S::UNSUPPORTED_MEDIA_TYPE, "Unsupported media type")
            }
            Self::Internal => ("internal", S::INTERNAL_SERVER_ERROR, "An internal fault"),
            Self::QueueFull => ("queue_full", S::SERVICE_UNAVAILABLE, "All engines are busy"),
            Self::TooManySearches => {
                ("too_many_searches", S::TOO_MANY_REQUESTS, "Too many searches of one client")
            }
            Self::NoWorkers => ("no_workers", S::SERVICE_UNAVAILABLE, "No engine does its work"),
            Self::TooManyConnections => {
                ("too_many_connections", S::SERVICE_UNAVAILABLE, "Too many connections")
            }
            Self::Draining => ("draining", S::SERVICE_UNAVAILABLE, "The server is shutting down"),
            Self::Timeout => ("timeout", S::GATEWAY_TIMEOUT, "The answer was not ready in time"),
        }
    }
}

impl PartialSchema for Code {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("What went wrong, for programs: one of a fixed list."))
            .enum_values(Some(Self::ALL.map(Self::name)))
            .examples([Self::IllegalMove.name()])
            .into()
    }
}

impl ToSchema for Code {
    fn name() -> std::borrow::Cow<'static, str> {
        "ProblemCode".into()
    }
}
