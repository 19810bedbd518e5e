//! The research desk's nouns, as tools return them and cards show them.

/// Which executive action: any spelling of its number.
pub mod action_number;
/// One bill: a line in a list, or all that is known.
pub mod bill;
/// Which bill: any spelling of its number.
pub mod bill_number;
/// Where a bill stands.
pub mod bill_status;
/// Executive orders, proclamations and the like.
pub mod executive_action;
/// What tools found.
pub mod findings;
/// Dates and names as people write them.
pub mod plain;
/// States and territories, by letters and by name.
pub mod states;

pub use bill::{Action, Bill, BillDetails, Cosponsor};
pub use bill_number::{BillNumber, BillType, Chamber};
pub use bill_status::BillStatus;
pub use executive_action::{ActionKind, ExecutiveAction};
pub use findings::{ActionsFound, BillsFound, Choice, Comparison, Look, Options, Research};
