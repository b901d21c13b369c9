-- The explorer: what was played from each position. Games that were played elsewhere. Reviews of games.

-- Every finished game that counts, in the order in which they were written down. A number is given once, and the writer is alone:
-- whoever has seen one has seen all before it, whatever clocks say.
CREATE TABLE finished (
    number BIGINT NOT NULL PRIMARY KEY,
    -- The id in games, or in imported.
    game TEXT NOT NULL,
    imported INTEGER NOT NULL
);

INSERT INTO finished (number, game, imported)
SELECT ROW_NUMBER() OVER (ORDER BY ended, id), id, 0 FROM games
WHERE ended IS NOT NULL AND reason <> 'aborted';

-- What follows from finished games: it can be thrown away and made anew.
CREATE TABLE explorer (
    -- The hash of the position, its side to move and its rules.
    position BIGINT NOT NULL,
    -- The turn in two bytes.
    turn INTEGER NOT NULL,
    -- The band of ratings and the speed.
    class INTEGER NOT NULL,
    silver INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    red INTEGER NOT NULL,
    -- The last of these games, by its number.
    game BIGINT NOT NULL,
    PRIMARY KEY (position, turn, class)
    -- Kept in the key's order alone, without a second copy of the key: SQLite's words for it.
) WITHOUT ROWID;

-- One row: the number of the last game that is in explorer. It changes together with explorer, so that no game counts twice.
CREATE TABLE explorer_progress (
    id INTEGER NOT NULL PRIMARY KEY,
    counted BIGINT NOT NULL
);

INSERT INTO explorer_progress (id, counted) VALUES (1, 0);

-- Games that were played elsewhere.
CREATE TABLE imported (
    -- Made from the hash of all that follows: the same game has the same id.
    id TEXT NOT NULL PRIMARY KEY,
    start TEXT NOT NULL,
    rules TEXT NOT NULL,
    -- silver, red, or nothing for a draw
    winner TEXT,
    -- The other tags of the record, one a line: the name, a space, the value.
    tags TEXT NOT NULL,
    -- Two bytes a turn.
    turns BLOB NOT NULL
);

-- Reviews of games that were played here, each made once.
CREATE TABLE reviews (
    game TEXT NOT NULL PRIMARY KEY,
    -- The engine's name and version.
    engine TEXT NOT NULL,
    -- The review, as JSON.
    body TEXT NOT NULL,
    at BIGINT NOT NULL
);
