/* Filters and sorts an experiment's runs on a compact index; the state stands in the address.

   The address ends in `#?model=alpha&facet=error&sort=-cost&page=2`, so that a view can be sent to someone and
   a figure can link to the runs behind a mark; `-` sorts from the greatest. On a run's page the same address narrows previous and next.
   Without this script the pages list every run, fifty to a page. */
"use strict";
(function () {
  var PAGE = 50;
  var VIEW = ["sort", "page"]; /* how a list is looked at, not what is in it */

  function state() {
    return new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : "");
  }

  function spell(parameters) {
    var text = parameters.toString();
    return text ? "#?" + text : "";
  }

  /* Text of records and addresses as pages show it: what nobody sees is spelled by its code point. */
  function visible(index, text) {
    return text.replace(new RegExp("[" + index.invisible + "]", "gu"), function (character) {
      return "\u2039U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "\u203a";
    });
  }

  /* Columns of the index as one object a run: every value is the place of a word in its own list. Objects without
     a prototype, since an address may ask for a column called `constructor`, and a record hold a word that is. */
  function rows(index) {
    return index.runs.map(function (run, at) {
      var row = { run: run, at: at, title: index.titles[at], values: Object.create(null), order: Object.create(null) };
      index.columns.forEach(function (column) {
        var cell = column.rows[at];
        row.values[column.key] = (Array.isArray(cell) ? cell : [cell]).map(function (word) { return column.words[word]; });
        if (column.order) { row.order[column.key] = cell.length ? column.order[cell[0]] : null; }
      });
      return row;
    });
  }

  function holds(row, parameters) {
    return Array.from(parameters).every(function (pair) {
      var key = pair[0], value = pair[1];
      if (VIEW.includes(key) || value === "") { return true; }
      if (key === "find") {
        var sought = value.toLowerCase();
        return row.title.toLowerCase().includes(sought) || Object.values(row.values).some(function (words) {
          return words.join("\n").toLowerCase().includes(sought);
        });
      }
      return (row.values[key] || []).includes(value);
    });
  }

  function chosen(index) {
    var parameters = state();
    var found = rows(index).filter(function (row) { return holds(row, parameters); });
    var sort = parameters.get("sort") || "";
    var key = sort.replace(/^-/, ""), turn = sort.startsWith("-") ? -1 : 1;
    if (key) { found.sort(function (a, b) { return compared(a, b, key, turn) || a.at - b.at; }); }
    return found;
  }

  /* By number where the column has numbers, else by word; what has none stands last, whichever way. */
  function compared(a, b, key, turn) {
    var number = key in a.order;
    var left = number ? a.order[key] : key === "title" ? a.title : (a.values[key] || []).join(", ");
    var right = number ? b.order[key] : key === "title" ? b.title : (b.values[key] || []).join(", ");
    var none = number ? null : "";
    if (left === none || right === none) { return (left === none) - (right === none); }
    return turn * (number ? left - right : left.localeCompare(right, "en", { numeric: true }));
  }

  /* ---- the list of an experiment */

  function cell(column, words, index, form) {
    var element = document.createElement("td");
    if (words.length) { element.dataset.label = column.label; }
    words.forEach(function (word) {
      var state = column.states ? column.states[column.words.indexOf(word)] : "";
      var mark = state && form.querySelector("template[data-swatch=" + state + "]");
      if (mark) { element.append(mark.content.cloneNode(true)); }
      element.append(visible(index, word));
    });
    return element;
  }

  function line(row, index, form) {
    var tr = document.createElement("tr");
    var head = document.createElement("th");
    head.scope = "row";
    var link = document.createElement("a");
    link.href = form.dataset.base + row.run + "/index.html" + location.hash;
    link.textContent = visible(index, row.title);
    head.append(link);
    tr.append(head);
    index.columns.forEach(function (column) {
      if (column.shown) { tr.append(cell(column, row.values[column.key], index, form)); }
    });
    return tr;
  }

  function list(index, form) {
    var table = document.getElementById("runs");
    var body = table.tBodies[0];
    var before = Array.from(body.rows);
    var found = form.querySelector("[role=status]");
    var pages = document.querySelectorAll(".pages");
    var further = document.querySelector("[data-pages]");
    var none = document.querySelector("[data-none]");
    var every = rows(index);

    index.columns.forEach(function (column) {
      var select = form.elements.namedItem(column.key);
      if (!select) { return; }
      column.words.forEach(function (word) {
        if (word) { select.append(new Option(visible(index, word), word)); }
      });
    });

    /* A head sorts: from the least, from the greatest, and as recorded again. */
    var keys = ["title"].concat(index.columns.filter(function (c) { return c.shown; }).map(function (c) { return c.key; }));
    var heads = Array.from(table.tHead.rows[0].cells).map(function (cell, at) {
      var button = document.createElement("button");
      button.type = "button";
      button.className = "needs-script";
      button.setAttribute("aria-label", "Sort by " + cell.textContent);
      cell.append(" ", button);
      cell.addEventListener("click", function () {
        var now = state().get("sort") || "";
        go({ sort: now === keys[at] ? "-" + keys[at] : now === "-" + keys[at] ? "" : keys[at], page: "" });
      });
      return { cell: cell, arrow: button, key: keys[at] };
    });

    function go(changes) {
      var parameters = state();
      Object.keys(changes).forEach(function (key) {
        if (changes[key]) { parameters.set(key, changes[key]); } else { parameters.delete(key); }
      });
      history.replaceState(null, "", spell(parameters) || location.pathname.split("/").pop());
      show();
    }

    function without(parameters, key) {
      var rest = new URLSearchParams(parameters);
      rest.delete(key);
      return rest;
    }

    /* How many runs each choice would leave, under all the others. */
    function count(parameters) {
      Array.from(form.elements).forEach(function (select) {
        if (select.tagName !== "SELECT" || select.name === "sort") { return; }
        var left = Object.create(null);
        var rest = without(parameters, select.name);
        every.forEach(function (row) {
          if (holds(row, rest)) {
            new Set(row.values[select.name] || []).forEach(function (word) { left[word] = (left[word] || 0) + 1; });
          }
        });
        Array.from(select.options).forEach(function (option) {
          if (option.value) { option.textContent = visible(index, option.value) + " (" + (left[option.value] || 0) + ")"; }
        });
        select.classList.toggle("narrows", select.value !== "");
      });
    }

    /* Where nothing is left: what was asked, and each way back. */
    function nothing(parameters, runs) {
      none.hidden = runs.length > 0;
      if (runs.length) { return; }
      var asked = Array.from(parameters).filter(function (pair) { return !VIEW.includes(pair[0]); });
      none.replaceChildren(visible(index, "No run is " + asked.map(function (pair) { return pair[1]; }).join(" and ") + ". "));
      asked.forEach(function (pair) {
        var rest = without(without(parameters, pair[0]), "page");
        var many = every.filter(function (row) { return holds(row, rest); }).length;
        var link = document.createElement("a");
        link.href = spell(rest) || "#?";
        link.textContent = visible(index, "Without " + pair[1] + ": " + many);
        none.append(link, " ");
      });
    }

    function pager(number, last) {
      further.hidden = last < 2;
      var named = [1, number - 1, number, number + 1, last].filter(function (n, at, all) {
        return n >= 1 && n <= last && all.indexOf(n) === at;
      });
      further.firstElementChild.replaceChildren.apply(further.firstElementChild, named.reduce(function (items, n, at) {
        if (at && n - named[at - 1] > 1) { items.push(item("\u2026")); }
        items.push(item(String(n), n === number ? null : n));
        return items;
      }, []));
    }

    function item(words, page) {
      var li = document.createElement("li");
      if (page === undefined) { li.replaceChildren(words); return li; }
      var element = document.createElement(page === null ? "b" : "button");
      element.replaceChildren(words);
      if (page === null) { element.setAttribute("aria-current", "page"); } else {
        element.type = "button";
        element.setAttribute("aria-label", "Page " + words);
        element.addEventListener("click", function () { go({ page: page > 1 ? String(page) : "" }); table.scrollIntoView(); });
      }
      li.append(element);
      return li;
    }

    function show() {
      var parameters = state();
      Array.from(form.elements).forEach(function (element) {
        if (!element.name) { return; }
        var value = parameters.get(element.name) || "";
        if (element.name === "sort") { value = value.replace(/^-/, ""); }
        if (element.tagName === "SELECT" && value && !Array.from(element.options).some(function (o) { return o.value === value; })) {
          element.append(new Option(visible(index, value), value));
        }
        element.value = value;
      });
      var sort = parameters.get("sort") || "";
      heads.forEach(function (head) {
        var up = sort === head.key, down = sort === "-" + head.key;
        head.arrow.replaceChildren(up ? "\u2191" : down ? "\u2193" : "\u2195");
        head.cell.setAttribute("aria-sort", up ? "ascending" : down ? "descending" : "none");
      });
      var all = spell(parameters) === "";
      var runs = all ? every : chosen(index);
      pages.forEach(function (element) { if (!further.contains(element)) { element.hidden = !all; } });
      count(parameters);
      nothing(parameters, runs);
      if (all) {
        body.replaceChildren.apply(body, before);
        further.hidden = true;
        found.textContent = index.runs.length + " runs";
      } else {
        var last = Math.max(1, Math.ceil(runs.length / PAGE));
        var number = Math.min(last, Math.max(1, parseInt(parameters.get("page"), 10) || 1));
        var shown = runs.slice((number - 1) * PAGE, number * PAGE);
        body.replaceChildren.apply(body, shown.map(function (row) { return line(row, index, form); }));
        pager(number, last);
        found.textContent = runs.length + " of " + index.runs.length + " runs";
      }
    }

    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.addEventListener("input", function () {
      var changes = { page: "" };
      Array.from(form.elements).forEach(function (element) {
        if (element.name) { changes[element.name] = element.value; }
      });
      var sort = state().get("sort") || "";
      if (sort === "-" + changes.sort) { changes.sort = sort; }
      go(changes);
    });
    form.querySelector("[data-all]").addEventListener("click", function () {
      history.replaceState(null, "", location.pathname.split("/").pop());
      show();
    });
    window.addEventListener("hashchange", show);
    show();
  }

  /* ---- a run's page: previous and next within the filter */

  function step(index, strip) {
    var runs = chosen(index);
    var at = runs.findIndex(function (row) { return row.run === strip.dataset.run; });
    var parameters = state();
    if (spell(parameters) === "" || at < 0) { return; }
    /* What a run is called here: by what differs, as the page itself says it; a number stands behind its name. */
    function beside(row) {
      var here = runs[at];
      var words = row.title === here.title ? [] : [row.title];
      index.columns.forEach(function (column) {
        var value = (row.values[column.key] || []).join(", ");
        if (!column.tells || !value || value === (here.values[column.key] || []).join(", ")) { return; }
        words.push(/^\d+$/.test(value) ? column.label + " " + value : value);
      });
      return words.join(", ") || row.values.stamp.join(", ") || row.title;
    }
    function point(side, row, arrow) {
      var place = strip.querySelector("[data-" + side + "]");
      if (!row) { place.replaceChildren(); return; }
      var link = document.createElement("a");
      link.href = "../" + row.run + "/index.html" + location.hash;
      link.rel = side;
      var name = visible(index, beside(row));
      link.textContent = side === "prev" ? arrow + " " + name : name + " " + arrow;
      place.replaceChildren(link);
    }
    point("prev", runs[at - 1], "\u2190");
    point("next", runs[at + 1], "\u2192");
    var words = Array.from(parameters).filter(function (pair) { return !VIEW.includes(pair[0]); }).map(function (pair) { return pair[1]; });
    var middle = strip.querySelector("[data-place]");
    var back = document.createElement("a");
    back.href = "../index.html" + location.hash;
    back.textContent = "Filter: " + (visible(index, words.join(", ")) || "all");
    middle.replaceChildren(back, document.createTextNode(". Run " + (at + 1) + " of " + runs.length));
  }

  /* The index is read only when it is wanted: it is a script, since a folder allows no fetch. */
  function withIndex(address, then) {
    var script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", function () { then(window.ASSAY_RUNS); });
    document.head.append(script);
  }

  document.addEventListener("DOMContentLoaded", function () {
    var form = document.querySelector("form[data-index]");
    if (form) { withIndex(form.dataset.index, function (index) { list(index, form); }); }
    var strip = document.querySelector("[data-run]");
    if (strip && spell(state())) {
      withIndex(strip.dataset.index, function (index) { step(index, strip); });
    }
  });
})();
