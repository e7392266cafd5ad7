/* Light or dark as the reader chose here, before anything is painted; else as their system says. */
"use strict";
(function () {
  var root = document.documentElement;
  root.classList.add("scripted");

  function stored() {
    try { return localStorage.getItem("assay-theme"); } catch (refused) { return null; }
  }

  function keep(theme) {
    try {
      if (theme) { localStorage.setItem("assay-theme", theme); } else { localStorage.removeItem("assay-theme"); }
    } catch (refused) { /* A reader who allows no storage keeps the choice for this page only. */ }
  }

  function show(theme) {
    if (theme === "light" || theme === "dark") { root.dataset.theme = theme; } else { delete root.dataset.theme; }
  }

  show(stored());

  document.addEventListener("DOMContentLoaded", function () {
    var buttons = Array.from(document.querySelectorAll("[data-choose-theme]"));
    function mark() {
      buttons.forEach(function (button) {
        button.setAttribute("aria-pressed", String(button.dataset.chooseTheme === (root.dataset.theme || "")));
      });
    }
    buttons.forEach(function (button) {
      button.addEventListener("click", function () {
        keep(button.dataset.chooseTheme);
        show(button.dataset.chooseTheme);
        mark();
      });
    });
    mark();
  });
})();
