/* Lanes of spans, and what of them is seen at a zoom: spans that are narrower than a pixel are drawn
 * together, so that a lane of a million spans costs no more than its pixels. */

const LATER = ["software", "processes", "lines", "states"];

/** What units have of their own comes first: it gets the clearest colours. */
function queriesOf(panel) {
    return Object.entries(tables(panel)).sort(([a], [b]) => LATER.indexOf(a) - LATER.indexOf(b))
        .map(([, table]) => table);
}

/** {lanes: [{owner, name, starts, stops, labels}], labels: [words], cut}; times in microseconds. */
function lanesOf(panel, mhz) {
    const lanes = new Map();
    const labels = [];
    const labelCodes = new Map();
    let cut = false;
    for (const table of queriesOf(panel)) {
        const start = table.numbers("start"), stop = table.numbers("stop");
        const codes = ["owner", "lane", "label"].map((name) => table.codes(name));
        const words = ["owner", "lane", "label"].map((name) => table.words(name));
        cut = cut || table.cut;
        for (let i = 0; i < table.n; i++) {
            const key = `${words[0][codes[0][i]]}\n${words[1][codes[1][i]]}`;
            const label = words[2][codes[2][i]];
            if (!labelCodes.has(label)) {
                labelCodes.set(label, labels.length);
                labels.push(label);
            }
            let lane = lanes.get(key);
            if (!lane) {
                const [owner, name] = key.split("\n");
                lanes.set(key, lane = {owner, name, rows: []});
            }
            lane.rows.push([start[i] / mhz, stop[i] / mhz, labelCodes.get(label)]);
        }
    }
    const list = [...lanes.values()];
    for (const lane of list) {
        lane.rows.sort((a, b) => a[0] - b[0]);
        lane.longest = lane.rows.reduce((most, row) => Math.max(most, row[1] - row[0]), 0);
    }
    const isCpu = (lane) => lane.owner.startsWith("cpu ");
    list.sort((a, b) => isCpu(a) - isCpu(b) || byName(a.owner, b.owner));
    return {lanes: list, labels, cut};
}

/** The first row that begins at or after `at`. */
function firstFrom(rows, at) {
    let low = 0, high = rows.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (rows[middle][0] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** Of a lane what is seen in [from, to]: calls put(start, stop, label, count, busy) for each box. Boxes
 * of less than `least` that follow each other are one, of the label that took longest. */
function seenOf(lane, from, to, least, nrLabels, put) {
    const rows = lane.rows;
    const weights = new Float64Array(nrLabels);
    let i = firstFrom(rows, from - lane.longest);
    while (i < rows.length && rows[i][0] <= to) {
        const [start, stop, label] = rows[i];
        i++;
        if (stop < from)
            continue;
        if (stop - start >= least || i >= rows.length || rows[i][0] - start >= least) {
            put(start, stop, label, 1, stop - start);
            continue;
        }
        let end = stop, count = 1, busy = stop - start;
        weights.fill(0);
        weights[label] = busy + 1e-9;
        while (i < rows.length && rows[i][0] - start < least && rows[i][1] - rows[i][0] < least) {
            weights[rows[i][2]] += rows[i][1] - rows[i][0] + 1e-9;
            busy += rows[i][1] - rows[i][0];
            end = Math.max(end, rows[i][1]);
            count++;
            i++;
        }
        put(start, end, weights.indexOf(Math.max(...weights)), count, busy);
    }
}
