// SPDX-License-Identifier: Apache-2.0
/* Lanes of spans, and what of them is seen at a zoom: spans that are narrower than a pixel are drawn
 * together, so that a lane of a million spans costs no more than its pixels. */

const LATER = ["software", "processes", "lines", "states"];

/** What units have of their own comes first: so do its lanes, and its names in the legend. */
function queriesOf(panel) {
    return Object.entries(tables(panel)).filter(([name]) => name !== "owners").sort(([a], [b]) => LATER.indexOf(a) - LATER.indexOf(b))
        .map(([, table]) => table);
}

/** Rows of a lane: they begin at starts[i], by rising i. */
class Lane {
    constructor(owner, name) {
        Object.assign(this, {owner, name, n: 0, longest: 0, sorted: true});
        this.room(64);
    }
    room(n) {
        for (const [key, Kind] of [["starts", Float64Array], ["stops", Float64Array], ["labels", Uint16Array]]) {
            const grown = new Kind(n);
            if (this[key])
                grown.set(this[key]);
            this[key] = grown;
        }
    }
    add(start, stop, label) {
        if (this.n === this.starts.length)
            this.room(2 * this.n);
        this.sorted = this.sorted && (this.n === 0 || this.starts[this.n - 1] <= start);
        this.starts[this.n] = start;
        this.stops[this.n] = stop;
        this.labels[this.n++] = label;
        this.longest = Math.max(this.longest, stop - start);
    }
    sort() {
        if (this.sorted)
            return;
        const order = Uint32Array.from({length: this.n}, (_, i) => i)
            .sort((a, b) => this.starts[a] - this.starts[b]);
        for (const key of ["starts", "stops", "labels"])
            this[key] = this[key].constructor.from(order, (i) => this[key][i]);
        this.sorted = true;
    }
    /** The first row that begins at or after `at`. */
    firstFrom(at) {
        let low = 0, high = this.n;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.starts[middle] < at)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
}

/** {lanes, labels: [words], cut}; times in microseconds. */
function lanesOf(panel, mhz) {
    const lanes = new Map();
    const labels = [];
    let cut = false;
    /* Units whose lanes stand by those of a CPU: it is the same thing. */
    const {owners: same} = tables(panel);
    const standsBy = new Map(same ? same.texts("owner").map((owner, i) => [owner, same.texts("stands_by")[i]]) : []);
    for (const table of queriesOf(panel)) {
        const start = table.numbers("start"), stop = table.numbers("stop");
        const [owner, name, label] = ["owner", "lane", "label"].map((key) => table.codes(key));
        const [owners, names, words] = ["owner", "lane", "label"].map((key) => table.words(key));
        const numbers = words.slice(1).map((word) => {
            if (!labels.includes(word))
                labels.push(word);
            return labels.indexOf(word);
        });
        let lane = null, last = -1;
        cut = cut || table.cut;
        for (let i = 0; i < table.n; i++) {
            const code = owner[i] * names.length + name[i];
            if (code !== last) {
                const whose = standsBy.get(owners[owner[i]]) || owners[owner[i]];
                const key = `${whose}\n${names[name[i]]}`;
                if (!lanes.has(key))
                    lanes.set(key, new Lane(whose, names[name[i]]));
                lane = lanes.get(key);
                last = code;
            }
            lane.add(start[i] / mhz, stop[i] / mhz, numbers[label[i] - 1]);
        }
    }
    const list = [...lanes.values()];
    list.forEach((lane) => lane.sort());
    const isCpu = (lane) => lane.owner.startsWith("cpu ");
    list.sort((a, b) => isCpu(a) - isCpu(b) || byName(a.owner, b.owner));
    return {lanes: list, labels, cut};
}

/** Of a lane what is seen in [from, to]: calls put(start, stop, label, count, busy) for each box. Boxes
 * of less than `least` that follow each other are one, of the label that took longest. */
function seenOf(lane, from, to, least, nrLabels, put) {
    const {starts, stops, labels, n} = lane;
    const weights = new Float64Array(nrLabels);
    let i = lane.firstFrom(from - lane.longest);
    while (i < n && starts[i] <= to) {
        const start = starts[i], stop = stops[i], label = labels[i];
        i++;
        if (stop < from)
            continue;
        if (stop - start >= least || i >= n || starts[i] - start >= least) {
            put(start, stop, label, 1, stop - start);
            continue;
        }
        let end = stop, count = 1, busy = stop - start;
        weights.fill(0);
        weights[label] = busy + 1e-9;
        while (i < n && starts[i] - start < least && stops[i] - starts[i] < least) {
            weights[labels[i]] += stops[i] - starts[i] + 1e-9;
            busy += stops[i] - starts[i];
            end = Math.max(end, stops[i]);
            count++;
            i++;
        }
        put(start, end, weights.indexOf(Math.max(...weights)), count, busy);
    }
}
