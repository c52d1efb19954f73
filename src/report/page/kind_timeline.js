/* The timeline: a lane a row, a series a label. */

const LANE = 22; // pixels
const MOST_LANES = 26; // at a time

CS.kinds.timeline = (panel, run) => {
    const last = run.last / run.clock_mhz;
    const all = lanesOf(panel, run.clock_mhz);
    const names = all.lanes.map((lane) => `${lane.owner} · ${lane.name}`);
    const shown = Math.min(names.length, MOST_LANES);

    const boxes = (chart) => {
        const x = chart.zoom("x"), y = chart.zoom("y");
        const from = (last * (x ? x.start : 0)) / 100, to = (last * (x ? x.end : 100)) / 100;
        const first = y && y.startValue !== undefined ? y.startValue : 0;
        const end = y && y.endValue !== undefined ? y.endValue : shown - 1;
        const series = all.labels.map(() => []);
        for (let k = first; k <= end && k < all.lanes.length; k++)
            seenOf(all.lanes[k], from, to, (1.5 * (to - from)) / Math.max(200, chart.width),
                all.labels.length, (start, stop, label, count, busy) =>
                    series[label].push([start, stop, k, count, busy]));
        return series;
    };
    const draw = (label) => (params, api) => {
        const left = api.coord([api.value(0), api.value(2)]);
        const right = api.coord([api.value(1), api.value(2)]);
        const height = Math.max(4, api.size([0, 1])[1] * 0.72);
        const shape = echarts.graphic.clipRectByRect({x: left[0], y: left[1] - height / 2,
            width: Math.max(1.5, right[0] - left[0]), height}, params.coordSys);
        const length = api.value(1) - api.value(0);
        const full = api.value(3) === 1 || length <= 0 ? 1 : api.value(4) / length;
        return shape && {type: "rect", shape, style: {fill: hue(label), opacity: 0.35 + 0.65 * full}};
    };
    const about = (p) => {
        const [start, stop, k, count, busy] = p.value;
        return tip(`${names[k]}: ${p.seriesName}`, [
            ["from", time(start)], ["to", time(stop)], ["cycles", `${exact(Math.round(start *
                run.clock_mhz))} to ${exact(Math.round(stop * run.clock_mhz))}`],
            stop > start ? ["length", time(stop - start)] : null,
            count > 1 ? ["together", `${count}, ${percent(busy / (stop - start || 1))} of it`] : null]);
    };
    const make = (chart) => ({
        grid: {left: chart.narrow ? 8 : 178, right: 34, top: 40, bottom: 74},
        legend: {type: "scroll", top: 4, data: all.labels},
        tooltip: {confine: true, formatter: about},
        xAxis: timeAxis(last),
        yAxis: {type: "category", inverse: true, data: names, axisTick: {show: false},
            axisLabel: {inside: chart.narrow, width: 168, overflow: "truncate",
                fontSize: 11, interval: 0, textBorderColor: ink().back,
                textBorderWidth: chart.narrow ? 3 : 0}, z: chart.narrow ? 10 : 0},
        dataZoom: [...zoomX(0, {bottom: 8}, {filterMode: "none", minSpan: 0.0001}),
            ...(names.length > shown ? zoomY(0, {right: 4}, {filterMode: "none", startValue: 0,
                endValue: shown - 1, zoomLock: false}) : [])],
        series: all.labels.map((label, i) => ({type: "custom", id: `label-${i}`, name: label, color: hue(i),
            renderItem: draw(i), encode: {x: [0, 1], y: 2}, data: [], clip: true,
            progressive: 0})),
    });
    const fill = (chart) => {
        const series = boxes(chart);
        chart.plot.setOption({series: series.map((data, i) => ({id: `label-${i}`, data}))});
    };
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `Timeline of ${names.length} lanes over ${time(last)}`,
        height: 116 + LANE * shown, canvas: true, make,
        ready: (c) => {
            let waiting = false;
            fill(c);
            c.plot.on("datazoom", () => {
                if (!waiting)
                    requestAnimationFrame(() => {
                        waiting = false;
                        if (c.plot)
                            fill(c);
                    });
                waiting = true;
            });
        },
    });
    chart.lanes = all;
    return el("div", {}, chart.box, all.cut ? cutNote() : null);
};

function cutNote() {
    return el("p", {class: "note"}, "There are more rows than a page can hold: the last ones are not shown.");
}
