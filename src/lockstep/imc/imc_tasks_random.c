// SPDX-License-Identifier: Apache-2.0
/* Random scenarios with OPAL, the kernel and perf on IMC cores: commands that count processes on
 * whatever CPUs they run. Workloads name processes as it comes, so that CPUs often wait for one that
 * another still runs. */
#include "lockstep/imc/imc_random.h"

#define PROCESSES 5u
#define ALONE 50u /* and up: a process of a CPU alone, one for each */

void cs_random_imc_task_workloads(cs_draw *d, cs_random_imc_state *p)
{
    static const char *const modes[] = {"guest_user", "host_kernel", "host_user"};

    for (unsigned cpu = 0; cpu < p->cores * p->threads; cpu++) {
        cs_draw_line(d, "  - name: w%u\n    cpus: %u\n    segments:", cpu, cpu);
        for (uint64_t n = cs_draw_between(d, 1, 5) + 1; n > 0; n--) {
            const unsigned number = (unsigned)cs_draw_between(d, 1, PROCESSES);

            if (n != 1)
                p->processes |= 1u << number;
            cs_draw_line(
                d,
                "      - {cycles: %u, mode: %s, cid1: %u, functions: [{name: f, base: 0x10001000, "
                "size: 0x800}], events: [{event: CPM_CS_PCYC, rate: 0.9}, {event: CPM_CS_INST, "
                "kind: random, rate: 1.2}, {event: CPM_32MHZ_CYC, rate: 0.3}]}",
                (unsigned)cs_draw_between(d, 100, 6000), modes[cs_draw_pick(d, "imc.task_mode", 3)],
                n == 1 ? ALONE + cpu : number);
        }
    }
}

/* Of processes some, at least one. */
static void processes(cs_draw *d, const cs_random_imc_state *p)
{
    bool begun = false;

    cs_draw_put(d, "      inherit: %s\n      processes: [", cs_draw_bool(d, "imc.inherit", 70));
    for (unsigned n = 1; n <= PROCESSES; n++) {
        if ((p->processes >> n & 1) == 0 || (begun && cs_draw_chance(d, 40)))
            continue;
        cs_draw_put(d, "%s{pid: %u}", begun ? ", " : "", n);
        begun = true;
    }
    if (!begun)
        cs_draw_put(d, "{pid: %u}", ALONE);
    cs_draw_line(d, "]");
}

/* Its window is where firmware has it, and its block the driver's. */
void cs_random_imc_task_nest(cs_draw *d)
{
    cs_draw_line(d,
                 "nest:\n  present: true\n  tick_cycles: %u\n  speed: %u\n  segments:\n"
                 "    - cycles: %u\n      events:\n"
                 "        - {event: PM_MCS01_128B_RD_DISP_PORT01, kind: random, rate: 1.4}\n"
                 "        - {event: PM_PB_CYC, rate: 3.5}\n"
                 "        - {event: PM_XLINK0_OUT_ODD_DATA_COUNT, kind: random, rate: 2.1}\n"
                 "        - {event: PM_PHB0_DMA_RD_FROM_PCIE, kind: random, rate: 0.2}\n"
                 "        - {event: PM_MBA0_CLK_CYC, rate: 0.5}\n"
                 "    - {cycles: 300}",
                 (unsigned)cs_draw_between(d, 300, 1500), (unsigned)cs_draw_below(d, 3),
                 (unsigned)cs_draw_between(d, 500, 9000));
}

/* Of the nest, or of whole cores; perf -a, by socket or not. */
static void machine_command(cs_draw *d, const cs_random_imc_state *p)
{
    const bool nest = p->nest && cs_draw_flag(d, "imc.nest_command", 60);
    const unsigned start = (unsigned)cs_draw_between(d, 1, 20);

    cs_draw_line(d,
                 "    - pmu: %s\n      cpus: all\n      start_us: %u\n      stop_us: %u\n"
                 "      interval_us: %u\n      per_socket: %s\n      events: %s",
                 nest ? "nest" : "core", start, start + (unsigned)cs_draw_between(d, 1, 50),
                 cs_draw_chance(d, 40) ? (unsigned)cs_draw_between(d, 3, 20) : 0,
                 cs_draw_bool(d, "imc.per_socket", 20),
                 nest ? "[nest_mcs01_imc/PM_MCS01_128B_RD_DISP_PORT01, "
                        "nest_powerbus0_imc/PM_PB_CYC, nest_phb0_imc/PM_PHB0_DMA_RD_FROM_PCIE]"
                      : "[CPM_CS_INST, CPM_CS_PCYC]");
}

/* What a user writes into the nest's block meanwhile. */
static void debugfs(cs_draw *d)
{
    unsigned at = 1;

    cs_draw_line(d, "  debugfs:");
    for (uint64_t n = cs_draw_between(d, 1, 3); n > 0; n--) {
        const bool mode = cs_draw_flag(d, "imc.debugfs_mode", 50);

        at += (unsigned)cs_draw_between(d, 1, 20);
        cs_draw_line(d, "    - {file: %s, value: %u, at_us: %u}", mode ? "imc_mode_0" : "imc_cmd_0",
                     (unsigned)cs_draw_below(d, mode ? 3 : 5), at);
    }
}

static void command(cs_draw *d, const cs_random_imc_state *p, bool trace)
{
    const unsigned start = (unsigned)cs_draw_between(d, 1, 20);
    const unsigned cpus = p->cores * p->threads;

    cs_draw_line(d, "    - pmu: %s\n      start_us: %u\n      stop_us: %u\n      interval_us: %u",
                 trace ? "trace" : "thread", start, start + (unsigned)cs_draw_between(d, 1, 50),
                 cs_draw_chance(d, 40) ? (unsigned)cs_draw_between(d, 3, 20) : 0);
    if (trace)
        cs_draw_line(d, "      events: [trace_cycles]\n      sample_period: 1");
    else
        cs_draw_line(d, "      events: [CPM_CS_PCYC_USER, CPM_CS_INST_USER]");
    if (cs_draw_flag(d, "imc.task", 20))
        cs_draw_line(d, "      task: true\n      cpus: [%u, %u]",
                     (unsigned)cs_draw_below(d, cpus - 1), cpus - 1);
    else
        processes(d, p);
}

const char *cs_random_imc_task_driver(cs_draw *d, const cs_random_imc_state *p)
{
    const bool trace = cs_draw_flag(d, "imc.task_trace", 25);

    cs_draw_line(d,
                 "imc_driver:\n  opal_cycles: %u\n  cross_call_cycles: %u\n  switch_cycles: %u\n"
                 "  record_cycles: %u\n  trace_scom: 0x7FFFFFE142020000\n  perf:",
                 (unsigned)cs_draw_between(d, 1, 200), (unsigned)cs_draw_between(d, 1, 400),
                 (unsigned)cs_draw_between(d, 1, 600), (unsigned)cs_draw_between(d, 1, 40));
    for (uint64_t n = cs_draw_between(d, 1, 3); n > 0; n--)
        if (!trace && cs_draw_flag(d, "imc.machine_command", p->nest ? 60 : 30))
            machine_command(d, p);
        else
            command(d, p, trace);
    if (p->nest && cs_draw_flag(d, "imc.debugfs", 60))
        debugfs(d);
    return "imc";
}
