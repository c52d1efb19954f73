// SPDX-License-Identifier: Apache-2.0
/* The data of the page: columns as src/report/columns.h writes them. */

function bytesOf(text) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++)
        bytes[i] = binary.charCodeAt(i);
    return bytes.buffer;
}

function numbersOf(column, n) {
    if (Array.isArray(column))
        return column.map((value) => (value === null ? NaN : value));
    if (column.all !== undefined)
        return new Float64Array(n).fill(column.all);
    if (column.f64 !== undefined)
        return new Float64Array(bytesOf(column.f64));
    const from = column.u16 !== undefined ? new Uint16Array(bytesOf(column.u16))
        : new Uint32Array(bytesOf(column.u32));
    return column.base === 0 ? from : Float64Array.from(from, (value) => value + column.base);
}

/** A query's rows: t.n, t.numbers(name), t.texts(name), t.has(name). Decoded when asked for. */
class Table {
    constructor(query) {
        this.n = query ? query.n : 0;
        this.cut = query ? query.cut : false;
        this.columns = query ? query.columns : {};
        this.kept = {};
    }
    get names() {
        return Object.keys(this.columns);
    }
    has(name) {
        return name in this.columns;
    }
    isText(name) {
        return this.columns[name].words !== undefined;
    }
    numbers(name) {
        if (!(name in this.kept))
            this.kept[name] = numbersOf(this.columns[name], this.n);
        return this.kept[name];
    }
    /** Numbers of texts; their words are wordsOf(name). */
    codes(name) {
        return this.numbers(name);
    }
    words(name) {
        return this.columns[name].words;
    }
    texts(name) {
        const numbers = this.numbers(name);
        if (!this.isText(name))
            return Array.from(numbers, (value) => (isNaN(value) ? "" : String(value)));
        const words = this.words(name);
        return Array.from(numbers, (code) => words[code]);
    }
}

function tables(panel) {
    const all = {};
    for (const [name, query] of Object.entries(panel.data))
        if (query.columns !== undefined)
            all[name] = new Table(query);
    return all;
}
