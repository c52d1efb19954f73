// SPDX-License-Identifier: Apache-2.0
// Asks Perfetto's trace processor, what ui.perfetto.dev has under its hood, about a file.
//
//   nodejs trace_processor.js WEB_DIST FILE QUERY...
//
// WEB_DIST is the folder of a release of the user interface, with engine_bundle.js and
// trace_processor.wasm. Prints the rows of each query, cells separated by tabs, and a line "--" behind
// each. Exits 1, with the reason, where the file or a query is refused.
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [dist, file, ...queries] = process.argv.slice(2);
const node = process;
const CHUNK_BYTES = 8 << 20;

// The engine is made for a browser's worker: what it asks of one.
function pretendToBeAWorker() {
  const read = (url) => {
    const bytes = fs.readFileSync(path.join(dist, path.basename(String(url))));
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  };
  globalThis.self = globalThis;
  globalThis.WorkerGlobalScope = function () {};
  globalThis.importScripts = () => {};
  globalThis.location = { href: "http://localhost/engine_bundle.js" };
  globalThis.fetch = async (url) =>
    new Response(read(url), { headers: { "content-type": "application/wasm" } });
  globalThis.XMLHttpRequest = class {
    open(method, url) {
      this.url = url;
    }
    send() {
      this.response = read(this.url);
      this.status = 200;
    }
  };
  globalThis.process = undefined;
  console.log = console.warn = () => {}; // its progress
}

// ---- protocol buffers, as much as is needed ----

function varint(number) {
  const bytes = [];
  for (let n = BigInt(number); ; n >>= 7n) {
    if (n < 128n) return Buffer.from([...bytes, Number(n)]);
    bytes.push(Number(n & 127n) | 128);
  }
}
const numberField = (id, value) => Buffer.concat([varint(id << 3), varint(value)]);
const bytesField = (id, bytes) =>
  Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  get more() {
    return this.at < this.bytes.length;
  }
  varint() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
  take(count) {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
  *fields() {
    while (this.more) {
      const key = Number(this.varint());
      const kind = key & 7;
      const value =
        kind === 0 ? this.varint() : this.take(kind === 2 ? Number(this.varint()) : kind === 1 ? 8 : 4);
      yield [key >> 3, value];
    }
  }
  *varints() {
    while (this.more) yield this.varint();
  }
}

// ---- perfetto/trace_processor/trace_processor.proto ----

const METHOD = { append: 1, finalize: 2, query: 3 };
const CELL = { null: 1, integer: 2, real: 3, text: 4 };

function rowsOf(batch, columns) {
  let kinds = [], integers = [], reals = Buffer.alloc(0), texts = [];
  for (const [id, value] of new Reader(batch).fields()) {
    if (id === 1) kinds = [...new Reader(value).varints()].map(Number);
    if (id === 2) integers = [...new Reader(value).varints()];
    if (id === 3) reals = value;
    if (id === 5) texts = value.toString().split("\0");
  }
  const rows = [];
  let real = 0;
  for (let i = 0; i < kinds.length; i++) {
    if (i % columns === 0) rows.push([]);
    const cell =
      kinds[i] === CELL.null ? "NULL"
      : kinds[i] === CELL.integer ? BigInt.asIntN(64, integers.shift())
      : kinds[i] === CELL.real ? reals.readDoubleLE(8 * real++)
      : texts.shift();
    rows[rows.length - 1].push(cell);
  }
  return rows;
}

async function main() {
  const { port1, port2 } = new MessageChannel();
  const messages = [];
  let arrived = () => {};
  let pending = Buffer.alloc(0);

  pretendToBeAWorker();
  vm.runInThisContext(fs.readFileSync(path.join(dist, "engine_bundle.js"), "utf8"));
  port2.on("message", (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    arrived();
  });
  self.onmessage({ data: port1 });

  // The next answer of the stream, as its fields.
  const answer = async () => {
    for (;;) {
      if (pending.length > 1) {
        const reader = new Reader(pending);
        try {
          reader.varint();
          const length = Number(reader.varint());
          if (reader.at + length <= pending.length) {
            const fields = [...new Reader(reader.take(length)).fields()];
            pending = pending.subarray(reader.at);
            for (const [id, value] of fields)
              if (id === 5) throw new Error(value.toString());
            return fields;
          }
        } catch (error) {
          if (!(error instanceof TypeError)) throw error; // the length is not all there
        }
      }
      await new Promise((resolve) => (arrived = resolve));
    }
  };
  let sequence = 0;
  const send = (method, ...more) =>
    port2.postMessage(
      new Uint8Array(bytesField(1, Buffer.concat([numberField(1, sequence++), numberField(2, method), ...more])))
    );

  const trace = fs.readFileSync(file);
  for (let at = 0; at < trace.length; at += CHUNK_BYTES) {
    send(METHOD.append, bytesField(101, trace.subarray(at, at + CHUNK_BYTES)));
    for (const [id, value] of await answer())
      if (id === 201)
        for (const [what, text] of new Reader(value).fields())
          if (what === 2) throw new Error(text.toString());
  }
  send(METHOD.finalize);
  await answer();
  for (const query of queries) {
    let columns = 0;
    send(METHOD.query, bytesField(103, bytesField(1, Buffer.from(query))));
    for (let last = false; !last; ) {
      for (const [id, result] of await answer()) {
        if (id !== 203) continue;
        for (const [what, value] of new Reader(result).fields()) {
          if (what === 1) columns++;
          if (what === 2 && value.length > 0) throw new Error(`${query}: ${value}`);
          if (what !== 3) continue;
          for (const row of rowsOf(value, columns)) messages.push(row.join("\t"));
          for (const [k, v] of new Reader(value).fields()) last = last || (k === 6 && v === 1n);
        }
      }
    }
    messages.push("--");
  }
  fs.writeSync(1, messages.join("\n") + "\n");
  node.exit(0);
}

main().catch((error) => {
  fs.writeSync(2, `${file}: ${error.message}\n`);
  node.exit(1);
});
