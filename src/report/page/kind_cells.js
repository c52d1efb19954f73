// SPDX-License-Identifier: Apache-2.0
/* A map of rows over time, a colour a cell. It is one picture, painted anew at each zoom. */

function mapColour(share) {
    const at = Math.max(0, Math.min(1, share)) * (MAP.length - 1);
    const low = Math.floor(at), high = Math.min(MAP.length - 1, low + 1);
    const part = (colour, k) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
    return [0, 1, 2].map((k) => Math.round(part(MAP[low], k) +
        (at - low) * (part(MAP[high], k) - part(MAP[low], k))));
}

const MAP_COLOURS = Array.from({length: 256}, (_, i) => mapColour(i / 255));

CS.kinds.cells = (panel, run) => {
    const data = tables(panel);
    const cells = panel.data.cells;
    if (!cells)
        return null;
    const layers = data.layers.texts(data.layers.names[0]), rows = data.rows.texts("name");
    const bins = cells.bins, step = cells.step / run.clock_mhz, last = bins * step;
    const codes = new Map();
    let chosen = Math.max(0, cells.layers.findIndex((layer) => layer.high > layer.low)), zero = true;
    const picture = document.createElement("canvas");

    const layer = () => {
        if (!codes.has(chosen))
            codes.set(chosen, new Uint16Array(bytesOf(cells.layers[chosen].u16)));
        return codes.get(chosen);
    };
    const valueAt = (row, bin) => {
        const code = layer()[row * bins + bin];
        const {low, high} = cells.layers[chosen];
        return code === 0 ? null : low + ((code - 1) / 65534) * (high - low);
    };
    /* What the colours reach over: from zero, or from the lowest value to the highest. */
    const scale = () => {
        const {low, high} = cells.layers[chosen];
        const from = zero ? Math.min(0, low) : low, to = zero ? Math.max(0, high) : high;
        return [from, to > from ? to : from + 1];
    };
    const paint = (width, height, from, to, top, bottom) => {
        const {low, high} = cells.layers[chosen], [least, most] = scale();
        const colourOf = (code) => MAP_COLOURS[Math.round((255 * (low + ((code - 1) / 65534) * (high - low) -
            least)) / (most - least))] || MAP_COLOURS[0];
        picture.width = width;
        picture.height = height;
        const context = picture.getContext("2d");
        const image = context.createImageData(width, height);
        const now = layer();
        for (let y = 0; y < height; y++) {
            const row = Math.min(rows.length - 1, Math.floor(top + ((bottom - top) * (y + 0.5)) / height));
            for (let x = 0; x < width; x++) {
                const bin = Math.min(bins - 1, Math.floor(from + ((to - from) * (x + 0.5)) / width));
                const code = now[row * bins + bin];
                const colour = colourOf(code);
                const at = 4 * (y * width + x);
                image.data[at] = colour[0];
                image.data[at + 1] = colour[1];
                image.data[at + 2] = colour[2];
                image.data[at + 3] = code === 0 ? 0 : 255;
            }
        }
        context.putImageData(image, 0, 0);
    };
    const draw = (chart) => (params) => {
        const {x, y, width, height} = params.coordSys;
        const h = chart.zoom("x"), v = chart.zoom("y");
        paint(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)), (bins * h.start) / 100,
            (bins * h.end) / 100, (rows.length * v.start) / 100, (rows.length * v.end) / 100);
        const copy = document.createElement("canvas");
        copy.width = picture.width;
        copy.height = picture.height;
        copy.getContext("2d").drawImage(picture, 0, 0);
        return {type: "image", style: {image: copy, x, y, width, height}, silent: true};
    };
    const make = (chart) => {
        const [least, most] = scale();
        return {
            grid: {left: chart.narrow ? 54 : 70, right: 112, top: 14, bottom: 74},
            visualMap: {type: "continuous", min: least, max: most, dimension: 2,
                right: 4, top: "middle", itemHeight: 90, precision: 4, textStyle: {color: ink().text},
                inRange: {color: MAP}, calculable: false,
                text: [short(most), short(least)]},
            title: {text: panel.unit.replace(" ", "\n"), right: 4, top: 0,
                textStyle: {fontSize: 12, lineHeight: 14, fontWeight: "normal", color: ink().soft}},
            xAxis: timeAxis(last, {axisLine: {show: false, onZero: false}}),
            yAxis: {type: "value", min: 0, max: rows.length, inverse: true,
                splitLine: {show: false}, axisTick: {show: false}, axisLabel: {hideOverlap: true,
                    customValues: rows.map((_, i) => i + 0.5), formatter: (v) => rows[Math.floor(v)]}},
            dataZoom: [...zoomX(0, {bottom: 8}, {filterMode: "none"}),
                ...zoomY(0, null, {filterMode: "none"})],
            series: [{type: "custom", name: layers[chosen], renderItem: draw(chart), clip: true,
                data: [[0, 0, most]]}],
        };
    };
    const range = () => {
        const {low, high} = cells.layers[chosen];
        return high > low ? `Values from ${short(low)} to ${short(high)} ${panel.unit}.`
            : `All values are ${short(low)} ${panel.unit}.`;
    };
    const said = el("p", {class: "note", "aria-live": "polite"}, `${range()} Point at a cell to read its value.`);
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `${panel.title} (${panel.unit}): ${rows.length} rows, ${bins} columns`,
        height: 110 + Math.max(130, Math.min(520, rows.length * 16)), canvas: true, make,
        ready: (c) => {
            c.plot.on("datazoom", () => c.plot.setOption({series: [{renderItem: draw(c)}]}));
            c.plot.getZr().on("mousemove", (event) => {
                const at = c.plot.convertFromPixel({gridIndex: 0}, [event.offsetX, event.offsetY]);
                const bin = Math.floor(at[0] / step), row = Math.floor(at[1]);
                if (bin < 0 || bin >= bins || row < 0 || row >= rows.length)
                    return;
                const value = valueAt(row, bin);
                said.textContent = `${layers[chosen]}, ${rows[row]}, from ${time(bin * step)} on: ` +
                    (value === null ? "nothing" : `${exact(Number(trimmed(value, 6)))} ${panel.unit}`);
            });
        },
    });
    chart.choose = (i) => {
        chosen = i;
        said.textContent = `${range()} Point at a cell to read its value.`;
        chart.renew();
    };
    chart.valueAt = valueAt;
    chart.cells = {layers, rows, rowOf: (k, row) => {
        const kept = chosen;
        chosen = k;
        const values = Array.from({length: bins}, (_, bin) => valueAt(row, bin));
        chosen = kept;
        return values;
    }};
    return el("div", {}, el("div", {class: "tools"},
        layers.length > 1 ? chooser("show", layers, chart.choose, chosen) : null,
        checker("from zero", true, (on) => {
            zero = on;
            chart.renew();
        })), chart.box, said);
};
