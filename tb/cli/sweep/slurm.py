"""A sweep on a real Slurm: a controller and two nodes on loopback, one of which dies under way.

usage: slurm.py COUNTERSINK SOURCE
"""
import glob
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

COMMAND, SOURCE = sys.argv[1:3]
POINTS = 100
TASKS = 10
PATIENCE = 120  # seconds, of a machine that is busy

SWEEP = f"""sweep: seeds
scenario: {SOURCE}/configs/pmcu/pmcu_demo.yaml
set: {{pmcu_driver.nr_sample: 64}}
vary:
  - seed: {{from: 1, to: {POINTS}, step: 1}}
"""

CONFIGURATION = """ClusterName=sweep
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool-%n
SlurmctldPidFile={place}/control.pid
SlurmdPidFile={place}/%n.pid
SlurmctldLogFile={place}/control.log
SlurmdLogFile={place}/%n.log
SlurmdTimeout=10
ReturnToService=0
SchedulerParameters=batch_sched_delay=0,sched_interval=1,requeue_delay=0
NodeName=node0 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=1 State=UNKNOWN
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def until(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"slurm.py: {what}: not within {PATIENCE} s")
        time.sleep(0.1)


def read_process(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read()
    except OSError:
        return b""


def parent_of(pid):
    for line in read_process(pid, "status").splitlines():
        if line.startswith(b"PPid:"):
            return int(line.split()[1])
    return 0


class Cluster:
    def __init__(self, place):
        host = socket.gethostname().split(".")[0]
        control, first, second = free_ports(3)
        self.place = place
        self.environment = dict(os.environ, SLURM_CONF=f"{place}/slurm.conf")
        os.mkdir(f"{place}/state")
        for node in ("node0", "node1"):
            os.mkdir(f"{place}/spool-{node}")
        with open(f"{place}/slurm.conf", "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(place=place, host=host, control=control, first=first,
                                            second=second))
        self.processes = {"control": self.start("slurmctld", "-D", "-i")}
        for node in ("node0", "node1"):
            self.processes[node] = self.start("slurmd", "-D", "-N", node)
        until("two idle nodes", lambda: self.ask("sinfo", "-h", "-t", "idle", "-o", "%D") == "2")

    def start(self, program, *arguments):
        path = shutil.which(program) or f"/usr/sbin/{program}"
        with open(f"{self.place}/{program}.out", "a", encoding="utf-8") as out:
            return subprocess.Popen([path, *arguments], env=self.environment, stdout=out,
                                    stderr=out, start_new_session=True)

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True,
                              check=False).stdout.strip()

    def tasks(self, node):
        """What a node's tasks run, behind Slurm's own processes that watch them: who dies first
        cannot tell of the others."""
        mine = [f"SLURM_CONF={self.place}/slurm.conf".encode(),
                f"SLURMD_NODENAME={node}".encode()]
        run, watch = [], set()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            words = read_process(pid, "environ").split(b"\0")
            if all(word in words for word in mine):
                run.append(int(pid))
                parent = parent_of(pid)
                if b"slurmstepd" in read_process(parent, "cmdline"):
                    watch.add(parent)
        return sorted(watch) + run

    def kill(self, node):
        """As if its power were gone."""
        self.processes[node].kill()
        self.processes[node].wait()
        for pid in self.tasks(node):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def end(self):
        self.ask("scancel", "--user=root")
        for node in ("node0", "node1"):
            self.kill(node)
        self.processes["control"].terminate()
        self.processes["control"].wait()


def rows(path):
    with sqlite3.connect(path) as db:
        return db.execute("SELECT * FROM point ORDER BY point").fetchall(), [
            c[1] for c in db.execute("PRAGMA table_info(point)")]


def without_wall(path):
    found, columns = rows(path)
    wall = columns.index("wall_s")
    order = sorted(columns)
    return [[row[columns.index(c)] for c in order if columns.index(c) != wall] for row in found]


def sweep(cluster, folder, *arguments):
    return subprocess.Popen([COMMAND, "sweep", "-o", "seeds.sqlite", *arguments, "sweep.yaml"],
                            cwd=folder, env=cluster.environment, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def parts(folder):
    try:
        return [n for n in os.listdir(f"{folder}/seeds.sqlite.parts") if n.endswith(".sqlite")]
    except FileNotFoundError:
        return []


def try_all(cluster, folder):
    with open(f"{folder}/sweep.yaml", "w", encoding="utf-8") as file:
        file.write(SWEEP)

    # The client is stopped while tasks run: they go on, and the same command collects them.
    client = sweep(cluster, folder, "--slurm", str(TASKS))
    until("the first tasks", lambda: len(parts(folder)) >= 2)
    client.send_signal(signal.SIGINT)
    client.communicate()
    jobs = cluster.ask("squeue", "-h", "-o", "%A")
    assert jobs, "the tasks were gone with the client"

    client = sweep(cluster, folder, "--slurm", str(TASKS))
    cluster.kill("node1")
    out, err = client.communicate(timeout=4 * PATIENCE)
    assert client.returncode == 0, err + out
    state = cluster.ask("sinfo", "-h", "-n", "node1", "-o", "%t")
    assert state.startswith("down"), f"node1 is {state}: nothing has failed"
    assert len(rows(f"{folder}/seeds.sqlite")[0]) == POINTS
    assert sorted(os.listdir(folder)) == ["seeds.sqlite", "sweep.yaml"], os.listdir(folder)

    # The same rows as on this machine alone.
    subprocess.run([COMMAND, "sweep", "-o", "alone.sqlite", "sweep.yaml"], cwd=folder, check=True,
                   capture_output=True)
    assert without_wall(f"{folder}/seeds.sqlite") == without_wall(f"{folder}/alone.sqlite")
    os.remove(f"{folder}/alone.sqlite")

    # What Slurm refuses is told, and nothing is lost.
    os.remove(f"{folder}/seeds.sqlite")
    client = sweep(cluster, folder, "--slurm", "2", "--slurm-options", "--partition=none")
    out, err = client.communicate(timeout=PATIENCE)
    assert client.returncode == 3 and "invalid partition" in err.lower(), err


def main():
    with tempfile.TemporaryDirectory() as place:
        cluster = Cluster(place)
        try:
            folder = f"{place}/work"
            os.mkdir(folder)
            try_all(cluster, folder)
        except BaseException:
            logs = glob.glob(f"{place}/*.log") + glob.glob(f"{place}/work/*.parts/*.log")
            for name in logs + glob.glob(f"{place}/*.out"):
                with open(name, encoding="utf-8") as file:
                    print(f"-- {name}\n" + file.read()[-3000:])
            raise
        finally:
            cluster.end()


main()
