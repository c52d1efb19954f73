/* A sweep: any key against any figure, and the Pareto front. */

const COST_FIGURES = ["stolen_share", "software_fraction", "blind_fraction", "bus_busy"];
const ERROR_FIGURES = ["mean_error", "share_error", "most_error", "skew_s"];

/** The figures that the sweep's own file names. */
function wantedFigures(text) {
    const list = /^figures:\s*\[([^\]]*)\]/m.exec(text);
    return list ? list[1].split(",").map((name) => name.trim()) : [];
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

function sweepSection(item, id) {
    const points = new Table(item.points);
    const keys = new Table(item.keys).texts("name");
    const about = new Table(item.about);
    const skipped = new Set(["point", "error", "wall_s"]);
    const columns = [...keys, ...points.names.filter((name) => !keys.includes(name) &&
        !skipped.has(name) && !points.isText(name))];
    const numeric = columns.filter((name) => !points.isText(name));
    const varied = (name) => new Set(points.isText(name) ? points.texts(name) : points.numbers(name)).size > 1;
    const own = wantedFigures(about.texts("file")[0]).filter((name) => numeric.includes(name) && varied(name));
    const pick = (wanted, otherwise) => wanted.find((name) => own.includes(name)) || otherwise ||
        wanted.find((name) => numeric.includes(name) && varied(name));
    const chosen = {x: pick(COST_FIGURES, own[0]) || numeric.find(varied) || columns[0],
        y: pick(ERROR_FIGURES, own[1]) || numeric.filter(varied).pop() || columns[0],
        colour: keys.find(varied) || keys[0]};
    const log = {x: false, y: false}, signs = [1, 1];
    let front = true;

    const valueOf = (name, i) => (points.isText(name) ? points.texts(name)[i] : points.numbers(name)[i]);
    const rowsOf = () => Array.from({length: points.n}, (_, i) => ({i, x: valueOf(chosen.x, i),
        y: valueOf(chosen.y, i), colour: String(valueOf(chosen.colour, i))}))
        .filter((row) => [row.x, row.y].every((v) => typeof v === "string" || isFinite(v)))
        .filter((row) => !(log.x && row.x <= 0) && !(log.y && row.y <= 0));
    const axis = (name, way, more) => ({
        type: points.isText(name) ? "category" : log[way] ? "log" : "value", name: name.replace(/_/g, " "),
        nameLocation: "middle", scale: true,
        axisLabel: {hideOverlap: true, formatter: (v) => readable(name, v)}, ...more});
    const about1 = (i) => tip(`point ${points.numbers("point")[i]}`, unique([...keys, chosen.x, chosen.y])
        .map((name) => [name.replace(/_/g, " "), readable(name, valueOf(name, i))]));

    const make = (chart) => {
        const rows = rowsOf();
        const groups = unique(rows.map((row) => row.colour)).sort(byName);
        const many = groups.length > 12;
        const best = front && [chosen.x, chosen.y].every((name) => !points.isText(name))
            ? paretoFront(rows, signs) : [];
        chart.front = best.map((row) => points.numbers("point")[row.i]);
        chart.rows = rows;
        const symbol = ["circle", "triangle", "diamond", "rect", "pin", "arrow"];
        return {
            grid: {left: 84, right: many ? 100 : 30, top: 40, bottom: 76},
            legend: {type: "scroll", top: 4, show: !many},
            tooltip: {confine: true, formatter: (p) => (p.data.i === undefined ? "" : about1(p.data.i))},
            xAxis: axis(chosen.x, "x", {nameGap: 30}),
            yAxis: axis(chosen.y, "y", {nameGap: 66}),
            dataZoom: zoomX(0, {bottom: 8}, {filterMode: "none"}).concat(zoomY(0, null,
                {filterMode: "none"})),
            series: [...(many ? [{type: "scatter", name: "points", symbolSize: 9, color: hue(0),
                data: rows.map((row) => ({value: [row.x, row.y], i: row.i}))}]
                : groups.map((group, k) => ({type: "scatter", name: `${chosen.colour} = ${readable(chosen.colour,
                    points.isText(chosen.colour) ? group : Number(group))}`,
                    symbol: symbol[k % symbol.length], symbolSize: 10,
                    color: hue(k), data: rows.filter((row) => row.colour === group)
                        .map((row) => ({value: [row.x, row.y], i: row.i}))}))),
            ...(best.length > 0 ? [{type: "line", name: "Pareto front", step: signs[0] > 0 ? "end" : "start",
                symbol: "emptyCircle", symbolSize: 16, color: ink().text, lineStyle: {type: "dashed",
                    width: 1.5}, data: best.map((row) => ({value: [row.x, row.y], i: row.i}))}] : [])],
        };
    };
    const chart = new Chart(`${id}-points`, {label: `${item.name}: ${points.n} points`, height: 480, make});
    const set = (name, list) => chooser(name, list.map((key) => key.replace(/_/g, " ")), (i) => {
        chosen[name] = list[i];
        chart.renew();
    }, list.indexOf(chosen[name]));
    const tick = (label, on, change) => checker(label, on, (checked) => {
        change(checked);
        chart.renew();
    });
    const all = about.numbers("points")[0];
    return el("section", {class: "panel", id}, el("h2", {}, `Sweep ${item.name}`),
        el("p", {class: "about"}, `${(about.texts("text")[0] || "").replace(/\.?$/, ".")} ` +
            `${points.n} of ${all} points${points.n < all ? ": the others have failed, or are still missing" : ""}. On the front are ` +
            "the points than which none is better in both."),
        el("div", {class: "tools"}, set("x", columns), set("y", columns), set("colour", keys),
            tick("log x", false, (on) => { log.x = on; }), tick("log y", false, (on) => { log.y = on; }),
            tick("front", true, (on) => { front = on; }),
            tick("more x is better", false, (on) => { signs[0] = on ? -1 : 1; }),
            tick("more y is better", false, (on) => { signs[1] = on ? -1 : 1; })),
        chart.box, ...tableButton(`${id}-table`, item.name, () => [{title: item.name, n: points.n,
            head: ["point", ...columns.map((name) => name.replace(/_/g, " "))],
            at: (i) => [exact(points.numbers("point")[i]), ...columns.map((name) =>
                readable(name, valueOf(name, i)))]}]));
}
