/* Draws a figure's Vega-Lite specification when a reader asks for it. Vega is loaded then and not before, its
   expressions are interpreted, never made into code, and what a mark says is set as text. */
"use strict";
(function () {
  var button = document.querySelector("button[data-explore]");
  var base = document.currentScript.src.replace(/[^\/]*$/, "");
  if (!button) { return; }
  var picture = document.querySelector("#picture > svg");
  var said = document.querySelector("[data-explore-said]");
  var told = document.querySelector("[data-explore-told]");
  var word = button.textContent;
  var drawn = null;

  function load(name) {
    return new Promise(function (done, failed) {
      var script = document.createElement("script");
      script.onload = done;
      script.onerror = failed;
      script.src = base + name;
      document.head.append(script);
    });
  }

  function refuse() { return Promise.reject(new Error("a specification holds its data")); }

  function words(item) {
    var row = item.datum || {};
    if (row.tip) { return row.tip; }
    return Object.keys(Object(item.tooltip)).filter(function (name) {
      return row[name] !== null && row[name] !== undefined;
    }).map(function (name) {
      var value = row[name];
      return name + " " + (typeof value === "number" && value % 1 ? Number(value.toPrecision(4)) : value);
    }).join(" · ");
  }

  function draw() {
    var spec = JSON.parse(document.getElementById("specification").textContent);
    spec.background = "transparent"; /* the page is its paper */
    var compiled = window.vegaLite.compile(spec, { logger: vega.logger(vega.Error) }).spec;
    var holder = document.createElement("div");
    holder.className = "explored";
    holder.hidden = true;
    holder.tabIndex = 0; /* on a phone it scrolls */
    holder.setAttribute("role", "group");
    holder.setAttribute("aria-label", "The figure, explored");
    picture.parentNode.append(holder);
    var view = new vega.View(vega.parse(compiled, null, { ast: true }), {
      expr: vega.expressionInterpreter,
      renderer: "svg",
      container: holder,
      hover: false,
      logLevel: vega.Error,
      loader: { load: refuse, sanitize: refuse },
      tooltip: function () {}
    });
    view.description(document.querySelector("h1").textContent);
    view.addEventListener("pointermove", function (event, item) {
      var text = item ? words(item) : "";
      if (text) { told.textContent = text; }
    });
    return view.runAsync().then(function () {
      holder.querySelectorAll('[role="graphics-symbol"]:empty').forEach(function (marks) {
        marks.setAttribute("aria-hidden", "true"); /* a layer without rows */
        marks.removeAttribute("role");
        marks.removeAttribute("aria-roledescription");
      });
      drawn = holder;
    }, function (error) {
      holder.remove();
      throw error;
    });
  }

  function show(explored) {
    drawn.hidden = !explored;
    picture.toggleAttribute("hidden", explored);
    told.hidden = !explored;
    button.textContent = explored ? "Picture" : word;
    said.textContent = explored ? "Drawn here from the specification. Point at a mark to read it." : "";
  }

  button.addEventListener("click", function () {
    if (drawn) { show(drawn.hidden); return; }
    button.disabled = true;
    said.textContent = "Loading";
    load("vega.js")
      .then(function () { return Promise.all([load("vega-lite.js"), load("vega-interpreter.js")]); })
      .then(draw)
      .then(function () { show(true); })
      .catch(function () { said.textContent = "This browser could not draw the specification. The picture is the same figure."; })
      .then(function () { button.disabled = false; });
  });
})();
