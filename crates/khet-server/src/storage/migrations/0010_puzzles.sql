-- Attempts at puzzles, and the ratings that follow from them. The puzzles themselves are part of the program.

-- Puzzles that were tried by an account. The others have the rating of the set.
CREATE TABLE puzzle_ratings (
    puzzle TEXT NOT NULL PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    -- Number of rated attempts.
    games INTEGER NOT NULL,
    -- Time of the last one.
    changed BIGINT NOT NULL
);

-- Ratings of accounts as solvers.
CREATE TABLE solver_ratings (
    person TEXT NOT NULL PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    games INTEGER NOT NULL,
    changed BIGINT NOT NULL
);

-- The first attempt of each account at each puzzle.
CREATE TABLE puzzle_attempts (
    person TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    at BIGINT NOT NULL,
    solved INTEGER NOT NULL,
    -- The solver's rating before and after it. Nothing if the attempt was made as a guest, which is not rated.
    before INTEGER,
    after INTEGER,
    -- Time of the last attempt at the puzzle.
    latest BIGINT NOT NULL,
    PRIMARY KEY (person, puzzle)
);

CREATE TABLE puzzle_votes (
    puzzle TEXT NOT NULL,
    person TEXT NOT NULL,
    -- up, down
    vote TEXT NOT NULL,
    PRIMARY KEY (puzzle, person)
);

CREATE INDEX puzzle_votes_by_person ON puzzle_votes (person);

-- The best series of each account and kind.
CREATE TABLE puzzle_runs (
    person TEXT NOT NULL,
    -- storm, streak
    kind TEXT NOT NULL,
    score INTEGER NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, kind)
);
