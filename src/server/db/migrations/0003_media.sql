-- Files that people attach. They are taken in before the question that they come with, and belong to its conversation from
-- then on. Those that no question names are thrown away after a day.
CREATE TABLE media (
    id              TEXT    NOT NULL PRIMARY KEY,
    conversation_id BLOB    REFERENCES conversations (id) ON DELETE CASCADE,
    name            TEXT    NOT NULL,
    media_type      TEXT    NOT NULL,
    content         BLOB    NOT NULL,
    text            TEXT,             -- what a model reads of it, if it is no image
    created_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX media_of_conversation ON media (conversation_id);
