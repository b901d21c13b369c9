//! Writes a board as an SVG file that needs nothing else:
//! `cargo run -p khet-web --example picture -- classic > board.svg`.

use khet::{Color, Position, Setup};
use khet_web::board::picture;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().unwrap_or("classic".to_string());
    let position: Position = match text.parse::<Setup>() {
        Ok(setup) => setup.position(),
        Err(_) => text.parse()?,
    };
    let bottom = arguments.next().map_or(Ok(Color::Silver), |color| color.parse())?;
    println!("{}", picture(&position, bottom));
    Ok(())
}
