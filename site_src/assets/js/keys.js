/* Shortcuts of one key, and the list of them under `?`. None acts inside a field or with another key held, and
   all can be turned off, as WCAG 2.1.4 asks; the choice is kept in this browser. */
"use strict";
(function () {
  var OFF = "assay-keys-off";

  function off() {
    try { return localStorage.getItem(OFF) === "1"; } catch (refused) { return false; }
  }

  function turn(isOff) {
    try {
      if (isOff) { localStorage.setItem(OFF, "1"); } else { localStorage.removeItem(OFF); }
    } catch (refused) { /* A reader who allows no storage keeps them. */ }
  }

  function follow(selector) {
    return function () {
      var links = document.querySelectorAll(selector);
      if (links.length) { links[links.length - 1].click(); }
      return links.length > 0;
    };
  }

  var KEYS = [
    ["/", "Search by name", follow("header [data-search]")],
    ["p", "The page before, where there is one", follow("a[rel~=prev]")],
    ["n", "The page after", follow("a[rel~=next]")],
    ["u", "One level up", follow(".crumbs a")],
    ["?", "These keys", function () { show(); return true; }]
  ];
  var MOVES = [
    ["\u2191 \u2193", "In the search: move"], ["Tab", "Next group"], ["Enter", "Open"], ["Esc", "Close"]
  ];

  function element(name, words, properties) {
    var made = document.createElement(name);
    made.append.apply(made, [].concat(words || []));
    return Object.assign(made, properties || {});
  }

  var box = null;

  function show() {
    if (!box) { box = made(); document.body.append(box); }
    if (!box.open) { box.showModal(); }
  }

  function made() {
    var dialog = element("dialog", [], { className: "keys" });
    dialog.setAttribute("aria-label", "Keys");
    var list = element("dl");
    KEYS.concat(MOVES).forEach(function (key) {
      list.append(element("dt", element("kbd", key[0])), element("dd", key[1]));
    });
    var choice = element("input", [], { type: "checkbox", checked: !off() });
    choice.addEventListener("change", function () { turn(!choice.checked); });
    var close = element("button", "Close", { type: "button" });
    close.addEventListener("click", function () { dialog.close(); });
    dialog.append(
      element("h2", "Keys"), list,
      element("p", element("label", [choice, " Keys of one letter act on this site"])),
      element("p", close)
    );
    dialog.addEventListener("click", function (event) { if (event.target === dialog) { dialog.close(); } });
    return dialog;
  }

  /* Whether a key goes into a field; one in a box that was closed this moment is none. */
  function typing(target) {
    return target.getClientRects().length > 0 && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
  }

  document.addEventListener("keydown", function (event) {
    var held = event.ctrlKey || event.metaKey || event.altKey;
    if (held || event.defaultPrevented || typing(event.target) || document.querySelector("dialog[open]") || off()) { return; }
    KEYS.forEach(function (key) {
      if (key[0] === event.key && key[2]()) { event.preventDefault(); }
    });
  });

  document.addEventListener("click", function (event) {
    if (event.target.closest("[data-keys]")) { show(); }
  });

  /* A table that is wider than its place is reached by the keyboard, and named by its caption; another is no stop. */
  function reach() {
    document.querySelectorAll(".scroll:not([data-fixed])").forEach(function (place) {
      var wide = place.scrollWidth > place.clientWidth;
      if (wide === place.hasAttribute("tabindex")) { return; }
      if (!wide) { ["tabindex", "role", "aria-label"].forEach(function (name) { place.removeAttribute(name); }); return; }
      var caption = place.querySelector("caption");
      place.tabIndex = 0;
      place.setAttribute("role", "region");
      place.setAttribute("aria-label", caption ? caption.textContent.trim() : "Table");
    });
  }

  document.addEventListener("DOMContentLoaded", function () {
    var watcher = new ResizeObserver(reach);
    document.querySelectorAll(".scroll").forEach(function (place) {
      if (place.hasAttribute("tabindex")) { place.dataset.fixed = ""; return; }
      watcher.observe(place);
      Array.from(place.children).forEach(function (inside) { watcher.observe(inside); });
    });
    reach();
  });
})();
