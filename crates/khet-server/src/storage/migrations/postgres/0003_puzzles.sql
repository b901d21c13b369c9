-- Attempts at puzzles, and the ratings that follow from them. The puzzles themselves are part of the program.

-- Puzzles that were tried by an account. The others have the rating of the set.
CREATE TABLE puzzle_ratings (
    puzzle TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    -- Number of rated attempts.
    games BIGINT NOT NULL,
    -- Time of the last one.
    changed BIGINT NOT NULL
);

-- Ratings of accounts as solvers.
CREATE TABLE solver_ratings (
    person TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    changed BIGINT NOT NULL
);

-- The first attempt of each account at each puzzle.
CREATE TABLE puzzle_attempts (
    person TEXT COLLATE "C" NOT NULL,
    puzzle TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    -- The solver's rating before and after it. Nothing if the attempt was made as a guest, which is not rated.
    before BIGINT,
    after BIGINT,
    -- Time of the last attempt at the puzzle.
    latest BIGINT NOT NULL,
    PRIMARY KEY (person, puzzle)
);

CREATE TABLE puzzle_votes (
    puzzle TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    -- up, down
    vote TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (puzzle, person)
);

CREATE INDEX puzzle_votes_by_person ON puzzle_votes (person);

-- The best series of each account and kind.
CREATE TABLE puzzle_runs (
    person TEXT COLLATE "C" NOT NULL,
    -- storm, streak
    kind TEXT COLLATE "C" NOT NULL,
    score BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, kind)
);
