/* What the preview shows over a page: what is wrong with it, notes, and that it has stopped.

   Served by `assay preview` alone; a published site never has it. All of it stands outside the body, which is
   the page's own and is made over in place; none of it takes the focus. */
"use strict";
(function () {
  /* ---- what is wrong */

  var current = "", hidden = "";

  function showFaults(faults) {
    var now = JSON.stringify(faults);
    if (now === current) { return; }
    current = now;
    hidden = "";
    var before = document.getElementById("assay-live-faults");
    if (before) { before.remove(); }
    if (!faults.length) { return; }
    var box = make("section", "assay-live-faults");
    box.id = "assay-live-faults";
    box.setAttribute("role", "alert");
    box.setAttribute("aria-label", "What is wrong");
    var hide = make("button", "", "Hide");
    hide.type = "button";
    hide.title = "Escape hides it too";
    hide.addEventListener("click", conceal);
    box.append(hide);
    faults.forEach(function (fault) { box.append(report(fault)); });
    document.documentElement.append(box);
  }

  function conceal() {
    hidden = current;
    var box = document.getElementById("assay-live-faults");
    if (box) { box.hidden = true; }
  }

  function report(fault) {
    var one = make("div", "assay-live-fault");
    var head = make("p", "assay-live-where");
    head.append(make("span", "assay-live-kind", fault.kind), " ", make("code", "", fault.where));
    one.append(head, make("p", "assay-live-problem", fault.problem));
    if (fault.hint) { one.append(make("p", "assay-live-hint", fault.hint)); }
    if (fault.excerpt.length) {
      var lines = make("pre", "assay-live-excerpt");
      fault.excerpt.forEach(function (line) {
        var row = make(line[2] ? "mark" : "span", "");
        row.append(make("b", "", (line[2] ? "\u25b8 " : "  ") + line[0]), " " + line[1] + "\n");
        lines.append(row);
      });
      one.append(lines);
    }
    if (fault.trace) {
      var more = make("details", "");
      more.append(make("summary", "", "The whole trace"), make("pre", "assay-live-trace", fault.trace));
      one.append(more);
    }
    return one;
  }

  /* ---- the notes of a publication: a bar at the foot, that opens where it is clicked */

  function showNotes(now) {
    var bar = document.getElementById("assay-live-notes");
    if (!bar && !now.length) { return; }
    if (!bar) {
      bar = make("details", "assay-live-notes");
      bar.id = "assay-live-notes";
      bar.append(make("summary", ""), make("ul", ""));
      document.documentElement.append(bar);
    }
    bar.hidden = !now.length;
    bar.firstChild.textContent = now.length === 1 ? "1 note" : now.length + " notes";
    bar.lastChild.replaceChildren.apply(bar.lastChild, now.map(function (note) { return make("li", "", note); }));
  }

  /* ---- elements */

  function make(tag, name, text) {
    var element = document.createElement(tag);
    if (name) { element.className = name; }
    if (text !== undefined) { element.textContent = text; }
    return element;
  }

  /* One line in the corner: that no event comes any more. */
  function showStatus(text) {
    var note = document.getElementById("assay-live-note");
    if (!note && !text) { return; }
    if (!note) {
      note = make("p", "assay-live-note");
      note.id = "assay-live-note";
      note.setAttribute("role", "status");
      document.documentElement.append(note);
    }
    note.textContent = text;
    note.hidden = !text;
  }

  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && current && hidden !== current) { conceal(); }
  });
  window.AssayOverlay = { faults: showFaults, notes: showNotes, status: showStatus };
})();
