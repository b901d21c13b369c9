-- Moderators as a stored role, and decisions about setups that are logged and can be undone.

-- "Khet": names the program that a file belongs to.
PRAGMA application_id = 1265132916;

-- Whether the account decides about reported setups. Only the operator grants it.
ALTER TABLE people ADD COLUMN moderator INTEGER NOT NULL DEFAULT 0;

-- How much a report counts, by the age and the games of the account that made it.
ALTER TABLE setup_reports ADD COLUMN weight INTEGER NOT NULL DEFAULT 1;

-- The decision that closed the report. Decisions of earlier versions were not logged.
ALTER TABLE setup_reports ADD COLUMN decision BIGINT;

-- What moderators decided: who, when, what.
CREATE TABLE setup_decisions (
    number INTEGER NOT NULL PRIMARY KEY,
    setup TEXT NOT NULL,
    moderator TEXT NOT NULL,
    at BIGINT NOT NULL,
    -- kept, removed
    kind TEXT NOT NULL,
    -- As they were before, which undoing the decision restores.
    reported BIGINT,
    hidden INTEGER NOT NULL,
    undone_by TEXT,
    undone_at BIGINT
);

CREATE INDEX setup_decisions_by_setup ON setup_decisions (setup);

-- Setups that are no longer published and were reported or decided about. They are kept for when the
-- position is published again: reports and decisions then follow to the new id.
CREATE TABLE removed_setups (
    id TEXT NOT NULL PRIMARY KEY,
    both_ways TEXT NOT NULL UNIQUE,
    number BIGINT NOT NULL,
    -- The decision that removed it, or nothing if its author deleted it.
    decision BIGINT,
    reported BIGINT,
    hidden INTEGER NOT NULL,
    -- As it was published, which undoing the decision restores. The texts and the author are empty
    -- if its author deleted it.
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    words TEXT NOT NULL,
    start TEXT NOT NULL,
    rules TEXT NOT NULL,
    box TEXT NOT NULL,
    created BIGINT NOT NULL,
    likes INTEGER NOT NULL
);

CREATE INDEX removed_setups_by_person ON removed_setups (person);
