# SPDX-License-Identifier: Apache-2.0
"""A real Slurm for tests: a controller and two nodes on loopback."""
import os
import re
import shutil
import signal
import socket
import subprocess
import time

PATIENCE = 600  # seconds: what takes longer hangs, however busy the machine is

CONFIGURATION = """ClusterName=tests
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
SlurmdTimeout=3600
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
            raise SystemExit(f"cluster: {what}: not within {PATIENCE} s")
        time.sleep(0.05)


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


def program(name):
    return shutil.which(name) or f"/usr/sbin/{name}"


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
        # A machine may have no control groups. Before version 23 nobody could say so, but the first
        # plugin looks for them only when a task asks.
        version = int(re.search(r"\d+", self.ask(program("slurmctld"), "-V"))[0])
        with open(f"{place}/cgroup.conf", "w", encoding="utf-8") as file:
            file.write(f"CgroupPlugin={'disabled' if version >= 23 else 'cgroup/v1'}\n")
        self.processes = {"control": self.start("slurmctld", "-D", "-i")}
        for node in ("node0", "node1"):
            self.boot(node)
        until("two idle nodes", lambda: self.ask("sinfo", "-h", "-t", "idle", "-o", "%D") == "2")

    def start(self, name, *arguments):
        with open(f"{self.place}/{name}.out", "a", encoding="utf-8") as out:
            return subprocess.Popen([program(name), *arguments], env=self.environment, stdout=out,
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

    def boot(self, node):
        self.processes[node] = self.start("slurmd", "-D", "-b", "-N", node)

    def signal(self, node, number):
        """To what a node is: first to its daemon, so that no task begins meanwhile."""
        self.processes[node].send_signal(number)
        for pid in self.tasks(node):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def catch_at_work(self, node):
        """Stops a node in the middle of a task. False: it had none, and goes on."""
        self.signal(node, signal.SIGSTOP)
        if self.ask("squeue", "-h", "-t", "running", "-w", node):
            return True
        self.signal(node, signal.SIGCONT)
        return False

    def kill(self, node):
        """As if its power were gone."""
        self.signal(node, signal.SIGKILL)
        self.processes[node].wait()

    def fail(self, node):
        """Its power goes, and comes back. A controller sees at once that such a node has lost its
        tasks; one that stays silent could as well be slow, so that no time-out would be right for
        every machine."""
        self.kill(node)
        gone = int(time.time())
        # A boot is told from what came before it by whole seconds.
        until("the next second", lambda: int(time.time()) > gone)
        self.boot(node)
        until(f"{node} to be missed", lambda: self.state(node).startswith("down"))

    def state(self, node):
        return self.ask("sinfo", "-h", "-n", node, "-o", "%t")

    def requeued(self):
        """Tasks that are back in the queue. There they stay for two minutes; see hurry()."""
        lines = self.ask("squeue", "-h", "-r", "-t", "pending", "-o", "%i %r").splitlines()
        return [line.split()[0] for line in lines if line.endswith(" BeginTime")]

    def hurry(self, tasks):
        """An administrator lets them begin at once."""
        for task in tasks:
            self.ask("scontrol", "update", f"jobid={task}", "starttime=now")

    def end(self):
        # Without a controller nobody waits for the answers of nodes that are gone.
        self.ask("scancel", "--user=root")
        self.processes["control"].terminate()
        self.processes["control"].wait()
        for node in ("node0", "node1"):
            self.kill(node)
