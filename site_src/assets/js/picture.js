/* Makes a PNG of a figure's picture when it is asked for. The SVG is in the page, and a file beside it. */
"use strict";
(function () {
  var button = document.querySelector("button[data-png]");
  var said = document.querySelector("[data-png-said]");
  if (!button) { return; }

  function fail() { said.textContent = "This browser made no picture. The SVG is the same one."; }

  function save(blob) {
    if (!blob) { fail(); return; }
    var link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = button.dataset.png;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
    said.textContent = "";
  }

  button.addEventListener("click", function () {
    var svg = document.querySelector("#picture > svg");
    var image = new Image();
    image.onerror = fail;
    image.onload = function () {
      var canvas = document.createElement("canvas");
      canvas.width = 2 * svg.viewBox.baseVal.width;
      canvas.height = 2 * svg.viewBox.baseVal.height;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(save, "image/png");
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(svg));
  });
})();
