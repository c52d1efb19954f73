// SPDX-License-Identifier: Apache-2.0
/* A flame graph: samples upwards, what a perfect profiler had got hanging below. */

/** A tree of {name, samples, expected, children}; a node's numbers hold those below it. */
function callTree(table) {
    const root = {name: "all", samples: 0, expected: 0, children: new Map()};
    const roots = table.texts("root"), stacks = table.texts("stack");
    const samples = table.numbers("samples"), expected = table.numbers("expected");
    for (let i = 0; i < table.n; i++) {
        let node = root;
        const add = (to) => {
            to.samples += samples[i];
            to.expected += expected[i];
        };
        add(root);
        for (const name of [roots[i], ...stacks[i].split(";")]) {
            if (!node.children.has(name))
                node.children.set(name, {name, samples: 0, expected: 0, children: new Map(), above: node});
            node = node.children.get(name);
            add(node);
        }
    }
    return root;
}

/** Boxes [from, to, depth, node] of the node and all below it, in shares of it. */
function flameBoxes(node, key, from, depth, whole, out) {
    const to = from + node[key] / whole;
    if (!(to > from))
        return to;
    out.push([from, to, depth, node]);
    let at = from;
    for (const child of [...node.children.values()].sort((a, b) => byName(a.name, b.name)))
        at = flameBoxes(child, key, at, depth + 1, whole, out);
    return to;
}

function flameColour(name) {
    let hash = 0;
    for (const c of name)
        hash = (hash * 31 + c.charCodeAt(0)) % 997;
    return echarts.color.modifyHSL("#e69f00", 26 + (hash % 26), 0.85, (CS.theme === "dark" ? 0.42 : 0.6) +
        (hash % 7) / 60);
}

CS.kinds.flame = (panel, run) => {
    const tree = callTree(tables(panel).paths);
    let focus = tree;
    const boxesOf = () => {
        const up = [], down = [];
        flameBoxes(focus, "samples", 0, 0, focus.samples || 1, up);
        flameBoxes(focus, "expected", 0, 0, focus.expected || 1, down);
        return [...up, ...down.map(([from, to, depth, node]) => [from, to, -1 - depth, node])];
    };
    const deepOf = (node) => 1 + Math.max(0, ...[...node.children.values()].map(deepOf));
    const deep = deepOf(tree);
    let boxes = boxesOf();

    const draw = (params, api) => {
        const [from, to, depth, node] = boxes[params.dataIndex];
        const [x0, y0] = api.coord([100 * from, depth + 1]);
        const [x1, y1] = api.coord([100 * to, depth]);
        const shape = echarts.graphic.clipRectByRect({x: x0, y: y0, width: x1 - x0, height: y1 - y0},
            params.coordSys);
        return shape && {type: "rect", shape, style: {fill: flameColour(node.name), stroke: ink().back},
            textContent: {style: {text: shape.width > 28 ? node.name : "", fill: CS.theme === "dark"
                ? "#fff" : "#222", fontSize: 11, width: shape.width - 6, overflow: "truncate"}},
            textConfig: {position: "inside"}};
    };
    const make = () => ({
        grid: {left: 66, right: 16, top: 10, bottom: 50},
        tooltip: {confine: true, formatter: (p) => {
            const node = boxes[p.dataIndex][3];
            return tip(node.name, [["samples", exact(node.samples)],
                ["of a perfect profiler", exact(Number(trimmed(node.expected, 5)))],
                ["sampled share", percent(node.samples / tree.samples)],
                ["true share", percent(node.expected / tree.expected)]]);
        }},
        xAxis: {type: "value", min: 0, max: 100, name: "share (%)", nameLocation: "middle", nameGap: 30,
            splitLine: {show: false}},
        yAxis: {type: "value", min: -deep, max: deep, interval: deep, splitLine: {show: false},
            axisLabel: {formatter: (v) => (v > 0 ? "sampled" : v < 0 ? "true" : ""), color: ink().text}},
        dataZoom: zoomX(0, null, {filterMode: "none"}),
        series: [{type: "custom", name: "calls", renderItem: draw, encode: {x: [0, 1], y: 2}, clip: true,
            data: boxes.map(([from, to, depth, node]) => ({name: node.name,
                value: [100 * from, 100 * to, depth]}))}],
    });
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `${panel.title}: ${boxes.length} boxes`, height: 90 + 44 * deep, make,
        ready: (c) => c.plot.on("click", (p) => {
            const node = boxes[p.dataIndex][3];
            focus = node === focus && node.above ? node.above : node;
            boxes = boxesOf();
            setTimeout(() => c.renew());
        }),
    });
    chart.tree = tree;
    return el("div", {}, el("div", {class: "tools"}, el("button", {type: "button", click: () => {
        focus = tree;
        boxes = boxesOf();
        chart.renew();
    }}, "show all")), chart.box);
};
