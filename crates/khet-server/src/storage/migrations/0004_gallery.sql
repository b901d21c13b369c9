-- Starting positions that people have published.

CREATE TABLE setups (
    -- Counted from the first one: the order in which they were published.
    number BIGINT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- Who published it.
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    words TEXT NOT NULL,
    -- The position, as games that start from it have it.
    start TEXT NOT NULL UNIQUE,
    -- The same for the position and for its half turn with the colours exchanged, which is the same game.
    both_ways TEXT NOT NULL UNIQUE,
    rules TEXT NOT NULL,
    -- standard, khet2
    box TEXT NOT NULL,
    created BIGINT NOT NULL,
    likes INTEGER NOT NULL,
    -- Finished games from it, and how they ended.
    plays INTEGER NOT NULL,
    silver INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    red INTEGER NOT NULL,
    -- How surely it is balanced, from 0 to 1000.
    evenness INTEGER NOT NULL,
    -- When the first report came that nobody has decided about.
    reported BIGINT,
    -- Whether it is kept out of lists until someone has.
    hidden INTEGER NOT NULL
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
    setup TEXT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (setup, person)
);

CREATE INDEX setup_likes_by_person ON setup_likes (person);

-- One by each person; it stays when it is decided, so that nobody reports the same setup again and again.
CREATE TABLE setup_reports (
    setup TEXT NOT NULL,
    person TEXT NOT NULL,
    at BIGINT NOT NULL,
    reason TEXT NOT NULL,
    decided INTEGER NOT NULL,
    PRIMARY KEY (setup, person)
);

CREATE INDEX setup_reports_by_person ON setup_reports (person);
