//! Writes screenshots as the frames of an animated PNG (APNG).
//!
//! A frame holds only the rectangle that differs from the one before it, and in this rectangle the
//! pixels that are the same are transparent. So a file with a moving beam is hardly larger than
//! one picture.

use std::io::Cursor;

use png::{BitDepth, BlendOp, ColorType, Compression, Decoder, Encoder, Transformations};

/// Bytes of a pixel: red, green, blue and opacity.
const PIXEL: usize = 4;

/// A decoded screenshot.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Screenshot {
    width: usize,
    height: usize,
    /// The pixels row by row.
    pixels: Vec<u8>,
}

/// The part of a picture that a frame replaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FrameArea {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

/// Returns an animation of PNG pictures of the same size, each with the time in milliseconds for
/// which it is shown. The animation repeats without end.
pub(crate) fn animate(frames: &[(Vec<u8>, u16)]) -> Vec<u8> {
    let frames: Vec<(Screenshot, u16)> =
        frames.iter().map(|(picture, time)| (Screenshot::decode(picture), *time)).collect();
    let mut frames = merge_equal(frames).into_iter();
    let (mut shown, time) = frames.next().expect("a frame");
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, shown.width as u32, shown.height as u32);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_animated(frames.len() as u32 + 1, 0).expect("at least one frame");
    encoder.set_frame_delay(time, 1000).expect("an animation");
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&shown.pixels).expect("the first frame");
    writer.set_blend_op(BlendOp::Over).expect("an animation");
    for (next, time) in frames {
        let area = shown.changed_area(&next);
        writer.set_frame_delay(time, 1000).expect("an animation");
        writer.reset_frame_position().expect("an animation");
        writer
            .set_frame_dimension(area.width as u32, area.height as u32)
            .expect("the area is inside");
        writer.set_frame_position(area.x as u32, area.y as u32).expect("the area is inside");
        writer.write_image_data(&shown.changes(&next, area)).expect("a frame");
        shown = next;
    }
    writer.finish().expect("all frames are written");
    file
}

/// Shows a picture longer instead of repeating it.
fn merge_equal(frames: Vec<(Screenshot, u16)>) -> Vec<(Screenshot, u16)> {
    let mut merged: Vec<(Screenshot, u16)> = Vec::new();
    for (picture, time) in frames {
        match merged.last_mut() {
            Some((last, shown)) if *last == picture => *shown += time,
            _ => merged.push((picture, time)),
        }
    }
    merged
}

impl Screenshot {
    fn decode(picture: &[u8]) -> Screenshot {
        let mut decoder = Decoder::new(Cursor::new(picture));
        decoder
            .set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a picture that fits")];
        let info = reader.next_frame(&mut pixels).expect("a PNG");
        assert_eq!(info.color_type, ColorType::Rgba);
        Screenshot { width: info.width as usize, height: info.height as usize, pixels }
    }

    fn pixel(&self, x: usize, y: usize) -> &[u8] {
        &self.pixels[PIXEL * (y * self.width + x)..][..PIXEL]
    }

    /// Returns the smallest area outside which both pictures are the same.
    fn changed_area(&self, next: &Screenshot) -> FrameArea {
        let changed = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let changed = changed.filter(|&(x, y)| self.pixel(x, y) != next.pixel(x, y));
        let none = (self.width, self.height, 0, 0);
        let (left, top, right, bottom) =
            changed.fold(none, |(left, top, right, bottom), (x, y)| {
                (left.min(x), top.min(y), right.max(x), bottom.max(y))
            });
        FrameArea { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top }
    }

    /// Returns the pixels of an area of the next picture; those that are the same are transparent.
    fn changes(&self, next: &Screenshot, area: FrameArea) -> Vec<u8> {
        let squares = (area.y..area.y + area.height)
            .flat_map(|y| (area.x..area.x + area.width).map(move |x| (x, y)));
        let pixel = |(x, y)| match next.pixel(x, y) {
            same if same == self.pixel(x, y) => [0; PIXEL],
            other => [other[0], other[1], other[2], 255],
        };
        squares.flat_map(pixel).collect()
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
        encoder.set_color(ColorType::Grayscale);
        let mut writer = encoder.write_header().expect("a header");
        let pixels: Vec<u8> = (0..SIZE.0 * SIZE.1).map(|at| 255 * u8::from(at == white)).collect();
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
