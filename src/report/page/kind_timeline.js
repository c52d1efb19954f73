/* The timeline: a lane a row, a series a label. */

const LANE = 22; // pixels
const MOST_LANES = 26; // at a time
const LEVELS = 5; // of how busy a box is that stands for several

CS.kinds.timeline = (panel, run) => {
    const last = run.last / run.clock_mhz;
    const all = lanesOf(panel, run.clock_mhz);
    const names = all.lanes.map((lane) => `${lane.owner} · ${lane.name}`);
    const shown = Math.min(names.length, MOST_LANES);

    /** What is in view: of each label a list of {lane, level, boxes: [[start, stop, count, busy]]}. All
     * boxes of a lane and label that are as busy are one shape: the library has little to carry then. */
    const inView = (chart) => {
        const x = chart.zoom("x"), y = chart.zoom("y") || {start: 0, end: 100};
        const from = (last * x.start) / 100, to = (last * x.end) / 100;
        const first = Math.max(0, Math.floor((names.length * y.start) / 100) - 1);
        const end = Math.ceil((names.length * y.end) / 100);
        const series = all.labels.map(() => new Map());
        for (let k = first; k <= end && k < all.lanes.length; k++)
            seenOf(all.lanes[k], from, to, (1.5 * (to - from)) / Math.max(200, chart.width),
                all.labels.length, (start, stop, label, count, busy) => {
                    const level = count === 1 || stop <= start ? LEVELS
                        : Math.round((LEVELS * busy) / (stop - start));
                    const key = k * (LEVELS + 1) + level;
                    if (!series[label].has(key))
                        series[label].set(key, {lane: k, level, boxes: []});
                    series[label].get(key).boxes.push([start, stop, count, busy]);
                });
        return series.map((shapes) => [...shapes.values()]);
    };
    const draw = (chart, label) => (params, api) => {
        const shape = chart.shapes[label][params.dataIndex];
        const {x, y, width, height} = params.coordSys;
        const [zero, middle] = api.coord([0, shape.lane]);
        const [micro, row] = api.size([1, 1]);
        const tall = Math.max(4, row * 0.72);
        if (middle < y || middle > y + height)
            return null;
        const data = shape.boxes.map(([start, stop]) => {
            const left = Math.max(x, zero + start * micro);
            const right = Math.min(x + width, Math.max(zero + stop * micro, zero + start * micro + 1.5));
            return right > left ? `M${left} ${middle - tall / 2}h${right - left}v${tall}h${left - right}z` : "";
        }).join("");
        return data === "" ? null : {type: "path", shape: {pathData: data},
            style: {fill: hue(label), opacity: 0.35 + (0.65 * shape.level) / LEVELS}};
    };
    const about = (chart) => (p) => {
        const {lane, boxes} = chart.shapes[p.seriesIndex][p.dataIndex];
        const far = ([start, stop]) => Math.max(start - chart.pointer, chart.pointer - stop);
        const [start, stop, count, busy] = boxes.reduce((best, box) => (far(box) < far(best) ? box : best));
        return tip(`${names[lane]}: ${p.seriesName}`, [
            ["from", time(start)], ["to", time(stop)], ["cycles", `${exact(Math.round(start *
                run.clock_mhz))} to ${exact(Math.round(stop * run.clock_mhz))}`],
            stop > start ? ["length", time(stop - start)] : null,
            count > 1 ? ["together", `${count}, ${percent(busy / (stop - start || 1))} of it`] : null]);
    };
    const make = (chart) => ({
        grid: {left: chart.narrow ? 8 : 178, right: 34, top: 40, bottom: 74},
        legend: {type: "scroll", top: 4, data: all.labels},
        tooltip: {confine: true, formatter: about(chart)},
        xAxis: timeAxis(last),
        yAxis: {type: "category", inverse: true, data: names, axisTick: {show: false},
            axisLabel: {inside: chart.narrow, width: 168, overflow: "truncate",
                fontSize: 11, interval: 0, textBorderColor: ink().back,
                textBorderWidth: chart.narrow ? 3 : 0}, z: chart.narrow ? 10 : 0},
        dataZoom: [...zoomX(0, {bottom: 8}, {filterMode: "none", minSpan: 0.0001}),
            ...(names.length > shown ? zoomY(0, {right: 4}, {filterMode: "none", start: 0,
                end: (100 * (shown - 1)) / (names.length - 1)}) : [])],
        series: all.labels.map((label, i) => ({type: "custom", id: `label-${i}`, name: label, color: hue(i),
            renderItem: draw(chart, i), encode: {x: 0, y: 1}, data: [], emphasis: {disabled: true},
            progressive: 0})),
    });
    const fill = (chart) => {
        chart.shapes = inView(chart);
        chart.plot.setOption({series: chart.shapes.map((shapes, i) => ({id: `label-${i}`,
            data: shapes.map(({lane, boxes}) => [boxes[0][0], lane])}))});
    };
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `Timeline of ${names.length} lanes over ${time(last)}`,
        height: 116 + LANE * shown, canvas: true, make,
        ready: (c) => {
            let waiting = false;
            fill(c);
            c.plot.getZr().on("mousemove", (event) => {
                c.pointer = c.plot.convertFromPixel({xAxisIndex: 0}, event.offsetX);
            });
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
