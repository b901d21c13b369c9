-- Whether the person who was challenged has declined. The row stays until the challenger has seen it.
ALTER TABLE challenges ADD COLUMN declined INTEGER NOT NULL DEFAULT 0;
