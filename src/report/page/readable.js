// SPDX-License-Identifier: Apache-2.0
/* Figures of summary.json in groups, and in readable units. */

/** [{group, rows: [{key, name, meaning, value}]}] of what a run has. One that is not listed stands at the end. */
function groupedFigures(summary) {
    const known = new Set(["scenario", "wall_ns"]); // the title; the one value that differs from run to run
    const groups = FIGURES.sort((a, b) => a[0] - b[0]).map(([, group, list]) => ({group, rows: list.filter(([key, , , needs]) => {
        known.add(key);
        return key in summary && (needs === undefined || summary[needs]);
    }).map(([key, name, meaning]) => ({key, name, meaning, value: summary[key]}))}));
    groups.push({group: "Others", rows: Object.entries(summary)
        .filter(([key, value]) => !known.has(key) && typeof value !== "object")
        .map(([key, value]) => ({key, name: figureName(key), meaning: "", value}))});
    return groups.filter(({rows}) => rows.length !== 0);
}

/** What a figure of summary.json is in readable units, by the ending of its key. */
function readable(key, value) {
    if (typeof value !== "number")
        return value === null ? "none" : String(value);
    if (/_ns$/.test(key))
        return time(value / 1000);
    if (/_s$/.test(key) && !/per_s$/.test(key))
        return time(value * 1e6);
    if (/(fraction|share|error|busy|coverage|excess|blind|worst)$/.test(key) && !/in_error$/.test(key) && Math.abs(value) < 1e6)
        return percent(value);
    if (/bytes_per_s$/.test(key))
        return `${bytes(value)}/s`;
    if (/bytes$/.test(key))
        return bytes(value);
    if (/mhz$/.test(key))
        return `${exact(value)} MHz`;
    return exact(value);
}

function figureName(key) {
    return key.replace(/_per_s$/, " per second").replace(/_(ns|s)$/, "").replace(/_/g, " ");
}
