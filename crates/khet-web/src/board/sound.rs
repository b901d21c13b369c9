//! Sounds, synthesised while they are heard: the laser, mirrors, a hit, the end. Nothing is loaded.
//!
//! What is heard is written as a score, in the time of the shot that is seen; the browser plays it.

use std::cell::RefCell;
use std::time::Duration;

use khet::Color;
use leptos::prelude::set_timeout;
use leptos::web_sys::{
    AudioContext, AudioParam, BiquadFilterType, GainNode, OscillatorNode, OscillatorType,
};

use super::ShotAnimation;

/// What a note sounds like.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Voice {
    /// Clear as glass.
    Bell,
    /// The hum of the beam.
    Hum,
    /// What burns.
    Fire,
}

/// A note: times in milliseconds, pitch in hertz.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Note {
    voice: Voice,
    start: f64,
    lasts: f64,
    /// The pitch glides from the first to the second.
    pitch: (f64, f64),
    loud: f64,
}

const fn note(voice: Voice, start: f64, lasts: f64, pitch: (f64, f64), loud: f64) -> Note {
    Note { voice, start, lasts, pitch, loud }
}

/// The mirrors ring one after the other up this scale.
const SCALE: [f64; 8] = [587.3, 698.5, 784.0, 880.0, 1046.5, 1174.7, 1396.9, 1568.0];
/// A lit pharaoh: an open chord, low to high.
const CHORD: [f64; 5] = [73.4, 146.8, 220.0, 293.7, 440.0];

/// The score of a shot. Red's laser hums lower than Silver's.
fn score(animation: &ShotAnimation) -> Vec<Note> {
    let base = match animation.by {
        Color::Silver => 110.0,
        Color::Red => 82.4,
    };
    let mut notes = vec![note(Voice::Hum, animation.charge, 150.0, (base, base * 4.0), 0.05)];
    for run in &animation.beams {
        notes.push(note(
            Voice::Hum,
            run.start,
            run.duration + 120.0,
            (base * 2.0, base * 2.2),
            0.07,
        ));
    }
    for (index, spark) in animation.sparks.iter().enumerate() {
        let pitch = SCALE[index.min(SCALE.len() - 1)];
        notes.push(note(Voice::Bell, spark.time, 420.0, (pitch, pitch), 0.1));
        notes.push(note(Voice::Bell, spark.time, 160.0, (pitch * 2.76, pitch * 2.76), 0.03));
    }
    for burn in &animation.burns {
        notes.push(note(Voice::Fire, burn.time, 380.0, (1900.0, 160.0), 0.14));
        notes.push(note(Voice::Bell, burn.time, 320.0, (140.0, 46.0), 0.4));
        if burn.is_pharaoh() {
            for (index, pitch) in CHORD.into_iter().enumerate() {
                notes.push(note(
                    Voice::Bell,
                    burn.time + 110.0 * index as f64,
                    2200.0,
                    (pitch, pitch),
                    0.13,
                ));
            }
        }
    }
    notes
}

/// What plays in this page.
struct Player {
    context: AudioContext,
    /// All notes of what is played now go through it.
    bus: Option<GainNode>,
}

thread_local! {
    static PLAYER: RefCell<Option<Player>> = const { RefCell::new(None) };
}

/// Notes are handed to the browser this long before they are heard, in milliseconds, and not all at once.
const AHEAD: f64 = 60.0;
/// How long after a first touch the player is made ready.
const SOON: Duration = Duration::from_millis(200);

/// Makes the player ready a moment after a first touch, by notes that nobody hears: that takes a while, and a shot
/// must not wait for it.
pub(crate) fn prepare() {
    const UNHEARD: [Voice; 3] = [Voice::Bell, Voice::Hum, Voice::Fire];
    let get_ready = || {
        if PLAYER.with_borrow(Option::is_none) {
            play(&UNHEARD.map(|voice| note(voice, 0.0, 100.0, (440.0, 440.0), 0.0001)));
        }
    };
    if PLAYER.with_borrow(Option::is_none) {
        set_timeout(get_ready, SOON);
    }
}

/// Plays a shot.
pub(crate) fn shot(animation: &ShotAnimation) {
    play(&score(animation));
}

/// A piece is picked up, turned or put down.
pub(crate) fn touch() {
    play(&[note(Voice::Bell, 0.0, 60.0, (520.0, 480.0), 0.05)]);
}

/// Ends what sounds.
pub(crate) fn stop() {
    PLAYER.with_borrow_mut(|player| {
        if let Some((context, bus)) =
            player.as_mut().and_then(|player| Some((&player.context, player.bus.take()?)))
        {
            // A bus that does not obey plays to its end.
            let _ = bus.gain().set_target_at_time(0.0, context.current_time(), 0.04);
        }
    });
}

/// Does something with the player, where the browser has one.
fn with_player<T>(act: impl FnOnce(&mut Player) -> T) -> Option<T> {
    PLAYER.with_borrow_mut(|player| {
        if player.is_none() {
            *player = AudioContext::new().ok().map(|context| Player { context, bus: None });
        }
        player.as_mut().map(act)
    })
}

/// Plays notes, where the browser lets us: a page that nobody has touched yet must be silent.
fn play(notes: &[Note]) {
    let begun = with_player(|player| {
        // It wakes after the first touch; before that it may refuse.
        let _ = player.context.resume();
        let bus = player.context.create_gain().ok()?;
        bus.connect_with_audio_node(&player.context.destination()).ok()?;
        player.bus = Some(bus.clone());
        Some((bus, player.context.current_time()))
    });
    let Some((bus, begun)) = begun.flatten() else { return };
    for &note in notes {
        let bus = bus.clone();
        let sound = move || {
            with_player(|player| {
                // Unless it was stopped. A note that can't be played is left out.
                player.bus.as_ref().filter(|now| **now == bus)?;
                sound(&player.context, &bus, note, begun + note.start / 1000.0)
            });
        };
        match note.start - AHEAD {
            early if early > 0.0 => set_timeout(sound, Duration::from_millis(early as u64)),
            _ => sound(),
        }
    }
}

fn sound(context: &AudioContext, bus: &GainNode, note: Note, start: f64) -> Option<()> {
    let end = start + note.lasts / 1000.0;
    let glide = |pitch: AudioParam| {
        pitch.set_value_at_time(note.pitch.0 as f32, start).ok()?;
        pitch.exponential_ramp_to_value_at_time(note.pitch.1 as f32, end).ok()
    };
    let gain = context.create_gain().ok()?;
    let loud = gain.gain();
    loud.set_value_at_time(0.0001, start).ok()?;
    loud.exponential_ramp_to_value_at_time(note.loud as f32, start + 0.008).ok()?;
    if note.voice == Voice::Hum {
        loud.set_value_at_time(note.loud as f32, (end - 0.09).max(start + 0.01)).ok()?;
    }
    loud.exponential_ramp_to_value_at_time(0.0001, end).ok()?;
    gain.connect_with_audio_node(bus).ok()?;
    let oscillator = context.create_oscillator().ok()?;
    glide(oscillator.frequency())?;
    match note.voice {
        Voice::Bell => oscillator.connect_with_audio_node(&gain).ok()?,
        Voice::Hum => {
            oscillator.set_type(OscillatorType::Sawtooth);
            let filter = context.create_biquad_filter().ok()?;
            filter.set_type(BiquadFilterType::Lowpass);
            filter.frequency().set_value(1400.0);
            oscillator.connect_with_audio_node(&filter).ok()?;
            filter.connect_with_audio_node(&gain).ok()?
        }
        Voice::Fire => {
            // A pitch that is thrown about by another far faster than an ear follows, is noise.
            let shaker = context.create_oscillator().ok()?;
            shaker.set_type(OscillatorType::Sawtooth);
            shaker.frequency().set_value(487.0);
            let depth = context.create_gain().ok()?;
            depth.gain().set_value((note.pitch.0 * 3.0) as f32);
            shaker.connect_with_audio_node(&depth).ok()?;
            depth.connect_with_audio_param(&oscillator.frequency()).ok()?;
            run(&shaker, start, end)?;
            oscillator.connect_with_audio_node(&gain).ok()?
        }
    };
    run(&oscillator, start, end)
}

fn run(source: &OscillatorNode, start: f64, end: f64) -> Option<()> {
    source.start_with_when(start).ok()?;
    source.stop_with_when(end).ok()
}

#[cfg(test)]
mod tests {
    use khet::{Position, Setup};

    use super::*;

    fn notes(position: Position, mv: &str) -> (ShotAnimation, Vec<Note>) {
        let animation = ShotAnimation::example(position, mv);
        let notes = score(&animation);
        (animation, notes)
    }

    #[test]
    fn every_mirror_rings_when_it_is_reached() {
        let (animation, notes) = notes(Setup::Classic.position(), "h2+");
        for spark in &animation.sparks {
            assert!(notes.iter().any(|note| note.voice == Voice::Bell && note.start == spark.time));
        }
        assert!(!notes.iter().any(|note| note.voice == Voice::Fire), "nothing was hit");
    }

    #[test]
    fn all_pitches_and_loudnesses_can_be_glided() {
        let lit: Position = "4k5/10/10/10/10/10/10/4K4P4 s".parse().expect("a position");
        let (_, notes) = notes(lit, "j1-");
        assert!(notes.iter().any(|note| note.voice == Voice::Fire));
        for note in notes {
            assert!(
                note.pitch.0 > 0.0 && note.pitch.1 > 0.0 && note.loud > 0.0 && note.lasts > 20.0
            );
        }
    }
}
