/* Two fields in place of a list of pairs. Each pair has a page of its own: its address says what was chosen. The
   fields hold what the links beside them hold, and nothing is decided here. */
"use strict";
(function () {
  document.querySelectorAll("[data-choose]").forEach(function (choice) {
    var form = choice.querySelector("form");
    var groups = Array.from(choice.querySelectorAll("[data-group]")).map(function (group) {
      return Array.from(group.querySelectorAll("a[data-a]"));
    });
    var fields = form.elements;

    function pairs() { return groups[fields.group.selectedIndex] || []; }

    function beside(name) {
      return pairs().reduce(function (found, link) {
        if (link.dataset.a === name) { found.push(link.dataset.b); }
        if (link.dataset.b === name) { found.push(link.dataset.a); }
        return found;
      }, []);
    }

    function offer(field, names, wanted) {
      field.replaceChildren.apply(field, Array.from(new Set(names)).sort().map(function (name) {
        return new Option(name, name, false, name === wanted);
      }));
    }

    function seconds(wanted) { offer(fields.second, beside(fields.first.value), wanted); }

    function firsts(wanted) {
      offer(fields.first, pairs().reduce(function (found, link) {
        return found.concat(link.dataset.a, link.dataset.b);
      }, []), wanted);
    }

    fields.group.addEventListener("change", function () { firsts(""); seconds(""); });
    fields.first.addEventListener("change", function () { seconds(fields.second.value); });
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      var chosen = pairs().find(function (link) {
        var names = [link.dataset.a, link.dataset.b];
        return names.includes(fields.first.value) && names.includes(fields.second.value);
      });
      if (chosen) { location.href = chosen.href + location.hash; }
    });
    firsts(choice.dataset.first || fields.first.value);
    seconds(choice.dataset.second || fields.second.value);
  });
})();
