-- What the list of conversations needs: how each stands, which are deleted (for a while), and what was said, to be found.

ALTER TABLE conversations ADD COLUMN state TEXT NOT NULL DEFAULT ''; -- of its newest run: running, waiting, completed, …
ALTER TABLE conversations ADD COLUMN deleted_at INTEGER;

UPDATE conversations SET state = coalesce((
    SELECT event ->> '$.data.status' FROM events
    WHERE conversation_id = conversations.id AND event ->> '$.type' = 'agent.status' ORDER BY seq DESC LIMIT 1), '');

-- A row for everything that was said, and its words.
CREATE TABLE said (
    id              INTEGER PRIMARY KEY,
    conversation_id BLOB    NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    message_id      TEXT    NOT NULL,
    UNIQUE (conversation_id, message_id)
) STRICT;

CREATE VIRTUAL TABLE said_words USING fts5 (words, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');

CREATE TRIGGER said_no_more AFTER DELETE ON said BEGIN
    DELETE FROM said_words WHERE rowid = old.id;
END;

INSERT INTO said (conversation_id, message_id)
SELECT conversation_id, id FROM messages
WHERE kind = 'text' AND role IN ('user', 'assistant') AND coalesce(message_json ->> '$.content', '') <> '';

INSERT INTO said_words (rowid, words)
SELECT said.id, messages.message_json ->> '$.content' FROM said
JOIN messages ON messages.conversation_id = said.conversation_id AND messages.id = said.message_id AND messages.kind = 'text';
