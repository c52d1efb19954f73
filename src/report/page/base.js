// SPDX-License-Identifier: Apache-2.0
"use strict";
/* What all files of the page use: elements, numbers and times as people read them. */

const CS = {
    kinds: {}, // how panels are drawn, by their kind: (panel, run) => element
    charts: {}, // by their id
};

/* What units have for the headline: of a summary what was missed, {value, name, more}, or nothing. */
const MISSED = [];

/** How many of all were lost. */
function lostOf(all, lost, what) {
    return all ? {value: percent(lost / (all + lost), 3), name: `${what} lost`,
        more: `${exact(lost)} of ${exact(all + lost)}`} : null;
}

/** An element with attributes (functions are listeners) and children (texts or elements). */
function el(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
        if (typeof value === "function")
            made.addEventListener(name, value);
        else if (value !== undefined && value !== null)
            made.setAttribute(name, value);
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
}

function escapeText(text) {
    return String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

const PREFIXES = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

function trimmed(value, digits) {
    const text = value.toPrecision(digits);
    return text.includes("e") || !text.includes(".") ? String(Number(text))
        : text.replace(/\.?0+$/, "");
}

/** 12.3 M */
function short(value) {
    if (value === null || !isFinite(value))
        return "none";
    for (const [factor, letter] of PREFIXES)
        if (Math.abs(value) >= factor)
            return `${trimmed(value / factor, 4)} ${letter}`;
    return trimmed(value, 4);
}

function bytes(value) {
    return short(value).replace(/\d$/, "$& ") + "B";
}

/** 12 345 678, with narrow spaces; of a fraction six digits. */
function exact(value) {
    if (value === null || !isFinite(value))
        return "none";
    if (!Number.isInteger(value))
        return trimmed(value, 6);
    return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** What is left of 0 by rounding is 0. */
function percent(share, digits) {
    const shown = Math.abs(share) < 1e-12 ? 0 : share;
    return share === null || !isFinite(share) ? "none" : `${trimmed(100 * shown, digits || 4)} %`;
}

const TIMES = [[1e6, "s"], [1e3, "ms"], [1, "µs"], [0, "ns"]];

/** Microseconds. `range`: on an axis of that length all have one unit. */
function time(us, range, digits) {
    const [factor, unit] = TIMES.find((row) => Math.abs(range === undefined ? us : range) >= row[0]);
    const value = unit === "ns" ? us * 1000 : us / factor;
    return `${trimmed(value, digits || (range === undefined ? 5 : 7))} ${unit}`;
}

/** "cpu 9" stands before "cpu 10". */
const byName = new Intl.Collator("en", {numeric: true}).compare;

/** How many standard errors reach to the end of a 95 % interval (Student's t). */
function t95(degrees) {
    const few = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    return degrees <= few.length ? few[degrees - 1] : 1.96 + 2.55 / degrees;
}

/** The 95 % interval of a share, when `count` of `all` had it (Wilson). */
function shareInterval(count, all) {
    const z = 1.96, p = count / all, d = 1 + (z * z) / all;
    const middle = (p + (z * z) / (2 * all)) / d;
    const half = (z / d) * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all));
    return [count === 0 ? 0 : middle - half, count === all ? 1 : middle + half];
}

function unique(list) {
    return [...new Set(list)];
}

/** A select with a label; `change` gets the index. */
function chooser(label, names, change, chosen) {
    const select = el("select", {change: () => change(select.selectedIndex)},
        ...names.map((name) => el("option", {}, name)));
    select.selectedIndex = chosen || 0;
    return el("label", {class: "chooser"}, `${label} `, select);
}

function checker(label, checked, change) {
    const box = el("input", {type: "checkbox", change: () => change(box.checked)});
    box.checked = checked;
    return el("label", {class: "chooser"}, box, ` ${label}`);
}
