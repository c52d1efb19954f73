// SPDX-License-Identifier: Apache-2.0
/* A chart: made when it is first seen, drawn again when theme or width change, moved by mouse and keys. */

const KEYS = {
    ArrowLeft: (c) => c.pan("x", -0.2),
    ArrowRight: (c) => c.pan("x", 0.2),
    ArrowUp: (c) => c.pan("y", 0.2),
    ArrowDown: (c) => c.pan("y", -0.2),
    "+": (c) => c.scale("x", 0.5),
    "=": (c) => c.scale("x", 0.5),
    "-": (c) => c.scale("x", 2),
    "*": (c) => c.scale("y", 0.5),
    "/": (c) => c.scale("y", 2),
    0: (c) => c.reset(),
    n: (c) => c.jump && c.jump(1),
    p: (c) => c.jump && c.jump(-1),
};

const seen = new IntersectionObserver((entries) => {
    for (const entry of entries)
        if (entry.isIntersecting)
            entry.target.chart.show();
}, {rootMargin: "300px"});

const sized = new ResizeObserver((entries) => {
    for (const entry of entries)
        entry.target.chart.resize();
});

class Chart {
    /** make(chart) returns the option of the plotting library; `label` says to those who do not see it
     * what is drawn; `canvas`: for many things; `ready(chart)` once it is there. */
    constructor(id, {make, label, height, canvas, ready}) {
        Object.assign(this, {id, make, label, height, canvas, ready});
        this.box = el("div", {class: "chart", id: `chart-${id}`, tabindex: 0, role: "img",
            "aria-label": `${label}. Arrow keys move, plus and minus zoom, 0 shows all; its table follows.`,
            keydown: (event) => this.key(event)});
        this.box.chart = this;
        this.box.style.height = `${height}px`;
        CS.charts[id] = this;
        seen.observe(this.box);
        sized.observe(this.box);
    }
    get width() {
        return this.box.clientWidth;
    }
    show() {
        if (this.plot || this.width === 0)
            return;
        seen.unobserve(this.box);
        this.plot = echarts.init(this.box, plotTheme(), {renderer: this.canvas ? "canvas" : "svg"});
        this.drawn = this.width;
        const option = this.complete(this.make(this));
        this.view = {};
        for (const {id, start, end} of option.dataZoom || [])
            if (id === "x" || id === "y")
                this.view[id] = {start: start || 0, end: end === undefined ? 100 : end};
        this.plot.on("datazoom", (event) => this.follow(event.batch || [event]));
        this.plot.setOption(option);
        if (this.ready)
            this.ready(this);
    }
    complete(option) {
        return {animation: false, aria: {enabled: false}, ...option};
    }
    /** All anew, of what is chosen now. What was zoomed stays so. */
    redraw() {
        if (!this.plot)
            return;
        const kept = this.view;
        this.plot.dispose();
        this.plot = null;
        this.show();
        for (const [id, {start, end}] of this.plot ? Object.entries(kept) : [])
            this.zoomTo(id, start, end);
    }
    /** Another height, and all anew. */
    renew(height) {
        this.height = height || this.height;
        this.box.style.height = `${this.height}px`;
        if (this.plot) {
            this.plot.dispose();
            this.plot = null;
            this.show();
        }
    }
    resize() {
        if (!this.plot || this.width === 0 || this.width === this.drawn)
            return;
        if ((this.width < 620) !== (this.drawn < 620)) {
            this.redraw();
        } else {
            this.drawn = this.width;
            this.plot.resize();
        }
    }
    get narrow() {
        return this.width < 620;
    }
    /** Bars have the id of their axis, and more. Asking the library for it would copy all data. */
    follow(changes) {
        for (const {dataZoomId, start, end} of changes)
            if (dataZoomId && this.view[dataZoomId[0]] && start !== undefined)
                this.view[dataZoomId[0]] = {start, end};
    }
    zoomTo(id, start, end) {
        if (this.view[id])
            this.plot.dispatchAction({type: "dataZoom", dataZoomId: id, start, end});
    }
    /** {start, end} in percent; undefined: that axis cannot be zoomed. */
    zoom(id) {
        return this.view[id];
    }
    pan(id, part) {
        const zoom = this.zoom(id);
        if (!zoom)
            return false;
        const width = zoom.end - zoom.start;
        const start = Math.max(0, Math.min(100 - width, zoom.start + part * width));
        this.zoomTo(id, start, start + width);
        return true;
    }
    scale(id, factor) {
        const zoom = this.zoom(id);
        if (!zoom)
            return false;
        const middle = (zoom.start + zoom.end) / 2;
        const half = Math.max(1e-4, Math.min(50, (factor * (zoom.end - zoom.start)) / 2));
        const start = Math.max(0, Math.min(100 - 2 * half, middle - half));
        this.zoomTo(id, start, start + 2 * half);
        return true;
    }
    reset() {
        this.zoomTo("x", 0, 100);
        this.zoomTo("y", 0, 100);
        return true;
    }
    key(event) {
        const act = KEYS[event.key];
        if (act && this.plot && !event.ctrlKey && !event.metaKey && !event.altKey && act(this))
            event.preventDefault();
    }
}

/** Zooming along an axis: with the wheel and Ctrl, by dragging, by a bar where `bar` says where. */
function zoomX(axes, bar, more) {
    return zooming("x", {xAxisIndex: axes}, bar ? {height: 18, ...bar} : null, more);
}

/** Where a plot of time opens: on what there is, if that is a small part of the whole. */
function opening(from, to, last) {
    const margin = 0.1 * (to - from);
    return to > from && to - from < last / 4
        ? {start: Math.max(0, (100 * (from - margin)) / last), end: Math.min(100, (100 * (to + margin)) / last)} : {};
}

function zoomY(axes, bar, more) {
    return zooming("y", {yAxisIndex: axes}, bar ? {width: 14, ...bar} : null, more);
}

function zooming(id, axes, bar, more) {
    const c = ink();
    const inside = {type: "inside", id, ...axes, zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false,
        ...more};
    return bar === null ? [inside] : [inside, {type: "slider", id: `${id}-bar`, ...axes, ...more, ...bar,
        showDetail: false, brushSelect: false, showDataShadow: false, borderColor: c.line, fillerColor: `${c.good}33`,
        handleStyle: {color: c.good}, moveHandleStyle: {color: c.line},
        dataBackground: {lineStyle: {opacity: 0}, areaStyle: {opacity: 0}}}];
}

/** An axis of time, in microseconds. */
function timeAxis(last, more) {
    return {type: "value", min: 0, max: last, name: "time", nameLocation: "middle", nameGap: 28,
        splitLine: {show: false},
        axisLabel: {hideOverlap: true, showMaxLabel: false, formatter: (us) => time(us, undefined, 9)}, ...more};
}

/** Room for names beside their rows; what is longer than half of the plot is broken. */
function nameWidth(chart, longest) {
    return Math.round(Math.min(0.5 * chart.width, Math.max(60, 7.3 * longest)));
}

const WHISKER = "path://M0 4h20v2h-20zM0 0h2v10h-2zM18 0h2v10h-2z"; // in legends

/** A bar that ends in strokes, in pixels. */
function whisker(from, to, y) {
    const line = (x1, y1, x2, y2) => ({type: "line", shape: {x1, y1, x2, y2},
        style: {stroke: ink().text, lineWidth: 1.5}});
    return {type: "group", children: [line(from, y, to, y), line(from, y - 4, from, y + 4),
        line(to, y - 4, to, y + 4)]};
}

function tip(title, rows) {
    return `<b>${escapeText(title)}</b><table class="tip">${rows.filter(Boolean).map(([name, value]) =>
        `<tr><td>${escapeText(name)}</td><td>${escapeText(value)}</td></tr>`).join("")}</table>`;
}
