-- Accounts, programs that play, ratings, and finding finished games.

-- SHA-256 of what the name looks like. It stays when the account is deleted, so that nobody takes the place of someone who has gone.
ALTER TABLE people ADD COLUMN look TEXT;

-- Argon2id, as its own text says.
ALTER TABLE people ADD COLUMN password TEXT;

CREATE UNIQUE INDEX people_by_look ON people (look);

-- The tokens of programs.
CREATE TABLE tokens (
    id TEXT NOT NULL PRIMARY KEY,
    -- SHA-256 of the token, in hexadecimal digits; the token itself is nowhere.
    token TEXT NOT NULL UNIQUE,
    person TEXT NOT NULL,
    label TEXT NOT NULL,
    created BIGINT NOT NULL
);

CREATE INDEX tokens_by_person ON tokens (person);

-- Glicko-2, each speed apart.
CREATE TABLE ratings (
    person TEXT NOT NULL,
    speed TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games INTEGER NOT NULL,
    -- When the last game that counted ended.
    changed BIGINT NOT NULL,
    PRIMARY KEY (person, speed)
);

CREATE INDEX ratings_by_speed ON ratings (speed, rating);

-- What each rated game did, once for each player.
CREATE TABLE rating_changes (
    game TEXT NOT NULL,
    person TEXT NOT NULL,
    speed TEXT NOT NULL,
    at BIGINT NOT NULL,
    before INTEGER NOT NULL,
    -- How far the truth may have been from it.
    deviation INTEGER NOT NULL,
    after INTEGER NOT NULL,
    PRIMARY KEY (game, person)
);

CREATE INDEX rating_changes_by_person ON rating_changes (person, speed, at);

-- Finished games in the order in which they ended: all, of a player, from a setup.
CREATE INDEX games_by_end ON games (ended, id);
CREATE INDEX games_by_silver ON games (silver, ended, id);
CREATE INDEX games_by_red ON games (red, ended, id);
CREATE INDEX games_by_start ON games (start, ended, id);
DROP INDEX games_by_ended;
