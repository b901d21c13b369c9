// Runs before the first paint: the chosen look, then the app.
"use strict";

{
  // As `settings.rs` has it.
  let chosen = [];
  try {
    chosen = (localStorage.getItem("khet.settings") ?? "").split(" ");
  } catch {
    // Where storage is forbidden nothing was chosen.
  }
  const value = (name) => chosen.find((word) => word.startsWith(name + "="))?.slice(name.length + 1);
  const wished = (name, query) => {
    const choice = value(name);
    return choice === "on" || (choice !== "off" && matchMedia(query).matches);
  };
  const theme = value("theme");
  const look = document.documentElement.dataset;
  const light = theme === "light" || (theme !== "dark" && matchMedia("(prefers-color-scheme: light)").matches);
  look.theme = light ? "light" : "dark";
  look.board = value("board") ?? (light ? "limestone" : "basalt");
  look.contrast = wished("more-contrast", "(prefers-contrast: more)") ? "more" : "normal";
  look.motion = wished("less-motion", "(prefers-reduced-motion: reduce)") ? "less" : "normal";
}

// The words come beside the app, in the language that `languages.rs` will choose. What does not come here, it
// asks for itself.
async function bringWords() {
  let remembered;
  try {
    remembered = localStorage.getItem("khet.language");
  } catch {
    // As above.
  }
  const named = /^\/([a-z]{2})(?:\/|$)/.exec(location.pathname)?.[1];
  for (const language of [named, remembered, ...navigator.languages, "en"]) {
    const code = language?.slice(0, 2);
    const place = code && document.querySelector(`meta[name=words-${code}]`);
    if (!place) continue;
    const answer = await fetch(place.content);
    if (answer.ok) window.khetWords = { [code]: await answer.text() };
    return;
  }
}

// Everything is asked for at once, and compiled while it comes. Nothing is preloaded: browsers do not always
// take what they have preloaded, and load it twice.
// The app is several programs, which the words of their pages choose: who plays at home loads no other.
const [name] = [
  ["online", "friend lobby watch games leaders account challenge game person"],
  ["setups", "setups editor setup"],
  ["analysis", "analysis"],
].find(([, words]) => words.split(" ").includes(location.pathname.split("/")[2])) ?? ["khet"];
const [code, module, sheet] = {
  khet: ["/khet.wasm", "/khet.js"],
  online: ["/online.wasm", "/online.js", "/online.css"],
  setups: ["/setups.wasm", "/setups.js", "/setups.css"],
  analysis: ["/analysis.wasm", "/analysis.js", "/analysis.css"],
}[name];

// What only this program's pages wear.
function bringStyle() {
  if (!sheet) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = sheet;
  const worn = new Promise((resolve) => (link.onload = link.onerror = resolve));
  document.head.append(link);
  return worn;
}

Promise.all([
  WebAssembly.compileStreaming(fetch(code)),
  import(module),
  bringWords().catch(() => {}),
  bringStyle(),
])
  .then(([compiled, program]) => program.default({ module_or_path: compiled }))
  .catch((problem) => {
    console.error(problem);
    const notice = document.createElement("p");
    notice.className = "trouble";
    notice.setAttribute("role", "alert");
    notice.textContent =
      "Khet could not be loaded. It needs a browser of the last few years; if yours is, reloading may help.";
    (document.body ?? document.documentElement).append(notice);
  });
