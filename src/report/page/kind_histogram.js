// SPDX-License-Identifier: Apache-2.0
/* How often which value. */

const MOST_BARS = 48;

/** {edges, series: [{name, counts}]}: a bar a value where there are few values, else of equal width. */
function histogramOf(table) {
    const names = table.texts("series"), value = table.numbers("value"), count = table.numbers("count");
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < table.n; i++) {
        low = Math.min(low, value[i]);
        high = Math.max(high, value[i]);
    }
    const width = Math.max(1, Math.ceil((high - low + 1) / MOST_BARS));
    const bars = Math.floor((high - low) / width) + 1;
    const series = new Map();
    for (let i = 0; i < table.n; i++) {
        if (!series.has(names[i]))
            series.set(names[i], new Array(bars).fill(0));
        series.get(names[i])[Math.floor((value[i] - low) / width)] += count[i];
    }
    const edges = Array.from({length: bars}, (_, i) => [low + i * width, low + (i + 1) * width - 1]);
    return {edges, series: [...series].map(([name, counts]) => ({name, counts}))};
}

/** Where every series has one value, that is said in words: "start and stop: all 32 are 60 bus cycles (60 ns)". */
function onlyValues(table, unit, mhz) {
    const names = table.texts("series"), value = table.numbers("value"), count = table.numbers("count");
    if (unique(names).length !== table.n || table.n > 4)
        return null;
    const said = new Map();
    names.forEach((name, i) => {
        const one = value[i] === 1 ? unit.replace(/s$/, "") : unit;
        const text = `all ${exact(count[i])} are ${exact(value[i])} ${one} (${time(value[i] / mhz)})`;
        said.set(text, [...(said.get(text) || []), name]);
    });
    return el("p", {class: "said"}, [...said].map(([text, of]) => `${of.join(" and ")}: ${text}`).join("; "));
}

CS.kinds.histogram = (panel, run) => {
    const only = onlyValues(tables(panel).values, panel.unit, run.clock_mhz);
    if (only !== null)
        return only;
    const all = histogramOf(tables(panel).values);
    const names = all.edges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
    const counts = all.series.flatMap((one) => one.counts).filter((count) => count > 0);
    const log = Math.max(...counts) > 500 * Math.min(...counts);
    const stacked = all.series.length > 3 && !log;
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `${panel.title}, in ${panel.unit}`, height: 290,
        make: (c) => ({
            grid: {left: 66, right: 20, top: 36, bottom: 50},
            legend: {type: "scroll", top: 4},
            tooltip: {trigger: "axis", confine: true, axisPointer: {type: "shadow"}, formatter: (list) =>
                tip(`${list[0].name} ${panel.unit}`, list.filter((p) => p.value > 0).slice(0, 16)
                    .map((p) => [p.seriesName, exact(p.value)]))},
            xAxis: {type: "category", data: names, name: panel.unit, nameLocation: "middle", nameGap: 30,
                axisLabel: {hideOverlap: true, formatter: (name) => name.split(" ")[0],
                    interval: names.length < 12 && !c.narrow ? 0 : "auto"}},
            yAxis: {type: log ? "log" : "value", min: log ? 0.5 : 0, ...(log ? {startValue: 0.5} : {}), name: log ? "how many (logarithmic)" : "how many",
                nameLocation: "middle", nameGap: 48, minInterval: 1,
                axisLabel: {formatter: (v) => (v < 1 && log ? "" : short(v))}},
            series: all.series.map(({name, counts: list}) => ({type: "bar", name, barMaxWidth: 40,
                stack: stacked ? "all" : undefined,
                data: list.map((count) => (count === 0 && log ? null : count))})),
        }),
    });
    chart.histogram = all;
    return chart.box;
};
