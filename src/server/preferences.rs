//! Preferences in a cookie: read with every request, written when somebody changes them.

use axum::http::{HeaderMap, HeaderValue, header, request::Parts};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;

use super::{App, Error};
use crate::model::{Preferences, summary::shorten};

const NAME: &str = "vitrine_preferences";

/// Those of whoever asks.
pub fn of_request() -> Preferences {
    use_context::<Parts>().map(|parts| of(&parts.headers)).unwrap_or_default()
}

pub fn of(headers: &HeaderMap) -> Preferences {
    let mut preferences = Preferences::default();
    for (name, value) in form_urlencoded::parse(cookie(headers, NAME).unwrap_or_default().as_bytes()) {
        preferences.set(&name, &value);
    }
    preferences
}

/// What a cookie says.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(each, _)| *each == name).map(|(_, value)| value)
}

/// Changes what is given. What is left out stays.
pub fn save(app: &App, words: &[(&str, Option<String>)]) -> Result<(), Error> {
    let mut preferences = of_request();
    for (name, value) in words {
        if let Some(value) = value {
            preferences.set(name, value);
        }
    }
    if let Some(model) = preferences.model.as_deref().filter(|name| app.agent.models.get(Some(name)).name != *name) {
        return Err(Error::Invalid(format!("There is no model “{}” here. Choose another.", shorten(model, 60))));
    }
    let value = form_urlencoded::Serializer::new(String::new())
        .append_pair("theme", preferences.theme.as_str())
        .append_pair("density", preferences.density.as_str())
        .append_pair("model", preferences.model.as_deref().unwrap_or_default())
        .append_pair("follow_up", preferences.follow_up.as_str())
        .finish();
    let cookie = format!("{NAME}={value}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly");
    if let (Some(response), Ok(cookie)) = (use_context::<ResponseOptions>(), HeaderValue::from_str(&cookie)) {
        response.append_header(header::SET_COOKIE, cookie);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FollowUp, preferences::Theme};

    #[test]
    fn a_cookie_is_read_as_far_as_it_can_be() {
        let read = |cookie: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_static(cookie));
            of(&headers)
        };
        let known = read("other=1; vitrine_preferences=theme=dark&density=nonsense&model=a%26b&follow_up=at_once; x=y");
        assert_eq!((known.theme, known.model.as_deref()), (Theme::Dark, Some("a&b")));
        assert_eq!(known.follow_up, FollowUp::AtOnce);
        for odd in ["", "vitrine_preferences", "vitrine_preferences=%ff%fe=&&&=", "=;=;;"] {
            assert_eq!(read(odd), Preferences::default(), "{odd}");
        }
    }
}
