/* Verify this page: hashes the page and what it loads, and compares with manifest.json.

   It finds accidents and changed mirrors. It cannot find a host that changes manifest.json as well:
   that is what `assay verify` and a key you know are for. */
"use strict";
(function () {
  var root = new URL(document.currentScript.dataset.root || "./", location.href);
  var page = document.currentScript.dataset.page;

  function hex(buffer) {
    return Array.from(new Uint8Array(buffer), function (byte) {
      return byte.toString(16).padStart(2, "0");
    }).join("");
  }

  function digest(path) {
    return fetch(new URL(path, root), { cache: "no-store" })
      .then(function (answer) {
        if (!answer.ok) { throw new Error(path + " is not there (" + answer.status + ")"); }
        return answer.arrayBuffer();
      })
      .then(function (bytes) { return crypto.subtle.digest("SHA-256", bytes); })
      .then(hex);
  }

  function wanted(manifest) {
    var rows = manifest.files || manifest;
    var list = Array.isArray(rows) ? rows : Object.keys(rows).map(function (path) {
      return Object.assign({ path: path }, typeof rows[path] === "string" ? { sha256: rows[path] } : rows[path]);
    });
    return new Map(list.map(function (row) { return [row.path, row.sha256.replace(/^sha256:/, "")]; }));
  }

  function loaded() {
    var paths = [page];
    document.querySelectorAll("link[rel=stylesheet], script[src], img[src]").forEach(function (element) {
      var address = new URL(element.src || element.href, location.href);
      if (address.href.startsWith(root.href)) { paths.push(decodeURIComponent(address.href.slice(root.href.length))); }
    });
    return Array.from(new Set(paths));
  }

  document.addEventListener("DOMContentLoaded", function () {
    var box = document.querySelector("[data-verify]");
    if (!box) { return; }
    var button = box.querySelector("button");
    var said = box.querySelector("[role=status]");
    var reason = location.protocol === "file:" ? "A folder opened as a file allows no reading of other files, so "
      : !window.fetch || !(window.crypto && crypto.subtle) ? "This connection offers no WebCrypto (it needs https), so " : "";
    if (reason) {
      box.querySelector("[data-can-verify]").hidden = true;
      said.textContent = reason + "the page cannot verify itself here.";
      return;
    }
    button.addEventListener("click", function () {
      said.textContent = "Reading \u2026";
      fetch(new URL("manifest.json", root), { cache: "no-store" })
        .then(function (answer) { return answer.json(); })
        .then(function (manifest) {
          var want = wanted(manifest);
          return Promise.all(loaded().map(function (path) {
            return digest(path).then(function (got) { return { path: path, ok: want.get(path) === got }; });
          }));
        })
        .then(function (rows) {
          var wrong = rows.filter(function (row) { return !row.ok; });
          said.textContent = wrong.length
            ? "Digests differ: " + wrong.map(function (row) { return row.path; }).join(", ")
            : "Digests match: " + rows.length + " files of this page.";
        })
        .catch(function (error) { said.textContent = "Could not be verified: " + error.message; });
    });
  });
})();
