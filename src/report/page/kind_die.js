// SPDX-License-Identifier: Apache-2.0
/* A drawing of the die: CPUs in their clusters, managers above the bus, what answers below it. */

const STATES = {online: 0, offline: 1, locked: 2, absent: 3};

/** Boxes in a grid of `columns` of unit width; each has x, y, w, h, name, rows for its tip. */
function dieBoxes(panel, run) {
    const data = tables(panel);
    const boxes = [];
    const clusters = new Map();
    if (data.cpus) {
        const [cpu, cluster, slot] = ["cpu", "cluster", "slot"].map((name) => data.cpus.numbers(name));
        const state = data.cpus.texts("state");
        for (let i = 0; i < data.cpus.n; i++) {
            if (!clusters.has(cluster[i]))
                clusters.set(cluster[i], []);
            clusters.get(cluster[i]).push({cpu: cpu[i], slot: slot[i], state: state[i]});
        }
    }
    const most = Math.max(1, ...[...clusters.values()].map((list) => list.length));
    const inner = Math.ceil(Math.sqrt(most));
    const lines = Math.ceil(most / inner);
    const across = Math.max(1, Math.min(clusters.size,
        Math.ceil(Math.sqrt((clusters.size * 5 * (lines + 0.7)) / (inner + 0.4)))));
    const wide = 100 / across;
    const rows = Math.ceil(clusters.size / across);
    const tall = Math.min(4.4 + 2.8 * lines, 44 / Math.max(1, rows));
    let at = 0;
    for (const [cluster, list] of clusters) {
        const x = (at % across) * wide, y = Math.floor(at / across) * tall;
        boxes.push({x: x + 0.3, y: y + 0.4, w: wide - 0.6, h: tall - 0.8, what: "cluster",
            name: `cluster ${cluster}`, rows: [["CPUs", String(list.length)]]});
        list.forEach((one, k) => {
            const w = (wide - 1.2) / inner, h = (tall - 4) / lines;
            boxes.push({x: x + 0.6 + (k % inner) * w, y: y + 3.2 + Math.floor(k / inner) * h, w, h,
                what: one.state, name: `cpu ${one.cpu}`, letter: String(one.cpu),
                rows: [["cluster", String(cluster)], ["slot", String(one.slot)],
                    ["state", one.state]]});
        });
        at++;
    }
    let y = rows * tall + 2;
    y = dieManagers(data, boxes, y, run);
    const busy = run.summary.bus_busy;
    boxes.push({x: 0.3, y, w: 99.4, h: 4.4, what: "bus", rows: [], name: `bus, ${exact(run.clock_mhz)} MHz` +
        (busy === undefined ? "" : `, busy ${percent(busy, 3)} of the time`)});
    y += 6.2;
    const below = [];
    for (const list of Object.keys(data).filter((query) => query.endsWith("units"))) {
        const units = data[list], name = units.texts("name");
        for (let i = 0; i < units.n; i++)
            below.push({name: name[i], rows: units.names.filter((key) => key !== "name")
                .map((key) => [key, exact(units.numbers(key)[i])])});
    }
    below.push({name: "memory", rows: []});
    dieRow(boxes, below, y, "target");
    return boxes;
}

function dieRow(boxes, list, y, what) {
    const w = 100 / list.length;
    list.forEach((one, i) => boxes.push({x: i * w + 0.3, y, w: w - 0.6, h: 5, what, ...one}));
}

/** CPUs' own ports are as many as CPUs: where there are many managers only the busiest. */
function dieManagers(data, boxes, y, run) {
    if (!data.managers)
        return y;
    const names = data.managers.texts("name");
    const list = names.map((name, i) => ({
        name, held: data.managers.numbers("held")[i],
        more: `${bytes(data.managers.numbers("bytes")[i])}, ${percent(data.managers.numbers("held")[i] / run.last, 2)}`,
        rows: ["transactions", "bytes", "errors", "wait", "held"].map((key) =>
            [{wait: "bus cycles it waited", held: "bus cycles it held the bus"}[key] || key,
                exact(data.managers.numbers(key)[i])]),
    })).sort((a, b) => b.held - a.held).slice(0, 12).sort((a, b) => byName(a.name, b.name));
    dieRow(boxes, list, y, "manager");
    return y + 6.8;
}

CS.kinds.die = (panel, run) => {
    const boxes = dieBoxes(panel, run);
    const deepest = Math.max(...boxes.map((box) => box.y + box.h));
    const last = run.last;
    const paint = (box) => {
        const c = ink();
        if (box.what === "cluster" || box.what === "target")
            return {fill: c.box, stroke: c.line};
        if (box.what === "bus")
            return {fill: c.soft, stroke: c.soft};
        if (box.what === "manager")
            return {fill: echarts.color.modifyAlpha(hue(1), 0.25 + 0.75 * Math.min(1, box.held / last)),
                stroke: hue(1)};
        return {fill: echarts.color.modifyAlpha(hue(STATES[box.what] === 0 ? 0 : 7),
            STATES[box.what] === 3 ? 0.08 : 0.3), stroke: hue(STATES[box.what] === 0 ? 0 : 7),
            lineDash: STATES[box.what] > 0 ? [3, 3] : null};
    };
    const draw = (params, api) => {
        const box = boxes[params.dataIndex];
        const [x, y] = api.coord([box.x, box.y]);
        const [w, h] = api.size([box.w, box.h]);
        const small = box.letter !== undefined;
        const full = box.more === undefined ? box.name : `${box.name}: ${box.more}`;
        const name = small && w < 50 ? box.letter : full.length * 6.6 <= w ? full : box.name;
        const style = paint(box);
        const room = name.length * 6.6 <= w && h >= 11;
        return {type: "group", children: [
            {type: "rect", shape: {x, y, width: w - (small ? 1 : 0), height: h - (small ? 1 : 0), r: 2},
                style},
            room ? {type: "text", style: {text: name, x: x + w / 2,
                y: box.what === "cluster" ? y + 2 : y + h / 2, align: "center",
                verticalAlign: box.what === "cluster" ? "top" : "middle", fontSize: small ? 11 : 12,
                fill: box.what === "bus" ? ink().back : ink().text}} : null,
        ].filter(Boolean)};
    };
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `Drawing of the die with ${boxes.filter((b) => b.what in STATES).length} CPUs`,
        height: Math.round(20 + 5.2 * deepest),
        make: () => ({
            grid: {left: 4, right: 4, top: 4, bottom: 4},
            xAxis: {type: "value", min: 0, max: 100, show: false},
            yAxis: {type: "value", min: 0, max: deepest, inverse: true, show: false},
            tooltip: {formatter: (p) => tip(boxes[p.dataIndex].name, boxes[p.dataIndex].rows)},
            series: [{type: "custom", name: "die", renderItem: draw,
                data: boxes.map((box) => ({name: box.name, value: [box.x, box.y]}))}],
        }),
    });
    return el("div", {}, chart.box, dieLegend(boxes));
};

function dieLegend(boxes) {
    const states = unique(boxes.map((box) => box.what).filter((what) => what in STATES));
    return el("p", {class: "note"}, `CPUs: ${states.map((state) =>
        `${boxes.filter((box) => box.what === state).length} ${state}`).join(", ")}.`);
}
