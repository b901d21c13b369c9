//! Replaces the classes of a drawing by the attributes that the app's style sheet gives them,
//! because picture files need every colour written out.

use std::sync::LazyLock;

use crate::glyphs;
use crate::stylesheet::{self, ElementNames, Rule};

/// The colours of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Dark stone (basalt).
    #[default]
    Dark,
    /// Light stone (limestone).
    Light,
}

impl Theme {
    /// Returns the attributes of the app's root element that select this theme's board.
    fn root(self) -> ElementNames<'static> {
        match self {
            Theme::Dark => vec!["data-board=\"basalt\""],
            Theme::Light => vec!["data-board=\"limestone\""],
        }
    }
}

static RULES: LazyLock<Vec<Rule<'static>>> =
    LazyLock::new(|| stylesheet::parse(include_str!("art.css")));

/// The properties that SVG has as attributes.
const ATTRIBUTE_PROPERTIES: [&str; 11] = [
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

/// Properties with their values.
type Declarations = Vec<(&'static str, &'static str)>;

/// Rewrites a drawing with attributes instead of classes and paths instead of letters.
///
/// The drawing comes from this crate: its tags are well-formed, and no attribute contains `<` or
/// `>`.
pub(crate) fn paint(drawing: &str, theme: Theme) -> String {
    let mut painter = Painter { path: Vec::new(), variables: Vec::new() };
    painter.enter(theme.root());
    let mut painted = String::with_capacity(drawing.len() * 2);
    let mut rest = drawing;
    while let Some((text, after)) = rest.split_once('<') {
        painted.push_str(text);
        let (tag, after) = after.split_once('>').unwrap_or((after, ""));
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            painter.leave();
            painted.push_str(&format!("</{name}>"));
        } else if tag.starts_with("text") {
            let (letters, after) = rest.split_once("</text>").unwrap_or((rest, ""));
            rest = after;
            painted.push_str(&painter.letters(tag, letters));
        } else {
            painted.push_str(&painter.open(tag));
        }
    }
    painted.push_str(rest);
    painted
}

/// The path from the root to the current element, with the custom properties that each element
/// defines.
struct Painter<'a> {
    path: Vec<ElementNames<'a>>,
    variables: Vec<Declarations>,
}

impl<'a> Painter<'a> {
    /// Enters an element, and returns its properties.
    fn enter(&mut self, element: ElementNames<'a>) -> Declarations {
        self.path.push(element);
        let rules = || RULES.iter().filter(|rule| rule.matches(&self.path));
        debug_assert!(
            rules().is_sorted_by_key(Rule::specificity),
            "art.css: a rule for {:?} comes after a more specific one",
            self.path
        );
        let (mut variables, mut properties) = (Declarations::new(), Declarations::new());
        for &(name, value) in rules().flat_map(|rule| &rule.declarations) {
            let into = if name.starts_with("--") { &mut variables } else { &mut properties };
            into.retain(|&(known, _)| known != name);
            into.push((name, value));
        }
        self.variables.push(variables);
        properties
    }

    /// Ends the current element.
    fn leave(&mut self) {
        self.path.pop();
        self.variables.pop();
    }

    /// Returns a value with a `var()` replaced by what it stands for.
    fn resolve(&self, value: &'static str) -> &'static str {
        let Some(inside) = value.strip_prefix("var(").and_then(|text| text.strip_suffix(')'))
        else {
            return value;
        };
        let (name, fallback) = inside.split_once(',').unwrap_or((inside, "none"));
        let mut variables = self.variables.iter().rev().flatten();
        let definition = variables.find(|(known, _)| *known == name.trim());
        definition.map_or(fallback.trim(), |&(_, value)| self.resolve(value))
    }

    /// Returns an opening tag with attributes instead of classes.
    fn open(&mut self, tag: &'a str) -> String {
        let (tag, slash) = tag.strip_suffix('/').map_or((tag, ""), |tag| (tag, "/"));
        let properties = self.enter(element_names(tag));
        let painted = format!("<{}{}{slash}>", without_class(tag), self.attributes(&properties));
        if !slash.is_empty() {
            self.leave();
        }
        painted
    }

    /// Returns the properties as SVG attributes.
    fn attributes(&self, properties: &Declarations) -> String {
        let mut text = String::new();
        for &(name, value) in
            properties.iter().filter(|(name, _)| ATTRIBUTE_PROPERTIES.contains(name))
        {
            let value = self.resolve(value);
            // SVG 1.1 has no colours with an alpha channel, so it becomes an attribute of its own.
            match value.strip_prefix('#').filter(|digits| digits.len() == 8) {
                Some(digits) => {
                    let (color, alpha) = digits.split_at(6);
                    let alpha = f64::from(u8::from_str_radix(alpha, 16).unwrap_or(255)) / 255.0;
                    let prefix = if name == "stop-color" { "stop" } else { name };
                    text += &format!(
                        r##" {name}="#{color}" {prefix}-opacity="{}""##,
                        (alpha * 1000.0).round() / 1000.0
                    );
                }
                None => text += &format!(r#" {name}="{value}""#),
            }
        }
        text
    }

    /// Returns the letters of a `<text>` as paths, so that they look the same without its font.
    fn letters(&mut self, tag: &'a str, letters: &str) -> String {
        let properties = self.enter(element_names(tag));
        let font = properties.iter().find(|(name, _)| *name == "font");
        let size = font.and_then(|(_, font)| font_size(font)).unwrap_or(21.0);
        let coordinates = |name| {
            let list = attribute(tag, name).unwrap_or_default();
            list.split(' ').filter_map(|number| number.parse().ok()).collect::<Vec<f64>>()
        };
        let (xs, ys) = (coordinates("x"), coordinates("y"));
        let mut paths = String::new();
        for (index, letter) in letters.chars().enumerate() {
            let at = |list: &[f64]| list.get(index).or(list.last()).copied().unwrap_or_default();
            paths += &glyphs::markup(letter, at(&xs), at(&ys), size);
        }
        let painted = format!("<g{}>{paths}</g>", self.attributes(&properties));
        self.leave();
        painted
    }
}

/// Returns the size in pixels of a CSS `font`.
fn font_size(font: &str) -> Option<f64> {
    let size = font.split([' ', '/']).find_map(|part| part.strip_suffix("px"))?;
    size.parse().ok()
}

/// Returns the element name of a tag and its classes.
fn element_names(tag: &str) -> ElementNames<'_> {
    let name = tag.split([' ', '\n']).next();
    name.into_iter().chain(attribute(tag, "class").unwrap_or_default().split_whitespace()).collect()
}

/// Returns the value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = tag.split_once(&format!(" {name}=\""))?;
    after.split('"').next()
}

/// Returns a tag without its class attribute.
fn without_class(tag: &str) -> String {
    match attribute(tag, "class") {
        Some(classes) => tag.replacen(&format!(" class=\"{classes}\""), "", 1),
        None => tag.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Theme, paint};

    #[test]
    fn classes_become_the_attributes_of_their_rules() {
        let drawing = concat!(
            r#"<svg class="board art"><g class="red"><path class="tone-0" d="M0,0"/></g>"#,
            r#"<path class="bed"/></svg>"#
        );
        assert_eq!(
            paint(drawing, Theme::Dark),
            r##"<svg><g><path d="M0,0" fill="#f37f68"/></g><path fill="#0c0e13"/></svg>"##
        );
        assert!(paint(drawing, Theme::Light).contains(r##"<path fill="#7d6c4d"/>"##));
    }

    #[test]
    fn alpha_channel_becomes_an_opacity() {
        let drawing = r#"<g class="board art"><path class="stone-light"/></g>"#;
        let painted = paint(drawing, Theme::Dark);
        assert!(painted.contains(r##"stroke="#ffffff" stroke-opacity="0.071""##), "{painted}");
    }
}
