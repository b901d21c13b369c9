-- Several nodes on one database.

-- The id by which the nodes of this database recognise each other's messages.
CREATE TABLE cluster (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY
);

INSERT INTO cluster (id) SELECT replace(gen_random_uuid()::TEXT, '-', '');

-- The running nodes. Times are those of the database, in milliseconds since 1970.
CREATE TABLE nodes (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    renewed BIGINT NOT NULL,
    -- When the node's leases expire unless it renews them.
    expires BIGINT NOT NULL,
    -- Whether the node can reach the others over NATS.
    connected BIGINT NOT NULL DEFAULT 1
);

-- The owner of each shard. 256 shards have the games, the others are tasks of which there is one.
CREATE TABLE leases (
    shard BIGINT NOT NULL PRIMARY KEY,
    node TEXT COLLATE "C",
    -- Raised whenever the shard gets an owner; each append of events checks it.
    epoch BIGINT NOT NULL DEFAULT 0,
    -- Since when the shard's games stand still, because they have no owner or have not resumed.
    released BIGINT
) WITH (fillfactor = 50);

INSERT INTO leases (shard) SELECT generate_series(0, 257);

-- Sessions and tokens that have ended, so that all nodes close their connections.
CREATE TABLE revocations (
    id BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL
);

CREATE FUNCTION record_revocation() RETURNS trigger AS $$
BEGIN
    INSERT INTO revocations (person, at)
    VALUES (OLD.person, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT);
    RETURN OLD;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER session_ended AFTER DELETE ON sessions
    FOR EACH ROW EXECUTE FUNCTION record_revocation();
CREATE TRIGGER token_ended AFTER DELETE ON tokens
    FOR EACH ROW EXECUTE FUNCTION record_revocation();
