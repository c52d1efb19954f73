# SPDX-License-Identifier: Apache-2.0
"""Tries mutants: each by the tests of its layers, up to the first that notices it.

A test is a scenario, or one test of a program of GoogleTest. Without a mutant each is called once
by itself: how long it takes is measured, and which mutants of C sources it reaches. So a mutant is
tried by those alone that reach it, first by those that have noticed its neighbours, then by quick ones.
"""
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time

from layers import LOCKSTEP
from verdicts import KILLED, SURVIVED

# A call may take so many times the processor time that it takes without a mutant, and so many
# seconds more; on the clock on the wall, which counts for what waits for ever, far more.
SLOWER, GRACE_SECONDS = 4, 2
WALL_SLOWER, WALL_GRACE_SECONDS = 40, 60
MEMORY = 8 << 30 # what a mutant may ask for
FIRST = 6        # tests that are tried before the others
NEAR_LINES = 12  # neighbours



class UnmutatedFails(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Test:
    command: object
    name: str           # of a test of a program; "" is the whole command
    seconds: float      # of processor time
    reached: frozenset  # keys; None: not known, any may be reached

    def reaches(self, mutant):
        return self.reached is None or mutant.path.endswith(".sv") or mutant.key in self.reached

    @property
    def whole_name(self):
        return f"{self.command.name} {self.name}".strip()


def seconds_of(usage):
    return usage.ru_utime + usage.ru_stime


class Server:
    """A program of GoogleTest that forks for each test that it is asked for (variable.c)."""

    def __init__(self, words, place, environment):
        (asked, self.asks), (self.told, tells) = os.pipe(), os.pipe()
        self.process = subprocess.Popen(words, cwd=place, pass_fds=(asked, tells),
                                        env=dict(environment, CS_SERVE=f"{asked} {tells}"),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(asked)
        os.close(tells)
        self.answers = os.fdopen(self.told)

    def ask(self, number, name, limit):
        """As Runner.call, without the output."""
        cpu = int(limit * SLOWER + GRACE_SECONDS + 1)
        wall = int(limit * WALL_SLOWER + WALL_GRACE_SECONDS)
        os.write(self.asks, f"{number} {cpu} {wall} {name}\n".encode())
        status, milliseconds = (int(word) for word in self.answers.readline().split())
        slow = status != 0 and milliseconds >= 1000 * cpu - 500
        return None if slow else status == 0, milliseconds / 1000

    def end(self):
        os.close(self.asks)
        self.answers.close()
        self.process.wait()


class Runner:
    def __init__(self, tree, state, verdicts, trust=False, jobs=1, slowest=None):
        self.tree, self.state, self.verdicts = tree, state, verdicts
        self.trust, self.jobs, self.slowest = trust, jobs, slowest
        self.servers = {} # of a command: those that are idle
        self.tests = {} # of a command
        self.kills = [] # (path, line, test)
        self.keys, self.store, self.measured = {}, None, {}
        self.lock, self.measuring = threading.Lock(), threading.Lock()

    # --- calls ---

    def words(self, command, name=None):
        """A call of it; of the test of that name alone; "": of whichever is asked for later."""
        words = [word.replace("{tree}", str(self.tree.place)) for word in command.words]
        words[0] = str(self.tree.build / words[0])
        if command.is_gtest and name is not None:
            words = [word for word in words if not word.startswith("--gtest_filter=")]
            words += [f"--gtest_filter={name}"] if name else []
        return words

    def environment(self, number):
        return dict(os.environ, CS_MUTANT=str(number),
                    COUNTERSINK_CACHE=str(self.tree.build / "die-cache"))

    def call(self, words, number, limit=None, reached=None):
        """(whether it succeeded, seconds, output); None instead when it took too long."""
        environment = self.environment(number)
        if reached is not None:
            environment["CS_REACHED"] = reached
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(words, cwd=self.tree.place, env=environment,
                                       stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.DEVNULL, start_new_session=True)
            cpu = resource.RLIM_INFINITY
            if limit is not None:
                cpu = int(limit * SLOWER + GRACE_SECONDS + 1)
            try:
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (cpu, cpu))
                resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
            except ProcessLookupError:
                pass # it has ended
            wall = None if limit is None else WALL_SLOWER * limit + WALL_GRACE_SECONDS
            status, usage = self.wait(process, wall)
            try:
                os.killpg(process.pid, signal.SIGKILL) # also what it has forked
            except ProcessLookupError:
                pass
            out.seek(0)
            text = out.read().decode(errors="replace")
        good = status == 0
        if status is None or (limit is not None and seconds_of(usage) >= cpu - 0.5 and not good):
            good = None
        return good, seconds_of(usage), text

    @staticmethod
    def wait(process, wall):
        timer = None
        late = threading.Event()
        if wall is not None:
            def end():
                late.set()
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            timer = threading.Timer(wall, end)
            timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        if timer is not None:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        return None if late.is_set() else process.returncode, usage

    # --- without a mutant ---

    def build_has(self, numbers):
        """The mutants of the build, {key: number}. What was measured of it is read again."""
        self.keys = {number: key for key, number in numbers.items()}
        numbers = hashlib.sha1("".join(self.keys.values()).encode()).hexdigest()[:12]
        self.store = self.verdicts.folder / f"reached-{self.state}-{numbers}.jsonl"
        if self.store.is_file():
            for line in self.store.read_text().splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue # the last line of a run that was killed
                self.measured[row["test"]] = row

    def measure(self, command):
        """How long each test takes when no mutant is switched on, and which mutants it reaches;
        it has to succeed. It is done when a command is needed for the first time."""
        tests = []
        for name in self.names(command):
            whole = f"{command.name} {name}".strip()
            if whole not in self.measured:
                seconds, reached = self.record(command, name, max(self.keys, default=0))
                self.measured[whole] = {"test": whole, "seconds": seconds,
                                        "reached": [self.keys[n] for n in reached]}
                with open(self.store, "a", encoding="utf-8") as out:
                    out.write(json.dumps(self.measured[whole]) + "\n")
            row = self.measured[whole]
            tests.append(Test(command, name, row["seconds"], frozenset(row["reached"])))
        return tests

    def tests_of(self, command):
        with self.measuring:
            if command not in self.tests:
                self.tests[command] = self.measure(command)
            return self.tests[command]

    def names(self, command):
        """The tests of a program; [""] for what is none of GoogleTest."""
        if not command.is_gtest:
            return [""]
        good, _, text = self.call(self.words(command) + ["--gtest_list_tests"], 0)
        if not good:
            raise UnmutatedFails(f"{command.name} does not list its tests")
        names, suite = [], ""
        for line in text.splitlines():
            word = line.split("#")[0].rstrip()
            if not line.startswith(" "):
                suite = word
            elif word and "DISABLED_" not in suite + word:
                names.append(suite + word.strip())
        return names

    def record(self, command, name, count):
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(count + 1))
            file.flush()
            words = self.words(command, name or None)
            good, seconds, _ = self.call(words, -1, reached=file.name)
            if not good:
                raise UnmutatedFails(f"without a mutant this fails: {command.name} {name}")
            file.seek(0)
            marks = file.read()
        if seconds > 5: # a die may have been made
            seconds = self.call(words, 0)[1]
        return round(seconds, 3), [n for n, mark in enumerate(marks) if mark]

    # --- with one ---

    def score(self, mutant, test):
        """How well a test has noticed neighbours, for what it costs."""
        return sum(4 if abs(line - mutant.line) <= NEAR_LINES else 1
                   for path, line, by in self.kills
                   if path == mutant.path and by == test) / (0.02 + test.seconds)

    def in_order(self, mutant, tests):
        """Those first that have noticed neighbours, then the quick ones."""
        score = {test: self.score(mutant, test) for test in tests}
        likely = [t for t in sorted(tests, key=lambda t: -score[t]) if score[t] > 0][:FIRST]
        return likely + sorted((t for t in tests if t not in likely), key=lambda t: t.seconds)

    def try_test(self, mutant, test):
        """(whether it succeeded, seconds); None instead when it took too long."""
        if not test.name:
            return self.call(self.words(test.command), mutant.number, limit=test.seconds)[:2]
        with self.lock:
            idle = self.servers.setdefault(test.command, [])
            server = idle.pop() if idle else None
        if server is None:
            server = Server(self.words(test.command, ""), self.tree.place, self.environment(0))
        result = server.ask(mutant.number, test.name, test.seconds)
        with self.lock:
            idle.append(server)
        return result

    def try_layer(self, mutant, layer, commands):
        tests = [test for command in commands for test in self.tests_of(command)
                 if test.reaches(mutant)]
        quick = [t for t in tests if self.slowest is None or t.seconds <= self.slowest]
        total = 0.0
        for test in self.in_order(mutant, quick):
            good, seconds = self.try_test(mutant, test)
            total += seconds
            if not good:
                with self.lock:
                    self.kills.append((mutant.path, mutant.line, test))
                    self.tell(mutant, layer, KILLED, test.whole_name, total, good is None)
                return True
        if len(quick) == len(tests): # else nothing is known yet
            with self.lock:
                self.tell(mutant, layer, SURVIVED, "" if tests else "not reached", total, False)
        return False

    def tell(self, mutant, layer, verdict, by, seconds, slow):
        self.verdicts.add(key=mutant.key, layer=layer, verdict=verdict, by=by, slow=slow,
                          seconds=round(seconds, 2), state=self.state)

    def try_mutant(self, mutant, by_layer, until):
        """Layers in their order. Lockstep is asked only until some of it has noticed."""
        noticed = False
        for layer, commands in by_layer.items():
            if not commands or (until is not None and time.monotonic() > until):
                continue
            if noticed and layer in LOCKSTEP:
                continue
            known = self.verdicts.get(mutant.key, layer, self.state, self.trust)
            killed = (known["verdict"] == KILLED if known is not None
                      else self.try_layer(mutant, layer, commands))
            noticed = noticed or (killed and layer in LOCKSTEP)

    def run(self, jobs, until=None, progress=None):
        """jobs: pairs of a mutant and its commands by layer."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            futures = [pool.submit(self.try_mutant, mutant, by_layer, until)
                       for mutant, by_layer in jobs]
            for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                future.result()
                if progress is not None:
                    progress(done, len(futures))
        for server in (one for those in self.servers.values() for one in those):
            server.end()
