//! Renders the OpenAPI document as an HTML page without scripts.
//!
//! Written by hand because the usual viewers are large scripts, which the content security policy
//! forbids.

use std::fmt::Write;

use serde_json::Value;

use crate::markup::escape;

/// Returns the page.
pub(super) fn html(document: &str) -> String {
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let mut page = ApiPage { document: &document, html: String::new() };
    page.write();
    page.html
}

struct ApiPage<'d> {
    document: &'d Value,
    html: String,
}

impl ApiPage<'_> {
    /// Appends a line.
    fn line(&mut self, line: impl std::fmt::Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.html, "{line}");
    }

    /// Writes the whole page.
    fn write(&mut self) {
        let document = self.document;
        let info = &document["info"];
        let title = escape(text(&info["title"]));
        self.line(format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title} API</title>\n<link rel=\"stylesheet\" href=\"/api/style.css\">\n\
             </head>\n<body>\n<main>\n<h1>{title} API</h1>"
        ));
        for paragraph in text(&info["description"]).split("\n\n") {
            self.line(format_args!("<p>{}</p>", inline(paragraph)));
        }
        self.line(
            "<p>For programs: <a href=\"/api/openapi.json\">openapi.json</a>.</p>\n<nav><ul>",
        );
        let tags: Vec<&Value> = array(&document["tags"]).collect();
        for tag in &tags {
            let name = escape(text(&tag["name"]));
            self.line(format_args!(
                "<li><a href=\"#{name}\">{name}</a>: {}</li>",
                inline(text(&tag["description"]))
            ));
        }
        self.line(
            "<li><a href=\"#values\">values</a>: types of requests and responses</li>\n\
             </ul></nav>",
        );
        for tag in tags {
            let name = text(&tag["name"]);
            let shown = escape(name);
            self.line(format_args!("<section id=\"{shown}\">\n<h2>{shown}</h2>"));
            for (path, item) in object(&document["paths"]) {
                for (method, operation) in object(item) {
                    if array(&operation["tags"]).any(|tag| text(tag) == name) {
                        self.operation(method, path, operation);
                    }
                }
            }
            self.line("</section>");
        }
        self.line("<section id=\"values\">\n<h2>values</h2>");
        for (name, schema) in object(&document["components"]["schemas"]) {
            self.schema(name, schema);
        }
        self.line("</section>\n</main>\n</body>\n</html>");
    }

    /// Writes the description of an endpoint.
    fn operation(&mut self, method: &str, path: &str, operation: &Value) {
        let id = escape(text(&operation["operationId"]));
        self.line(format_args!(
            "<article id=\"{id}\">\n\
             <h3><span class=\"method {method}\">{}</span> <code>{}</code></h3>",
            method.to_ascii_uppercase(),
            escape(path)
        ));
        for part in [&operation["summary"], &operation["description"]] {
            if !text(part).is_empty() {
                self.line(format_args!("<p>{}</p>", inline(text(part))));
            }
        }
        let parameters: Vec<&Value> = array(&operation["parameters"]).collect();
        if !parameters.is_empty() {
            self.line("<dl>");
            for parameter in parameters {
                self.line(format_args!(
                    "<dt><code>{}</code> <span class=\"kind\">{}</span></dt><dd>{}</dd>",
                    escape(text(&parameter["name"])),
                    kind(&parameter["schema"]),
                    inline(text(&parameter["description"]))
                ));
            }
            self.line("</dl>");
        }
        for (media, content) in object(&operation["requestBody"]["content"]) {
            self.line(format_args!(
                "<p>Send {} as <code>{}</code>:</p>",
                kind(&content["schema"]),
                escape(media)
            ));
            if let Ok(example) = serde_json::to_string(&content["example"]) {
                self.line(format_args!("<pre>{}</pre>", escape(&example)));
            }
        }
        self.line("<table>");
        for (status, response) in object(&operation["responses"]) {
            let contents = object(&response["content"]);
            let contents: Vec<String> =
                contents.map(|(_, content)| kind(&content["schema"])).collect();
            self.line(format_args!(
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
                if status == "default" { "else" } else { status },
                inline(text(&response["description"])),
                contents.join(" ")
            ));
        }
        self.line("</table>\n</article>");
    }

    fn schema(&mut self, name: &str, schema: &Value) {
        let shown = escape(name);
        self.line(format_args!("<article id=\"value-{shown}\">\n<h3>{shown}</h3>"));
        if !text(&schema["description"]).is_empty() {
            self.line(format_args!("<p>{}</p>", inline(text(&schema["description"]))));
        }
        self.fields(schema);
        self.line("</article>");
    }

    /// Writes the fields of a type.
    fn fields(&mut self, schema: &Value) {
        for part in array(&schema["allOf"]) {
            self.fields(part);
        }
        if let Some(reference) = schema["$ref"].as_str() {
            self.line(format_args!("<p>All of {}, and:</p>", link(reference)));
        }
        let choices: Vec<&Value> = array(&schema["oneOf"]).collect();
        if !choices.is_empty() {
            self.line("<ul>");
            for choice in choices {
                self.line(format_args!(
                    "<li>{} {}</li>",
                    kind(choice),
                    inline(text(&choice["description"]))
                ));
            }
            self.line("</ul>");
        }
        let words: Vec<String> = array(&schema["enum"])
            .map(|word| format!("<code>{}</code>", escape(text(word))))
            .collect();
        if !words.is_empty() {
            self.line(format_args!("<p>{}</p>", words.join(" · ")));
        }
        let mut fields = object(&schema["properties"]).peekable();
        if fields.peek().is_some() {
            self.line("<dl>");
            for (field, schema) in fields {
                self.line(format_args!(
                    "<dt><code>{}</code> <span class=\"kind\">{}</span></dt><dd>{}</dd>",
                    escape(field),
                    kind(schema),
                    inline(text(&schema["description"]))
                ));
            }
            self.line("</dl>");
        } else if let Some(example) = array(&schema["examples"]).next() {
            self.line(format_args!(
                "<p>A text, as in <code>{}</code>.</p>",
                escape(&example.to_string())
            ));
        }
    }
}

/// Returns a short description of a type.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return link(reference);
    }
    let parts = |name: &str, between: &str| -> Option<String> {
        let parts: Vec<String> =
            array(&schema[name]).filter(|part| part["type"] != "null").map(kind).collect();
        (!parts.is_empty()).then(|| parts.join(between))
    };
    if let Some(parts) = parts("oneOf", " or ").or_else(|| parts("allOf", " with ")) {
        return parts;
    }
    if schema["type"] == "array" {
        return format!("list of {}", kind(&schema["items"]));
    }
    let words: Vec<&str> = array(&schema["enum"]).map(text).collect();
    if !words.is_empty() {
        return format!("<code>{}</code>", escape(&words.join(" | ")));
    }
    let mut fields = object(&schema["properties"]).peekable();
    if fields.peek().is_some() {
        let fields: Vec<String> = fields
            .map(|(name, field)| format!("<code>{}</code>: {}", escape(name), kind(field)))
            .collect();
        return format!("{{ {} }}", fields.join(", "));
    }
    match &schema["type"] {
        Value::String(name) => escape(name),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().map(text).filter(|name| *name != "null").collect();
            escape(&names.join(" or "))
        }
        _ => "JSON".to_owned(),
    }
}

/// Returns a link to the description of a type.
fn link(reference: &str) -> String {
    let name = escape(reference.rsplit('/').next().unwrap_or_default());
    format!("<a href=\"#value-{name}\">{name}</a>")
}

/// Returns the string of a JSON value; empty if it is none.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Iterates over the items of a JSON array, if the value is one.
fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Iterates over the fields of a JSON object, if the value is one.
fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Escapes text and turns backticks into code tags.
fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(number, part)| match number % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::{html, inline};

    #[test]
    fn document_text_is_escaped() {
        assert_eq!(inline("a <b> & `c<d>`"), "a &lt;b&gt; &amp; <code>c&lt;d&gt;</code>");
        let page = html(r#"{"info": {"title": "<script>", "description": ""}}"#);
        assert!(!page.contains("<script"), "{page}");
    }
}
