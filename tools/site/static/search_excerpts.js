// SPDX-License-Identifier: Apache-2.0
/* Puts a piece of the page's text below each result of a search. Sphinx would fetch the page for it, which a
   browser refuses for pages on a disk; excerpts.js (tools/site/excerpts.py) has all texts. */
"use strict";
(() => {
  const root = document.documentElement.dataset.content_root || "./";
  const words = (new URLSearchParams(location.search).get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);

  /* The text around the first place that has all words in a row, or else around the first that has one. */
  function excerpt(text, part) {
    const lower = text.toLowerCase();
    const from = part ? Math.max(0, lower.indexOf(part)) : 0;
    const places = words.map((w) => lower.indexOf(w, from)).filter((p) => p >= 0);
    const phrase = lower.indexOf(words.join(" "), from);
    const place = phrase >= 0 ? phrase : places.length ? Math.min(...places) : from;
    const first = place < 80 ? 0 : text.indexOf(" ", place - 80) + 1;
    const last = first + 240 < text.length ? text.lastIndexOf(" ", first + 240) : text.length;
    return (first > 0 ? "… " : "") + text.slice(first, last) + (last < text.length ? " …" : "");
  }

  function complete(results) {
    for (const item of results.querySelectorAll("li")) {
      const link = item.querySelector("a");
      if (!link || item.querySelector(".context")) continue;
      const [page] = link.getAttribute("href").split("#");
      const name = page.slice(root === "./" ? 0 : page.indexOf(root) + root.length).replace(/\.html.*$/, "");
      const text = searchExcerpts[name];
      if (!text) continue;
      const part = link.getAttribute("href").includes("#") ? link.textContent.split(" > ").pop().toLowerCase() : "";
      const line = document.createElement("p");
      line.className = "context";
      line.textContent = excerpt(text, part);
      item.append(line);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const results = document.getElementById("search-results");
    if (!results || !words.length) return;
    const script = document.createElement("script");
    script.src = `${root}_static/excerpts.js`;
    script.onload = () => {
      complete(results);
      new MutationObserver(() => complete(results)).observe(results, { childList: true, subtree: true });
    };
    document.head.append(script);
  });
})();
