-- Searches of finished games read an index in the order of the list and skip no row, whatever the filters are. An index has the columns of
-- its filters, the result, whether the game was rated, and the order. A filter that is not set is replaced by one query per value.
-- Positions without a name count as one setup, 'position'.

CREATE INDEX public_games_by_end ON games (ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_result ON games (winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_setup
ON games ((CASE WHEN instr(start, '/') > 0 THEN 'position' ELSE start END), winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_silver ON games (silver, winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_red ON games (red, winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_silver_and_setup
ON games (silver, (CASE WHEN instr(start, '/') > 0 THEN 'position' ELSE start END), winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_red_and_setup
ON games (red, (CASE WHEN instr(start, '/') > 0 THEN 'position' ELSE start END), winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

CREATE INDEX public_games_by_players ON games (silver, red, winner, rated, ended, id)
WHERE private = 0 AND reason <> 'aborted';

-- Private games are found only by their players, who have few of them.
CREATE INDEX private_games_by_silver ON games (silver, ended, id)
WHERE private = 1 AND reason <> 'aborted';

CREATE INDEX private_games_by_red ON games (red, ended, id)
WHERE private = 1 AND reason <> 'aborted';

CREATE INDEX unfinished_games ON games (id)
WHERE ended IS NULL;

-- The other indexes find all games of a person or from a position, in any order: without columns that change, the end of a game costs less.
DROP INDEX games_by_end;
DROP INDEX games_by_silver;
DROP INDEX games_by_red;
DROP INDEX games_by_start;
CREATE INDEX games_by_silver ON games (silver);
CREATE INDEX games_by_red ON games (red);
CREATE INDEX games_by_start ON games (start);

-- Rows that the writer inserts and deletes to find out whether the disk can be written.
CREATE TABLE write_probe (
    id INTEGER NOT NULL PRIMARY KEY,
    filler BLOB NOT NULL
);
