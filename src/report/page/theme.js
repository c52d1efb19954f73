// SPDX-License-Identifier: Apache-2.0
/* Light and dark. Series have the colours of Okabe and Ito, which people with any kind of colour vision
 * tell apart; maps have cividis. */

const SERIES = {
    light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5c00", "#56b4e9", "#e69f00", "#555555"],
    dark: ["#56b4e9", "#e69f00", "#2fc59b", "#e3a2c8", "#f0e442", "#3d8fd1", "#f2793a", "#bbbbbb"],
};

const MAP = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369",
    "#e1cc55", "#fee838"];

const INK = {
    light: {text: "#1b1f24", soft: "#57606a", line: "#c9d1d9", back: "#ffffff", good: "#0072b2",
        bad: "#d55e00", box: "#eef2f6"},
    dark: {text: "#e6edf3", soft: "#9aa7b4", line: "#3a444f", back: "#14181d", good: "#56b4e9",
        bad: "#f2793a", box: "#222a33"},
};

CS.theme = "light";

function ink() {
    return INK[CS.theme];
}

/** The i-th colour. After all of them they come again, paler. */
function hue(i) {
    const list = SERIES[CS.theme];
    return echarts.color.lerp(Math.min(0.75, 0.45 * Math.floor(i / list.length)),
        [list[i % list.length], CS.theme === "dark" ? "#14181d" : "#ffffff"]);
}

/** Text that is read upon a colour of that opacity: black or white. */
function inkOn(colour, opacity) {
    const blend = echarts.color.lerp(opacity, [ink().back, colour]);
    return echarts.color.lum(blend, 0) > 0.5 ? "#1b1f24" : "#ffffff";
}

/** A theme of the plotting library. */
function plotTheme() {
    const c = ink();
    const axis = {
        axisLine: {lineStyle: {color: c.line}},
        axisTick: {lineStyle: {color: c.line}},
        axisLabel: {color: c.text, fontSize: 12},
        nameTextStyle: {color: c.soft, fontSize: 12},
        splitLine: {lineStyle: {color: c.line, opacity: 0.6}},
    };
    return {
        color: SERIES[CS.theme],
        backgroundColor: c.back,
        textStyle: {color: c.text, fontFamily: "system-ui, 'DejaVu Sans', sans-serif"},
        categoryAxis: {...axis, splitLine: {...axis.splitLine, show: false}},
        valueAxis: axis,
        logAxis: axis,
        legend: {textStyle: {color: c.text}, pageTextStyle: {color: c.text},
            pageIconColor: c.text, inactiveColor: c.soft},
        tooltip: {backgroundColor: c.back, borderColor: c.line, textStyle: {color: c.text}},
    };
}

function setTheme(name) {
    CS.theme = name;
    document.documentElement.dataset.theme = name;
    for (const chart of Object.values(CS.charts))
        chart.redraw();
}

function chooseTheme() {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    setTheme(dark.matches ? "dark" : "light");
    dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
}
