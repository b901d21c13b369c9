//! Shards: the parts into which games are divided. One node at a time owns a shard.

use khet_protocol::GameId;

/// A part of all games, or a task that only one node may run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Shard(u16);

impl Shard {
    /// Number of shards that games are divided into.
    pub(crate) const GAMES: u16 = 256;
    /// Pairing the seeks of all nodes.
    pub(crate) const LOBBY: Shard = Shard(Shard::GAMES);
    /// Counting games for the explorer, and deleting what has expired.
    pub(crate) const BACKGROUND: Shard = Shard(Shard::GAMES + 1);
    /// Number of all shards.
    pub(crate) const COUNT: u16 = Shard::GAMES + 2;

    /// Returns the shard of a game: the FNV-1a hash of its id. Nodes of all versions must agree.
    pub(crate) fn of(game: GameId) -> Shard {
        let hash = game
            .as_str()
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        // The highest bits of an FNV hash depend on all bytes, as do the lowest.
        Shard((hash % u32::from(Shard::GAMES)) as u16)
    }

    /// Returns the number by which the database knows the shard.
    pub(crate) fn number(self) -> i64 {
        i64::from(self.0)
    }

    /// Returns the shard of a number, if there is one.
    pub(crate) fn from_number(number: i64) -> Option<Shard> {
        u16::try_from(number).ok().filter(|number| *number < Shard::COUNT).map(Shard)
    }
}

#[cfg(test)]
mod tests {
    use khet_protocol::GameId;

    use super::Shard;

    #[test]
    fn shard_of_a_game_never_changes() {
        // Computed by a program in another language.
        for (id, shard) in [("7Hc0aWxz", 135), ("00000000", 229)] {
            assert_eq!(Shard::of(id.parse().unwrap()).number(), shard, "{id}");
        }
    }

    #[test]
    fn games_are_spread_over_all_shards() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut counts = [0; Shard::GAMES as usize];
        for _ in 0..256 * 100 {
            let shard = Shard::of(GameId::from_number(rng.u128(..)));
            counts[shard.number() as usize] += 1;
        }
        assert!(counts.iter().all(|count| (50..150).contains(count)), "{counts:?}");
    }
}
