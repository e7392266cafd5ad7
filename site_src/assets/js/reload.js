/* The preview's half of a page: it gets what the page should show, and makes the page so in place.

   Served by `assay preview` alone; a published site never has it. Changes come as server-sent events, each of
   them the whole of what this page should be, so that one that was missed does no harm. */
"use strict";
(function () {
  var script = document.currentScript;
  var page = script.dataset.page;
  var overlay = window.AssayOverlay;
  var shown = { digest: script.dataset.digest, style: script.dataset.style, rest: script.dataset.rest };
  var isShell = document.body.hasAttribute("data-assay-shell");
  var FOCUS = "assay-live-focus";
  var MOST_FADING = 60;
  var source = null, working = false, next = null, silence = 0;

  /* ---- events */

  function connect() {
    if (source || document.visibilityState === "hidden") { return; }
    source = new EventSource("/-/events?page=" + encodeURIComponent(page));
    source.onopen = function () { clearTimeout(silence); silence = 0; overlay.status(""); };
    source.onmessage = function (event) { receive(JSON.parse(event.data)); };
    source.onerror = function () {
      if (!silence) { silence = setTimeout(function () { overlay.status("The preview has stopped. This page stays as it was."); }, 2000); }
      if (source && source.readyState === EventSource.CLOSED) { leave(); setTimeout(connect, 1000); }
    };
  }

  /* A hidden page lets go of its connection: a browser has few of them for one host. */
  function leave() {
    if (source) { source.close(); source = null; }
  }

  function receive(message) {
    next = message;
    if (!working) { work(); }
  }

  function work() {
    if (!next) { return; }
    var message = next;
    next = null;
    working = true;
    overlay.faults(message.faults);
    overlay.notes(message.notes);
    Promise.resolve(message.waiting ? null : follow(message)).catch(function () { /* the server went away: the overlay says so */ })
      .then(function () { working = false; work(); });
  }

  function follow(message) {
    if (message.digest !== shown.digest && (isShell || !message.digest)) { return reload(); }
    if (message.rest !== shown.rest) { return reload(); }
    if (message.style !== shown.style) { shown.style = message.style; restyle(); }
    return message.digest === shown.digest ? null : renew();
  }

  /* ---- the page */

  function renew() {
    if (document.querySelector("form[data-index]")) { return reload(); }   /* its state stands in its address */
    return fetch(location.pathname + location.search, { cache: "no-store" }).then(function (answer) {
      var digest = answer.headers.get("Assay-Digest");
      return answer.text().then(function (text) {
        var fresh = new DOMParser().parseFromString(text, "text/html");
        if (!answer.ok || !digest || loads(fresh) !== loads(document)) { return reload(); }
        shown.digest = digest;
        morph(fresh);
      });
    });
  }

  function loads(of) {
    return Array.from(of.querySelectorAll("head script[src], head link[rel=stylesheet]"), function (element) {
      return element.getAttribute("src") || element.getAttribute("href").replace(/\?live=.*$/, "");
    }).filter(function (address) { return !address.startsWith("/-/"); }).sort().join(" ");
  }

  function reload() {
    var active = document.activeElement;
    if (active && active.form && active.name) {
      keep({ name: active.name, start: active.selectionStart, end: active.selectionEnd });
    }
    location.reload();
    return new Promise(function () { /* nothing more is done by a page that goes */ });
  }

  function keep(place) {
    try { sessionStorage.setItem(FOCUS, JSON.stringify(place)); } catch (refused) { /* then focus is lost */ }
  }

  function refocus() {
    var place = null;
    try { place = JSON.parse(sessionStorage.getItem(FOCUS)); sessionStorage.removeItem(FOCUS); } catch (refused) { return; }
    var element = place && document.querySelector("[name=" + CSS.escape(place.name) + "]");
    if (!element) { return; }
    element.focus({ preventScroll: true });
    if (typeof place.start === "number" && element.setSelectionRange) { element.setSelectionRange(place.start, place.end); }
  }

  function morph(fresh) {
    var changed = new Set();
    var before = anchor();
    document.title = fresh.title;
    var named = pair(document, fresh);
    window.Idiomorph.morph(document.body, fresh.body, {
      morphStyle: "outerHTML",
      ignoreActiveValue: true,
      callbacks: {
        beforeNodeMorphed: function (old, made) {
          if (old.nodeType === Node.TEXT_NODE) {
            if (old.nodeValue !== made.nodeValue) { changed.add(old.parentElement); }
            return true;
          }
          if (old.nodeType !== Node.ELEMENT_NODE) { return true; }
          if (old.isEqualNode(made)) { return false; }
          if (old.tagName !== "svg") { return true; }
          redraw(old, made);
          changed.add(old);
          return false;
        },
        afterNodeAdded: function (node) { if (node.nodeType === Node.ELEMENT_NODE) { changed.add(node); } },
        beforeAttributeUpdated: function (name, element) { return !isReaders(name, element); }
      }
    });
    named.forEach(function (element) { element.removeAttribute("id"); });
    if (misnamed()) { location.reload(); return; }
    restore(before);
    fade(changed);
  }

  /* Lines that say the same before and after are the same lines, wherever they went: each such pair has one id
     while the page is made over, so that what is being read stays where it is. */
  function pair(old, made) {
    var before = unnamed(old), named = [];
    unnamed(made).forEach(function (element, words) {
      var same = before.get(words);
      if (!element || !same) { return; }
      element.id = same.id = "assay-live-" + named.length;
      named.push(same);
    });
    return named;
  }

  function unnamed(of) {
    var found = new Map();
    of.querySelectorAll("main p, main li, main h2, main h3, main h4, main pre, main dt, main dd").forEach(function (e) {
      if (e.id) { return; }
      var words = e.tagName + e.textContent;
      found.set(words, found.has(words) ? null : e);   /* said twice, it names neither */
    });
    return found;
  }

  /* A drawing is taken over whole: its parts have no state, and belong to another namespace. */
  function redraw(old, made) {
    Array.from(old.attributes).forEach(function (a) { if (!made.hasAttribute(a.name)) { old.removeAttribute(a.name); } });
    Array.from(made.attributes).forEach(function (a) { old.setAttribute(a.name, a.value); });
    old.replaceChildren.apply(old, Array.from(document.importNode(made, true).childNodes));
  }

  /* The library makes elements that moved anew by their bare name; a drawing among them would not draw. */
  function misnamed() {
    return document.getElementsByTagNameNS("http://www.w3.org/1999/xhtml", "svg").length > 0;
  }

  /* What the reader did to the page is the reader's: what is open, chosen, typed. */
  function isReaders(name, element) {
    if (name === "open") { return element.tagName === "DETAILS"; }
    if (name === "aria-pressed") { return element.hasAttribute("data-choose-theme"); }
    if (name === "value") { return element.value !== element.defaultValue; }
    return name === "checked" || name === "selected";
  }

  /* The page is held still by the first line in sight that is there before and after; a browser's own way of
     doing that, which the style switches off, lets go of lines that were moved. */
  function anchor() {
    if (!scrollY) { return []; }
    var blocks = document.querySelectorAll("main p, main li, main h1, main h2, main h3, main h4, main pre, main tr, main svg");
    var seen = [];
    for (var at = 0; at < blocks.length && seen.length < 20; at += 1) {
      var box = blocks[at].getBoundingClientRect();
      if (box.height && box.bottom > 0 && box.top < innerHeight) { seen.push({ element: blocks[at], top: box.top }); }
    }
    return seen;
  }

  function restore(before) {
    var kept = before.find(function (one) { return one.element.isConnected; });
    if (kept) { scrollBy({ top: kept.element.getBoundingClientRect().top - kept.top, behavior: "instant" }); }
  }

  function fade(changed) {
    var main = document.querySelector("main");
    var fading = Array.from(changed).filter(function (e) { return e && e.isConnected && main && main.contains(e) && e !== main; });
    if (fading.length > MOST_FADING) { return; }
    fading.forEach(function (element) { element.classList.add("assay-live-changed"); });
    setTimeout(function () {
      fading.forEach(function (element) {
        element.classList.remove("assay-live-changed");
        if (!element.getAttribute("class")) { element.removeAttribute("class"); }
      });
    }, 400);
  }

  /* The old sheet stands until the new one is there: no flash of a page without any. */
  function restyle() {
    document.querySelectorAll("link[rel=stylesheet]:not([href^='/-/'])").forEach(function (old) {
      if (old.dataset.leaving) { return; }
      var made = old.cloneNode();
      old.dataset.leaving = "yes";
      made.href = old.href.replace(/\?live=.*$/, "") + "?live=" + shown.style.slice(-12);
      made.onload = made.onerror = function () { old.remove(); };
      old.after(made);
    });
  }

  document.addEventListener("visibilitychange", function () {
    if (document.visibilityState === "hidden") { leave(); } else { connect(); }
  });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", connect);
  addEventListener("DOMContentLoaded", refocus);
  connect();
})();
