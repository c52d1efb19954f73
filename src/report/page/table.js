// SPDX-License-Identifier: Apache-2.0
/* What a panel draws, as tables: for screen readers, for those who want the numbers, and to be copied. */

const TABLE_ROWS = 200; // that are made at a time

/** Headings for people. */
const HEADINGS = {n: "number", high: "highest error", low: "lowest error"};

function headingOf(name, unit) {
    if (/^(cycle|start|stop)$/.test(name))
        return `${name} (bus cycles)`;
    return (HEADINGS[name] || name.replace(/_/g, " ")) + (name === "value" && unit ? ` (${unit.replace(" stacked", "")})` : "");
}

/** [{title, head, rows, cell(row, column)}] of one query. */
function queryTable(title, table, unit) {
    const texts = table.names.map((name) => table.isText(name) && table.texts(name));
    const numbers = table.names.map((name, i) => !texts[i] && table.numbers(name));
    return {title, head: table.names.map((name) => headingOf(name, unit)), n: table.n, cut: table.cut,
        at: (row) => table.names.map((name, i) => (texts[i] ? texts[i][row] : exact(numbers[i][row])))};
}

/** Of kinds whose queries are not what is drawn: (panel, run) => [{title, head, n, at(row)}]. */
CS.tables = {
    figures: (panel, run) => {
        const list = groupedFigures(run.summary).flatMap(({group, rows}) => rows.map((row) => ({group, ...row})));
        return [{title: panel.title, n: list.length, head: ["figure", "value", "group", "name in summary.json", "meaning"],
            at: (row) => [list[row].label, readable(list[row].key, list[row].value), list[row].group, list[row].key,
                list[row].text]}];
    },
    estimates: (panel) => {
        const list = estimatesOf(panel);
        const some = (test) => list.some(test);
        const columns = [["name", (row) => row.name], ["of", (row) => row.of],
            ["truth", (row) => exact(Math.round(row.truth))],
            ["estimate", (row) => exact(Math.round(row.estimate))], ["error", (row) => percent(row.error)],
            some((row) => row.half > 0) && ["95 % interval", (row) => (row.half > 0 ? `± ${percent(row.half, 3)}` : "")],
            some((row) => row.parts > 1) && ["lowest error of a part", (row) => percent(row.low)],
            some((row) => row.parts > 1) && ["highest error of a part", (row) => percent(row.high)],
            some((row) => row.parts > 1) && ["parts", (row) => exact(row.parts)]].filter(Boolean);
        return [{title: panel.title, head: columns.map((column) => column[0]), n: list.length,
            at: (row) => columns.map((column) => column[1](list[row]))}];
    },
    shares: (panel) => {
        const list = sharesOf(panel);
        return [{title: panel.title, n: list.length,
            head: ["function", "samples", "sampled", "95 % interval", "true", "off by"],
            at: (row) => [list[row].name, exact(list[row].samples), percent(list[row].share),
                `${percent(list[row].low, 3)} to ${percent(list[row].high, 3)}`, percent(list[row].expected),
                percent(list[row].share - list[row].expected)]}];
    },
    cells: (panel, run) => {
        const map = CS.charts[`${run.id}-${panel.id}`].cells;
        const at = (row) => {
            const k = Math.floor(row / map.rows.length), name = map.rows[row % map.rows.length];
            const values = map.rowOf(k, row % map.rows.length).filter((value) => value !== null);
            const sum = values.reduce((all, value) => all + value, 0);
            return [map.layers[k], name, exact(values.length), ...(values.length === 0 ? ["", "", ""]
                : [Math.min(...values), sum / values.length, Math.max(...values)].map((value) => exact(Number(trimmed(value, 6)))))];
        };
        return [{title: `${panel.title} (${panel.unit})`, n: map.layers.length * map.rows.length, at,
            head: ["what", "row", "columns with a value", "lowest", "mean", "highest"]}];
    },
};

/** Queries that have the same columns are one table. */
function tablesOf(panel, run) {
    if (CS.tables[panel.kind])
        return CS.tables[panel.kind](panel, run);
    const groups = new Map();
    for (const [name, table] of Object.entries(tables(panel))) {
        const key = table.names.join();
        if (name === "step" || name === "owners" || table.n === 0)
            continue;
        if (groups.has(key))
            groups.get(key).push(queryTable(name, table, panel.unit));
        else
            groups.set(key, [queryTable(name, table, panel.unit)]);
    }
    return [...groups.values()].map((parts) => ({title: groups.size === 1 ? panel.title
        : `${panel.title}: ${parts.map((part) => part.title).join(", ")}`, head: parts[0].head,
    n: parts.reduce((sum, part) => sum + part.n, 0), cut: parts.some((part) => part.cut),
    at: (row) => {
        let k = 0;
        for (; row >= parts[k].n; k++)
            row -= parts[k].n;
        return parts[k].at(row);
    }}));
}

/** A table whose rows are made as they are asked for. */
function tableElement(one) {
    const body = el("tbody", {});
    const more = el("button", {type: "button", click: () => grow()});
    const left = () => one.n - body.childElementCount;
    const grow = () => {
        const from = body.childElementCount, to = Math.min(one.n, from + TABLE_ROWS);
        for (let row = from; row < to; row++) {
            const [first, ...rest] = one.at(row);
            body.append(el("tr", {}, el("th", {scope: "row"}, first), ...rest.map((text) => el("td", {}, text))));
        }
        more.hidden = left() === 0;
        more.textContent = `${exact(Math.min(TABLE_ROWS, left()))} more of ${exact(left())}`;
    };
    grow();
    return el("div", {}, el("div", {class: "table", tabindex: 0, role: "region", "aria-label": one.title},
        el("table", {}, el("caption", {}, `${one.title}: ${exact(one.n)} rows${one.cut ? ", the last ones were cut" : ""}`),
            el("thead", {}, el("tr", {}, ...one.head.map((name) => el("th", {scope: "col"}, name)))), body)), more);
}

/** A button, and what it shows: tables that are made when they are first asked for. */
function tableButton(id, title, make) {
    const place = el("div", {hidden: "", id});
    const button = el("button", {type: "button", class: "as-table", "aria-expanded": "false",
        "aria-controls": id, "aria-label": `${title}: as a table`, click: () => {
            if (place.childElementCount === 0)
                place.append(...make().map(tableElement));
            place.hidden = !place.hidden;
            button.setAttribute("aria-expanded", String(!place.hidden));
        }}, "as a table");
    return [button, place];
}
