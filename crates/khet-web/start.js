// Runs before the first paint: applies the appearance settings, then loads the app.
"use strict";

{
  // Must match `settings/preferences.rs`.
  let chosen = [];
  try {
    chosen = (localStorage.getItem("khet.settings") ?? "").split(" ");
  } catch {
    // Storage is forbidden: uses the defaults.
  }
  const value = (name) => chosen.find((word) => word.startsWith(name + "="))?.slice(name.length + 1);
  const prefers = (name, query) => {
    const choice = value(name);
    return choice === "on" || (choice !== "off" && matchMedia(query).matches);
  };
  const theme = value("theme");
  const attributes = document.documentElement.dataset;
  const light = theme === "light" || (theme !== "dark" && matchMedia("(prefers-color-scheme: light)").matches);
  attributes.theme = light ? "light" : "dark";
  attributes.board = value("board") ?? (light ? "limestone" : "basalt");
  attributes.contrast = prefers("more-contrast", "(prefers-contrast: more)") ? "more" : "normal";
  attributes.coordinates = value("coordinates") ?? "on";
  attributes.motion = prefers("less-motion", "(prefers-reduced-motion: reduce)") ? "less" : "normal";
}

// The page's part of the path, after the language if there is one, selects one of the app's programs.
const [, , page] = /^\/([a-z]{2}(?:\/|$))?([^/]*)/.exec(location.pathname);
const [name] = [
  ["online", "friend lobby watch games leaders device-games account challenge game person"],
  ["setups", "setups editor setup"],
  ["analysis", "analysis"],
  ["learn", "rules strategy course about privacy faq notation"],
  ["tower", "tower-computer tower-table"],
  ["puzzles", "puzzles"],
].find(([, words]) => words.split(" ").includes(page)) ?? ["home"];
const [code, module, sheet] = {
  home: ["/khet.wasm", "/khet.js"],
  online: ["/online.wasm", "/online.js", "/online.css"],
  setups: ["/setups.wasm", "/setups.js", "/setups.css"],
  analysis: ["/analysis.wasm", "/analysis.js", "/analysis.css"],
  learn: ["/learn.wasm", "/learn.js", "/learn.css"],
  tower: ["/tower.wasm", "/tower.js", "/tower.css"],
  puzzles: ["/puzzles.wasm", "/puzzles.js", "/puzzles.css"],
}[name];

// Returns the language that `languages.rs` will choose.
function chosenLanguage() {
  let remembered;
  try {
    remembered = localStorage.getItem("khet.language");
  } catch {
    // Storage is forbidden.
  }
  const inAddress = /^\/([a-z]{2})(?:\/|$)/.exec(location.pathname)?.[1];
  for (const language of [inAddress, remembered, ...navigator.languages, "en"]) {
    const code = language?.slice(0, 2);
    const meta = code && document.querySelector(`meta[name=words-${code}]`);
    if (meta) return code;
  }
}
const language = chosenLanguage();
document.documentElement.lang = language;

// Shows the home page's texts in this language until the app has arrived. On other pages only the header.
const isHome = page === "";
document.documentElement.dataset.shell = isHome ? "home" : "header";
document.addEventListener("DOMContentLoaded", () => {
  const texts = document.querySelector(`#shell [lang=${language}]`);
  if (texts) texts.hidden = false;
});

// Fetches the texts in parallel with the app. If this fails, the app fetches them itself. All programs but the
// first have texts of their own, and all but the puzzles those about games with a tower.
async function fetchWords() {
  const names = [`words-${language}`];
  if (name !== "home" && name !== "puzzles") names.push(`words-tower-${language}`);
  if (name !== "home" && name !== "tower") names.push(`words-${name}-${language}`);
  window.khetWords = {};
  await Promise.all(
    names.map(async (name) => {
      const response = await fetch(document.querySelector(`meta[name=${name}]`).content);
      if (response.ok) window.khetWords[name] = await response.text();
    }),
  );
}

// Loads the style sheet of this program.
function loadStyle() {
  if (!sheet) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = sheet;
  const loaded = new Promise((resolve) => (link.onload = link.onerror = resolve));
  // Behind the head, because its rules must come after those of khet.css, which is not parsed yet.
  document.documentElement.append(link);
  return loaded;
}

// Requests everything at once, and compiles while loading. Does not use preload links, because browsers
// sometimes ignore what they have preloaded and load it twice.
Promise.all([
  WebAssembly.compileStreaming(fetch(code)),
  import(module),
  fetchWords().catch(() => {}),
  loadStyle(),
])
  .then(([compiled, program]) => program.default({ module_or_path: compiled }))
  .catch((problem) => {
    console.error(problem);
    const notice = document.createElement("p");
    notice.className = "error-notice";
    notice.setAttribute("role", "alert");
    notice.textContent =
      "Khet could not be loaded. Check your connection and reload the page. If that does not help, update your browser.";
    (document.body ?? document.documentElement).append(notice);
  });
