-- The corpus: bills and executive actions, to be searched. Imports write it; a running server only reads it, so the
-- file can be copied to many servers and swapped under a running one.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- What has been read, and what it was then: the same file is not read twice.
CREATE TABLE sources (source TEXT PRIMARY KEY, fingerprint INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- The long columns come last, so that a list does not read them.
CREATE TABLE bills (
    -- Made of congress, type and number, so a bill has the same id in every corpus.
    id INTEGER PRIMARY KEY,
    congress INTEGER NOT NULL, type TEXT NOT NULL, number INTEGER NOT NULL, chamber TEXT NOT NULL,
    status TEXT NOT NULL, introduced TEXT NOT NULL, latest_action_date TEXT NOT NULL,
    sponsor TEXT NOT NULL, sponsor_id TEXT NOT NULL, party TEXT NOT NULL, state TEXT NOT NULL,
    law TEXT NOT NULL, policy_area TEXT NOT NULL, title TEXT NOT NULL,
    cosponsor_count INTEGER NOT NULL, latest_action TEXT NOT NULL,
    -- Of two records of one bill, the one that was updated later holds.
    updated TEXT NOT NULL, fingerprint INTEGER NOT NULL,
    -- Lists, an entry per line.
    other_titles TEXT NOT NULL, subjects TEXT NOT NULL, committees TEXT NOT NULL,
    summary TEXT NOT NULL,
    -- JSON.
    cosponsors TEXT NOT NULL, actions TEXT NOT NULL
) STRICT;
CREATE INDEX bills_by_number ON bills (type, number, congress);
CREATE INDEX bills_by_date ON bills (latest_action_date);
CREATE INDEX bills_by_sponsor ON bills (sponsor_id);
CREATE INDEX bills_by_law ON bills (law) WHERE law <> '';

CREATE TABLE bill_subjects (
    subject TEXT NOT NULL COLLATE NOCASE, bill_id INTEGER NOT NULL, PRIMARY KEY (subject, bill_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bill_subjects_by_bill ON bill_subjects (bill_id);

CREATE TABLE executive_actions (
    -- Made of the document number.
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL, number TEXT NOT NULL, document_number TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL, signed TEXT NOT NULL, published TEXT NOT NULL, president TEXT NOT NULL,
    citation TEXT NOT NULL, url TEXT NOT NULL, notes TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX executive_actions_by_number ON executive_actions (number);
CREATE INDEX executive_actions_by_date ON executive_actions (published);

CREATE VIRTUAL TABLE bills_text USING fts5 (
    title, other_titles, sponsor, policy_area, subjects, committees, summary,
    content='bills', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2', prefix='3 4'
);
CREATE VIRTUAL TABLE executive_actions_text USING fts5 (
    title, notes, president, text,
    content='executive_actions', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2', prefix='3 4'
);

-- The words there are, for those who spell one wrong.
CREATE VIRTUAL TABLE bills_words USING fts5vocab(bills_text, row);
CREATE VIRTUAL TABLE executive_actions_words USING fts5vocab(executive_actions_text, row);

-- How much a word weighs, by where it stands.
INSERT INTO bills_text (bills_text, rank) VALUES ('rank', 'bm25(10.0, 6.0, 4.0, 3.0, 3.0, 1.0, 1.0)');
INSERT INTO executive_actions_text (executive_actions_text, rank) VALUES ('rank', 'bm25(10.0, 2.0, 3.0, 1.0)');
