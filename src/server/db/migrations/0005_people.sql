-- What people have allowed, and where somebody is waited for.

ALTER TABLE conversations ADD COLUMN asking INTEGER NOT NULL DEFAULT 0; -- questions that wait for an answer

-- Permissions that hold for longer than one call. They bind the tool, where it comes from, and all that it says about itself.
CREATE TABLE grants (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id BLOB    REFERENCES conversations (id) ON DELETE CASCADE, -- where it holds; nothing means everywhere
    tool            TEXT    NOT NULL,
    server          TEXT    NOT NULL, -- empty for our own tools
    definition      TEXT    NOT NULL, -- a hash
    granted_at      INTEGER NOT NULL,
    revoked_at      INTEGER
) STRICT;

CREATE INDEX grants_by_tool ON grants (tool, server);
