-- What is read of a log in other ways than from its beginning to its end. All of it is derived from events, in the
-- transaction that writes them, except for the parts of what is too large for an event: those stand here and nowhere
-- else, under the hash by which their event names them.

-- Calls that have not ended: like questions without an answer, they are taken up when the server starts.
ALTER TABLE conversations ADD COLUMN open_calls INTEGER NOT NULL DEFAULT 0;
CREATE INDEX conversations_with_open_calls ON conversations (id) WHERE open_calls > 0;

-- What was said, and what each step called and found, as the model gets it.
CREATE TABLE messages (
    conversation_id BLOB    NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    id              TEXT    NOT NULL,
    kind            TEXT    NOT NULL, -- text, tools_aggregate
    role            TEXT    NOT NULL,
    timestamp_utc   TEXT    NOT NULL,
    sequence_number INTEGER NOT NULL, -- of the event that said it
    message_json    TEXT    NOT NULL,
    PRIMARY KEY (conversation_id, id, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_in_order ON messages (conversation_id, sequence_number);

INSERT OR REPLACE INTO messages
SELECT conversation_id, event ->> '$.data.id', 'text', event ->> '$.data.role', coalesce(event ->> '$.data.timestamp', ''), seq,
       event -> '$.data'
FROM events WHERE event ->> '$.type' = 'message' ORDER BY conversation_id, seq;

-- Large results and outputs, in parts that are read one at a time. The same content is kept once.
CREATE TABLE parts (
    sha256 TEXT    NOT NULL,
    part   INTEGER NOT NULL, -- from 1
    body   TEXT    NOT NULL,
    PRIMARY KEY (sha256, part)
) STRICT;

-- Which call they are of. Parts that nothing here names are thrown away when the server starts.
CREATE TABLE kept (
    conversation_id BLOB    NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    call_id         TEXT    NOT NULL,
    what            TEXT    NOT NULL, -- result, output
    is_json         INTEGER NOT NULL,
    sha256          TEXT    NOT NULL,
    bytes           INTEGER NOT NULL,
    parts           INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, call_id, what)
) STRICT, WITHOUT ROWID;

CREATE INDEX kept_by_hash ON kept (sha256);

-- How long calls took that ran to their end: what is usual for a tool.
CREATE TABLE durations (
    id   INTEGER PRIMARY KEY,
    tool TEXT    NOT NULL,
    ms   INTEGER NOT NULL
) STRICT;

CREATE INDEX durations_by_tool ON durations (tool, id);
