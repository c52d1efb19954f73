# SPDX-License-Identifier: Apache-2.0
"""toplev of pmu-tools: where the slots of a core went. It takes the machine for a Skylake. Intel's list of events
would be fetched from a server; here it gets those that level 1 needs, by their numbers in Intel's manual."""
import csv
import json
from functools import partial

from harness import HERE, judged, venv

# Of 4 slots per cycle: 0.8 without a uop from the front end, 1.6 with one that is issued, 1.5 with one that
# retires (slots.yaml).
TRUE = {"Frontend_Bound": 20.0, "Bad_Speculation": 2.5, "Retiring": 37.5, "Backend_Bound": 40.0}
# Event and unit mask.
EVENTS = {"UOPS_ISSUED.ANY": (0x0e, 1), "UOPS_RETIRED.RETIRE_SLOTS": (0xc2, 2), "IDQ_UOPS_NOT_DELIVERED.CORE": (0x9c, 1),
          "INT_MISC.RECOVERY_CYCLES": (0x0d, 1), "CPU_CLK_UNHALTED.THREAD": (0x00, 2), "INST_RETIRED.ANY": (0x00, 1),
          "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE": (0x3c, 2), "CPU_CLK_UNHALTED.REF_XCLK": (0x3c, 1),
          "CPU_CLK_UNHALTED.REF_TSC": (0x00, 3)}
SAME = {"Counter": "0,1,2,3", "CounterHTOff": "0,1,2,3", "SampleAfterValue": "2000003", "MSRIndex": "0", "MSRValue": "0",
        "CounterMask": "0", "Invert": "0", "AnyThread": "0", "EdgeDetect": "0", "PEBS": "0"}
BURN = "import time\nwhile time.process_time() < 0.5: pass"


def lists(work):
    """Files of events, and of no uncore events, by the variables that name them."""
    events = [{"EventName": name, "EventCode": hex(event), "UMask": hex(mask), "BriefDescription": name,
               "PublicDescription": name, **SAME} for name, (event, mask) in EVENTS.items()]
    (work / "events.json").write_text(json.dumps(events))
    (work / "uncore.json").write_text("[]")
    return {"EVENTMAP": str(work / "events.json"), "UNCORE": str(work / "uncore.json")}


def slots(pmu):
    run = pmu.run([venv("python"), "-m", "toplev", "--force-cpu", "skl", "-l1", "-v", "--no-desc",
                   "-x,", "-o", "top.csv", "--", "python3", "-S", "-c", BURN], HERE / "slots.yaml", env=lists(pmu.work))
    run.must_be_good()
    with open(pmu.work / "top.csv", encoding="ascii") as file:
        found = {row["Area"]: float(row["Value"]) for row in csv.DictReader(file) if row["Area"] in TRUE}
    assert found.keys() == TRUE.keys(), found
    for area, true in TRUE.items():
        assert abs(found[area] - true) < 1, f"{area}: printed {found[area]}, true {true}"


def tests(pmu):
    yield "level 1", partial(judged, lambda: slots(pmu))
