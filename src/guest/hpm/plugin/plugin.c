/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The plugin of QEMU's RISC-V: counts the guest's instructions, hands CSR accesses to the counters over
 * (hart.h), and brings their interrupt back. It includes qemu-plugin.h, whose license this file has; the
 * rest of the project is under its own.
 *
 * One argument, dir=PATH: where `settings` is read, and the log and the guest's files are written. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest/hpm/hart.h"
#include "guest/hpm/owned.h"
#include "guest/hpm/plugin/cached.h"
#include "guest/hpm/plugin/cells.h"
#include "guest/hpm/plugin/counting.h"
#include "guest/hpm/plugin/machine.h"
#include "guest/hpm/plugin/opcodes.h"
#include "guest/hpm/plugin/outcomes.h"
#include "guest/hpm/plugin/registers.h"
#include "guest/hpm/plugin/settings.h"
#include "guest/hpm/programs.h"
#include "guest/log.h"
#include "guest/plugin/counts.h"
#include "guest/plugin/kernel.h"
#include "guest/plugin/memory.h"
#include "guest/plugin/opened.h"
#include "guest/plugin/out.h"
#include "guest/plugin/tasks.h"
#include "guest/plugin/threads.h"
#include "guest/plugin/turns.h"
#include <qemu-plugin.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define PATH_BYTES 4096
#define FIRMWARE 0x80000000u
#define FIRMWARE_END 0x80200000u
#define USER 1u /* a mode in the log: the kernel's and the firmware's are 0 */

/* A hart, as QEMU executes it. */
typedef struct cpu {
    const place *current;  /* the CSR instruction that is executed */
    bool pending, enabled; /* as QEMU has them */
    cs_cycle turn_ends;
    counting counting;
} cpu;

static struct {
    char dir[PATH_BYTES];
    FILE *log;
    bool ended; /* the log has */
    out out;
    settings settings;
    owned *owned;
    cpu cpus[OWNED_HARTS];
    unsigned running;      /* the one whose turn it is */
    qemu_plugin_u64 waits; /* it is not the CPU's turn, as far as we know */
    GByteArray *bytes;
    bridge_memory ram;
    counts *counts;
    tasks *tasks;
    opened *opened;
} g;

/* ---- the harts' counters ---- */

static bool many(void)
{
    return g.settings.nr_harts > 1;
}

static void plan(unsigned cpu)
{
    const cs_cycle now = owned_now(g.owned, cpu), ends = g.cpus[cpu].turn_ends;

    for (unsigned mode = 0; mode < HART_MODES; mode++) {
        uint64_t left = cells_of(cpu)->leave ? 1 : owned_left(g.owned, cpu, mode);

        if (many() && left > (ends > now ? ends - now : 1))
            left = ends > now ? ends - now : 1;
        cells_of(cpu)->past[mode] = -left;
    }
    outcomes_plan(cpu, owned_outcomes_left(g.owned, cpu), owned_wanted(g.owned, cpu));
}

static void bring_lines(void *qemu, void *data)
{
    const unsigned cpu = (unsigned)(uintptr_t)data;

    (void)qemu;
    machine_set_lcofi(cpu, g.cpus[cpu].pending, g.cpus[cpu].enabled);
    cells_of(cpu)->leave = false;
    if (cells_of(cpu)->late == CELLS_LEAVE)
        cells_of(cpu)->late = 0;
    plan(cpu);
}

/* The hart has just executed it. */
static owned_where where(unsigned cpu, const place *p)
{
    const bool takes =
        !p->moves &&
        (p->mode == CS_HPM_MODE_U || p->mode >= CS_HPM_MODE_VU ||
         (p->mode == CS_HPM_MODE_S && (registers_read(REGISTERS_SSTATUS) & SSTATUS_SIE) != 0));

    return (owned_where){.executed = &cells_of(cpu)->executed,
                         .pc = p->pc,
                         .last = outcomes_last(cpu, p),
                         .image = tasks_image(g.tasks, cpu),
                         .takes = takes};
}

/* Lines may have moved, and what has to be looked for next. */
static void follow(unsigned cpu, bool within)
{
    const bool pending = owned_pending(g.owned, cpu), enabled = owned_enabled(g.owned, cpu);

    if (pending != g.cpus[cpu].pending || enabled != g.cpus[cpu].enabled) {
        g.cpus[cpu].pending = pending;
        g.cpus[cpu].enabled = enabled;
        if (within) {
            cells_of(cpu)->leave = true;
            cells_of(cpu)->late = g.settings.has_caches ? CELLS_LEAVE : 0;
            machine_soon(cpu, bring_lines);
        } else {
            machine_set_lcofi(cpu, pending, enabled);
        }
    }
    plan(cpu);
}

/* Another CPU's turn has begun, or a block's first time. */
static void switched(unsigned cpu, void *pc)
{
    turns_made();
    for (unsigned i = 0; i < g.settings.nr_harts; i++)
        qemu_plugin_u64_set(g.waits, i, i != cpu);
    if (cpu == g.running)
        return;
    const uint64_t length = turns_length(cpu, (uint64_t)(uintptr_t)pc);
    uint64_t *past = cells_of(cpu)->past;

    g.running = cpu;
    g.cpus[cpu].turn_ends = settings_cycles(&g.settings, &cells_of(cpu)->executed) + length;
    /* What it has executed since its last look counts: nothing is planned anew. */
    for (unsigned mode = 0; mode < HART_MODES; mode++)
        if (-past[mode] > length)
            past[mode] = -length;
}

/* QEMU would leave a CPU that waits for another alone with its wait for long. */
static void end_turn(unsigned cpu)
{
    if (!many() || owned_now(g.owned, cpu) < g.cpus[cpu].turn_ends)
        return;
    turns_end(cpu);
    g.cpus[cpu].turn_ends = owned_now(g.owned, cpu) + TURNS_LONG;
}

/* An instruction that is told before it is executed goes back: it is executed after the interrupt. */
static void take_back(unsigned cpu, const place *p)
{
    cells *c = cells_of(cpu);

    c->executed.of[p->mode][p->kind]--;
    c->past[p->mode] = -UINT64_C(1);
    if (p->counted != COUNTS_NONE)
        cells_counted(cpu)[p->counted]--;
}

static void tell(unsigned cpu, const place *p)
{
    const owned_where here = where(cpu, p);

    owned_tell(g.owned, cpu, &here);
    end_turn(cpu);
    follow(cpu, true);
}

/* What an instruction has missed is known when it has been executed: it is told before the next one. */
static void on_late(unsigned cpu, void *data)
{
    const uint64_t late = cells_of(cpu)->late;

    (void)data;
    cells_of(cpu)->late = 0;
    if (late != CELLS_LEAVE)
        tell(cpu, (const place *)(uintptr_t)late);
    if (!cells_of(cpu)->leave)
        return;
    cells_of(cpu)->late = CELLS_LEAVE;
    machine_leave(cpu, __builtin_return_address(0));
}

static bool may_miss(const place *p)
{
    return g.settings.has_caches &&
           (p->kind == CS_RISCV_LOAD || p->kind == CS_RISCV_STORE || p->kind == CS_RISCV_ATOMIC);
}

static void looked(unsigned cpu, void *at)
{
    const place *p = at;

    if (cells_of(cpu)->leave) {
        take_back(cpu, p);
        machine_leave(cpu, __builtin_return_address(0));
    }
    /* An access tells it itself, in the instruction's own cycle; else the next one does. */
    if (p->kind == CS_RISCV_CSR && p->ours) {
        cells_look(cpu);
    } else if (may_miss(p)) {
        cells_look(cpu);
        cells_of(cpu)->late = (uintptr_t)p;
    } else {
        tell(cpu, p);
    }
}

/* ECALL and EBREAK do not retire, and are not counted. */
static void on_trap(unsigned cpu, void *data)
{
    (void)data;
    if (cells_of(cpu)->leave)
        machine_leave(cpu, __builtin_return_address(0));
}

static void on_csr(unsigned cpu, void *at)
{
    g.cpus[cpu].current = at;
}

static void count_for(unsigned cpu)
{
    const counting *c = &g.cpus[cpu].counting;

    counts_change(g.counts, cpu, c->nr > 0 ? CS_GUEST_BY_EVENT : 0, (uint32_t)counting_last(c),
                  cells_counted(cpu), tasks_image(g.tasks, cpu));
}

/* From here on the event is the one that the CPU counts for. */
static void begin_counting(unsigned cpu, uint64_t id)
{
    counting_begin(&g.cpus[cpu].counting, id);
    count_for(cpu);
}

/* The driver's handler of overflows may start what it was told to stop. */
static void look_for_restarted(unsigned cpu)
{
    const uint64_t id = owned_restarted(g.owned, cpu);

    if (id != 0 && !counting_has(&g.cpus[cpu].counting, id))
        begin_counting(cpu, id);
}

static cs_hpm_result access_csr(unsigned cpu, const cs_hpm_access *what)
{
    cs_hpm_access access = *what;
    const place *p = g.cpus[cpu].current;

    if (p == NULL)
        return (cs_hpm_result){CS_HPM_EXCEPTION_ILLEGAL, 0};
    access.mode = p->mode;
    access.stateen_m = access.stateen_h = true;

    const owned_where here = where(cpu, p);
    const cs_hpm_result result = owned_access(g.owned, cpu, &here, &access);

    look_for_restarted(cpu);
    follow(cpu, false);
    return result;
}

/* ---- what perf does ---- */

static void end_count(unsigned cpu, uint32_t image)
{
    counts_end(g.counts, cpu, cells_counted(cpu), image);
}

/* What a process inherits is of an event that is known. */
static void open_event(unsigned cpu, uint64_t event)
{
    opened_attr attr;

    opened_add(g.opened, event);
    if (opened_own(g.opened, event) && opened_attr_of(g.opened, event, &attr))
        owned_opened(g.owned, opened_id(g.opened, event), tasks_process(g.tasks, cpu),
                     &(owned_attr){attr.type, attr.config, attr.period, attr.flags});
}

static void enter_driver(unsigned cpu, tasks_what what, uint64_t event)
{
    const uint64_t id = opened_id(g.opened, event);

    if (what == TASKS_OPEN) {
        open_event(cpu, event);
    } else if (what == TASKS_ASK) {
        if (opened_own(g.opened, event))
            owned_asked(g.owned, id, tasks_process(g.tasks, cpu));
    } else if (what == TASKS_OVERFLOW) {
        owned_sample(g.owned, cpu, id, registers_read(REGISTERS_SEPC), tasks_process(g.tasks, cpu));
    } else if (what == TASKS_READ) {
        owned_read(g.owned, cpu, id);
    } else if (what == TASKS_BEGIN) {
        begin_counting(cpu, id);
        owned_start(g.owned, cpu, id);
    } else {
        owned_stop(g.owned, cpu, id);
        counting_end(&g.cpus[cpu].counting, id);
        count_for(cpu);
    }
}

/* The kernel's handler of all traps begins. */
static void on_trap_taken(unsigned cpu, void *data)
{
    (void)data;
    if (owned_waits(g.owned, cpu))
        owned_trap(g.owned, cpu, &cells_of(cpu)->executed, registers_read(REGISTERS_SCAUSE));
}

/* A function of the kernel is entered. */
static void on_entered(unsigned cpu, void *what)
{
    const uint32_t image = tasks_image(g.tasks, cpu);
    uint64_t arguments[TASKS_ARGUMENTS];

    for (unsigned i = 0; i < TASKS_ARGUMENTS; i++)
        arguments[i] = registers_read(REGISTERS_A0 + i);
    if ((tasks_what)(uintptr_t)what >= TASKS_OPEN) {
        enter_driver(cpu, (tasks_what)(uintptr_t)what, arguments[0]);
        return;
    }
    if (tasks_entered(g.tasks, (tasks_what)(uintptr_t)what, cpu, owned_now(g.owned, cpu),
                      arguments))
        end_count(cpu, image);
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
    out_call(&g.out, registers_read(REGISTERS_A0), registers_read(REGISTERS_A0 + 1),
             registers_read(REGISTERS_A0 + 2));
}

/* ---- the end, of programs for bare harts, too ---- */

static void put_place(unsigned cpu)
{
    const place *p = (const place *)(uintptr_t)cells_of(cpu)->at;

    if (p != NULL)
        fprintf(g.log, "H %x %" PRIx64 " %x\n", cpu, p->pc, p->mode == CS_HPM_MODE_U ? USER : 0);
}

static void end_all(void)
{
    uint64_t instructions = 0, cycles = 0;
    const int there = qemu_plugin_num_vcpus();

    for (unsigned cpu = 0; cpu < g.settings.nr_harts && cpu < (unsigned)there; cpu++) {
        instructions += settings_instructions(&cells_of(cpu)->executed);
        cycles += settings_cycles(&g.settings, &cells_of(cpu)->executed);
        end_count(cpu, tasks_image(g.tasks, cpu));
        put_place(cpu);
    }
    counts_put(g.counts, g.log);
    if (owned_failed(g.owned) != NULL)
        fprintf(g.log, "X %s\n", owned_failed(g.owned));
    if (ferror(g.log) == 0) /* else it is not whole */
        fprintf(g.log, "E %" PRIx64 " %" PRIx64 " 0\n", instructions, cycles);
    g.ended = true;
}

static uint64_t stored(const qemu_plugin_mem_value *value, unsigned size)
{
    return size == 8 ? value->data.u64 : size == 4 ? value->data.u32 : value->data.u16;
}

/* All that it has done until this store counts; QEMU ends when it finds the time. */
static void on_stored(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    const qemu_plugin_mem_value value = qemu_plugin_mem_get_value(info);
    const unsigned size = 1u << qemu_plugin_mem_size_shift(info);
    unsigned status;

    (void)cpu, (void)data;
    if (g.ended || !bare_ends(&g.settings.bare, address, stored(&value, size), size, &status))
        return;
    if (!bare_put(&g.settings.bare, &g.ram, FIRMWARE, g.dir, status))
        fprintf(g.log, "X the program's signature cannot be written\n");
    end_all();
    kill(getpid(), SIGTERM);
}

/* The same of a Linux: how much more it executes depends on QEMU's threads. */
static void on_off(unsigned cpu, void *data)
{
    (void)cpu, (void)data;
    if (!g.ended)
        end_all();
}

/* ---- translation ---- */

static unsigned mode_now(void)
{
    return registers_found() ? (unsigned)registers_read(REGISTERS_PRIV) & 7u : CS_HPM_MODE_M;
}

static place *place_of(uint64_t pc, unsigned mode, uint32_t word)
{
    place *p = malloc(sizeof *p);

    if (p == NULL)
        abort(); /* in the midst of a guest nothing better can be done */
    p->pc = pc;
    p->mode = (uint8_t)mode;
    p->kind = (uint8_t)cs_riscv_kind(word);
    p->ours = machine_takes(word >> 20);
    p->moves = (word & OPCODE) == SYSTEM && (p->kind == CS_RISCV_CSR || (word & RETURNS) == 0);
    p->counted = counts_place(g.counts, pc, mode == CS_HPM_MODE_U ? USER : 0, p->kind);
    return p;
}

static void watch(struct qemu_plugin_insn *insn, const place *p, uint32_t word)
{
    if (p->kind == CS_RISCV_CSR)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_csr, QEMU_PLUGIN_CB_NO_REGS, (void *)p);
    if (word == CS_RISCV_CALL)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_call, QEMU_PLUGIN_CB_R_REGS, NULL);
    for (size_t i = 0; i < g.settings.guest.nr_watched; i++) {
        const tasks_what what = g.settings.guest.watched[i].what;

        if (p->pc == g.settings.guest.watched[i].entry)
            qemu_plugin_register_vcpu_insn_exec_cb(insn,
                                                   what == TASKS_TRAP  ? on_trap_taken
                                                   : what == TASKS_OFF ? on_off
                                                                       : on_entered,
                                                   QEMU_PLUGIN_CB_R_REGS, (void *)(uintptr_t)what);
    }
}

static void count(struct qemu_plugin_insn *insn, place *p)
{
    const size_t past = offsetof(cells, past) + p->mode * sizeof(uint64_t);

    cells_add(insn, offsetof(cells, executed.of) +
                        ((size_t)p->mode * CS_RISCV_KINDS + p->kind) * sizeof(uint64_t));
    cells_add_counted(insn, p);
    cells_add(insn, past);
    qemu_plugin_register_vcpu_insn_exec_cond_cb(insn, looked, QEMU_PLUGIN_CB_RW_REGS,
                                                QEMU_PLUGIN_COND_LT, cells_number(past),
                                                CELLS_PASSED, p);
}

/* A block is translated for the mode of that moment. */
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    const size_t nr = qemu_plugin_tb_n_insns(block);
    const unsigned mode = mode_now();

    (void)id;
    if (many()) {
        turns_make();
        for (unsigned i = 0; i < g.settings.nr_harts; i++)
            qemu_plugin_u64_set(g.waits, i, 1);
        qemu_plugin_register_vcpu_tb_exec_cond_cb(block, switched, QEMU_PLUGIN_CB_NO_REGS,
                                                  QEMU_PLUGIN_COND_NE, g.waits, 0,
                                                  (void *)(uintptr_t)qemu_plugin_tb_vaddr(block));
    }
    for (size_t i = 0; i < nr; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        uint32_t word = 0; /* hosts of QEMU's plugins are little-endian, too */

        qemu_plugin_insn_data(insn, &word, sizeof word);
        place *p = place_of(qemu_plugin_insn_vaddr(insn), mode, word);

        if (i == 0)
            qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(block, QEMU_PLUGIN_INLINE_STORE_U64,
                                                              cells_number(offsetof(cells, at)),
                                                              (uintptr_t)p);
        if (g.settings.has_caches)
            qemu_plugin_register_vcpu_insn_exec_cond_cb(
                insn, on_late, QEMU_PLUGIN_CB_RW_REGS, QEMU_PLUGIN_COND_NE,
                cells_number(offsetof(cells, late)), 0, NULL);
        outcomes_watch(insn, p, word, i);
        cached_watch(insn, p, word, i);
        if (retires(word))
            count(insn, p);
        else
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_trap, QEMU_PLUGIN_CB_RW_REGS, NULL);
        watch(insn, p, word);
        if (g.settings.bare.is)
            qemu_plugin_register_vcpu_mem_cb(insn, on_stored, QEMU_PLUGIN_CB_NO_REGS,
                                             QEMU_PLUGIN_MEM_W, NULL);
    }
}

/* ---- begin and end ---- */

static void begun(qemu_plugin_id_t id, unsigned cpu)
{
    (void)id;
    if (many() && !turns_know(cpu))
        fprintf(g.log, "X this QEMU is not the one that guests with several harts need\n");
    qemu_plugin_u64_set(g.waits, cpu, cpu != 0);
    plan(cpu);
    if (cpu != 0)
        return;
    threads_cpus();
    if (!registers_find())
        fprintf(g.log, "X this QEMU does not show a hart's registers\n");
    if (!plugin_find_ram(&g.ram))
        fprintf(g.log, "X the guest's memory was not found\n");
}

static void ended(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    if (qemu_plugin_num_vcpus() <= 0) /* there was no machine */
        return;
    if (!g.ended)
        end_all();
    fclose(g.log);
    out_end(&g.out);
}

static bool create(void)
{
    g.owned = settings_create(&g.settings, g.dir, g.log);
    if (g.owned == NULL)
        return false;
    kernel_sees(g.settings.windows);
    g.counts = counts_create(g.settings.nr_harts, g.settings.guest.count == CS_GUEST_COUNT_ALL);
    g.tasks = tasks_create(&g.ram, g.log);
    g.opened = opened_create(&g.ram);
    if (g.counts == NULL || g.tasks == NULL || g.opened == NULL)
        return false;
    outcomes_create(g.counts);
    opened_count_at(g.opened, g.settings.guest.ids);
    return cached_create(&g.settings, &g.ram, FIRMWARE) &&
           machine_take_csrs(access_csr, &g.settings.config, g.log);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv)
{
    char path[PATH_BYTES + 32];

    if (argc != 1 || strncmp(argv[0], "dir=", 4) != 0 || strcmp(info->target_name, "riscv64") != 0)
        return -1;
    snprintf(g.dir, sizeof g.dir, "%s", argv[0] + 4);
    snprintf(path, sizeof path, "%s/%s", g.dir, CS_GUEST_LOG);
    g.log = fopen(path, "w");
    snprintf(path, sizeof path, "%s/%s", g.dir, CS_GUEST_SETTINGS);
    if (g.log == NULL || !settings_read(&g.settings, path) || !create())
        return -1;
    if (!threads_main())
        fprintf(g.log, "X this QEMU does not show its functions\n");
    g.bytes = g_byte_array_new();
    g.out = (out){.folder = g.dir, .log = g.log, .read = read_guest};
    cells_create();
    g.waits = cells_number(offsetof(cells, waits));
    turns_firmware(FIRMWARE, FIRMWARE_END);
    qemu_plugin_register_vcpu_init_cb(id, begun);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
