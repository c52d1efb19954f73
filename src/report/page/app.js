// SPDX-License-Identifier: Apache-2.0
/* The page: what stands where, keys for all of it, and paper. */

function panelSection(panel, run) {
    const make = CS.kinds[panel.kind];
    const drawn = make ? make(panel, run) : null;
    return drawn && el("section", {class: "panel", id: `${run.id}-panel-${panel.id}`},
        el("h2", {}, panel.title), el("p", {class: "about"}, panel.about), drawn,
        ...tableButton(`${run.id}-table-${panel.id}`, panel.title, () => tablesOf(panel, run)));
}

/** A scenario that was changed for its run begins so, and has no comment of its own. */
const WRITTEN = "# written with the values of --set and of one way";

/** What the scenario says of itself: the comment that it begins with. */
function scenarioText(run) {
    const lines = run.scenario.split("\n");
    const end = lines.findIndex((line) => !line.startsWith("#"));
    const text = lines.slice(0, end).filter((line) => line !== WRITTEN).map((line) => line.replace(/^#\s?/, "")).join("\n");
    return text.split(/\n\s*\n/).filter((part) => part.trim() !== "").map((part) => (/^ {2}/.test(part)
        ? el("pre", {class: "about"}, part.replace(/^ {2}/gm, ""))
        : el("p", {class: "about"}, part.replace(/\n/g, " ").trim())));
}

/** What the scenario calls its processes, by their numbers: else as their workload is called. */
function processNames(text) {
    const names = new Map();
    const words = /\b(name|pid|cid1|cid2|process): "?([^",}\n]+)"?(, (?:base|size|weight|callers|set|text):)?/g;
    let workload = "", cid = null;
    for (const [, key, value, ofFunction] of text.replace(/(^|\s)#.*$/gm, "").matchAll(words)) {
        if (key === "pid" || key === "cid1" || (key === "cid2" && !cid)) {
            cid = Number(value);
            names.set(cid, names.get(cid) || workload);
        } else if (key === "process" && cid !== null) {
            names.set(cid, value.trim());
        } else if (key === "name" && !ofFunction) {
            [workload, cid] = [value.trim(), null];
        }
    }
    names.set(0, "nobody");
    return names;
}

/** Timelines say "cc1 (2001)" in the place of a number alone. */
function nameProcesses(run) {
    const names = processNames(run.scenario);
    for (const panel of run.panels) {
        const label = panel.data.processes && panel.data.processes.columns.label;
        if (label)
            label.words = label.words.map((word) => {
                const pid = Number(word.replace("pid ", ""));
                return names.has(pid) ? `${names.get(pid)} (${pid})` : word;
            });
    }
}

/** A run's panels are made when it is first looked at. */
function runPart(run) {
    const part = el("div", {id: run.id, class: "run", hidden: ""});
    part.fill = () => {
        if (part.childElementCount !== 0)
            return;
        nameProcesses(run);
        part.append(headline(run), warningsBox(run), ...scenarioText(run),
            ...run.panels.map((panel) => panelSection(panel, run)).filter(Boolean),
            el("section", {class: "panel", id: `${run.id}-scenario`}, el("h2", {}, "Scenario"),
                el("details", {}, el("summary", {}, "show its text"), el("pre", {}, run.scenario))));
    };
    return part;
}

function runTabs(runs, parts) {
    const groups = unique(runs.map((run) => run.group)).length;
    const tabs = runs.map((run, i) => el("button", {type: "button", role: "tab", "aria-controls": run.id,
        click: () => choose(i)}, run.group && groups > 1 ? `${run.group}: ${run.name}` : run.name));
    const choose = (at) => {
        CS.shown = at;
        tabs.forEach((tab, i) => tab.setAttribute("aria-selected", String(i === at)));
        parts.forEach((part, i) => { part.hidden = i !== at; });
        parts[at].fill();
        CS.contents.fill(CS.page);
    };
    CS.chooseRun = choose;
    return el("div", {role: "tablist", class: "tabs", "aria-label": "Runs", keydown: (event) => {
        const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
        if (step) {
            choose((CS.shown + step + runs.length) % runs.length);
            tabs[CS.shown].focus();
        }
    }}, ...tabs);
}

function comparisons(items, runs) {
    const ways = items.filter((item) => item.type === "ways");
    const scenario = ways.length === 1 && runs.map((run) => run.group && run.summary.scenario).find(Boolean);
    const sections = ways.map((item, i) => compareSection(`ways-${i}`,
        `Ways of ${scenario || item.name}`, item.rows.map((row) => ({...row, name: row.way}))));
    const alone = runs.filter((run) => !run.group);
    if (alone.length > 1)
        sections.push(compareSection("runs", "Runs side by side",
            alone.map((run) => ({...figuresOf(run), name: run.name}))));
    return sections;
}

const HELP = [["Tab", "to the next plot"], ["← →", "move along time"], ["+ −", "zoom"],
    ["↑ ↓", "move up and down"], ["* /", "zoom up and down"], ["0", "show all"],
    ["n p", "timeline: the next, the previous box of what is chosen"],
    ["Ctrl and wheel, dragging", "zoom and move with the mouse"], ["[ ]", "the previous run, the next run"],
    ["t", "light or dark"], ["?", "this list"]];

function helpDialog() {
    const dialog = el("dialog", {"aria-label": "Keys"}, el("h2", {}, "Keys"), el("table", {},
        ...HELP.map(([key, what]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, what)))),
    el("form", {method: "dialog"}, el("button", {}, "close")));
    return dialog;
}

function pageKeys(dialog, runs) {
    const keys = {
        t: () => setTheme(CS.theme === "dark" ? "light" : "dark"),
        "?": () => dialog.showModal(),
        "[": () => runs.length > 1 && CS.chooseRun((CS.shown + runs.length - 1) % runs.length),
        "]": () => runs.length > 1 && CS.chooseRun((CS.shown + 1) % runs.length),
    };
    document.addEventListener("keydown", (event) => {
        if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey &&
            !/^(SELECT|INPUT)$/.test(event.target.tagName))
            keys[event.key]();
    });
}

/** Paper is white, has its own width, and shows all charts of the run. */
function paper() {
    let before = null;
    window.addEventListener("beforeprint", () => {
        before = CS.theme;
        document.documentElement.classList.add("paper");
        setTheme("light");
        for (const chart of Object.values(CS.charts)) {
            chart.show();
            chart.resize();
        }
    });
    window.addEventListener("afterprint", () => {
        document.documentElement.classList.remove("paper");
        setTheme(before);
    });
}

/** Unless the user has given a title: what the scenarios and sweeps are called. */
function nameThePage(data) {
    const names = unique(data.items.map((item) => (item.type === "run" ? item.summary.scenario
        : item.type === "sweep" ? new Table(item.about).texts("name")[0] : null)).filter(Boolean));
    if (data.title === null && names.length !== 0) {
        document.title = names.join(", ");
        document.querySelector("h1").textContent = document.title;
    }
}

function start() {
    const data = JSON.parse(document.getElementById("data").textContent);
    const runs = data.items.filter((item) => item.type === "run");
    runs.forEach((run, i) => { run.id = `run-${i}`; });
    CS.data = data;
    nameThePage(data);
    chooseTheme();
    const page = document.getElementById("page");
    const dialog = helpDialog();
    const parts = runs.map(runPart);
    const icon = (text, name, click) => el("button", {type: "button", class: "icon", "aria-label": name, title: name,
        click}, text);
    document.querySelector("header").append(el("div", {class: "icons"},
        icon("◐", "light or dark", () => setTheme(CS.theme === "dark" ? "light" : "dark")),
        icon("⌨", "keys", () => dialog.showModal()), dialog));
    CS.contents = contentsList();
    CS.page = el("div", {class: "content"});
    page.replaceChildren(CS.contents, CS.page);
    CS.page.append(
        ...data.items.filter((item) => item.type === "sweep" && item.points)
            .map((item, i) => sweepSection(item, `sweep-${i}`)),
        ...comparisons(data.items, runs));
    if (runs.length > 1)
        CS.page.append(runTabs(runs, parts));
    CS.page.append(...parts);
    if (runs.length > 1)
        CS.chooseRun(0);
    if (runs.length === 1) {
        parts[0].hidden = false;
        parts[0].fill();
    }
    CS.contents.fill(CS.page);
    document.getElementById("made").textContent = `Made of ${unique(data.items.map((item) => item.group || item.name))
        .join(", ")} by countersink ${data.version}, drawn with Apache ECharts ${echarts.version}.`;
    pageKeys(dialog, runs);
    paper();
    window.countersink = CS;
}

start();
