//! Pages: what somebody asks for is read first, and then written in one go. So a page is whole when it is sent, and can be
//! read without a script.

use axum::{
    extract::{FromRef, FromRequestParts, Path},
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{Html, IntoResponse, Response},
};
use leptos::prelude::{Owner, provide_context};

use super::{App, preferences, secret};
use crate::{
    api::{List, Snapshot, ToolName},
    model::{Preferences, Problem, ProblemKind},
    ui::{
        conversation_page,
        document::{Assets, Document},
        earlier_page::earlier_page,
        frame::frame,
        not_found::trouble_page,
        page::{self, Handed, Page},
        part_page::part_page,
        picker::Choices,
        sending::Told,
        settings_page::{Settings, settings_page},
        sidebar::{Conversations, Here},
        start_page::Deleted,
        view::{Element, View},
    },
};

/// What all pages need.
#[derive(Clone, FromRef)]
pub struct Context {
    pub app: App,
    pub assets: Assets,
}

/// Somebody wants a page.
pub struct Visit {
    context: Context,
    path: String,
    query: Vec<(String, String)>,
    preferences: Preferences,
    /// What was wrong with the form that they have just sent.
    told: Option<Told>,
}

impl FromRequestParts<Context> for Visit {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, Self::Rejection> {
        let query = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
        Ok(Self {
            context: context.clone(),
            path: parts.uri.path().to_owned(),
            query,
            preferences: preferences::of(&parts.headers),
            told: context.app.flashes.take(&parts.headers),
        })
    }
}

pub async fn start(visit: Visit) -> Response {
    let deleted = visit.asked("deleted").and_then(|id| id.parse().ok());
    let handed = Handed { told: visit.told.clone(), page: Page::Start };
    let make = |handed: &Handed| {
        if let Some(id) = deleted {
            provide_context(Deleted(id));
        }
        page::view(handed)
    };
    visit.write(StatusCode::OK, "", None, &handed, make).await
}

pub async fn conversation(Path(id): Path<String>, visit: Visit) -> Response {
    match visit.context.app.snapshot(&id).await {
        Ok(snapshot) => {
            let (title, refresh) = (snapshot.title.clone(), refresh(&snapshot));
            let handed = Handed { told: visit.told.clone(), page: Page::Conversation(Box::new(snapshot)) };
            visit.write(StatusCode::OK, &title, refresh, &handed, page::view).await
        }
        Err(error) => visit.trouble(error.into()).await,
    }
}

pub async fn earlier(Path((id, turn)): Path<(String, String)>, visit: Visit) -> Response {
    // What is no number is before everything.
    match visit.context.app.excerpt(&id, turn.parse().unwrap_or(0)).await {
        Ok(snapshot) => {
            let refresh = refresh(&snapshot);
            visit.still(StatusCode::OK, refresh, || earlier_page(snapshot)).await
        }
        Err(error) => visit.trouble(error.into()).await,
    }
}

pub async fn part(Path((id, call, what)): Path<(String, String, String)>, visit: Visit) -> Response {
    let nth = visit.asked("part").and_then(|part| part.parse().ok()).unwrap_or(1);
    match visit.context.app.part(&id, &call.as_str().into(), &what, nth).await {
        Ok(part) => visit.still(StatusCode::OK, None, || part_page(part, &id, &call, &what)).await,
        Err(error) => visit.trouble(error.into()).await,
    }
}

pub async fn settings(visit: Visit) -> Response {
    let app = &visit.context.app;
    let grants = match app.grants().await {
        Ok(grants) => grants,
        Err(error) => return visit.trouble(error.into()).await,
    };
    let settings = Settings {
        preferences: visit.preferences.clone(),
        models: app.agent.models.list(visit.preferences.model.as_deref()),
        grants,
        receipts: app.agent.calls.receipts.info(),
        is_saved: visit.asked("saved").is_some(),
    };
    visit.still(StatusCode::OK, None, || ("Settings".to_owned(), settings_page(settings))).await
}

pub async fn missing(visit: Visit) -> Response {
    visit.trouble(Problem::new(ProblemKind::NotFound, "There is nothing at this address.")).await
}

fn refresh(snapshot: &Snapshot) -> Option<u32> {
    Owner::new_root(None).with(|| conversation_page::refresh(snapshot))
}

impl Visit {
    /// What the address says after `?`.
    fn asked(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(each, _)| each == name).map(|(_, value)| value.as_str())
    }

    async fn trouble(self, problem: Problem) -> Response {
        let status = problem.status();
        self.still(status, None, || {
            let (title, page) = trouble_page(&problem);
            (title.to_owned(), page)
        })
        .await
    }

    /// A page that does not change while somebody looks at it, with its title.
    async fn still(
        self,
        status: StatusCode,
        refresh: Option<u32>,
        make: impl FnOnce() -> (String, Element),
    ) -> Response {
        let handed = Handed { told: self.told.clone(), page: Page::Still };
        let shared = self.shared().await;
        self.written(status, refresh, &handed, shared, |handed| {
            if let Some(told) = &handed.told {
                provide_context(told.clone());
            }
            let (title, page) = make();
            let body = frame(title.clone(), View::Nothing, View::Still(Some(Box::new(page))), View::Nothing);
            (title, body)
        })
    }

    async fn write(
        self,
        status: StatusCode,
        title: &str,
        refresh: Option<u32>,
        handed: &Handed,
        make: impl FnOnce(&Handed) -> View,
    ) -> Response {
        let shared = self.shared().await;
        self.written(status, refresh, handed, shared, |handed| (title.to_owned(), make(handed)))
    }

    /// What is the same on every page.
    async fn shared(&self) -> (Result<List, Problem>, Choices) {
        let app = &self.context.app;
        let list = app.list(self.asked("q")).await.map_err(Problem::from);
        let models = app.agent.models.list(self.preferences.model.as_deref());
        // Prompts are for models that read them.
        let has_models = models.iter().any(|model| !model.is_embedded);
        let presets = if has_models { app.agent.presets.list() } else { Vec::new() };
        let tools = app.tools().into_iter().map(|tool| ToolName { name: tool.name, title: tool.title }).collect();
        (list, Choices { models, presets, tools })
    }

    fn written(
        self,
        status: StatusCode,
        refresh: Option<u32>,
        handed: &Handed,
        (list, choices): (Result<List, Problem>, Choices),
        make: impl FnOnce(&Handed) -> (String, View),
    ) -> Response {
        let query = self.asked("q").unwrap_or_default().to_owned();
        let nonce = secret::token();
        let Self { context, path, preferences, .. } = self;
        let owner = Owner::new_root(None);
        let page = owner.with(|| {
            Conversations::provide(Some(list), query);
            provide_context(Here(path));
            provide_context(choices);
            let (title, body) = make(handed);
            let assets = &context.assets;
            Document { title: &title, preferences: &preferences, assets, nonce: &nonce, refresh, handed }.write(body)
        });
        let policy = format!(
            "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
             connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        );
        let mut response = (status, Html(page)).into_response();
        let headers = response.headers_mut();
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if handed.told.is_some() {
            headers.append(header::SET_COOKIE, super::flashes::OVER);
        }
        response
    }
}
