//! Sound effects, synthesised with the Web Audio API so that no sound files are loaded.
//!
//! A shot becomes a list of notes with the times of its animation.

use std::cell::RefCell;
use std::time::Duration;

use khet::Color;
use leptos::prelude::set_timeout;
use leptos::web_sys::{
    AudioContext, AudioParam, BiquadFilterType, GainNode, OscillatorNode, OscillatorType,
};

use super::ShotAnimation;
use super::shot_animation::BeamAnimation;

/// The timbre of a note.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Timbre {
    /// A sine tone that decays like a bell, for mirrors.
    Bell,
    /// A filtered sawtooth, for the beam.
    Hum,
    /// Noise, for burning pieces.
    Noise,
}

/// A note. Times are in milliseconds, pitches in hertz.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Note {
    timbre: Timbre,
    start: f64,
    duration: f64,
    /// The pitch at the start and at the end; it glides between them.
    pitch: (f64, f64),
    gain: f64,
}

const fn note(timbre: Timbre, start: f64, duration: f64, pitch: (f64, f64), gain: f64) -> Note {
    Note { timbre, start, duration, pitch, gain }
}

/// The pitches of the mirrors, in the order in which the beam reaches them.
const MIRROR_PITCHES: [f64; 8] = [587.3, 698.5, 784.0, 880.0, 1046.5, 1174.7, 1396.9, 1568.0];
/// The chord for a hit pharaoh, from low to high.
const PHARAOH_CHORD: [f64; 5] = [73.4, 146.8, 220.0, 293.7, 440.0];

/// Returns the notes of a shot. Red's laser hums lower than Silver's.
fn shot_notes(animation: &ShotAnimation) -> Vec<Note> {
    let base = match animation.by {
        Color::Silver => 110.0,
        Color::Red => 82.4,
    };
    let mut notes = vec![note(Timbre::Hum, animation.charge, 150.0, (base, base * 4.0), 0.05)];
    for beam in &animation.beams {
        notes.push(note(
            Timbre::Hum,
            beam.start,
            beam.duration + 120.0,
            (base * 2.0, base * 2.2),
            0.07,
        ));
    }
    // In a tower the beam is heard to rise and to fall.
    let segments = animation.beams.iter().flat_map(BeamAnimation::segments);
    for segment in segments.filter(|segment| segment.line.changes_level) {
        let (low, high) = (base * 2.2, base * 4.4);
        let rises = segment.line.to.y < segment.line.from.y;
        let pitch = if rises { (low, high) } else { (high, low) };
        notes.push(note(Timbre::Hum, segment.start, 220.0, pitch, 0.09));
    }
    for (index, flash) in animation.flashes.iter().enumerate() {
        let pitch = MIRROR_PITCHES[index.min(MIRROR_PITCHES.len() - 1)];
        notes.push(note(Timbre::Bell, flash.time, 420.0, (pitch, pitch), 0.1));
        notes.push(note(Timbre::Bell, flash.time, 160.0, (pitch * 2.76, pitch * 2.76), 0.03));
    }
    for hit in &animation.hits {
        notes.push(note(Timbre::Noise, hit.time, 380.0, (1900.0, 160.0), 0.14));
        notes.push(note(Timbre::Bell, hit.time, 320.0, (140.0, 46.0), 0.4));
        if hit.is_pharaoh() {
            for (index, pitch) in PHARAOH_CHORD.into_iter().enumerate() {
                notes.push(note(
                    Timbre::Bell,
                    hit.time + 110.0 * index as f64,
                    2200.0,
                    (pitch, pitch),
                    0.13,
                ));
            }
        }
    }
    notes
}

/// The audio output of the page.
struct AudioPlayer {
    context: AudioContext,
    /// The gain node that all current notes go through.
    bus: Option<GainNode>,
}

thread_local! {
    static PLAYER: RefCell<Option<AudioPlayer>> = const { RefCell::new(None) };
}

/// The time before its start at which a note is passed to the browser, in milliseconds. Creating
/// all notes at once would delay the first ones.
const SCHEDULE_AHEAD: f64 = 60.0;
/// The delay between the first input on the page and the preparation of audio.
const PREPARE_DELAY: Duration = Duration::from_millis(200);

/// Prepares audio shortly after the first input, by playing inaudible notes. Preparation takes a
/// while and would delay the first shot.
pub(crate) fn prepare() {
    const TIMBRES: [Timbre; 3] = [Timbre::Bell, Timbre::Hum, Timbre::Noise];
    let get_ready = || {
        if PLAYER.with_borrow(Option::is_none) {
            play(&TIMBRES.map(|timbre| note(timbre, 0.0, 100.0, (440.0, 440.0), 0.0001)));
        }
    };
    if PLAYER.with_borrow(Option::is_none) {
        set_timeout(get_ready, PREPARE_DELAY);
    }
}

/// Plays the sound of a shot.
pub(crate) fn shot(animation: &ShotAnimation) {
    play(&shot_notes(animation));
}

/// Plays the sound of picking up, rotating or dropping a piece.
pub(crate) fn touch() {
    play(&[note(Timbre::Bell, 0.0, 60.0, (520.0, 480.0), 0.05)]);
}

/// Fades out the current sound.
pub(crate) fn stop() {
    PLAYER.with_borrow_mut(|player| {
        if let Some((context, bus)) =
            player.as_mut().and_then(|player| Some((&player.context, player.bus.take()?)))
        {
            // If fading fails, the sound plays to its end.
            let _ = bus.gain().set_target_at_time(0.0, context.current_time(), 0.04);
        }
    });
}

/// Runs `act` with the audio output, if the browser has one.
fn with_player<T>(act: impl FnOnce(&mut AudioPlayer) -> T) -> Option<T> {
    PLAYER.with_borrow_mut(|player| {
        if player.is_none() {
            *player = AudioContext::new().ok().map(|context| AudioPlayer { context, bus: None });
        }
        player.as_mut().map(act)
    })
}

/// Plays notes. Browsers allow sound only after the first input on a page.
fn play(notes: &[Note]) {
    let start_time = with_player(|player| {
        // Resuming may be refused before the first input.
        let _ = player.context.resume();
        let bus = player.context.create_gain().ok()?;
        bus.connect_with_audio_node(&player.context.destination()).ok()?;
        player.bus = Some(bus.clone());
        Some((bus, player.context.current_time()))
    });
    let Some((bus, start_time)) = start_time.flatten() else { return };
    for &note in notes {
        let bus = bus.clone();
        let sound = move || {
            with_player(|player| {
                // Skips the note if the sound was stopped. Notes that can't be created are left
                // out.
                player.bus.as_ref().filter(|now| **now == bus)?;
                play_note(&player.context, &bus, note, start_time + note.start / 1000.0)
            });
        };
        match note.start - SCHEDULE_AHEAD {
            early if early > 0.0 => set_timeout(sound, Duration::from_millis(early as u64)),
            _ => sound(),
        }
    }
}

/// Schedules a note.
fn play_note(context: &AudioContext, bus: &GainNode, note: Note, start: f64) -> Option<()> {
    let end = start + note.duration / 1000.0;
    let glide = |pitch: AudioParam| {
        pitch.set_value_at_time(note.pitch.0 as f32, start).ok()?;
        pitch.exponential_ramp_to_value_at_time(note.pitch.1 as f32, end).ok()
    };
    let gain = context.create_gain().ok()?;
    let level = gain.gain();
    level.set_value_at_time(0.0001, start).ok()?;
    level.exponential_ramp_to_value_at_time(note.gain as f32, start + 0.008).ok()?;
    if note.timbre == Timbre::Hum {
        level.set_value_at_time(note.gain as f32, (end - 0.09).max(start + 0.01)).ok()?;
    }
    level.exponential_ramp_to_value_at_time(0.0001, end).ok()?;
    gain.connect_with_audio_node(bus).ok()?;
    let oscillator = context.create_oscillator().ok()?;
    glide(oscillator.frequency())?;
    match note.timbre {
        Timbre::Bell => oscillator.connect_with_audio_node(&gain).ok()?,
        Timbre::Hum => {
            oscillator.set_type(OscillatorType::Sawtooth);
            let filter = context.create_biquad_filter().ok()?;
            filter.set_type(BiquadFilterType::Lowpass);
            filter.frequency().set_value(1400.0);
            oscillator.connect_with_audio_node(&filter).ok()?;
            filter.connect_with_audio_node(&gain).ok()?
        }
        Timbre::Noise => {
            // Fast, deep frequency modulation sounds like noise.
            let shaker = context.create_oscillator().ok()?;
            shaker.set_type(OscillatorType::Sawtooth);
            shaker.frequency().set_value(487.0);
            let depth = context.create_gain().ok()?;
            depth.gain().set_value((note.pitch.0 * 3.0) as f32);
            shaker.connect_with_audio_node(&depth).ok()?;
            depth.connect_with_audio_param(&oscillator.frequency()).ok()?;
            play_between(&shaker, start, end)?;
            oscillator.connect_with_audio_node(&gain).ok()?
        }
    };
    play_between(&oscillator, start, end)
}

/// Starts and stops an oscillator at these times.
fn play_between(source: &OscillatorNode, start: f64, end: f64) -> Option<()> {
    source.start_with_when(start).ok()?;
    source.stop_with_when(end).ok()
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;
    use crate::rules::Position;

    fn notes(position: impl Into<Position>, mv: &str) -> (ShotAnimation, Vec<Note>) {
        let animation = ShotAnimation::example(position, mv);
        let notes = shot_notes(&animation);
        (animation, notes)
    }

    #[test]
    fn every_mirror_has_a_note_at_its_time() {
        let (animation, notes) = notes(Setup::Classic.position(), "h2+");
        for flash in &animation.flashes {
            assert!(
                notes.iter().any(|note| note.timbre == Timbre::Bell && note.start == flash.time)
            );
        }
        assert!(!notes.iter().any(|note| note.timbre == Timbre::Noise), "nothing was hit");
    }

    #[test]
    fn pitches_and_gains_are_positive() {
        let position: Position = "4k5/10/10/10/10/10/10/4K4P4 s".parse().expect("a position");
        let (_, notes) = notes(position, "j1-");
        assert!(notes.iter().any(|note| note.timbre == Timbre::Noise));
        for note in notes {
            assert!(
                note.pitch.0 > 0.0 && note.pitch.1 > 0.0 && note.gain > 0.0 && note.duration > 20.0
            );
        }
    }
}
