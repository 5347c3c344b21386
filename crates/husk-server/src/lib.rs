//! Husk over HTTP: templates, menus and contents of pages for programs in any language, and a web page for people.
//!
//! A request goes this way: may it be made (`guard`), what does it ask for (`request`, `accept`), is it its turn (`queue`), where are its pages
//! (`pages`), what is known of their site (`kept`), what is found (`work`), in which form (`forms`), at once or as events (`answer`,
//! `progress`); what goes wrong is a `problem`. Each route has a file in `routes`.
//!
//! ```no_run
//! use husk_server::{Serving, Settings};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let serving = Serving::listen(Settings::default()).await?;
//! println!("http://{}/", serving.address());
//! serving.run(std::future::pending()).await?;
//! # Ok(())
//! # }
//! ```

mod settings;

mod problem;

mod queue;

mod accept;

mod object;

mod request;

mod pages;

mod progress;

mod forms;

mod kept;

mod metrics;

mod state;

mod work;

mod answer;

mod guard;

mod watch;

mod reference;

mod routes;

mod router;

mod serve;

pub use router::{openapi_json, router, router_with_lookup};
pub use serve::Serving;
pub use settings::{DEFAULT_PORT, Limits, Settings};
pub use state::ServeError;
