// Runs before the first paint: the theme that was chosen, then the app.
"use strict";

import("/khet.js")
  .then((khet) => khet.default({ module_or_path: "/khet.wasm" }))
  .catch((problem) => {
    console.error(problem);
    const notice = document.createElement("p");
    notice.className = "trouble";
    notice.setAttribute("role", "alert");
    notice.textContent =
      "Khet could not be loaded. It needs a browser of the last few years; if yours is, reloading may help.";
    (document.body ?? document.documentElement).append(notice);
  });
