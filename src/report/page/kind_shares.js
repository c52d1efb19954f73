// SPDX-License-Identifier: Apache-2.0
/* Shares beside each other: sampled, and true. */

/** [{name, samples, share, expected, low, high}]: low and high are the 95 % interval of the share. It is
 * one of all samples, or of as many as `of` says. */
function sharesOf(panel) {
    const table = tables(panel).shares;
    const samples = table.numbers("samples");
    const all = samples.reduce((sum, count) => sum + count, 0);
    const of = table.has("of") ? table.numbers("of") : samples.map(() => all);
    return table.texts("name").map((name, i) => {
        const [low, high] = shareInterval(samples[i], of[i]);
        return {name, samples: samples[i], share: table.numbers("share")[i],
            expected: table.numbers("expected")[i], low, high};
    });
}

CS.kinds.shares = (panel, run) => {
    const rows = sharesOf(panel);
    const shown = Math.min(rows.length, MOST_ROWS);
    const longest = Math.max(...rows.map((row) => row.name.length));
    /* Upon the upper one of a row's two bars. */
    const interval = (params, api) => {
        const [from, middle] = api.coord([api.value(0), api.value(2)]);
        const [to] = api.coord([api.value(1), api.value(2)]);
        const y = middle - 0.55 * Math.min(12, (0.8 * api.size([0, 1])[1]) / 2.1);
        return whisker(from, to, y);
    };
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `${panel.title}: ${rows.length} functions`, height: 116 + 30 * shown,
        make: (c) => ({
            grid: {left: nameWidth(c, longest) + 12, right: 34, top: 34, bottom: 50},
            legend: {top: 4, data: ["sampled", "true", {name: "95 % interval", icon: WHISKER}]},
            tooltip: {trigger: "axis", confine: true, axisPointer: {type: "shadow"}, formatter: (list) => {
                const row = rows[list[0].dataIndex];
                return tip(row.name, [["sampled", percent(row.share)],
                    ["95 % interval", `${percent(row.low, 3)} to ${percent(row.high, 3)}`],
                    ["true", percent(row.expected)],
                    ["off by", percent(row.share - row.expected)], ["samples", exact(row.samples)]]);
            }},
            xAxis: {type: "value", name: "share (%)", nameLocation: "middle", nameGap: 30,
                axisLabel: {hideOverlap: true}, splitNumber: c.narrow ? 3 : 6},
            yAxis: {type: "category", inverse: true, data: rows.map((row) => row.name),
                axisTick: {show: false}, axisLabel: {width: nameWidth(c, longest), overflow: "breakAll",
                    interval: 0, fontSize: 11.5, lineHeight: 12}},
            dataZoom: rows.length > shown ? zoomY(0, {right: 4}, {start: 0, end: (100 * (shown - 1)) / (rows.length - 1)}) : [],
            series: [...[["sampled", "share", hue(0)], ["true", "expected", hue(6)]].map(([name, key, color]) => ({
                type: "bar", name, color, barMaxWidth: 12, barGap: "10%",
                data: rows.map((row) => 100 * row[key])})),
            {type: "custom", name: "95 % interval", renderItem: interval, encode: {x: [0, 1], y: 2}, silent: true,
                color: ink().text, z: 3, data: rows.map((row, i) => [100 * row.low, 100 * row.high, i])}],
        }),
    });
    return chart.box;
};
