// SPDX-License-Identifier: Apache-2.0
/* Several runs, or the ways of a scenario, side by side: any figure of each, and one over the other. */

/* What is looked at first, on each axis: what a design costs, and what it misses. */
const COSTS = ["stolen_share", "software_fraction", "skew_s", "stop_skew_ns", "bus_busy"];
const MISSES = ["blind_fraction", "mean_error", "share_error", "period_error", "most_error"];

/** What a run's figures are, where nobody has worked them out: those of its summary, and its errors. */
function figuresOf(run) {
    const row = {};
    for (const [key, value] of Object.entries(run.summary))
        if (typeof value === "number" && key !== "seed" && key !== "wall_ns")
            row[key] = value;
    const errors = run.panels.filter((panel) => panel.kind === "estimates")
        .flatMap((panel) => estimatesOf(panel).map((one) => Math.abs(one.error)));
    if (errors.length !== 0) {
        row.mean_error = errors.reduce((sum, one) => sum + one, 0) / errors.length;
        row.most_error = Math.max(...errors);
    }
    return row;
}

/** Keys of which at least two rows have a number. */
function figureKeys(rows) {
    return unique(rows.flatMap(Object.keys)).filter((key) =>
        rows.filter((row) => typeof row[key] === "number").length > 1);
}

/** A figure that hardly changes says nothing of what is compared. */
function changes(values) {
    return values.every((v) => typeof v === "number" && isFinite(v)) &&
        Math.max(...values) - Math.min(...values) > 0.05 * Math.max(...values.map(Math.abs));
}

/** The first of `wanted` that all rows have, and that differs between them. */
function firstOf(rows, keys, wanted) {
    const good = (key) => changes(rows.map((row) => row[key]));
    return Math.max(0, keys.indexOf(wanted.find(good) || keys.find(good)));
}

/** Where an axis begins: at zero, if nothing is below it. */
function fromZero({min}) {
    return min >= 0 ? 0 : null;
}

/** Names stand on the side where there is room. */
function placed(points) {
    const most = Math.max(...points.map((point) => point.value[0]));
    return points.map((point) => ({...point,
        label: {position: point.value[0] > most / 2 ? "left" : "right"}}));
}

/** [{name, ...figures}] as bars of one figure, twice, and one figure over the other. */
function compareSection(id, title, rows) {
    const keys = figureKeys(rows);
    const names = rows.map((row) => row.name);
    const longest = Math.max(...names.map((name) => name.length));
    const chosen = {x: firstOf(rows, keys, COSTS), y: firstOf(rows, keys, MISSES)};
    const label = (role) => figureName(keys[chosen[role]]);
    const bars = (role, colour) => new Chart(`${id}-${role}`, {
        label: `${title}: a figure of each`, height: Math.max(180, 90 + 34 * rows.length),
        make: (chart) => ({
            grid: {left: nameWidth(chart, longest) + 12, right: 70, top: 8, bottom: 50},
            tooltip: {confine: true, formatter: (p) => tip(p.name, [[label(role),
                readable(keys[chosen[role]], p.value)], [ "", rows[p.dataIndex].text || ""]])},
            xAxis: {type: "value", name: label(role), nameLocation: "middle", nameGap: 30, splitNumber: 3,
                axisLabel: {formatter: (v) => readable(keys[chosen[role]], v), hideOverlap: true}},
            yAxis: {type: "category", inverse: true, data: names, axisTick: {show: false},
                axisLabel: {width: nameWidth(chart, longest), overflow: "breakAll", interval: 0}},
            series: [{type: "bar", barMaxWidth: 20, color: colour(), name: keys[chosen[role]],
                label: {show: true, position: "right", color: ink().text, fontSize: 11,
                    formatter: (p) => readable(keys[chosen[role]], p.value)},
                data: rows.map((row) => (typeof row[keys[chosen[role]]] === "number"
                    ? Math.abs(row[keys[chosen[role]]]) : null))}],
        }),
    });
    const left = bars("x", () => hue(1)), right = bars("y", () => hue(0));
    const both = new Chart(`${id}-both`, {
        label: `${title}: one figure over the other`, height: 320,
        make: () => ({
            grid: {left: 78, right: 40, top: 26, bottom: 54},
            tooltip: {confine: true, formatter: (p) => tip(p.name, ["x", "y"].map((role, i) =>
                [label(role), readable(keys[chosen[role]], p.value[i])]))},
            xAxis: {type: "value", name: label("x"), nameLocation: "middle", nameGap: 32, min: fromZero,
                boundaryGap: ["4%", "12%"], axisLabel: {formatter: (v) => readable(keys[chosen.x], v), hideOverlap: true}},
            yAxis: {type: "value", name: label("y"), nameLocation: "middle", nameGap: 60, min: fromZero,
                boundaryGap: ["4%", "12%"], axisLabel: {formatter: (v) => readable(keys[chosen.y], v)}},
            series: [{type: "scatter", name: "both", symbolSize: 13, labelLayout: {hideOverlap: false,
                moveOverlap: "shiftY"},
            label: {show: true, formatter: "{b}", color: ink().text},
            data: placed(rows.filter((row) => ["x", "y"].every((role) =>
                typeof row[keys[chosen[role]]] === "number")).map((row) => ({name: row.name,
                value: ["x", "y"].map((role) => row[keys[chosen[role]]])})))}],
        }),
    });
    const choose = (role, chart) => chooser(role, keys.map(figureName), (i) => {
        chosen[role] = i;
        chart.renew();
        both.renew();
    }, chosen[role]);
    return el("section", {class: "panel", id}, el("h2", {}, title),
        el("p", {class: "about"}, "Two figures of each, and one over the other. Of errors, skew, blind time and " +
            "cost, lower is better."),
        rows.some((row) => row.text) ? el("dl", {class: "texts"}, ...rows.filter((row) => row.text)
            .map((row) => el("div", {}, el("dt", {}, row.name), el("dd", {}, row.text)))) : null,
        el("div", {class: "tools"}, choose("x", left), choose("y", right)),
        el("div", {class: "pair"}, left.box, right.box), both.box,
        ...tableButton(`${id}-table`, title, () => [{title, head: ["figure", ...names], n: keys.length,
            at: (i) => [figureName(keys[i]), ...rows.map((row) => (typeof row[keys[i]] === "number"
                ? readable(keys[i], row[keys[i]]) : ""))]}]));
}
