// SPDX-License-Identifier: Apache-2.0
/* The list of panels, which stays in view, and marks the one that is looked at. */

function contentsList() {
    const list = el("nav", {class: "contents", "aria-label": "Contents"});
    let links = [];
    const mark = () => {
        const line = window.innerHeight / 3;
        const passed = links.filter(({section}) => section.getBoundingClientRect().top < line);
        const now = passed.length !== 0 ? passed[passed.length - 1] : links[0];
        for (const {link} of links)
            link.removeAttribute("aria-current");
        if (now === undefined)
            return;
        now.link.setAttribute("aria-current", "true");
        if (list.scrollWidth > list.clientWidth)
            list.scrollLeft = now.link.offsetLeft - 40;
    };
    /** Of the sections that are shown now. */
    list.fill = (page) => {
        links = [...page.querySelectorAll("section[id]")].filter((section) => section.closest("[hidden]") === null)
            .map((section) => ({section, link: el("a", {href: `#${section.id}`},
                section.querySelector("h2").textContent)}));
        list.replaceChildren(...links.map(({link}) => link));
        mark();
    };
    let waiting = false;
    window.addEventListener("scroll", () => {
        if (!waiting)
            requestAnimationFrame(() => {
                waiting = false;
                mark();
            });
        waiting = true;
    }, {passive: true});
    return list;
}
