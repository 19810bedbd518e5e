//! How somebody wants it to look and to behave, in every conversation that has not said otherwise.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    FollowUp,
    words::{Word, words},
};

words!(
    #[derive(Default)]
    Theme {
        /// As the device has it.
        #[default]
        System = "system",
        Light = "light",
        Dark = "dark",
    }
);

words!(
    /// How much stands on a page.
    #[derive(Default)]
    Density {
        #[default]
        Comfortable = "comfortable",
        Compact = "compact",
    }
);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preferences {
    pub theme: Theme,
    pub density: Density,
    /// Who is asked, if it is there.
    pub model: Option<String>,
    pub follow_up: FollowUp,
}

impl Preferences {
    /// Sets what is known; the rest stays as it was.
    pub fn set(&mut self, name: &str, value: &str) {
        match name {
            "theme" => self.theme = Theme::from_word(value).unwrap_or(self.theme),
            "density" => self.density = Density::from_word(value).unwrap_or(self.density),
            "model" => self.model = Some(value.to_owned()).filter(|model| !model.is_empty()),
            "follow_up" => self.follow_up = FollowUp::from_word(value).unwrap_or(self.follow_up),
            _ => {}
        }
    }
}

impl Theme {
    pub const fn label(self) -> &'static str {
        match self {
            Self::System => "As the device has it",
            Self::Light => "Light",
            Self::Dark => "Dark",
        }
    }
}

impl Density {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Comfortable => "Comfortable",
            Self::Compact => "Compact",
        }
    }
}
