// SPDX-License-Identifier: Apache-2.0
/* The three numbers that a run's page opens with: how wrong it is, what it missed, what it cost. */

/** The largest error of an estimate, or of a function's share. */
function worstNumbers(run) {
    const of = (kind, rows) => run.panels.filter((panel) => panel.kind === kind).flatMap(rows);
    const largest = (list, size) => list.reduce((worst, one) => (size(one) > size(worst) ? one : worst));
    const estimates = of("estimates", estimatesOf).filter((row) => isFinite(row.error));
    const shares = of("shares", sharesOf);
    const found = [];
    if (estimates.length !== 0) {
        const worst = largest(estimates, (row) => Math.abs(row.error));
        found.push({value: percent(Math.abs(worst.error), 3), name: "largest error of a count",
            more: `${worst.name}, of ${estimates.length} estimates`});
    }
    if (shares.length !== 0) {
        const worst = largest(shares, (row) => Math.abs(row.share - row.expected));
        found.push({value: `${trimmed(100 * Math.abs(worst.share - worst.expected), 2)} points`,
            name: "largest error of a function's share",
            more: `${worst.name}: ${percent(worst.share, 4)}, true ${percent(worst.expected, 4)}`});
    }
    return found;
}

/** What it cost, where that is simulated: a guest of `boot` has neither our software nor our bus. */
function costNumbers(s) {
    return [
        "software_ns" in s && {value: time(s.software_ns / 1000, undefined, 3), name: "of CPU time taken by software",
            more: `${percent(s.software_fraction, 2)} of one CPU`},
        "bus_busy" in s && {value: percent(s.bus_busy, 3), name: "of the time the bus was busy",
            more: `${exact(s.bus_transactions)} transfers`},
        {value: time(s.simulated_ns / 1000, undefined, 3), name: "simulated", more: ""},
    ].filter(Boolean);
}

/** The first of each kind; where a kind has none, more of the others. */
function headlineNumbers(run) {
    const kinds = [worstNumbers(run), MISSED.map((of) => of(run.summary)).filter(Boolean), costNumbers(run.summary)];
    const first = kinds.flatMap((list) => list.slice(0, 1));
    const spare = kinds.flatMap((list) => list.slice(1));
    return [...first.slice(0, -1), ...spare.slice(0, 3 - first.length), ...first.slice(-1)];
}

/** What `run` warned of: first of all what nobody has counted. */
function warningsBox(run) {
    const all = run.summary.warnings || [];
    return all.length === 0 ? "" : el("section", {class: "warnings", "aria-label": "Warnings"},
        el("h2", {}, all.length === 1 ? "1 warning" : `${all.length} warnings`),
        el("ul", {}, ...all.map((text) => el("li", {}, text))));
}

function headline(run) {
    return el("ul", {class: "headline"}, ...headlineNumbers(run).map(({value, name, more}) =>
        el("li", {}, el("b", {}, value), el("span", {}, name), el("small", {}, more))));
}
