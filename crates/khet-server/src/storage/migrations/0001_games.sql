-- Portable SQL: what SQLite and PostgreSQL both understand. Moments are milliseconds since 1970.

CREATE TABLE people (
    id TEXT NOT NULL PRIMARY KEY,
    -- guest, account, bot, gone
    kind TEXT NOT NULL,
    name TEXT,
    -- The name in lower case.
    name_key TEXT UNIQUE,
    created BIGINT NOT NULL
);

CREATE TABLE sessions (
    -- SHA-256 of the token, in hexadecimal digits; the token itself is nowhere.
    token TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL,
    created BIGINT NOT NULL
);

CREATE INDEX sessions_by_person ON sessions (person);

CREATE TABLE games (
    id TEXT NOT NULL PRIMARY KEY,
    silver TEXT NOT NULL,
    red TEXT NOT NULL,
    start TEXT NOT NULL,
    rules TEXT NOT NULL,
    time TEXT NOT NULL,
    rated INTEGER NOT NULL,
    started BIGINT NOT NULL,
    -- What follows is filled in at the end.
    ended BIGINT,
    winner TEXT,
    reason TEXT,
    turns INTEGER,
    position TEXT
);

CREATE INDEX games_by_ended ON games (ended);

-- The truth about games: nothing here is ever changed.
CREATE TABLE events (
    game TEXT NOT NULL,
    number INTEGER NOT NULL,
    at BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, number)
);

CREATE TABLE challenges (
    id TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL,
    -- The options, as JSON.
    body TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- The game that came of it.
    game TEXT
);

CREATE INDEX challenges_by_person ON challenges (person);

-- One row: when the server was last seen alive, so that clocks can be credited for the time it was not.
CREATE TABLE server (
    id INTEGER NOT NULL PRIMARY KEY,
    alive BIGINT NOT NULL
);
