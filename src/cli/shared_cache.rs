//! The shared cache, as the settings describe it.

use std::path::Path;
use std::sync::Arc;

use super::Failure;
use crate::api::engine_text;
use crate::config::{CacheTopology, CacheUrl, SharedCacheOptions};
use crate::pool::SecondLevel;
use crate::shared_cache::{Address, SharedCache, SharedCacheSettings};

/// The shared cache of these settings; none if they name no address. Does not wait for it to be there.
pub(super) fn shared_cache(options: &SharedCacheOptions) -> Result<Option<Arc<dyn SecondLevel>>, Failure> {
    let urls: Vec<&str> = options.shared_cache_url.iter().map(CacheUrl::with_credentials).collect();
    if urls.iter().all(|url| url.is_empty()) {
        return Ok(None);
    }
    let ca_file = options.shared_cache_ca_file.as_deref();
    let address: fn(&[&str], Option<&Path>) -> _ = match options.shared_cache_topology {
        CacheTopology::Single => Address::single,
        CacheTopology::Cluster => Address::cluster,
    };
    let settings = SharedCacheSettings {
        address: address(&urls, ca_file)?,
        timeout: options.timeout(),
        ttl_seconds: options.shared_cache_ttl_seconds,
        engine: engine_text(),
    };
    let cache =
        SharedCache::start(settings).map_err(super::serve::doing("start the shared cache's thread"))?;
    Ok(Some(Arc::new(cache)))
}
