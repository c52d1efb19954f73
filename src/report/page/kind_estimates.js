// SPDX-License-Identifier: Apache-2.0
/* Estimates over the truth, and their errors with bars. */

const ORDERS = [
    ["by size", (a, b) => b.truth - a.truth],
    ["by error", (a, b) => Math.abs(b.error) - Math.abs(a.error)],
    ["by name", (a, b) => byName(a.name, b.name)],
];
const MOST_ROWS = 30; // at a time
const LARGE_ERROR = 0.05;

/** [{name, of, truth, estimate, error, low, high, parts}] of a panel. */
function estimatesOf(panel) {
    const {estimates, spread, interval} = tables(panel);
    const list = [];
    const bars = new Map(), halves = new Map();
    for (let i = 0; interval && i < interval.n; i++) {
        const [n, variance, covered] = ["windows", "variance", "covered"].map((key) => interval.numbers(key)[i]);
        if (n >= 3)
            halves.set(interval.numbers("id")[i], t95(n - 1) * Math.sqrt((Math.max(0, variance) *
                Math.max(0, 1 - covered)) / (n - 1)));
    }
    if (spread)
        for (let i = 0; i < spread.n; i++)
            bars.set(spread.numbers("id")[i], ["low", "high", "parts"].map((key) => spread.numbers(key)[i]));
    const names = estimates.texts("name"), of = estimates.texts("of");
    const truth = estimates.numbers("truth"), estimate = estimates.numbers("estimate");
    for (let i = 0; i < estimates.n; i++) {
        const own = estimates.has("low") ? ["low", "high", "parts"].map((key) => estimates.numbers(key)[i])
            : bars.get(estimates.numbers("id")[i]) || [NaN, NaN, 0];
        list.push({name: names[i], of: of[i], truth: truth[i], estimate: estimate[i],
            error: estimate[i] / truth[i] - 1, low: own[0], high: own[1], parts: own[2],
            half: (estimates.has("id") && halves.get(estimates.numbers("id")[i])) || 0});
    }
    return withTheirCommands(list, estimates);
}

/** Commands of one name are told apart by their number. */
function withTheirCommands(list, table) {
    if (!table.has("command"))
        return list;
    const names = list.map((row) => row.name);
    return list.map((row, i) => (names.indexOf(row.name) === names.lastIndexOf(row.name) ? row
        : {...row, name: `${row.name}, command ${table.numbers("command")[i]}`}));
}

/** The estimate is further off than chance would have it: the interval says nothing of it. Of an error of less
 * than 0.001 % nobody asks where it comes from. */
function isMissed(row) {
    return row.half > 0 && Math.abs(row.error) > Math.max(row.half, 1e-5);
}

function missedNote(list) {
    const some = list.filter((row) => row.half > 0);
    const missed = some.filter(isMissed).sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
    if (missed.length === 0)
        return null;
    return el("p", {class: "note"}, `${missed.length} of ${some.length} intervals miss the truth (hollow): ` +
        `${missed.slice(0, 4).map((row) => row.name).join(", ")}${missed.length > 4 ? ` and ${missed.length - 4} more` : ""}. ` +
        (missed.length > Math.max(1, 0.1 * some.length) ? "These errors are not chance: the windows are probably in " +
            "step with the workload." : "By chance 1 in 20 does."));
}

function estimateTip(row) {
    return tip(row.name, [["of", row.of], ["truth", exact(Math.round(row.truth))],
        ["estimate", exact(Math.round(row.estimate))], ["error", percent(row.error)],
        row.half > 0 ? ["95 % interval", `± ${percent(row.half, 3)}${isMissed(row) ? ", misses the truth" : ""}`] : null,
        row.parts > 1 ? [`of the ${row.parts} parts`, `${percent(row.low)} to ${percent(row.high)}`]
            : null]);
}

CS.kinds.estimates = (panel, run) => {
    const list = estimatesOf(panel);
    const id = `${run.id}-${panel.id}`;
    const shown = Math.min(list.length, MOST_ROWS);
    let order = list.length > shown ? 1 : 0;
    const sorted = () => [...list].sort(ORDERS[order][1]);
    const dot = (row) => ({
        symbol: Math.abs(row.error) > LARGE_ERROR ? "triangle" : "circle",
        itemStyle: {color: Math.abs(row.error) > LARGE_ERROR ? ink().bad : ink().good},
    });
    const positive = list.filter((row) => row.truth > 0 && row.estimate > 0);
    const ends = positive.flatMap((row) => [row.truth, row.estimate]);
    const low = 10 ** Math.floor(Math.log10(Math.min(...ends)));
    const high = 10 ** Math.ceil(Math.log10(Math.max(...ends)) + 1e-9);

    const scatter = new Chart(`${id}-scatter`, {
        label: `${panel.title}: ${list.length} estimates over their truth`,
        height: Math.max(240, Math.min(360, 76 + 21 * shown)),
        make: () => ({
            grid: {left: 66, right: 20, top: 16, bottom: 50},
            tooltip: {confine: true, formatter: (p) => (p.data.row ? estimateTip(p.data.row) : "")},
            xAxis: {type: "log", min: low, max: high, name: `truth (${panel.unit})`, nameLocation: "middle",
                nameGap: 30, axisLabel: {formatter: short, hideOverlap: true}},
            yAxis: {type: "log", min: low, max: high, name: `estimate (${panel.unit})`,
                nameLocation: "middle", nameGap: 50, axisLabel: {formatter: short}},
            series: [
                {type: "line", name: "equal", symbol: "none", silent: true, data: [[low, low], [high, high]],
                    lineStyle: {color: ink().soft, width: 1, type: "dashed"}},
                {type: "scatter", name: "estimates", symbolSize: 9,
                    data: positive.map((row) => ({value: [row.truth, row.estimate], row, ...dot(row)}))},
            ],
        }),
    });
    const errors = new Chart(`${id}-errors`, {
        label: `${panel.title}: error in percent of ${list.length} estimates`,
        height: Math.max(200, 76 + 21 * shown),
        make: (chart) => errorOption(chart, sorted(), shown, dot),
    });
    return el("div", {},
        el("div", {class: "tools"}, chooser("order", ORDERS.map((row) => row[0]), (i) => {
            order = i;
            errors.renew();
        }, order)),
        el("div", {class: "pair"}, scatter.box, errors.box), missedNote(list));
};

function errorOption(chart, rows, shown, dot) {
    const bar = (params, api) => {
        const [from, y] = api.coord([api.value(0), api.value(2)]);
        return whisker(from, api.coord([api.value(1), api.value(2)])[0], y);
    };
    const box = (params, api) => {
        const [x, y] = api.coord([api.value(0), api.value(2)]);
        const [to] = api.coord([api.value(1), api.value(2)]);
        const missed = isMissed(rows[api.value(2)]);
        return {type: "rect", shape: {x, y: y - 6, width: Math.max(1, to - x), height: 12},
            style: {fill: missed ? "transparent" : ink().soft, opacity: missed ? 1 : 0.35,
                stroke: missed ? ink().soft : null, lineDash: [2, 2]}};
    };
    const interval = rows.some((row) => row.half > 0), spread = rows.some((row) => row.parts > 1);
    const longest = Math.max(...rows.map((row) => row.name.length));
    const label = nameWidth(chart, longest);
    return {
        grid: {left: label + 10, right: 38, top: interval || spread ? 34 : 10, bottom: 50},
        legend: {show: interval || spread, top: 4, selectedMode: false, data: [{name: "error", icon: "circle"},
            ...(spread ? [{name: "parts", icon: WHISKER}] : []),
            ...(interval ? [{name: "95 % interval", icon: "rect", itemStyle: {opacity: 0.35}}] : [])]},
        tooltip: {confine: true, formatter: (p) => estimateTip(rows[p.value[p.value.length - 1]])},
        xAxis: {type: "value", name: "error (%)", nameLocation: "middle", nameGap: 30, scale: true,
            splitNumber: chart.narrow ? 3 : 5,
            axisLabel: {formatter: (v) => trimmed(v, 4), hideOverlap: true}},
        yAxis: {type: "category", inverse: true, data: rows.map((row) => row.name),
            splitLine: {show: true}, axisTick: {show: false},
            axisLabel: {width: label, overflow: "breakAll", interval: 0, fontSize: 11, lineHeight: 11}},
        dataZoom: rows.length > shown ? zoomY(0, {right: 6}, {start: 0, end: (100 * (shown - 1)) / (rows.length - 1),
            filterMode: "none"}) : [],
        series: [
            {type: "custom", name: "95 % interval", renderItem: box, encode: {x: [0, 1], y: 2}, color: ink().soft,
                data: rows.flatMap((row, i) => (row.half > 0
                    ? [[100 * (row.error - row.half), 100 * (row.error + row.half), i]] : []))},
            {type: "custom", name: "parts", renderItem: bar, encode: {x: [0, 1], y: 2}, color: ink().text,
                data: rows.flatMap((row, i) => (row.parts > 1 ? [[100 * row.low, 100 * row.high, i]] : []))},
            {type: "scatter", name: "error", symbolSize: 9, color: ink().good, encode: {x: 0, y: 1},
                data: rows.map((row, i) => ({value: [100 * row.error, i], ...dot(row)})),
                markLine: {silent: true, symbol: "none", label: {show: false}, data: [{xAxis: 0}],
                    lineStyle: {color: ink().soft, type: "solid"}}},
        ],
    };
}
