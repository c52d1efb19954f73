/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The plugin of QEMU: counts the guest's instructions, stops at those in whose cycle the engine does
 * something, and hands register accesses over (bridge.h). It includes qemu-plugin.h, whose license
 * this file has; the rest of the project is under its own.
 *
 * One argument, dir=PATH: where `settings` is read, and the log and the guest's files are written. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "guest/imc/bridge.h"
#include "guest/imc/plugin/clock.h"
#include "guest/imc/plugin/opcodes.h"
#include "guest/imc/plugin/settings.h"
#include "guest/log.h"
#include "guest/plugin/counts.h"
#include "guest/plugin/memory.h"
#include "guest/plugin/opened.h"
#include "guest/plugin/out.h"
#include "guest/plugin/tasks.h"
#include "guest/plugin/threads.h"
#include "guest/plugin/turns.h"
#include "scenario/guest/guest_spec.h"
#include <qemu-plugin.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define FAR_AWAY (UINT64_C(1) << 40)
#define PASSED (1u << 30) /* more than the longest instruction takes */
#define PATH_BYTES 4096

#define NEAR 64u /* bytes */

/* skiboot's code. */
#define FIRMWARE 0x30000000u
#define FIRMWARE_END 0x40000000u

static struct {
    bridge bridge;
    char dir[PATH_BYTES];
    FILE *log;
    out out;
    struct qemu_plugin_scoreboard *scores, *counted, *executed;
    qemu_plugin_u64 past, waits; /* waits: it is not the CPU's turn, as far as we know */
    uint64_t target;             /* the cycle at which `past`, which is below 0 before, becomes 0 */
    uint64_t wake;               /* that in whose cycle an engine does something */
    unsigned running;            /* the CPU whose turn it is */
    uint64_t turn_ends;
    GByteArray *bytes;
    struct qemu_plugin_register *gpr[32], *msr, *pid, *lpid;
    bool looked;   /* at the first instruction */
    bool slept;    /* the timebase is wanted, */
    int read_into; /* and comes into this register with the next instruction; -1: not yet */
    counts *counts;
    tasks *tasks;
    opened *opened;
    settings settings;
} g;

/* A guest whose clock is that of the day takes other ways every time. QEMU is started with this
 * library before its C library's. */
QEMU_PLUGIN_EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    *now = (struct timeval){.tv_sec = 1767225600}; /* 2026 */
    return 0;
}

/* Named by its last cycle. */
static uint64_t instruction_now(void)
{
    return g.target + qemu_plugin_u64_get(g.past, g.running);
}

static void stop_at(uint64_t instruction)
{
    const uint64_t now = instruction_now();

    g.target = instruction - now > FAR_AWAY ? now + FAR_AWAY : instruction;
    qemu_plugin_u64_set(g.past, g.running, now - g.target);
}

/* ---- registers ---- */

static size_t read_bytes(struct qemu_plugin_register *reg)
{
    g_byte_array_set_size(g.bytes, 0);
    return reg != NULL ? (size_t)qemu_plugin_read_register(reg, g.bytes) : 0;
}

/* QEMU hands registers over in the guest's byte order of the moment. */
static bool little_endian(void)
{
    return read_bytes(g.msr) == 8 && (g.bytes->data[0] & 1) != 0;
}

static uint64_t read_register(struct qemu_plugin_register *reg)
{
    const bool little = little_endian();
    const size_t size = read_bytes(reg);
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++)
        value = value << 8 | g.bytes->data[little ? size - 1 - i : i];
    return value;
}

static unsigned mode_now(void)
{
    const uint64_t msr = read_register(g.msr);

    return ((msr & MSR_HV) != 0 ? 2u : 0u) | ((msr & MSR_PR) != 0 ? 1u : 0u);
}

static bridge_who who(uint64_t pc)
{
    return (bridge_who){.pc = pc,
                        .pid = read_register(g.pid),
                        .lpid = read_register(g.lpid),
                        .mode = mode_now(),
                        .image = tasks_image(g.tasks, g.running)};
}

/* ---- counting each instruction ---- */

static void end_count(unsigned cpu, uint32_t image)
{
    counts_end(g.counts, cpu, qemu_plugin_scoreboard_find(g.counted, cpu), image);
}

static void count_between(void)
{
    const unsigned there = (unsigned)qemu_plugin_num_vcpus();

    for (unsigned cpu = 0; cpu < g.bridge.nr_cpus && cpu < there; cpu++) {
        const bridge_counting by = bridge_counts(&g.bridge, cpu);
        const bool told = by == BRIDGE_BY_TRACE || by == BRIDGE_LEFT_OUT ||
                          g.settings.guest.count != CS_GUEST_COUNT_TRACE;

        counts_change(g.counts, cpu, told ? by : BRIDGE_NOBODY, bridge_event(&g.bridge, cpu),
                      qemu_plugin_scoreboard_find(g.counted, cpu), tasks_image(g.tasks, cpu));
    }
}

/* ---- what the guest does ---- */

static const events_executed *all_executed(void)
{
    static events_executed all[EVENTS_CPUS];
    const unsigned there = (unsigned)qemu_plugin_num_vcpus();

    if (g.bridge.nr_cpus == 1)
        return qemu_plugin_scoreboard_find(g.executed, 0);
    for (unsigned cpu = 0; cpu < g.bridge.nr_cpus && cpu < there; cpu++)
        memcpy(&all[cpu], qemu_plugin_scoreboard_find(g.executed, cpu), sizeof all[cpu]);
    return all;
}

static void tell_executed(uint64_t now)
{
    bridge_executed(&g.bridge, now, all_executed(), NULL);
}

static void stop_next(void)
{
    stop_at(g.bridge.nr_cpus > 1 && g.turn_ends < g.wake ? g.turn_ends : g.wake);
}

static void plan(uint64_t now)
{
    g.wake = g.read_into >= 0 ? now + 1 : bridge_next(&g.bridge, now);
    stop_next();
}

/* A block begins, after one was made, or of another CPU than the last. */
static void switched(unsigned cpu, void *pc)
{
    const uint64_t now = instruction_now();

    turns_made();
    for (unsigned i = 0; i < g.bridge.nr_cpus; i++)
        qemu_plugin_u64_set(g.waits, i, i != g.running);
    if (cpu == g.running)
        return;
    tell_executed(now);
    qemu_plugin_u64_set(g.waits, g.running, 1);
    qemu_plugin_u64_set(g.waits, cpu, 0);
    if (g.read_into >= 0) { /* what was read is not seen */
        g.read_into = -1;
        g.slept = true;
    }
    g.running = cpu;
    qemu_plugin_u64_set(g.past, cpu, now - g.target);
    bridge_turn(&g.bridge, cpu);
    g.turn_ends = now + turns_length(cpu, (uint64_t)(uintptr_t)pc);
    plan(now);
}

/* QEMU would leave a CPU that waits for another alone with its wait for long. */
static void end_turn(uint64_t now)
{
    turns_end(g.running);
    g.turn_ends = now + TURNS_LONG;
}

/* An instruction's address, and in its two lowest bits the kind. */
static void stopped(unsigned cpu, void *place)
{
    const uint64_t pc = (uint64_t)(uintptr_t)place & ~UINT64_C(3);
    const uint64_t now = instruction_now();
    events_current current = {.kind = (unsigned)(uintptr_t)place & 3u};

    if (g.bridge.nr_cpus > 1 && now >= g.turn_ends)
        end_turn(now);
    if (now < g.wake) {
        stop_next();
        return;
    }
    if (!g.looked && g.settings.config.nest_base != 0 && !plugin_find_homer(&g.bridge.homer))
        fprintf(g.log, "X the memory of HOMER was not found\n");
    g.looked = true;
    g.bridge.cpus[cpu].now = who(pc);
    current.mode = (unsigned)g.bridge.cpus[cpu].now.mode;
    bridge_executed(&g.bridge, now, all_executed(), &current);
    if (g.read_into >= 0) {
        const uint64_t tb = read_register(g.gpr[g.read_into]);

        g.read_into = -1;
        bridge_timebase(&g.bridge, g.bridge.events.first, tb);
    }
    bridge_execute(&g.bridge, now);
    count_between();
    plan(now);
}

static void on_stop(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    g.slept = true;
}

static void on_timebase(unsigned cpu, void *word)
{
    (void)cpu;
    if (!g.slept)
        return;
    g.slept = false;
    tell_executed(instruction_now());
    g.read_into = (int)REGISTER_OF((uint32_t)(uintptr_t)word);
    plan(instruction_now());
}

static void on_ldbar(unsigned cpu, void *word)
{
    const uint64_t now = instruction_now();

    (void)cpu;
    tell_executed(now);
    bridge_ldbar(&g.bridge, now, read_register(g.gpr[REGISTER_OF((uint32_t)(uintptr_t)word)]));
    count_between();
    plan(now);
}

static void on_store(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    const struct qemu_plugin_hwaddr *place = qemu_plugin_get_hwaddr(info, address);
    const uint64_t now = instruction_now();

    (void)cpu;
    (void)data;
    if (place == NULL || !qemu_plugin_hwaddr_is_io(place))
        return;
    const uint64_t at = qemu_plugin_hwaddr_phys_addr(place);
    /* The window of chip 0. */
    if (at < UINT64_C(0x603fc00000000) || at >= UINT64_C(0x603fc00000000) + (UINT64_C(8) << 30) * 2)
        return;
    tell_executed(now);
    bridge_scom(&g.bridge, now, (uint32_t)(at >> 3 & 0x7fffffff),
                qemu_plugin_mem_get_value(info).data.u64);
    count_between();
    plan(now);
}

static void on_driver(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *role)
{
    const struct qemu_plugin_hwaddr *place = qemu_plugin_get_hwaddr(info, address);
    const uint64_t now = instruction_now();

    (void)cpu;
    if (place == NULL || qemu_plugin_hwaddr_is_io(place) || qemu_plugin_mem_size_shift(info) != 3)
        return;
    tell_executed(now);
    bridge_driver(&g.bridge, now, (bridge_role)(uintptr_t)role, qemu_plugin_hwaddr_phys_addr(place),
                  qemu_plugin_mem_is_store(info));
    count_between(); /* a profile may have ended, or a core be counted */
}

/* A function of the driver's that is handed an event of perf. */
static void enter_driver(tasks_what what, uint64_t event)
{
    if (what == TASKS_OPEN)
        opened_add(g.opened, event);
    else if (what == TASKS_BEGIN)
        bridge_begin(&g.bridge, opened_id(g.opened, event));
    else if (what == TASKS_READ)
        bridge_count(&g.bridge, opened_id(g.opened, event));
    else if (what == TASKS_DUMP)
        bridge_dump(&g.bridge, opened_id(g.opened, event));
    else
        bridge_end(&g.bridge, opened_id(g.opened, event));
}

/* A function of the kernel is entered. */
static void on_entered(unsigned cpu, void *what)
{
    const uint32_t image = tasks_image(g.tasks, cpu);
    uint64_t arguments[TASKS_ARGUMENTS];

    for (unsigned i = 0; i < TASKS_ARGUMENTS; i++)
        arguments[i] = read_register(g.gpr[3 + i]);
    if ((tasks_what)(uintptr_t)what >= TASKS_OPEN) {
        enter_driver((tasks_what)(uintptr_t)what, arguments[0]);
        return;
    }
    if (tasks_entered(g.tasks, (tasks_what)(uintptr_t)what, cpu,
                      bridge_cycle(&g.bridge, instruction_now()), arguments))
        end_count(cpu, image);
    g.bridge.cpus[cpu].process = tasks_process(g.tasks, cpu);
}

/* ---- what programs of ours ask for ---- */

static const uint8_t *read_guest(uint64_t address, size_t size)
{
    g_byte_array_set_size(g.bytes, 0);
    return qemu_plugin_read_memory_vaddr(address, g.bytes, size) ? g.bytes->data : NULL;
}

static void on_call(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    out_call(&g.out, read_register(g.gpr[3]), read_register(g.gpr[4]), read_register(g.gpr[5]));
}

/* ---- translation ---- */

static void watch(struct qemu_plugin_insn *insn, uint64_t pc, uint32_t word)
{
    const unsigned role = settings_role(&g.settings, pc);
    void *const data = (void *)(uintptr_t)word;

    if (OF_SPR(word) == MTSPR(SPR_LDBAR))
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_ldbar, QEMU_PLUGIN_CB_R_REGS, data);
    else if (OF_SPR(word) == MFSPR(SPR_TB) || OF_SPR(word) == MFTB(SPR_TB))
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_timebase, QEMU_PLUGIN_CB_NO_REGS, data);
    else if (word == STOP)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_stop, QEMU_PLUGIN_CB_NO_REGS, NULL);
    else if (OF_STORE(word) == STDCIX)
        qemu_plugin_register_vcpu_mem_cb(insn, on_store, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_MEM_W,
                                         NULL);
    else if (word == CS_GUEST_CALL)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_call, QEMU_PLUGIN_CB_R_REGS, NULL);
    for (size_t i = 0; i < g.settings.guest.nr_watched; i++)
        if (pc - g.settings.guest.watched[i].entry < NEAR &&
            pc == tasks_entry(g.tasks, g.settings.guest.watched[i].entry))
            qemu_plugin_register_vcpu_insn_exec_cb(
                insn, on_entered, QEMU_PLUGIN_CB_R_REGS,
                (void *)(uintptr_t)g.settings.guest.watched[i].what);
    if (role != BRIDGE_ROLES)
        qemu_plugin_register_vcpu_mem_cb(insn, on_driver, QEMU_PLUGIN_CB_NO_REGS,
                                         QEMU_PLUGIN_MEM_RW, (void *)(uintptr_t)role);
}

static uint32_t word_of(const struct qemu_plugin_insn *insn, bool little)
{
    uint8_t code[4] = {0};

    qemu_plugin_insn_data(insn, code, sizeof code);
    return little ? (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
                        (uint32_t)code[3] << 24
                  : (uint32_t)code[3] | (uint32_t)code[2] << 8 | (uint32_t)code[1] << 16 |
                        (uint32_t)code[0] << 24;
}

/* Adds to a number of the scoreboard each time that the instruction is executed. */
static void add(struct qemu_plugin_insn *insn, qemu_plugin_u64 to, unsigned value)
{
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn, QEMU_PLUGIN_INLINE_ADD_U64, to,
                                                        value);
}

static void add_one(struct qemu_plugin_insn *insn, struct qemu_plugin_scoreboard *to, size_t place)
{
    add(insn, (qemu_plugin_u64){to, place * sizeof(uint64_t)}, 1);
}

/* A block is translated when it is about to be executed, and only for the mode of that moment. */
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    const size_t count = qemu_plugin_tb_n_insns(block);
    const bool little = little_endian();
    const unsigned mode = mode_now();
    const size_t first = mode * CS_POWER_KINDS;

    (void)id;
    if (g.bridge.nr_cpus > 1) {
        turns_make();
        for (unsigned i = 0; i < g.bridge.nr_cpus; i++)
            qemu_plugin_u64_set(g.waits, i, 1);
        qemu_plugin_register_vcpu_tb_exec_cond_cb(block, switched, QEMU_PLUGIN_CB_NO_REGS,
                                                  QEMU_PLUGIN_COND_NE, g.waits, 0,
                                                  (void *)(uintptr_t)qemu_plugin_tb_vaddr(block));
    }
    for (size_t i = 0; i < count; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        const uint64_t pc = qemu_plugin_insn_vaddr(insn);
        const uint32_t word = word_of(insn, little);
        const unsigned kind = cs_power_kind(word);
        const size_t at = counts_place(g.counts, pc, mode, kind);

        add(insn, g.past, g.settings.guest.cycles[kind]);
        add_one(insn, g.executed, first + CS_POWER_INSTRUCTIONS);
        if (kind != CS_POWER_INSTRUCTIONS)
            add_one(insn, g.executed, first + kind);
        qemu_plugin_register_vcpu_insn_exec_cond_cb(insn, stopped, QEMU_PLUGIN_CB_R_REGS,
                                                    QEMU_PLUGIN_COND_LT, g.past, PASSED,
                                                    (void *)(uintptr_t)(pc | kind));
        if (at != COUNTS_NONE)
            add_one(insn, g.counted, at);
        watch(insn, pc, word);
    }
}

/* ---- begin and end ---- */

static void begun(qemu_plugin_id_t id, unsigned cpu)
{
    GArray *registers = qemu_plugin_get_registers();

    (void)id;
    if (g.bridge.nr_cpus > 1 && !turns_know(cpu))
        fprintf(g.log, "X this QEMU is not the one that guests with several CPUs need\n");
    qemu_plugin_u64_set(g.waits, cpu, cpu != 0);
    if (cpu != 0)
        return;
    threads_cpus();
    for (unsigned i = 0; i < registers->len; i++) {
        const qemu_plugin_reg_descriptor *reg =
            (const qemu_plugin_reg_descriptor *)(const void *)registers->data + i;
        unsigned nr;

        if (reg->name[0] == 'r' && sscanf(reg->name, "r%2u", &nr) == 1 && nr < 32 &&
            strlen(reg->name) == (nr < 10 ? 2u : 3u))
            g.gpr[nr] = reg->handle;
        else if (strcmp(reg->name, "msr") == 0)
            g.msr = reg->handle;
        else if (strcmp(reg->name, "pidr") == 0)
            g.pid = reg->handle;
        else if (strcmp(reg->name, "lpidr") == 0)
            g.lpid = reg->handle;
    }
    if (g.gpr[0] == NULL || g.gpr[31] == NULL || g.msr == NULL || g.pid == NULL || g.lpid == NULL)
        fprintf(g.log, "X this QEMU does not show all registers\n");
    g.target = 1; /* to look at the memory as QEMU has filled it */
    qemu_plugin_u64_set(g.past, 0, UINT64_C(0) - g.target);
    if (!plugin_find_ram(&g.bridge.ram))
        fprintf(g.log, "X the guest's memory was not found\n");
    if (!g.bridge.events.unit && !clock_take(instruction_now))
        fprintf(g.log, "X this QEMU is not the one that guests with guest.cycles need\n");
}

static void ended(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    if (qemu_plugin_num_vcpus() <= 0) /* there was no machine */
        return;

    const uint64_t now = instruction_now();
    const cs_cycle cycle = bridge_cycle(&g.bridge, now);
    const events_cpus all = {0, g.bridge.nr_cpus};

    for (unsigned cpu = 0; cpu < g.bridge.nr_cpus; cpu++)
        end_count(cpu, tasks_image(g.tasks, cpu));
    counts_put(g.counts, g.log);
    if (ferror(g.log) == 0) /* else it is not whole */
        fprintf(g.log, "E %" PRIx64 " %" PRIx64 " %" PRIx64 "\n",
                events_sum(all_executed(), all, CS_POWER_INSTRUCTIONS, CS_MODE_ALL), cycle,
                cycle - now);
    fclose(g.log);
    out_end(&g.out);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv)
{
    char path[PATH_BYTES + 32];

    if (argc != 1 || strncmp(argv[0], "dir=", 4) != 0 || strcmp(info->target_name, "ppc64") != 0)
        return -1;
    snprintf(g.dir, sizeof g.dir, "%s", argv[0] + 4);
    snprintf(path, sizeof path, "%s/%s", g.dir, CS_GUEST_LOG);
    g.log = fopen(path, "w");
    snprintf(path, sizeof path, "%s/%s", g.dir, CS_GUEST_SETTINGS);
    g.bridge.segments = segments_create();
    if (g.log == NULL || g.bridge.segments == NULL ||
        !settings_read(&g.settings, g.bridge.segments, path) ||
        segments_end(g.bridge.segments, NULL) != CS_OK ||
        bridge_create(&g.bridge, &g.settings.config, g.log, NULL) != CS_OK)
        return -1;
    g.bridge.fault = (bridge_fault)g.settings.guest.fault;
    g.bridge.faulty = g.settings.guest.faulty;
    g.counts = counts_create(g.bridge.nr_cpus, g.settings.guest.count == CS_GUEST_COUNT_ALL);
    g.tasks = tasks_create(&g.bridge.ram, g.log);
    g.opened = opened_create(&g.bridge.ram);
    if (g.counts == NULL || g.tasks == NULL || g.opened == NULL)
        return -1;
    opened_count_at(g.opened, g.settings.guest.ids);
    events_cost(&g.bridge.events, g.settings.guest.cycles);
    for (size_t i = 0; i < EVENTS_CORE; i++)
        if (g.settings.core[i] !=
            EVENTS_NOTHING) /* what trace mode samples by is there in any catalog */
            g.bridge.events.core[i] = g.settings.core[i];
    memcpy(g.bridge.events.nest, g.settings.nest, sizeof g.settings.nest);
    g.read_into = -1;
    turns_firmware(FIRMWARE, FIRMWARE_END);
    if (!threads_main())
        fprintf(g.log, "X this QEMU does not show its functions\n");
    g.bytes = g_byte_array_new();
    g.out = (out){.folder = g.dir, .log = g.log, .read = read_guest};
    g.scores = qemu_plugin_scoreboard_new(2 * sizeof(uint64_t));
    g.past = (qemu_plugin_u64){g.scores, 0};
    g.waits = (qemu_plugin_u64){g.scores, sizeof(uint64_t)};
    g.executed = qemu_plugin_scoreboard_new(sizeof(events_executed));
    g.counted = qemu_plugin_scoreboard_new(COUNTS_MOST * sizeof(uint64_t));
    qemu_plugin_register_vcpu_init_cb(id, begun);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
