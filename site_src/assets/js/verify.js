/* Verify this page: hashes the page and what it loads, and compares with manifest.json.
   Check the signature: which key signed statement.json, and whether that is of this manifest.json.

   The first finds accidents and changed mirrors. Neither can find a host that changes this script as well:
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

  function bytes(path) {
    return fetch(new URL(path, root), { cache: "no-store" }).then(function (answer) {
      if (!answer.ok) { throw new Error(path + " is not there (" + answer.status + ")"); }
      return answer.arrayBuffer();
    });
  }

  function digest(path) {
    return bytes(path)
      .then(function (data) { return crypto.subtle.digest("SHA-256", data); })
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

  var NAMESPACE = "assay-site", KEY = "ssh-ed25519", HASHES = { sha512: "SHA-512", sha256: "SHA-256" };

  function ascii(data) { return String.fromCharCode.apply(null, data); }

  function joined(parts) {
    return new Uint8Array(parts.reduce(function (all, part) { return all.concat(Array.from(part)); }, []));
  }

  /* A string as SSH writes it: its length in four bytes, then itself. */
  function string(data) {
    data = typeof data === "string" ? new TextEncoder().encode(data) : data;
    var size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, data.length);
    return joined([size, data]);
  }

  function reader(data) {
    var at = 0;
    function take(count) {
      if (at + count > data.length) { throw new Error("the signature is cut off"); }
      at += count;
      return data.slice(at - count, at);
    }
    return {
      take: take,
      string: function () {
        var size = take(4);
        return take(new DataView(size.buffer).getUint32(0));
      },
      end: function () { if (at !== data.length) { throw new Error("the signature has bytes behind its end"); } },
    };
  }

  function typed(blob) {
    var parts = reader(blob), kind = ascii(parts.string()), data = parts.string();
    parts.end();
    if (kind !== KEY) { throw new Error("the signature is not of an Ed25519 key"); }
    return data;
  }

  /* As OpenSSH's PROTOCOL.sshsig has it. */
  function parsed(armored) {
    var found = /^-----BEGIN SSH SIGNATURE-----([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*$/.exec(armored);
    if (!found) { throw new Error("statement.json.sig is no SSH signature"); }
    var raw = atob(found[1].replace(/\s/g, ""));
    var parts = reader(Uint8Array.from(raw, function (letter) { return letter.charCodeAt(0); }));
    if (ascii(parts.take(6)) !== "SSHSIG" || ascii(parts.take(4)) !== "\0\0\0\x01") { throw new Error("statement.json.sig is of another version"); }
    var blob = parts.string(), namespace = ascii(parts.string()), reserved = parts.string(), hash = ascii(parts.string());
    var signature = typed(parts.string());
    parts.end();
    if (namespace !== NAMESPACE || reserved.length || !HASHES[hash]) { throw new Error("the signature was made for something else"); }
    return { blob: blob, key: typed(blob), hash: hash, signature: signature };
  }

  function holds(found, statement) {
    return crypto.subtle.digest(HASHES[found.hash], statement).then(function (hashed) {
      var message = joined([new TextEncoder().encode("SSHSIG"), string(NAMESPACE), string(""), string(found.hash), string(new Uint8Array(hashed))]);
      return crypto.subtle.importKey("raw", found.key, { name: "Ed25519" }, false, ["verify"]).then(function (key) {
        return crypto.subtle.verify({ name: "Ed25519" }, key, found.signature, message);
      }, function () { throw new Error("this browser has no Ed25519"); });
    });
  }

  function signer() {
    return Promise.all([bytes("statement.json"), bytes("statement.json.sig"), digest("manifest.json")]).then(function (all) {
      var statement = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(all[0]));
      var found = parsed(ascii(new Uint8Array(all[1])));
      if (statement._type !== "https://in-toto.io/Statement/v1" || statement.predicateType !== "urn:assay:site:1") {
        throw new Error("statement.json is of another kind");
      }
      var subject = statement.subject.filter(function (one) { return one.name === "manifest.json"; });
      if (subject.length !== 1 || subject[0].digest.sha256 !== all[2]) {
        throw new Error("statement.json is of another manifest.json");
      }
      return holds(found, all[0]).then(function (good) {
        if (!good) { throw new Error("the signature does not hold"); }
        return crypto.subtle.digest("SHA-256", found.blob);
      });
    }).then(function (print) { return "SHA256:" + btoa(ascii(new Uint8Array(print))).replace(/=+$/, ""); });
  }

  function checkSignature(said) {
    said.textContent = "Reading \u2026";
    fetch(new URL("statement.json.sig", root), { cache: "no-store" })
      .then(function (answer) {
        if (answer.status === 404) { said.textContent = "Not signed."; return null; }
        return signer().then(function (print) {
          said.textContent = "Signed by " + print + ", as far as this page can tell. You must know this key.";
        });
      })
      .catch(function (error) { said.textContent = "No signature that holds could be checked: " + error.message + "."; });
  }

  document.addEventListener("DOMContentLoaded", function () {
    var box = document.querySelector("[data-verify]"), other = document.querySelector("[data-signature]");
    if (!box || !other) { return; }
    var button = box.querySelector("button");
    var said = box.querySelector("[role=status]");
    var reason = location.protocol === "file:" ? "A folder opened as a file allows no reading of other files, so "
      : !window.fetch || !(window.crypto && crypto.subtle) ? "This connection offers no WebCrypto (it needs https), so " : "";
    if (reason) {
      box.querySelector("[data-can-verify]").hidden = other.querySelector("[data-can-verify]").hidden = true;
      said.textContent = reason + "the page cannot verify itself here.";
      return;
    }
    other.querySelector("button").addEventListener("click", function () {
      checkSignature(other.querySelector("[role=status]"));
    });
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
