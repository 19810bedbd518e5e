-- The event log is the only truth. `events` is written once and never changed; the columns of `conversations` beyond
-- its id and title are derived from events, in the transaction that writes them.

CREATE TABLE conversations (
    id         BLOB    NOT NULL PRIMARY KEY, -- UUID v7, so the order of ids is the order of birth
    title      TEXT    NOT NULL,             -- empty until the first question
    created_at INTEGER NOT NULL,             -- milliseconds since 1970, like all times here
    updated_at INTEGER NOT NULL,
    last_seq   INTEGER NOT NULL DEFAULT 0,   -- of the newest event: sequence numbers are handed out here, without gaps
    due        INTEGER NOT NULL DEFAULT 0    -- questions without an ended run: what a restarted server has to take up
) STRICT, WITHOUT ROWID;

CREATE INDEX conversations_by_time ON conversations (updated_at);
CREATE INDEX conversations_due ON conversations (id) WHERE due > 0;

-- Clustered by conversation, so that reading a log on from anywhere is one range scan.
CREATE TABLE events (
    conversation_id BLOB    NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    seq             INTEGER NOT NULL,
    at              INTEGER NOT NULL, -- when it was committed
    event           TEXT    NOT NULL, -- the JSON of the wire, to the letter
    PRIMARY KEY (conversation_id, seq)
) STRICT, WITHOUT ROWID;
