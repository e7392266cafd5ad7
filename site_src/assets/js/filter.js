/* Filters and sorts an experiment's runs on a compact index; the state stands in the address.

   The address ends in `#?model=alpha&facet=error&sort=cost`, so that a view can be sent to someone and a
   figure can link to the runs behind a mark. On a run's page the same address narrows previous and next.
   Without this script the pages list every run, fifty to a page. */
"use strict";
(function () {
  var LIMIT = 200;

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

  /* Columns of the index as one object a run: every value is the place of a word in its own list. */
  function rows(index) {
    return index.runs.map(function (run, at) {
      var row = { run: run, at: at, title: index.titles[at], values: {} };
      index.columns.forEach(function (column) {
        var cell = column.rows[at];
        row.values[column.key] = (Array.isArray(cell) ? cell : [cell]).map(function (word) { return column.words[word]; });
      });
      return row;
    });
  }

  function holds(row, parameters) {
    return Array.from(parameters).every(function (pair) {
      var key = pair[0], value = pair[1];
      if (key === "sort" || value === "") { return true; }
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
    var key = parameters.get("sort");
    if (key) {
      found.sort(function (a, b) {
        var left = (a.values[key] || []).join(", "), right = (b.values[key] || []).join(", ");
        return left.localeCompare(right, "en", { numeric: true }) || a.at - b.at;
      });
    }
    return found;
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

    index.columns.forEach(function (column) {
      var select = form.elements.namedItem(column.key);
      if (!select) { return; }
      column.words.forEach(function (word) {
        if (word) { select.append(new Option(visible(index, word), word)); }
      });
    });

    function show() {
      var parameters = state();
      Array.from(form.elements).forEach(function (element) {
        if (!element.name) { return; }
        var value = parameters.get(element.name) || "";
        if (element.tagName === "SELECT" && value && !Array.from(element.options).some(function (o) { return o.value === value; })) {
          element.append(new Option(visible(index, value), value));
        }
        element.value = value;
      });
      var all = spell(parameters) === "";
      var runs = all ? [] : chosen(index);
      pages.forEach(function (element) { element.hidden = !all; });
      if (all) {
        body.replaceChildren.apply(body, before);
        found.textContent = index.runs.length + " runs";
      } else {
        body.replaceChildren.apply(body, runs.slice(0, LIMIT).map(function (row) { return line(row, index, form); }));
        found.textContent = runs.length + " of " + index.runs.length + " runs" +
          (runs.length > LIMIT ? ", the first " + LIMIT + " shown" : "");
      }
    }

    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.addEventListener("input", function () {
      var parameters = new URLSearchParams();
      var known = Array.from(form.elements).map(function (element) { return element.name; });
      state().forEach(function (value, key) { if (!known.includes(key)) { parameters.set(key, value); } });
      Array.from(form.elements).forEach(function (element) {
        if (element.name && element.value) { parameters.set(element.name, element.value); }
      });
      history.replaceState(null, "", spell(parameters) || location.pathname.split("/").pop());
      show();
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
    var words = Array.from(parameters).filter(function (pair) { return pair[0] !== "sort"; }).map(function (pair) { return pair[1]; });
    var middle = strip.querySelector("[data-place]");
    var back = document.createElement("a");
    back.href = "../index.html" + location.hash;
    back.textContent = "Filter: " + (visible(index, words.join(", ")) || "all");
    middle.replaceChildren(back, document.createTextNode(". " + (at + 1) + " of " + runs.length));
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
