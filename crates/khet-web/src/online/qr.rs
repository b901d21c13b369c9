//! QR codes (ISO/IEC 18004) of links: bytes, error correction level M, versions 1 to 10.
//!
//! Written by hand because the crate `qrcodegen` is larger: compiled alone for the browser, it adds
//! 10.0 kB compressed instead of 8.6 kB.

/// A QR code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    size: usize,
    dark: Vec<bool>,
}

/// For a version: error correction bytes per block, coordinates of the alignment patterns, and data
/// bytes of each block.
type Version = (usize, &'static [usize], &'static [usize]);
const VERSIONS: [Version; 10] = [
    (10, &[], &[16]),
    (16, &[6, 18], &[28]),
    (26, &[6, 22], &[44]),
    (18, &[6, 26], &[32, 32]),
    (24, &[6, 30], &[43, 43]),
    (16, &[6, 34], &[27, 27, 27, 27]),
    (18, &[6, 22, 38], &[31, 31, 31, 31]),
    (22, &[6, 24, 42], &[38, 38, 39, 39]),
    (22, &[6, 26, 46], &[36, 36, 36, 37, 37]),
    (26, &[6, 28, 50], &[43, 43, 43, 43, 44]),
];

/// The padding bytes after the text, alternating.
const PADDING: [u8; 2] = [0xec, 0x11];

impl Code {
    /// Returns the code of a text, or `None` if it is too long for version 10.
    pub fn of(text: &str) -> Option<Code> {
        let (version, data) = (1..=VERSIONS.len()).find_map(|version| {
            let (_, _, blocks) = VERSIONS[version - 1];
            Some((version, data_bytes(text, version, blocks.iter().sum())?))
        })?;
        let mut grid = Grid::new(version);
        grid.fill(&with_correction(version, &data));
        Some(grid.best())
    }

    /// Returns the number of modules per side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns whether a module is dark.
    pub fn is_dark(&self, x: usize, y: usize) -> bool {
        self.dark[y * self.size + x]
    }

    /// Returns all dark modules as one SVG path, one unit per module.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for y in 0..self.size {
            let mut x = 0;
            while x < self.size {
                let run = (x..self.size).take_while(|&x| self.is_dark(x, y)).count();
                if run > 0 {
                    path.push_str(&format!("M{x} {y}h{run}v1h-{run}z"));
                }
                x += run.max(1);
            }
        }
        path
    }
}

/// Encodes the text as data bytes: mode, length, bytes, terminator, padding.
fn data_bytes(text: &str, version: usize, capacity: usize) -> Option<Vec<u8>> {
    let mut bits = Vec::new();
    let mut push = |value: usize, length: usize| {
        bits.extend((0..length).rev().map(|bit| value >> bit & 1 == 1));
    };
    push(0b0100, 4);
    push(text.len(), if version < 10 { 8 } else { 16 });
    for byte in text.bytes() {
        push(byte.into(), 8);
    }
    let longest = if version < 10 { 0xff } else { 0xffff };
    if bits.len() > capacity * 8 || text.len() > longest {
        return None;
    }
    bits.resize((bits.len() + 4).min(capacity * 8), false);
    let mut data: Vec<u8> = bits
        .chunks(8)
        .map(|chunk| {
            let value = chunk.iter().fold(0, |value, &bit| value << 1 | u8::from(bit));
            value << (8 - chunk.len())
        })
        .collect();
    data.extend(PADDING.into_iter().cycle().take(capacity - data.len()));
    Some(data)
}

/// Adds error correction to the data blocks, and interleaves them.
fn with_correction(version: usize, data: &[u8]) -> Vec<u8> {
    let (length, _, blocks) = VERSIONS[version - 1];
    let divisor = divisor(length);
    let mut rest = data;
    let mut parts: Vec<(&[u8], Vec<u8>)> = Vec::new();
    for &block in blocks {
        let (part, after) = rest.split_at(block);
        parts.push((part, remainder(part, &divisor)));
        rest = after;
    }
    let longest = blocks.iter().max().copied().unwrap_or_default();
    let data = (0..longest).flat_map(|at| parts.iter().filter_map(move |(part, _)| part.get(at)));
    let correction =
        (0..length).flat_map(|at| parts.iter().filter_map(move |(_, part)| part.get(at)));
    data.chain(correction).copied().collect()
}

/// Multiplies in GF(256) with the polynomial of the standard.
fn gf_multiply(a: u8, b: u8) -> u8 {
    let mut product = 0;
    for bit in (0..8).rev() {
        let over = product & 0x80 != 0;
        product <<= 1;
        product ^= if over { 0x1d } else { 0 };
        product ^= if b >> bit & 1 == 1 { a } else { 0 };
    }
    product
}

/// Returns the Reed-Solomon generator polynomial of this degree, without its leading coefficient 1.
fn divisor(length: usize) -> Vec<u8> {
    let mut coefficients = vec![0; length];
    coefficients[length - 1] = 1;
    let mut root = 1;
    for _ in 0..length {
        for at in 0..length {
            coefficients[at] = gf_multiply(coefficients[at], root);
            if at + 1 < length {
                coefficients[at] ^= coefficients[at + 1];
            }
        }
        root = gf_multiply(root, 2);
    }
    coefficients
}

/// Returns the error correction bytes: the remainder of a polynomial division.
fn remainder(data: &[u8], divisor: &[u8]) -> Vec<u8> {
    let mut rest = vec![0; divisor.len()];
    for byte in data {
        let factor = byte ^ rest.remove(0);
        rest.push(0);
        for (rest, coefficient) in rest.iter_mut().zip(divisor) {
            *rest ^= gf_multiply(*coefficient, factor);
        }
    }
    rest
}

/// A code while it is built.
#[derive(Clone)]
struct Grid {
    version: usize,
    size: usize,
    dark: Vec<bool>,
    /// Modules of patterns and format bits, which hold no data.
    fixed: Vec<bool>,
}

impl Grid {
    /// Returns a grid with the function patterns.
    fn new(version: usize) -> Grid {
        let size = 17 + 4 * version;
        let mut grid =
            Grid { version, size, dark: vec![false; size * size], fixed: vec![false; size * size] };
        for at in 0..size {
            grid.set_fixed(6, at, at % 2 == 0);
            grid.set_fixed(at, 6, at % 2 == 0);
        }
        for (x, y) in [(3, 3), (size as isize - 4, 3), (3, size as isize - 4)] {
            grid.draw_rings(x, y, 4, |distance| distance != 2 && distance != 4);
        }
        let places = VERSIONS[version - 1].1;
        let last = places.last().copied().unwrap_or_default();
        for &x in places {
            for &y in places {
                // The corners have finder patterns instead.
                if ![(6, 6), (6, last), (last, 6)].contains(&(x, y)) {
                    grid.draw_rings(x as isize, y as isize, 2, |distance| distance != 1);
                }
            }
        }
        grid.set_format(0);
        grid.set_version();
        grid
    }

    /// Sets a fixed module, which holds no data.
    fn set_fixed(&mut self, x: usize, y: usize, dark: bool) {
        self.dark[y * self.size + x] = dark;
        self.fixed[y * self.size + x] = true;
    }

    /// Draws concentric squares; `dark` decides by the distance from the centre.
    fn draw_rings(&mut self, x: isize, y: isize, radius: isize, dark: impl Fn(isize) -> bool) {
        for down in -radius..=radius {
            for right in -radius..=radius {
                let (x, y) = (x + right, y + down);
                let inside = 0..self.size as isize;
                if inside.contains(&x) && inside.contains(&y) {
                    self.set_fixed(x as usize, y as usize, dark(right.abs().max(down.abs())));
                }
            }
        }
    }

    /// Writes the format bits: error correction level M, which is 0, and the mask.
    fn set_format(&mut self, mask: usize) {
        let mut rest = mask;
        for _ in 0..10 {
            rest = (rest << 1) ^ ((rest >> 9) * 0x537);
        }
        let bits = (mask << 10 | rest) ^ 0x5412;
        let bit = |at: usize| bits >> at & 1 == 1;
        let size = self.size;
        for at in 0..6 {
            self.set_fixed(8, at, bit(at));
        }
        self.set_fixed(8, 7, bit(6));
        self.set_fixed(8, 8, bit(7));
        self.set_fixed(7, 8, bit(8));
        for at in 9..15 {
            self.set_fixed(14 - at, 8, bit(at));
        }
        for at in 0..8 {
            self.set_fixed(size - 1 - at, 8, bit(at));
        }
        for at in 8..15 {
            self.set_fixed(8, size - 15 + at, bit(at));
        }
        self.set_fixed(8, size - 8, true);
    }

    /// Writes the version bits, which versions from 7 on have.
    fn set_version(&mut self) {
        if self.version < 7 {
            return;
        }
        let mut rest = self.version;
        for _ in 0..12 {
            rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
        }
        let bits = self.version << 12 | rest;
        for at in 0..18 {
            let (a, b) = (self.size - 11 + at % 3, at / 3);
            self.set_fixed(a, b, bits >> at & 1 == 1);
            self.set_fixed(b, a, bits >> at & 1 == 1);
        }
    }

    /// Returns the data modules in their order: pairs of columns from the right, alternately
    /// upwards and downwards.
    fn data_modules(&self) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        let mut up = true;
        let mut right = self.size - 1;
        loop {
            // The column of the timing pattern is skipped.
            if right == 6 {
                right = 5;
            }
            for step in 0..self.size {
                let y = if up { self.size - 1 - step } else { step };
                for x in [right, right - 1] {
                    if !self.fixed[y * self.size + x] {
                        places.push((x, y));
                    }
                }
            }
            up = !up;
            if right < 2 {
                return places;
            }
            right -= 2;
        }
    }

    /// Writes the data into the data modules.
    fn fill(&mut self, data: &[u8]) {
        for (at, (x, y)) in self.data_modules().into_iter().enumerate() {
            // Some versions have a few remainder modules, which stay light.
            let byte = data.get(at / 8).copied().unwrap_or_default();
            self.dark[y * self.size + x] = byte >> (7 - at % 8) & 1 == 1;
        }
    }

    /// Returns the code with a mask.
    fn masked(&self, mask: usize) -> Code {
        let mut grid = self.clone();
        for (x, y) in self.data_modules() {
            grid.dark[y * self.size + x] ^= is_masked(mask, x, y);
        }
        grid.set_format(mask);
        Code { size: grid.size, dark: grid.dark }
    }

    /// Returns the code with the mask of the lowest penalty.
    fn best(&self) -> Code {
        let codes = (0..8).map(|mask| self.masked(mask));
        codes.min_by_key(penalty).unwrap_or_else(|| self.masked(0))
    }
}

/// Returns whether a mask inverts a module.
fn is_masked(mask: usize, x: usize, y: usize) -> bool {
    0 == match mask {
        0 => (x + y) % 2,
        1 => y % 2,
        2 => x % 3,
        3 => (x + y) % 3,
        4 => (x / 3 + y / 2) % 2,
        5 => x * y % 2 + x * y % 3,
        6 => (x * y % 2 + x * y % 3) % 2,
        _ => ((x + y) % 2 + x * y % 3) % 2,
    }
}

/// Returns the penalty of a code: long runs, blocks, patterns like a finder pattern, and an uneven
/// number of dark and light modules.
fn penalty(code: &Code) -> usize {
    let size = code.size;
    let mut penalty = 0;
    for across in [false, true] {
        let at = |line: usize, place: usize| match across {
            false => code.is_dark(place, line),
            true => code.is_dark(line, place),
        };
        for line in 0..size {
            let modules: Vec<bool> = (0..size).map(|place| at(line, place)).collect();
            for run in modules.chunk_by(|a, b| a == b).map(<[bool]>::len).filter(|&run| run >= 5) {
                penalty += run - 2;
            }
            const FINDER_PATTERN: [bool; 7] = [true, false, true, true, true, false, true];
            let light = |from: usize, to: usize| modules[from..to].iter().all(|dark| !dark);
            for start in 0..=size - 7 {
                let before = start >= 4 && light(start - 4, start);
                let after = start + 11 <= size && light(start + 7, start + 11);
                if modules[start..start + 7] == FINDER_PATTERN && (before || after) {
                    penalty += 40;
                }
            }
        }
    }
    for y in 1..size {
        for x in 1..size {
            let block = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
            let dark = block.into_iter().filter(|&(x, y)| code.is_dark(x, y)).count();
            penalty += if dark == 0 || dark == 4 { 3 } else { 0 };
        }
    }
    let dark = code.dark.iter().filter(|dark| **dark).count();
    penalty + (dark * 20).abs_diff(size * size * 10) / (size * size) * 10
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes a code without error correction.
    fn read(code: &Code) -> String {
        let version = (code.size - 17) / 4;
        let format = (0..6).fold(0, |bits, at| bits | usize::from(code.is_dark(8, at)) << at)
            | usize::from(code.is_dark(8, 7)) << 6
            | usize::from(code.is_dark(8, 8)) << 7
            | usize::from(code.is_dark(7, 8)) << 8
            | (9..15).fold(0, |bits, at| bits | usize::from(code.is_dark(14 - at, 8)) << at);
        let mask = (format ^ 0x5412) >> 10;
        assert!(mask < 8, "the level is M");
        let grid = Grid::new(version);
        let bits: Vec<bool> = grid
            .data_modules()
            .into_iter()
            .map(|(x, y)| code.is_dark(x, y) ^ is_masked(mask, x, y))
            .collect();
        let all: Vec<u8> = bits
            .chunks_exact(8)
            .map(|bits| bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit)))
            .collect();
        let (length, _, blocks) = VERSIONS[version - 1];
        let mut parts = vec![Vec::new(); blocks.len()];
        let mut bytes = all.into_iter();
        for at in 0..*blocks.iter().max().unwrap() {
            for (part, &block) in parts.iter_mut().zip(blocks) {
                if at < block {
                    part.push(bytes.next().unwrap());
                }
            }
        }
        let data: Vec<u8> = parts.concat();
        for _ in 0..length {
            for part in &mut parts {
                part.push(bytes.next().unwrap());
            }
        }
        // A block without errors is zero at all roots of the generator polynomial.
        for part in &parts {
            let mut root = 1;
            for _ in 0..length {
                assert_eq!(part.iter().fold(0, |sum, &byte| gf_multiply(sum, root) ^ byte), 0);
                root = gf_multiply(root, 2);
            }
        }
        let nibbles: Vec<u8> = data.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect();
        assert_eq!(nibbles[0], 4);
        let digits = if version < 10 { 2 } else { 4 };
        let length =
            nibbles[1..1 + digits].iter().fold(0, |sum, &digit| sum * 16 + usize::from(digit));
        let text = nibbles[1 + digits..].chunks(2).take(length).map(|pair| pair[0] << 4 | pair[1]);
        String::from_utf8(text.collect()).unwrap()
    }

    #[test]
    fn codes_are_read_as_they_are_written() {
        for length in 1..=213 {
            let text = "https://khet.example/cs/challenge/".chars().cycle().take(length);
            let text: String = text.collect();
            let code = Code::of(&text).unwrap();
            assert_eq!(read(&code), text);
        }
        assert_eq!(Code::of(&"x".repeat(214)), None);
    }

    #[test]
    fn a_known_code() {
        // The format bits of level M with mask 2, as the standard's example has them.
        let mut grid = Grid::new(1);
        grid.set_format(2);
        let bits: String =
            (0..6).map(|at| if grid.dark[at * 21 + 8] { '1' } else { '0' }).rev().collect();
        assert_eq!(bits, "111100");
        assert_eq!(
            remainder(
                &[32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17],
                &divisor(10)
            ),
            [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]
        );
    }
}
