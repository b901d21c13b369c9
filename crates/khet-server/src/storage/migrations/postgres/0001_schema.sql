-- The schema of PostgreSQL, the same as SQLite's after its migrations 1 to 9, without recent_moves.
-- Columns are BIGINT, DOUBLE PRECISION, TEXT and BYTEA; booleans are 0 and 1. Moments are milliseconds since 1970.
-- COLLATE "C" compares bytes, as SQLite does, so that both give lists the same order.

CREATE TABLE people (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- guest, account, bot, gone
    kind TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C",
    -- The name in lower case.
    name_key TEXT COLLATE "C" UNIQUE,
    created BIGINT NOT NULL,
    -- SHA-256 of what the name looks like. It stays when the account is deleted, so that nobody takes the name of a deleted account.
    look TEXT COLLATE "C",
    -- Argon2id, in its own text form.
    password TEXT COLLATE "C",
    -- Whether the account decides about reported setups. Only the operator grants it.
    moderator BIGINT NOT NULL DEFAULT 0
);

CREATE UNIQUE INDEX people_by_look ON people (look);

CREATE TABLE sessions (
    -- SHA-256 of the token, in hexadecimal digits; the token itself is not stored.
    token TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL
);

CREATE INDEX sessions_by_person ON sessions (person);

-- The tokens of programs.
CREATE TABLE tokens (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- SHA-256 of the token, in hexadecimal digits; the token itself is not stored.
    token TEXT COLLATE "C" NOT NULL UNIQUE,
    person TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL
);

CREATE INDEX tokens_by_person ON tokens (person);

CREATE TABLE games (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    silver TEXT COLLATE "C" NOT NULL,
    red TEXT COLLATE "C" NOT NULL,
    start TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    time TEXT COLLATE "C" NOT NULL,
    rated BIGINT NOT NULL,
    started BIGINT NOT NULL,
    -- The following columns are filled in at the end of the game.
    ended BIGINT,
    winner TEXT COLLATE "C",
    reason TEXT COLLATE "C",
    turns BIGINT,
    position TEXT COLLATE "C",
    -- Whether only people with the link see the game.
    private BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX games_by_silver ON games (silver);
CREATE INDEX games_by_red ON games (red);
CREATE INDEX games_by_start ON games (start);

-- Searches of finished games read an index in the order of the list and skip no row; see SQLite's migration 8.

CREATE INDEX public_games_by_end ON games (ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_result ON games (winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_setup
ON games ((CASE WHEN strpos(start, '/') > 0 THEN 'position' ELSE start END), winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_silver ON games (silver, winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_red ON games (red, winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_silver_and_setup
ON games (silver, (CASE WHEN strpos(start, '/') > 0 THEN 'position' ELSE start END), winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_red_and_setup
ON games (red, (CASE WHEN strpos(start, '/') > 0 THEN 'position' ELSE start END), winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_players ON games (silver, red, winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX private_games_by_silver ON games (silver, ended, id)
WHERE private = 1 AND reason <> 'aborted';

CREATE INDEX private_games_by_red ON games (red, ended, id)
WHERE private = 1 AND reason <> 'aborted';

CREATE INDEX unfinished_games ON games (id)
WHERE ended IS NULL;

-- The events of games. Rows are only added, except that chat messages are hidden.
CREATE TABLE events (
    game TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (game, number)
);

CREATE TABLE challenges (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    -- The options, as JSON.
    body TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    -- The game that started when the challenge was accepted.
    game TEXT COLLATE "C",
    -- Whether the person who was challenged has declined. The row stays until the challenger has seen it.
    declined BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX challenges_by_person ON challenges (person);

-- One row: the last heartbeat of the server, so that clocks are credited for the time in which it did not run.
CREATE TABLE server (
    id BIGINT NOT NULL PRIMARY KEY,
    alive BIGINT NOT NULL
);

-- Glicko-2, one row per speed.
CREATE TABLE ratings (
    person TEXT COLLATE "C" NOT NULL,
    speed TEXT COLLATE "C" NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    -- The end of the last game that counted.
    changed BIGINT NOT NULL,
    PRIMARY KEY (person, speed)
);

CREATE INDEX ratings_by_speed ON ratings (speed, rating);

-- The change that a rated game made, one row per player.
CREATE TABLE rating_changes (
    game TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    speed TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    before BIGINT NOT NULL,
    -- The deviation before the game.
    deviation BIGINT NOT NULL,
    after BIGINT NOT NULL,
    PRIMARY KEY (game, person)
);

CREATE INDEX rating_changes_by_person ON rating_changes (person, speed, at);

-- Every finished game that counts, in the order of their commits: numbers have no gaps that are filled later.
CREATE TABLE finished (
    number BIGINT NOT NULL PRIMARY KEY,
    -- The id in games, or in imported.
    game TEXT COLLATE "C" NOT NULL,
    imported BIGINT NOT NULL
);

-- Counts that follow from finished games and can be computed again.
CREATE TABLE explorer (
    -- The hash of the position, its side to move and its rules.
    position BIGINT NOT NULL,
    -- The move in two bytes.
    turn BIGINT NOT NULL,
    -- The band of ratings and the speed.
    class BIGINT NOT NULL,
    silver BIGINT NOT NULL,
    draws BIGINT NOT NULL,
    red BIGINT NOT NULL,
    -- The number of the last of these games.
    game BIGINT NOT NULL,
    PRIMARY KEY (position, turn, class)
);

-- One row: the number of the last game that is in explorer. It changes together with explorer, so that no game counts twice.
CREATE TABLE explorer_progress (
    id BIGINT NOT NULL PRIMARY KEY,
    counted BIGINT NOT NULL
);

INSERT INTO explorer_progress (id, counted) VALUES (1, 0);

-- Games that were played elsewhere.
CREATE TABLE imported (
    -- Made from the hash of the other columns: the same game has the same id.
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    start TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    -- silver, red, or nothing for a draw
    winner TEXT COLLATE "C",
    -- The other tags of the record, one per line: the name, a space, the value.
    tags TEXT COLLATE "C" NOT NULL,
    -- Two bytes per move.
    turns BYTEA NOT NULL
);

-- Reviews of games that were played here, each made once.
CREATE TABLE reviews (
    game TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- The engine's name and version.
    engine TEXT COLLATE "C" NOT NULL,
    -- The review, as JSON.
    body TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL
);

-- Starting positions that people have published.
CREATE TABLE setups (
    -- Counted from the first one: the order in which they were published.
    number BIGINT NOT NULL PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    person TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    words TEXT COLLATE "C" NOT NULL,
    -- The position, as games that start from it have it.
    start TEXT COLLATE "C" NOT NULL UNIQUE,
    -- The same for the position and for its half turn with the colours exchanged, which is the same game.
    both_ways TEXT COLLATE "C" NOT NULL UNIQUE,
    rules TEXT COLLATE "C" NOT NULL,
    -- standard, khet2
    box TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    likes BIGINT NOT NULL,
    -- Finished games from it, and their results.
    plays BIGINT NOT NULL,
    silver BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    red BIGINT NOT NULL,
    -- How surely it is balanced, from 0 to 1000.
    evenness BIGINT NOT NULL,
    -- Time of the first report that nobody has decided about.
    reported BIGINT,
    -- Whether lists leave it out until someone has decided.
    hidden BIGINT NOT NULL
);

CREATE INDEX setups_by_number ON setups (hidden, number);
CREATE INDEX setups_by_plays ON setups (hidden, plays, number);
CREATE INDEX setups_by_likes ON setups (hidden, likes, number);
CREATE INDEX setups_by_evenness ON setups (hidden, evenness, number);
CREATE INDEX setups_by_box_and_number ON setups (box, hidden, number);
CREATE INDEX setups_by_box_and_plays ON setups (box, hidden, plays, number);
CREATE INDEX setups_by_box_and_likes ON setups (box, hidden, likes, number);
CREATE INDEX setups_by_box_and_evenness ON setups (box, hidden, evenness, number);
CREATE INDEX setups_by_person ON setups (person, hidden, number);
CREATE INDEX setups_by_reported ON setups (reported);

CREATE TABLE setup_likes (
    setup TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (setup, person)
);

CREATE INDEX setup_likes_by_person ON setup_likes (person);

-- One by each person. It stays when it is decided, so that nobody reports the same setup again and again.
CREATE TABLE setup_reports (
    setup TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    decided BIGINT NOT NULL,
    -- How much the report counts, by the age and the games of the account that made it.
    weight BIGINT NOT NULL DEFAULT 1,
    -- The decision that closed the report.
    decision BIGINT,
    PRIMARY KEY (setup, person)
);

CREATE INDEX setup_reports_by_person ON setup_reports (person);

-- What moderators decided: who, when, what.
CREATE TABLE setup_decisions (
    number BIGINT NOT NULL PRIMARY KEY,
    setup TEXT COLLATE "C" NOT NULL,
    moderator TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    -- kept, removed
    kind TEXT COLLATE "C" NOT NULL,
    -- As they were before, which undoing the decision restores.
    reported BIGINT,
    hidden BIGINT NOT NULL,
    undone_by TEXT COLLATE "C",
    undone_at BIGINT
);

CREATE INDEX setup_decisions_by_setup ON setup_decisions (setup);

-- Setups that are no longer published and were reported or decided about. They are kept for when the
-- position is published again: reports and decisions then follow to the new id.
CREATE TABLE removed_setups (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    both_ways TEXT COLLATE "C" NOT NULL UNIQUE,
    number BIGINT NOT NULL,
    -- The decision that removed it, or nothing if its author deleted it.
    decision BIGINT,
    reported BIGINT,
    hidden BIGINT NOT NULL,
    -- As it was published, which undoing the decision restores. The texts and the author are empty
    -- if its author deleted it.
    person TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    words TEXT COLLATE "C" NOT NULL,
    start TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    box TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    likes BIGINT NOT NULL
);

CREATE INDEX removed_setups_by_person ON removed_setups (person);

-- Rows that the writer inserts and deletes to find out whether the database can be written.
CREATE TABLE write_probe (
    id BIGINT NOT NULL PRIMARY KEY,
    filler BYTEA NOT NULL
);

-- Without compression, so that a probe needs as much space as it says.
ALTER TABLE write_probe ALTER COLUMN filler SET STORAGE EXTERNAL;
