//! Husk over HTTP: a JSON API for programs and a web page for people.
//!
//! A request passes, in this order: host and token check (`guard`), parsing (`request`, `accept`), the queue (`queue`), loading
//! (`pages`), stored templates (`store`), the extraction (`extraction`), writing (`outputs`), and the response, at once or as
//! events (`answer`, `progress`). Errors become a `problem`. Each route has a file in `routes`.
//!
//! ```no_run
//! use husk_server::{Server, Settings};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::listen(Settings::default()).await?;
//! println!("http://{}/", server.address());
//! server.run(std::future::pending()).await?;
//! # Ok(())
//! # }
//! ```

mod settings;

mod problem;

mod memory;

mod queue;

mod accept;

mod json_object;

mod request;

mod pages;

mod progress;

mod outputs;

mod store;

mod metrics;

mod state;

mod body;

mod extraction;

mod answer;

mod guard;

mod request_log;

mod reference;

mod routes;

mod router;

mod connections;

mod serve;

pub use router::{openapi_json, router, router_with_lookup};
pub use serve::Server;
pub use settings::{DEFAULT_PORT, Limits, Settings};
pub use state::ServeError;
