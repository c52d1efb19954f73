// SPDX-License-Identifier: Apache-2.0
/* Figures in groups, and cycles as stacked bars. */

CS.kinds.figures = (panel, run) => el("div", {class: "groups"},
    ...groupedFigures(run.summary).map(({group, rows}) => el("div", {}, el("h3", {}, group),
        el("dl", {class: "figures"}, ...rows.map(({key, label, text, value}) =>
            el("div", {title: text}, el("dt", {}, label),
                el("dd", {"data-key": key, "data-value": value}, readable(key, value))))))));

CS.kinds.parts = (panel, run) => {
    const parts = tables(panel).parts;
    const names = parts.texts("name");
    const keys = parts.names.filter((name) => name !== "name" && parts.numbers(name).some((cycles) => cycles > 0));
    const mhz = run.clock_mhz;
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: panel.title,
        height: 110 + 26 * names.length,
        make: (c) => ({
            grid: {left: 70, right: 24, top: 34, bottom: 44},
            legend: {type: "scroll", top: 0},
            tooltip: {trigger: "axis", axisPointer: {type: "shadow"},
                formatter: (list) => tip(list[0].name, list.map((p) =>
                    [p.seriesName, `${exact(p.value)} bus cycles, ${time(p.value / mhz)}`]))},
            xAxis: {type: "value", name: "bus cycles", nameLocation: "middle", nameGap: 28,
                axisLabel: {formatter: short, hideOverlap: true}, splitNumber: c.narrow ? 3 : 6},
            yAxis: {type: "category", data: names, inverse: true},
            series: keys.map((key) => ({type: "bar", name: key, stack: "all", barMaxWidth: 22,
                data: Array.from(parts.numbers(key))})),
        }),
    });
    return chart.box;
};
