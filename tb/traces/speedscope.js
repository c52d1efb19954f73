// SPDX-License-Identifier: Apache-2.0
// Asks speedscope's own loader, of the package that npm has, about files: what speedscope.app shows of
// them.
//
//   nodejs speedscope.js RELEASE FILE...
//
// RELEASE is the folder with speedscope's bundle. Prints a JSON array a file: of each profile its name,
// and for each of its samples, in order, the names from the outermost frame on and the weight. Exits 1
// where a file is refused.
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [release, ...files] = process.argv.slice(2);

// The bundle is a page's: what it asks of a browser when it starts is there, and does nothing.
function pretendToBeAPage() {
  const nothing = new Proxy(function () {}, {
    get: (target, key) =>
      key === Symbol.toPrimitive ? () => "" : key === "then" ? undefined
        : key === "prototype" ? target.prototype : nothing,
    set: () => true,
    has: () => true,
    apply: () => nothing,
    construct: () => nothing,
  });
  const names = ["document", "localStorage", "location", "history", "requestAnimationFrame",
    "addEventListener", "removeEventListener", "matchMedia", "HTMLElement", "Image", "FontFace"];
  globalThis.window = globalThis;
  for (const name of names) globalThis[name] = nothing;
  Object.defineProperty(globalThis, "navigator", { value: nothing, configurable: true });
  console.log = console.warn = () => {}; // its progress
}

// What the page calls with a file that was dropped onto it has another name in each release.
function loader() {
  const name = fs.readdirSync(release).find((f) => /^speedscope-.*\.js$/.test(f));
  const text = fs.readFileSync(path.join(release, name), "utf8");
  const found = /await (\w+)\(\w,await \w\.arrayBuffer\(\)\)/.exec(text);
  if (found === null) throw new Error("speedscope's bundle is not as it was");
  try {
    vm.runInThisContext(
      text.replace("(()=>{", `(()=>{globalThis.load=(...a)=>${found[1]}(...a);`));
  } catch (e) {
    // The page itself cannot be drawn.
  }
  return globalThis.load;
}

function stack(node) {
  const names = [];
  for (let at = node; at !== null && !at.isRoot(); at = at.parent) names.unshift(at.frame.name);
  return names;
}

async function main() {
  pretendToBeAPage();
  const load = loader();
  for (const file of files) {
    const bytes = fs.readFileSync(file);
    const group = await load(path.basename(file),
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    if (group === null) throw new Error(`${file}: speedscope does not know this format`);
    process.stdout.write(JSON.stringify(group.profiles.map((p) => ({
      name: p.getName(),
      samples: p.samples.map((node, i) => ({ stack: stack(node), weight: p.weights[i] })),
    }))) + "\n");
  }
}

main().catch((e) => {
  process.stderr.write(`${e.stack}\n`);
  process.exit(1);
});
