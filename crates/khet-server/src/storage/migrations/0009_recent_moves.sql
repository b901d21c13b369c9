-- Moves of games in progress that are not in `events` yet. It has no index, so that moves of many games share a page.
CREATE TABLE recent_moves (
    id INTEGER NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    number INTEGER NOT NULL,
    at BIGINT NOT NULL,
    body TEXT NOT NULL
);
