// SPDX-License-Identifier: Apache-2.0
/* Values over time: a line a series, or areas one above the other. */

function seriesRows(table) {
    const names = table.texts("series");
    const events = table.has("event") ? table.texts("event") : null;
    const cycle = table.numbers("cycle"), value = table.numbers("value");
    const groups = new Map();
    for (let i = 0; i < table.n; i++) {
        const event = events ? events[i] : "";
        if (!groups.has(event))
            groups.set(event, new Map());
        const series = groups.get(event);
        if (!series.has(names[i]))
            series.set(names[i], []);
        series.get(names[i]).push([cycle[i], value[i]]);
    }
    return groups;
}

/** Steps that the table has no row for are zero. */
function filled(rows, step, last) {
    const all = new Array(Math.ceil(last / step)).fill(0);
    for (const [cycle, value] of rows)
        all[Math.round(cycle / step)] = value;
    return all.map((value, i) => [i * step, value]);
}

CS.kinds.series = (panel, run) => {
    const data = tables(panel);
    const mhz = run.clock_mhz, last = run.last / mhz;
    const share = /^share/.test(panel.unit), stacked = /stacked/.test(panel.unit);
    const groups = seriesRows(data.series);
    const events = [...groups.keys()];
    const format = (value) => (share ? percent(value) : exact(Number(trimmed(value, 6))));
    const canFit = !stacked && !data.step && data.series.numbers("value").every((value) => !(value < 0));
    let chosen = 0, zero = true;

    const lines = () => [...groups.get(events[chosen])].map(([name, rows]) => ({name,
        rows: data.step ? filled(rows, data.step.numbers("step")[0], data.step.numbers("last")[0]) : rows}));
    const make = (chart) => {
        const list = lines();
        const cycles = data.step ? [...groups.get(events[chosen]).values()].flat().map(([cycle]) => cycle) : [];
        const [first, end] = cycles.reduce(([a, b], c) => [Math.min(a, c), Math.max(b, c)], [Infinity, 0]);
        return {
            grid: {left: 66, right: 20, top: list.length > 1 ? 36 : 14, bottom: 74},
            legend: {type: "scroll", top: 4, show: list.length > 1},
            tooltip: {trigger: "axis", confine: true, formatter: (all) => tip(time(all[0].value[0]),
                all.slice(0, 16).map((p) => [p.seriesName, format(p.value[1])]))},
            xAxis: timeAxis(last),
            yAxis: {type: "value", name: share ? "share of the time" : panel.unit, nameLocation: "middle",
                nameGap: 48, scale: !zero, min: zero && canFit ? 0 : null,
                axisLabel: {formatter: (v) => (share ? percent(v) : Math.abs(v) < 1e3 ? trimmed(v, 7) : short(v))}},
            dataZoom: zoomX(0, {bottom: 8}, {filterMode: "none", ...opening(first / mhz, end / mhz, last)}),
            series: list.map(({name, rows}, i) => ({type: "line", name, step: data.step ? "end" : false,
                stack: stacked ? "all" : undefined, areaStyle: stacked ? {opacity: 0.7} : undefined,
                lineStyle: {width: stacked ? 0.5 : 1.8, type: ["solid", "dashed", "dotted"][stacked ? 0
                    : Math.floor(i / 8) % 3]},
                symbol: data.step ? "none" : ["circle", "triangle", "diamond", "rect"][i % 4], symbolSize: 5,
                showSymbol: rows.length < 200, sampling: stacked ? undefined : "lttb",
                data: rows.map(([cycle, value]) => [cycle / mhz, value])})),
        };
    };
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `${panel.title} (${panel.unit})`, height: 320, make,
        canvas: data.series.n > 3000,
    });
    chart.choose = (i) => {
        chosen = i;
        chart.renew();
    };
    const tools = [events.length > 1 ? chooser("event", events, chart.choose) : null,
        canFit ? checker("from zero", true, (on) => {
            zero = on;
            chart.renew();
        }) : null].filter(Boolean);
    return el("div", {}, tools.length > 0 ? el("div", {class: "tools"}, ...tools) : null, chart.box);
};
