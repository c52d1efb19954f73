# SPDX-License-Identifier: Apache-2.0
"""The picture of docs/uses/multiplexed.md: the worst error by the length of a run, for each number of events.
Without a ground; lines and text have greys and colours that both light and dark show."""
import math

WIDTH, HEIGHT, LEFT, TOP, GAP = 360, 240, 58, 44, 34
LOW, HIGH = 0.001, 1000  # percent
COLOURS = ("#808080", "#2f7fd0", "#d98a1f", "#c43b4a")


def y_of(error):
    share = (math.log10(max(error, LOW)) - math.log10(LOW)) / (math.log10(HIGH) - math.log10(LOW))
    return TOP + HEIGHT * (1 - share)


def text(x, y, what, anchor="middle", size=12, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{more}>{what}</text>'


def grid(left, lengths, xs, first):
    for power in range(-3, 4):
        error = 10.0 ** power
        yield (f'<line x1="{left}" x2="{left + WIDTH}" y1="{y_of(error):.1f}" y2="{y_of(error):.1f}" '
               f'stroke="#808080" stroke-opacity="0.35"/>')
        if first:
            yield text(left - 8, y_of(error) + 4, f"{error:g}%" if error > LOW else "none", "end")
    for length, x in zip(lengths, xs):
        yield text(x, TOP + HEIGHT + 18, f"{length} ms")


def line(points, colour):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'


def panel(found, name, title, numbers, lengths, left, first):
    xs = [left + WIDTH * (i + 0.5) / len(lengths) for i in range(len(lengths))]
    yield text(left + WIDTH / 2, TOP - 16, title, size=14, more=' font-weight="bold"')
    yield from grid(left, lengths, xs, first)
    for number, colour in zip(numbers, COLOURS):
        if (name, number, lengths[0]) in found:
            yield from line([(x, y_of(found[name, number, length][1])) for length, x in zip(lengths, xs)], colour)


def legend(numbers, y):
    for i, (number, colour) in enumerate(zip(numbers, COLOURS)):
        x = LEFT + i * 120
        yield f'<line x1="{x}" x2="{x + 24}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="3"/>'
        yield text(x + 30, y, f"{number} events", "start")


def draw(found, names, numbers, lengths):
    """found: {(name, number, length): (median, worst, uncounted)}, in percent. names: {name: title of its panel}"""
    width = LEFT + 2 * WIDTH + GAP + 16
    height = TOP + HEIGHT + 60
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}" font-family="sans-serif" fill="#808080">',
             '<title>The worst error of any event, by the length of the run</title>']
    for i, (name, title) in enumerate(names.items()):
        parts += panel(found, name, title, numbers, lengths, LEFT + i * (WIDTH + GAP), i == 0)
    parts += legend(numbers, height - 14)
    return "\n".join(parts + ["</svg>"]) + "\n"
