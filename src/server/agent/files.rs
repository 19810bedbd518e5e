//! Attached files, as a model gets them: text as text, images for those who see.

use std::collections::HashMap;

use base64::Engine;

use super::Agent;
use crate::{
    model::{Conversation, MediaId, Message, Role, message::Media},
    server::{
        Error,
        models::{Attached, Image, Model},
    },
};

/// What a model gets of one file, and of all of them. The newest come first.
const LARGEST: usize = 100 * 1024;
const LARGEST_TOGETHER: usize = 400 * 1024;
const MOST_IMAGES: usize = 10;

/// What there is of the files of a conversation.
#[derive(Default)]
pub struct Files(HashMap<MediaId, File>);

enum File {
    Text(String),
    Image(Image),
}

impl Agent {
    /// The files of a conversation up to this turn, as far as a model takes them.
    pub(super) async fn files(&self, known: &Conversation, until: usize, model: &Model) -> Result<Files, Error> {
        let questions = known.turns().iter().take(until + 1).rev().flat_map(|turn| known.questions(turn).rev());
        let media: Vec<&Media> = questions.flat_map(media_of).collect();
        let (mut files, mut room, mut images) = (HashMap::new(), LARGEST_TOGETHER, MOST_IMAGES);
        for about in media {
            let id = &about.id;
            if about.is_image() {
                if !model.sees || images == 0 {
                    continue;
                }
                if let Some(found) = self.db.media(id, known.id).await? {
                    images -= 1;
                    let base64 = base64::engine::general_purpose::STANDARD.encode(&found.content);
                    files.insert(id.clone(), File::Image(Image { media_type: about.media_type.clone(), base64 }));
                }
            } else if let Some(mut text) = self.db.media_text(id, known.id).await? {
                let most = LARGEST.min(room);
                if text.len() > most {
                    let all = text.len();
                    text.truncate(text.floor_char_boundary(most));
                    text.push_str(&format!("\n… (This is the beginning; all of it has {all} bytes.)"));
                }
                room = room.saturating_sub(text.len());
                files.insert(id.clone(), File::Text(text));
            }
        }
        Ok(Files(files))
    }
}

fn media_of(message: &Message) -> impl Iterator<Item = &Media> {
    message.metadata.iter().filter(|_| message.role == Role::User).flat_map(|metadata| &metadata.media)
}

impl Files {
    /// What comes with one question.
    pub fn of(&self, message: &Message) -> (Vec<Attached>, Vec<Image>) {
        let (mut texts, mut images) = (Vec::new(), Vec::new());
        for Media { id, name, .. } in media_of(message) {
            match self.0.get(id) {
                Some(File::Text(text)) => texts.push(Attached { name: name.clone(), text: text.clone() }),
                Some(File::Image(image)) => images.push(image.clone()),
                None => texts.push(Attached { name: name.clone(), text: "(You cannot see this file.)".into() }),
            }
        }
        (texts, images)
    }
}
