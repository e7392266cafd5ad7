/* Reading a figure in rows: an arm that is pointed at is marked in every figure of the page and its row is said in
   full, a press on its drawing opens the runs behind it, and a word that is defined opens its definition in place.
   Nothing here is needed: the rows hold every number, n/N leads to the runs, and the word to its definition. */
"use strict";
(function () {
  var lit = Array.from(document.querySelectorAll("[data-arms]"));
  var current = null;

  function arms(element) { return element.dataset.arms.split("\n"); }

  /* An arm marks its rows and every pair that it is in; a pair marks itself and its two arms. */
  function isOf(names, element) {
    var own = arms(element);
    if (own.length === 1) { return names.includes(own[0]); }
    return names.every(function (name) { return own.includes(name); });
  }

  function light(row) {
    if (row === current) { return; }
    current = row;
    var names = row ? arms(row) : null;
    lit.forEach(function (element) {
      element.classList.toggle("lit", names !== null && isOf(names, element));
    });
    var line = row && row.closest(".drawn").querySelector(".says");
    if (line && row.dataset.says) { line.textContent = row.dataset.says; line.classList.add("said"); }
  }

  function rowOf(target) { return target instanceof Element ? target.closest("[data-arms]") : null; }

  document.addEventListener("pointerover", function (event) {
    if (event.pointerType !== "touch") { light(rowOf(event.target) || rowOf(document.activeElement)); }
  });
  document.addEventListener("focusin", function (event) { light(rowOf(event.target)); });

  document.addEventListener("click", function (event) {
    var plot = event.target instanceof Element && event.target.closest("[data-arms] > .plot");
    if (!plot) { return; }
    var row = rowOf(plot), runs = row.querySelector(".counted a, .name a");
    var first = event.pointerType === "touch" && row !== current;
    light(row);
    if (runs && !first) { runs.click(); }
  });

  /* ---------------------------------------------------------------------------------------- definitions */

  var box = null, asked = null;

  function element(name, className, words) {
    var made = document.createElement(name);
    made.className = className;
    if (words) { made.textContent = words; }
    return made;
  }

  function close(back) {
    if (!box) { return; }
    box.remove();
    asked.removeAttribute("aria-expanded");
    if (back) { asked.focus(); }
    box = asked = null;
  }

  function open(link) {
    close(false);
    asked = link;
    box = element("div", "definition");
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-label", "What \u201c" + link.textContent + "\u201d means");
    box.tabIndex = -1;
    var foot = element("p", "small", "Said by " + link.dataset.by + ". ");
    var more = element("a", "", "Its place in Methods");
    more.href = link.href;
    var shut = element("button", "", "Close");
    shut.type = "button";
    shut.addEventListener("click", function () { close(true); });
    foot.append(more, " ", shut);
    box.append(element("p", "word", link.textContent), element("p", "sentence", link.dataset.sentence), foot);
    var figure = link.closest(".drawn"), above = link.closest(".group, .heads");
    figure.append(box);
    box.style.top = (above.getBoundingClientRect().bottom - figure.getBoundingClientRect().top) + "px";
    link.setAttribute("aria-expanded", "true");
    box.focus();
  }

  document.addEventListener("click", function (event) {
    var target = event.target instanceof Element ? event.target : document.body;
    var link = target.closest(".drawn a.defined");
    if (link && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
      if (link === asked) { close(true); } else { open(link); }
    } else if (box && !box.contains(target)) { close(false); }
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && box) { close(true); }
  });
})();
