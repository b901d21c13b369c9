//! Classes become colours: drawings say what things are, the app's style sheets how these look, and files need it written out.

use std::sync::LazyLock;

use crate::geometry::short;
use crate::glyphs;
use crate::sheet::{self, Element, Rule};

/// Where it is: in the temple at night or by day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Dark stone.
    #[default]
    Night,
    /// Limestone.
    Day,
}

impl Theme {
    /// What the app's root element says.
    const fn root(self) -> [(&'static str, &'static str); 4] {
        let (theme, board) = match self {
            Theme::Night => ("dark", "basalt"),
            Theme::Day => ("light", "limestone"),
        };
        [
            ("data-theme", theme),
            ("data-board", board),
            ("data-contrast", "normal"),
            ("data-motion", "less"),
        ]
    }
}

/// The rules of the app's sheets, those that win last.
static RULES: LazyLock<Vec<Rule<'static>>> = LazyLock::new(|| {
    let mut rules = sheet::read(include_str!("../../khet-web/style/tokens.css"));
    rules.extend(sheet::read(include_str!("../../khet-web/style/board.css")));
    // Equal ones stay in their order.
    rules.sort_by_key(Rule::weight);
    rules
});

/// What a picture takes over from a sheet.
const PROPERTIES: [&str; 11] = [
    "fill",
    "fill-opacity",
    "opacity",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
];

/// Names by which sheets call values, with the values.
type Names = Vec<(&'static str, &'static str)>;

/// Writes a drawing with all classes as attributes, and all letters as paths. The drawing is the program's own: its tags
/// are well-formed, and no attribute contains `<` or `>`.
pub(crate) fn paint(drawing: &str, theme: Theme) -> String {
    let mut painter = Painter::new(theme);
    let mut painted = String::with_capacity(drawing.len() * 2);
    let mut rest = drawing;
    while let Some((text, behind)) = rest.split_once('<') {
        painted.push_str(text);
        let (tag, behind) = behind.split_once('>').unwrap_or((behind, ""));
        rest = behind;
        if let Some(closed) = tag.strip_prefix('/') {
            painter.leave();
            painted.push_str(&format!("</{closed}>"));
        } else if tag.starts_with("text") {
            let (letters, behind) = rest.split_once("</text>").unwrap_or((rest, ""));
            rest = behind;
            painted.push_str(&painter.letters(tag, letters));
        } else {
            painted.push_str(&painter.open(tag));
        }
    }
    painted.push_str(rest);
    painted
}

/// A value of the theme, by the name that the sheets give it.
#[cfg(feature = "png")]
pub(crate) fn value(name: &str, theme: Theme) -> &'static str {
    let painter = Painter::new(theme);
    painter.named(name).unwrap_or("none")
}

/// The elements around what is painted now, from the root on, with the names that each of them defines.
struct Painter<'a> {
    line: Vec<Element<'a>>,
    names: Vec<Names>,
}

impl<'a> Painter<'a> {
    fn new(theme: Theme) -> Painter<'a> {
        let mut painter = Painter { line: Vec::new(), names: Vec::new() };
        let attributes = theme.root().to_vec();
        painter.enter(Element { name: "root", classes: Vec::new(), attributes });
        painter
    }

    /// Goes into an element, and says what holds for it.
    fn enter(&mut self, element: Element<'a>) -> Names {
        self.line.push(element);
        let fitting = RULES.iter().filter(|rule| rule.fits(&self.line));
        let (mut names, mut values) = (Names::new(), Names::new());
        for &(name, value) in fitting.flat_map(Rule::declarations) {
            let into = if name.starts_with("--") { &mut names } else { &mut values };
            into.retain(|&(known, _)| known != name);
            into.push((name, value));
        }
        self.names.push(names);
        values
    }

    fn leave(&mut self) {
        self.line.pop();
        self.names.pop();
    }

    /// What a name stands for here.
    fn named(&self, name: &str) -> Option<&'static str> {
        let mut defined = self.names.iter().rev().flatten();
        defined.find(|(known, _)| *known == name).map(|&(_, value)| self.resolved(value))
    }

    /// A value without names.
    fn resolved(&self, value: &'static str) -> &'static str {
        let Some(inside) = value.strip_prefix("var(").and_then(|text| text.strip_suffix(')'))
        else {
            return value;
        };
        let (name, otherwise) = inside.split_once(',').unwrap_or((inside, "none"));
        self.named(name.trim()).unwrap_or(otherwise.trim())
    }

    /// A tag that opens an element, painted.
    fn open(&mut self, tag: &'a str) -> String {
        let (tag, closes) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let values = self.enter(element(tag));
        let painted = format!("<{}{}{}>", without_class(tag), self.attributes(&values), {
            if closes { "/" } else { "" }
        });
        if closes {
            self.leave();
        }
        painted
    }

    fn attributes(&self, values: &Names) -> String {
        let mut text = String::new();
        for &(name, value) in values.iter().filter(|(name, _)| PROPERTIES.contains(name)) {
            let value = self.resolved(value);
            // Not every program knows colours that are partly transparent.
            match value.strip_prefix('#').filter(|digits| digits.len() == 8) {
                Some(digits) => {
                    let (color, clear) = digits.split_at(6);
                    let share = f64::from(u8::from_str_radix(clear, 16).unwrap_or(255)) / 255.0;
                    let opacity = if name == "stop-color" { "stop" } else { name };
                    text += &format!(
                        r##" {name}="#{color}" {opacity}-opacity="{}""##,
                        (share * 1000.0).round() / 1000.0
                    );
                }
                None => text += &format!(r#" {name}="{value}""#),
            }
        }
        text
    }

    /// Letters, each at its own place, as paths: wherever the picture is shown, they look the same.
    fn letters(&mut self, tag: &'a str, letters: &str) -> String {
        let values = self.enter(element(tag));
        let size =
            values.iter().find(|(name, _)| *name == "font").and_then(|(_, font)| pixels(font));
        let places = |name| {
            let list = attribute(tag, name).unwrap_or_default();
            list.split(' ').filter_map(|number| number.parse().ok()).collect::<Vec<f64>>()
        };
        let (xs, ys) = (places("x"), places("y"));
        let mut paths = String::new();
        for (index, letter) in letters.chars().enumerate() {
            let at = |list: &[f64]| list.get(index).or(list.last()).copied().unwrap_or_default();
            paths += &glyphs::markup(letter, at(&xs), at(&ys), size.unwrap_or(21.0));
        }
        let painted = format!("<g{}>{paths}</g>", self.attributes(&values));
        self.leave();
        painted
    }
}

/// The size in a `font`.
fn pixels(font: &str) -> Option<f64> {
    let size = font.split([' ', '/']).find_map(|part| part.strip_suffix("px"))?;
    size.parse().ok().map(short)
}

fn element(tag: &str) -> Element<'_> {
    let name = tag.split([' ', '\n']).next().unwrap_or_default();
    let classes = attribute(tag, "class").unwrap_or_default();
    Element { name, classes: classes.split_whitespace().collect(), attributes: Vec::new() }
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, behind) = tag.split_once(&format!(" {name}=\""))?;
    behind.split('"').next()
}

fn without_class(tag: &str) -> String {
    match attribute(tag, "class") {
        Some(classes) => tag.replacen(&format!(" class=\"{classes}\""), "", 1),
        None => tag.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{RULES, Theme, paint};

    #[test]
    fn classes_become_what_the_sheets_say() {
        let drawing = r#"<svg class="board art"><g class="red"><path class="tone-0" d="M0,0"/></g><path class="bed"/></svg>"#;
        assert_eq!(
            paint(drawing, Theme::Night),
            r##"<svg><g><path d="M0,0" fill="#f37f68"/></g><path fill="#0c0e13"/></svg>"##
        );
        assert!(paint(drawing, Theme::Day).contains(r##"<path fill="#7d6c4d"/>"##));
    }

    #[test]
    fn what_is_partly_transparent_is_written_apart() {
        let drawing = r#"<g class="board art"><path class="stone-light"/></g>"#;
        let painted = paint(drawing, Theme::Night);
        assert!(painted.contains(r##"stroke="#ffffff" stroke-opacity="0.071""##), "{painted}");
    }

    #[test]
    #[cfg(feature = "png")]
    fn names_of_the_theme_are_known() {
        use super::value;
        assert_eq!(value("--ground", Theme::Night), "#101217");
        assert_eq!(value("--ground", Theme::Day), "#efe8d9");
    }

    #[test]
    fn both_sheets_are_read() {
        assert!(RULES.len() > 100, "{}", RULES.len());
        assert!(RULES.iter().flat_map(|rule| rule.declarations()).all(|(name, value)| {
            !name.is_empty() && !value.is_empty() && !value.contains(['{', '}'])
        }));
    }
}
