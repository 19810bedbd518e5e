//! Attached files: what is taken, what a model gets of them, and who may read them.

use reqwest::multipart::{Form, Part};

use super::{
    mock::{Mock, words},
    *,
};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

/// The smallest PDF that says something.
fn pdf(text: &str) -> Vec<u8> {
    let stream = format!("BT /F1 24 Tf 72 720 Td ({text}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let (mut written, mut places) = (String::from("%PDF-1.4\n"), Vec::new());
    for (nth, object) in objects.iter().enumerate() {
        places.push(written.len());
        written.push_str(&format!("{} 0 obj\n{object}\nendobj\n", nth + 1));
    }
    let table = written.len();
    written.push_str("xref\n0 6\n0000000000 65535 f \n");
    for place in places {
        written.push_str(&format!("{place:010} 00000 n \n"));
    }
    written.push_str(&format!("trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"));
    written.into_bytes()
}

fn file(name: &str, content: impl Into<Vec<u8>>) -> Part {
    Part::bytes(content.into()).file_name(name.to_owned())
}

async fn attach(server: &Server, form: Form) -> Response {
    server.client.post(format!("{}/api/attach", server.url)).multipart(form).send().await.unwrap()
}

async fn id_of(server: &Server, name: &str, content: impl Into<Vec<u8>>) -> String {
    let response = attach(server, Form::new().part("file", file(name, content))).await;
    assert_eq!(response.status(), StatusCode::OK, "{}", response.text().await.unwrap());
    response.json::<Value>().await.unwrap()[0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_reads_text_and_sees_images() {
    let mock = Mock::default();
    let server = mock.start("openai_chat", "vision = true").await;
    let (csv, paper, image) = (
        id_of(&server, "bills.csv", "bill,vote\nH.R. 27,yes\n").await,
        id_of(&server, "paper.pdf", pdf("Fentanyl is not water")).await,
        id_of(&server, "photo.txt", PNG).await,
    );
    mock.plays(words("openai_chat", "I see."));
    let media = format!("{csv}, {paper},{image},{csv}");
    let begun = server.post("/api/new_conversation", &[("text", "What is this?"), ("media", &media)]).send().await;
    let begun: Value = begun.unwrap().json().await.unwrap();
    let id: ConversationId = begun["conversation_id"].as_str().unwrap().parse().unwrap();
    server.finished(id, 1).await;
    let asked = mock.asked.lock().unwrap()[0]["messages"][1]["content"].clone();
    let text = asked[0]["text"].as_str().unwrap();
    assert!(text.contains("Attached file “bills.csv”:\n```\nbill,vote\nH.R. 27,yes\n```"), "{text}");
    assert!(text.contains("Fentanyl is not water"), "{text}");
    assert_eq!(asked[1]["image_url"]["url"], "data:image/png;base64,iVBORw0KGgogYW5kIHNvIG9u");
    assert_eq!(asked.as_array().unwrap().len(), 2, "each file once");

    // The page tells of them, and only this conversation has them.
    let page = server.get(&format!("/c/{id}")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("bills.csv") && page.contains("paper.pdf"), "their names are on the page");
    for (media, kind, how) in [
        (&image, "image/png", "inline"),
        (&csv, "text/plain; charset=utf-8", "attachment"),
        (&paper, "application/pdf", "attachment"),
    ] {
        let served = server.get(&format!("/api/conversations/{id}/media/{media}")).send().await.unwrap();
        assert_eq!(served.status(), StatusCode::OK);
        assert_eq!(served.headers()[header::CONTENT_TYPE], kind);
        assert!(served.headers()[header::CONTENT_DISPOSITION].to_str().unwrap().starts_with(how));
        assert!(served.headers()["content-security-policy"].to_str().unwrap().contains("sandbox"));
        assert_eq!(served.headers()["x-content-type-options"], "nosniff");
    }
    let other = server.app.new_conversation(None, &Default::default()).await.unwrap();
    let foreign = server.get(&format!("/api/conversations/{other}/media/{csv}")).send().await.unwrap();
    assert_eq!(foreign.status(), StatusCode::NOT_FOUND);
    let other = other.to_string();
    let stolen = [("conversation_id", other.as_str()), ("text", "Mine?"), ("media", csv.as_str())];
    let stolen = server.post("/api/send_message", &stolen).send().await.unwrap();
    assert_eq!(stolen.status(), StatusCode::UNPROCESSABLE_ENTITY, "a file of another conversation");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_attached_is_told_and_the_rest_is_not_lost() {
    let server = Server::start().await;
    for (form, status, problem) in [
        (Form::new().part("file", file("a.zip", b"PK\x03\x04\0".to_vec())), 422, "“a.zip” is nothing that can be read"),
        (Form::new().part("file", file("a.txt", vec![b'a'; 10 * 1024 * 1024 + 1])), 413, "at most 10"),
        (Form::new().part("file", file("scan.pdf", pdf(""))), 422, "has no text; it may be a scan"),
        (
            Form::new().part("file", file("broken.pdf", b"%PDF-1.4 nothing".to_vec())),
            422,
            "“broken.pdf” cannot be read",
        ),
        (Form::new().text("file", "no file at all"), 422, "There is no file in this form"),
    ] {
        let refused = attach(&server, form).await;
        assert_eq!(refused.status().as_u16(), status, "{problem}");
        let told = refused.text().await.unwrap();
        assert!(told.contains(problem), "{told}");
    }
    let many = (0..11).fold(Form::new(), |form, nth| form.part("file", file(&format!("{nth}.txt"), "text")));
    let refused = attach(&server, many).await;
    assert!(refused.text().await.unwrap().contains("At most 10 files"));
    // The embedded agent does not see.
    let image = id_of(&server, "a.png", PNG).await;
    let ask = [("text", "What is this?"), ("media", image.as_str())];
    let refused = server.post("/api/new_conversation", &ask).send().await.unwrap();
    assert!(refused.text().await.unwrap().contains("Embedded agent does not see images"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_a_script_brings_its_files_along() {
    let server = Server::start().await;
    let form = Form::new()
        .text("text", "What became of these?")
        .text("media", "")
        .part("file", file("b.csv", "hr27\nS. 331\n"));
    let request = server.client.post(format!("{}/api/new_conversation", server.url)).multipart(form);
    let sent = request.header(header::ACCEPT, "text/html").send().await.unwrap();
    assert_eq!(sent.status(), StatusCode::SEE_OTHER, "{}", sent.text().await.unwrap());
    let place = sent.headers()[header::LOCATION].to_str().unwrap().to_owned();
    let id: ConversationId = place.strip_prefix("/c/").unwrap().parse().unwrap();
    server.finished(id, 1).await;
    let known = server.app.log.fold(id).await.unwrap();
    assert_eq!(known.calls().count(), 2, "the embedded agent looks up what the file names");
    let page = server.get(&place).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("b.csv") && page.contains("HALT Fentanyl Act"), "{page}");
    // Without a file it is a form like any other.
    let form = Form::new().text("text", "hello").part("file", file("", ""));
    let sent = server.client.post(format!("{}/api/new_conversation", server.url)).multipart(form).send().await.unwrap();
    assert_eq!(sent.status(), StatusCode::OK, "{}", sent.text().await.unwrap());
}
