//! Files that come with a question: text, Markdown, CSV, the text of a PDF, images. They are taken in first, each by
//! itself, and a question names them. What a file is, its content says; what it was called is only a name.

use axum::{
    Json,
    extract::{FromRequest, Multipart, Path, Request, State, multipart::Field},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{App, Error, conversation_id, db::media::MediaRow, forms};
use crate::{
    api::{LARGEST_FILE, MOST_FILES},
    model::{
        ConversationId, MediaId, Problem, ProblemKind,
        message::Media,
        summary::{bytes, shorten},
    },
    ui::sending::Told,
};

/// What a file is.
mod kind;
/// The text of a PDF.
pub mod pdf;

/// The part of a form that has files.
const FIELD: &str = "file";
const LONGEST_NAME: usize = 120;
/// What is no file in a form with files.
const LARGEST_TEXT: usize = 1024 * 1024;

/// All of a form with files.
pub const LARGEST_FORM: usize = LARGEST_FILE * MOST_FILES + 1024 * 1024;

/// `POST /api/attach`: takes files in, and tells what each is known by.
pub async fn attach(State(app): State<App>, form: Multipart) -> Result<Json<Vec<Media>>, Problem> {
    let files = read_form(&app, form, &mut Fields::new()).await?;
    if files.is_empty() {
        let told = format!("There is no file in this form. Send it as a field named “{FIELD}”.");
        return Err(Problem::new(ProblemKind::InvalidInput, told));
    }
    Ok(Json(files))
}

/// A form with files, as a browser without a script sends it, becomes a form without: the files are taken in, and their
/// ids take their place.
pub async fn unpack(State(app): State<App>, request: Request, next: Next) -> Result<Response, Problem> {
    if !has_files(&request) || request.uri().path() == "/api/attach" {
        return Ok(next.run(request).await);
    }
    let (mut parts, body) = request.into_parts();
    let form = Multipart::from_request(Request::from_parts(parts.clone(), body), &())
        .await
        .map_err(|refused| Problem::new(ProblemKind::InvalidInput, refused.body_text()))?;
    let mut fields = Fields::new();
    let files = match read_form(&app, form, &mut fields).await {
        Ok(files) => files,
        Err(problem) if forms::wants_page(&parts.headers) => {
            let path = parts.uri.path().to_owned();
            return Ok(forms::back(&app, &parts.headers, Told { path, problem, fields }));
        }
        Err(problem) => return Err(problem),
    };
    let known = fields.extract_if(.., |(name, _)| name == "media").map(|(_, ids)| ids);
    let ids = known.chain(files.iter().map(|file| file.id.to_string())).collect::<Vec<_>>().join(",");
    fields.push(("media".to_owned(), ids));
    let encoded = encoded(fields);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    parts.headers.insert(header::CONTENT_LENGTH, encoded.len().into());
    Ok(next.run(Request::from_parts(parts, encoded.into())).await)
}

fn encoded(fields: Fields) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Whether this is a form that may have files in it.
pub fn has_files(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.starts_with("multipart/form-data")
}

type Fields = Vec<(String, String)>;

/// Takes in the files of a form. Its fields are there as far as it could be read.
async fn read_form(app: &App, mut form: Multipart, fields: &mut Fields) -> Result<Vec<Media>, Problem> {
    let (mut files, mut room) = (Vec::new(), LARGEST_TEXT);
    let broken = |error: axum::extract::multipart::MultipartError| {
        let kind = match error.status().as_u16() {
            413 => ProblemKind::TooLarge,
            _ => ProblemKind::InvalidInput,
        };
        Problem::new(kind, format!("This form could not be read: {}.", error.body_text()))
    };
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        let file = field.file_name().map(str::to_owned);
        match file {
            Some(file) if name == FIELD => {
                let content = read_file(field, &file).await?;
                // A browser sends a field without a file as an empty file without a name.
                if file.is_empty() && content.is_empty() {
                    continue;
                }
                if files.len() == MOST_FILES {
                    let told = format!("At most {MOST_FILES} files come with a question.");
                    return Err(Problem::new(ProblemKind::InvalidInput, told));
                }
                files.push(take_in(app, &file, content).await?);
            }
            _ => {
                let value = read_text(field, &mut room).await?;
                fields.push((name, value));
            }
        }
    }
    Ok(files)
}

/// A field that is no file. All of them together have only so much room.
async fn read_text(mut field: Field<'_>, room: &mut usize) -> Result<String, Problem> {
    let mut text = Vec::new();
    while let Ok(Some(chunk)) = field.chunk().await {
        *room = room.checked_sub(chunk.len()).ok_or_else(|| {
            Problem::new(ProblemKind::TooLarge, format!("All text of a form has at most {LARGEST_TEXT} bytes."))
        })?;
        text.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

async fn read_file(mut field: Field<'_>, name: &str) -> Result<Vec<u8>, Problem> {
    let mut content = Vec::new();
    loop {
        match field.chunk().await {
            Ok(Some(chunk)) => content.extend_from_slice(&chunk),
            Ok(None) => return Ok(content),
            Err(error) => {
                let told = format!("“{}” did not arrive: {}.", plain_name(name), error.body_text());
                return Err(Problem::new(ProblemKind::InvalidInput, told));
            }
        }
        if content.len() > LARGEST_FILE {
            let told =
                format!("“{}” is too large: a file has at most {}.", plain_name(name), bytes(LARGEST_FILE as u64));
            return Err(Problem::new(ProblemKind::TooLarge, told));
        }
    }
}

/// Finds out what a file is, and keeps it.
async fn take_in(app: &App, name: &str, content: Vec<u8>) -> Result<Media, Error> {
    let name = plain_name(name);
    let (media_type, text) = kind::read(&name, &content).await.map_err(Error::Invalid)?;
    let about = Media { id: MediaId::mint(), name, media_type: media_type.into(), bytes: content.len() as u64 };
    app.log.store_media(MediaRow { about: about.clone(), content, text }).await?;
    Ok(about)
}

/// The last part of a path, without what would disturb a line of text.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last.chars().filter(|c| !c.is_control() && !kind::is_invisible(*c)).collect();
    match plain.trim() {
        "" => "file".into(),
        plain => shorten(plain, LONGEST_NAME),
    }
}

/// The files that a question names.
pub async fn attached(app: &App, conversation: ConversationId, ids: &str) -> Result<Vec<Media>, Error> {
    let ids: Vec<&str> = ids.split(',').map(str::trim).filter(|id| !id.is_empty()).collect();
    if ids.len() > MOST_FILES {
        return Err(Error::Invalid(format!(
            "At most {MOST_FILES} files come with a question; these are {}.",
            ids.len()
        )));
    }
    let mut files: Vec<Media> = Vec::new();
    for id in ids {
        let found = app.db.media_about(&id.into(), conversation).await?;
        let told = "An attached file is not here any more. Attach it again.";
        let found = found.ok_or_else(|| Error::Invalid(told.into()))?;
        if !files.contains(&found) {
            files.push(found);
        }
    }
    Ok(files)
}

/// `GET /api/conversations/{id}/media/{media}`: the file. Only images are shown by a browser; everything else is saved.
pub async fn serve(State(app): State<App>, Path((id, media)): Path<(String, String)>) -> Result<Response, Problem> {
    let found = app.db.media(&media.as_str().into(), conversation_id(&id)?).await.map_err(Error::from)?;
    let nothing = || Error::Nothing("There is no such file here.".into());
    let MediaRow { about, content, .. } = found.ok_or_else(nothing)?;
    let how = if about.is_image() { "inline" } else { "attachment" };
    let name: String = form_urlencoded::byte_serialize(about.name.as_bytes()).collect::<String>().replace('+', "%20");
    let disposition = format!("{how}; filename*=UTF-8''{name}");
    let media_type = match about.media_type.as_str() {
        kind if about.is_image() || kind == "application/pdf" => kind.to_owned(),
        _ => "text/plain; charset=utf-8".to_owned(),
    };
    let value = |text: &str| HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [
        (header::CONTENT_TYPE, value(&media_type)),
        (header::CONTENT_DISPOSITION, value(&disposition)),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable")),
        (HeaderName::from_static("content-security-policy"), HeaderValue::from_static("default-src 'none'; sandbox")),
    ];
    Ok((headers, content).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_only_names() {
        for (given, kept) in [
            ("a.txt", "a.txt"),
            ("../../etc/passwd", "passwd"),
            ("C:\\temp\\b.csv", "b.csv"),
            ("a\n\u{202e}b\0.md", "ab.md"),
            ("", "file"),
            ("..", ".."),
            ("  ", "file"),
        ] {
            assert_eq!(plain_name(given), kept, "{given:?}");
        }
        assert!(plain_name(&"x".repeat(500)).chars().count() <= LONGEST_NAME + 1);
    }
}
