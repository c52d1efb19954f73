# SPDX-License-Identifier: Apache-2.0
"""Other programs of Debian that open events by themselves: what they print is what they read."""
import re
import socket
import sys
from functools import partial

from harness import LIBRARIES, cached, judged


def program(name):
    """As words of a shell; its libraries are for it alone."""
    return f"env LD_LIBRARY_PATH={cached(f'programs/{LIBRARIES}')} {cached(f'programs/usr/bin/{name}')}"


def stress_ng(pmu):
    """20 hardware events, which take turns, and software events."""
    run = pmu.run(["sh", "-c", f"exec {program('stress-ng')} --cpu 1 --cpu-ops 300 --perf"])
    run.must_be_good()
    said = {name: int(count) for count, name in re.findall(r"\] +(\d+) ([A-Z].*?)  ", run.out + run.err)}
    names = ("CPU Cycles", "Instructions", "Branch Instructions", "Cache L1D Read")
    run.must_have_read([said[name] for name in names], within=1e-6)


FETCH = """
import sys, time, urllib.request
while True:
    try:
        sys.exit(print(urllib.request.urlopen(sys.argv[1]).read().decode()))
    except OSError:
        time.sleep(0.1)
"""


def free_port():
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return any_port.getsockname()[1]


def node_exporter(pmu):
    """The counts of each CPU as metrics, of perf-utils."""
    at = f"127.0.0.1:{free_port()}"
    script = (f"{program('prometheus-node-exporter')} --collector.disable-defaults --collector.perf "
              f"--web.listen-address={at} & {sys.executable} -c '{FETCH}' http://{at}/metrics; kill $!")
    run = pmu.run(["sh", "-c", script], env={"no_proxy": "*"})
    counts = re.findall(r"^node_perf_(?:instructions|cache_l1d_read_hits)_total\{.*\} (\S+)$", run.out, re.M)
    assert len(counts) >= 2, run.out + run.err
    run.must_have_read([int(float(count)) for count in counts if float(count)], within=1e-6)


def tiptop(pmu):
    """A table of processes. The workload has 0.64 instructions per cycle; both are read one after the other."""
    script = f"while :; do :; done & {program('tiptop')} -b -n 3 -d 1 -p $!; kill $!"
    run = pmu.run(["sh", "-c", script])
    ratios = [float(words.split()[6]) for words in re.findall(r"^ *\d+ .* sh *$", run.out, re.M)]
    assert ratios and all(0.5 < ratio < 0.8 for ratio in ratios), run.out + run.err


def tests(pmu):
    for name, judge in (("stress-ng", stress_ng), ("node_exporter", node_exporter), ("tiptop", tiptop)):
        yield name, partial(judged, lambda judge=judge: judge(pmu))
