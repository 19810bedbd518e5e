//! How long it takes until a card is seen.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use server_fn::codec::GetUrl;

use crate::model::Problem;

/// What the last cards took, from the moment their calls were known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptsInfo {
    pub count: u64,
    pub p50_ms: Option<u64>,
    pub p99_ms: Option<u64>,
}

/// Cards that a page shows, each with how many milliseconds ago it began to: `call_1:12,call_2:7`.
#[server(prefix = "/api", endpoint = "report_receipts")]
pub async fn report_receipts(receipts: String) -> Result<(), Problem> {
    crate::server::app()?.agent.calls.take_receipts(&receipts);
    Ok(())
}

#[server(prefix = "/api", endpoint = "load_receipts", input = GetUrl)]
pub async fn load_receipts() -> Result<ReceiptsInfo, Problem> {
    Ok(crate::server::app()?.agent.calls.receipts.info())
}
