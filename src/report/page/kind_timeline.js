// SPDX-License-Identifier: Apache-2.0
/* The timeline: a lane a row, a series for each kind of box. */

const LANE = 22; // pixels
const MOST_LANES = 26; // at a time
const LEVELS = 5; // of how busy a box is that stands for several

/* Boxes have the colour of their lane's kind, but these their own. States of one kind differ by their shade. */
const OWN_KIND = new Set(["counting", "blind", "lost", "all full"]);
const KIND_HUES = {counting: 0, blind: 1, state: 7, interrupt: 4, software: 3, process: 5, "guest process": 2,
    lost: 6, "all full": 6, off: 6, move: 1};
const SHADES = [0.9, 0.55, 0.72];

/** {kinds: [names], kindOf: [of each label, by lane name]} */
function kindsOf(all) {
    const kinds = [], shades = new Map(), counts = new Map();
    const of = (lane, label) => {
        const text = all.labels[label];
        const kind = OWN_KIND.has(text) ? text : lane.name;
        if (!kinds.includes(kind))
            kinds.push(kind);
        const key = `${kind}\n${label}`;
        if (!shades.has(key)) {
            const nth = counts.get(kind) || 0;
            counts.set(kind, nth + 1);
            shades.set(key, text === "IDLE" ? 0.15 : /^(state|.*process)$/.test(kind) ? SHADES[nth % 3] : 1);
        }
        return {kind: kinds.indexOf(kind), shade: shades.get(key)};
    };
    for (const lane of all.lanes)
        for (const label of new Set(lane.labels.subarray(0, lane.n)))
            of(lane, label);
    return {kinds, of};
}

function kindHue(kind) {
    return hue(kind in KIND_HUES ? KIND_HUES[kind] : 2);
}

/** The next box of a label after `at` (direction 1), or the last one before it (-1): [start, stop, lane]. */
function nextBox(all, label, at, direction) {
    let best = null;
    all.lanes.forEach((lane, k) => {
        let i = lane.firstFrom(at);
        for (i = direction > 0 ? i : i - 1; i >= 0 && i < lane.n; i += direction)
            if (lane.labels[i] === label && direction * (lane.starts[i] - at) > 1e-9) {
                if (best === null || direction * (best[0] - lane.starts[i]) > 0)
                    best = [lane.starts[i], lane.stops[i], k];
                break;
            }
    });
    return best;
}

/** A chooser of labels, and buttons that go from one box of it to the next. */
function jumpTools(chart, all, last) {
    const first = ["blind", "lost", "all full"].find((label) => all.labels.includes(label));
    let chosen = Math.max(0, all.labels.indexOf(first)), at = null;
    chart.jump = (direction) => {
        const x = chart.zoom("x");
        const [from, to] = [(last * x.start) / 100, (last * x.end) / 100];
        /* From the box that it went to, or from the edge of what is in view. */
        const start = at !== null && at >= from && at <= to ? at : direction > 0 ? from - 1e-6 : to;
        const box = nextBox(all, chosen, start, direction);
        if (box === null)
            return true;
        at = box[0];
        const half = Math.max(3 * (box[1] - box[0]), 20 / chart.mhz);
        const middle = (box[0] + box[1]) / 2;
        const left = Math.max(0, Math.min(last - 2 * half, middle - half));
        chart.zoomTo("x", (100 * left) / last, (100 * Math.min(last, left + 2 * half)) / last);
        chart.showLane(box[2]);
        return true;
    };
    const button = (text, name, direction) => el("button", {type: "button", "aria-label": name, title: name,
        click: () => chart.jump(direction)}, text);
    return el("div", {class: "tools"}, chooser("go to", all.labels, (i) => {
        chosen = i;
        at = null;
    }, chosen), button("◂", "previous", -1), button("▸", "next", 1));
}

CS.kinds.timeline = (panel, run) => {
    const last = run.last / run.clock_mhz;
    const all = lanesOf(panel, run.clock_mhz);
    const {kinds, of} = kindsOf(all);
    const names = all.lanes.map((lane) => `${lane.owner} · ${lane.name}`);
    const shown = Math.min(names.length, MOST_LANES);
    const isFirst = (k) => k === 0 || all.lanes[k - 1].owner !== all.lanes[k].owner;
    const part = opening(...all.lanes.reduce(([from, to], lane) => [Math.min(from, lane.starts[0]),
        lane.stops.subarray(0, lane.n).reduce((a, b) => Math.max(a, b), to)], [Infinity, 0]), last);
    let group = 0;
    const groups = all.lanes.map((_, k) => (k > 0 && isFirst(k) ? ++group : group)); // lanes of one owner

    /** What is in view: of each kind a list of {lane, level, shade, boxes: [[start, stop, count, busy, label]]}.
     * All boxes of a lane and kind that are as busy are one shape: the library has little to carry then. */
    const inView = (chart) => {
        const x = chart.zoom("x"), y = chart.zoom("y") || {start: 0, end: 100};
        const from = (last * x.start) / 100, to = (last * x.end) / 100;
        const first = Math.max(0, Math.floor((names.length * y.start) / 100) - 1);
        const end = Math.ceil((names.length * y.end) / 100);
        const series = kinds.map(() => new Map());
        for (let k = first; k <= end && k < all.lanes.length; k++)
            seenOf(all.lanes[k], from, to, (1.5 * (to - from)) / Math.max(200, chart.width),
                all.labels.length, (start, stop, label, count, busy) => {
                    const level = count === 1 || stop <= start ? LEVELS
                        : Math.round((LEVELS * busy) / (stop - start));
                    const {kind, shade} = of(all.lanes[k], label);
                    const key = `${k} ${level} ${shade}`;
                    if (!series[kind].has(key))
                        series[kind].set(key, {lane: k, level, shade, boxes: []});
                    series[kind].get(key).boxes.push([start, stop, count, busy, label]);
                });
        return series.map((shapes) => [...shapes.values()]);
    };
    const draw = (chart, kind) => (params, api) => {
        const shape = chart.shapes[kind][params.dataIndex];
        const {x, y, width, height} = params.coordSys;
        const [zero, middle] = api.coord([0, shape.lane]);
        const [micro, row] = api.size([1, 1]);
        const tall = Math.max(4, row * 0.72);
        const colour = kindHue(kinds[kind]);
        const opacity = shape.shade * (0.35 + (0.65 * shape.level) / LEVELS);
        if (middle < y || middle > y + height)
            return null;
        const words = [];
        const data = shape.boxes.map(([start, stop, count, , label]) => {
            const left = Math.max(x, zero + start * micro);
            const right = Math.min(x + width, Math.max(zero + stop * micro, zero + start * micro + 1.5));
            const text = all.labels[label];
            if (count === 1 && right - left > 6.4 * text.length + 8)
                words.push({type: "text", silent: true, style: {text, x: left + 4, y: middle, fontSize: 11,
                    verticalAlign: "middle", fill: inkOn(colour, opacity)}});
            const gap = right - left > 6 ? 1 : 0; // so that boxes that touch are seen as two
            return right > left ? `M${left} ${middle - tall / 2}h${right - left - gap}v${tall}h${left - right + gap}z` : "";
        }).join("");
        return data === "" ? null : {type: "group", children: [{type: "path", shape: {pathData: data},
            style: {fill: colour, opacity}}, ...words]};
    };
    /* A ground for every other owner, so that the lanes of one are seen together. */
    const ground = (params, api) => {
        const {x, y, width, height} = params.coordSys;
        const [from, to] = [api.value(0), api.value(1)];
        const row = api.size([1, 1])[1];
        const top = Math.max(y, api.coord([0, from])[1] - row / 2);
        const end = Math.min(y + height, api.coord([0, to])[1] + row / 2);
        return end <= top ? null : {type: "rect", shape: {x, y: top, width, height: end - top},
            style: {fill: ink().box, opacity: 0.7}};
    };
    const grounds = [];
    for (let k = 0; k < groups.length; k++)
        if (groups[k] % 2 === 0)
            if (isFirst(k))
                grounds.push([k, k]);
            else
                grounds[grounds.length - 1][1] = k;
    const about = (chart) => (p) => {
        const {lane, boxes} = chart.shapes[p.seriesIndex - 1][p.dataIndex];
        const far = ([start, stop]) => Math.max(start - chart.pointer, chart.pointer - stop);
        const [start, stop, count, busy, label] = boxes.reduce((best, box) => (far(box) < far(best) ? box : best));
        return tip(`${names[lane]}: ${all.labels[label]}`, [
            ["from", time(start)], ["to", time(stop)], ["bus cycles", `${exact(Math.round(start *
                run.clock_mhz))} to ${exact(Math.round(stop * run.clock_mhz))}`],
            stop > start ? ["length", time(stop - start)] : null,
            count > 1 ? ["together", `${count}, ${percent(busy / (stop - start || 1))} of it`] : null]);
    };
    const longest = 24 + 6.6 * Math.max(...names.map((name) => name.length));
    const roomFor = (chart) => Math.min(0.35 * chart.width, longest);
    const make = (chart) => ({
        grid: {left: chart.narrow ? 8 : roomFor(chart), right: 34, top: 34, bottom: 74},
        legend: {type: "scroll", top: 2, left: 4, itemGap: 14, data: kinds},
        tooltip: {confine: true, formatter: about(chart)},
        xAxis: timeAxis(last),
        yAxis: {type: "category", inverse: true, data: names, axisTick: {show: false}, axisLine: {show: false},
            axisLabel: {inside: chart.narrow, width: roomFor(chart) - 14, overflow: "truncate",
                fontSize: 11, interval: 0, textBorderColor: ink().back,
                textBorderWidth: chart.narrow ? 3 : 0,
                formatter: (name, k) => (isFirst(k) ? `{owner|${all.lanes[k].owner}}  ${all.lanes[k].name}`
                    : all.lanes[k].name),
                rich: {owner: {fontWeight: "bold", fontSize: 11, color: ink().text}}}, z: chart.narrow ? 10 : 0},
        dataZoom: [...zoomX(0, {bottom: 8}, {filterMode: "none", minSpan: 0.0001, ...part}),
            ...(names.length > shown ? zoomY(0, {right: 4}, {filterMode: "none", start: 0,
                end: (100 * (shown - 1)) / (names.length - 1)}) : [])],
        series: [{type: "custom", id: "ground", renderItem: ground, silent: true, z: 0, data: grounds,
            encode: {x: [], y: [0, 1]}, tooltip: {show: false}, clip: true},
        ...kinds.map((kind, i) => ({type: "custom", id: `kind-${i}`, name: kind, color: kindHue(kind),
            renderItem: draw(chart, i), encode: {x: 0, y: 1}, data: [], emphasis: {disabled: true},
            progressive: 0}))],
    });
    const fill = (chart) => {
        chart.shapes = inView(chart);
        chart.plot.setOption({series: chart.shapes.map((shapes, i) => ({id: `kind-${i}`,
            data: shapes.map(({lane, boxes}) => [boxes[0][0], lane])}))});
    };
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `Timeline of ${names.length} lanes over ${time(last)}`,
        height: 110 + LANE * shown, canvas: true, make,
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
    chart.mhz = run.clock_mhz;
    chart.lanes = all;
    chart.kinds = kinds;
    chart.showLane = (k) => {
        const y = chart.zoom("y");
        if (!y || (k >= (names.length * y.start) / 100 && k < (names.length * y.end) / 100))
            return;
        const half = (y.end - y.start) / 2;
        const start = Math.max(0, Math.min(100 - 2 * half, (100 * k) / names.length - half));
        chart.zoomTo("y", start, start + 2 * half);
    };
    return el("div", {}, jumpTools(chart, all, last), chart.box, all.cut ? cutNote() : null);
};

function cutNote() {
    return el("p", {class: "note"}, "There are more rows than a page can hold: the last ones are not shown.");
}
