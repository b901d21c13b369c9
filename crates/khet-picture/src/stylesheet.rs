//! A reader of `art.css`, the style sheet of drawn boards, which the app uses too.
//!
//! It is the single source of the board's colours and strokes. A generator that writes both the
//! style sheet and the pictures' attributes would need the same matching of classes, and would turn
//! a style sheet that browser tools understand into a table of strings, so the sheet is read
//! instead. To keep the reader small, `art.css` has only rules whose selectors are classes, `text`
//! and attributes of the root, separated by spaces, and orders its rules by specificity.

/// The names by which selectors find an element: its tag, its classes and, of the root, its
/// attributes as in `data-board="limestone"`.
pub(crate) type ElementNames<'a> = Vec<&'a str>;

/// A rule with one selector.
#[derive(Debug)]
pub(crate) struct Rule<'a> {
    /// The names that the ancestors, outermost first, and the element itself must have.
    selector: Vec<ElementNames<'a>>,
    /// Properties and values.
    pub(crate) declarations: Vec<(&'a str, &'a str)>,
}

/// Reads the rules of a style sheet, one per selector, in their order.
pub(crate) fn parse(sheet: &str) -> Vec<Rule<'_>> {
    let mut rules = Vec::new();
    for (head, body) in sheet.split('}').filter_map(|block| block.split_once('{')) {
        let selectors = head.rsplit_once("*/").map_or(head, |(_comment, selectors)| selectors);
        rules.extend(selectors.split(',').map(|selector| Rule {
            selector: selector.split_whitespace().map(names).collect(),
            declarations: declarations(body),
        }));
    }
    rules
}

/// Splits a compound selector such as `.red.far` into its names.
fn names(compound: &str) -> ElementNames<'_> {
    compound.split(['.', '[', ']']).filter(|name| !name.is_empty()).collect()
}

/// Parses the declarations of a rule.
fn declarations(body: &str) -> Vec<(&str, &str)> {
    let pairs = body.split(';').filter_map(|declaration| declaration.split_once(':'));
    pairs.map(|(property, value)| (property.trim(), value.trim())).collect()
}

impl Rule<'_> {
    /// Returns whether the rule applies to the last element of a path from the root.
    pub(crate) fn matches(&self, path: &[ElementNames<'_>]) -> bool {
        let (Some((subject, context)), Some((element, ancestors))) =
            (self.selector.split_last(), path.split_last())
        else {
            return false;
        };
        let has = |element: &ElementNames<'_>, names: &ElementNames<'_>| {
            names.iter().all(|name| element.contains(name))
        };
        let mut ancestors = ancestors.iter().rev();
        has(element, subject)
            && context.iter().rev().all(|names| ancestors.any(|ancestor| has(ancestor, names)))
    }

    /// Returns the rule's CSS specificity, except that `text` counts as much as a class.
    pub(crate) fn specificity(&self) -> usize {
        self.selector.iter().map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    const SHEET: &str = r#"
        /* A comment. */
        .art .lens, .board .red .lens { fill: var(--red); stroke: #000 }
        [data-board="limestone"] .art text { fill: #111; opacity: .5; }
    "#;

    #[test]
    fn each_selector_becomes_a_rule() {
        let rules = parse(SHEET);
        let parsed: Vec<_> =
            rules.iter().map(|rule| (rule.specificity(), &rule.declarations)).collect();
        let lens = vec![("fill", "var(--red)"), ("stroke", "#000")];
        let text = vec![("fill", "#111"), ("opacity", ".5")];
        assert_eq!(parsed, [(2, &lens), (3, &lens), (3, &text)]);
    }

    #[test]
    fn art_css_has_only_simple_rules() {
        let rules = parse(include_str!("art.css"));
        assert!(rules.len() > 100, "{}", rules.len());
        for rule in &rules {
            for name in rule.selector.iter().flatten() {
                let is_attribute = name.starts_with("data-") && name.contains('=');
                let is_simple =
                    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
                assert!(is_attribute || is_simple, "{rule:?}");
            }
            assert!(!rule.selector.is_empty() && !rule.declarations.is_empty(), "{rule:?}");
            assert!(rule.declarations.iter().all(|(_, value)| !value.contains("*/")), "{rule:?}");
        }
    }

    #[test]
    fn ancestors_match_in_their_order() {
        let rules = parse(SHEET);
        let (root, svg) = (vec!["data-board=\"limestone\""], vec!["svg", "board", "art"]);
        let (red, lens, text) = (vec!["g", "red"], vec!["circle", "lens"], vec!["text"]);
        let matching = |path: &[_]| rules.iter().map(|rule| rule.matches(path)).collect::<Vec<_>>();
        let path = [root.clone(), svg.clone(), red.clone(), lens.clone()];
        assert_eq!(matching(&path), [true, true, false]);
        assert_eq!(matching(&[root.clone(), red, svg.clone(), lens]), [true, false, false]);
        assert_eq!(matching(&[root, svg.clone(), text.clone()]), [false, false, true]);
        assert_eq!(matching(&[vec![], svg, text]), [false, false, false]);
    }
}
