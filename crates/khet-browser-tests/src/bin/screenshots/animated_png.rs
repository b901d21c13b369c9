//! Writes screenshots as the frames of an animated PNG (APNG).
//!
//! A frame holds only the rectangle that differs from the one before it, and in this rectangle the
//! pixels that are the same are transparent. So a file with a moving beam is hardly larger than
//! one picture.

use std::io::Cursor;

use png::{BitDepth, BlendOp, ColorType, Compression, Decoder, Encoder, Transformations};

/// Bytes of a pixel: red, green, blue and opacity.
const PIXEL: usize = 4;
/// The largest difference of a colour that counts as the same. Layers of the page are blended a
/// little differently from one screenshot to the next.
const TOLERANCE: u8 = 6;

/// The bits of a colour that are kept. The last one is invisible, and makes files larger.
const COLOR_MASK: u8 = !1;

/// A decoded screenshot.
struct Screenshot {
    width: usize,
    height: usize,
    /// The pixels row by row.
    pixels: Vec<u8>,
}

/// A part of a picture.
#[derive(Clone, Copy)]
struct PictureArea {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

/// A frame of the animation.
struct Frame {
    area: PictureArea,
    /// The pixels of the area row by row; transparent where nothing changes.
    pixels: Vec<u8>,
    /// The time in milliseconds for which it is shown.
    time: u16,
}

/// Returns an animation of PNG pictures of the same size, each with the time in milliseconds for
/// which it is shown. The animation repeats without end.
pub(crate) fn animate(pictures: &[(Vec<u8>, u16)]) -> Vec<u8> {
    let mut pictures = pictures.iter().map(|(picture, time)| (Screenshot::decode(picture), *time));
    let (mut shown, time) = pictures.next().expect("a picture");
    let mut frames = vec![Frame { area: shown.area(), pixels: shown.pixels.clone(), time }];
    for (next, time) in pictures {
        match shown.changed_area(&next) {
            Some(area) => frames.push(Frame { area, pixels: shown.update(&next, area), time }),
            // Shows the last frame longer.
            None => frames.last_mut().expect("a frame").time += time,
        }
    }
    encode(&frames)
}

/// Writes frames as a file. The first one has the size of the picture.
fn encode(frames: &[Frame]) -> Vec<u8> {
    let size = frames[0].area;
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, size.width as u32, size.height as u32);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_animated(frames.len() as u32, 0).expect("at least one frame");
    encoder.set_blend_op(BlendOp::Over).expect("an animation");
    let mut writer = encoder.write_header().expect("a header");
    for Frame { area, pixels, time } in frames {
        writer.set_frame_delay(*time, 1000).expect("an animation");
        // The dimension is checked against the position of the frame before.
        writer.reset_frame_position().expect("an animation");
        writer.set_frame_dimension(area.width as u32, area.height as u32).expect("it is inside");
        writer.set_frame_position(area.x as u32, area.y as u32).expect("it is inside");
        writer.write_image_data(pixels).expect("a frame");
    }
    writer.finish().expect("all frames are written");
    file
}

impl PictureArea {
    /// Returns the columns and rows of its pixels, row by row.
    fn points(self) -> impl Iterator<Item = (usize, usize)> {
        let row = move |y| (self.x..self.x + self.width).map(move |x| (x, y));
        (self.y..self.y + self.height).flat_map(row)
    }
}

impl Screenshot {
    fn decode(picture: &[u8]) -> Screenshot {
        let mut decoder = Decoder::new(Cursor::new(picture));
        decoder
            .set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a picture that fits")];
        let info = reader.next_frame(&mut pixels).expect("a PNG");
        assert_eq!(info.color_type, ColorType::Rgba, "browsers take screenshots in colour");
        for pixel in pixels.chunks_exact_mut(PIXEL) {
            pixel[..3].iter_mut().for_each(|color| *color &= COLOR_MASK);
        }
        Screenshot { width: info.width as usize, height: info.height as usize, pixels }
    }

    /// Returns the area of the whole picture.
    fn area(&self) -> PictureArea {
        PictureArea { x: 0, y: 0, width: self.width, height: self.height }
    }

    /// Returns the index of a pixel's first byte.
    fn index(&self, (x, y): (usize, usize)) -> usize {
        PIXEL * (y * self.width + x)
    }

    /// Returns whether a pixel of the next picture differs.
    fn differs(&self, next: &Screenshot, point: (usize, usize)) -> bool {
        let index = self.index(point);
        let (one, other) = (&self.pixels[index..index + PIXEL], &next.pixels[index..index + PIXEL]);
        one.iter().zip(other).any(|(one, other)| one.abs_diff(*other) > TOLERANCE)
    }

    /// Returns the smallest area with all pixels that differ, if there are any.
    fn changed_area(&self, next: &Screenshot) -> Option<PictureArea> {
        let mut changed = self.area().points().filter(|&point| self.differs(next, point));
        let (x, y) = changed.next()?;
        let (left, right, bottom) =
            changed.fold((x, x, y), |(left, right, _), (x, y)| (left.min(x), right.max(x), y));
        Some(PictureArea { x: left, y, width: right + 1 - left, height: bottom + 1 - y })
    }

    /// Takes over the pixels of an area that differ, and returns the area. Its other pixels are
    /// transparent.
    fn update(&mut self, next: &Screenshot, area: PictureArea) -> Vec<u8> {
        let mut pixels = Vec::new();
        for point in area.points() {
            let index = self.index(point);
            if self.differs(next, point) {
                let pixel = &next.pixels[index..index + PIXEL];
                self.pixels[index..index + PIXEL].copy_from_slice(pixel);
                pixels.extend_from_slice(pixel);
            } else {
                pixels.extend_from_slice(&[0; PIXEL]);
            }
        }
        pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (usize, usize) = (4, 3);

    /// Returns a black picture with one white pixel.
    fn picture(white: usize) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, SIZE.0 as u32, SIZE.1 as u32);
        encoder.set_color(ColorType::Rgb);
        let mut writer = encoder.write_header().expect("a header");
        let pixel = |at| [255 * u8::from(at == white); 3];
        let pixels: Vec<u8> = (0..SIZE.0 * SIZE.1).flat_map(pixel).collect();
        writer.write_image_data(&pixels).expect("a picture");
        writer.finish().expect("a file");
        file
    }

    #[test]
    fn frames_hold_only_what_changed() {
        let file = animate(&[(picture(0), 700), (picture(0), 50), (picture(5), 50)]);
        let mut reader = Decoder::new(Cursor::new(&file[..])).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("the first frame");
        let first = *reader.info().frame_control().expect("an animation");
        assert_eq!((first.delay_num, first.delay_den), (750, 1000));
        reader.next_frame(&mut pixels).expect("the second frame");
        let second = *reader.info().frame_control().expect("an animation");
        assert_eq!((second.x_offset, second.y_offset, second.width, second.height), (0, 0, 2, 2));
        let transparent = pixels[..16].chunks(PIXEL).filter(|pixel| pixel[3] == 0).count();
        assert_eq!(transparent, 2);
        assert_eq!(reader.info().animation_control().map(|control| control.num_frames), Some(2));
    }
}
