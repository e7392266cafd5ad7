/* Copies a figure's table as Markdown, and its citation. The text stands in the page already. */
"use strict";
(function () {
  function byHand(text) {
    var field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.className = "unseen";
    document.body.append(field);
    field.select();
    var done = document.execCommand("copy");
    field.remove();
    return done ? Promise.resolve() : Promise.reject(new Error("refused"));
  }

  function copy(text) {
    if (navigator.clipboard && window.isSecureContext) {
      return navigator.clipboard.writeText(text).catch(function () { return byHand(text); });
    }
    return byHand(text);
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-copy]");
    if (!button) { return; }
    var source = document.getElementById(button.dataset.copy);
    var word = button.dataset.word || (button.dataset.word = button.textContent);
    copy(source.textContent.trim() + "\n").then(
      function () { button.textContent = "Copied"; },
      function () { button.textContent = "Not allowed"; }
    ).then(function () {
      setTimeout(function () { button.textContent = word; }, 1600);
    });
  });
})();
