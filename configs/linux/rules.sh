#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094,SC2317 # what is put is in another system; called by a name
# What the driver must refuse, and what beside it it must take. Each line of rules.txt is a case.
mkdir -p /etc
echo root:x:0:0:root:/root:/bin/sh > /etc/passwd
echo somebody:x:1000:1000:somebody:/tmp:/bin/sh >> /etc/passwd
echo somebody:x:1000: > /etc/group
chmod 777 /tmp
failed=0

line() { # VERDICT WHAT
    why=$(grep -v '^Error:$' said.txt | grep -i -m 1 'error\|busy\|invalid\|not supported\|permission' |
        tr -s ' ')
    echo "$1: $2${why:+: $why}" >> rules.txt
}
taken() { # WHAT COMMAND..
    what=$1
    shift
    if "$@" > said.txt 2>&1; then
        echo "taken: $what" >> rules.txt
    else
        line "REFUSED" "$what"
        failed=1
    fi
}
refused() { # WHAT COMMAND..
    what=$1
    shift
    if "$@" > said.txt 2>&1; then
        echo "TAKEN: $what" >> rules.txt
        failed=1
    else
        line "refused" "$what"
    fi
}
stat() { # perf calls it good when it could count nothing
    perf stat -o counts.txt "$@" && ! grep -h -m 1 '<not ' counts.txt
}
record() { perf record -o samples.data "$@"; }
beside() { # EVENT OPTIONS..: perf counts it until `alone` is called
    perf stat -o beside.txt -e "$@" sleep 1000 > /dev/null 2>&1 &
    other=$!
    sleep 0.2
}
alone() {
    killall sleep
    wait $other
}

core=core_imc/CPM_CCYC/ thread=thread_imc/CPM_CS_INST_USER/ trace=trace_imc/trace_cycles/
nest=nest_powerbus0_imc/PM_PB_CYC/

taken "core alone" stat -e $core -C 0 true
taken "trace alone" record -c 1 -e $trace true
taken "thread alone" stat -e $thread true
beside $core -C 0
refused "trace beside core" record -c 1 -e $trace true
refused "thread beside core" stat -e $thread true
taken "nest beside core" stat -a -e $nest true
alone
beside $thread
refused "trace beside thread" record -c 1 -e $trace true
refused "core beside thread" stat -e $core -C 0 true
alone
taken "trace after thread" record -c 1 -e $trace true
refused "core that samples" record -c 1000 -e $core -C 0 true
taken "core of a task, of which perf makes the CPU" stat -e $core true
taken "nest of a task, of which perf makes the chip" stat -e $nest true
refused "core without the kernel" stat -e ${core}u -C 0 true
refused "trace without privilege" su somebody -c "perf record -o /tmp/x.data -c 1 -e $trace true"
refused "thread without privilege" su somebody -c "perf stat -o /tmp/x.txt -e $thread true && ! grep '<not ' /tmp/x.txt"
put rules.txt < rules.txt
[ $failed = 0 ] || cat rules.txt
exit $failed
