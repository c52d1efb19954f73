/* Shares beside each other: sampled, and true. */

CS.kinds.shares = (panel, run) => {
    const table = tables(panel).shares;
    const rows = table.texts("name").map((name, i) => ({name, samples: table.numbers("samples")[i],
        share: table.numbers("share")[i], expected: table.numbers("expected")[i]}));
    const shown = Math.min(rows.length, MOST_ROWS);
    const chart = new Chart(`${run.id}-${panel.id}`, {
        label: `${panel.title}: ${rows.length} functions`, height: 116 + 30 * shown,
        make: (c) => ({
            grid: {left: c.narrow ? 120 : 190, right: 34, top: 34, bottom: 50},
            legend: {top: 4},
            tooltip: {trigger: "axis", confine: true, axisPointer: {type: "shadow"}, formatter: (list) => {
                const row = rows[list[0].dataIndex];
                return tip(row.name, [["sampled", percent(row.share)], ["true", percent(row.expected)],
                    ["off by", percent(row.share - row.expected)], ["samples", exact(row.samples)]]);
            }},
            xAxis: {type: "value", name: "share (%)", nameLocation: "middle", nameGap: 30,
                axisLabel: {hideOverlap: true}, splitNumber: c.narrow ? 3 : 6},
            yAxis: {type: "category", inverse: true, data: rows.map((row) => row.name),
                axisTick: {show: false}, axisLabel: {width: c.narrow ? 110 : 178, overflow: "truncate",
                    interval: 0}},
            dataZoom: rows.length > shown ? zoomY(0, {right: 4}, {startValue: 0, endValue: shown - 1}) : [],
            series: [["sampled", "share", hue(0)], ["true", "expected", hue(6)]].map(([name, key, color]) => ({
                type: "bar", name, color, barMaxWidth: 12, barGap: "10%",
                data: rows.map((row) => 100 * row[key])})),
        }),
    });
    return chart.box;
};
