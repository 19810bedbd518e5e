//! Ids. We mint UUID v7, so that ids sort by their time of birth.
//!
//! A conversation's id is a key of ours and nothing but a UUID. Runs, messages and calls also come from elsewhere (a
//! model names its calls, an import its messages), so their ids are text that is only compared, never parsed; ours
//! carry their kind in front, which also makes them good DOM ids.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConversationId(Uuid);

impl ConversationId {
    pub fn mint() -> Self {
        Self(Uuid::now_v7())
    }

    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self(uuid)
    }

    pub const fn as_uuid(self) -> Uuid {
        self.0
    }
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ConversationId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Uuid::try_parse(text).map(Self)
    }
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            pub fn mint() -> Self {
                Self(format!(concat!($prefix, "{}"), Uuid::now_v7().simple()).into())
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(RunId, "run_");
text_id!(MessageId, "msg_");
text_id!(
    /// A note that a person has pinned.
    BriefId,
    "brief_"
);
text_id!(
    /// An attached file.
    MediaId,
    "media_"
);
text_id!(
    /// One call, over all its attempts. There is exactly one ending per call id, ever.
    CallId,
    "call_"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minted_ids_are_ordered_and_tell_their_kind() {
        let (first, second) = (CallId::mint(), CallId::mint());
        assert!(first.as_str().starts_with("call_"));
        assert!(first < second);
        assert!(ConversationId::mint() < ConversationId::mint());
    }

    #[test]
    fn ids_of_others_are_kept_as_they_are() {
        let id: CallId = serde_json::from_str("\"search_001\"").unwrap();
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"search_001\"");
    }

    #[test]
    fn a_conversation_id_is_a_uuid() {
        assert!("not-an-id".parse::<ConversationId>().is_err());
        let id = ConversationId::mint();
        assert_eq!(id.to_string().parse(), Ok(id));
    }
}
