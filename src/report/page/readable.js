// SPDX-License-Identifier: Apache-2.0
/* Figures in groups, and in readable units; FIGURES has what there is to know of each (figures.def). */

const FIGURE = new Map(FIGURES.map((row) => [row.key, row]));

/** [{group, rows: [{key, label, text, value}]}] of what a run has to show: what summary.txt prints. */
function groupedFigures(summary) {
    const shown = new Set(summary.shown || Object.keys(summary));
    shown.delete("scenario"); // the title
    shown.delete("wall_ns"); // the one value that differs from run to run
    const rows = FIGURES.filter(({key}) => key in summary && shown.has(key))
        .map((row) => ({...row, value: summary[row.key]}));
    return unique(rows.map(({group}) => group)).map((group) => ({group, rows: rows.filter((row) => row.group === group)}));
}

/** A figure, or a key of a scenario, in readable units. */
function readable(key, value) {
    if (typeof value !== "number")
        return value === null ? "none" : String(value);
    const unit = FIGURE.has(key) ? FIGURE.get(key).unit : /mhz$/.test(key) ? "MHz" : "";
    switch (unit) {
    case "ns":
        return time(value / 1000);
    case "s":
        return time(value * 1e6);
    case "fraction":
        return percent(value);
    case "bytes":
        return bytes(value);
    case "bytes/s":
        return `${bytes(value)}/s`;
    case "":
        return exact(value);
    default:
        return `${exact(value)} ${unit}`;
    }
}

function figureName(key) {
    return FIGURE.has(key) ? FIGURE.get(key).label : key.replace(/_/g, " ");
}
