"""Tries mutants: each by the commands of its layers, up to the first that notices it."""
import concurrent.futures
import json
import os
import signal
import subprocess
import threading
import time

from verdicts import KILLED, SURVIVED

# A command may take so many times as long as without a mutant, and so many seconds more.
SLOWER, GRACE_SECONDS = 5, 5
DIE_SECONDS = 5 # it may be that a die is made where a command takes longer for the first time


class UnmutatedFails(Exception):
    pass


class Runner:
    def __init__(self, tree, state, verdicts, trust=False, jobs=1):
        self.tree, self.state, self.verdicts = tree, state, verdicts
        self.trust, self.jobs = trust, jobs
        self.baseline, self.kills = {}, {}
        self.lock = threading.Lock()

    def call(self, command, number, seconds):
        """(whether it succeeded, seconds); None instead when it took too long."""
        words = list(command.words)
        words[0] = str(self.tree.build / words[0])
        if "/test_" in words[0]:
            words.append("--gtest_fail_fast")
        environment = dict(os.environ, CS_MUTANT=str(number),
                           COUNTERSINK_CACHE=str(self.tree.build / "die-cache"))
        begin = time.monotonic()
        process = subprocess.Popen(words, cwd=self.tree.place, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            good = process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            good = None
        try:
            os.killpg(process.pid, signal.SIGKILL) # also what it has forked
        except ProcessLookupError:
            pass
        process.wait()
        return good, time.monotonic() - begin

    def measure(self, commands):
        """How long each takes when no mutant is switched on; it has to succeed. What is measured
        is kept for the next call."""
        store = self.verdicts.folder / "baseline.json"
        known = json.loads(store.read_text()) if store.is_file() else {}
        for command in commands:
            name = f"{self.state} {command.name}"
            if name not in known:
                good, seconds = self.call(command, 0, 600)
                if good and seconds > DIE_SECONDS: # a die may have been made
                    good, seconds = self.call(command, 0, 600)
                if not good:
                    raise UnmutatedFails(f"without a mutant this fails: {command.name}")
                known[name] = seconds
                store.write_text(json.dumps(known, indent=1) + "\n")
            self.baseline[command] = known[name]

    def ranked(self, path, commands):
        """What has noticed faults of this file before comes first, then what is quick."""
        return sorted(commands, key=lambda c: (-self.kills.get((path, c), 0) / self.baseline[c],
                                               self.baseline[c]))

    def try_layer(self, mutant, layer, commands):
        total = 0.0
        for command in self.ranked(mutant.path, commands):
            good, seconds = self.call(command, mutant.number,
                                      GRACE_SECONDS + SLOWER * self.baseline[command])
            total += seconds
            if not good:
                with self.lock:
                    place = (mutant.path, command)
                    self.kills[place] = self.kills.get(place, 0) + 1
                    self.tell(mutant, layer, KILLED, command.name, total, good is None)
                return True
        with self.lock:
            self.tell(mutant, layer, SURVIVED, "", total, False)
        return False

    def tell(self, mutant, layer, verdict, by, seconds, slow):
        self.verdicts.add(key=mutant.key, layer=layer, verdict=verdict, by=by, slow=slow,
                          seconds=round(seconds, 2), state=self.state)

    def try_mutant(self, mutant, by_layer, until):
        """Layers in their order. Random lockstep is asked only where no other lockstep noticed."""
        noticed = False
        for layer, commands in by_layer.items():
            if not commands or (until is not None and time.monotonic() > until):
                continue
            if layer == "random" and noticed:
                continue
            known = self.verdicts.get(mutant.key, layer, self.state, self.trust)
            killed = (known["verdict"] == KILLED if known is not None
                      else self.try_layer(mutant, layer, commands))
            noticed = noticed or (killed and layer != "unit")

    def run(self, jobs, until=None, progress=None):
        """jobs: pairs of a mutant and its commands by layer."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            futures = [pool.submit(self.try_mutant, mutant, by_layer, until)
                       for mutant, by_layer in jobs]
            for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                future.result()
                if progress is not None:
                    progress(done, len(futures))
