//! Style sheets, as far as pictures need them: rules whose selectors are classes, elements and what the root says.
//!
//! What moves, what is pointed at and what depends on a page's width has no place in a picture: rules with other
//! selectors and rules with `@` are left out.

/// A rule: what holds for elements that a selector means.
#[derive(Debug)]
pub(crate) struct Rule<'a> {
    selector: Vec<Compound<'a>>,
    declarations: Vec<(&'a str, &'a str)>,
}

/// What is asked of one element.
#[derive(PartialEq, Debug, Default)]
struct Compound<'a> {
    element: Option<&'a str>,
    classes: Vec<&'a str>,
    /// Attributes with their values; only the root has any.
    attributes: Vec<(&'a str, &'a str)>,
}

/// An element of a picture, as selectors see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element<'a> {
    pub(crate) name: &'a str,
    pub(crate) classes: Vec<&'a str>,
    pub(crate) attributes: Vec<(&'a str, &'a str)>,
}

/// The rules of a style sheet, one for each selector, in their order.
pub(crate) fn read(sheet: &str) -> Vec<Rule<'_>> {
    let mut rules = Vec::new();
    let mut rest = sheet;
    while let Some((before, behind)) = rest.split_once('{') {
        let head = without_comments(before);
        if head.starts_with('@') {
            rest = behind_block(behind);
            continue;
        }
        let (body, behind) = behind.split_once('}').unwrap_or((behind, ""));
        rest = behind;
        let selectors = head.split(',').filter_map(selector);
        rules.extend(selectors.map(|selector| Rule { selector, declarations: declarations(body) }));
    }
    rules
}

/// The part behind the last comment: none stands within a selector.
fn without_comments(text: &str) -> &str {
    text.rsplit_once("*/").map_or(text, |(_, behind)| behind).trim()
}

/// What follows a block that holds blocks.
fn behind_block(text: &str) -> &str {
    let mut depth = 1;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    ""
}

fn declarations(body: &str) -> Vec<(&str, &str)> {
    let pairs = body.split(';').filter_map(|line| without_comments(line).split_once(':'));
    pairs.map(|(name, value)| (name.trim(), value.trim())).collect()
}

/// A selector, unless it asks for more than pictures know.
fn selector(text: &str) -> Option<Vec<Compound<'_>>> {
    text.split_whitespace().map(compound).collect()
}

fn compound(text: &str) -> Option<Compound<'_>> {
    let mut compound = Compound::default();
    let mut rest = match text.strip_prefix(":root") {
        Some(rest) => {
            compound.element = Some("root");
            rest
        }
        None => {
            let end = text.find(['.', '[', ':']).unwrap_or(text.len());
            compound.element = Some(&text[..end]).filter(|name| !name.is_empty());
            &text[end..]
        }
    };
    if compound.element.is_some_and(|name| !name.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
        return None;
    }
    while !rest.is_empty() {
        if let Some(class) = rest.strip_prefix('.') {
            let end = class.find(['.', '[', ':']).unwrap_or(class.len());
            compound.classes.push(&class[..end]);
            rest = &class[end..];
        } else {
            let (attribute, behind) = rest.strip_prefix('[')?.split_once(']')?;
            let (name, value) = attribute.split_once('=')?;
            compound.attributes.push((name, value.trim_matches('"')));
            rest = behind;
        }
    }
    Some(compound)
}

impl Compound<'_> {
    fn fits(&self, element: &Element<'_>) -> bool {
        self.element.is_none_or(|name| name == element.name)
            && self.classes.iter().all(|class| element.classes.contains(class))
            && self.attributes.iter().all(|attribute| element.attributes.contains(attribute))
    }
}

impl<'a> Rule<'a> {
    /// Whether it holds for the last of these elements, each of which is in the one before it.
    pub(crate) fn fits(&self, line: &[Element<'_>]) -> bool {
        let Some(((last, element), ancestors)) =
            self.selector.last().zip(line.last()).zip(line.split_last().map(|(_, rest)| rest))
        else {
            return false;
        };
        let mut ancestors = ancestors.iter().rev();
        last.fits(element)
            && self.selector[..self.selector.len() - 1]
                .iter()
                .rev()
                .all(|compound| ancestors.any(|ancestor| compound.fits(ancestor)))
    }

    /// Which rule wins: classes and attributes count before elements.
    pub(crate) fn weight(&self) -> (usize, usize) {
        let classes = |compound: &Compound| compound.classes.len() + compound.attributes.len();
        let root = |compound: &Compound| usize::from(compound.element == Some("root"));
        let classes = self.selector.iter().map(|part| classes(part) + root(part)).sum();
        (classes, self.selector.iter().filter(|part| part.element.is_some()).count())
    }

    pub(crate) fn declarations(&self) -> &[(&'a str, &'a str)] {
        &self.declarations
    }
}

#[cfg(test)]
mod tests {
    use super::{Element, read};

    const SHEET: &str = r#"
        /* { a comment } */
        .art .lens, .board .red .lens { fill: var(--red); stroke: #000 }
        @container (max-width: 560px) { .art .lens { fill: wrong; } .a { b: c } }
        .cell:hover { fill: wrong; }
        .a > .lens { fill: wrong; }
        [data-board="limestone"] .art text { fill: #111; /* dark */ opacity: .5; }
    "#;

    fn element<'a>(name: &'a str, classes: &[&'a str]) -> Element<'a> {
        Element { name, classes: classes.to_vec(), attributes: Vec::new() }
    }

    #[test]
    fn rules_are_read_one_for_each_selector_and_others_left_out() {
        let rules = read(SHEET);
        let found: Vec<_> = rules.iter().map(|rule| (rule.weight(), rule.declarations())).collect();
        assert_eq!(
            found,
            [
                ((2, 0), &[("fill", "var(--red)"), ("stroke", "#000")][..]),
                ((3, 0), &[("fill", "var(--red)"), ("stroke", "#000")][..]),
                ((2, 1), &[("fill", "#111"), ("opacity", ".5")][..]),
            ]
        );
    }

    #[test]
    fn a_selector_asks_for_its_ancestors_in_their_order() {
        let rules = read(SHEET);
        let mut root = element("root", &[]);
        let svg = element("svg", &["board", "art"]);
        let (red, lens) = (element("g", &["red"]), element("circle", &["lens"]));
        let line = [root.clone(), svg.clone(), red.clone(), lens.clone()];
        assert!(rules[0].fits(&line) && rules[1].fits(&line) && !rules[2].fits(&line));
        assert!(!rules[1].fits(&[root.clone(), red, svg.clone(), lens]));
        root.attributes = vec![("data-board", "limestone")];
        assert!(rules[2].fits(&[root, svg, element("text", &[])]));
    }
}
