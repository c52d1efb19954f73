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
    const {estimates, spread} = tables(panel);
    const list = [];
    const bars = new Map();
    if (spread)
        for (let i = 0; i < spread.n; i++)
            bars.set(spread.numbers("id")[i], ["low", "high", "parts"].map((key) => spread.numbers(key)[i]));
    const names = estimates.texts("name"), of = estimates.texts("of");
    const truth = estimates.numbers("truth"), estimate = estimates.numbers("estimate");
    for (let i = 0; i < estimates.n; i++) {
        const own = estimates.has("low") ? ["low", "high", "parts"].map((key) => estimates.numbers(key)[i])
            : bars.get(estimates.numbers("id")[i]) || [NaN, NaN, 0];
        list.push({name: names[i], of: of[i], truth: truth[i], estimate: estimate[i],
            error: estimate[i] / truth[i] - 1, low: own[0], high: own[1], parts: own[2]});
    }
    return list;
}

function estimateTip(row) {
    return tip(row.name, [["of", row.of], ["truth", exact(Math.round(row.truth))],
        ["estimate", exact(Math.round(row.estimate))], ["error", percent(row.error)],
        row.parts > 1 ? [`of the ${row.parts} single ones`, `${percent(row.low)} to ${percent(row.high)}`]
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
        label: `${panel.title}: ${list.length} estimates over their truth`, height: 360,
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
        el("div", {class: "pair"}, scatter.box, errors.box));
};

function errorOption(chart, rows, shown, dot) {
    const whisker = (params, api) => {
        const y = api.value(2);
        const [x0, at] = api.coord([api.value(0), y]);
        const [x1] = api.coord([api.value(1), y]);
        const style = {stroke: ink().text, lineWidth: 1.5};
        const line = (x, y1, xx, y2) => ({type: "line", shape: {x1: x, y1, x2: xx, y2}, style});
        return {type: "group", children: [line(x0, at, x1, at), line(x0, at - 4, x0, at + 4),
            line(x1, at - 4, x1, at + 4)]};
    };
    const label = Math.max(110, Math.min(168, Math.round(0.3 * chart.width)));
    return {
        grid: {left: label + 10, right: 38, top: 10, bottom: 50},
        tooltip: {confine: true, formatter: (p) => estimateTip(rows[p.value[p.value.length - 1]])},
        xAxis: {type: "value", name: "error (%)", nameLocation: "middle", nameGap: 30, scale: true,
            splitNumber: chart.narrow ? 3 : 5,
            axisLabel: {formatter: (v) => trimmed(v, 4), hideOverlap: true}},
        yAxis: {type: "category", inverse: true, data: rows.map((row) => row.name),
            splitLine: {show: true}, axisTick: {show: false},
            axisLabel: {width: label, overflow: "truncate", interval: 0, fontSize: 11}},
        dataZoom: rows.length > shown ? zoomY(0, {right: 6}, {startValue: 0, endValue: shown - 1,
            filterMode: "none"}) : [],
        series: [
            {type: "custom", name: "spread", renderItem: whisker, encode: {x: [0, 1], y: 2},
                data: rows.flatMap((row, i) => (row.parts > 1 ? [[100 * row.low, 100 * row.high, i]] : []))},
            {type: "scatter", name: "error", symbolSize: 9, encode: {x: 0, y: 1},
                data: rows.map((row, i) => ({value: [100 * row.error, i], ...dot(row)})),
                markLine: {silent: true, symbol: "none", label: {show: false}, data: [{xAxis: 0}],
                    lineStyle: {color: ink().soft, type: "solid"}}},
        ],
    };
}
