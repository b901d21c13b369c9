-- Whether only people with the link see the game. Games of earlier versions are public.
ALTER TABLE games ADD COLUMN private INTEGER NOT NULL DEFAULT 0;
