/* Figures as a list, and cycles as stacked bars. */

/** What a figure of summary.json is in readable units, by the ending of its key. */
function readable(key, value) {
    if (typeof value !== "number")
        return value === null ? "none" : String(value);
    if (/_ns$/.test(key))
        return time(value / 1000);
    if (/_s$/.test(key) && !/per_s$/.test(key))
        return time(value * 1e6);
    if (/(fraction|share|error|busy|coverage|excess|blind)$/.test(key) && !/in_error$/.test(key) && Math.abs(value) < 1e6)
        return percent(value);
    if (/bytes_per_s$/.test(key))
        return `${short(value)}B/s`;
    if (/bytes$/.test(key))
        return `${short(value)}B`;
    if (/mhz$/.test(key))
        return `${value} MHz`;
    return exact(value);
}

function figureName(key) {
    return key.replace(/_(ns|s)$/, "").replace(/_/g, " ");
}

CS.kinds.figures = (panel, run) => {
    const own = tables(panel).names; // of units whose keys say less
    const names = new Map(own ? own.texts("key").map((key, i) => [key, own.texts("name")[i]]) : []);
    return el("dl", {class: "figures"},
        ...Object.entries(run.summary)
            .filter(([key, value]) => typeof value !== "object" && !/^(wall_ns|scenario)$/.test(key))
            .map(([key, value]) => el("div", {}, el("dt", {}, names.get(key) || figureName(key)),
                el("dd", {"data-key": key, "data-value": value}, readable(key, value)))));
};

CS.kinds.parts = (panel, run) => {
    const parts = tables(panel).parts;
    const names = parts.texts("name");
    const keys = parts.names.filter((name) => name !== "name");
    const mhz = run.clock_mhz;
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: panel.title,
        height: 110 + 26 * names.length,
        make: (c) => ({
            grid: {left: 70, right: 24, top: 34, bottom: 44},
            legend: {type: "scroll", top: 0},
            tooltip: {trigger: "axis", axisPointer: {type: "shadow"},
                formatter: (list) => tip(list[0].name, list.map((p) =>
                    [p.seriesName, `${exact(p.value)} cycles, ${time(p.value / mhz)}`]))},
            xAxis: {type: "value", name: "cycles", nameLocation: "middle", nameGap: 28,
                axisLabel: {formatter: short, hideOverlap: true}, splitNumber: c.narrow ? 3 : 6},
            yAxis: {type: "category", data: names, inverse: true},
            series: keys.map((key) => ({type: "bar", name: key, stack: "all", barMaxWidth: 22,
                data: Array.from(parts.numbers(key))})),
        }),
    });
    return chart.box;
};
