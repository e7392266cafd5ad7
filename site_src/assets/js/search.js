/* The search box: everything of the site that has a name, found in an index that is read once it is wanted.

   What is sought stands in the address (`?search=be`), so that it can be sent to someone and stands there again
   when the reader comes back. Accents and case make no difference. Without this script the word in the head leads
   to a page of indexes. */
"use strict";
(function () {
  var ROOT = document.currentScript.dataset.root;
  var MOST = { Models: 3, Tasks: 3, Runs: 2, Metrics: 3, Decisions: 3, Contracts: 2, Pages: 3 };
  var ALL = 100; /* rows of a group once it is opened */
  var NEAR = 3; /* names that are offered where nothing is found */
  var LONGEST = 200; /* characters that are sought: a link may bring any number */
  var LETTERS = { "\u00df": "ss", "\u00e6": "ae", "\u0153": "oe", "\u00f8": "o", "\u0142": "l", "\u0111": "d", "\u00f0": "d", "\u00fe": "th", "\u0131": "i" };

  function folded(text) {
    return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[\u00df\u00e6\u0153\u00f8\u0142\u0111\u00f0\u00fe\u0131]/g, function (letter) {
      return LETTERS[letter];
    });
  }

  function element(name, words, properties) {
    var made = document.createElement(name);
    made.append.apply(made, [].concat(words || []));
    return Object.assign(made, properties || {});
  }

  /* ---- the index */

  var entries = null; /* every group with its entries, once it is read */

  function prepared(index) {
    return index.groups.map(function (group) {
      var found = group.entries.map(function (entry) { return known(entry[0], entry[1], entry[2], ""); });
      if (group.title === "Runs") { found = runs(index); }
      return { title: group.title, of: group.of, entries: found, unnamed: group.title === "Runs" ? unnamed(index) : [] };
    });
  }

  function known(name, detail, path, id) {
    var key = folded(name);
    return { name: name, detail: detail, path: path, key: key, text: key + "\n" + folded(detail) + "\n" + id };
  }

  function runs(index) {
    var found = [];
    index.runs.forEach(function (of) {
      var folder = of.path.replace(/index\.html$/, "");
      var names = of.names.map(folded), details = of.details.map(folded);
      of.rows.forEach(function (row) {
        found.push({
          name: of.names[row[0]], detail: of.details[row[1]], path: folder + row[2] + "/index.html",
          key: names[row[0]], text: names[row[0]] + "\n" + details[row[1]] + "\n" + row[2]
        });
      });
    });
    return found;
  }

  function unnamed(index) {
    return index.runs.filter(function (of) { return of.count > of.rows.length; });
  }

  /* ---- what is found */

  /* 0 where a name begins with the words, 1 where a word of it does, 2 within the name, 3 beside it; -1 nowhere. */
  function rank(entry, words) {
    var worst = 0;
    for (var at = 0; at < words.length; at += 1) {
      if (!entry.text.includes(words[at])) { return -1; }
      var place = entry.key.indexOf(words[at]);
      if (place !== 0) {
        worst = Math.max(worst, place < 0 ? 3 : /[a-z0-9]/.test(entry.key[place - 1]) ? 2 : 1);
      }
    }
    return worst;
  }

  function sought(group, words) {
    var ranks = [[], [], [], []], count = 0;
    group.entries.forEach(function (entry) {
      var of = rank(entry, words);
      if (of < 0) { return; }
      count += 1;
      if (ranks[of].length < ALL) { ranks[of].push(entry); }
    });
    return { group: group, count: count, best: [].concat.apply([], ranks).slice(0, ALL) };
  }

  function distance(a, b) {
    var row = Array.from({ length: b.length + 1 }, function (_, at) { return at; });
    for (var i = 1; i <= a.length; i += 1) {
      var corner = row[0];
      row[0] = i;
      for (var j = 1; j <= b.length; j += 1) {
        var above = row[j];
        row[j] = Math.min(above + 1, row[j - 1] + 1, corner + (a[i - 1] === b[j - 1] ? 0 : 1));
        corner = above;
      }
    }
    return row[b.length];
  }

  function nearest(text) {
    var found = [];
    entries.forEach(function (group) {
      if (group.title === "Runs" || group.title === "Pages") { return; }
      group.entries.slice(0, 2000).forEach(function (entry) {
        found.push([distance(text, entry.key.slice(0, text.length + 3)), entry]);
      });
    });
    return found.filter(function (each) { return each[0] <= Math.max(3, text.length / 2); })
      .sort(function (a, b) { return a[0] - b[0]; }).slice(0, NEAR).map(function (each) { return each[1]; });
  }

  /* ---- the box */

  var box = null, field, list, status, aside, opened = {}, invisible = null, before = "";

  function visible(text) {
    return text.replace(invisible, function (character) {
      return "\u2039U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "\u203a";
    });
  }

  /* A name with what was sought in it marked, wherever accents and case hide it. */
  function marked(name, words) {
    var text = "", from = [], shown = Array.from(visible(name));
    shown.forEach(function (character, at) {
      var plain = folded(character);
      text += plain;
      for (var n = 0; n < plain.length; n += 1) { from.push(at); }
    });
    var hit = new Set();
    words.forEach(function (word) {
      for (var at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        for (var n = at; n < at + word.length; n += 1) { hit.add(from[n]); }
      }
    });
    var parts = [];
    shown.forEach(function (character, at) {
      var last = parts[parts.length - 1];
      if (last && last.hit === hit.has(at)) { last.text += character; } else { parts.push({ hit: hit.has(at), text: character }); }
    });
    return parts.map(function (part) { return part.hit ? element("mark", part.text) : part.text; });
  }

  function option(words, href, more) {
    var link = element("a", words, { href: href, tabIndex: -1 });
    link.setAttribute("role", "option");
    link.setAttribute("aria-selected", "false");
    link.addEventListener("mousemove", function () { select(link); });
    if (more) {
      link.addEventListener("click", function (event) {
        event.preventDefault();
        opened[more] = true;
        show();
        field.focus();
      });
    }
    return link;
  }

  function grouped(title, told, options) {
    var group = element("div", [], { className: "found" });
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", title);
    var head = element("p", [element("span", title), element("span", told)]);
    head.setAttribute("role", "presentation");
    group.append.apply(group, [head].concat(options));
    return group;
  }

  function plural(of, n) {
    return n + " " + (n === 1 ? of : of + "s");
  }

  /* An empty box says what can be found. */
  function sizes() {
    aside.replaceChildren(element("ul", entries.filter(function (group) { return group.entries.length || group.unnamed.length; }).map(function (group) {
      return element("li", [element("b", group.title), " " + group.entries.length]);
    })));
    status.textContent = "";
  }

  function nothing(text) {
    var near = nearest(folded(text)), here = entries.filter(function (group) { return group.entries.length; });
    var names = here.map(function (group) { return plural(group.of, group.entries.length); });
    var parts = [element("p", element("b", "Nothing here is called \u201c" + visible(text) + "\u201d."))];
    if (near.length) {
      parts.push(element("p", ["Near to it: "].concat(near.reduce(function (words, entry, at) {
        return words.concat(at ? [", "] : [], element("a", visible(entry.name), { href: ROOT + entry.path }));
      }, []))));
    }
    entries.forEach(function (group) {
      group.unnamed.forEach(function (of) {
        parts.push(element("p", ["The " + plural("run", of.count) + " of ", element("a", visible(of.title), { href: ROOT + of.path }), " were not searched: there are too many."]));
      });
    });
    parts.push(element("p", "Searched were the names and dates of " + names.join(", ") + ". The text of records, messages and pages was not."));
    var ways = Array.from(document.querySelectorAll("nav[aria-label=Main] a")).filter(function (link) { return !link.getAttribute("href").startsWith("#"); });
    parts.push(element("p", ["Or go on to "].concat(ways.reduce(function (words, link, at) {
      var named = link.hasAttribute("data-search") ? "all indexes" : link.textContent.trim();
      return words.concat(at ? [", "] : [], element("a", named, { href: link.getAttribute("href") }));
    }, []))));
    aside.replaceChildren.apply(aside, parts);
    status.textContent = "nothing found";
  }

  function show() {
    var text = field.value.trim();
    keep(text);
    if (!entries) { return; }
    var words = folded(text).split(/\s+/).filter(Boolean);
    var found = words.length ? entries.map(function (group) { return sought(group, words); }) : [];
    var shown = 0, count = 0;
    list.replaceChildren.apply(list, found.filter(function (each) { return each.count; }).map(function (each) {
      var title = each.group.title, most = opened[title] ? ALL : MOST[title];
      var options = each.best.slice(0, most).map(function (entry) {
        return option([element("span", marked(entry.name, words)), element("span", visible(entry.detail))], ROOT + entry.path);
      });
      shown += options.length;
      count += each.count;
      if (each.count > most && !opened[title]) {
        var further = each.count > ALL ? "The first " + ALL + " of them" : "All " + each.count;
        options.push(option([element("span", further)], ROOT + "search.html", title));
      }
      return grouped(title, each.count + " of " + each.group.entries.length, options);
    }));
    aside.replaceChildren();
    if (!words.length) { sizes(); } else if (!count) { nothing(text); } else {
      status.textContent = shown + " of " + count + " shown";
      select(options()[0]);
    }
    if (!count) { select(null); }
  }

  function options() { return Array.from(list.querySelectorAll("[role=option]")); }

  function selected() { return list.querySelector("[aria-selected=true]"); }

  function select(one) {
    options().forEach(function (each, at) {
      each.id = "found-" + at;
      each.setAttribute("aria-selected", String(each === one));
    });
    if (one) { field.setAttribute("aria-activedescendant", one.id); one.scrollIntoView({ block: "nearest" }); } else { field.removeAttribute("aria-activedescendant"); }
  }

  function move(step) {
    var all = options();
    if (all.length) { select(all[(all.indexOf(selected()) + step + all.length) % all.length]); }
  }

  /* The first row of the group before or after; false where there is no further one, and the key does what it does. */
  function leap(step) {
    var groups = Array.from(list.children), now = selected();
    var at = groups.indexOf(now && now.closest("[role=group]")) + step;
    if (at < 0 || at >= groups.length || !now) { return false; }
    select(groups[at].querySelector("[role=option]"));
    return true;
  }

  /* What is sought, in the address; a folder opened as files may refuse it. */
  function keep(text) {
    var address = new URL(location.href);
    if (text) { address.searchParams.set("search", text); } else { address.searchParams.delete("search"); }
    if (address.href === location.href) { return; }
    try { history.replaceState(history.state, "", address.href); } catch (refused) { /* It is then not kept. */ }
  }

  function made() {
    var dialog = element("dialog", [], { className: "search" });
    dialog.setAttribute("aria-label", "Search");
    field = element("input", [], { type: "text", inputMode: "search", autocomplete: "off", spellcheck: false, maxLength: LONGEST });
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-label", "Search this site by name");
    field.setAttribute("aria-expanded", "true");
    field.setAttribute("aria-controls", "found");
    field.setAttribute("aria-autocomplete", "list");
    status = element("span");
    status.setAttribute("role", "status");
    list = element("div", [], { id: "found" });
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Found");
    aside = element("div", [], { className: "aside" });
    var close = element("button", "Close", { type: "button" });
    close.addEventListener("click", function () { dialog.close(); });
    var help = [["\u2191 \u2193", "move"], ["Tab", "next group"], ["Enter", "open"], ["Esc", "close"]].map(function (key) {
      return element("span", [element("kbd", key[0]), " " + key[1]]);
    });
    dialog.append(
      element("div", [field, status], { className: "ask" }), list, aside,
      element("p", help.concat(close), { className: "moves" })
    );
    field.addEventListener("input", function () { opened = {}; show(); });
    field.addEventListener("keydown", function (event) {
      var done = true;
      if (event.key === "ArrowDown") { move(1); } else if (event.key === "ArrowUp") { move(-1); } else if (event.key === "Tab") { done = leap(event.shiftKey ? -1 : 1); } else if (event.key === "Enter") { if (selected()) { selected().click(); } } else { done = false; }
      if (done) { event.preventDefault(); }
    });
    dialog.addEventListener("click", function (event) { if (event.target === dialog) { dialog.close(); } });
    dialog.addEventListener("close", function () { before = field.value; keep(""); });
    return dialog;
  }

  function open(text) {
    if (!box) { box = made(); document.body.append(box); }
    if (!box.open) { box.showModal(); }
    field.value = text;
    field.select();
    if (entries) { show(); return; }
    keep(text.trim());
    status.textContent = "reading the index";
    var script = element("script", [], { src: ROOT + "search-index.js" });
    script.addEventListener("load", function () {
      invisible = new RegExp("[" + window.ASSAY_SEARCH.invisible + "]", "gu");
      entries = prepared(window.ASSAY_SEARCH);
      show();
    });
    script.addEventListener("error", function () { status.textContent = "the index could not be read"; });
    document.head.append(script);
  }

  document.addEventListener("click", function (event) {
    var link = event.target.closest("[data-search]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    event.preventDefault();
    open(before);
  });

  document.addEventListener("DOMContentLoaded", function () {
    var asked = new URLSearchParams(location.search).get("search");
    if (asked) { open(asked.slice(0, LONGEST)); }
  });
})();
