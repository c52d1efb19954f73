// SPDX-License-Identifier: Apache-2.0
/* A sweep: any key against any figure, and the Pareto front. */

/** The figures that the sweep's own file names. */
function wantedFigures(text) {
    const list = /^figures:\s*\[([^\]]*)\]/m.exec(text);
    return list ? list[1].split(",").map((name) => name.trim()) : [];
}

/** Each figure once, though a sweep may have it in nanoseconds and in seconds: that of `wanted`, else the first. */
function eachOnce(names, said, wanted) {
    const by = new Map();
    for (const name of names)
        if (!by.has(said(name)) || (wanted.includes(name) && !wanted.includes(by.get(said(name)))))
            by.set(said(name), name);
    return [...by.values()];
}

/** Points of which none is better in both; `signs`: 1 where lower is better, -1 where higher is. */
function paretoFront(points, signs) {
    const sorted = [...points].sort((a, b) => signs[0] * (a.x - b.x) || signs[1] * (a.y - b.y));
    let best = Infinity;
    return sorted.filter((point) => {
        const good = signs[1] * point.y < best;
        best = good ? signs[1] * point.y : best;
        return good;
    });
}

/** Whether values are that far apart that a logarithmic axis shows more. */
function isWide(values) {
    const some = values.filter((v) => typeof v === "number" && isFinite(v));
    const least = Math.min(...some);
    return some.length > 1 && least > 0 && Math.max(...some) > 50 * least;
}

function meanOf(values) {
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    const squares = values.reduce((sum, v) => sum + (v - mean) ** 2, 0);
    return {mean, spread: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0};
}

/** Rows that differ in the seed alone, as one: the mean, and in `spread` the standard deviation. */
function overSeeds(rows, others) {
    const groups = new Map();
    for (const row of rows) {
        const key = others(row.i);
        groups.set(key, [...(groups.get(key) || []), row]);
    }
    return [...groups.values()].map((group) => {
        const both = ["x", "y"].map((way) => (typeof group[0][way] === "string"
            ? {mean: group[0][way], spread: 0} : meanOf(group.map((row) => row[way]))));
        return {...group[0], x: both[0].mean, y: both[1].mean, of: group.length,
            spread: both.map((one) => one.spread)};
    });
}

/** Bars of a standard deviation to each side of the points. */
function spreadSeries(rows, log) {
    const ends = (value, spread, isLog) => [isLog ? Math.max(value - spread, value / 10) : value - spread,
        value + spread];
    return {type: "custom", name: "spread", silent: true, clip: true, z: 1, itemStyle: {color: ink().text},
        encode: {x: 0, y: [1, 4]}, // so that the axis has room for the bars
        data: rows.map((row) => [row.x, row.y, ...row.spread, row.y + row.spread[1]]),
        renderItem: (params, api) => {
            const at = [api.value(0), api.value(1)];
            const lines = [0, 1].filter((way) => api.value(2 + way) > 0).map((way) => {
                const [from, to] = ends(at[way], api.value(2 + way), way === 0 ? log.x : log.y)
                    .map((end) => api.coord(way === 0 ? [end, at[1]] : [at[0], end]));
                return {type: "line", shape: {x1: from[0], y1: from[1], x2: to[0], y2: to[1]},
                    style: {stroke: ink().text, lineWidth: 1.2}};
            });
            return {type: "group", children: lines};
        }};
}

function sweepSection(item, id) {
    const points = new Table(item.points);
    const keys = new Table(item.keys).texts("name");
    const about = new Table(item.about);
    const skipped = new Set(["point", "error", "wall_s"]);
    const figures = points.names.filter((name) => !keys.includes(name) && !skipped.has(name) &&
        !points.isText(name));
    const wanted = wantedFigures(about.texts("file")[0]);
    const columns = [...keys, ...eachOnce(figures, figureName, [...wanted, ...COSTS, ...MISSES])];
    const numeric = columns.filter((name) => !points.isText(name));
    const varied = (name) => new Set(points.isText(name) ? points.texts(name) : points.numbers(name)).size > 1;
    const differs = (name) => numeric.includes(name) && changes(Array.from(points.numbers(name)).filter(isFinite));
    /* The first two figures that its file names and that differ; else what is looked at of ways. */
    const own = wanted.filter(differs);
    const usual = [COSTS, MISSES].map((list) => list.find(differs)).filter(Boolean);
    const key = keys.find((name) => varied(name) && name !== "seed");
    const [first, second] = unique([...own, ...(own.length === 1 && key ? [key] : []), ...usual,
        ...numeric.filter((name) => varied(name) && name !== "seed"), ...columns]);
    /* A key is what a figure is plotted over. */
    const chosen = keys.includes(second) ? {x: second, y: first} : {x: first, y: second || first};
    chosen.colour = key || keys[0];
    const others = keys.filter((name) => name !== "seed");
    const manySeeds = keys.includes("seed") && varied("seed") && others.some(varied);
    const log = {x: false, y: false}, signs = [1, 1];
    const choose = (way) => {
        log[way] = false;
        log[way] = isWide(rowsOf().map((row) => row[way]));
    };
    let front = true, over = manySeeds;

    /* A key as it is typed; a figure as words. */
    const said = (name) => (keys.includes(name) ? name : figureName(name));
    const valueOf = (name, i) => (points.isText(name) ? points.texts(name)[i] : points.numbers(name)[i]);
    const rowsOf = () => (over ? overSeeds(everyRow(), (i) => others.map((name) => valueOf(name, i)).join("\n"))
        : everyRow());
    const everyRow = () => Array.from({length: points.n}, (_, i) => ({i, x: valueOf(chosen.x, i),
        y: valueOf(chosen.y, i), colour: String(valueOf(chosen.colour, i))}))
        .filter((row) => [row.x, row.y].every((v) => typeof v === "string" || isFinite(v)))
        .filter((row) => !(log.x && row.x <= 0) && !(log.y && row.y <= 0));
    const axis = (name, way, more) => ({
        type: points.isText(name) ? "category" : log[way] ? "log" : "value", name: said(name),
        nameLocation: "middle", scale: keys.includes(name), min: keys.includes(name) || log[way] ? null : fromZero,
        axisLabel: {hideOverlap: true, formatter: (v) => readable(name, v)}, ...more});
    const plusMinus = (row, way) => `${readable(chosen[way], row[way])} ± ` +
        readable(chosen[way], row.spread[way === "x" ? 0 : 1]);
    const about1 = (row) => (row.of === undefined
        ? tip(`point ${points.numbers("point")[row.i]}`, unique([...keys, chosen.x, chosen.y])
            .map((name) => [said(name), readable(name, valueOf(name, row.i))]))
        : tip(`mean of ${row.of} seeds`, [...others.map((name) => [said(name),
            readable(name, valueOf(name, row.i))]), ...["x", "y"].filter((way) =>
            typeof row[way] === "number" && chosen[way] !== "seed").map((way) =>
            [said(chosen[way]), plusMinus(row, way)])]));
    const shown = (row) => ({value: [row.x, row.y], i: row.i, row});

    const make = (chart) => {
        const rows = rowsOf();
        const groups = unique(rows.map((row) => row.colour)).sort(byName);
        const many = groups.length > 12;
        const best = front && [chosen.x, chosen.y].every((name) => !points.isText(name))
            ? paretoFront(rows, signs) : [];
        chart.front = best.map((row) => points.numbers("point")[row.i]);
        chart.rows = rows;
        const shownGroup = (group) => readable(chosen.colour,
            points.isText(chosen.colour) ? group : Number(group));
        const symbol = ["circle", "triangle", "diamond", "rect", "pin", "arrow"];
        return {
            grid: {left: 84, right: many ? 100 : 30, top: 62, bottom: 76},
            title: {text: many ? "" : `${said(chosen.colour)}:`, left: 8, top: 2,
                textStyle: {fontSize: 12, fontWeight: "normal", color: ink().text}},
            legend: {type: "plain", top: 22, left: 4, right: 8, show: !many, itemGap: 14,
                data: many ? [] : [...groups.map(shownGroup), "Pareto front"]},
            tooltip: {confine: true, formatter: (p) => (p.data.row === undefined ? "" : about1(p.data.row))},
            xAxis: axis(chosen.x, "x", {nameGap: 30}),
            yAxis: axis(chosen.y, "y", {nameGap: 66}),
            dataZoom: zoomX(0, {bottom: 8}, {filterMode: "none"}).concat(zoomY(0, null,
                {filterMode: "none"})),
            series: [...(many ? [{type: "scatter", name: "points", symbolSize: 9, color: hue(0),
                data: rows.map(shown)}]
                : groups.map((group, k) => ({type: "scatter", name: shownGroup(group),
                    symbol: symbol[k % symbol.length], symbolSize: 10,
                    color: hue(k), data: rows.filter((row) => row.colour === group).map(shown)}))),
            ...(over ? [spreadSeries(rows, log)] : []),
            /* Rings around the points, which keep their colour. */
            ...(best.length > 0 ? [{type: "line", name: "Pareto front", step: signs[0] > 0 ? "end" : "start",
                symbol: "circle", symbolSize: 18, lineStyle: {type: "dashed", width: 1.5, color: ink().text},
                itemStyle: {color: "transparent", borderColor: ink().text, borderWidth: 1.5}, z: 1,
                data: best.map(shown)}] : [])],
        };
    };
    const chart = new Chart(`${id}-points`, {label: `${item.name}: ${points.n} points`, height: 480, make});
    choose("x");
    choose("y");
    const ticks = {};
    const set = (name, list) => chooser(name, list.map(said), (i) => {
        chosen[name] = list[i];
        if (name in log) {
            choose(name);
            ticks[name].querySelector("input").checked = log[name];
        }
        chart.renew();
    }, list.indexOf(chosen[name]));
    const tick = (label, on, change) => checker(label, on, (checked) => {
        change(checked);
        chart.renew();
    });
    const all = about.numbers("points")[0];
    return el("section", {class: "panel", id}, el("h2", {}, `Sweep ${about.texts("name")[0]}`),
        el("p", {class: "about"}, (about.texts("text")[0] || "").replace(/([^.])\.?$/, "$1. ") +
            `${points.n} of ${all} points${points.n < all ? ": the others have failed, or are still missing" : ""}. Pareto front: ` +
            "points that no other point beats on both axes." + (manySeeds ? " Over seeds: the mean, with bars of " +
            "one standard deviation to each side." : "")),
        el("div", {class: "tools"}, set("x", columns), set("y", columns), set("colour", keys),
            ticks.x = tick("log x", log.x, (on) => { log.x = on; }),
            ticks.y = tick("log y", log.y, (on) => { log.y = on; }),
            manySeeds ? tick("mean over seeds", over, (on) => { over = on; }) : null,
            tick("front", true, (on) => { front = on; }),
            tick("more x is better", false, (on) => { signs[0] = on ? -1 : 1; }),
            tick("more y is better", false, (on) => { signs[1] = on ? -1 : 1; })),
        chart.box, ...tableButton(`${id}-table`, item.name, () => [{title: item.name, n: points.n,
            head: ["point", ...columns.map(said)],
            at: (i) => [exact(points.numbers("point")[i]), ...columns.map((name) =>
                readable(name, valueOf(name, i)))]}]));
}
